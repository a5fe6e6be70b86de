//! `tine report`: formats for other tools, each read by a real consumer or checked against its schema.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, wait_for};

/// Names and strings that have a meaning in XML, JSON and HTML.
const HOSTILE: &str = "\
#include <assert.h>
int f(int x) {
    /* </script><img src=x onerror=alert(1)> \"&amp;' ]]> */
    assert(x != 17 && \"<b>&\\\"'\");
    return x > 3;
}
";

/// Structure of JUnit files, as CI servers read them.
const JUNIT: &str = "<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #IMPLIED tests CDATA #IMPLIED failures CDATA #IMPLIED errors CDATA #IMPLIED time CDATA #IMPLIED>
<!ELEMENT testsuite (properties?, testcase*, system-out?, system-err?)>
<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #REQUIRED errors CDATA #REQUIRED
  skipped CDATA #IMPLIED time CDATA #IMPLIED timestamp CDATA #IMPLIED>
<!ELEMENT properties (property*)>
<!ELEMENT property EMPTY>
<!ATTLIST property name CDATA #REQUIRED value CDATA #REQUIRED>
<!ELEMENT testcase (skipped | error | failure)?>
<!ATTLIST testcase name CDATA #REQUIRED classname CDATA #REQUIRED time CDATA #IMPLIED>
<!ELEMENT skipped EMPTY>
<!ATTLIST skipped message CDATA #IMPLIED>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure message CDATA #IMPLIED type CDATA #REQUIRED>
";

/// Structure of Cobertura files.
const COBERTURA: &str = "<!ELEMENT coverage (sources?, packages)>
<!ATTLIST coverage line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED lines-covered CDATA #REQUIRED
  lines-valid CDATA #REQUIRED branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED complexity CDATA #REQUIRED
  version CDATA #REQUIRED timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)>
<!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)>
<!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT classes (class*)>
<!ELEMENT class (methods, lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #REQUIRED>
<!ELEMENT methods (method*)>
<!ELEMENT method (lines)>
<!ATTLIST method name CDATA #REQUIRED signature CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #IMPLIED>
<!ELEMENT lines (line*)>
<!ELEMENT line (conditions*)>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA \"false\" condition-coverage CDATA \"100%\">
<!ELEMENT conditions (condition*)>
<!ELEMENT condition EMPTY>
<!ATTLIST condition number CDATA #REQUIRED type CDATA #REQUIRED coverage CDATA #REQUIRED>
";

/// A session of each unit, and files of all formats for it.
fn explored(unit: &str) -> Bench {
    let bench = Bench::new(&[("unit.c", unit), ("junit.dtd", JUNIT), ("cobertura.dtd", COBERTURA)]);
    let ran = bench.tine("test unit.c --fn f --jobs 1 --quiet --out session");
    assert_eq!(ran.code, Some(1), "{ran}");
    for format in ["sarif", "junit", "lcov", "cobertura", "json"] {
        let ran = bench.tine(&format!("report session --format {format} --out report.{format}"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    bench
}

fn text(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.path(name)).expect("a report")
}

/// True if a program is installed; otherwise prints that a check is skipped.
fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("{program} is not installed: this part of the test is left out (`make setup` installs it)");
    }
    found
}

#[track_caller]
fn succeeds(bench: &Bench, command: &str) {
    let output = Command::new("sh").args(["-c", command]).current_dir(bench.path(".")).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
}

/// The schema of the standard, from a library that reads SARIF.
fn sarif_schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let platform = "--filter-platform=x86_64-unknown-linux-gnu";
    let arguments =
        ["metadata", "--offline", "--locked", "--format-version", "1", platform, "--manifest-path", manifest];
    let output = Command::new(cargo).args(arguments).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let package = metadata["packages"].as_array().expect("packages").iter().find(|one| one["name"] == "serde-sarif");
    let manifest = PathBuf::from(package.expect("a dependency")["manifest_path"].as_str().expect("a path"));
    let schema = fs::read_to_string(manifest.with_file_name("src/schema.json")).expect("the schema");
    // One pattern of the standard is not a valid regular expression.
    let schema = schema.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$");
    serde_json::from_str(&schema).expect("a schema is JSON")
}

