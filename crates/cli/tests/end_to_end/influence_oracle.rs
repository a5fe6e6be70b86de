//! Compares the influence analysis with real runs: if changing a constant in a line changes the sides that a branch
//! takes, or a value that it tests, the analysis must report that the line influences the branch.
//!
//! Programs are random: variables, pointers to them, structures, arrays, the heap, direct calls and calls through a table,
//! recursion, loops, early returns and jumps out of calls. `TINE_CHECKS` is the number of programs (20, and 200 in the long tests).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::support::Bench;

/// Sides that the branches of each line took in one run, and values that they tested, in order.
type Sides = BTreeMap<u64, Vec<String>>;

/// Splitmix.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const HEAD: &str = "\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef NATIVE
static unsigned tell(int line, unsigned value) { printf(\"%d %u\\n\", line, value); return value; }
#define B(c) tell(__LINE__, (c) != 0)
#define V(value) if (tell(__LINE__, value) == 0) n_zeros++;
#else
#define B(c) (c)
#define V(value) if ((value) == 0) n_zeros++;
#endif
unsigned n_zeros;
static jmp_buf back;
static int is_guarded;
struct s { unsigned x, y; struct s *next; unsigned z[2]; };
static unsigned g, h, table[4];
static struct s one, two = {0, 1, &one, {2, 3}};
static unsigned f0(unsigned a, unsigned b, unsigned *p);
static unsigned f1(unsigned a, unsigned b, unsigned *p);
static unsigned f2(unsigned a, unsigned b, unsigned *p);
static unsigned guarded(unsigned a, unsigned b, unsigned *p);
static unsigned (*chosen[])(unsigned, unsigned, unsigned *) = {f0, f1, f2};
";

/// A program under construction.
struct Writer {
    random: Random,
    /// The program, in which `@` marks constants that may be changed.
    text: String,
    depth: usize,
    names: usize,
}

const PLACES: &[&str] =
    &["a", "b", "c", "d", "g", "h", "one.x", "one.y", "two.next->x", "two.x", "q->y", "q->z[1]", "*p", "table[2]"];

impl Writer {
    fn value(&mut self) -> String {
        match self.random.below(8) {
            0 => "table[a & 3]".to_owned(),
            1..=3 => format!("@{}", self.random.below(9)),
            _ => self.random.pick(PLACES).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.value(), self.value());
        let operator = self.random.pick(&["+", "-", "*", "^", "&", "|"]);
        format!("{left} {operator} {right}")
    }

    /// Tests a variable: compilers remove branches on constants, and then there is no branch to influence.
    fn condition(&mut self) -> String {
        let (place, value) = (self.random.pick(PLACES), self.value());
        let operator = self.random.pick(&["+", "-", "*", "^", "&", "|"]);
        let comparison = self.random.pick(&["<", ">", "==", "!="]);
        format!("(({place} {operator} {value}) & 15) {comparison} @{}", self.random.below(12))
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("a string");
    }

    fn statement(&mut self, level: usize) {
        let place = self.random.pick(PLACES);
        match self.random.below(14) {
            0..=4 => {
                let value = self.expression();
                self.line(&format!("{place} = {value};"));
                self.line(&format!("V({place})"));
            }
            5 => {
                let to = self.random.pick(&["&a", "&c", "&g", "&one.y", "&two.z[0]", "&table[1]"]);
                self.line(&format!("p = {to};"));
            }
            6 => {
                let to = self.random.pick(&["&one", "&two", "two.next", "q->next ? q->next : &two"]);
                self.line(&format!("q = {to};"));
            }
            7 if self.depth > 0 => {
                let (x, y) = (self.value(), self.value());
                let to = self.random.pick(&["p", "&b", "&h"]);
                let callee = if self.random.below(4) == 0 {
                    "guarded".to_owned()
                } else if self.random.below(2) == 0 {
                    format!("f{}", self.random.below(3))
                } else {
                    format!("chosen[({}) % 3]", self.value())
                };
                self.line(&format!("if (fuel-- > 0) {place} = {callee}({x}, {y}, {to});"));
            }
            8 if self.random.below(2) == 0 => {
                let value = self.value();
                self.line("if (fuel-- > 0) { q = calloc(1, sizeof *q);");
                self.line(&format!("q->y = {value}; q->next = &one; }}"));
            }
            8 => {
                let to = self.random.pick(&["one", "two"]);
                let from = self.random.pick(&["one", "*q", "two"]);
                self.line(&format!("{to} = {from};"));
            }
            9 if level > 0 => {
                self.names += 1;
                let name = format!("i{}", self.names);
                let bound = self.value();
                self.line(&format!("for (unsigned {name} = 0; B({name} < (({bound}) & 3)); {name}++) {{"));
                self.statements(level - 1);
                self.line("}");
            }
            10 if level > 0 => {
                let number = 20 + self.random.below(9);
                self.line(&format!("if (B(({place}) == @{number})) return a + c;"));
            }
            11 if self.random.below(2) == 0 => {
                let condition = self.condition();
                self.line(&format!("if (is_guarded && B({condition})) longjmp(back, 1);"));
            }
            _ if level > 0 => {
                let condition = self.condition();
                self.line(&format!("if (B({condition})) {{"));
                self.statements(level - 1);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.statements(level - 1);
                }
                self.line("}");
            }
            _ => {
                let value = self.value();
                self.line(&format!("{place} += {value};"));
            }
        }
    }

    fn statements(&mut self, level: usize) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(level);
        }
    }

    fn function(&mut self, number: usize) {
        self.line(&format!("static unsigned f{number}(unsigned a, unsigned b, unsigned *p) {{"));
        self.body();
        self.line("return c + d;");
        self.line("}");
    }

    fn body(&mut self) {
        self.line("unsigned c = @1;");
        self.line("unsigned d = @2;");
        self.line("struct s *q = &two;");
        self.statements(2);
        self.statements(2);
    }
}

