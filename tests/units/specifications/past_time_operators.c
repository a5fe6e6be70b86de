// tine-test: fn=run
// Every past-time operator, each violated in a mode of its own.
//@ spec before { a := call a
//@   b := call b
//@   ensures b -> previously a }
//@ spec earlier { c := call c
//@   d := call d
//@   ensures d -> once c }
//@ spec never { e := call e if n > 2
//@   ensures historically !e }
//@ spec after { f := call f
//@   g := call g
//@   h := call h
//@   ensures g -> (!h since f) }
//@ spec either { i := call i
//@   j := call j
//@   ensures !(i && previously i) || once j }
static int count;

static void a(void) { count++; }
static void b(void) { count++; }
static void c(void) { count++; }
static void d(void) { count++; }
static void e(int n) { count += n & 1; }
static void f(void) { count++; }
static void g(void) { count++; }
static void h(void) { count++; }
static void i(void) { count++; }
static void j(void) { count++; }

int run(int mode) {
    switch (mode) {
    case 0:
        a(), b(), c(), a(), d(), e(2), f(), a(), g(), h(), f(), g(), j(), i(), i();
        break;
    case 1:
        a(), b();
        b(); //~ ERROR specification violated
        break;
    case 2:
        d(); //~ ERROR specification violated
        break;
    case 3:
        e(mode); //~ ERROR specification violated
        break;
    case 4:
        f(), h();
        g(); //~ ERROR specification violated
        break;
    case 5:
        i();
        i(); //~ ERROR specification violated
        break;
    default:
        break;
    }
    return count;
}
