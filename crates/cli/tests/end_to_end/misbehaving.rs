//! Misbehaving units do no harm, and end with a clear outcome.

use std::fs;

use serde_json::Value;

use crate::support::{Bench, Ran, errors};

/// Explores a function whose relevant statement is on line 3.
fn explore(headers: &str, statement: &str, flags: &str) -> (Bench, Ran) {
    let includes: String = headers.split_whitespace().map(|name| format!("\n#include <{name}>")).collect();
    let text = format!("#define _GNU_SOURCE{includes}\n#line 2\nint f(int x) {{\n    {statement}\n    return 0;\n}}\n");
    let bench = Bench::new(&[("unit.c", &text)]);
    let ran = bench.tine(&format!("test unit.c --fn f --json {flags}"));
    (bench, ran)
}

#[track_caller]
fn outcome(headers: &str, statement: &str, flags: &str, expected: &[&str]) {
    let (bench, ran) = explore(headers, statement, flags);
    let found: Vec<String> = errors(&ran.json()).into_iter().map(|(kind, line)| format!("{kind} at {line}")).collect();
    assert_eq!(found, expected, "{ran}");
    assert_eq!(ran.code, Some(if expected.is_empty() { 0 } else { 1 }), "{ran}");
    bench.is_tidy();
}

fn refused(summary: &Value) -> Vec<u64> {
    summary["refused"].as_array().expect("a list").iter().filter_map(|call| call["call"].as_u64()).collect()
}

/// The numbers of system calls on x86-64.
mod call {
    pub(super) const SOCKET: u64 = 41;
    pub(super) const CLONE: u64 = 56;
    pub(super) const EXECVE: u64 = 59;
    pub(super) const KILL: u64 = 62;
    pub(super) const UNLINK: u64 = 87;
}

