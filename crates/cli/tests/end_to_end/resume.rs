//! Explorations that are interrupted and resumed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tine_session::Session;

use crate::support::{Bench, MANY_PATHS, errors, ran, wait_for};

/// 2048 paths, an error on two of them.
const BITS: &str = "\
int f(unsigned x) {
    int n = 0;
    for (int i = 0; i < 11; i++)
        if (x >> i & 1)
            n++;
    if ((x & 2047) == 1234)
        __builtin_trap();
    return n;
}
";

/// Objects, pointers among them, and pointers to functions.
const LIST: &str = "\
struct node { int value; int (*rate)(int); struct node *next; };
int twice(int x) { return 2 * x; }
int none(int x) { return 0; }
int (*known[])(int) = { twice, none };
int f(struct node *list) {
    int sum = 0;
    for (int i = 0; i < 3 && list; i++, list = list->next) {
        if (list->rate)
            sum += list->rate(list->value & 7);
        if (list->value > 100)
            sum++;
    }
    if (sum == 9)
        __builtin_trap();
    return sum;
}
";

fn start(bench: &Bench, arguments: &str) -> Child {
    let mut command = bench.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("tine starts")
}

fn kill(mut child: Child) {
    // It may have ended already.
    let _ = child.kill();
    child.wait().expect("tine ends");
}

/// Numbers of a summary that depend neither on time nor on the number of interruptions.
fn numbers(summary: &serde_json::Value) -> String {
    // The number of runs differs: when restarts take place depends on the order of jobs.
    let numbers = ["paths", "branches_covered", "verdict", "open", "divergences"];
    let numbers: Vec<_> = numbers.iter().map(|key| format!("{key} {}", summary[key])).collect();
    format!("{} {:?}", numbers.join(", "), errors(summary))
}

/// The inputs of all cases, reduced to the part that determines the path.
fn inputs(out: &Path, of: fn(&str) -> String) -> BTreeSet<String> {
    let session = Session::open(out).expect("a session");
    let cases = session.cases().expect("cases that can be read");
    cases.iter().map(|case| of(&case.input.lines().join(" "))).collect()
}

/// The low 11 bits of `x = 1234`.
fn low_bits(line: &str) -> String {
    let number = line.split_whitespace().last().and_then(|word| word.parse::<u32>().ok());
    (number.expect("a number") & 2047).to_string()
}

fn n_results(out: &Path) -> u64 {
    let mut n = 0;
    let session = Session::open(out).expect("a session");
    session
        .journal(|_| {
            n += 1;
            Ok(())
        })
        .expect("a journal that can be read");
    n
}

/// Killed at random times, up to three times, and resumed: the result equals that of an undisturbed exploration.
#[test]
fn what_is_killed_goes_on_to_the_same_end() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock");
    let seed = now.subsec_nanos();
    println!("seed {seed}");
    let mut random = u64::from(seed);
    let mut below = |bound: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % bound
    };
    let bench = Bench::new(&[("bits.c", BITS), ("list.c", LIST)]);
    let mut cut_off = 0;
    for (unit, rounds) in [("bits.c --fn f", 12), ("list.c --fn f --max-objects 4", 8)] {
        let whole = bench.tine(&format!("test {unit} --keep all --json --jobs 1 --out whole")).json();
        assert_eq!(whole["verdict"], "complete", "{whole}");
        for round in 0..rounds {
            let jobs = 1 + below(3);
            let mut child = start(&bench, &format!("test {unit} --keep all --json --jobs {jobs} --out out"));
            wait_for("the session", || Session::open(&bench.path("out")).is_ok());
            for _ in 0..=below(3) {
                std::thread::sleep(Duration::from_millis(below(300)));
                kill(child);
                let session = Session::open(&bench.path("out")).expect("a session, whenever it was killed");
                cut_off += u64::from(session.summary().expect("it can be read").is_none());
                child = start(&bench, &format!("resume out --json --jobs {jobs}"));
            }
            kill(child);
            let ran = bench.tine("resume out --json");
            assert!(matches!(ran.code, Some(0 | 1)), "seed {seed}, round {round}: {ran}");
            assert_eq!(numbers(&ran.json()), numbers(&whole), "seed {seed}, round {round} of {unit}: {ran}");
            let of: fn(&str) -> String = if unit.starts_with("bits") { low_bits } else { |_| String::new() };
            assert_eq!(inputs(&bench.path("out"), of), inputs(&bench.path("whole"), of), "seed {seed}, round {round}");
            std::fs::remove_dir_all(bench.path("out")).expect("it is ours");
        }
        std::fs::remove_dir_all(bench.path("whole")).expect("it is ours");
    }
    assert!(cut_off >= 5, "seed {seed}: only {cut_off} were not done already when they were killed");
}

