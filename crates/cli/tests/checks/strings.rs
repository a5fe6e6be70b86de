//! Functions over one string of up to two characters, accessed through the C library.

use std::fmt::Write as _;
use std::path::Path;

use crate::Kind;
use crate::body::{Function, Rendered, Statement};
use crate::explored::{Group, cases, reasons, summary};
use crate::native::{HEAD, PRINT_SIDES, brute_force};
use crate::random::Random;

#[derive(Debug)]
pub(crate) struct Strings;

/// Characters at the first two positions are read only where the string has them.
const HELPERS: &str = "\
#include <ctype.h>
#include <strings.h>
static int at(const char *s, unsigned i) { return i == 0 || s[0] ? (unsigned char)s[i] : 0; }
static long index_of(const char *s, const char *p) { return p ? p - s : -1; }
";

/// Numbers that depend on a string, all defined for every string.
const NUMBERS: &[&str] = &[
    "(long)strlen(s)",
    "at(s, 0)",
    "at(s, 1)",
    "index_of(s, strchr(s, WORD[0]))",
    "index_of(s, strrchr(s, WORD[0]))",
    "index_of(s, strstr(s, WORD))",
    "index_of(s, strpbrk(s, WORD))",
    "(long)strspn(s, WORD)",
    "(long)strcspn(s, WORD)",
    "(strcmp(s, WORD) > 0) - (strcmp(s, WORD) < 0)",
    "(strncmp(s, WORD, 1) > 0) - (strncmp(s, WORD, 1) < 0)",
    "(strcasecmp(s, WORD) > 0) - (strcasecmp(s, WORD) < 0)",
    "(long)strnlen(s, 1)",
    "!!isdigit(at(s, 0))",
    "!!isalpha(at(s, 1))",
    "!!ispunct(at(s, 0))",
    "!!isspace(at(s, 1))",
    "toupper(at(s, 0))",
    "tolower(at(s, 1))",
    "(long)atoi(s)",
    "strtol(s, 0, 16)",
    "(long)strtoul(s, 0, 8)",
];
const WORDS: &[&str] = &["a", "ab", "Z", "-1", "7", "0x", " ", "b\\n", "~", "\\xff"];
const RELATIONS: &[&str] = &["==", "==", "!=", "<", ">"];

impl Kind for Strings {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn group(&self) -> u64 {
        20
    }

    fn generate(&self, seed: u64) -> Vec<Function> {
        let mut generator = Generator { random: Random(seed ^ 0x73_7472_696e_6773), budget: 6 };
        let end = vec![Statement::Line("return;".to_owned())];
        let mut body = vec![Statement::If { condition: "!s".to_owned(), yes: end, no: Vec::new() }];
        body.extend((0..3).flat_map(|_| generator.statement(2)));
        vec![Function { head: "NAME(const char *s) {".to_owned(), body }]
    }

    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
        let source = folder.join("unit.c");
        let mut file = Rendered::after(&(HEAD.to_owned() + HELPERS));
        for (number, unit) in units.iter().enumerate() {
            file.add(&unit[0].named(&format!("static int f{number}")));
        }
        std::fs::write(&source, file.text.clone() + &driver(units.len())).map_err(|why| why.to_string())?;
        let brute = brute_force(&source)?;
        let summary =
            summary(folder, &["test", "unit.c", "--fn", "unit", "--max-string", "2", "--keep-all", "--out", "out"])?;
        let cases = cases(&folder.join("out"))?;
        let group = Group { file: &file, brute: &brute, summary: &summary, cases: &cases };
        let others = if summary["verdict"] == "incomplete" { reasons(&summary) } else { Vec::new() };
        Ok(group.compare(others))
    }
}

/// The brute-force program's `main`: no string, and every string of up to two characters.
fn driver(n: usize) -> String {
    let mut text = "int unit(uint8_t which, const char *s) {\n    switch (which) {\n".to_owned();
    for number in 0..n {
        writeln!(text, "    case {number}: return f{number}(s);").expect("a string");
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
        ends[unit(f, 0)] = 1;
        for (unsigned x = 0; x < 65536; x++) {{
            char s[4] = {{(char)x, (char)(x >> 8), 0, 0}};
            ends[unit(f, s)] = 1;
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
    budget: usize,
}

impl Generator {
    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        if self.budget == 0 {
            return Vec::new();
        }
        self.budget -= 1;
        if depth == 0 || self.random.below(4) == 0 {
            let end = *self.random.pick(&["return;", "FAIL;"]);
            let yes = vec![Statement::Line(end.to_owned())];
            return vec![Statement::If { condition: self.condition(), yes, no: Vec::new() }];
        }
        let yes = (0..2).flat_map(|_| self.statement(depth - 1)).collect();
        let no = self.statement(depth - 1);
        vec![Statement::If { condition: self.condition(), yes, no }]
    }

    fn condition(&mut self) -> String {
        let word = format!("\"{}\"", self.random.pick(WORDS));
        let number = self.random.pick(NUMBERS).replace("WORD", &word);
        let relation = *self.random.pick(RELATIONS);
        let constant = *self.random.pick(&["0", "0", "1", "2", "-1", "'a'", "'0'", "65", "10", "200"]);
        format!("({number}) {relation} {constant}")
    }
}