const HARMFUL: &str = "\
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int f(int way, int number) {
    char path[1000];
    snprintf(path, sizeof path, \"%s/precious\", getenv(\"HOME\"));
    switch (way) {
    case 1: unlink(path); break;
    case 2: system(\"rm -rf $HOME/*; echo harm > $HOME/harm\"); break;
    case 3: kill(number, SIGKILL); kill(-1, SIGKILL); kill(getppid(), SIGKILL); break;
    case 4: if (fork() == 0) for (;;) pause(); break;
    case 5: socket(AF_INET, SOCK_STREAM, 0); break;
    case 6: { FILE *file = fopen(path, \"w\"); if (file) fputs(\"harm\", file); break; }
    case 7: { int fd = open(path, O_WRONLY | O_TRUNC); if (fd >= 0) write(fd, path, 3); break; }
    case 8: rename(path, \"/tmp/elsewhere\"); break;
    case 9: truncate(path, 0); break;
    case 10: strcpy(strrchr(path, '/'), \"/new\"); mkdir(path, 0777); symlink(path, path); creat(path, 0666); break;
    case 11: execl(\"/bin/rm\", \"rm\", \"-rf\", getenv(\"HOME\"), NULL); break;
    case 12: chmod(path, 0); chown(path, 1, 1); break;
    }
    return 0;
}
";

#[test]
fn harm_is_refused_and_told() {
    let bench = Bench::new(&[(
        "unit.c",
        &HARMFUL.replace("#include <unistd.h>", "#include <sys/stat.h>\n#include <unistd.h>"),
    )]);
    let precious = bench.home().join("precious");
    fs::write(&precious, "precious\n").expect("a file");
    let ran = bench.tine("test unit.c --fn f --json --out out");
    let summary = ran.json();
    assert_eq!(fs::read_to_string(&precious).expect("it is there"), "precious\n", "{ran}");
    assert_eq!(fs::read_dir(bench.home()).expect("home").count(), 1, "{ran}");
    assert!(summary["runs"].as_u64() >= Some(13), "{ran}");
    for number in [call::SOCKET, call::CLONE, call::EXECVE, call::KILL, call::UNLINK] {
        assert!(refused(&summary).contains(&number), "{number} is missing: {ran}");
    }
    let ran = bench.tine("test unit.c --fn f --out words");
    let line = ran.stdout.lines().find(|line| line.starts_with("the sandbox refused: ")).unwrap_or("");
    for name in ["socket", "clone", "execve", "kill", "unlink"] {
        assert!(line.contains(name), "`{name}` is missing in `{line}`: {ran}");
    }
    bench.is_tidy();
}

/// Creating a file without a name is allowed.
#[test]
fn a_temporary_file_is_no_harm() {
    let bench = Bench::new(&[(
        "unit.c",
        "#include <stdio.h>\nint f(int x) {\n    FILE *file = tmpfile();\n    if (!file || fputs(\"text\", file) < 0)\n        \
         __builtin_trap();\n    rewind(file);\n    return x == 7 ? getc(file) : 0;\n}\n",
    )]);
    let ran = bench.tine("test unit.c --fn f --json --out out");
    assert_eq!((ran.code, refused(&ran.json())), (Some(0), Vec::new()), "{ran}");
    bench.is_tidy();
}

/// A program keeps its working directory. Files that it writes there are redirected, and are gone in the next run.
#[test]
fn what_a_program_writes_is_its_own() {
    let text = "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <tine.h>\n\
                #include <unistd.h>\n\
                static void is(const char *name, const char *expected) {\n    char text[99] = \"\";\n    \
                FILE *file = fopen(name, \"r\");\n    if (!file)\n        strcpy(text, \"none\");\n    \
                else\n        fread(text, 1, 98, file);\n    if (strcmp(text, expected))\n        abort();\n}\n\
                int main(void) {\n    int way = tine_choice(8, \"way\");\n    is(\"precious\", \"precious\");\n    \
                is(\"new\", \"none\");\n    FILE *file;\n    switch (way) {\n    \
                case 1: unlink(\"precious\"); is(\"precious\", \"precious\"); break;\n    \
                case 2: file = fopen(\"precious\", \"a\"); fputs(\" me\", file); fclose(file); \
                is(\"./precious\", \"precious me\"); break;\n    \
                case 3: file = fopen(\"precious\", \"w\"); fputs(\"me\", file); fclose(file); \
                is(\"folder/../precious\", \"me\"); break;\n    \
                case 4: file = fopen(\"new\", \"wx\"); fputs(\"me\", file); fclose(file); is(\"new\", \"me\"); \
                rename(\"new\", \"newer\"); is(\"new\", \"none\"); is(\"newer\", \"me\"); unlink(\"newer\"); \
                is(\"newer\", \"none\"); break;\n    \
                case 5: if (open(\"precious\", O_WRONLY | O_CREAT | O_EXCL, 0666) >= 0) abort(); break;\n    \
                case 6: if (fopen(\"no/such/folder\", \"w\") || open(\"none\", O_WRONLY) >= 0) abort(); break;\n    \
                case 7: if (open(\"folder\", O_RDWR) >= 0) abort(); rename(\"precious\", \"new\"); break;\n    \
                }\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text), ("precious", "precious")]);
    fs::create_dir(bench.path("folder")).expect("a directory");
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --json");
    assert_eq!((ran.code, &ran.json()["paths"]), (Some(0), &8.into()), "{ran}");
    assert_eq!(fs::read_to_string(bench.path("precious")).expect("it is there"), "precious", "{ran}");
    assert!(refused(&ran.json()).contains(&call::UNLINK), "{ran}");
    let mut names: Vec<_> =
        fs::read_dir(bench.path(".")).expect("a directory").flatten().map(|e| e.file_name()).collect();
    names.sort();
    assert_eq!(names, ["folder", "main.c", "precious", "program", "tine-out"], "{ran}");
    bench.is_tidy();
}

/// A program with this code in `main`, whose standard input is an input.
fn program(body: &str, flags: &str) -> (Bench, Ran) {
    let headers = ["dirent.h", "stdio.h", "stdlib.h", "string.h", "sys/stat.h", "sys/wait.h", "unistd.h"];
    let includes: String = headers.iter().map(|name| format!("#include <{name}>\n")).collect();
    let text = format!("{includes}#line 2\nint main(void) {{\n    {body}\n    return 0;\n}}\n");
    let bench = Bench::new(&[("main.c", &text), ("precious", "precious\n")]);
    bench.compile("main.c", "program");
    let ran = bench.tine(&format!("run ./program --sym-stdin 2 --json {flags}"));
    assert_eq!(fs::read_to_string(bench.path("precious")).expect("it is there"), "precious\n", "{ran}");
    bench.is_tidy();
    (bench, ran)
}

#[track_caller]
fn program_outcome(body: &str, flags: &str, expected: &[&str]) {
    let (_, ran) = program(body, flags);
    let found: Vec<String> = errors(&ran.json()).into_iter().map(|(kind, line)| format!("{kind} at {line}")).collect();
    assert_eq!(found, expected, "{ran}");
}

#[test]
fn programs_that_misbehave() {
    program_outcome(
        "while (getchar() == 'q') for (;;) puts(\"and so on\");",
        "--run-timeout 60s",
        &["too much output at 3"],
    );
    program_outcome("fclose(stdin); close(0); if (getchar() != EOF || read(0, &(char){0}, 1) >= 0) abort();", "", &[]);
    program_outcome("if (getchar() == 'q') { fclose(stdin); close(1); close(2); abort(); }", "", &["abort at 3"]);
    program_outcome(
        "if (getchar() == 'q') { char *p = malloc(2ul << 30); if (!p) abort(); memset(p, 1, 2ul << 30); }",
        "",
        &[],
    );
    program_outcome(
        "if (getchar() == 'q') { rmdir(\".\"); unlink(\"precious\"); chdir(\"/\"); abort(); }",
        "",
        &["abort at 3"],
    );
    let (_, ran) = program("if (getchar() == 'q') { atexit(abort); exit(0); }", "");
    assert_eq!(errors(&ran.json())[0].0, "abort", "{ran}");
}

/// Each `fork` fails, so the fork bomb stays a single process.
#[test]
fn a_fork_bomb_is_refused() {
    let bomb = "if (getchar() == 'q') for (int i = 0; i < 1000; i++) if (fork() == 0) for (;;) fork();";
    let (_, ran) = program(bomb, "");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(refused(&ran.json()).contains(&call::CLONE), "{ran}");
}

/// `--allow` lifts the protection: the child's answer arrives. Files stay protected.
#[test]
fn processes_can_be_allowed() {
    let body = "int status; if (getchar() == 'q' && system(\"rm -f precious; exit 7\") == 7 << 8) abort();";
    program_outcome(body, "--allow", &["abort at 3"]);
    program_outcome(body, "", &[]);
}

/// The time limit interrupts recording, again and again: the records so far stay readable.
#[test]
fn recording_can_be_stopped_anywhere() {
    let text = "#include <tine.h>\nint main(void) {\n    unsigned x = tine_uint(\"x\");\n    tine_choice(60, \"n\");\n    \
                for (;;) x = x * 3 + 1;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    bench.compile("unit.c", "unit");
    let ran = bench.tine("run ./unit --run-timeout 20ms --json");
    assert_eq!(ran.code, Some(1), "{ran}");
}

/// A unit runs in its own directory, which is empty at the start of each run.
#[test]
fn files_of_its_own_are_allowed() {
    let statement = "FILE *file = fopen(\"here\", \"wx\"); if (!file) abort(); if (x == 3) abort();";
    outcome("stdio.h stdlib.h", statement, "", &["abort at 3"]);
}

#[test]
fn endless_loop() {
    outcome("", "while (x == 5) { }", "--run-timeout 200ms", &["endless loop at 3"]);
    outcome("unistd.h", "while (x == 5) pause();", "--run-timeout 200ms", &["blocked forever at 3"]);
}

/// Loops that are proved endless have a place.
#[test]
fn endless_loops_of_one_function_are_separate() {
    let loops = "while (x == 5) { } do { x ^= 6; } while (x == 7 || x == 1); while (x == 9) { }";
    outcome("", loops, "--jobs 1", &["endless loop at 3"; 3]);
}

#[test]
fn endless_loop_is_a_bound() {
    // The loop writes to memory, so it is not proved endless.
    let (_, ran) = explore("", "volatile int n = 0; while (x == 5) n++;", "--run-timeout 200ms");
    assert_eq!(ran.json()["verdict"], "bounded", "{ran}");
    assert!(ran.stdout.contains("time limit"), "{ran}");
    let (_, ran) = explore("", "while (x == 5) { }", "");
    assert_eq!((errors(&ran.json()).len(), &ran.json()["verdict"]), (1, &"complete".into()), "{ran}");
}

/// Takes a few milliseconds natively, and seconds when recorded.
const SLOW: &str = "unsigned h = x; if (x == 5) { for (unsigned k = 0; k < 3000000; k++) h = h * 31 + (x ^ k);";

/// The run exceeds its time only because it is recorded: not an error, and not complete. Its coverage counts.
#[test]
fn too_slow_to_follow() {
    let (bench, ran) = explore("", &format!("{SLOW} if (h & 1) x++; else x--; }}"), "--run-timeout 500ms --out out");
    let summary = ran.json();
    assert_eq!((errors(&summary).len(), ran.code), (0, Some(0)), "{ran}");
    assert_eq!(summary["verdict"], "bounded", "{ran}");
    let reason = "bound reached: --run-timeout, run too slow to trace";
    let reasons = summary["reasons"].as_array().expect("a list");
    assert_eq!(reasons.iter().filter(|known| known["what"] == reason && known["count"] == 1).count(), 1, "{ran}");
    // All sides except for one of `h & 1`.
    assert_eq!(summary["branches_covered"], 5, "{ran}");
    let replayed = bench.tine("replay out 2");
    assert!(replayed.stdout.contains("x = 5") && replayed.code == Some(0), "{replayed}");
    bench.is_tidy();
}

/// An error after the part that is too slow to trace is found, and the endless loop is distinguished from the slow one.
#[test]
fn what_comes_after_a_slow_part() {
    let flags = "--run-timeout 500ms";
    outcome("stdlib.h", &format!("{SLOW}\n\nif (h) abort(); }}"), flags, &["abort at 5"]);
    // Do not reuse the condition above: the compiler would compare once, on that line.
    outcome("", &format!("{SLOW} }}\n\n\n\nwhile ((x & 7) == 5) {{ }}"), flags, &["endless loop at 7"]);
}

#[test]
fn signals_do_not_save_an_endless_loop() {
    let statement = "if (x == 5) { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); for (;;) { } }";
    let (bench, ran) = explore("signal.h", statement, "--run-timeout 200ms");
    assert_eq!(errors(&ran.json())[0].0, "endless loop", "{ran}");
    bench.is_tidy();
}

#[test]
fn stack_overflow() {
    outcome("", "if (x == 5) return f(x) + 1;", "", &["stack overflow at 3"]);
}

#[test]
fn endless_output() {
    let (_, ran) = explore("stdio.h", "while (x == 5) puts(\"and so on\");", "--run-timeout 60s");
    assert_eq!(errors(&ran.json()), [("too much output".to_owned(), 3)], "{ran}");
    assert_eq!(ran.json()["verdict"], "bounded", "{ran}");
    assert!(ran.stdout.contains("output limit"), "{ran}");
}

#[test]
fn closes_all_descriptors() {
    let statement = "for (int fd = 0; fd < 1024; fd++) close(fd); if (x == 5) abort();";
    outcome("stdlib.h unistd.h", statement, "", &["abort at 3"]);
}

#[test]
fn meddles_with_descriptors() {
    let statement = "for (int fd = 0; fd < 1024; fd++) { ftruncate(fd, 0); lseek(fd, 0, SEEK_SET); \
                     if (fd > 2) write(fd, \"garbage\", 7); dup2(2, fd); } if (x == 5) abort();";
    outcome("stdlib.h unistd.h", statement, "", &["abort at 3"]);
}

#[test]
fn installs_handlers() {
    let statement = "for (int s = 1; s < 64; s++) signal(s, SIG_IGN); if (x == 5) *(volatile int *)8 = 1;";
    let (bench, ran) = explore("signal.h", statement, "--cflags -fno-sanitize=null");
    // An ignored fault ends the process immediately, so its place is unknown.
    assert_eq!(errors(&ran.json()), [("invalid memory access".to_owned(), 0)], "{ran}");
    bench.is_tidy();
}

#[test]
fn starts_threads() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\nstatic void *work(void *p) { return (void *)((long)p + 1); }\n\
                int f(int x) {\n    pthread_t id[4];\n    void *sum = 0;\n    for (int i = 0; i < 4; i++) {\n        \
                if (pthread_create(&id[i], 0, work, sum))\n            return 1;\n        pthread_join(id[i], &sum);\n    \
                }\n    if (sum == (void *)4 && x == 5)\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let ran = bench.tine("test unit.c --fn f --json --cflags -pthread");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 13)], "{ran}");
    bench.is_tidy();
}

#[test]
fn leaves_threads_running() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\nstatic void *spin(void *p) { for (;;) *(volatile int *)p; }\n\
                int f(int x) {\n    static int cell;\n    pthread_t id;\n    pthread_create(&id, 0, spin, &cell);\n    \
                if (x == 5)\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let ran = bench.tine("test unit.c --fn f --json --cflags -pthread");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 9)], "{ran}");
}