/// Everything that was displayed is in the session, however tine ends.
#[test]
fn what_was_shown_is_not_lost() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let tine = env!("CARGO_BIN_EXE_tine");
    let mut command = Command::new("script");
    let cache =
        bench.command("").get_envs().filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned()))).collect::<Vec<_>>();
    command.args(["-qfc", &format!("exec {tine} test unit.c --fn f --out out"), "shown"]).current_dir(bench.path("."));
    command.envs(cache).env("COLUMNS", "200").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else {
        println!("there is no `script` here to make a terminal");
        return;
    };
    // `…  1,024 runs · …`
    let shown = || {
        let text = std::fs::read_to_string(bench.path("shown")).unwrap_or_default();
        let before_runs = text.split(" runs").map(|part| part.rsplit(|c: char| c != ',' && !c.is_ascii_digit()).next());
        before_runs.filter_map(|word| word?.replace(',', "").parse::<u64>().ok()).max().unwrap_or(0)
    };
    wait_for("progress", || shown() > 300);
    // The shell has been replaced by tine.
    let children = Command::new("pgrep").args(["-P", &child.id().to_string()]).output().expect("pgrep");
    let pid = String::from_utf8_lossy(&children.stdout).trim().to_owned();
    assert!(Command::new("kill").args(["-9", &pid]).status().expect("kill").success());
    kill(child);
    let runs = shown();
    assert!(n_results(&bench.path("out")) >= runs, "{} of {runs}", n_results(&bench.path("out")));
}

#[test]
fn a_budget_can_be_raised() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let ran = bench.tine("test unit.c --fn f --max-runs 100 --json --jobs 1 --out out");
    assert_eq!(ran.json()["runs"], 100, "{ran}");
    let ran = bench.tine("resume out");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran}");
    assert!(ran.stdout.contains("finished: all 100 runs are used up; go on with a larger --max-runs"), "{ran}");
    let ran = bench.tine("resume out --max-runs 300 --json");
    assert_eq!((ran.json()["runs"].as_u64(), &ran.json()["stopped"]), (Some(300), &"max-runs".into()), "{ran}");
    let ran = bench.tine("resume out --max-runs 100000 --json");
    assert_eq!((ran.json()["paths"].as_u64(), ran.code), (Some(2048), Some(1)), "{ran}");
    assert_eq!(ran.json()["errors"][0]["runs"], 1, "{ran}");
    // A finished session stays finished.
    for flags in ["", "--max-runs 1000000"] {
        let ran = bench.tine(&format!("resume out {flags}"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "as at its end: {ran}");
        assert_eq!(ran.stdout, "the session in `out` is finished: 2048 paths, 1 error, complete\n", "{ran}");
    }
    // Cases of a resumed session are like those of any other.
    let case = Session::open(&bench.path("out")).expect("a session").errors().expect("errors")[0].case;
    assert_eq!(bench.tine(&format!("replay out {case}")).code, Some(1));
}

