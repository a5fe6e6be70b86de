//! `tine cc` in build systems: its programs run, and behave like those of clang.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

/// A directory of sources with a compiler in it.
struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Bench {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            fs::write(dir.path().join(name), text).expect("written");
        }
        fs::create_dir(dir.path().join("tmp")).expect("made");
        Bench { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// `arguments` of `tine`, separated by spaces.
    fn tine(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("tine runs")
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tine"));
        command.args(arguments.split_whitespace()).current_dir(self.dir.path()).env("TMPDIR", self.path("tmp"));
        command
    }

    /// Runs `tine` and expects neither errors nor warnings.
    #[track_caller]
    fn make(&self, arguments: &str) {
        let output = self.tine(arguments);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && messages.is_empty(), "tine {arguments}\n{messages}");
        self.nothing_left_behind();
    }

    #[track_caller]
    fn nothing_left_behind(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).expect("there").collect();
        assert!(left.is_empty(), "{left:?}");
    }

    /// Standard output and exit code of a program built here.
    fn run(&self, program: &str) -> (String, Option<i32>) {
        let output = Command::new(self.path(program))
            .current_dir(self.dir.path())
            .env("LD_LIBRARY_PATH", self.dir.path())
            .output()
            .expect("the program runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("there")
    }
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n";
const MAIN: &str = "int f(int);\nint main(void) { return f(40); }\n";
const F: &str = "int f(int x) { return x > 3 ? x + 2 : 0; }\n";

fn hello() -> (String, Option<i32>) {
    ("hello\n".into(), Some(7))
}

#[test]
fn programs_run() {
    let bench = Bench::new(&[("hello.c", HELLO), ("main.c", MAIN), ("f.c", F)]);
    for flags in [
        "",
        "-O2 -g",
        "-static",
        "-no-pie -fno-pie",
        "-Wl,--gc-sections -ffunction-sections",
        "-pthread -Wl,--as-needed",
    ] {
        bench.make(&format!("cc {flags} hello.c -o hello"));
        assert_eq!(bench.run("hello"), hello(), "with {flags}");
    }
    bench.make("cc main.c f.c");
    assert_eq!(bench.run("a.out").1, Some(42));
    bench.make("cc -c main.c f.c");
    bench.make("cc main.o f.o -o linked");
    assert_eq!(bench.run("linked").1, Some(42));
    bench.make("cc -r main.o f.o -o both.o");
    bench.make("cc both.o -o from_both");
    assert_eq!(bench.run("from_both").1, Some(42));
}

#[test]
fn native_programs_run() {
    let bench = Bench::new(&[
        ("hello.c", HELLO),
        ("input.c", "#include <tine.h>\nint main(void) { return tine_int(\"x\") + 5; }\n"),
    ]);
    bench.make("cc --native hello.c -o hello");
    assert_eq!(bench.run("hello"), hello());
    bench.make("cc --native --checks -O2 hello.c -o hello");
    assert_eq!(bench.run("hello"), hello());
    for kind in ["", "--native", "--native --checks"] {
        bench.make(&format!("cc {kind} input.c -o input"));
        assert_eq!(bench.run("input").1, Some(5), "inputs are zero without an engine");
    }
}

#[test]
fn interfaces_of_other_tools() {
    let bench = Bench::new(&[(
        "all.c",
        "#include <klee/klee.h>\n#include <cute.h>\n#include <crest.h>\n\
         extern int __VERIFIER_nondet_int(void);\n\
         int main(void) { int a, b, c; klee_make_symbolic(&a, sizeof a, \"a\"); CREST_int(b); CUTE_input(c);\n\
         return a + b + c + __VERIFIER_nondet_int() + klee_int(\"d\") + 9; }\n",
    )]);
    bench.make("cc all.c -o all");
    assert_eq!(bench.run("all").1, Some(9));
    bench.make("cc --native all.c -o all");
    assert_eq!(bench.run("all").1, Some(9));
}

#[test]
fn models_stand_for_the_library_only() {
    let main = "#include <string.h>\nsize_t away(const char *);\n\
                int main(void) { char text[] = \"abc\"; return (int)(10 * strlen(text) + away(\"abcd\")); }\n";
    let bench = Bench::new(&[
        ("main.c", main),
        ("away.c", "#include <string.h>\nsize_t away(const char *s) { return strlen(s); }\n"),
        ("own.c", "unsigned long strlen(const char *s) { return *s == 'a' ? 7 : 0; }\n"),
    ]);
    bench.make("cc main.c away.c -o main");
    assert_eq!(bench.run("main").1, Some(34));
    bench.make("cc -static main.c away.c -o main");
    assert_eq!(bench.run("main").1, Some(34), "a static program has the library, too");
    bench.make("cc -w -c own.c -o own.o");
    bench.make("cc main.c away.c own.o -o main");
    assert_eq!(bench.run("main").1, Some(77), "a function of the program's own, from another file");
    let archived = Command::new("ar").current_dir(bench.dir.path()).args(["rcs", "libown.a", "own.o"]).status();
    assert!(archived.expect("ar runs").success());
    bench.make("cc main.c away.c -L. -lown -o main");
    assert_eq!(bench.run("main").1, Some(77), "from an archive");
    bench.make("cc -shared -fPIC -Wl,-z,defs away.c -o libaway.so");
    bench.make("cc main.c -L. -laway -o main");
    assert_eq!(bench.run("main").1, Some(34), "from a shared library");
}

/// `configure` probes by linking. Functions that it finds must also exist in a native build.
#[test]
fn models_exist_for_functions_that_exist() {
    let bench = Bench::new(&[]);
    for function in ["strlcpy", "__isoc23_strtol", "rawmemchr", "getopt_long"] {
        let ask = format!("char {function}(); int main(void) {{ return {function}(); }}\n");
        fs::write(bench.path("conftest.c"), ask).expect("written");
        let finds = |kind: &str| bench.tine(&format!("cc {kind} -w conftest.c -o conftest")).status.success();
        assert_eq!(finds(""), finds("--native"), "{function}");
    }
}

#[test]
fn shared_libraries_find_the_runtime() {
    let bench = Bench::new(&[("main.c", MAIN), ("f.c", F), ("only_f.map", "{ global: f; local: *; };\n")]);
    for flags in ["", "-Wl,-z,defs", "-Wl,--no-undefined -Wl,--version-script=only_f.map"] {
        bench.make(&format!("cc -shared -fPIC f.c -o libf.so {flags}"));
        bench.make("cc main.c -o main -L. -lf");
        assert_eq!(bench.run("main").1, Some(42), "with {flags}");
    }
    bench.make("cc --native main.c -o main -L. -lf");
    assert_eq!(bench.run("main").1, Some(42), "a native program with an instrumented library");
}

#[test]
fn archives_and_assembly() {
    let assembly = ".globl g\ng: mov $40, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n";
    let bench = Bench::new(&[
        ("main.c", "int f(int), g(void); int main(void) { return f(g()); }"),
        ("f.c", F),
        ("g.s", assembly),
    ]);
    let archive = |name: &str, object: &str| {
        let status = Command::new("ar").args(["rcs", name, object]).current_dir(bench.dir.path()).status();
        assert!(status.expect("ar runs").success());
    };
    bench.make("cc -c f.c -o f.o");
    archive("libf.a", "f.o");
    bench.make("cc main.c g.s -L. -lf -o main");
    assert_eq!(bench.run("main").1, Some(42));

    // A library may define `main`, as test frameworks do.
    bench.make("cc -c main.c -o main.o");
    archive("libmain.a", "main.o");
    bench.make("cc g.s -L. -lmain -lf -o main");
    assert_eq!(bench.run("main").1, Some(42));
}

#[test]
fn cplusplus() {
    let source = "#include <iostream>\n#include <stdexcept>\n\
        int f(int x) { if (x > 3) throw std::runtime_error(\"large\"); return x; }\n\
        int main() { try { return f(4); } catch (const std::exception &e) { std::cout << e.what() << '\\n'; return 3; } }\n";
    let bench = Bench::new(&[("a.cc", source)]);
    bench.make("cc a.cc -o a");
    assert_eq!(bench.run("a"), ("large\n".into(), Some(3)));
    bench.make("c++ -c a.cc");
    bench.make("c++ a.o -o a");
    assert_eq!(bench.run("a"), ("large\n".into(), Some(3)));
}

#[test]
fn dependency_files() {
    let bench = Bench::new(&[("a.c", "#include \"a.h\"\nint a;\n"), ("a.h", "")]);
    fs::create_dir(bench.path("obj")).expect("made");
    for (arguments, file, target) in [
        ("-MMD -c a.c", "a.d", "a.o"),
        ("-MMD -c a.c -o obj/x.o", "obj/x.d", "obj/x.o"),
        ("-MMD -MF deps -c a.c -o obj/x.o", "deps", "obj/x.o"),
        ("-MMD -MF deps -MT target -c a.c -o obj/x.o", "deps", "target"),
        ("-Wp,-MMD,wp.d -c a.c -o a.o", "wp.d", "a.o"),
    ] {
        bench.make(&format!("cc {arguments}"));
        let ours = bench.text(file);
        assert_eq!(ours, format!("{target}: a.c a.h\n"), "{arguments}");
        // The same names and contents as with clang.
        fs::remove_file(bench.path(file)).expect("removed");
        let status = Command::new("clang-22").args(arguments.split_whitespace()).current_dir(bench.dir.path()).status();
        assert!(status.expect("clang-22 runs").success());
        assert_eq!(bench.text(file), ours, "{arguments}");
    }
}

#[test]
fn precompiled_headers() {
    let bench = Bench::new(&[
        ("all.h", "#include <stdio.h>\nstatic int seven(void) { return 7; }\n"),
        ("a.c", "int main(void) { puts(\"hello\"); return seven(); }\n"),
    ]);
    bench.make("cc -O2 -x c-header all.h -o all.pch");
    bench.make("cc -O2 -include-pch all.pch a.c -o a");
    assert_eq!(bench.run("a"), hello());
}

#[test]
fn odd_outputs_and_inputs() {
    let bench =
        Bench::new(&[("hello.c", HELLO), ("args", "-c 'hello.c' -o\n\"my hello.o\""), ("more", "@args -DX='a b'")]);
    bench.make("cc -c hello.c -o /dev/null");
    assert!(Path::new("/dev/null").exists());
    bench.make("cc @more");
    assert!(bench.path("my hello.o").is_file());
    let assembly = bench.tine("cc -S hello.c -o -");
    assert!(String::from_utf8_lossy(&assembly.stdout).contains("main:"));
    let preprocessed = bench.tine("cc -E hello.c");
    assert!(String::from_utf8_lossy(&preprocessed.stdout).contains("puts(\"hello\")"));
    fs::write(bench.path("hello.i"), preprocessed.stdout).expect("written");
    for command in ["cc -Werror -c hello.i", "cc --native --checks -Werror -c hello.i"] {
        let compiled = bench.tine(command);
        assert!(compiled.status.success() && compiled.stderr.is_empty(), "{command}: {compiled:?}");
    }
    bench.make("cc hello.i -o hello");
    assert_eq!(bench.run("hello"), hello());

    let mut from_stdin = bench.command("cc -x c - -o stdin");
    from_stdin.stdin(fs::File::open(bench.path("hello.c")).expect("there"));
    assert!(from_stdin.status().expect("tine runs").success());
    assert_eq!(bench.run("stdin"), hello());
}

#[test]
fn very_long_commands() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    let defines: String = (0..20_000).map(|i| format!("-DNAME_{i}={i}\n")).collect();
    fs::write(bench.path("defines"), defines).expect("written");
    bench.make("cc @defines hello.c -o hello");
    assert_eq!(bench.run("hello"), hello());
}