#[test]
fn sarif_files_are_valid_and_have_flows() {
    let schema = jsonschema::validator_for(&sarif_schema()).expect("a schema");
    for unit in [TWO_ERRORS, HOSTILE] {
        let bench = explored(unit);
        let file: Value = serde_json::from_str(&text(&bench, "report.sarif")).expect("SARIF is JSON");
        let wrong: Vec<String> =
            schema.iter_errors(&file).map(|why| format!("{}: {why}", why.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let read: serde_sarif::sarif::Sarif = serde_json::from_value(file.clone()).expect("a library reads it");
        let results = read.runs[0].results.as_ref().expect("results");
        assert!(!results.is_empty());
        for result in results {
            assert!(result.code_flows.as_ref().is_some_and(|flows| !flows.is_empty()), "{result:?}");
            assert!(result.partial_fingerprints.is_some(), "{result:?}");
        }
        let place = &file["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "unit.c", "relative to the current directory");
    }
}

#[test]
fn xml_files_have_the_usual_structure() {
    if !has("xmllint") {
        return;
    }
    for unit in [TWO_ERRORS, HOSTILE] {
        let bench = explored(unit);
        for format in ["junit", "cobertura"] {
            succeeds(&bench, &format!("xmllint --noout --dtdvalid {format}.dtd report.{format}"));
        }
        let failures = text(&bench, "report.junit").matches("<failure ").count();
        let summary: Value = serde_json::from_str(&text(&bench, "report.json")).expect("JSON");
        assert_eq!(failures, summary["errors"].as_array().expect("errors").len());
    }
}

#[test]
fn lcov_reads_the_tracefile() {
    if !has("genhtml") {
        return;
    }
    let bench = explored(TWO_ERRORS);
    succeeds(&bench, "genhtml --quiet --branch-coverage --output-directory page report.lcov");
    assert!(bench.path("page/index.html").exists());
    let summary: Value = serde_json::from_str(&text(&bench, "report.json")).expect("JSON");
    let count = |key: &str| {
        let prefix = format!("{key}:");
        text(&bench, "report.lcov").lines().find_map(|line| line.strip_prefix(&prefix)?.parse::<u64>().ok())
    };
    // All formats have the same numbers.
    for (key, field) in
        [("BRF", "branches_total"), ("BRH", "branches_covered"), ("LF", "lines_total"), ("LH", "lines_covered")]
    {
        assert_eq!(count(key), summary[field].as_u64(), "{key}");
    }
    let printed = bench.tine("test unit.c --fn f --jobs 1 --quiet --json --out again").json();
    for field in ["branches_covered", "lines_covered", "lines_total", "conditions_covered", "conditions_total"] {
        assert_eq!(printed[field], summary[field], "{field}");
    }
    assert_eq!(printed["functions"], summary["functions"]);
}

#[test]
fn a_baseline_leaves_only_new_errors() {
    let bench = explored(TWO_ERRORS);
    let same = bench.tine("report session --baseline report.sarif --fail-on new");
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), "0 errors are new\n"), "{same}");
    // The known error has moved, and there is a new one.
    let moved = TWO_ERRORS.replace("int f", "\n\n/* longer */\nint f").replace("(y + 7)", "(y + 2)");
    bench.write("unit.c", &format!("{}\n", moved.replace("return 0;", "return 5 % (y - 100);")));
    let ran = bench.tine("test unit.c --fn f --jobs 1 --quiet --out later");
    assert_eq!(ran.code, Some(1), "{ran}");
    for baseline in ["session", "report.sarif"] {
        let ran = bench.tine(&format!("report later --baseline {baseline} --fail-on new"));
        assert_eq!(ran.code, Some(1), "{ran}");
        assert!(!ran.stdout.contains("abort"), "it is known, although it moved: {ran}");
        assert!(ran.stdout.contains("division by zero"), "{ran}");
    }
    assert_eq!(bench.tine("report later --fail-on error").code, Some(1));
    bench.fails("report later --fail-on new", 2, &["needs a baseline"]);
    bench.fails("report later --baseline unit.c", 2, &["is not a baseline"]);
    bench.fails("report nowhere --format json", 2, &["error: ", "help"]);
}

#[test]
fn sessions_below_a_directory_are_one_report() {
    let bench = Bench::new(&[("two.c", "int f(int x) { return x > 1; }\nint g(int y) { return y ? f(y) : 3; }\n")]);
    assert_eq!(bench.tine("test two.c --quiet --out all").code, Some(0));
    let report: Value = bench.tine("report all --format json").json();
    let targets: Vec<&str> =
        report["functions"].as_array().expect("a list").iter().filter_map(|one| one["target"].as_str()).collect();
    assert_eq!(targets, ["f", "g"]);
    let lcov = bench.tine("report all --format lcov").stdout;
    assert_eq!(lcov.matches("SF:").count(), 1, "one file, whatever explored it: {lcov}");
}

#[test]
fn events_are_lines_of_json() {
    let bench = Bench::new(&[("unit.c", TWO_ERRORS)]);
    let ran = bench.tine("test unit.c --fn f --jobs 1 --quiet --events events.jsonl");
    assert_eq!(ran.code, Some(1), "{ran}");
    let lines: Vec<Value> = text(&bench, "events.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON on each line"))
        .collect();
    let named = |name: &str| lines.iter().filter(|line| line["event"] == name).count();
    assert_eq!((named("started"), named("finished")), (1, 1), "{lines:?}");
    let summary = &lines.last().expect("lines")["summary"];
    assert_eq!(named("error"), summary["errors"].as_array().expect("errors").len());
    assert_eq!(named("covered") as u64, summary["branches_covered"].as_u64().expect("a number"));
    assert_eq!(named("run") as u64, summary["runs"].as_u64().expect("a number"));
}

