//! An input that was found for a branch side takes that side in the native program.
//!
//! The native units print which side of which line they take. The session has the sides of each case. The native side
//! uses no data of tine.

use std::collections::BTreeSet;
use std::process::Command;

use tine_session::Session;
use tine_trace::segment::REPLAY_VARIABLE;

use crate::support::Bench;

/// `if (…) TRUE; else FALSE;` prints its line and side.
const PRELUDE: &str = "\
#include <stdio.h>
static void say(int line, const char *side) { printf(\"%d %s\\n\", line, side); }
#define TRUE say(__LINE__, \"true\")
#define FALSE say(__LINE__, \"false\")
";

/// Explores a unit and checks each branch side of `f` that the session assigns to a case.
fn check(name: &str, body: &str, n_sides: usize) {
    let bench = Bench::new(&[("unit.c", &format!("{PRELUDE}{body}"))]);
    let ran = bench.tine("test unit.c --fn f --json --quiet --out out --cflags -w");
    assert!(matches!(ran.code, Some(0 | 1)), "{name}: {ran}");
    let session = Session::open(&bench.path("out")).expect("a session");
    let mut checked = BTreeSet::new();
    for branch in session.branches().expect("branches") {
        let Some(case) = branch.case else { continue };
        let input = session.case(case).expect("the case").input;
        let plan = bench.path("plan");
        std::fs::write(&plan, input.input.file()).expect("a file");
        let native = Command::new(bench.path("out/unit.native")).env(REPLAY_VARIABLE, &plan).output().expect("it runs");
        let said = String::from_utf8_lossy(&native.stdout);
        let wanted = format!("{} {}", branch.line, branch.side);
        assert!(
            said.lines().any(|line| line == wanted),
            "{name}: case {case} ({input}) does not take `{wanted}` natively but\n{said}"
        );
        checked.insert(wanted);
    }
    assert_eq!(checked.len(), n_sides, "{name}: {checked:?}\n{ran}");
}

#[test]
fn integers() {
    let body = "\
int f(int x, unsigned y, short z, long w, signed char c) {
    if (x * 3 + 1 == 3001) TRUE; else FALSE;
    if (y / 7 == 1000) TRUE; else FALSE;
    if ((unsigned)x * 2654435761u == 0xdeadbeefu) TRUE; else FALSE;
    if ((z ^ 0x5a5a) == 0x1234) TRUE; else FALSE;
    if (w % 1000003 == 77) TRUE; else FALSE;
    if ((unsigned char)(c << 3) == 0x88) TRUE; else FALSE;
    if (((y << 5) | (y >> 27)) == 0xcafef00d) TRUE; else FALSE;
    if ((w >> 40) == -5) TRUE; else FALSE;
    return 0;
}
";
    check("integers", body, 16);
}

#[test]
fn floats() {
    let body = "\
int f(float a, double b, int n) {
    if (a * 3.0f == 4.5f) TRUE; else FALSE;
    if (b - 0.1 > 1e300) TRUE; else FALSE;
    if (b != b) TRUE; else FALSE;
    if ((float)n == 16777216.0f) TRUE; else FALSE;
    if (n > 0) TRUE; else FALSE;
    if (1.0 / b < 0) TRUE; else FALSE;
    return 0;
}
";
    check("floats", body, 12);
}

#[test]
fn switches() {
    let body = "\
static void at(int line, int value) { printf(\"%d case %d\\n\", line, value); }
int f(int x, char c) {
    int here = __LINE__ + 1;
    switch (x * 2 + 3) {
    case 5: at(here, 5); break;
    case 1001: at(here, 1001); break;
    case -7: at(here, -7); break;
    default: printf(\"%d default\\n\", here);
    }
    here = __LINE__ + 1;
    switch (c) {
    case 65: at(here, 65); break;
    case 66: at(here, 66); break;
    default: printf(\"%d default\\n\", here);
    }
    return 0;
}
";
    check("switches", body, 7);
}

#[test]
fn memory() {
    let body = "\
#include <string.h>
struct bits { unsigned a : 3, b : 7; int c : 12; };
int f(unsigned word, int index, int value) {
    unsigned char bytes[4];
    memcpy(bytes, &word, 4);
    if (bytes[0] == 'a') TRUE; else FALSE;
    if (bytes[3] > bytes[1]) TRUE; else FALSE;
    struct bits bits = {word, word >> 3, word >> 10};
    if (bits.b == 99) TRUE; else FALSE;
    if (bits.c == -3) TRUE; else FALSE;
    int table[4] = {10, 20, 30, 40};
    table[2] = value;
    if (table[1] + table[2] == 512) TRUE; else FALSE;
    union { int i; float f; } pun = {index};
    if (pun.f == 1.5f) TRUE; else FALSE;
    return 0;
}
";
    check("memory", body, 12);
}

#[test]
fn calls() {
    let body = "\
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int apply(int (*function)(int), int x) { return function(x); }
int f(unsigned short n, unsigned char which) {
    int (*const table[2])(int) = {twice, thrice};
    if (table[which & 1](n) == 600) TRUE; else FALSE;
    if (apply(twice, n) + apply(thrice, which) == 1000) TRUE; else FALSE;
    if (n == 12321) TRUE; else FALSE;
    return 0;
}
";
    check("calls", body, 6);
}

#[test]
fn negations() {
    let body = "\
int f(int x, int *p, unsigned y) {
    if (!x) TRUE; else FALSE;
    if (!p) TRUE; else FALSE;
    if (!(x < 7)) TRUE; else FALSE;
    if (!!y) TRUE; else FALSE;
    if (!__builtin_expect(y == 9, 0)) TRUE; else FALSE;
    while (!x) { TRUE; x = 1; } FALSE;
    for (; !(y > 3); y = 4) { TRUE; } FALSE;
    return !p ? (TRUE, 1) : (FALSE, 2);
}
";
    check("negations", body, 16);
}
