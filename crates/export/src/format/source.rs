//! The frame of source formats: files of tests, support for them, and how to build them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::format::{Exported, Exporting};
use crate::source::frame::{self, OLDER_C};
use crate::source::{Ends, Expectation, Suite, Test};

/// First line of every file that tine writes into a suite.
pub(super) const MADE_BY: &str = "Made by `tine export`.";

const SUPPORT: &str = include_str!("support.c");
const SUPPORT_HEADER: &str = include_str!("support.h");

/// The parts of a test file in which frameworks differ.
pub(super) trait Frame {
    /// Lines after the unit and the standard headers.
    fn includes(&self) -> &'static str;

    /// The line that begins a test.
    fn begin(&self, name: &str) -> String;

    /// The line that ends a test.
    fn finish(&self) -> &'static str {
        "}"
    }

    /// A condition of a test.
    fn check(&self, expectation: &Expectation) -> String;

    /// The end of the file: `main`, or a list of the tests.
    fn end(&self, suite: &Suite, tests: &[Test]) -> String;

    /// Libraries to link.
    fn libraries(&self) -> &'static str;

    /// True if a test may end its process.
    fn forks(&self) -> bool;

    /// True if the framework gives each test a process of its own, so that changed variables do not reach the next one.
    fn isolates(&self) -> bool {
        self.forks()
    }

    /// Further files of the suite, with their names.
    fn other_files(&self, _suite: &Suite) -> Vec<(PathBuf, String)> {
        Vec::new()
    }

    /// True if the tests are linked by a C++ compiler, with `NAME.cc` beside `NAME.c`.
    fn is_cpp(&self) -> bool {
        false
    }
}

pub(super) fn export(frame: &dyn Frame, exporting: &Exporting<'_>) -> Result<Exported, Error> {
    let suite = Suite::of(exporting.session, exporting.folder)?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    let unit = relative(&suite.head.main_file, exporting.out);
    files.push(("unit.h".into(), format!("/* {MADE_BY} */\n{}", frame::unit_header(&unit.display().to_string()))));
    files.push(("support.h".into(), SUPPORT_HEADER.to_owned()));
    files.push(("support.c".into(), SUPPORT.to_owned()));
    if !suite.head.missing.is_empty() {
        files.push(("missing.c".into(), format!("/* {MADE_BY} */\n{}", frame::missing(&suite.head.missing))));
    }
    if suite.head.uses_tine {
        files.push(("tine/tine.h".into(), frame::TINE_HEADER.to_owned()));
        files.push(("tine/tine.c".into(), frame::TINE_FUNCTIONS.to_owned()));
    }
    let name = file_name(&suite);
    if !suite.tests.is_empty() {
        files.push((format!("{name}.c").into(), tests_text(frame, &suite, &suite.tests, "unit.h", "support.h")));
        files.extend(frame.other_files(&suite));
    }
    if !suite.errors.is_empty() {
        let plain = super::c::C;
        let text = tests_text(&plain, &suite, &suite.errors, "../unit.h", "../support.h");
        files.push((format!("errors/{name}_errors.c").into(), text));
    }
    let build = Build { frame, suite: &suite, name: &name, out: exporting.out };
    files.push(("Makefile".into(), build.makefile()));
    files.push(("CMakeLists.txt".into(), build.cmake()));
    Ok(Exported {
        files: files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect(),
        n_tests: suite.tests.len(),
        n_errors: suite.errors.len(),
        left_out: suite.left_out,
    })
}

pub(super) fn file_name(suite: &Suite) -> String {
    format!("test_{}", suite.function)
}

fn tests_text(frame: &dyn Frame, suite: &Suite, tests: &[Test], unit: &str, support: &str) -> String {
    let mut text = format!("/* Tests of `{}`. {MADE_BY} */\n", suite.function);
    text.push_str(&suite.head.text(unit));
    text.push_str(frame.includes());
    let _ = writeln!(text, "#include \"{support}\"\n");
    for test in tests {
        text.push_str(&test_text(frame, test, suite.has_state));
        text.push('\n');
    }
    text.push_str(&frame.end(suite, tests));
    text
}

