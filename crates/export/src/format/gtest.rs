//! GoogleTest. The bodies are C, because the unit is; a C++ file registers them.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::source::{self, Frame, MADE_BY};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Expectation, Suite, Test};

#[derive(Debug)]
pub(super) struct GoogleTest;

impl Format for GoogleTest {
    fn name(&self) -> &'static str {
        "gtest"
    }

    fn about(&self) -> &'static str {
        "GoogleTest: bodies in C, registered in C++"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for GoogleTest {
    fn includes(&self) -> &'static str {
        "\n/* Reports a failure to GoogleTest. */\n\
         void check_failed(const char *condition, const char *file, int line);\n\
         #define EXPECT(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))\n"
    }

    fn begin(&self, name: &str) -> String {
        format!("void {name}(void);\nvoid {name}(void) {{")
    }

    fn check(&self, expectation: &Expectation) -> String {
        format!("EXPECT({});", expectation.condition())
    }

    fn end(&self, _suite: &Suite, _tests: &[Test]) -> String {
        String::new()
    }

    fn libraries(&self) -> &'static str {
        "-lgtest -lgtest_main -pthread"
    }

    fn forks(&self) -> bool {
        false
    }

    fn other_files(&self, suite: &Suite) -> Vec<(PathBuf, String)> {
        let name = source::file_name(suite);
        let mut text =
            format!("// Tests of `{}`. {MADE_BY}\n#include <gtest/gtest.h>\n\nextern \"C\" {{\n", suite.function);
        for test in &suite.tests {
            let _ = writeln!(text, "void {}(void);", test.name);
        }
        text.push_str(
            "void check_failed(const char *condition, const char *file, int line) {\n    \
             ADD_FAILURE_AT(file, line) << condition;\n}\n}\n\n",
        );
        for test in &suite.tests {
            let _ = writeln!(
                text,
                "TEST({}, {}) {{ {}(); }}",
                suite.function,
                test.name.trim_start_matches("test_"),
                test.name
            );
        }
        vec![(format!("{name}.cc").into(), text)]
    }

    fn is_cpp(&self) -> bool {
        true
    }
}
