//! Specifications: their summary, and their guidance of the search.

use crate::support::{Bench, errors};

/// The component divides by zero after some sends. The protocol determines the relevant orders of calls.
const CONNECTION: &str = "//@ spec conn_use for each c: struct conn * {
//@   opened := return conn_open if result == 0
//@   send   := call conn_send
//@   close  := call conn_close
//@   expects (opened send* close)*
//@ }
struct conn { int open; int sent; };
int conn_open(struct conn *c, int port) {
    if (port < 1)
        return -1;
    c->open = 1;
    return 0;
}
void conn_send(struct conn *c, int n) {
    c->sent += n & 7;
    if (c->sent == 13)
        c->open = 100 / (c->open - 1);
}
void conn_close(struct conn *c) { c->open = 0; }
";

/// Violated when the third command is 'x' and the two before are 'a' and 'b'.
const COMMANDS: &str = "//@ spec steps {
//@   a := call do_a
//@   b := call do_b
//@   x := call do_x
//@   ensures historically !(x && previously (b && previously a))
//@ }
static int count;
void do_a(void) { count++; }
void do_b(void) { count += 2; }
void do_x(void) { count += 3; }
void run(const unsigned char steps[6]) {
    for (int i = 0; i < 6; i++) {
        if (steps[i] == 'a')
            do_a();
        else if (steps[i] == 'b')
            do_b();
        else if (steps[i] == 'x')
            do_x();
    }
}
";

#[test]
fn a_protocol_says_which_calls_a_sequence_makes() {
    let bench = Bench::new(&[("unit.c", CONNECTION)]);
    let summary = bench.tine("sequence unit.c --max-calls 4 --json -q").json();
    assert_eq!(errors(&summary), [("division by zero".to_owned(), 17)]);
    let input = summary["errors"][0]["input"].as_str().expect("calls");
    assert!(input.starts_with("conn_open(port = ") && input.matches("conn_send").count() == 2, "{input}");
    assert_eq!(summary["specifications"][0]["reached"], summary["specifications"][0]["states"], "{summary:#}");
    assert!(summary["rejected"].as_u64() > Some(0), "orders that the protocol forbids are rejected: {summary:#}");

    let without = bench.tine("sequence unit.c --max-calls 4 --out other");
    assert!(without.stdout.contains("no violation of `conn_use` on any path within the bounds"), "{without}");
}

#[test]
fn calls_are_needed_without_a_protocol() {
    let bench = Bench::new(&[("unit.c", "int f(int *p) { return *p; }\n")]);
    let ran = bench.tine("sequence unit.c --max-calls 4");
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains("there are no calls to make"), "{ran}");
}

#[test]
fn every_order_of_search_finds_the_violation() {
    let bench = Bench::new(&[("unit.c", COMMANDS)]);
    for strategy in ["spec", "spec:random=0", "auto", "dfs"] {
        let ran = bench.tine(&format!("test unit.c --fn run --len steps=6 --strategy {strategy} --json -q"));
        let summary = ran.json();
        assert_eq!(errors(&summary), [("specification violated".to_owned(), 18)], "{strategy}: {ran}");
        let spec = &summary["specifications"][0];
        assert_eq!((&spec["name"], &spec["violated"]), (&"steps".into(), &true.into()), "{strategy}");
        // The start, after a, after a and b.
        assert_eq!((&spec["reached"], &spec["states"]), (&3.into(), &3.into()), "{strategy}");
    }
    let asked = bench.tine("test unit.c --fn run --len steps=6 --json -q").json();
    assert!(asked["strategies"]["spec"]["jobs"].as_u64() > Some(0), "auto includes spec: {asked:#}");
}

/// The header has the specification, and the unit includes it.
#[test]
fn headers_have_specifications() {
    let header = "struct queue { int n; };\n\
                  //@ spec queue for each q: struct queue * {\n\
                  //@   put := call put\n\
                  //@   get := call get\n\
                  //@   ensures historically (get -> once put)\n\
                  //@ }\n\
                  int put(struct queue *q, int v);\nint get(struct queue *q);\n";
    let unit = "#include \"queue.h\"\nint put(struct queue *q, int v) { q->n++; return v; }\n\
                int get(struct queue *q) { return q->n--; }\nstatic struct queue one, two;\n\
                int run(int a) { put(&one, a); if (a == 12345) get(&two); return get(&one); }\n";
    let bench = Bench::new(&[("unit.c", unit), ("queue.h", header)]);
    let summary = bench.tine("test unit.c --fn run --json -q").json();
    assert_eq!(errors(&summary), [("specification violated".to_owned(), 5)]);
    bench.write("queue.h", &header.replace("historically", "historicaly"));
    bench.fails("test unit.c --fn run", 2, &["queue.h:5:"]);
}

