//! Attacks on the host's side of the promises in SECURITY.md: records, sessions, configuration, caches, the terminal.
//! If the tests run as root, the attacks of a running unit are repeated as an ordinary user.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::support::{Bench, Ran, ran};

/// A program with an abort. Its first argument selects a manipulation of the records before the abort.
const TAMPER: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tine.h>
struct area { unsigned long offset, len; };
struct start { unsigned long magic; unsigned version, pad; unsigned long len; struct area areas[12]; };
static unsigned char *const base = (unsigned char *)0x390000000000UL;
static unsigned char *area(int k) { return base + ((struct start *)base)->areas[k].offset; }
static void *hammer(void *nodes) {
    for (unsigned k = 0;; k = k * 1103515245 + 12345)
        ((volatile unsigned *)nodes)[k / 65536 % 1024] = k;
    return 0;
}
static void fill(int from, int to, int byte) {
    for (int k = from; k <= to; k++) memset(area(k), byte, 4096);
}
int main(int argc, char **argv) {
    int x = tine_int("x"), y = tine_int("y"), r = 0;
    static int table[8] = {1, 5, 2, 7, 3, 9, 4, 0};
    if (x == 1234) r++;
    if (table[y & 7] == 7) r++;
    struct start *start = (void *)base;
    char path[80];
    pthread_t thread;
    switch (argv[1][0]) {
    case '0': break;
    case 'a': memset(base, 0, 4096); break;
    case 'b': memset(base, 0xff, sizeof *start); break;
    case 'c': memset(base + sizeof *start, 0xff, 512); break;
    case 'd': fill(4, 4, 0xff); break;
    case 'e': fill(5, 5, 0); break;
    case 'f': fill(1, 2, 0xaa); break;
    case 'g': ((unsigned *)area(4))[9] ^= 4; break;
    case 'h': ((unsigned *)area(5))[2] ^= 1; break;
    case 'i': fill(10, 10, 0x55); break;
    case 'j': fill(8, 8, 1); break;
    case 'k': for (int k = 0; k < 12; k++) start->areas[k].offset = start->areas[k].len = ~0UL; break;
    case 'l': pthread_create(&thread, 0, hammer, area(4)); usleep(2000); break;
    case 'm': for (unsigned k = 0;; k++) ((volatile unsigned *)(base + sizeof *start))[k % 32] = k;
    case 'n': fill(0, 11, 0); break;
    case 'o':
        sprintf(path, "/proc/self/map_files/390000000000-%lx", 0x390000000000UL + ((start->len + 4095) & ~4095UL));
        ftruncate(open(path, O_RDWR), 0);
        break;
    }
    if (r == 2) abort();
    return 0;
}
"#;

const UNPRIVILEGED: u32 = 65534;

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("a process").uid() == 0
}

/// Runs tine as this user, and also as an ordinary one if this one is root.
fn as_everybody(bench: &Bench, arguments: &str, mut check: impl FnMut(&Ran)) {
    check(&bench.tine(arguments));
    if is_root() {
        bench.give_to(UNPRIVILEGED);
        let mut command = bench.command(arguments);
        command.uid(UNPRIVILEGED).gid(UNPRIVILEGED).env_remove("XDG_CACHE_HOME");
        check(&ran(arguments, &mut command));
        bench.give_to(0);
    }
}

#[test]
fn a_unit_that_destroys_its_records_is_told_from_one_that_does_not() {
    let bench = Bench::new(&[("tamper.c", TAMPER)]);
    bench.compile("tamper.c", "tamper");
    for mode in "0abcdefghijklmno".chars() {
        let arguments = format!("run ./tamper --json --max-time 20s --run-timeout 300ms -- {mode}");
        as_everybody(&bench, &arguments, |ran| {
            // Neither a signal nor a bug in tine.
            assert!(matches!(ran.code, Some(0 | 1)), "{mode}: {ran}");
            let summary = ran.json();
            let verdict = summary["verdict"].as_str().expect("a verdict");
            let has_abort = ran.stdout.contains("\"abort\"");
            let is_told = ran.stdout.contains("the unit destroyed its records");
            assert_eq!(is_told, is_told && verdict == "incomplete", "{mode}: {ran}");
            match mode {
                '0' => assert!(verdict == "complete" && has_abort, "{ran}"),
                // Counters are kept elsewhere, tables matter only where they are used, and the size is sealed.
                'c' | 'i' | 'o' => assert!(has_abort || is_told, "{mode}: {ran}"),
                _ => assert!(is_told, "{mode}: {ran}"),
            }
            let _ = fs::remove_dir_all(bench.path("tine-out"));
        });
    }
}

const SCALE: &str = "int scale(int x) { if (x > 3) return 2; return 1; }\n";

