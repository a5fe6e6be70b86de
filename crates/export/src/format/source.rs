//! The frame of source formats: test files, their support files, and build files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tine_engine::stored::Stored;
use tine_engine::target::Kind;

use crate::Error;
use crate::format::{Exported, Exporting};
use crate::source::frame::{self, Head, OLDER_C};
use crate::source::observe;
use crate::source::{Ends, Expectation, ShownBy, Suite, Test, mentions};
use crate::update::{self, Block, Fresh};

/// First line of every file that tine writes into a suite.
pub(in crate::format) const MADE_BY: &str = "Made by `tine export`.";

const SUPPORT: &str = include_str!("support.c");
const SUPPORT_HEADER: &str = include_str!("support.h");

/// A program of tests that show errors, with the sanitizers that it needs.
struct ErrorTarget {
    suffix: &'static str,
    /// Needs the sanitizer for uninitialised memory, which only clang has.
    memory: bool,
    compiler: &'static str,
    sanitizers: &'static str,
}

const ERROR_TARGETS: [ErrorTarget; 2] = [
    ErrorTarget { suffix: "errors", memory: false, compiler: "$(CC)", sanitizers: "address,undefined" },
    ErrorTarget { suffix: "uninitialised", memory: true, compiler: "$(CLANG)", sanitizers: "memory" },
];

/// The framework-specific parts of a test file.
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

    /// Flags for the test file, in a Makefile.
    fn flags(&self) -> &'static str {
        ""
    }

    /// True if a test may end its process.
    fn forks(&self) -> bool;

    /// True if the framework runs each test in a separate process, so that changed variables do not affect the next
    /// one.
    fn isolates(&self) -> bool {
        self.forks()
    }

    /// Further files of the suite, by name.
    fn other_files(&self, _suite: &Suite) -> Vec<(PathBuf, String)> {
        Vec::new()
    }

    /// True if the tests are linked by a C++ compiler, with `NAME.cc` beside `NAME.c`.
    fn is_cpp(&self) -> bool {
        false
    }
}

pub(super) fn export(frame: &dyn Frame, exporting: &Exporting<'_>) -> Result<Exported, Error> {
    let stored = Stored::read(exporting.session)?;
    if matches!(stored.target.kind, Kind::Program { .. }) {
        return super::program::export(exporting, &stored);
    }
    let mut suite = Suite::of(exporting.session, exporting.folder)?;
    let mut files = unit_files(&suite.head, exporting.out);
    files.push(("support.h".into(), suite.head.support(SUPPORT_HEADER)));
    files.push(("support.c".into(), suite.head.support(SUPPORT)));
    let name = file_name(&suite);
    let mut report = Exported { n_tests: suite.tests.len(), n_errors: suite.errors.len(), ..Exported::default() };
    let path = PathBuf::from(format!("{name}.c"));
    // Tests of frameworks cannot be run alone, so they stay.
    let can_run = exporting.previous.is_some() && frame.libraries().is_empty();
    let passing = if can_run { Some(observe::passing(&suite.head, exporting.out, &path)) } else { None };
    let passes = |test: &str| passing.as_ref().is_none_or(|passing| passing.contains(test));
    let tests = std::mem::take(&mut suite.tests);
    let (tests, blocks) = merged(frame, &suite, tests, exporting, &path, &mut report, &passes);
    suite.tests = tests;
    if !suite.tests.is_empty() {
        files.push((path, tests_text(frame, &suite, &suite.tests, &blocks, "unit.h", "support.h")));
        files.extend(frame.other_files(&suite));
    }
    let mut errors = Vec::new();
    for target in &ERROR_TARGETS {
        let tests: Vec<Test> =
            suite.errors.iter().filter(|test| (test.shown_by == ShownBy::Memory) == target.memory).cloned().collect();
        let path = PathBuf::from(format!("errors/{name}_{}.c", target.suffix));
        let plain = super::c::C;
        // An error that the session does not have was fixed.
        let (tests, blocks) = merged(&plain, &suite, tests, exporting, &path, &mut report, &|_| false);
        if !tests.is_empty() {
            let text = tests_text(&plain, &suite, &tests, &blocks, "../unit.h", "../support.h");
            files.push((path, text));
            errors.push(target);
        }
    }
    let build = Build { frame, suite: &suite, name: &name, errors, out: exporting.out };
    files.push(("Makefile".into(), build.makefile()));
    files.push(("CMakeLists.txt".into(), build.cmake()));
    report.files = files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    report.left_out = suite.left_out;
    Ok(report)
}