/// A test with its comment.
fn test_text(frame: &dyn Frame, test: &Test, has_state: bool) -> String {
    let mut text = String::new();
    if test.is_clang_only {
        text.push_str("#ifdef __clang__ /* The sanitizers of gcc do not show it. */\n");
    }
    if !test.about.is_empty() {
        let _ = writeln!(text, "/* {} */", test.about.join("\n * "));
    }
    let needs_process = !frame.forks() && test.ends != Ends::Returns || !frame.isolates() && has_state;
    let begin =
        if needs_process { format!("static void {}_body(void) {{", test.name) } else { frame.begin(&test.name) };
    let _ = writeln!(text, "{begin}");
    for line in &test.setup {
        let _ = writeln!(text, "    {line}");
    }
    if !test.setup.is_empty() {
        text.push('\n');
    }
    if test.expectations.iter().any(|one| matches!(one, Expectation::Output(_))) {
        text.push_str("    output_begin();\n");
    }
    let uses_result = test.expectations.iter().any(|one| mentions_result(&one.condition()))
        || test.after.iter().any(|line| mentions_result(line));
    match test.call.split_once("result = ") {
        Some((_, call)) if !uses_result => {
            let _ = writeln!(text, "    (void){call}");
        }
        _ => {
            let _ = writeln!(text, "    {}", test.call);
        }
    }
    if !test.expectations.is_empty() {
        text.push('\n');
    }
    for expectation in &test.expectations {
        let check = if needs_process { super::c::C.check(expectation) } else { frame.check(expectation) };
        let _ = writeln!(text, "    {check}");
    }
    for line in &test.after {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "{}", if needs_process { "}" } else { frame.finish() });
    if needs_process {
        let code = if let Ends::Exits(code) = test.ends { code.to_string() } else { "RETURNED".to_owned() };
        let _ = writeln!(text, "{}", frame.begin(&test.name));
        let condition =
            Expectation::Equal { actual: format!("exit_code_of({}_body)", test.name), expected: code, signed: true };
        let _ = writeln!(text, "    {}\n{}", frame.check(&condition), frame.finish());
    }
    if test.is_clang_only {
        text.push_str("#endif\n");
    }
    text
}

