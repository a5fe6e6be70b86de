// tine-test: fn=run
// Every future-time operator, each violated in a mode of its own: at an event that excludes it, or at the end of the run.
//@ spec following { a := call a
//@   b := call b
//@   ensures always (a -> next b) }
//@ spec perhaps { c := call c
//@   d := call d
//@   ensures always (c -> weak next d) }
//@ spec later { e := call e
//@   f := call f
//@   ensures always (e -> eventually f) }
//@ spec before { g := call g
//@   h := call h
//@   k := call k
//@   ensures always (k -> g until h) || !k }
//@ spec while_not { i := call i
//@   j := call j
//@   ensures !i weak until j }
static int count;

static void a(void) { count++; }
static void b(void) { count++; }
static void c(void) { count++; }
static void d(void) { count++; }
static void e(void) { count++; }
static void f(void) { count++; }
static void g(void) { count++; }
static void h(void) { count++; }
static void i(void) { count++; }
static void j(void) { count++; }
static void k(void) { count++; }

int run(int mode) {
    switch (mode) {
    case 0:
        a(), b(), c(), d(), c(), e(), e(), f(), h(), g(), j(), i();
        break;
    case 1:
        a();
        a(); //~ ERROR specification violated
        break;
    case 2:
        a(); //~ ERROR specification violated
        break;
    case 3:
        c();
        c(); //~ ERROR specification violated
        break;
    case 4:
        e(), f();
        e(); //~ ERROR specification violated
        break;
    case 5:
        k(); //~ ERROR specification violated
        break;
    case 6:
        i(); //~ ERROR specification violated
        break;
    default:
        break;
    }
    return count;
}