/// The tests of a file in C: those of the session, merged into the existing ones if the suite is refreshed.
fn merged(
    frame: &dyn Frame,
    suite: &Suite,
    tests: Vec<Test>,
    exporting: &Exporting<'_>,
    path: &Path,
    report: &mut Exported,
    passes: &dyn Fn(&str) -> bool,
) -> (Vec<Test>, Vec<Block>) {
    let fresh = tests.iter().map(|test| Fresh {
        name: test.name.clone(),
        text: test_text(frame, suite, test).trim_end().to_owned(),
        inputs: update::short_digest(&(test.setup.concat() + &statements(test))),
    });
    let fresh: Vec<Fresh> = fresh.collect();
    let old = exporting.previous.and_then(|_| std::fs::read_to_string(exporting.out.join(path)).ok());
    let (Some(recorded), Some(old)) = (exporting.previous, old) else {
        report.recorded.extend(fresh.iter().map(Fresh::recorded));
        return (tests, fresh.into_iter().map(|one| Block { name: Some(one.name), text: one.text }).collect());
    };
    let merged = update::merge(&update::blocks(&old), recorded, &fresh, passes);
    let ends = |name: &str| {
        // The row of a test that the session does not have.
        let row = old.lines().find_map(|line| line.trim().strip_prefix(&format!("{{ \"{name}\", {name}, ")));
        let mut words = row.unwrap_or("RETURNS, 0").split([',', ' ', '}']).filter(|word| !word.is_empty());
        match (
            words.next().map(|word| word.trim_end_matches("_of_suite")),
            words.next().and_then(|code| code.parse().ok()),
        ) {
            (Some("EXITS"), Some(code)) => Ends::Exits(code),
            (Some("FAILS"), _) => Ends::Fails,
            (Some("HANGS"), _) => Ends::Hangs,
            _ => Ends::Returns,
        }
    };
    let named = |name: &String| {
        let own = tests.iter().find(|test| merged.renamed.get(&test.name) == Some(name)).cloned();
        let text = || Test::of_person(name, ends(name));
        Test { name: name.clone(), ..own.unwrap_or_else(text) }
    };
    let tests = merged.blocks.iter().filter_map(|block| block.name.as_ref()).map(named).collect();
    report.recorded.extend(merged.recorded);
    report.differences.extend(merged.differences);
    (tests, merged.blocks)
}

/// The files that give tests access to the unit.
pub(super) fn unit_files(head: &Head, out: &Path) -> Vec<(PathBuf, String)> {
    let unit = relative(&head.main_file, out);
    let mut files: Vec<(PathBuf, String)> =
        vec![("unit.h".into(), format!("/* {MADE_BY} */\n{}", frame::unit_header(&unit.display().to_string(), head)))];
    if !head.missing.is_empty() {
        files.push(("missing.c".into(), format!("/* {MADE_BY} */\n{}", frame::missing(&head.missing))));
    }
    if head.uses_tine {
        files.push(("tine/tine.h".into(), frame::TINE_HEADER.to_owned()));
        files.push(("tine/tine.c".into(), frame::TINE_FUNCTIONS.to_owned()));
    }
    files
}

pub(super) fn file_name(suite: &Suite) -> String {
    format!("test_{}", suite.function)
}

fn tests_text(frame: &dyn Frame, suite: &Suite, tests: &[Test], blocks: &[Block], unit: &str, support: &str) -> String {
    let mut text = format!("/* Tests of `{}`. {MADE_BY} */\n", suite.function);
    text.push_str(&suite.head.text(unit));
    text.push_str(frame.includes());
    let _ = writeln!(text, "#include \"{support}\"\n");
    for block in blocks {
        text.push_str(&block.text);
        text.push_str("\n\n");
    }
    text.push_str(&suite.head.support(&frame.end(suite, tests)));
    text
}

