//! Plain C with `assert` and one `main`. Each test runs in a process of its own.

use super::source::{self, Frame};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{Ends, Expectation, ShownBy, Suite, Test};

#[derive(Debug)]
pub(super) struct C;

impl Format for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn about(&self) -> &'static str {
        "plain C with `assert`, a Makefile and a CMakeLists.txt"
    }

    fn is_source(&self) -> bool {
        true
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        source::export(self, exporting)
    }
}

impl Frame for C {
    fn includes(&self) -> &'static str {
        ""
    }

    fn begin(&self, name: &str) -> String {
        format!("static void {name}(void) {{")
    }

    fn check(&self, expectation: &Expectation) -> String {
        format!("assert({});", expectation.condition())
    }

    fn end(&self, _suite: &Suite, tests: &[Test]) -> String {
        let mut text = String::from("static const struct test tests[] = {\n");
        for Test { name, ends, shown_by, .. } in tests {
            let (end, code) = match ends {
                Ends::Returns => ("RETURNS", 0),
                Ends::Exits(code) => ("EXITS", *code),
                Ends::Fails => ("FAILS", 0),
                Ends::Hangs => ("HANGS", 0),
            };
            let row = format!("    {{ \"{name}\", {name}, {end}, {code} }},\n");
            text.push_str(&if *shown_by == ShownBy::Clang { format!("#ifdef __clang__\n{row}#endif\n") } else { row });
        }
        text.push_str("    { NULL, NULL, RETURNS, 0 },\n};\n\nint main(int argc, char **argv) {\n    return run_all_tests(tests, sizeof tests / sizeof *tests - 1, argc, argv);\n}\n");
        text
    }

    fn libraries(&self) -> &'static str {
        ""
    }

    fn forks(&self) -> bool {
        true
    }
}