#[test]
fn wants_more_memory_than_there_is() {
    // Only tine's limit makes it NULL: a bound, not an error of the program.
    outcome("stdlib.h", "if (x == 5 && !malloc(2ul << 30)) abort();", "--memory 1G", &[]);
    let statement = "while (x == 5) { char *volatile p = malloc(1 << 20); if (p) for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }";
    outcome("stdlib.h", statement, "--memory 64M --run-timeout 60s", &["out of memory at 3"]);
}

#[test]
fn aborts_at_exit() {
    let (bench, ran) = explore("stdlib.h", "if (x == 5) { atexit(abort); exit(0); }", "");
    assert_eq!(errors(&ran.json()).len(), 1, "{ran}");
    assert_eq!(errors(&ran.json())[0].0, "abort", "{ran}");
    bench.is_tidy();
}

#[test]
fn ends_in_many_ways_that_are_no_errors() {
    for statement in ["exit(x == 5);", "_exit(x == 5);", "quick_exit(x == 5);", "_Exit(x == 5);", "pthread_exit(NULL);"]
    {
        outcome("stdlib.h unistd.h pthread.h", statement, "", &[]);
    }
}

#[test]
fn kills_itself() {
    for name in ["SIGKILL", "SIGTERM", "SIGSYS", "SIGXCPU", "SIGUSR1", "SIGALRM"] {
        let (_, ran) = explore("signal.h", &format!("if (x == 5) raise({name});"), "");
        assert_eq!(errors(&ran.json()).len(), 1, "{name}: {ran}");
    }
    let (_, ran) = explore("signal.h", "if (x == 5) raise(SIGSTOP);", "--run-timeout 200ms");
    assert_eq!(errors(&ran.json()), [("endless loop".to_owned(), 0)], "{ran}");
}

