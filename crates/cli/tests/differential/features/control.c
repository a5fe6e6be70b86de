static u64 $F(u64 a, u64 b, const u8 *in) {
    u64 sum = b;
    u32 n = 3 + (in[0] & 7), i = 0;
    switch (n % 4) {
        do {
    case 0: sum += $E;
    case 3: sum ^= in[i & 7];
    case 2: sum = rotated(sum, $S);
    case 1: sum -= a;
        } while ((i += 4) < n);
    }
    for (u32 k = 0; k < 6; k++) {
        switch (in[k]) {
        case 0 ... 9: sum += k; break;
        case 10 ... 99: sum ^= $K;
        case 200: sum += 2; continue;
        case 201 ... 255: if (sum & 1) goto out; break;
        default: sum = ({ u64 t = sum; ({ u64 s = t >> 1; s > t ? s : ({ t += s; }) + k; }); });
        }
        sum += k > 2 && in[k] > in[k - 1] || !(sum & 6);
    }
out:
    return sum;
}
