// tine-test: fn=run
// Every operator of regular expressions, each violated in a mode of its own.
//@ spec sequence { a := call a
//@   b := call b
//@   ensures (a b)? }
//@ spec choice { c := call c
//@   d := call d
//@   ensures c+ | d }
//@ spec repeated { e := call e
//@   f := call f
//@   ensures e* f? }
//@ spec whole { g := call g
//@   h := call h
//@   ensures (g h)* end }
//@ spec several { any := call i, j
//@   ensures any any }
static int n;

static void a(void) { n++; }
static void b(void) { n++; }
static void c(void) { n++; }
static void d(void) { n++; }
static void e(void) { n++; }
static void f(void) { n++; }
static void g(void) { n++; }
static void h(void) { n++; }
static void i(void) { n++; }
static void j(void) { n++; }

int run(int mode) {
    switch (mode) {
    case 0:
        a(), b(), c(), c(), e(), e(), f(), g(), h(), i(), j();
        break;
    case 1:
        b(); //~ ERROR specification violated
        break;
    case 2:
        a();
        a(); //~ ERROR specification violated
        break;
    case 3:
        c();
        d(); //~ ERROR specification violated
        break;
    case 4:
        d();
        d(); //~ ERROR specification violated
        break;
    case 5:
        e(), f();
        f(); //~ ERROR specification violated
        break;
    case 6:
        g(), h();
        g(); //~ ERROR specification violated
        break;
    case 7:
        i(), j();
        i(); //~ ERROR specification violated
        break;
    default:
        break;
    }
    return n;
}