/// A parameter that is used without a check is neither an error nor a passed test.
#[test]
fn requirements_are_in_all_reports() {
    let unit =
        "struct list { int n; struct list *next; };\nint f(struct list *list) {\n    return list->n > 3 ? 1 : 2;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(0));
    let junit = bench.tine("report out --format junit").stdout;
    assert!(junit.contains("skipped=\"1\"") && junit.matches("<skipped ").count() == 1, "{junit}");
    assert!(junit.contains("f requires list != NULL"), "{junit}");
    let sarif: Value = serde_json::from_str(&bench.tine("report out --format sarif").stdout).expect("SARIF is JSON");
    let schema = jsonschema::validator_for(&sarif_schema()).expect("a schema");
    assert!(schema.is_valid(&sarif));
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let shown: Vec<_> = results.iter().map(|one| (one["ruleId"].as_str(), one["level"].as_str())).collect();
    assert_eq!(shown, [(Some("requirement"), Some("note"))]);
    assert_eq!(results[0]["properties"]["condition"], "list != NULL");
    assert_eq!(bench.tine("report out --fail-on requirement").code, Some(1));
    assert_eq!(bench.tine("report out --fail-on error,incomplete").code, Some(0));
    assert_eq!(bench.tine("report out --html page").code, Some(0));
    let page = text(&bench, "page/index.html");
    assert!(page.contains("id=\"requirements\"") && page.contains("<code>list != NULL</code>"), "{page}");
}

/// A block whose size is an input has the room of its size class, but the report names the size that was asked for.
#[test]
fn the_size_of_a_block_is_the_one_asked_for() {
    let unit = "#include <stdlib.h>\nint f(unsigned n) { if (n > 40 || n < 1) return 0; char *p = malloc(n);\n\
        if (!p) return 0;\np[n] = 1;\nfree(p); return 0; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let summary = bench.tine("test unit.c --fn f --json").json();
    let errors = summary["errors"].as_array().expect("errors");
    let n = errors[0]["input"].as_str().and_then(|input| input.strip_prefix("n = ")).expect("one input");
    let expected = format!("right after the {n}-byte block");
    assert!(
        errors.len() == 1 && errors[0]["about"].as_str().is_some_and(|about| about.contains(&expected)),
        "{summary}"
    );
}

/// The reason why a side was not taken has its condition and the bound.
#[test]
fn reasons_name_the_condition_and_the_bound() {
    let unit = "#include <string.h>\nint f(const char *s, int n, int *a) {\n    int sum = 0;\n    \
                for (int i = 0; i < n; i++) sum ^= a[i];\n    if (n > 8) return 1;\n    \
                if (strlen(s) > 20) return 3;\n    return sum;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --fn f --len a=n --jobs 1 --quiet --explain --out out");
    assert_eq!(ran.code, Some(0), "{ran}");
    let reason = |condition: &str| format!("true: needs `{condition}`: no path within --max-elements and --max-string");
    for condition in ["n > 8", "strlen(s) > 20"] {
        assert!(ran.stdout.contains(&reason(condition)), "{ran}");
    }
    assert!(ran.stdout.contains("unit.c:5:11: true is infeasible within the bounds"), "{ran}");
    assert_eq!(bench.tine("report out --html page").code, Some(0));
    let page = text(&bench, "page/index.html");
    assert!(page.contains("needs <code>n &gt; 8</code>: no path within --max-elements"), "{page}");
    assert!(!page.contains("no run reached this branch") && !page.contains("did not depend"), "{page}");
}

/// A side that runs reached is not shown as unreached, whatever the verdict.
#[test]
fn sides_of_reached_branches_are_not_unreached() {
    let unit = "int g, never;\nint f(int x) {\n    if (x > 10)\n        if (x < 5) g = 1;\n    \
                if (never) g = 2;\n    return x;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let why = |flags: &str, line: u64| {
        let ran = bench.tine(&format!("test unit.c --fn f --jobs 1 --quiet --json {flags}"));
        let all = ran.json()["uncovered"].as_array().cloned().unwrap_or_default();
        let side = all.iter().find(|side| side["line"] == line).cloned().unwrap_or_else(|| panic!("{ran}"));
        (side["why"].as_str().unwrap_or_default().to_owned(), side["reason"].as_str().unwrap_or_default().to_owned())
    };
    let is = |why: &str, reason: &str| (why.to_owned(), reason.to_owned());
    assert_eq!(why("", 4), is("infeasible", "infeasible on 1 path"));
    assert_eq!(why("", 5), is("infeasible", "no path takes it"));
    assert_eq!(why("--max-runs 1", 4), is("not-reached", ""));
    let fixed = "earlier conditions or concrete values fixed it on every path up to now";
    assert_eq!(why("--max-runs 1", 5), is("open", fixed));
}