/// The native program has the monitors, too.
#[test]
fn a_replay_shows_the_violation() {
    let bench = Bench::new(&[("unit.c", COMMANDS)]);
    let summary = bench.tine("test unit.c --fn run --len steps=6 --jobs 1 --json -q --out s").json();
    let case = summary["errors"][0]["case"].as_u64().expect("a case");
    let ran = bench.tine(&format!("replay s {case}"));
    assert!(
        ran.stdout.contains("recorded: specification violated") && ran.stdout.contains("is violated by x"),
        "{ran}"
    );
    assert!(ran.stderr.contains("specification violated (steps: "), "the native run, too: {ran}");
}

/// Functions of other files are monitored where they are defined, also if the first file does not declare them.
#[test]
fn all_files_of_a_unit_are_monitored() {
    let spec = "//@ spec q {\n//@   put := call put\n//@   get := return get if result == limit\n\
                //@   ensures get -> once put\n//@ }\n";
    let other = "int limit = 5;\nint put(int n) { return n; }\nint get(int k) { return k; }\n\
                 int helper(int b) {\n    return b > 3 ? get(b) : 0;\n}\n";
    let main = "int helper(int);\nint put(int);\nint run(int a, int b) { if (a == 1) put(a); return helper(b); }\n";
    let empty = "typedef int nothing;\n";
    let bench = Bench::new(&[("main.c", &format!("{spec}{main}")), ("other.c", other), ("empty.c", empty)]);
    let summary = bench.tine("test main.c other.c empty.c --fn run --json -q").json();
    assert_eq!(errors(&summary), [("specification violated".to_owned(), 3)]);
    assert!(summary["errors"][0]["about"].as_str().expect("text").contains("get (other.c:5: k = 5, result = 5)"));
    assert_eq!((&summary["errors"][0]["function"], &summary["verdict"]), (&"get".into(), &"complete".into()));
}

#[test]
fn mistakes_in_specifications_are_explained() {
    let bench = Bench::new(&[
        (
            "unit.c",
            "struct big { long a[5]; };\nint take(struct big b) { return (int)b.a[0]; }\n\
                    int use(int n) { return n; }\nint run(int n) { struct big b = {{n}}; return take(b) + use(n); }\n",
        ),
        ("unknown.spec", "spec s {\n  a := call uze\n  ensures a*\n}\n"),
        ("condition.spec", "spec s {\n  b := return use\n  a := call use if n >\n  ensures a b\n}\n"),
        ("structure.spec", "spec s {\n  a := call take\n  ensures !a\n}\n"),
        ("one.spec", "spec same {\n  a := call use\n  ensures a*\n}\n"),
        ("two.spec", "spec same {\n  a := call use\n  ensures a?\n}\n"),
        ("deep.spec", &format!("spec s {{\n  a := call use\n  ensures {}a\n}}\n", "!".repeat(5000))),
        ("object.spec", "spec s for each p: char * {\n  a := call use\n  ensures a*\n}\n"),
        ("vacuous.spec", "spec s {\n  a := call use if n > 3\n  ensures a && !a\n  ensures historically !a\n}\n"),
    ]);
    bench.fails("test unit.c --fn run --spec unknown.spec", 2, &["unknown.spec:2:1", "did you mean `use`?"]);
    bench.fails("test unit.c --fn run --spec condition.spec", 3, &["condition.spec:3:", "expected expression"]);
    bench.fails("test unit.c --fn run --spec structure.spec", 2, &["`take` cannot be monitored", "by value"]);
    bench.fails("test unit.c --fn run --spec one.spec --spec two.spec", 2, &["two.spec:1", "`same`", "one.spec"]);
    bench.fails("test unit.c --fn run --spec deep.spec", 2, &["deep.spec:3:11", "at most 1000 words"]);
    bench.fails("test unit.c --fn run --spec object.spec", 2, &["object.spec:2:1", "on EXPRESSION"]);
    bench.fails("test unit.c --fn run --spec missing.spec", 2, &["missing.spec", "libc/overlap"]);
    bench.fails("run ./unit --spec one.spec", 2, &["--spec cannot monitor a program that is built already"]);
    let ran = bench.tine("test unit.c --fn run --spec vacuous.spec");
    assert!(ran.stderr.contains("vacuous.spec:3: `a && !a` can never be satisfied"), "{ran}");
    assert!(!ran.stderr.contains("vacuous.spec:4"), "a property may forbid an event: {ran}");
    bench.write("end.spec", "spec s {\n  a := call use if n > 3\n  ensures eventually a\n}\n");
    let summary = bench.tine("test unit.c --fn run --spec end.spec --out end --json -q").json();
    assert!(errors(&summary).contains(&("specification violated".to_owned(), 3)), "the property, without an event");
}

