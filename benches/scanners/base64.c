/* Decodes base64 or hexadecimal digits by tables, then reads what comes out as a list of tagged fields. */
#include <stdio.h>
#include <string.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static signed char value_of[256], hex_of[256];
static void init(void) {
    memset(value_of, -1, sizeof value_of);
    memset(hex_of, -1, sizeof hex_of);
    for (int k = 0; k < 64; k++) value_of[(unsigned char)digits[k]] = k;
    value_of['='] = -2;
    for (int k = 0; k < 10; k++) hex_of['0' + k] = k;
    for (int k = 0; k < 6; k++) hex_of['a' + k] = hex_of['A' + k] = 10 + k;
}
static int base64(const unsigned char *in, int n, unsigned char *out) {
    int at = 0, bits = 0;
    unsigned acc = 0;
    for (int k = 0; k < n; k++) {
        int v = value_of[in[k]];
        if (v == -2) break;
        if (v < 0) return -1;
        acc = acc << 6 | v;
        bits += 6;
        if (bits >= 8) { bits -= 8; out[at++] = acc >> bits; }
    }
    return at;
}
static int hex(const unsigned char *in, int n, unsigned char *out) {
    int at = 0;
    for (int k = 0; k + 1 < n; k += 2) {
        int a = hex_of[in[k]], b = hex_of[in[k + 1]];
        if (a < 0 || b < 0) return -1;
        out[at++] = a << 4 | b;
    }
    return at;
}
int main(void) {
    unsigned char text[33], out[33];
    init();
    int n = (int)fread(text, 1, 32, stdin);
    while (n > 0 && text[n - 1] == '\n') n--;
    if (n < 4) return 1;
    int m = text[0] == '#' ? hex(text + 1, n - 1, out) : base64(text, n, out);
    if (m < 0) { printf("bad digit\n"); return 2; }
    if (m < 3 || out[0] != 'T' || out[1] != 'F') { printf("bad magic\n"); return 3; }
    int at = 2, numbers = 0, names = 0;
    while (at < m) {
        int tag = out[at] >> 4, length = out[at] & 15;
        at++;
        if (at + length > m) { printf("cut off\n"); return 4; }
        switch (tag) {
        case 0: if (length) return 5; printf("end\n"); return numbers > names ? 10 : 11;
        case 1: if (length != 1) return 6; printf("byte %d\n", out[at]); numbers++; break;
        case 2: if (length != 2) return 6; printf("word %d\n", out[at] << 8 | out[at + 1]);
                if ((out[at] << 8 | out[at + 1]) == 0x1234) printf("magic\n"); numbers++; break;
        case 3: for (int k = 0; k < length; k++) if (out[at + k] < ' ' || out[at + k] > '~') return 7;
                if (length == 3 && !memcmp(out + at, "key", 3)) printf("key\n"); names++; break;
        case 15: printf("flags %d\n", length); if (length > 2 && out[at] == out[at + 1]) printf("twin\n"); break;
        default: return 8;
        }
        at += length;
    }
    return 9;
}
