//! `tine init` and `tine test` without files: the units of a project.

use std::fs;

use crate::support::Bench;

fn project() -> Bench {
    let bench = Bench::new(&[]);
    for folder in ["src", "include"] {
        fs::create_dir(bench.path(folder)).expect("a directory");
    }
    bench.write("include/limit.h", "#define LIMIT 1000\n");
    bench.write("src/scale.c", "#include \"limit.h\"\nint scale(int x) { return x > LIMIT ? LIMIT : 10 / (x - 3); }\n");
    bench.write(
        "src/twice.c",
        "int twice(int x) { return x > 9 || x < -9 ? 0 : x * 2; }\nint half(int x) { return x / 2; }\n",
    );
    bench
}

#[test]
fn a_project_is_explored_once_and_then_where_it_has_changed() {
    let bench = project();
    let written = bench.tine("init");
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert!(written.stdout.contains("2 units"), "{}", written.stdout);
    let first = bench.tine("test");
    assert_eq!(first.code, Some(1), "{}{}", first.stdout, first.stderr);
    for name in ["scale ", "twice ", "half ", "division by zero"] {
        assert!(first.stdout.contains(name), "{name}: {}", first.stdout);
    }
    // Nothing has changed: the errors and the exit code stay.
    let again = bench.tine("test");
    assert_eq!(again.code, Some(1));
    assert!(again.stdout.contains("division by zero") && again.stdout.contains("2 of 2 units"), "{}", again.stdout);
    // A changed header, then a changed setting.
    bench.write("include/limit.h", "#define LIMIT 900\n");
    assert!(bench.tine("test").stdout.contains("1 of 2 units"));
    let text = fs::read_to_string(bench.path("tine.toml")).expect("a file");
    let text = text.replace("file = \"src/twice.c\"", "file = \"src/twice.c\"\nfn = \"half\"\nexport = \"c\"");
    bench.write("tine.toml", &text);
    let changed = bench.tine("test");
    assert!(!changed.stdout.contains("have not changed") && !changed.stdout.contains("twice "), "{}", changed.stdout);
    assert!(bench.path("tine-out/src_twice.half/c/test_half.c").exists());
    assert_eq!(bench.tine("test --json").json()["functions"].as_array().map(Vec::len), Some(2));
}

#[test]
fn mistakes_in_a_project_are_named() {
    let bench = project();
    assert!(bench.tine("test").stderr.contains("tine init"));
    assert_eq!(bench.tine("init").code, Some(0));
    let refused = bench.tine("init");
    assert!(refused.code == Some(2) && refused.stderr.contains("--force"), "{}", refused.stderr);
    for (unit, part) in [
        ("[[unit]]\nfn = \"f\"\n", "`file` is missing"),
        ("[[unit]]\nfile = \"src/scale.c\"\nmax-run = 3\n", "did you mean `max-runs`"),
        ("[[unit]]\nfile = \"src/scale.c\"\ncflags = \"-fplugin=./evil.so\"\n", "only if you trust the file"),
        ("[[unit]]\nfile = \"src/scale.c\"\nout = \"/tmp/elsewhere\"\n", "cannot be keys of a unit"),
    ] {
        bench.write("tine.toml", unit);
        let failed = bench.tine("test");
        assert!(failed.code == Some(2) && failed.stderr.contains(part), "{unit}: {}", failed.stderr);
    }
    // A unit that does not compile does not prevent the exploration of the others.
    bench.write("bad.c", "int broken(\n");
    bench.write("tine.toml", "[[unit]]\nfile = \"bad.c\"\n[[unit]]\nfile = \"src/twice.c\"\n");
    let mixed = bench.tine("test");
    assert!(mixed.code.is_some_and(|code| code > 1) && mixed.stdout.contains("half "), "{}", mixed.stdout);
}

/// A unit gets the files that it calls, and stubs for functions that no file defines.
#[test]
fn units_of_several_files_are_complete() {
    let bench = Bench::new(&[]);
    bench.write("store.h", "int get(int key);\nint sensor(void);\n");
    bench.write("a.c", "#include \"store.h\"\nint a(int x) { return get(x) > 3 ? sensor() > 9 : 0; }\n");
    bench.write("b.c", "#include \"store.h\"\nint get(int key) { return key > 100 ? 7 : 1; }\n");
    let written = bench.tine("init");
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let text = fs::read_to_string(bench.path("tine.toml")).expect("a file");
    assert!(text.contains("files = [\"a.c\", \"b.c\"]\n") && text.contains("stub = [\"sensor\"]"), "{text}");
    let explored = bench.tine("test");
    assert_eq!(explored.code, Some(0), "{}{}", explored.stdout, explored.stderr);
    assert!(explored.stdout.contains("sessions: tine-out/UNIT"), "{}", explored.stdout);
    assert!(bench.tine("test").stdout.contains("2 of 2 units"));
    bench.write("store.h", "int get(int key);\nint sensor(void);\n#define LATER 1\n");
    assert!(!bench.tine("test").stdout.contains("have not changed"));
}
