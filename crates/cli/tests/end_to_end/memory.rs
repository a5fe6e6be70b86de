//! The pointer model changes the cost, not the results.

use std::path::Path;

use crate::support::Bench;

/// Structures with sharing, one node inside another object, and Pex's first example.
const UNITS: [&str; 5] = [
    "benches/structures/list.check.c --fn insert_sorted --requires can_insert_sorted --max-objects 3",
    "benches/structures/doubly_linked.check.c --fn concat --requires can_concat --max-objects 3",
    "tests/structures/utlist/ll_concat.c --fn concat --requires is_valid --max-objects 3",
    "tests/units/aliasing/sentinel_tree.c --fn insert --requires is_tree --ensures stays_tree --max-objects 3 --max-elements 1",
    "tests/units/aliasing/enqueue.c --fn test",
];

fn found(bench: &Bench, unit: &str, flags: &str) -> (Option<i32>, u64, u64, u64, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    let _ = std::fs::remove_dir_all(bench.path("out"));
    let ran = bench.tine(&format!("test {}/{unit} --json --out out {flags}", root.display()));
    let summary = ran.json();
    let number = |key: &str| summary[key].as_u64().expect("a number");
    let verdict = summary["verdict"].as_str().expect("a verdict").to_owned();
    (ran.code, number("paths"), number("branches_covered"), number("divergences"), verdict)
}

#[test]
fn every_model_finds_the_same() {
    let bench = Bench::new(&[]);
    for unit in UNITS {
        let expected = found(&bench, unit, "");
        assert_eq!((expected.0, expected.3), (Some(0), 0), "{unit}: {expected:?}");
        assert_ne!(expected.4, "incomplete", "{unit}");
        for model in ["typed", "primitive"] {
            for switches in ["", "--two-phase off", "--alignment off"] {
                let now = found(&bench, unit, &format!("--experimental --memory 1G,{model} {switches}"));
                assert_eq!(now, expected, "{unit} --memory {model} {switches}");
            }
        }
        // This model cannot express alignment of objects, so nothing is proven.
        let logical = found(&bench, unit, "--experimental --memory logical");
        assert_eq!((logical.0, logical.3), (Some(0), 0), "{unit} --memory logical");
        assert!(logical.1 <= expected.1, "{unit}: {logical:?}");
    }
}

const ADDRESSES: &str = "\
#include <stdint.h>
#include <stdlib.h>
struct pair { long a, b; };
void far(struct pair *p, struct pair *q, char *s) {
    if (!p || !q || !s)
        return;
    p->a = q->a = *s = 1;
    if ((char *)q - (char *)p == -200)
        abort();
    if (((uintptr_t)s & 0xff) == 0x5b && s > (char *)p && s < (char *)q)
        abort();
    if ((uintptr_t)p & 7)
        abort();
    if ((char *)q - (char *)p == 8)
        abort();
}
";

#[test]
fn addresses_are_solved_for_after_objects_were_used() {
    let bench = Bench::new(&[("unit.c", ADDRESSES)]);
    let lines = |flags: &str| {
        let ran = bench.tine(&format!("test unit.c --fn far --json --out out{} {flags}", flags.len()));
        let summary = ran.json();
        let errors = summary["errors"].as_array().expect("errors").iter();
        let mut lines: Vec<u64> = errors.map(|error| error["line"].as_u64().expect("a line")).collect();
        lines.sort_unstable();
        (lines, summary["divergences"].as_u64().expect("a number"))
    };
    for flags in
        ["", "--memory typed", "--memory primitive", "--two-phase off"].map(|flags| format!("--experimental {flags}"))
    {
        // One pair is aligned, and no two objects overlap.
        assert_eq!(lines(&flags), (vec![9, 11], 0), "{flags}");
    }
    assert_eq!(lines("--experimental --memory logical").0, Vec::<u64>::new());
}

#[test]
fn mistakes_are_named() {
    let bench = Bench::new(&[("unit.c", ADDRESSES)]);
    bench.fails(
        "test unit.c --fn far --memory flat",
        2,
        &["invalid value `flat` (expected a size such as 256M, or typed"],
    );
    bench.fails("test unit.c --fn far --two-phase maybe", 2, &["invalid switch `maybe` (expected on or off)"]);
    for flags in ["--memory typed", "--memory 1G,logical", "--two-phase off", "--alignment off", "--solver-record x"] {
        let advice = ["is for experiments only", "add `--experimental` to use it"];
        bench.fails(&format!("test unit.c --fn far {flags}"), 2, &advice);
    }
    bench.write("tine.toml", "alignment = \"off\"\n");
    bench.fails("test unit.c --fn far", 2, &["`--alignment` is for experiments only"]);
}
