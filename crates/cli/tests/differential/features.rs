//! Programs made from templates, each for a feature of C that compilers handle specially: computed gotos, `setjmp`,
//! variadic functions, vectors and others (`features/*.c`).
//!
//! A template is a function, perhaps with others that it calls. `$F` is replaced by its name, `$S` by a small number,
//! `$K` by a large one and `$E` by a different expression over its parameters at each place. A program calls a few
//! templates in a loop, with arguments that are inputs in only one round, and prints their results.

use std::fmt::Write as _;
use std::path::Path;

/// Number of templates in a program.
const TEMPLATES: usize = 6;
/// Number of input bytes.
const INPUTS: u64 = 8;

/// The program of a seed. Templates come in turn, so that consecutive seeds use them all.
pub(crate) fn program(seed: u64) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/features");
    let text = |path: &Path| std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()));
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut templates: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    templates.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    templates.sort();

    let mut random = Random::of_seed(seed);
    let mut program = text(&folder.join("prelude.h"))?;
    let mut calls = String::new();
    for k in 0..TEMPLATES {
        let path = &templates[(seed as usize * TEMPLATES + k) % templates.len()];
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}_{k}");
        program += &random.filled(&text(path)?.replace("$F", &name));
        let (byte, shift) = (random.below(INPUTS), random.below(24));
        let second = if random.below(2) == 0 { "sum" } else { "round" };
        let (other, value) = (random.below(INPUTS), random.below(256));
        let _ = write!(
            calls,
            "        sum = {name}(round == 1 ? (u64)in[{byte}] << {shift} : round, {second}, in);\n\
             \x20       printf(\"{name} %llx\\n\", sum);\n\
             \x20       if (in[{other}] == {value})\n            sum = round;\n"
        );
    }
    let _ = write!(
        program,
        "int main(void) {{\n    static u8 in[16];\n    u64 sum = 1;\n\
         \x20   __tine_input(in, {INPUTS}, \"in\", 0);\n\
         \x20   for (u64 round = 0; round < 3; round++) {{\n{calls}    }}\n    return 0;\n}}\n"
    );
    Ok(program)
}

/// Xorshift.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn of_seed(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    /// A template with all `$` replaced.
    fn filled(&mut self, template: &str) -> String {
        let mut parts = template.split('$');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.as_bytes().first() {
                Some(b'S') => text += &(1 + self.below(7)).to_string(),
                Some(b'K') => _ = write!(text, "{:#x}ull", self.next() >> 16),
                Some(b'E') => text += &self.expression(3),
                _ => {
                    text.push('$');
                    text += part;
                    continue;
                }
            }
            text += &part[1..];
        }
        text
    }

    /// An expression of 64 bits without undefined behaviour.
    fn expression(&mut self, depth: u32) -> String {
        let kind = self.below(10);
        if depth == 0 || kind < 2 {
            return match self.below(5) {
                0 | 1 => "a".to_owned(),
                2 => "b".to_owned(),
                3 => format!("(u64)in[{}]", self.below(INPUTS)),
                _ => format!("{:#x}ull", self.next() >> (24 + self.below(36))),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        let mut one_of = |operators: &'static [&str]| operators[self.below(operators.len() as u64) as usize];
        match kind {
            2..=5 => format!("({x} {} {y})", one_of(&["+", "-", "*", "^", "&", "|"])),
            6 => format!("({x} {} ({y} & 31))", one_of(&["<<", ">>"])),
            7 => format!("({x} {} ({y} | 1))", one_of(&["/", "%"])),
            _ => {
                let compared = one_of(&["<", "==", ">="]);
                format!("({x} {compared} {y} ? {} : {})", self.expression(depth - 1), self.expression(depth - 1))
            }
        }
    }
}