#[test]
fn answers_like_clang() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    for arguments in
        ["--version", "-dumpmachine", "-print-search-dirs", "-print-file-name=libc.so", "-v", "-c", "-V", "-qversion"]
    {
        let ours = bench.tine(&format!("cc {arguments}"));
        let theirs = Command::new("clang-22").args(arguments.split_whitespace()).current_dir(bench.dir.path()).output();
        let theirs = theirs.expect("clang-22 runs");
        assert_eq!(ours.stdout, theirs.stdout, "{arguments}");
        assert_eq!(ours.status.code(), theirs.status.code(), "{arguments}");
    }
}

/// Exit code and messages of a command that fails.
fn failure(bench: &Bench, arguments: &str) -> (Option<i32>, String) {
    let output = bench.tine(arguments);
    bench.nothing_left_behind();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn errors() {
    let bench = Bench::new(&[
        ("bad.c", "int f( {\n"),
        ("hello.c", HELLO),
        ("undefined.c", "int g(void); int main(void) { return g(); }\n"),
    ]);
    let (code, message) = failure(&bench, "cc -c bad.c -o bad.o");
    assert_eq!(code, Some(1));
    assert!(message.contains("bad.c:1:8: error: expected parameter declarator"), "{message}");
    assert!(!bench.path("bad.o").exists());

    let (code, message) = failure(&bench, "cc undefined.c -o undefined");
    assert_eq!(code, Some(1));
    assert!(message.contains("undefined reference to `g'"), "{message}");

    let (code, message) = failure(&bench, "cc missing.c");
    assert_eq!(code, Some(1));
    assert!(message.contains("no such file or directory: 'missing.c'"), "{message}");

    let (code, message) = failure(&bench, "cc -m32 hello.c");
    assert_eq!(code, Some(2));
    assert!(message.contains("`-m32` is not supported"), "{message}");

    let (code, message) = failure(&bench, "cc -c hello.c -o no/such/dir.o");
    assert_eq!(code, Some(2));
    assert!(message.contains("cannot write no/such/dir.o"), "{message}");

    let output = bench.command("cc hello.c").env("PATH", "/nonexistent").output().expect("tine runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("install the Debian package clang-22"));
}

#[test]
fn notes_and_commands_are_shown() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    let noted = bench.tine("cc -fsanitize=address hello.c -o hello");
    assert!(noted.status.success());
    assert!(String::from_utf8_lossy(&noted.stderr).contains("note: `-fsanitize=address` is left out"));
    let shown = bench.command("cc -c hello.c").env("TINE_VERBOSE", "1").output().expect("tine runs");
    let shown = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(shown.starts_with("clang-22 ") && shown.contains("\ninstrument "), "{shown}");
}

#[test]
fn many_at_once_with_an_empty_cache() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    let children: Vec<_> = (0..6)
        .map(|i| {
            let mut command = bench.command(&format!("cc hello.c -o hello{i}"));
            command.env("XDG_CACHE_HOME", bench.path("cache")).spawn().expect("tine runs")
        })
        .collect();
    for (i, mut child) in children.into_iter().enumerate() {
        assert!(child.wait().expect("ends").success());
        assert_eq!(bench.run(&format!("hello{i}")), hello());
    }
    let names = |dir: PathBuf| -> Vec<String> {
        fs::read_dir(dir)
            .expect("there")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect()
    };
    let mut roots = names(bench.path("cache/tine"));
    roots.sort();
    assert_eq!(roots.len(), 2, "files of one version, compiled models, no staging directories: {roots:?}");
    assert!(roots[0].starts_with(env!("CARGO_PKG_VERSION")) && roots[1].starts_with("built-"), "{roots:?}");
}

