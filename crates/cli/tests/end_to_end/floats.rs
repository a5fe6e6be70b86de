//! Operations on floats in a C unit, compared with the host: tine must find inputs for which the unit computes the
//! host's results, and the run must take that branch.

use std::fmt::Write as _;

use crate::support::Bench;

const FLOATS: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -2.5,
    0.5,
    16_777_217.0,
    -2_147_483_648.0,
    1e-45,
    f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];
const DOUBLES: [f64; 10] =
    [0.0, -0.0, 1.5, -3.7, 4_294_967_296.5, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// Computations in C on `x`, and on the host.
type OfFloat = (&'static str, fn(f32) -> f32);
type OfDouble = (&'static str, fn(f64) -> f64);

const OF_FLOATS: &[OfFloat] = &[
    ("fabsf(x)", f32::abs),
    ("-x", |x| -x),
    ("sqrtf(x)", f32::sqrt),
    ("floorf(x)", f32::floor),
    ("ceilf(x)", f32::ceil),
    ("truncf(x)", f32::trunc),
    ("fminf(x, 1.5f)", |x| x.min(1.5)),
    ("fmaxf(x, -1.5f)", |x| x.max(-1.5)),
    ("fmaf(x, 3.0f, 0.25f)", |x| x.mul_add(3.0, 0.25)),
    ("x + 0.1f", |x| x + 0.1),
    ("1.0f - x", |x| 1.0 - x),
    ("x * 3.0f", |x| x * 3.0),
    ("1.0f / x", |x| 1.0 / x),
];

const OF_DOUBLES: &[OfDouble] = &[
    ("fabs(d)", f64::abs),
    ("floor(d)", f64::floor),
    ("ceil(d)", f64::ceil),
    ("fmin(d, 1.5)", |d| d.min(1.5)),
    ("fmax(d, -1.5)", |d| d.max(-1.5)),
    ("d + 0.1", |d| d + 0.1),
    ("(double)(float)d", |d| f64::from(d as f32)),
];

struct Unit {
    cases: String,
    n: u32,
}

impl Unit {
    /// Adds a case with a condition that some inputs make true and others false.
    fn case(&mut self, condition: &str) {
        let n = self.n;
        self.n += 1;
        writeln!(self.cases, "    case {n}:\n        if ({condition})\n            return {n};\n        break;")
            .expect("a string");
    }

    fn float(&mut self, expression: &str, value: f32) {
        if value.is_nan() {
            self.case(&format!("({expression}) != ({expression})"));
        } else {
            self.case(&format!("bits_of_float({expression}) == {:#x}u", value.to_bits()));
        }
    }

    fn double(&mut self, expression: &str, value: f64) {
        if value.is_nan() {
            self.case(&format!("({expression}) != ({expression})"));
        } else {
            self.case(&format!("bits_of_double({expression}) == {:#x}ul", value.to_bits()));
        }
    }

    /// Explores it, and expects both sides of every condition. Breadth first, so that each case is reached with the
    /// numbers of the first run: if another case had left a NaN there, its bits could not be changed.
    fn expect_covered(self) {
        let text = format!(
            "#include <math.h>\n#include <string.h>\n\
             static unsigned bits_of_float(float x) {{ unsigned bits; memcpy(&bits, &x, 4); return bits; }}\n\
             static unsigned long bits_of_double(double x) {{ unsigned long bits; memcpy(&bits, &x, 8); return bits; }}\n\
             int f(unsigned k, float x, double d, int i, unsigned long u) {{\n    switch (k) {{\n{}    }}\n    return -1;\n}}\n",
            self.cases
        );
        let bench = Bench::new(&[("unit.c", &text)]);
        let ran = bench.tine(
            "test unit.c --fn f --cflags -fno-math-errno --json --out out --strategy bfs --jobs 1 --max-time 300s",
        );
        let summary = ran.json();
        let number = |key: &str| summary[key].as_u64().expect("a number");
        assert_eq!(
            (ran.code, number("divergences"), summary["verdict"].as_str()),
            (Some(0), 0, Some("complete")),
            "{ran}\n{text}"
        );
        assert_eq!(number("branches_covered"), number("branches_total"), "{ran}\n{text}");
        assert!(number("branches_total") > 2 * u64::from(self.n), "{ran}");
    }
}

fn unit() -> Unit {
    Unit { cases: String::new(), n: 0 }
}

#[test]
fn floats_of_a_unit_are_those_of_the_host() {
    let mut unit = unit();
    for (expression, host) in OF_FLOATS {
        let random = [0x3e8c_71a5, 0xc2f3_0b97, 0x4b3c_614e, 0x8012_3457].map(f32::from_bits);
        let mut values: Vec<f32> = FLOATS.iter().chain(&random).map(|&x| host(x)).collect();
        values.sort_by(f32::total_cmp);
        values.dedup_by_key(|value| if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() });
        values.into_iter().for_each(|value| unit.float(expression, value));
    }
    unit.expect_covered();
}

#[test]
fn doubles_of_a_unit_are_those_of_the_host() {
    let mut unit = unit();
    for (expression, host) in OF_DOUBLES {
        let random = [0x3fd1_8e34_a7b9_0c25, 0xc05e_6172_f0a3_9d4b, 0x41ef_ffff_ffe0_0000].map(f64::from_bits);
        let mut values: Vec<f64> = DOUBLES.iter().chain(&random).map(|&x| host(x)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by_key(|value| if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() });
        values.into_iter().for_each(|value| unit.double(expression, value));
    }
    unit.expect_covered();
}

/// Conversions from and to integers, in range: out of range they are undefined in C.
#[test]
fn conversions_of_a_unit_are_those_of_the_host() {
    let mut unit = unit();
    for i in [0, 1, -7, 16_777_217, i32::MAX, i32::MIN] {
        unit.float("(float)i", i as f32);
        unit.double("(double)i", f64::from(i));
    }
    for u in [1, (1 << 53) + 1, 1 << 63, u64::MAX] {
        unit.float("(float)u", u as f32);
        unit.double("(double)u", u as f64);
    }
    for x in [0.0f32, -0.75, 1.5, -7.25, 2_147_483_520.0, -2_147_483_648.0] {
        unit.case(&format!("x >= -0x1p31f && x < 0x1p31f && (int)x == {}", x as i32));
        unit.double("(double)x", f64::from(x));
    }
    for d in [0.5f64, 255.9, 4_294_967_296.5, 18_446_744_073_709_549_568.0] {
        unit.case(&format!("d > -1.0 && d < 0x1p64 && (unsigned long)d == {}ul", d as u64));
        unit.float("(float)d", d as f32);
    }
    unit.expect_covered();
}
