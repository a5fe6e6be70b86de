//! Functions over lists of up to three nodes with every kind of sharing and cycle.

use std::fmt::Write as _;
use std::path::Path;

use crate::Kind;
use crate::body::{Function, Rendered, Statement};
use crate::explored::{Group, cases, summary};
use crate::native::{HEAD, PRINT_SIDES, brute_force};
use crate::random::Random;

#[derive(Debug)]
pub(crate) struct Graphs;

const NODE: &str = "struct node { uint8_t v; struct node *next; };\n";
/// Nodes that a function may use: at most three, so that graphs of three nodes are sufficient.
const SHAPES: &[&[&str]] = &[
    &["p", "q", "p->next"],
    &["p", "q", "q->next"],
    &["p", "p->next", "p->next->next"],
    &["p", "q"],
    &["p", "p->next"],
];

impl Kind for Graphs {
    fn name(&self) -> &'static str {
        "graphs"
    }

    fn group(&self) -> u64 {
        20
    }

    fn generate(&self, seed: u64) -> Vec<Function> {
        let mut random = Random(seed ^ 0x6772_6170_6873);
        let nodes = *random.pick(SHAPES);
        let mut generator = Generator { random, nodes, budget: 9 };
        let mut body = Vec::new();
        for node in nodes {
            // A node is used only where it is known to exist.
            let end = vec![Statement::Line("return;".to_owned())];
            body.push(Statement::If { condition: format!("!{node}"), yes: end, no: Vec::new() });
        }
        body.extend((0..4).flat_map(|_| generator.statement(2)));
        vec![Function { head: "NAME(struct node *p, struct node *q) {".to_owned(), body }]
    }

    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
        let source = folder.join("unit.c");
        let mut file = Rendered::after(&(HEAD.to_owned() + NODE));
        for (number, unit) in units.iter().enumerate() {
            file.add(&unit[0].named(&format!("static int f{number}")));
        }
        std::fs::write(&source, file.text.clone() + &driver(units.len())).map_err(|why| why.to_string())?;
        let brute = brute_force(&source)?;
        let summary = summary(folder, &["test", "unit.c", "--fn", "unit", "--keep-all", "--out", "out"])?;
        // A reduced unit may have lost a check for NULL, which brute force does not always notice.
        if summary["errors"].as_array().into_iter().flatten().any(|error| error["kind"] != "abort") && units.len() == 1
        {
            return Err("the unit has errors of its own".to_owned());
        }
        let cases = cases(&folder.join("out"))?;
        let group = Group { file: &file, brute: &brute, summary: &summary, cases: &cases };
        let others = Vec::new();
        Ok(group.compare(others))
    }
}

/// The brute-force program's `main`: every graph of three nodes with values of two bits.
fn driver(n: usize) -> String {
    let mut text = "int unit(uint8_t which, struct node *p, struct node *q) {\n    switch (which) {\n".to_owned();
    for number in 0..n {
        writeln!(text, "    case {number}: return f{number}(p, q);").expect("a string");
    }
    write!(
        text,
        "    }}
    return 0;
}}
#ifdef BRUTE
int main(void) {{
    for (int f = 0; f < {n}; f++) {{
        static unsigned char ends[8192];
        memset(ends, 0, sizeof ends);
        for (unsigned x = 0; x < 65536; x++) {{
            struct node n[4];
            struct node *at[4] = {{0, n, n + 1, n + 2}};
            for (int k = 0; k < 3; k++) {{
                n[k].v = x >> 2 * k & 3;
                n[k].next = at[x >> (6 + 2 * k) & 3];
            }}
            ends[unit(f, at[x >> 12 & 3], at[x >> 14 & 3])] = 1;
        }}
        for (int end = 0; end < 8192; end++)
            if (ends[end])
                printf(\"end %d %d\\n\", f, end);
    }}
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
    nodes: &'static [&'static str],
    budget: usize,
}

impl Generator {
    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        if self.budget == 0 {
            return Vec::new();
        }
        self.budget -= 1;
        match self.random.below(if depth == 0 { 2 } else { 8 }) {
            0 => {
                let (to, from) = (self.node(), self.node());
                vec![Statement::Line(format!("{to}->v = ({from}->v + {}) & 3;", self.random.below(4)))]
            }
            1 => vec![Statement::Line("return;".to_owned())],
            2 => {
                let yes = vec![Statement::Line("FAIL;".to_owned())];
                vec![Statement::If { condition: self.condition(), yes, no: Vec::new() }]
            }
            _ => {
                let yes = (0..2).flat_map(|_| self.statement(depth - 1)).collect();
                let no = self.statement(depth - 1);
                vec![Statement::If { condition: self.condition(), yes, no }]
            }
        }
    }

    fn node(&mut self) -> &'static str {
        let nodes: &[&'static str] = self.nodes;
        self.random.pick::<&'static str>(nodes)
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.node(), self.node());
        match self.random.below(6) {
            0 => format!("{x} == {y}"),
            1 => format!("{x}->next == {y}"),
            2 => format!("{x}->next == {y}->next"),
            3 => format!("({x}->v & 3) < ({y}->v & 3)"),
            4 => format!("!{x}->next"),
            _ => format!("({x}->v & 3) == {}", self.random.below(4)),
        }
    }
}