fn program(seed: u64) -> String {
    let mut writer = Writer { random: Random(seed), text: HEAD.to_owned(), depth: 1, names: 0 };
    writer.line("static int fuel = 12;");
    (0..3).for_each(|number| writer.function(number));
    // Locals keep their values when a jump returns here, because they do not change.
    writer.line("static unsigned guarded(unsigned a, unsigned b, unsigned *p) {");
    writer.line("if (B(setjmp(back))) { is_guarded = 0; return h; }");
    writer.line("is_guarded = 1;");
    writer.line("unsigned result = chosen[a % 3](a, b, p);");
    writer.line("is_guarded = 0;");
    writer.line("return result;");
    writer.line("}");
    writer.line("static unsigned run(unsigned a, unsigned b) {");
    writer.line("unsigned *p = &a;");
    writer.body();
    for place in PLACES {
        writer.line(&format!("if (B({place} & 1)) a++;"));
        writer.line(&format!("V({place})"));
    }
    writer.line("return a;");
    writer.line("}");
    writer.line("int main(int argc, char **argv) {");
    writer.line("return argc > 2 && run(atoi(argv[1]), atoi(argv[2])) & 1;");
    writer.line("}");
    writer.text
}

/// The sides taken for some inputs. `None`: the run crashed, or did not end in time.
fn sides(folder: &Path, text: &str, name: &str) -> Vec<Option<Sides>> {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("a file");
    let mut gcc = Command::new("gcc");
    let built = gcc.args(["-O1", "-w", "-fwrapv", "-DNATIVE"]).arg(&source).arg("-o").arg(&program).status();
    assert!(built.expect("gcc").success(), "{text}");
    let inputs = (0..24).map(|k| (k * 7 % 32, k * 5 % 19));
    let run = |(a, b): (u32, u32)| {
        let mut command = Command::new("timeout");
        let ran = command.arg("5").arg(&program).args([a.to_string(), b.to_string()]).output().expect("it runs");
        let mut sides = Sides::new();
        for line in String::from_utf8_lossy(&ran.stdout).lines() {
            let (line, side) = line.split_once(' ').expect("two numbers");
            sides.entry(line.parse().expect("a line")).or_default().push(side.to_owned());
        }
        matches!(ran.status.code(), Some(0 | 1)).then_some(sides)
    };
    inputs.map(run).collect()
}

