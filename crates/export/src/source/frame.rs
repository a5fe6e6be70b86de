//! The common parts of test files in all source formats: the unit, headers, stubs and undefined symbols.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tine_types::TypeGraph;

/// Constructs that C99 forbids and programs still use are errors in some compilers.
pub(crate) const OLDER_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
];

/// Warnings of gcc's optimiser.
const LATE_WARNINGS: &[&str] = &[
    "array-bounds",
    "dangling-pointer",
    "format-overflow",
    "format-truncation",
    "free-nonheap-object",
    "maybe-uninitialized",
    "nonnull",
    "null-dereference",
    "return-local-addr",
    "stringop-overflow",
    "stringop-overread",
    "stringop-truncation",
    "uninitialized",
    "use-after-free",
];

/// Name of the unit's own `main`.
pub(crate) const MAIN: &str = "main_of_the_unit";

/// The unit, and definitions that its tests need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) main_file: PathBuf,
    pub(crate) other_files: Vec<PathBuf>,
    /// Flags of the compiler, without those for the linker.
    pub(crate) flags: Vec<String>,
    pub(crate) libraries: Vec<String>,
    /// The directory that relative flags refer to.
    pub(crate) directory: PathBuf,
    /// Stubs, and undefined variables.
    pub(crate) definitions: String,
    /// Undefined functions.
    pub(crate) missing: Vec<String>,
    /// The unit includes `tine.h`.
    pub(crate) uses_tine: bool,
    /// Macros of the unit that have names of members.
    pub(crate) hidden: Vec<String>,
    /// Names of the support file that the unit has, too.
    pub(crate) clashes: BTreeSet<&'static str>,
}

/// Names that `support.h` defines.
const SUPPORT_NAMES: &[&str] = &[
    "test",
    "tests",
    "test_end",
    "run_all_tests",
    "exit_code_of",
    "output",
    "output_begin",
    "RETURNS",
    "EXITS",
    "FAILS",
    "HANGS",
    "RETURNED",
];

impl Head {
    /// Notes which names of the support file the unit has, too.
    pub(super) fn clashes_with(&mut self, taken: &BTreeSet<String>, types: &TypeGraph) {
        let is_tag = |name: &str| types.named(name).or_else(|| types.named(&format!("struct {name}"))).is_some();
        self.clashes = SUPPORT_NAMES.iter().copied().filter(|name| taken.contains(*name) || is_tag(name)).collect();
    }

    /// Text of the support with names that the unit does not have.
    pub(crate) fn support(&self, text: &str) -> String {
        if self.clashes.is_empty() {
            return text.to_owned();
        }
        let (mut renamed, mut word, mut is_text) = (String::new(), String::new(), false);
        for c in text.chars().chain(['\0']) {
            if c.is_ascii_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            renamed.push_str(&word);
            // Messages stay as they are.
            if !is_text && self.clashes.contains(word.as_str()) {
                renamed.push_str("_of_suite");
            }
            word.clear();
            is_text ^= c == '"';
            renamed.push(c);
        }
        renamed.pop();
        renamed
    }

    /// The first lines of a file of tests.
    pub(crate) fn text(&self, unit_header: &str) -> String {
        let mut text = format!("#include \"{unit_header}\"\n\n");
        text.push_str("#undef NDEBUG\n#include <assert.h>\n#include <limits.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n");
        text.push_str("\n#ifndef NAN\n#define NAN __builtin_nanf(\"\")\n#define INFINITY __builtin_inff()\n#endif\n");
        text.push_str(&self.definitions);
        text.push('\n');
        text
    }
}

/// The header through which tests include the unit. It makes `static` functions accessible, and warnings about the unit
/// do not become errors of the tests.
pub(crate) fn unit_header(unit: &str, head: &Head) -> String {
    let hidden: String = head.hidden.iter().map(|name| format!("#undef {name}\n")).collect();
    let ignored: String =
        LATE_WARNINGS.iter().map(|warning| format!("#pragma GCC diagnostic ignored \"-W{warning}\"\n")).collect();
    format!(
        "/* The unit under test. Its warnings are not those of the tests. */\n\
         #pragma GCC system_header\n\
         #ifndef __clang__ /* gcc also warns while it optimises, after it has forgotten about headers. */\n\
         {ignored}\
         #endif\n\
         #define main {MAIN}\n\
         #include \"{unit}\"\n\
         #undef main\n\
         {hidden}"
    )
}

/// Definitions of undefined functions. Their types do not matter because they are not called: `void` is enough for the
/// linker.
pub(crate) fn missing(names: &[String]) -> String {
    let mut text = String::from("/* Functions that the unit calls and no file defines. */\n#include <stdlib.h>\n");
    for name in names {
        let _ = writeln!(text, "void {name}(void);\nvoid {name}(void) {{ abort(); }}");
    }
    text
}

/// The header of tine's own interface, and its functions for a program without tine.
pub(crate) const TINE_HEADER: &str = include_str!("../../../../include/tine.h");
pub(crate) const TINE_FUNCTIONS: &str = include_str!("tine.c");

/// True if a file, or one that it includes by a relative name, includes `tine.h`.
pub(crate) fn uses_tine(file: &Path) -> bool {
    let (mut open, mut seen) = (vec![file.to_owned()], BTreeSet::new());
    while let Some(file) = open.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let text = std::fs::read(&file).unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines() {
            let Some(name) = line.trim().strip_prefix('#').and_then(|rest| rest.trim().strip_prefix("include")) else {
                continue;
            };
            let name = name.trim().trim_matches(['"', '<', '>']);
            if name == "tine.h" {
                return true;
            }
            open.extend(file.parent().map(|folder| folder.join(name)).filter(|path| path.is_file()));
        }
    }
    false
}