#[test]
fn another_program_in_a_session_is_not_run() {
    let bench = Bench::new(&[
        ("scale.c", SCALE),
        (
            "fake.c",
            "#include <stdio.h>\nvolatile const char *m[] = {\"tine runtime, contract 1\", \"tine runtime, replays in the sandbox\"};\nint main(void) { return !fopen(VICTIM, \"w\") || !m[0]; }\n",
        ),
    ]);
    let victim = bench.path("victim");
    let built = std::process::Command::new("clang-22")
        .current_dir(bench.path("."))
        .arg(format!("-DVICTIM=\"{}\"", victim.display()))
        .args(["-w", "fake.c", "-o", "fake"])
        .status();
    assert!(built.expect("clang").success());
    assert_eq!(bench.tine("test scale.c --fn scale --max-runs 1").code, Some(0));
    assert_eq!(bench.tine("replay tine-out 1").code, Some(0));
    assert_eq!(bench.tine("graph tine-out").code, Some(0));
    for (name, commands) in
        [("unit.native", &["replay tine-out 1"][..]), ("unit", &["graph tine-out", "resume tine-out --max-runs 9"])]
    {
        let place = bench.path("tine-out/scale").join(name);
        fs::rename(&place, bench.path("kept")).expect("a file of the session");
        fs::copy(bench.path("fake"), &place).expect("another program");
        for command in commands {
            let ran = bench.tine(command);
            assert_eq!(ran.code, Some(2), "{ran}");
            assert!(ran.stderr.contains("is not the program of the session"), "{ran}");
        }
        fs::rename(bench.path("kept"), &place).expect("the file as it was");
    }
    assert!(!victim.exists());
    // Another user could change the file between the check and the start.
    let native = bench.path("tine-out/scale").join("unit.native");
    fs::set_permissions(&native, Permissions::from_mode(0o777)).expect("our own file");
    let ran = bench.tine("replay tine-out 1");
    assert!(ran.code == Some(2) && ran.stderr.contains("others may write"), "{ran}");
}

#[test]
fn links_in_a_directory_lead_nowhere() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    fs::write(bench.home().join("precious"), "precious").expect("a file");
    fs::create_dir_all(bench.path("tine-out/scale")).expect("a directory");
    for name in ["unit", "unit.native", "driver.c", "session.new", "session.db", "session.db-wal", "session.probe"] {
        symlink(bench.home().join("precious"), bench.path("tine-out/scale").join(name)).expect("a link");
    }
    fs::remove_file(bench.path("tine-out/scale").join("session.db")).expect("a link");
    let ran = bench.tine("test scale.c --fn scale");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(fs::read_to_string(bench.home().join("precious")).expect("it is there"), "precious");
    fs::remove_dir_all(bench.path("tine-out")).expect("a session");
    symlink(bench.home(), bench.path("tine-out")).expect("a link");
    let ran = bench.tine("test scale.c --fn scale");
    assert!(ran.code == Some(2) && ran.stderr.contains("it is a symbolic link"), "{ran}");
    assert_eq!(fs::read_dir(bench.home()).expect("a directory").count(), 1);
}

#[test]
fn a_configuration_is_trusted_once_the_user_says_so() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    let untrusted = ["only if you trust the file", "--trust"];
    for text in ["out = \"../elsewhere\"\n", "[test]\ncflags = \"-fplugin=./evil.so\"\n", "solver-log = \"/tmp/log\"\n"]
    {
        bench.write("tine.toml", text);
        bench.fails("test scale.c --fn scale", 2, &untrusted);
    }
    bench.write("tine.toml", "trust = true\n[run]\nallow = true\n");
    bench.fails("test scale.c --fn scale", 2, &["cannot declare itself trusted"]);
    bench.write("tine.toml", "[run]\nallow = true\n");
    bench.fails("run scale.c", 2, &["sets `allow`"]);

    bench.write("tine.toml", "out = \"../elsewhere\"\n");
    let remove = || fs::remove_dir_all(bench.path("../elsewhere")).expect("a session");
    assert_eq!(bench.tine("test scale.c --fn scale --trust").code, Some(0));
    remove();
    assert_eq!(bench.tine("test scale.c --fn scale").code, Some(0), "it is remembered");
    remove();
    let list = bench.home().join(".local/state/tine/trusted");
    assert_eq!(fs::metadata(&list).expect("a list").mode() & 0o777, 0o600);
    fs::set_permissions(&list, Permissions::from_mode(0o666)).expect("our own file");
    bench.fails("test scale.c --fn scale", 2, &["list of trusted files is not used", untrusted[0]]);
    fs::set_permissions(&list, Permissions::from_mode(0o600)).expect("our own file");
    bench.write("tine.toml", "out = \"../elsewhere2\"\n");
    bench.fails("test scale.c --fn scale", 2, &untrusted);

    bench.write("tine.toml", "out = \"results\"\n[test]\ncflags = \"-DX=1 -O2 -Wall -I .\"\n");
    assert_eq!(bench.tine("test scale.c --fn scale").code, Some(0), "nothing in it needs trust");
}