/// A test with its comment.
fn test_text(frame: &dyn Frame, suite: &Suite, test: &Test) -> String {
    let head = &suite.head;
    let mut text = String::new();
    if test.shown_by == ShownBy::Clang {
        text.push_str("#ifdef __clang__ /* The sanitizers of gcc do not show it. */\n");
    }
    if !test.about.is_empty() {
        let _ = writeln!(text, "/* {} */", test.about.join("\n * "));
    }
    let needs_process = !frame.forks() && test.ends != Ends::Returns || !frame.isolates() && suite.has_state;
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
        let _ = writeln!(text, "    {}", head.support("output_begin();"));
    }
    for (index, call) in test.calls.iter().enumerate() {
        let is_used = call.result.as_ref().is_some_and(|(_, name)| {
            test.expectations.iter().any(|one| mentions(&one.condition(), name))
                || test.after.iter().any(|line| mentions(line, name))
                || test.calls[index + 1..].iter().any(|later| mentions(&later.text, name))
        });
        let _ = writeln!(text, "    {}", call.statement(is_used));
    }
    if !test.expectations.is_empty() {
        text.push('\n');
    }
    for expectation in &test.expectations {
        let check = if needs_process { super::c::C.check(expectation) } else { frame.check(expectation) };
        let check = if let Expectation::Output(_) = expectation { head.support(&check) } else { check };
        let _ = writeln!(text, "    {check}");
    }
    for line in &test.after {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "{}", if needs_process { "}" } else { frame.finish() });
    if needs_process {
        let code = if let Ends::Exits(code) = test.ends { code.to_string() } else { head.support("RETURNED") };
        let _ = writeln!(text, "{}", frame.begin(&test.name));
        let condition = Expectation::Equal {
            actual: format!("{}({}_body)", head.support("exit_code_of"), test.name),
            expected: code,
            signed: true,
        };
        let _ = writeln!(text, "    {}\n{}", frame.check(&condition), frame.finish());
    }
    if test.shown_by == ShownBy::Clang {
        text.push_str("#endif\n");
    }
    text
}

/// The calls of a test, with all results.
fn statements(test: &Test) -> String {
    test.calls.iter().map(|call| call.statement(true)).collect()
}

/// Build files of a suite.
struct Build<'a> {
    frame: &'a dyn Frame,
    suite: &'a Suite,
    name: &'a str,
    errors: Vec<&'static ErrorTarget>,
    out: &'a Path,
}