/// An error inside a condition has the position of the specification.
#[test]
fn conditions_have_places() {
    let unit = "//@ spec s for each c: struct c * {\n//@   a := call use\n//@     if c->n > 3\n//@   ensures historically !a\n\
                //@ }\nstruct c { int n; };\nstatic int use(struct c *c) { return c ? c->n : 0; }\n\
                int run(struct c *c) { return use(c); }\n";
    let bench = Bench::new(&[("unit.c", &unit.replace("\n//@     if", " if"))]);
    let summary = bench.tine("test unit.c --fn run --strict --json -q").json();
    assert!(errors(&summary).contains(&("null pointer dereference".to_owned(), 2)), "{summary:#}");
    assert!(summary["errors"].to_string().contains("unit.c") && !summary.to_string().contains("tine-driver.c"));
}

/// A run that its time limit cuts off is not judged at its end, and the verdict says so.
#[test]
fn a_run_that_is_cut_off_is_not_judged() {
    let unit = "//@ spec durable {\n//@   wrote := call put\n//@   flush := call flush\n\
                //@   ensures always (wrote -> eventually flush)\n//@ }\nstatic volatile int stop;\n\
                void put(int n) { (void)n; }\nvoid flush(void) {}\n\
                int run(int n) { put(n); if (n == 7) while (!stop) stop = 0; flush(); return 0; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let summary = bench.tine("test unit.c --fn run --run-timeout 300ms --json -q").json();
    assert_eq!(summary["specifications"][0]["violated"], false, "{summary:#}");
    assert_ne!(summary["verdict"], "complete", "{summary:#}");
}

/// Reports for other tools have the events, and the page has the states and the specifications that are kept.
#[test]
fn reports_show_specifications() {
    let kept = "//@ spec calm {\n//@   c := call do_a\n//@   ensures historically (c -> once c)\n//@ }\n";
    let bench = Bench::new(&[("unit.c", &format!("{COMMANDS}{}", kept.replace("(c -> once c)", "(c || !c)")))]);
    bench.tine("test unit.c --fn run --len steps=4 --out s -q");
    let junit = bench.tine("report s --format junit");
    assert!(junit.stdout.contains("is violated by x; events: a (unit.c:14), b (unit.c:16), x (unit.c:18)"), "{junit}");
    assert!(junit.stdout.contains("no violation of `calm` on any path"), "{junit}");
    bench.tine("report s --html page");
    let page = std::fs::read_to_string(bench.path("page/index.html")).expect("a page");
    assert!(page.contains("3 of 3 states") && page.contains("no violation of `calm`"), "{page}");
}

/// The protocol allows to open a connection again, so sequences do.
#[test]
fn a_protocol_may_begin_again() {
    let unit = CONNECTION.replace("c->sent == 13", "c->sent == 21").replace("c->open = 1;", "c->open = 1; c->sent++;");
    let bench = Bench::new(&[("unit.c", &unit)]);
    let summary = bench.tine("sequence unit.c --max-calls 6 --json -q").json();
    let calls = summary["target"].as_str().expect("calls");
    assert_eq!(calls, "conn_open,conn_open*,conn_send*,conn_close*");
    assert!(summary["rejected"].as_u64() > Some(0), "{summary:#}");
}