#[test]
fn explorations_fail_on_new_errors() {
    let bench = Bench::new(&[("unit.c", TWO_ERRORS)]);
    let explore = "test unit.c --fn f --jobs 1";
    bench.fails(&format!("{explore} --fail-on new"), 2, &["--fail-on new needs a baseline"]);
    bench.fails(&format!("{explore} --baseline nowhere"), 2, &["cannot read nowhere"]);
    assert_eq!(bench.tine(&format!("{explore} --quiet")).code, Some(1));
    // The new session replaces that of the baseline.
    let again = format!("{explore} --baseline tine-out/f --fail-on new");
    let ran = bench.tine(&again);
    assert!(ran.code == Some(0) && ran.stdout.ends_with("0 errors are new\n"), "{ran}");
    bench.write("unit.c", &TWO_ERRORS.replace("return 0;", "return 5 % (y - 100);"));
    let ran = bench.tine(&again);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("2 errors are new\n") && ran.stdout.contains("division by zero in `f`"), "{ran}");
    let ran = bench.tine(&format!("{again} --json"));
    assert_eq!(ran.code, Some(0), "{ran}");
    ran.json();
    // Known errors count, too, unless only new ones are selected.
    assert_eq!(bench.tine(&format!("{explore} --quiet --baseline tine-out/f")).code, Some(1));
}

/// Editors and code scanning count UTF-16 code units, and clang counts bytes.
#[test]
fn columns_count_utf16() {
    let unit = "int g;\nint f(int x) {\n    return \"\u{e4}\u{f6}\u{fc}\u{1d4b3}\"[0] / (x ^ 7);\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --jobs 1 --quiet --out out").code, Some(1));
    let sarif: Value = serde_json::from_str(&bench.tine("report out --format sarif").stdout).expect("SARIF is JSON");
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    let line: Vec<u16> = unit.lines().nth(2).expect("a line").encode_utf16().collect();
    let operator = line.iter().position(|unit| *unit == u16::from(b'/')).expect("an operator") as u64 + 1;
    assert_eq!((region["startLine"].as_u64(), region["startColumn"].as_u64()), (Some(3), Some(operator)));
}

/// Places name the file that the user gave, whatever its name, and consumers find it.
#[test]
fn reports_name_hostile_files() {
    for name in ["a\"b<i>&.c", "a\u{1b}[31m.c", "two words.c"] {
        let bench = Bench::new(&[(name, TWO_ERRORS)]);
        let ran = bench.tine(&format!("test '{name}' --fn f --jobs 1 --json --out out"));
        assert_eq!(ran.code, Some(1), "{ran}");
        let file = bench.path(name).canonicalize().expect("it exists").display().to_string();
        assert_eq!(ran.json()["errors"][0]["file"], *file, "{ran}");
        let ran = bench.tine("report out --format lcov --out tine.info --root /");
        assert_eq!(ran.code, Some(0), "{ran}");
        assert!(text(&bench, "tine.info").contains(&format!("SF:{}\n", &file[1..])), "{}", text(&bench, "tine.info"));
        assert_eq!(bench.tine("report out --html page").code, Some(0));
        assert!(!text(&bench, "page/index.html").contains("cannot be read here"), "the page has the source of {name}");
    }
}

/// Numbers of a session that is still explored.
#[test]
fn a_running_session_has_current_numbers() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let mut explorer =
        bench.command("test unit.c --fn f --jobs 1 --max-time 100s --quiet --out run").spawn().expect("tine");
    let mut report = Value::Null;
    wait_for("a second of exploration", || {
        let ran = bench.tine("report run --format json");
        report = serde_json::from_str(&ran.stdout).unwrap_or_default();
        report["paths"].as_u64() > Some(20)
    });
    let summary = &report;
    assert!(summary["lines_covered"].as_u64() > Some(3), "{report}");
    assert_eq!(summary["conditions_total"].as_u64(), Some(2), "{report}");
    assert_eq!(summary["checks"], "default", "{report}");
    let sarif: Value = serde_json::from_str(&bench.tine("report run --format sarif").stdout).expect("SARIF is JSON");
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let text = bench.tine("report run").stdout;
    assert!(!text.contains("0 queries") && !text.contains("checks:"), "{text}");
    let _ = Command::new("kill").args(["-INT", &explorer.id().to_string()]).status();
    let _ = explorer.wait();
    let text = bench.tine("report run").stdout;
    assert!(text.contains("queries"), "{text}");
}