fn mentions_result(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("result").any(|(at, word)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Build files of a suite.
struct Build<'a> {
    frame: &'a dyn Frame,
    suite: &'a Suite,
    name: &'a str,
    out: &'a Path,
}

impl Build<'_> {
    /// The flags of the unit. Paths among them are relative to the suite.
    fn flags(&self) -> Vec<String> {
        let head = &self.suite.head;
        let mut flags = Vec::new();
        let mut is_path = false;
        let dropped = ["-Werror", "-Wall", "-Wextra", "-pedantic", "-fsanitize", "-MD", "-MMD", "-MP"];
        for flag in &head.flags {
            let path = |text: &str| {
                let path = head.directory.join(text);
                relative(&path, self.out).display().to_string()
            };
            if is_path {
                flags.push(path(flag));
                is_path = false;
            } else if ["-I", "-isystem", "-iquote", "-include", "-imacros"].contains(&flag.as_str()) {
                flags.push(flag.clone());
                is_path = true;
            } else if let Some(rest) = flag.strip_prefix("-I") {
                flags.push(format!("-I{}", path(rest)));
            } else if !dropped.iter().any(|prefix| flag.starts_with(prefix)) {
                flags.push(flag.clone());
            }
        }
        if head.uses_tine {
            flags.push("-isystemtine".to_owned());
        }
        flags.extend(OLDER_C.iter().map(|flag| (*flag).to_owned()));
        flags
    }

    fn makefile(&self) -> String {
        let head = &self.suite.head;
        let name = self.name;
        let quoted = |flags: &[String]| flags.iter().map(|flag| shell_word(flag)).collect::<Vec<_>>().join(" ");
        let mut text = format!(
            "# {MADE_BY}\n# make check: runs the tests. make check-errors: shows the errors, with sanitizers.\n"
        );
        let _ = writeln!(text, "UNIT_FLAGS = {}", quoted(&self.flags()).replace('$', "$$"));
        text.push_str("TEST_FLAGS = -g -Wall -Wextra -Werror\n");
        let frame =
            if self.frame.libraries().is_empty() { String::new() } else { format!("{} ", self.frame.libraries()) };
        let _ = writeln!(
            text,
            "LIBS = {}-lm",
            head.libraries.iter().map(|flag| shell_word(flag) + " ").collect::<String>()
        );
        let _ = writeln!(text, "FRAMEWORK = {}", frame.trim_end());
        text.push_str("SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all\n");
        let mut objects = vec!["support.o".to_owned()];
        if !head.missing.is_empty() {
            objects.push("missing.o".to_owned());
        }
        if head.uses_tine {
            objects.push("tine.o".to_owned());
        }
        objects.extend((0..head.other_files.len()).map(|index| format!("file{index}.o")));
        let objects = objects.join(" ");
        let _ = writeln!(
            text,
            "\n.PHONY: all check check-errors clean\nall: {}\n",
            if self.suite.tests.is_empty() { "" } else { name }
        );
        if self.suite.tests.is_empty() {
            text.push_str("check:\n\t@echo no tests\n\n");
        } else {
            let _ = writeln!(text, "check: {name}\n\t./{name}\n");
            if self.frame.is_cpp() {
                let _ = writeln!(
                    text,
                    "{name}: {name}.cc {name}.o {objects}\n\t$(CXX) $(CXXFLAGS) $(TEST_FLAGS) -o $@ $^ $(FRAMEWORK) $(LIBS)\n"
                );
            } else {
                let _ = writeln!(text, "{name}: {name}.o {objects}\n\t$(CC) $(CFLAGS) -o $@ $^ $(FRAMEWORK) $(LIBS)\n");
            }
            let _ = writeln!(
                text,
                "{name}.o: {name}.c unit.h support.h\n\t$(CC) $(UNIT_FLAGS) $(TEST_FLAGS) $(CFLAGS) -c -o $@ $<\n"
            );
        }
        text.push_str("support.o: support.c support.h\n\t$(CC) $(TEST_FLAGS) $(CFLAGS) -c -o $@ $<\n\n");
        if !head.missing.is_empty() {
            text.push_str("missing.o: missing.c\n\t$(CC) -w -fno-builtin $(CFLAGS) -c -o $@ $<\n\n");
        }
        if head.uses_tine {
            text.push_str("tine.o: tine/tine.c\n\t$(CC) -w $(CFLAGS) -c -o $@ $<\n\n");
        }
        for (index, file) in head.other_files.iter().enumerate() {
            let path = relative(file, self.out).display().to_string();
            let _ = writeln!(
                text,
                "file{index}.o: {path}\n\t$(CC) $(UNIT_FLAGS) -w $(CFLAGS) -Dmain=main_of_file_{index} -c -o $@ $<\n"
            );
        }
        let others: String = head
            .other_files
            .iter()
            .map(|file| format!(" {}", shell_word(&relative(file, self.out).display().to_string())))
            .collect();
        let missing = format!(
            "{}{}",
            if head.missing.is_empty() { "" } else { " missing.c" },
            if head.uses_tine { " tine/tine.c" } else { "" }
        );
        if self.suite.errors.is_empty() {
            text.push_str("check-errors:\n\t@echo no errors\n\n");
        } else {
            let _ = writeln!(text, "check-errors: errors/{name}_errors\n\terrors/{name}_errors\n");
            let _ = writeln!(
                text,
                "errors/{name}_errors: errors/{name}_errors.c support.c{missing}{others}\n\t$(CC) $(UNIT_FLAGS) -g -w $(CFLAGS) $(SANITIZERS) -o $@ $^ $(LIBS)\n"
            );
        }
        let _ = writeln!(text, "clean:\n\trm -f *.o {name} errors/{name}_errors");
        text
    }

    fn cmake(&self) -> String {
        let head = &self.suite.head;
        let name = self.name;
        let quoted = |flags: &[String]| {
            flags
                .iter()
                .map(|flag| format!("\"{}\"", flag.replace('\\', "\\\\").replace('"', "\\\"")))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let cpp = if self.frame.is_cpp() { " CXX" } else { "" };
        let mut text =
            format!("# {MADE_BY}\ncmake_minimum_required(VERSION 3.13)\nproject({name} C{cpp})\nenable_testing()\n\n");
        // Relative paths of flags are those of this directory.
        let _ = writeln!(
            text,
            "set(UNIT_FLAGS {})",
            quoted(&self.flags()).replace("-isystemtine", "-isystem${CMAKE_SOURCE_DIR}/tine")
        );
        let others: Vec<String> =
            head.other_files.iter().map(|file| relative(file, self.out).display().to_string()).collect();
        let missing = format!(
            "{}{}",
            if head.missing.is_empty() { "" } else { " missing.c" },
            if head.uses_tine { " tine/tine.c" } else { "" }
        );
        let mut sources = String::new();
        for (index, file) in others.iter().enumerate() {
            let _ = writeln!(
                sources,
                "set_source_files_properties({file} PROPERTIES COMPILE_OPTIONS \"-w;-Dmain=main_of_file_{index}\")"
            );
        }
        text.push_str(&sources);
        if !head.missing.is_empty() {
            text.push_str("set_source_files_properties(missing.c PROPERTIES COMPILE_OPTIONS \"-w;-fno-builtin\")\n");
        }
        let others = others.iter().map(|file| format!(" {file}")).collect::<String>();
        let libraries = head.libraries.join(" ");
        if !self.suite.tests.is_empty() {
            let main = if self.frame.is_cpp() { format!(" {name}.cc") } else { String::new() };
            let _ = writeln!(text, "add_executable({name} {name}.c{main} support.c{missing}{others})");
            let _ = writeln!(
                text,
                "set_source_files_properties({name}.c PROPERTIES COMPILE_OPTIONS \"-Wall;-Wextra;-Werror\")"
            );
            let _ =
                writeln!(text, "target_compile_options({name} PRIVATE \"$<$<COMPILE_LANGUAGE:C>:${{UNIT_FLAGS}}>\")");
            let _ = writeln!(text, "target_link_libraries({name} {libraries} m {})", self.frame.libraries());
            if self.frame.libraries().is_empty() {
                for test in &self.suite.tests {
                    let _ = writeln!(text, "add_test(NAME {0} COMMAND {name} {0})", test.name);
                }
            } else {
                let _ = writeln!(text, "add_test(NAME {name} COMMAND {name})");
            }
        }
        if !self.suite.errors.is_empty() {
            let target = format!("{name}_errors");
            let _ = writeln!(
                text,
                "\nadd_executable({target} EXCLUDE_FROM_ALL errors/{target}.c support.c{missing}{others})"
            );
            let _ = writeln!(
                text,
                "target_compile_options({target} PRIVATE ${{UNIT_FLAGS}} -w -fsanitize=address,undefined -fno-sanitize-recover=all)"
            );
            let _ = writeln!(text, "target_link_libraries({target} {libraries} m -fsanitize=address,undefined)");
        }
        text
    }
}

/// `path` as seen from `from`.
fn relative(path: &Path, from: &Path) -> PathBuf {
    let absolute =
        |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    let (path, from) = (absolute(path), absolute(from));
    let common = path.components().zip(from.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Path::new(".."));
    let down: PathBuf = path.components().skip(common).collect();
    // A path that shares nothing but the root is better absolute.
    if common <= 1 { path } else { up.collect::<PathBuf>().join(down) }
}

fn shell_word(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_=./,+:@%".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
