//! Functions over 16 input bits: arithmetic in all widths and signs, tables accessed at computed indices, loops,
//! switches.

use std::fmt::Write as _;
use std::path::Path;

use crate::Kind;
use crate::body::{Function, Rendered, Statement};
use crate::explored::{Group, cases, reasons, summary, which};
use crate::native::{HEAD, PRINT_SIDES, brute_force, evaluate};
use crate::random::Random;
use tine_session::session::Case;

#[derive(Debug)]
pub(crate) struct Functions;

/// Parameter lists, with the arguments for an input of 16 bits.
const SIGNATURES: &[(&str, &str)] = &[
    ("uint8_t a, uint8_t b", "(uint8_t)x, (uint8_t)(x >> 8)"),
    ("int8_t a, uint8_t b", "(int8_t)x, (uint8_t)(x >> 8)"),
    ("int8_t a, int8_t b", "(int8_t)x, (int8_t)(x >> 8)"),
    ("uint16_t a", "(uint16_t)x"),
    ("int16_t a", "(int16_t)x"),
];
const TYPES: &[&str] = &["uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t"];
const RELATIONS: &[&str] = &["==", "==", "!=", "<", "<=", ">", ">="];

impl Kind for Functions {
    fn name(&self) -> &'static str {
        "functions"
    }

    fn group(&self) -> u64 {
        20
    }

    fn generate(&self, seed: u64) -> Vec<Function> {
        let mut generator = Generator { random: Random(seed), one: false, chooses: true, budget: 14 };
        vec![generator.function()]
    }

    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
        let source = folder.join("unit.c");
        let mut file = Rendered::after(HEAD);
        for (number, unit) in units.iter().enumerate() {
            file.add(&unit[0].named(&format!("static int f{number}")));
        }
        std::fs::write(&source, file.text.clone() + &driver(units)).map_err(|why| why.to_string())?;
        let brute = brute_force(&source)?;
        let summary = summary(folder, &["test", "unit.c", "--fn", "unit", "--keep-all", "--out", "out"])?;
        let cases = cases(&folder.join("out"))?;
        let group = Group { file: &file, brute: &brute, summary: &summary, cases: &cases };
        let mut all = group.compare(reasons(&summary));
        let ended = cases.iter().filter(|case| case.outcome == "exited");
        let evaluated: Vec<(usize, u32, u32)> = ended
            .filter_map(|case| Some((which(case).filter(|number| *number < units.len())?, input(case), case.code)))
            .collect();
        let inputs: Vec<(usize, u32)> = evaluated.iter().map(|(number, input, _)| (*number, *input)).collect();
        for (compiler, ends) in evaluate(&source, &inputs)? {
            for (index, (number, input, code)) in evaluated.iter().enumerate() {
                if ends.get(index) != Some(code) {
                    let complaint = format!("{compiler}: input {input} ends with {:?}, not {code}", ends.get(index));
                    all[*number].push(complaint);
                }
            }
        }
        Ok(all)
    }
}

