//! Generator of programs. Their only undefined behaviour is accesses outside of heap objects, which a native build for
//! brute force detects itself (`AT`). They consist of statements over a few objects:
//!
//! ```text
//!   a1[(i0 + 3u) % 5u] = (int16_t)i1;           r counts the branches: it doubles with each, and one more for "yes"
//!   if ((long)*p0 == 3) r = r * 2 + 1; …
//! ```

use std::fmt::Write;

use crate::random::Random;

/// Exit code after an access outside of an object.
pub(crate) const OUTSIDE: u32 = 200;
/// Maximum number of branches, so that the number of a path is smaller than that.
const MAX_BRANCHES: u32 = 6;

const TYPES: &[(&str, u32)] = &[
    ("uint8_t", 1),
    ("int8_t", 1),
    ("uint16_t", 2),
    ("int16_t", 2),
    ("uint32_t", 4),
    ("int32_t", 4),
    ("uint64_t", 8),
    ("int64_t", 8),
];
const CONSTANTS: &[i32] = &[0, 1, 2, 3, 4, 5, 7, -1];
const RELATIONS: &[&str] = &["==", "==", "!=", "<", "<", ">="];

const HEAD: &str = "\
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BRUTE
static jmp_buf outside;
#define AT(p, i, n) (*({ uint32_t at = (i); if (at >= (n)) longjmp(outside, 1); (p) + at; }))
#else
#define AT(p, i, n) ((p)[i])
#endif
struct record { int32_t value; uint8_t tag; uint16_t cells[2]; };
struct box { uint16_t cells[12]; };
union both { uint32_t word; uint8_t bytes[4]; };
static long pick(struct box b, uint32_t i) { return b.cells[i]; }
static long put(struct box b, uint32_t i, uint32_t j, uint16_t v) { b.cells[i] = v; return b.cells[j]; }
static long word(const uint8_t *p, uint32_t i) { uint32_t w; memcpy(&w, p + i, sizeof w); return (long)w; }
static long same(long x) { return x; }
static long next(long x) { return x + 1; }
static long half(long x) { return x / 2; }
static long (*const functions[4])(long) = {same, next, half, same};
static const char *const words[4] = {\"abc\", \"bcd\", \"cab\", \"dda\"};
struct bits { unsigned a : 3, b : 5, c : 9; signed d : 4; };
";

/// Returns the text of a program.
pub(crate) fn program(seed: u64) -> String {
    let mut generator = Generator { random: Random(seed), ..Generator::default() };
    generator.program()
}

#[derive(Clone, Copy, Debug)]
struct Array {
    number: usize,
    ty: (&'static str, u32),
    len: u32,
}

#[derive(Debug, Default)]
struct Generator {
    random: Random,
    /// Maxima of the inputs.
    inputs: Vec<u32>,
    arrays: Vec<Array>,
    records: u32,
    /// Rows and columns.
    matrix: (u32, u32),
    /// Target types of the pointers `p0` ….
    pointers: Vec<&'static str>,
    /// A table of pointers to this type.
    table: Option<(&'static str, u32)>,
    globals: String,
    body: String,
    branches: u32,
    indent: usize,
    loops: u32,
    /// Length of a heap object that accesses may leave, if there is one.
    heap: Option<u32>,
    /// Number of string bytes that are inputs, two bits each.
    text: u32,
    has_bits: bool,
    has_records_behind: bool,
    has_reals: bool,
    depth: u32,
}

impl Generator {
    fn program(&mut self) -> String {
        let n_inputs = 2 + self.random.below(3);
        self.inputs = (0..n_inputs).map(|_| *self.random.pick(&[3, 7, 7])).collect();
        if n_inputs < 4 && self.random.below(3) == 0 {
            self.text = 3;
        }
        self.declare();
        let n = 6 + self.random.below(6);
        for _ in 0..n {
            self.statement(2);
        }
        while self.branches < 4 {
            self.branch(0);
        }
        let names: Vec<String> = (0..n_inputs).map(|k| format!("i{k}")).collect();
        let parameters: Vec<String> = names.iter().map(|name| format!("uint8_t {name}")).collect();
        let text = if self.text > 0 { ", uint8_t *q" } else { "" };
        let parameters = parameters.join(", ") + text;
        let masks: String =
            names.iter().zip(&self.inputs).map(|(name, max)| format!("    {name} &= {max};\n")).collect();
        let ranges = names.iter().zip(&self.inputs);
        let loops: String =
            ranges.map(|(i, max)| format!("    for (volatile int {i} = 0; {i} <= {max}; {i}++)\n")).collect();
        let (text, made) = match self.text {
            0 => ("", ""),
            _ => (", q", "    for (volatile int n = 0; n < 64; n++)\n"),
        };
        let bytes = if self.text > 0 { "uint8_t q[8] = {n & 3, n >> 2 & 3, n >> 4};" } else { "" };
        let call = format!("run({}{text})", names.join(", "));
        let is_there = if self.text > 0 { "if (!q) exit(1); " } else { "" };
        let null = u32::from(self.text > 0);
        let Generator { globals, body, .. } = self;
        format!(
            "{HEAD}{globals}static int run({parameters}) {{\n{masks}    int r = 1;\n{body}    return r;\n}}\n\
             #ifdef BRUTE\nint main(void) {{\n    static volatile char seen[256];\n    seen[1] = {null};\n{loops}{made}    {{ {bytes} \
             if (setjmp(outside)) seen[{OUTSIDE}] = 1; else seen[{call}] = 1; }}\n    \
             for (int k = 0; k < 256; k++) if (seen[k]) printf(\"%d\\n\", k);\n    return 0;\n}}\n\
             #else\nvoid unit({parameters}) {{ {is_there}exit({call}); }}\n#endif\n"
        )
    }

    fn line(&mut self, text: &str) {
        let indent = 4 + 4 * self.indent;
        let _ = writeln!(self.body, "{:indent$}{text}", "");
    }

    fn constant(&mut self) -> i32 {
        *self.random.pick(CONSTANTS)
    }

    fn declare(&mut self) {
        if self.text > 0 {
            self.line("q[0] &= 3; q[1] &= 3; q[2] &= 3;");
        }
        let kinds = [*self.random.pick(TYPES), *self.random.pick(TYPES)];
        for number in 0..2 + self.random.below(3) {
            let ty = *self.random.pick(&kinds);
            let len = *self.random.pick(&[2, 3, 4, 4, 5, 8]);
            self.arrays.push(Array { number, ty, len });
            let values: Vec<String> = (0..len).map(|_| self.constant().to_string()).collect();
            let (ty, values) = (ty.0, values.join(", "));
            match self.random.below(4) {
                0 => {
                    let _ = writeln!(self.globals, "static _Alignas(16) {ty} a{number}[{len}];");
                    self.line(&format!("memcpy(a{number}, ({ty}[{len}]){{{values}}}, sizeof a{number});"));
                }
                1 => {
                    self.line(&format!("{ty} *a{number} = malloc({len} * sizeof *a{number});"));
                    self.line(&format!("memcpy(a{number}, ({ty}[{len}]){{{values}}}, {len} * sizeof *a{number});"));
                }
                _ => self.line(&format!("_Alignas(16) {ty} a{number}[{len}] = {{{values}}};")),
            }
        }
        if self.random.below(2) == 0 {
            self.records = 2 + self.random.below(3) as u32;
            let n = self.records;
            let mut values = String::new();
            for _ in 0..n {
                let (value, tag, a, b) =
                    (self.constant(), self.random.below(4), self.random.below(9), self.random.below(9));
                let _ = write!(values, "{{{value}, {tag}, {{{a}, {b}}}}}, ");
            }
            self.line(&format!("struct record s[{n}] = {{{values}}};"));
        }
        if self.random.below(3) == 0 {
            self.matrix = (2 + self.random.below(2) as u32, 2 + self.random.below(3) as u32);
            let (rows, columns) = self.matrix;
            self.line(&format!("int16_t m[{rows}][{columns}] = {{{{1, 2}}, {{3, 4}}}};"));
        }
        if self.random.below(2) == 0 {
            let ty = self.arrays[0].ty.0;
            let len = 2 + self.random.below(3) as u32;
            let elements: Vec<String> = (0..len)
                .map(|_| {
                    let array = self.array_of(ty);
                    let at = self.random.below(array.len as usize);
                    format!("&a{}[{at}]", array.number)
                })
                .collect();
            self.line(&format!("{ty} *t[{len}] = {{{}}};", elements.join(", ")));
            self.table = Some((ty, len));
        }
        if self.random.below(3) == 0 {
            let len = 2 + self.random.below(4) as u32;
            self.line(&format!("int32_t *h = calloc({len}, sizeof *h);"));
            self.heap = Some(len);
        }
        self.has_bits = self.random.below(3) == 0;
        if self.has_bits {
            self.line("struct bits f[3] = {{1, 2, 3, -1}, {4, 5, 6, -2}, {7, 8, 9, -3}};");
        }
        self.has_records_behind = self.records > 0 && self.random.below(2) == 0;
        if self.has_records_behind {
            self.line("struct record *sp[2] = {&s[0], &s[1]};");
        }
        self.has_reals = self.random.below(4) == 0;
        if self.has_reals {
            self.line("double d[3] = {0.5, 2, 7};");
        }
        self.line("struct box b = {{1, 2, 3, 4, 5, 6}};");
        self.line("union both u = {0x04030201};");
    }

    fn array(&mut self) -> Array {
        *self.random.pick(&self.arrays)
    }

    fn array_of(&mut self, ty: &str) -> Array {
        let same: Vec<Array> = self.arrays.iter().copied().filter(|array| array.ty.0 == ty).collect();
        *self.random.pick(&same)
    }

    /// Returns a non-negative expression of type `uint32_t`.
    fn number(&mut self) -> String {
        let input = self.random.below(self.inputs.len());
        match self.random.below(9) {
            8 if self.text > 0 => format!("(q[{}] & 3u)", self.random.below(3)),
            0..=2 => format!("(uint32_t)i{input}"),
            3 => format!("(i{input} + {}u)", self.random.below(4)),
            4 => format!("(uint32_t)(i{input} ^ i{})", self.random.below(self.inputs.len())),
            5 => format!("(i{input} * {}u)", 1 + self.random.below(3)),
            _ if self.depth < 2 => {
                self.depth += 1;
                let place = self.place();
                self.depth -= 1;
                format!("(uint32_t){place}")
            }
            _ => format!("(uint32_t)i{input}"),
        }
    }

    /// An index below `n`.
    fn index(&mut self, n: u32) -> String {
        if self.random.below(7) == 0 {
            return self.random.below(n as usize).to_string();
        }
        let number = self.number();
        if n.is_power_of_two() && self.random.below(2) == 0 {
            format!("({number} & {}u)", n - 1)
        } else {
            format!("({number} % {n}u)")
        }
    }

    /// Returns an lvalue that can be read and written.
    fn place(&mut self) -> String {
        let array = self.array();
        let number = array.number;
        loop {
            match self.random.below(16) {
                12 if self.text > 0 => return format!("q[{}]", self.index(3)),
                13 if self.has_bits => {
                    let at = self.index(3);
                    return format!("f[{at}].{}", self.random.pick(&["a", "b", "c", "d"]));
                }
                14 if self.has_records_behind => {
                    let at = self.index(2);
                    return match self.random.below(2) {
                        0 => format!("sp[{at}]->value"),
                        _ => format!("sp[{at}]->cells[{}]", self.index(2)),
                    };
                }
                15 if array.len >= 4 => {
                    let index = self.index(4);
                    return format!("(a{number} + 2)[(int){index} - 2]");
                }
                0..=3 => return format!("a{number}[{}]", self.index(array.len)),
                4 => return format!("((uint8_t *)a{number})[{}]", self.index(array.len * array.ty.1)),
                5 if self.records > 0 => {
                    let at = self.index(self.records);
                    return match self.random.below(3) {
                        0 => format!("s[{at}].value"),
                        1 => format!("s[{at}].tag"),
                        _ => format!("s[{at}].cells[{}]", self.index(2)),
                    };
                }
                6 if self.matrix.0 > 0 => {
                    let (rows, columns) = self.matrix;
                    return format!("m[{}][{}]", self.index(rows), self.index(columns));
                }
                7 | 8 if !self.pointers.is_empty() => return format!("*p{}", self.random.below(self.pointers.len())),
                9 if self.table.is_some() => {
                    let (_, len) = self.table.unwrap_or_default();
                    return format!("*t[{}]", self.index(len));
                }
                10 => return format!("u.bytes[{}]", self.index(4)),
                11 if array.ty.1 > 1 && self.depth < 2 => {
                    let (ty, input) = (array.ty.0, self.random.below(self.inputs.len()));
                    let at = self.index(array.len);
                    let tagged = format!("((uintptr_t)&a{number}[{at}] | (i{input} & 1))");
                    return format!("*({ty} *)({tagged} & ~(uintptr_t)1)");
                }
                _ => {}
            }
        }
    }

    /// Returns a readable expression of type `long`.
    fn value(&mut self) -> String {
        let input = self.random.below(self.inputs.len());
        match self.random.below(15) {
            0 => format!("{}L", self.constant()),
            1 => format!("(long)i{input}"),
            2 => format!("(long)pick(b, {})", self.index(12)),
            3 => {
                let (i, j, v) = (self.index(12), self.index(12), self.number());
                format!("put(b, {i}, {j}, (uint16_t){v})")
            }
            12 => {
                let array = self.array();
                match array.len * array.ty.1 {
                    bytes @ 4.. => format!("word((uint8_t *)a{}, {})", array.number, self.index(bytes - 3)),
                    _ => format!("(long)i{input}"),
                }
            }
            13 => format!("functions[{}]({})", self.index(4), self.number()),
            14 => format!("(long)(words[{}][{}] - 'a')", self.index(4), self.index(3)),
            4 => "(long)u.word".to_owned(),
            5 => format!("((long)(int32_t){} + {})", self.place(), self.random.below(3)),
            _ => format!("(long){}", self.place()),
        }
    }

    fn condition(&mut self) -> String {
        let relation = *self.random.pick(RELATIONS);
        if self.has_reals && self.random.below(6) == 0 {
            let (index, constant) = (self.index(3), self.random.below(4));
            return format!("d[{index}] {relation} {constant}.5");
        }
        match self.random.below(8) {
            0 => {
                let array = self.array();
                let (n, i, j) = (array.number, self.index(array.len), self.index(array.len));
                match self.random.below(3) {
                    0 => format!("&a{n}[{i}] {relation} &a{n}[{j}]"),
                    1 => format!("&a{n}[{i}] - &a{n}[{j}] {relation} {}", self.random.below(3) as i32 - 1),
                    _ => format!("((uintptr_t)&a{n}[{i}] & 7) {relation} {}", self.random.below(8)),
                }
            }
            1..=3 => format!("{} {relation} {}", self.value(), self.value()),
            4 => format!("{} {relation} (long)i{}", self.value(), self.random.below(self.inputs.len())),
            _ => format!("(long){} {relation} {}L", self.place(), self.constant()),
        }
    }

    fn branch(&mut self, nesting: u32) {
        if self.branches == MAX_BRANCHES {
            return;
        }
        self.branches += 1;
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.indent += 1;
        self.line("r = r * 2 + 1;");
        if nesting > 0 && self.random.below(3) == 0 {
            self.store();
        }
        self.indent -= 1;
        self.line("} else {");
        self.indent += 1;
        self.line("r = r * 2;");
        if nesting > 0 && self.random.below(3) == 0 {
            self.statement(nesting - 1);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn store(&mut self) {
        if self.has_reals && self.random.below(4) == 0 {
            let (index, input) = (self.index(3), self.random.below(self.inputs.len()));
            return self.line(&format!("d[{index}] = i{input} + 0.5;"));
        }
        let (place, value) = (self.place(), self.value());
        let operator = *self.random.pick(&["=", "=", "=", "^="]);
        self.line(&format!("{place} {operator} {value};"));
    }

    fn statement(&mut self, nesting: u32) {
        let array = self.array();
        let number = array.number;
        match self.random.below(16) {
            0..=3 => self.store(),
            4..=7 => self.branch(nesting),
            8 => {
                let other = self.array();
                let bytes = (array.len * array.ty.1).min(other.len * other.ty.1);
                let n = 1 + self.random.below(bytes as usize) as u32;
                let to = self.index(array.len * array.ty.1 - n + 1);
                let from = self.index(other.len * other.ty.1 - n + 1);
                let to = format!("(uint8_t *)a{number} + {to}");
                self.line(&format!("memmove({to}, (uint8_t *)a{} + {from}, {n});", other.number));
            }
            9 => {
                let bytes = array.len * array.ty.1;
                let n = 1 + self.random.below(bytes as usize) as u32;
                let (to, value) = (self.index(bytes - n + 1), self.number());
                self.line(&format!("memset((uint8_t *)a{number} + {to}, (int){value}, {n});"));
            }
            10 if self.records > 0 => {
                let (i, j) = (self.index(self.records), self.index(self.records));
                self.line(&format!("s[{i}] = s[{j}];"));
            }
            11 | 12 if self.indent == 0 => {
                let other = self.array_of(array.ty.0);
                let (condition, i, j) = (self.condition(), self.index(array.len), self.index(other.len));
                let name = format!("p{}", self.pointers.len());
                let (ty, second) = (array.ty.0, other.number);
                self.line(&format!("{ty} *{name} = {condition} ? &a{number}[{i}] : &a{second}[{j}];"));
                self.pointers.push(array.ty.0);
            }
            13 if self.table.is_some() => {
                let (ty, len) = self.table.unwrap_or_default();
                let target = self.array_of(ty);
                let (i, j) = (self.index(len), self.index(target.len));
                self.line(&format!("t[{i}] = &a{}[{j}];", target.number));
            }
            14 if self.loops == 0 => {
                self.loops += 1;
                let (n, start, value) = (array.len, self.number(), self.number());
                let n_times = 2 + self.random.below(2);
                self.line(&format!("for (uint32_t k = 0; k < {n_times}; k++)"));
                self.line(&format!("    a{number}[({start} + k) % {n}u] += {value};"));
            }
            15 if self.heap.is_some() && self.branches < MAX_BRANCHES => {
                let len = self.heap.take().unwrap_or_default();
                // tine checks the bounds only if an address depends on inputs.
                let index = format!("(i{} % {}u)", self.random.below(self.inputs.len()), len + 2);
                let value = self.number();
                self.line(&format!("AT(h, {index}, {len}) = (int32_t){value};"));
                let (index, constant) = (self.index(len), self.constant());
                self.line(&format!("if (h[{index}] == {constant}) r = r * 2 + 1; else r = r * 2;"));
                self.branches += 1;
            }
            _ => self.store(),
        }
    }
}
