//! Criterion, which runs each test in a process of its own.

use std::fmt::Write as _;

use super::source::{self, Frame};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Expectation, Suite, Test};

#[derive(Debug)]
pub(super) struct Criterion;

impl Format for Criterion {
    fn name(&self) -> &'static str {
        "criterion"
    }

    fn about(&self) -> &'static str {
        "Criterion"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for Criterion {
    fn includes(&self) -> &'static str {
        "#include <criterion/criterion.h>\n"
    }

    fn begin(&self, name: &str) -> String {
        format!("Test(unit, {name}) {{")
    }

    fn check(&self, expectation: &Expectation) -> String {
        match expectation {
            Expectation::Equal { actual, expected, signed: true } => format!("cr_assert_eq({actual}, {expected});"),
            Expectation::Equal { actual, expected, signed: false } => format!("cr_assert_eq({actual}, {expected});"),
            Expectation::Pointer { actual, expected } => format!("cr_assert({actual} == {expected});"),
            Expectation::Null(actual) => format!("cr_assert_null({actual});"),
            Expectation::NotNull(actual) => format!("cr_assert_not_null({actual});"),
            Expectation::Text { actual, expected } => format!("cr_assert_str_eq({actual}, {expected});"),
            other => format!("cr_assert({});", other.condition()),
        }
    }

    fn end(&self, suite: &Suite, tests: &[Test]) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "/* {} tests of `{}`. */", tests.len(), suite.function);
        text
    }

    fn libraries(&self) -> &'static str {
        "-lcriterion"
    }

    fn forks(&self) -> bool {
        false
    }

    fn isolates(&self) -> bool {
        true
    }
}
