//! Failing calls chosen by the input: `--sym-fail`.

use crate::support::{Bench, Ran, errors};

const UNIT: &str = "\
#include <errno.h>
#include <stdlib.h>
#include <string.h>
int unchecked(int x) {
    int *p = malloc(sizeof *p);
    *p = x;
    free(p);
    return x;
}
int checked(void) {
    char *p = strdup(\"text\");
    if (!p)
        return errno == ENOMEM ? -1 : 100 / errno / 0;
    free(p);
    return 0;
}
int three(void) {
    char *a = malloc(1), *b = 0, *c = 0;
    int n = 0;
    if (a) {
        n = 1;
        b = calloc(2, 2);
        if (b) {
            n = 2;
            c = realloc(c, 4);
            if (c)
                n = 3;
        }
    }
    free(a), free(b), free(c);
    return n;
}
int all(void) {
    void *p = NULL;
    int n = !malloc(1) + !calloc(1, 1) + !realloc(NULL, 1) + !reallocarray(NULL, 1, 1) + !aligned_alloc(16, 16);
    n += posix_memalign(&p, 16, 16) == ENOMEM;
    n += !strdup(\"a\") + !strndup(\"a\", 1);
    return n;
}
int loop(int n) {
    int failed = 0;
    for (int i = 0; i < 3; i++) {
        void *p = malloc(4);
        failed += !p;
        free(p);
    }
    if (failed > 1)
        abort();
    return n;
}
static void *allocate(size_t n) { return malloc(n); }
int wrapped(void) {
    char *a = allocate(1), *b = allocate(2);
    if (!a && b)
        return 1;
    if (a && !b)
        return 2;
    if (!a && !b)
        abort();
    return 0;
}
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int sorted(void) {
    int all[3] = {3, 1, 2};
    qsort(all, 3, sizeof *all, compare);
    return all[0];
}
";

fn test(function: &str, flags: &str) -> (Bench, Ran) {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine(&format!("test unit.c --fn {function} --json --out out --keep all {flags}"));
    (bench, ran)
}

/// Checks paths and verdict. Restarts may add runs.
#[track_caller]
fn counts(function: &str, flags: &str, n: u64, verdict: &str) {
    let (_, ran) = test(function, flags);
    let json = ran.json();
    assert_eq!((ran.code, errors(&json).len()), (Some(0), 0), "{ran}");
    assert_eq!(json["paths"].as_u64(), Some(n), "{ran}");
    assert!(json["runs"].as_u64() >= Some(n), "{ran}");
    assert_eq!(json["verdict"], verdict, "{ran}");
}

#[test]
fn an_allocation_that_nobody_checks() {
    let (bench, ran) = test("unchecked", "--sym-fail 1");
    let json = ran.json();
    assert_eq!(json["errors"][0]["kind"], "null pointer dereference", "{ran}");
    assert_eq!(json["errors"][0]["line"], 6, "{ran}");
    assert!(
        json["errors"][0]["input"].as_str().is_some_and(|input| input.ends_with("fails: allocation 1 at unit.c:5")),
        "{ran}"
    );
    let replayed = bench.tine(&format!("replay out {}", json["errors"][0]["case"]));
    assert!(replayed.stdout.contains("fails: allocation 1 at unit.c:5\nended by signal 11"), "{replayed}");
    let first = bench.tine("replay out 1");
    assert!(first.stdout.contains("exit code 0") && !first.stdout.contains("fails"), "{first}");
}

#[test]
fn nothing_fails_unless_asked() {
    for function in ["checked", "three", "all", "loop", "wrapped", "sorted"] {
        counts(function, "", 1, "complete");
    }
    counts("three", "--sym-fail 0", 1, "complete");
}

#[test]
fn each_allocation_fails_once() {
    counts("checked", "--sym-fail 1", 2, "complete");
    counts("three", "--sym-fail 1", 4, "complete");
    counts("three", "--sym-fail 1 --jobs 2", 4, "complete");
    counts("three", "--sym-fail 1 --seed 7 --init random", 4, "complete");
    counts("all", "--sym-fail 1", 9, "complete");
    // One of eight calls fails, or two of them.
    counts("all", "--sym-fail 2", 1 + 8 + 28, "complete");
    counts("wrapped", "--sym-fail 1", 3, "complete");
    // Allocations of a model itself do not count as the program's.
    counts("sorted", "--sym-fail 1", 1, "complete");
}

#[test]
fn of_the_calls_from_one_place_the_first_fails() {
    counts("loop", "--sym-fail 1", 2, "bounded");
    counts("loop", "--sym-fail 2", 2, "bounded");
    let (_, ran) = test("loop", "--sym-fail 1");
    let json = ran.json();
    let what = json["reasons"][0]["what"].as_str().unwrap_or("");
    assert!(what.contains("--sym-fail"), "{ran}");
}

/// A failing call at one place is tried once at first, although every path reaches it. In the end it is tried on all
/// paths.
#[test]
fn on_other_paths_a_failure_waits() {
    let unit = "#include <stdlib.h>\nint f(unsigned char x) { int n = 0; for (int i = 0; i < 6; i++) if (x >> i & 1) n++;\n\
                char *p = malloc(1); if (!p) return -1; free(p); return n; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let begun = bench.tine("test unit.c --fn f --sym-fail 1 --keep all --max-runs 40 --jobs 1 --out out");
    assert_eq!(begun.code, Some(0), "{begun}");
    let n = bench.tine("show out").stdout.matches("fails: ").count();
    // The call exists twice: in the symbolic and in the concrete track.
    assert!((1..=2).contains(&n), "{n} of 40");
    let ended = bench.tine("resume out --max-runs 1000 --json");
    assert_eq!((&ended.json()["paths"], &ended.json()["verdict"]), (&128.into(), &"complete".into()), "{ended}");
}

#[test]
fn every_case_replays() {
    let (bench, _) = test("three", "--sym-fail 1");
    let list = bench.tine("show out");
    for call in ["1 at unit.c:18", "2 at unit.c:22", "3 at unit.c:25"] {
        assert!(list.stdout.contains(&format!("fails: allocation {call}\n")), "{list}");
    }
    for case in 1..=4 {
        let replayed = bench.tine(&format!("replay out {case}"));
        assert_eq!(replayed.code, Some(0), "{replayed}");
    }
}

#[test]
fn two_failures_are_two_inputs() {
    let unit = "#include <stdlib.h>\nint f(void) { char *a = malloc(1); char *b = malloc(1); char *c = malloc(1);\n\
                if (a && !b && !c) abort(); return 0; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --sym-fail 1 --out one").code, Some(0));
    let ran = bench.tine("test unit.c --fn f --sym-fail 2 --json");
    assert_eq!(
        ran.json()["errors"][0]["input"],
        "fails: allocation 2 at unit.c:2, fails: allocation 3 at unit.c:2",
        "{ran}"
    );
    let replayed = bench.tine(&format!("replay tine-out {}", ran.json()["errors"][0]["case"]));
    assert!(replayed.stdout.contains("ended by signal 6"), "{replayed}");
}

