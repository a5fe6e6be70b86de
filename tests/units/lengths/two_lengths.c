// tine-test: fn=copy verdict=incomplete reason="overlap" unnoticed
// tine-test: fn=copy_well verdict=incomplete reason="overlap"
// The loop runs to `inlen`, but the length of `out` is `outlen`.
int copy(unsigned char *out, unsigned outlen, const unsigned char *in, unsigned inlen) {
    unsigned i;
    for (i = 0; i < inlen; i++)
        out[i] = in[i]; //~ ERROR array index out of bounds //~ REQUIRES in != NULL //~ REQUIRES out != NULL
    return outlen > inlen;
}

int copy_well(unsigned char *out, unsigned outlen, const unsigned char *in, unsigned inlen) {
    unsigned i;
    for (i = 0; i < inlen && i < outlen; i++)
        out[i] = in[i]; //~ REQUIRES in != NULL //~ REQUIRES out != NULL
    return outlen > inlen;
}