#[test]
fn another_version_of_the_program_is_refused() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    bench.tine("test unit.c --fn f --max-runs 5 --jobs 1 --out unit");
    bench.write("unit.c", &BITS.replace("1234", "1235"));
    bench.fails("resume unit --max-runs 9", 2, &["unit.c has changed since the session began", "--out"]);
    bench.write("unit.c", BITS);
    assert_eq!(bench.tine("resume unit --max-runs 9 --json").json()["runs"], 9);

    let program = |limit: u32| {
        format!(
            "#include <tine.h>\nint main(void) {{ int x = tine_int(\"x\"); if (x > {limit}) return 1; return x == 3; }}\n"
        )
    };
    bench.write("main.c", &program(7));
    bench.compile("main.c", "main");
    bench.tine("run main --max-runs 1 --out whole");
    bench.write("main.c", &program(8));
    bench.compile("main.c", "main");
    bench.fails("resume whole --max-runs 9", 2, &["main is not the program of the session"]);
    std::fs::remove_file(bench.path("main")).expect("it is ours");
    bench.fails("resume whole --max-runs 9", 2, &["main is gone"]);
}

#[test]
fn what_is_no_session_or_in_use_is_refused() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    bench.fails("resume nowhere", 2, &["there is no session in `nowhere`"]);
    let child = start(&bench, "test unit.c --fn f --out out");
    wait_for("the session", || Session::open(&bench.path("out")).is_ok());
    for command in ["resume out", "test unit.c --fn f --out out"] {
        let ran = bench.tine(command);
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(ran.stderr.contains("another tine is using `out`"), "{ran}");
    }
    kill(child);
}

/// One error message. The committed results can be resumed when there is room.
#[test]
fn a_full_disk_ends_it_with_an_intact_session() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    std::fs::create_dir(bench.path("small")).expect("a directory");
    let tine = env!("CARGO_BIN_EXE_tine");
    let script = format!(
        "mount -t tmpfs -o size=1500k none small || exit 77
         {tine} test unit.c --fn f --out small/out; code=$?
         cp -r small/out saved
         exit $code"
    );
    let mut command = bench.command("");
    let mut inside = Command::new("unshare");
    inside.args(["-Urm", "sh", "-c", &script]).current_dir(bench.path("."));
    inside.envs(command.get_envs().filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned()))));
    command = inside;
    let ran = match command.output().map(|_| ran("in a small place", &mut command)) {
        Ok(ran) if ran.code != Some(77) && ran.code != Some(1) => ran,
        _ => {
            println!("no file system can be mounted here");
            return;
        }
    };
    assert_eq!(ran.code, Some(2), "{ran}");
    assert_eq!(ran.stderr.matches("error:").count(), 1, "{ran}");
    assert!(ran.stderr.contains("the disk is full") && ran.stderr.contains("tine resume small/out"), "{ran}");
    let n_before = n_results(&bench.path("saved"));
    assert!(n_before > 0, "{ran}");
    let again = bench.tine(&format!("resume saved --max-runs {} --json", n_before + 50));
    assert_eq!(again.json()["runs"], n_before + 50, "{again}");
}

/// A session of another format is rejected with its version and advice.
#[test]
fn sessions_of_older_versions_are_refused() {
    let bench = Bench::new(&[("f.c", "int f(int x) { return x > 3; }")]);
    assert_eq!(bench.tine("test f.c --fn f --out out").code, Some(0));
    // SQLite stores the application's version at byte 60, most significant byte first.
    let database = bench.path("out/session.db");
    let mut bytes = std::fs::read(&database).expect("a session");
    let version = bytes[63];
    assert_eq!(bytes[60..64], [0, 0, 0, version]);
    bytes[63] = version - 1;
    std::fs::write(&database, bytes).expect("our own file");
    let formats = format!("(format {}; this version reads format {version})", version - 1);
    let parts = [
        &*format!("the session in `out` was written by another version of tine {formats}"),
        "use the version of tine that wrote it, or explore again with another --out",
    ];
    for command in ["resume out", "replay out 1", "show out", "graph out"] {
        bench.fails(command, 2, &parts);
    }
}