#[test]
fn programs_fail_too() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {\n\
                if (argc < 2) return 0;\nchar *copy = strdup(argv[1]);\nif (argv[1][0] == 'x') copy[0] = 'y';\n\
                char *more = malloc(9);\nif (!more) return 3;\nreturn 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    let ran = bench.tine("run main.c --sym-argv 1,1 --sym-fail 1 --json --out out --keep all");
    let json = ran.json();
    assert_eq!(json["errors"][0]["input"], "argv[1] = \"x\", fails: allocation 1 at main.c:5", "{ran}");
    assert_eq!((json["paths"].as_u64(), &json["verdict"]), (Some(10), &"complete".into()), "{ran}");
    let replayed = bench.tine(&format!("replay out {}", json["errors"][0]["case"]));
    assert!(replayed.stdout.contains("ended by signal 11"), "{replayed}");
    let script = bench.tine(&format!("show out {} --shell", json["errors"][0]["case"]));
    assert!(script.stdout.contains("# allocation 1 fails"), "{script}");
    let list = bench.tine("show out").stdout;
    let second = list.lines().find(|line| line.contains("\"\", fails: allocation 2")).expect("a case");
    let replayed = bench.tine(&format!("replay out {}", second.split(' ').next().expect("a number")));
    assert!(replayed.stdout.contains("exit code 3"), "{replayed}");
}

