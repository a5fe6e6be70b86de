//! cmocka.

use std::fmt::Write as _;

use super::source::{self, Frame};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Expectation, Suite, Test};

#[derive(Debug)]
pub(super) struct Cmocka;

impl Format for Cmocka {
    fn name(&self) -> &'static str {
        "cmocka"
    }

    fn about(&self) -> &'static str {
        "cmocka"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for Cmocka {
    fn includes(&self) -> &'static str {
        "#include <setjmp.h>\n#include <stdarg.h>\n#include <stdint.h>\n#include <cmocka.h>\n"
    }

    fn begin(&self, name: &str) -> String {
        format!("static void {name}(void **state) {{\n    (void)state;")
    }

    fn check(&self, expectation: &Expectation) -> String {
        match expectation {
            Expectation::Equal { actual, expected, signed: true } => format!("assert_int_equal({actual}, {expected});"),
            Expectation::Equal { actual, expected, signed: false } => {
                format!("assert_int_equal({actual}, {expected});")
            }
            Expectation::Pointer { actual, expected } => format!("assert_ptr_equal({actual}, {expected});"),
            Expectation::Null(actual) => format!("assert_null({actual});"),
            Expectation::NotNull(actual) => format!("assert_non_null({actual});"),
            Expectation::Text { actual, expected } => format!("assert_string_equal({actual}, {expected});"),
            Expectation::Memory { actual, expected, size } => {
                format!("assert_memory_equal({actual}, {expected}, {size});")
            }
            other => format!("assert_true({});", other.condition()),
        }
    }

    fn end(&self, suite: &Suite, tests: &[Test]) -> String {
        let mut text = String::from("int main(void) {\n    const struct CMUnitTest tests[] = {\n");
        for test in tests {
            let _ = writeln!(text, "        cmocka_unit_test({}),", test.name);
        }
        let _ = writeln!(
            text,
            "    }};\n    return cmocka_run_group_tests_name(\"{}\", tests, NULL, NULL);\n}}",
            suite.function
        );
        text
    }

    fn libraries(&self) -> &'static str {
        "-lcmocka"
    }

    fn forks(&self) -> bool {
        false
    }
}
