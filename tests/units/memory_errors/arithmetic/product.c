// tine-test: fn=pair
// CWE-190: width times height. The twin multiplies in a wider type, and lets unsigned numbers wrap.
int bad(unsigned short w, unsigned short h) { return w * h; } //~ ERROR signed integer overflow

int good(unsigned short w, unsigned short h) {
    unsigned long area = (unsigned long)w * h;
    unsigned wraps = (unsigned)w * h * 65599u;
    return area > 1000 ? (int)wraps : 0;
}

int pair(int faulty, unsigned short w, unsigned short h) { return faulty ? bad(w, h) : good(w, h); }