/// Each kind of call on files, identified by its exit code, in the run and in its replay.
#[test]
fn files_fail_too() {
    let bench = Bench::new(&[("main.c", include_str!("programs/failing_files.c"))]);
    let ran = bench.tine("run main.c --sym-file input,1 --sym-fail files,1 --json --out out --keep all");
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(0), &"complete".into()), "{ran}");
    let list = bench.tine("show out").stdout;
    let reads = ["opening 1", "read 1", "opening 2", "read 2", "", "read 3"];
    let writes = ["write 1", "write 2", "write 3", "write 4", "write 5", "write 6"];
    for (code, what) in (1..).zip(reads.into_iter().chain(writes)) {
        let line =
            list.lines().find(|line| line.contains(&format!("exited {code}: "))).unwrap_or_else(|| panic!("{list}"));
        assert!(line.contains(&format!("fails: {what} at main.c:")) != what.is_empty(), "{line}");
        let replayed = bench.tine(&format!("replay out {}", line.split(' ').next().expect("a number")));
        assert!(replayed.stdout.contains(&format!("ended with exit code {code}\n")), "{replayed}");
    }
    assert!(!list.contains("exited 100"), "{list}");
    let none = bench.tine("run main.c --sym-file input,1 --sym-fail alloc,1 --json --out none --keep all");
    assert_eq!(none.json()["paths"], 2, "{none}");
}

/// An unchecked failure shows where the result is used. A partial write has a known length where that is an input.
#[test]
fn writes_fail_too() {
    let unit = "#include <errno.h>\n#include <stdio.h>\n#include <unistd.h>\n\
                int ignored(void) { int left = 3;\nleft -= write(1, \"abc\", 3);\nreturn 10 / (left == 0); }\n\
                int minded(void) { if (write(1, \"abc\", 3) < 0) return errno == ENOSPC ? 1 : 100 / (errno == ENOSPC); return 0; }\n\
                int some(unsigned char n) { static char all[255]; return 10 / (fwrite(all, 1, n, stdout) == n); }\n\
                int memory(void) { char at[9]; FILE *to = fmemopen(at, 9, \"w\"); if (!to) return 1;\n\
                return 10 / (fputs(\"abc\", to) >= 0); }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let explore = |function: &str, flags: &str| {
        bench.tine(&format!("test unit.c --fn {function} --json --out {function} {flags}"))
    };
    let ignored = explore("ignored", "--sym-fail files,1");
    assert_eq!(errors(&ignored.json()), [("division by zero".to_owned(), 6)], "{ignored}");
    assert_eq!(ignored.json()["errors"][0]["input"], "fails: write 1 at unit.c:5", "{ignored}");
    let replayed = bench.tine(&format!("replay ignored {}", ignored.json()["errors"][0]["case"]));
    assert!(replayed.stderr.contains("division by zero"), "{replayed}");
    let minded = explore("minded", "--sym-fail files,1");
    assert_eq!((errors(&minded.json()).len(), &minded.json()["paths"]), (0, &2.into()), "{minded}");
    let some = explore("some", "");
    assert_eq!((errors(&some.json()).len(), &some.json()["verdict"]), (0, &"complete".into()), "{some}");
    let memory = explore("memory", "--sym-fail files,1");
    assert_eq!(errors(&memory.json()).len(), 0, "{memory}");
}

#[test]
fn an_exploration_goes_on() {
    let (bench, ran) = test("all", "--sym-fail 2 --max-runs 5");
    assert_eq!(ran.json()["runs"], 5, "{ran}");
    let resumed = bench.tine("resume out --max-runs 1000 --json");
    assert_eq!((&resumed.json()["paths"], &resumed.json()["verdict"]), (&37.into(), &"complete".into()), "{resumed}");
}

#[test]
fn sequences_fail_too() {
    let unit = "#include <stdlib.h>\nstruct s { int *p; };\nvoid init(struct s *s) { s->p = malloc(4); }\n\
                int get(struct s *s) { return s->p ? 1 : 100 / (s->p != 0); }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("sequence unit.c --calls init,get* --max-calls 2 --out fine").code, Some(0));
    let ran = bench.tine("sequence unit.c --calls init,get* --max-calls 2 --sym-fail 1 --json");
    assert_eq!(ran.json()["errors"][0]["input"], "init(fails: allocation 1 at unit.c:3), get()", "{ran}");
    let replayed = bench.tine(&format!("replay tine-out {}", ran.json()["errors"][0]["case"]));
    assert!(replayed.stderr.contains("division by zero"), "{replayed}");
}

#[test]
fn wrong_values_are_refused() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    for value in ["-1", "x", "10", "1.5", "''", "disk,1", "alloc"] {
        bench.fails(&format!("test unit.c --fn three --sym-fail={value}"), 2, &["--sym-fail"]);
    }
}