/// The text with its constants unchanged, or with the one at `at` changed.
fn plain(text: &str, at: Option<usize>, by: usize) -> String {
    let mut plain = String::new();
    let mut rest = text;
    let mut place = 0;
    while let Some(next) = rest.find('@') {
        plain.push_str(&rest[..next]);
        let digits: String = rest[next + 1..].chars().take_while(char::is_ascii_digit).collect();
        let value: usize = digits.parse().expect("a number");
        let value = if at == Some(place + next) { value + by } else { value };
        write!(plain, "{value}u").expect("a string");
        place += next + 1 + digits.len();
        rest = &rest[next + 1 + digits.len()..];
    }
    plain + rest
}

#[test]
fn what_changes_was_called_influenced() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let n_programs = number("TINE_CHECKS").map_or(20, |checks| checks.min(200));
    let first = number("TINE_CHECKS_SEED").unwrap_or(1);
    let bench = Bench::new(&[]);
    let (mut n_changed, mut n_unrelated, mut n_branches) = (0, 0, 0);
    for seed in first..first + n_programs {
        let text = program(seed);
        let original = plain(&text, None, 0);
        bench.write("unit.c", &original);
        let ran = bench.tine("cc unit.c -o unit -w");
        assert_eq!(ran.code, Some(0), "{ran}\n{original}");
        let before = sides(&bench.path(""), &original, "before");
        let mut random = Random(seed ^ 0x5eed);
        let constants: Vec<usize> = text.match_indices('@').map(|(place, _)| place).collect();
        for _ in 0..6 {
            let place = constants[random.below(constants.len())];
            let line = text[..place].matches('\n').count() as u64 + 1;
            let after = sides(&bench.path(""), &plain(&text, Some(place), 1 + random.below(9)), "after");
            let differ = |(x, y): (&Sides, &Sides)| -> Vec<u64> {
                let lines: BTreeSet<u64> = x.keys().chain(y.keys()).copied().collect();
                lines.into_iter().filter(|line| x.get(line) != y.get(line)).collect()
            };
            // A run with an error is not compared: what it would have done is unknown.
            let both = before.iter().zip(&after).filter_map(|(before, after)| before.as_ref().zip(after.as_ref()));
            let changed: BTreeSet<u64> = both.flat_map(differ).collect();
            let ran = bench.tine(&format!("influence unit --target unit.c:{line} --json"));
            if ran.code == Some(2) && ran.stderr.contains("there is no code at") {
                assert!(changed.is_empty(), "seed {seed}: line {line} has code: {ran}\n{original}");
                continue;
            }
            assert_eq!(ran.code, Some(0), "line {line}: {ran}\n{original}");
            let found = ran.json();
            let branches = found["branches"].as_array().expect("branches");
            let is_influenced =
                |line: u64| branches.iter().any(|branch| branch["line"] == line && branch["influenced"] == true);
            for line_of_branch in &changed {
                assert!(
                    is_influenced(*line_of_branch),
                    "seed {seed}: a constant in line {line} changes the branch in line {line_of_branch}, which is not influenced\n{original}"
                );
            }
            n_changed += changed.len();
            n_branches += branches.len();
            n_unrelated += branches.iter().filter(|branch| branch["influenced"] == false).count();
        }
    }
    assert!(n_changed as u64 > n_programs, "{n_changed} branches changed");
    assert!(n_unrelated > 0, "of {n_branches} branches, some are not influenced");
}