/// The 16 bits of a case.
fn input(case: &Case) -> u32 {
    let bytes = |index: usize| case.input.input.requests.get(index).map_or(&[][..], |input| &input.bytes);
    bytes(1).iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The brute-force program's `main`.
fn driver(units: &[Vec<Function>]) -> String {
    let mut text = "int unit(uint8_t which, uint16_t x) {\n    switch (which) {\n".to_owned();
    for (number, unit) in units.iter().enumerate() {
        let signature = SIGNATURES.iter().find(|(parameters, _)| unit[0].head.contains(&format!("({parameters})")));
        let arguments = signature.map_or("", |(_, arguments)| arguments);
        writeln!(text, "    case {number}: return f{number}({arguments});").expect("a string");
    }
    write!(
        text,
        "    }}
    return 0;
}}
#ifdef BRUTE
int main(int n, char **words) {{
    int f;
    unsigned x;
    if (n > 1) {{
        while (scanf(\"%d %u\", &f, &x) == 2)
            printf(\"%d\\n\", unit(f, x));
        return 0;
    }}
    for (f = 0; f < {}; f++) {{
        static unsigned char ends[8192];
        memset(ends, 0, sizeof ends);
        for (x = 0; x < 65536; x++)
            ends[unit(f, x)] = 1;
        for (int end = 0; end < 8192; end++)
            if (ends[end])
                printf(\"end %d %d\\n\", f, end);
    }}
{PRINT_SIDES}    return 0;
}}
#endif
",
        units.len()
    )
    .expect("a string");
    text
}

struct Generator {
    random: Random,
    /// True if there is only one parameter.
    one: bool,
    /// True if an expression may contain `?:`. In a condition that would be a second branch on its line.
    chooses: bool,
    budget: usize,
}

impl Generator {
    fn function(&mut self) -> Function {
        let (parameters, _) = *self.random.pick(SIGNATURES);
        self.one = !parameters.contains('b');
        let (t0, t1) = (*self.random.pick(TYPES), *self.random.pick(TYPES));
        let table: Vec<String> = (0..8).map(|_| self.random.below(256).to_string()).collect();
        let head = format!(
            "NAME({parameters}) {{\n{t0} r0 = 1;\n{t1} r1 = 0;\nuint8_t t[8] = {{{}}};\nstatic const int16_t k[8] = {{5, -3, 100, 0, 7, 255, -128, 31}};\n(void)k;",
            table.join(", ")
        );
        let n = 3 + self.random.below(4);
        let body = (0..n).flat_map(|_| self.statement(2)).collect();
        Function { head, body }
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        if self.budget == 0 {
            return Vec::new();
        }
        self.budget -= 1;
        let line = |text: String| vec![Statement::Line(text)];
        match self.random.below(if depth == 0 { 5 } else { 11 }) {
            0 => line(format!("r0 = {};", self.number(3))),
            1 => {
                let operator = *self.random.pick(&["+", "^", "|", "-", "*"]);
                line(format!("r1 = (uint64_t)r1 {operator} (uint64_t)({});", self.number(2)))
            }
            2 => line(format!("t[{}] = {};", self.index(), self.number(2))),
            3 => line(format!("r0 = t[{}];", self.index())),
            4 => line("return;".to_owned()),
            5 => vec![Statement::Loop { rounds: 2 + self.random.below(3), body: self.block(depth - 1, 2) }],
            6 => {
                let yes = vec![Statement::Line(if self.random.below(2) == 0 { "FAIL;" } else { "return;" }.to_owned())];
                vec![Statement::If { condition: self.condition(), yes, no: Vec::new() }]
            }
            _ => {
                let yes = self.block(depth - 1, 2);
                let no = if self.random.below(2) == 0 { self.block(depth - 1, 2) } else { Vec::new() };
                vec![Statement::If { condition: self.condition(), yes, no }]
            }
        }
    }

    fn block(&mut self, depth: usize, most: usize) -> Vec<Statement> {
        let n = 1 + self.random.below(most);
        (0..n).flat_map(|_| self.statement(depth)).collect()
    }

    fn condition(&mut self) -> String {
        self.chooses = false;
        let condition = self.comparison();
        self.chooses = true;
        condition
    }

    fn comparison(&mut self) -> String {
        let (left, relation) = (self.number(3), *self.random.pick(RELATIONS));
        let cast = *self.random.pick(TYPES);
        match self.random.below(3) {
            0 => format!("({cast})({left}) {relation} {}", self.constant()),
            1 => format!("({cast})({left}) {relation} ({cast})({})", self.number(2)),
            _ => format!("({left}) {relation} {}", self.constant()),
        }
    }

    fn index(&mut self) -> String {
        format!("({}) & 7", self.number(2))
    }

    fn constant(&mut self) -> String {
        let small = self.random.below(40) as i64 - 8;
        let number = *self.random.pick(&[small, small, 100, 127, 128, 255, 256, 300, -128, 1000, 32767, 0x1234]);
        number.to_string()
    }

    /// An expression without undefined behaviour: arithmetic is unsigned, shifts and divisors are in range.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return self.leaf();
        }
        let (x, y) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(14) {
            0 | 1 => format!("(uint32_t)({x}) + (uint32_t)({y})"),
            2 => format!("(uint32_t)({x}) - (uint32_t)({y})"),
            3 => format!("(uint32_t)({x}) * (uint32_t)({y})"),
            4 => format!("(uint32_t)({x}) / ((uint32_t)({y}) | 1)"),
            5 => format!("(int)((uint32_t)({x}) % ((uint32_t)({y}) | 1))"),
            6 => format!("({x}) & ({y})"),
            7 => format!("({x}) ^ ({y})"),
            8 => format!("(uint32_t)({x}) << ((uint32_t)({y}) & 7)"),
            9 => format!("(int32_t)({x}) >> ((uint32_t)({y}) & 7)"),
            10 if self.chooses => format!("({}) ? ({x}) : ({y})", self.leaf()),
            11 => format!("({})({x})", *self.random.pick(TYPES)),
            12 => format!("t[({x}) & 7] + k[({y}) & 7]"),
            _ => format!("(({x}) {} ({y}))", *self.random.pick(RELATIONS)),
        }
    }

    fn leaf(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => "a".to_owned(),
            3 | 4 if !self.one => "b".to_owned(),
            3 | 4 => "(a >> 4)".to_owned(),
            5 => "r0".to_owned(),
            6 => "r1".to_owned(),
            _ => self.constant(),
        }
    }
}