#[test]
fn writes_all_over_its_memory() {
    let statement = "static char start; if (x == 5) memset(&start, 0xff, 1ul << 40);";
    let (bench, ran) = explore("string.h", statement, "--run-timeout 60s");
    assert_eq!(errors(&ran.json()).len(), 1, "{ran}");
    assert!(matches!(ran.code, Some(1)), "{ran}");
    bench.is_tidy();
}

#[test]
fn frees_what_is_not_its_own() {
    let (_, ran) = explore("stdlib.h", "if (x == 5) { char *p = malloc(8); free(p); free(p); }", "");
    assert_eq!(errors(&ran.json()), [("double free".to_owned(), 3)], "{ran}");
}

#[test]
fn reads_standard_input() {
    outcome("stdio.h stdlib.h", "if (getchar() == EOF && x == 5) abort();", "", &["abort at 3"]);
}

#[test]
fn changes_its_limits_and_place() {
    let statement = "struct rlimit none = {0, 0}; setrlimit(RLIMIT_NOFILE, &none); setrlimit(RLIMIT_AS, &none); \
                     chdir(\"/\"); umask(0777); setsid(); alarm(1); nice(19); if (x == 5) abort();";
    outcome("stdlib.h unistd.h sys/resource.h sys/stat.h", statement, "", &["abort at 3"]);
}
