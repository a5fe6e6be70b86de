//! Unity. `UNITY` names the directory of `unity.c`, which projects keep with their sources.

use std::fmt::Write as _;

use super::source::{self, Frame};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Expectation, Suite, Test};

#[derive(Debug)]
pub(super) struct Unity;

impl Format for Unity {
    fn name(&self) -> &'static str {
        "unity"
    }

    fn about(&self) -> &'static str {
        "Unity"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for Unity {
    fn includes(&self) -> &'static str {
        "#include <unity.h>\n\nvoid setUp(void) {}\nvoid tearDown(void) {}\n"
    }

    fn begin(&self, name: &str) -> String {
        format!("static void {name}(void) {{")
    }

    fn check(&self, expectation: &Expectation) -> String {
        match expectation {
            Expectation::Equal { actual, expected, signed: true } => {
                format!("TEST_ASSERT_EQUAL_INT64({expected}, {actual});")
            }
            Expectation::Equal { actual, expected, signed: false } => {
                format!("TEST_ASSERT_EQUAL_UINT64({expected}, {actual});")
            }
            Expectation::Pointer { actual, expected } => format!("TEST_ASSERT_EQUAL_PTR({expected}, {actual});"),
            Expectation::Null(actual) => format!("TEST_ASSERT_NULL({actual});"),
            Expectation::NotNull(actual) => format!("TEST_ASSERT_NOT_NULL({actual});"),
            Expectation::Text { actual, expected } => format!("TEST_ASSERT_EQUAL_STRING({expected}, {actual});"),
            Expectation::Memory { actual, expected, size } => {
                format!("TEST_ASSERT_EQUAL_MEMORY({expected}, {actual}, {size});")
            }
            other => format!("TEST_ASSERT_TRUE({});", other.condition()),
        }
    }

    fn end(&self, suite: &Suite, tests: &[Test]) -> String {
        let mut text = String::from("int main(void) {\n");
        let _ = writeln!(text, "    UnityBegin(\"{}\");", source::file_name(suite) + ".c");
        for test in tests {
            let _ = writeln!(text, "    RUN_TEST({});", test.name);
        }
        text.push_str("    return UNITY_END();\n}\n");
        text
    }

    fn libraries(&self) -> &'static str {
        "$(UNITY)/unity.c"
    }

    fn flags(&self) -> &'static str {
        "-isystem $(UNITY)"
    }

    fn forks(&self) -> bool {
        false
    }
}
