//! Check, which runs each test in a process of its own.

use std::fmt::Write as _;

use super::source::{self, Frame};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Expectation, Suite, Test};

#[derive(Debug)]
pub(super) struct Check;

impl Format for Check {
    fn name(&self) -> &'static str {
        "check"
    }

    fn about(&self) -> &'static str {
        "Check"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for Check {
    fn includes(&self) -> &'static str {
        "#include <check.h>\n"
    }

    fn begin(&self, name: &str) -> String {
        format!("START_TEST({name}) {{")
    }

    fn check(&self, expectation: &Expectation) -> String {
        match expectation {
            Expectation::Equal { actual, expected, signed: true } => format!("ck_assert_int_eq({actual}, {expected});"),
            Expectation::Equal { actual, expected, signed: false } => {
                format!("ck_assert_uint_eq({actual}, {expected});")
            }
            Expectation::Pointer { actual, expected } => format!("ck_assert_ptr_eq({actual}, {expected});"),
            Expectation::Null(actual) => format!("ck_assert_ptr_null({actual});"),
            Expectation::NotNull(actual) => format!("ck_assert_ptr_nonnull({actual});"),
            Expectation::Text { actual, expected } => format!("ck_assert_str_eq({actual}, {expected});"),
            Expectation::Memory { actual, expected, size } => {
                format!("ck_assert_mem_eq({actual}, {expected}, {size});")
            }
            other => format!("ck_assert({});", other.condition()),
        }
    }

    fn end(&self, suite: &Suite, tests: &[Test]) -> String {
        let mut text = String::from("int main(void) {\n");
        let _ = writeln!(
            text,
            "    Suite *suite = suite_create(\"{0}\");\n    TCase *tests = tcase_create(\"{0}\");",
            suite.function
        );
        for test in tests {
            let _ = writeln!(text, "    tcase_add_test(tests, {});", test.name);
        }
        text.push_str(
            "    suite_add_tcase(suite, tests);\n    SRunner *runner = srunner_create(suite);\n    \
             srunner_run_all(runner, CK_NORMAL);\n    int n_failed = srunner_ntests_failed(runner);\n    \
             srunner_free(runner);\n    return n_failed > 0;\n}\n",
        );
        text
    }

    fn finish(&self) -> &'static str {
        "} END_TEST"
    }

    fn libraries(&self) -> &'static str {
        "-lcheck -lsubunit -lrt -pthread"
    }

    fn forks(&self) -> bool {
        false
    }

    fn isolates(&self) -> bool {
        true
    }
}