impl Build<'_> {
    fn makefile(&self) -> String {
        let head = &self.suite.head;
        let name = self.name;
        let Flags { unit, libraries, sources } = Flags::of(head, self.out);
        let mut text = format!(
            "# {MADE_BY}\n# make check: runs the tests. make check-errors: shows the errors, with sanitizers.\n"
        );
        let _ = writeln!(text, "UNIT_FLAGS = {unit}");
        text.push_str("TEST_FLAGS = -g -Wall -Wextra -Werror\n");
        let frame =
            if self.frame.libraries().is_empty() { String::new() } else { format!("{} ", self.frame.libraries()) };
        let _ = writeln!(text, "LIBS = {libraries}-lm");
        let _ = writeln!(text, "FRAMEWORK = {}", format!("{frame}{}", self.frame.flags()).trim_end());
        if self.errors.iter().any(|target| target.memory) {
            text.push_str("CLANG = $(shell command -v clang || command -v clang-22)\n");
        }
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
                "{name}.o: {name}.c unit.h support.h\n\t$(CC) $(UNIT_FLAGS) $(TEST_FLAGS) $(CFLAGS) {}-c -o $@ $<\n",
                if self.frame.flags().is_empty() { String::new() } else { format!("{} ", self.frame.flags()) }
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
        let programs: Vec<String> =
            self.errors.iter().map(|target| format!("errors/{name}_{}", target.suffix)).collect();
        if programs.is_empty() {
            text.push_str("check-errors:\n\t@echo no errors\n\n");
        } else {
            let run: String = programs.iter().map(|program| format!("\t{program}\n")).collect();
            let _ = writeln!(text, "check-errors: {}\n{run}", programs.join(" "));
        }
        for (target, program) in self.errors.iter().zip(&programs) {
            // Optimisation would remove some of the errors.
            let _ = writeln!(
                text,
                "{program}: {program}.c support.c{sources}\n\t{} $(UNIT_FLAGS) -g -w $(CFLAGS) -O0 \
                 -fsanitize={} -fno-sanitize-recover=all -o $@ $^ $(LIBS)\n",
                target.compiler, target.sanitizers
            );
        }
        let _ = writeln!(text, "clean:\n\trm -f *.o {name} {}", programs.join(" "));
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
        // Relative paths in flags are relative to this directory.
        let _ = writeln!(
            text,
            "set(UNIT_FLAGS {})",
            quoted(&flags(head, self.out)).replace("-isystemtine", "-isystem${CMAKE_SOURCE_DIR}/tine")
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
            // A library that is a source file: `cmake -DUNITY=DIR`.
            let library = self.frame.libraries().replace("$(UNITY)", "${UNITY}");
            let is_source = library.ends_with(".c");
            let main = if is_source { format!("{main} {library}") } else { main };
            let library = if is_source { "" } else { &library };
            let _ = writeln!(text, "add_executable({name} {name}.c{main} support.c{missing}{others})");
            let _ = writeln!(
                text,
                "set_source_files_properties({name}.c PROPERTIES COMPILE_OPTIONS \"-Wall;-Wextra;-Werror\")"
            );
            let _ =
                writeln!(text, "target_compile_options({name} PRIVATE \"$<$<COMPILE_LANGUAGE:C>:${{UNIT_FLAGS}}>\")");
            let _ = writeln!(text, "target_link_libraries({name} {libraries} m {library})");
            if is_source {
                let _ = writeln!(text, "target_include_directories({name} SYSTEM PRIVATE ${{UNITY}})");
            }
            if self.frame.libraries().is_empty() {
                for test in &self.suite.tests {
                    let _ = writeln!(text, "add_test(NAME {0} COMMAND {name} {0})", test.name);
                }
            } else {
                let _ = writeln!(text, "add_test(NAME {name} COMMAND {name})");
            }
        }
        for error in &self.errors {
            let target = format!("{name}_{}", error.suffix);
            let (begin, end) =
                if error.memory { ("if(CMAKE_C_COMPILER_ID MATCHES Clang)\n", "endif()\n") } else { ("", "") };
            let sanitizers = error.sanitizers;
            let _ = write!(
                text,
                "\n{begin}add_executable({target} EXCLUDE_FROM_ALL errors/{target}.c support.c{missing}{others})\n\
                 target_compile_options({target} PRIVATE ${{UNIT_FLAGS}} -w -O0 -fsanitize={sanitizers} -fno-sanitize-recover=all)\n\
                 target_link_libraries({target} {libraries} m -fsanitize={sanitizers})\n{end}"
            );
        }
        text
    }
}

/// The flags of the unit. Paths among them are relative to the suite.
fn flags(head: &Head, out: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut is_path = false;
    let dropped = ["-Werror", "-Wall", "-Wextra", "-pedantic", "-fsanitize", "-MD", "-MMD", "-MP"];
    for flag in &head.flags {
        let path = |text: &str| {
            let path = head.directory.join(text);
            relative(&path, out).display().to_string()
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

/// Unit-specific parts of a Makefile.
pub(super) struct Flags {
    pub(super) unit: String,
    /// Libraries, each followed by a space.
    pub(super) libraries: String,
    /// Files to compile with the tests, each preceded by a space.
    pub(super) sources: String,
}

impl Flags {
    pub(super) fn of(head: &Head, out: &Path) -> Flags {
        let unit: Vec<String> = flags(head, out).iter().map(|flag| shell_word(flag)).collect();
        let others =
            head.other_files.iter().map(|file| format!(" {}", shell_word(&relative(file, out).display().to_string())));
        let missing = if head.missing.is_empty() { "" } else { " missing.c" };
        let tine = if head.uses_tine { " tine/tine.c" } else { "" };
        Flags {
            unit: unit.join(" ").replace('$', "$$"),
            libraries: head.libraries.iter().map(|flag| shell_word(flag) + " ").collect(),
            sources: format!("{missing}{tine}{}", others.collect::<String>()),
        }
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
    // If paths share only the root, use the absolute one.
    if common <= 1 { path } else { up.collect::<PathBuf>().join(down) }
}

fn shell_word(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_=./,+:@%".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
