//! `tine influence` and `--target`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::Bench;

/// Relations that an annotated unit expects, by line, and the line of its target.
fn expected(text: &str) -> (u32, BTreeMap<u64, (bool, bool)>) {
    let mut target = 0;
    let mut relations = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, words)) = text.split_once("//~ ") else { continue };
        let has = |word: &str| words.split([' ', ':']).any(|known| known == word);
        if has("TARGET") {
            target = line as u32;
        } else {
            assert!(["DECIDES", "INFLUENCED", "UNRELATED"].into_iter().any(has), "{text}");
            relations.insert(line, (has("DECIDES"), has("INFLUENCED")));
        }
    }
    (target, relations)
}

/// Each unit of `tests/influence` has the expected relation on the line of each branch.
#[test]
fn annotated_units() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/influence");
    let bench = Bench::new(&[]);
    let mut compared = 0;
    let mut wrong = Vec::new();
    for unit in std::fs::read_dir(folder).expect("units") {
        let unit = unit.expect("a unit").path();
        let name = unit.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&unit).expect("a unit");
        let (target, expected) = expected(&text);
        let ran = bench.tine(&format!("influence {} --fn f --target {name}:{target} --json", unit.display()));
        assert_eq!(ran.code, Some(0), "{ran}");
        let found = ran.json();
        let branches = found["branches"].as_array().expect("branches");
        for (line, relation) in expected {
            let here: Vec<_> = branches.iter().filter(|branch| branch["line"].as_u64() == Some(line)).collect();
            assert!(!here.is_empty(), "{name}:{line} has no branch: {ran}");
            let any = |key: &str| here.iter().any(|branch| branch[key].as_bool() == Some(true));
            let is = (any("decides"), any("influenced"));
            if is != relation {
                wrong.push(format!("{name}:{line}: (decides, influenced) is {is:?}, expected {relation:?}"));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 30, "{compared}");
}

const UNIT: &str = "\
static int deep(int x) {
    if (x == 77)
        return 1;
    return 2;
}
int f(int a, int b, int c) {
    int n = 0;
    for (int i = 0; i < 24; i++)
        if (b >> i & 1)
            n++;
    if (a == 5)
        if (c == 6)
            return deep(a + c + 66);
    return n > 30;
}
";

#[test]
fn a_relation_is_explained() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine("influence unit.c --fn f --target deep --why unit.c:11");
    assert!(ran.stdout.contains("decides"), "{ran}");
    assert!(ran.stdout.contains("unit.c:13 in `f`"), "the call is on the way: {ran}");
    let ran = bench.tine("influence unit.c --fn f --target unit.c:40 --why unit.c:12");
    assert!(ran.code == Some(2) && ran.stderr.contains("the nearest line with code is"), "{ran}");
    for (target, message) in [
        ("dep", "did you mean `deep`?"),
        ("other.c:3", "no function of the program is in a file `other.c`"),
        ("unit.c:x", "is not of the form"),
    ] {
        let ran = bench.tine(&format!("influence unit.c --fn f --target {target}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{ran}");
        let ran = bench.tine(&format!("test unit.c --fn f --target {target}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{ran}");
    }
}

/// The loop has 2^24 paths, which are unrelated to the target.
#[test]
fn a_target_is_reached_past_unrelated_branches() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let covers = |options: &str| {
        let ran = bench.tine(&format!("test unit.c --fn f --jobs 1 --seed 3 --json --out out {options}"));
        std::fs::remove_dir_all(bench.path("out")).expect("a session");
        let summary = ran.json();
        let open = summary["uncovered"].as_array().expect("a list");
        // The other side in `deep` is infeasible.
        let is_wanted = |side: &&serde_json::Value| side["function"] == "deep" && side["side"] == "true";
        !open.iter().any(|side| is_wanted(&side) || side["line"].as_u64() == Some(12))
    };
    assert!(covers("--target deep --max-runs 8"), "few runs are enough");
    assert!(!covers("--strategy bounded-dfs --max-runs 8"), "it is not easy");
}

/// An access, which is not part of the control flow, decides whether a pointer is NULL.
#[test]
fn a_target_is_reached_past_pointers() {
    let unit = "struct settings { int mode; };\nstatic int special(int v) { return v * 2; }\n\
                int run(const char *text, struct settings *s) {\n    int n = 0;\n\
                for (int i = 0; text[i] && i < 8; i++)\n        if (text[i] > 'm')\n            n++;\n\
                if (s->mode == 3)\n        n = special(n);\n    return n;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --fn run --target special --jobs 1 --max-runs 40 --json");
    let open = ran.json()["uncovered"].as_array().expect("a list").clone();
    assert!(!open.iter().any(|side| side["line"] == 8), "{ran}");
}

/// Paths that differ in unrelated branches alone are left, and the change is done nevertheless. A branch that shares an
/// input with a decision of the target is related after all.
#[test]
fn an_exploration_is_complete_for_a_change() {
    let separate = "int f(int a, int b) {\n    int n = 0, r = 0;\n    for (int i = 0; i < 24; i++)\n        if (b >> i & 1)\n            \
                    n++;\n    if (a == 5)\n        r = 1;\n    return n > 30 ? 1 : r;\n}\n";
    let bench = Bench::new(&[("unit.c", separate), ("shared.c", &UNIT.replace("(b >> i & 1)", "(c >> i & 1)"))]);
    let verdicts = |unit: &str, target: &str| {
        let ran =
            bench.tine(&format!("test {unit}.c --fn f --target {target} --jobs 1 --max-runs 150 --json --out {unit}"));
        let summary = ran.json();
        (summary["verdict"].clone(), summary["change_verdict"].clone())
    };
    assert_eq!(verdicts("unit", "unit.c:7"), ("incomplete".into(), "complete".into()));
    assert_eq!(verdicts("shared", "deep"), ("incomplete".into(), "incomplete".into()));
    let ran = bench.tine("test unit.c --fn f --target unit.c:7 --jobs 1 --max-runs 150 --out text");
    assert!(ran.stdout.contains("verdict: complete for the change"), "{ran}");
}

#[test]
fn weights_are_those_of_the_probabilistic_strategy() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine("influence unit.c --fn f --target deep --svg");
    assert!(ran.stdout.starts_with("<svg") && ran.stdout.contains("stroke=\"blue\""), "{ran}");
    let ran = bench.tine("influence unit.c --fn f --target deep --weights weights.txt");
    assert_eq!(ran.code, Some(0), "{ran}");
    let ran = bench.tine("test unit.c --fn f --strategy probabilistic:weights=weights.txt --max-runs 20 --out out");
    assert!(!ran.stderr.contains("the weights name"), "every line has a branch: {ran}");
}
