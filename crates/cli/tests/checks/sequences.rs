//! Sequences of calls on one object: three operations on its fields, a list on the heap and a static variable.
//! Exploration with pruning must find the same as brute force. Every fourth unit is also explored without pruning.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::Kind;
use crate::body::{FIRST_FAILURE, Function, Rendered, Statement};
use crate::explored::{aborts, summary};
use crate::native::{HEAD, PRINT_SIDES, brute_force};
use crate::random::Random;

#[derive(Debug)]
pub(crate) struct Sequences;

/// Calls after the constructor.
const CALLS: usize = 3;
const OBJECT: &str = "\
struct cell { uint8_t v; struct cell *next; };
struct object { uint8_t a, b; struct cell *list; };
static int shared;
struct object *make(void) {
    struct object *o = calloc(1, sizeof *o);
    shared = 0;
    return o;
}
static void push(struct object *o, uint8_t v) {
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = o->list;
    o->list = c;
}
static int pop(struct object *o) {
    struct cell *c = o->list;
    if (!c)
        return 4;
    int v = c->v;
    o->list = c->next;
    free(c);
    return v;
}
static int top(struct object *o) { return o->list ? o->list->v : 5; }
";

impl Kind for Sequences {
    fn name(&self) -> &'static str {
        "sequences"
    }

    fn group(&self) -> u64 {
        4
    }

    fn generate(&self, seed: u64) -> Vec<Function> {
        let mut generator = Generator { random: Random(seed ^ 0x7365_7175_656e_6365) };
        let one = |number: usize, generator: &mut Generator| Function {
            head: format!("int op{number}(struct object *o, uint8_t x) {{\nx &= 3;"),
            body: (0..2 + generator.random.below(2)).flat_map(|_| generator.statement(1)).collect(),
        };
        (0..3).map(|number| one(number, &mut generator)).collect()
    }

    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
        let mut all = Vec::new();
        for (number, unit) in units.iter().enumerate() {
            let folder = folder.join(number.to_string());
            std::fs::create_dir(&folder).map_err(|why| why.to_string())?;
            all.push(check_one(&folder, unit, number == 0)?);
        }
        Ok(all)
    }
}

fn check_one(folder: &Path, unit: &[Function], unpruned: bool) -> Result<Vec<String>, String> {
    let source = folder.join("unit.c");
    // The end of an operation does not end the program.
    let head = HEAD.replace("exit(n)", "return n");
    let mut file = Rendered::after(&(head + OBJECT));
    for function in unit {
        file.add(function);
    }
    std::fs::write(&source, file.text.clone() + &driver(unit.len())).map_err(|why| why.to_string())?;
    let brute = brute_force(&source)?;
    let possible = brute.ends.get(&0).into_iter().flatten().filter(|end| **end >= FIRST_FAILURE);
    let possible: BTreeSet<u32> =
        possible.filter_map(|end| file.failures.get((end - FIRST_FAILURE) as usize)).copied().collect();
    let mut complaints = Vec::new();
    let calls: Vec<String> = (0..unit.len()).map(|number| format!("op{number}*")).collect();
    let (calls, most) = (format!("make,{}", calls.join(",")), (CALLS + 1).to_string());
    let common = ["sequence", "unit.c", "--calls", &calls, "--max-calls", &most];
    let explored = |more: &[&str]| summary(folder, &[&common, more].concat());
    let mut compare = |how: &str, summary: &Value| {
        let mut others = Vec::new();
        let found = aborts(summary, &mut others);
        complaints.extend(others.into_iter().map(|(_, complaint)| format!("{how}: {complaint}")));
        for missed in possible.difference(&found) {
            complaints.push(format!("{how}: the abort at line {missed} is possible and was not found"));
        }
        for wrong in found.difference(&possible) {
            complaints.push(format!("{how}: the abort at line {wrong} is not possible"));
        }
        if summary["verdict"] == "incomplete" {
            complaints.push(format!("{how}: the verdict is incomplete: {}", summary["reasons"]));
        }
    };
    compare("pruned", &explored(&["--out", "out"])?);
    if unpruned {
        compare("unpruned", &explored(&["--no-prune", "--out", "all"])?);
    }
    Ok(complaints)
}

/// The brute-force program's `main`: every sequence of calls with arguments of two bits.
fn driver(n: usize) -> String {
    let mut text = "#ifdef BRUTE\nstatic int call(int f, struct object *o, uint8_t x) {\n    switch (f) {\n".to_owned();
    for number in 0..n {
        writeln!(text, "    case {number}: return op{number}(o, x);").expect("a string");
    }
    let each = n * 4;
    write!(
        text,
        "    }}
    return -1;
}}
int main(void) {{
    static unsigned char ends[8192];
    for (int n = 1; n <= {CALLS}; n++) {{
        int count = 1;
        for (int k = 0; k < n; k++)
            count *= {each};
        for (int x = 0; x < count; x++) {{
            struct object *o = make();
            for (int k = 0, rest = x; k < n; k++, rest /= {each}) {{
                int end = call(rest % {each} / 4, o, rest % 4);
                ends[end] = 1;
                if (end >= {FIRST_FAILURE})
                    break;
            }}
        }}
    }}
    for (int end = 0; end < 8192; end++)
        if (ends[end])
            printf(\"end 0 %d\\n\", end);
{PRINT_SIDES}    return 0;
}}
#endif
"
    )
    .expect("a string");
    text
}

struct Generator {
    random: Random,
}

impl Generator {
    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        let line = |text: String| vec![Statement::Line(text)];
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 => line(format!("o->a = ({}) & 3;", self.number())),
            1 => line(format!("o->b = ({}) & 7;", self.number())),
            2 => line(format!("shared = ({}) & 7;", self.number())),
            3 => line(format!("push(o, ({}) & 3);", self.number())),
            4 => line("o->b ^= pop(o);".to_owned()),
            5 => {
                let yes = vec![Statement::Line("FAIL;".to_owned())];
                vec![Statement::If { condition: self.condition(), yes, no: Vec::new() }]
            }
            _ => {
                let (yes, no) = (self.statement(depth - 1), self.statement(depth - 1));
                vec![Statement::If { condition: self.condition(), yes, no }]
            }
        }
    }

    fn number(&mut self) -> String {
        let leaf = |random: &mut Random| {
            (*random.pick(&["x", "x", "o->a", "o->b", "shared", "top(o)", "1", "2", "3"])).to_owned()
        };
        let (x, y) = (leaf(&mut self.random), leaf(&mut self.random));
        format!("{x} {} {y}", *self.random.pick(&["+", "-", "^", "&", "*"]))
    }

    fn condition(&mut self) -> String {
        let relation = *self.random.pick(&["==", "==", "!=", "<", ">"]);
        format!("({}) {relation} {}", self.number(), self.random.below(6))
    }
}