/// If the first build of the models is interrupted, its finished files are used by the next.
#[test]
fn models_that_were_built_are_not_built_again() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    let objects = || -> BTreeMap<PathBuf, SystemTime> {
        let inside = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let files = inside(bench.path("cache/tine")).flat_map(|built| inside(built.join("models")));
        let objects = files.filter(|file| file.extension().is_some_and(|extension| extension == "o"));
        objects
            .filter_map(|file| fs::metadata(&file).and_then(|data| data.modified()).ok().map(|made| (file, made)))
            .collect()
    };
    let build_some = |n: usize| {
        let mut command = bench.command("cc hello.c -o hello");
        let mut child = command.env("XDG_CACHE_HOME", bench.path("cache")).spawn().expect("tine runs");
        while objects().len() < n && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        objects()
    };
    let first = build_some(3);
    let second = build_some(first.len() + 3);
    assert!(first.len() >= 3 && second.len() > first.len());
    assert!(first.iter().all(|(object, made)| second.get(object) == Some(made)));
}

#[test]
fn a_home_that_does_not_exist() {
    let bench = Bench::new(&[("hello.c", HELLO)]);
    let mut command = bench.command("cc hello.c -o hello");
    let status = command.env_remove("XDG_CACHE_HOME").env("HOME", "/nonexistent").status().expect("tine runs");
    assert!(status.success());
    assert_eq!(bench.run("hello"), hello());
}

#[test]
fn make_builds_with_it() {
    let makefile = "CFLAGS = -O2 -MMD\nprog: main.o f.o\n\t$(CC) -o $@ $^\n-include main.d f.d\n";
    let bench = Bench::new(&[("Makefile", makefile), ("main.c", MAIN), ("f.c", F)]);
    let make = || {
        let compiler = format!("CC={} cc", env!("CARGO_BIN_EXE_tine"));
        Command::new("make").args(["-j2", &compiler]).current_dir(bench.dir.path()).output().expect("make runs")
    };
    let output = make();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bench.run("prog").1, Some(42));
    assert!(String::from_utf8_lossy(&make().stdout).contains("up to date"));
}