#[test]
fn a_compilation_database_loads_no_plugins() {
    let bench = Bench::new(&[
        ("scale.c", SCALE),
        (
            "evil.c",
            "#include <stdio.h>\n__attribute__((constructor)) static void evil(void) { fopen(\"loaded\", \"w\"); }\n",
        ),
    ]);
    let built = std::process::Command::new("clang-22")
        .current_dir(bench.path("."))
        .args(["-w", "-shared", "-fPIC", "evil.c", "-o", "evil.so"])
        .status();
    assert!(built.expect("clang").success());
    let plugin = bench.path("evil.so");
    for flags in [
        format!("-fplugin={}", plugin.display()),
        format!("-fpass-plugin={}", plugin.display()),
        format!("-Xclang -load -Xclang {}", plugin.display()),
        "@flags".to_owned(),
    ] {
        let command = format!("cc {flags} -c scale.c");
        let database = serde_json::json!([{ "directory": bench.path("."), "file": "scale.c", "command": command }]);
        bench.write("compile_commands.json", &database.to_string());
        bench.fails("test scale.c --fn scale -p .", 2, &["compile_commands.json compiles with", "--trust"]);
    }
    assert!(!bench.path("loaded").exists());
}

#[test]
fn caches_of_others_are_not_used() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    let cache = bench.path("../cache");
    fs::create_dir_all(cache.join("tine")).expect("a directory");
    let refused = |part: &str| {
        let mut command = bench.command("cc -c scale.c -o scale.o");
        let ran = ran("cc", command.env("XDG_CACHE_HOME", &cache));
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(ran.stderr.contains("the cache is not used") && ran.stderr.contains(part), "{ran}");
    };
    fs::set_permissions(cache.join("tine"), Permissions::from_mode(0o777)).expect("our own directory");
    refused("other users may write");
    fs::set_permissions(cache.join("tine"), Permissions::from_mode(0o700)).expect("our own directory");
    if is_root() {
        chown(cache.join("tine"), Some(UNPRIVILEGED), None).expect("root may");
        refused("belongs to another user");
    }
    fs::write(bench.path("answers"), "").expect("a file");
    fs::set_permissions(bench.path("answers"), Permissions::from_mode(0o666)).expect("our own file");
    bench.fails("test scale.c --fn scale --solver-cache answers", 2, &["--solver-cache is not used", "may write"]);
}

#[test]
fn resuming_lifts_and_writes_only_what_the_user_says_again() {
    let unit = "#include <tine.h>\nint main(void) { int x = tine_int(\"x\"); if (x == 5) return 1; return 0; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("run unit.c --max-runs 1 --allow").code, Some(0));
    bench.fails("resume tine-out --max-runs 9", 2, &["allowed to start processes", "--allow"]);
    assert_eq!(bench.tine("resume tine-out --max-runs 9 --allow").code, Some(0));
    assert_eq!(bench.tine("run unit.c --max-runs 1 --testcomp ../suite --out other").code, Some(0));
    bench.fails("resume other --max-runs 9", 2, &["outside of the current directory", "--trust"]);
    assert_eq!(bench.tine("resume other --max-runs 9 --trust").code, Some(0));
}

/// False for characters that control a terminal, and for one that reverses text.
fn is_harmless(text: &str) -> bool {
    !text.chars().any(|character| character.is_control() && character != '\n' || character == '\u{202e}')
}

#[test]
fn nothing_of_a_unit_moves_the_cursor() {
    let unit = "#include <stdio.h>\n#include <stdlib.h>\n#include <tine.h>\nint main(void) {\n    \
                int x = tine_int(\"\\x1b]0;pwned\\x07\\x1b[2J\\nverdict: \\xc2\\x9b\\xe2\\x80\\xae\\xff\");\n    \
                fputs(\"\\x1b[31mred\\n\", stderr);\n    if (x == 5) abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("esc.c", unit)]);
    let found = bench.tine("run esc.c --show-output");
    assert_eq!(found.code, Some(1), "{found}");
    assert!(found.stdout.contains("\\x1b]0;pwned\\x07\\x1b[2J\\nverdict: \\x9b\\u{202e}"), "{found}");
    assert!(found.stdout.contains("\\x1b[31mred"), "{found}");
    assert_eq!(found.stdout.matches("\nverdict: ").count(), 1, "{found}");
    let mut outputs = vec![found.stdout];
    for arguments in [
        "show tine-out",
        "show tine-out 2",
        "show tine-out 2 --dot",
        "show tine-out 2 --svg",
        "show tine-out 2 --shell",
    ] {
        outputs.push(bench.tine(arguments).stdout);
    }
    for arguments in ["show tine-out 2 --json", "run esc.c --json --out other"] {
        let ran = bench.tine(arguments);
        assert!(ran.json().is_object(), "{ran}");
        outputs.push(ran.stdout);
    }
    for text in outputs {
        assert!(is_harmless(&text) && !text.is_empty(), "{text:?}");
    }
    let missing = bench.tine("show 'no\x1b[2Jsession'");
    assert!(missing.code == Some(2) && is_harmless(&missing.stderr), "{missing}");
}

/// A file that does not exist has no owner to check.
#[test]
fn fresh_caches_are_private() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    let cache = bench.path("../cache");
    let mut command = bench.command("cc -c scale.c -o scale.o");
    let ran = ran("cc", command.env("XDG_CACHE_HOME", &cache));
    assert_eq!(ran.code, Some(0), "{ran}");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").mode() & 0o777;
    assert_eq!(mode(&cache.join("tine")), 0o700);
}
