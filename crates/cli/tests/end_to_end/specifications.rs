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
