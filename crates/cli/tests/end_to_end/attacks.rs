//! The promises of SECURITY.md about a running unit, each under attack (`tests/attacks`). The tests check the state of
//! the host afterwards.
//!
//! Every attack is made twice: with plain system calls, and with the runtime's own `syscall` instruction. If the tests
//! run as root, all attacks are repeated as an ordinary user.

use std::fs;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use crate::support::{Bench, Ran, errors, processes_of, ran, wait_for};

const UNPRIVILEGED: u32 = 65534;

/// Users that make the attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    Ours,
    Unprivileged,
}

fn users() -> Vec<User> {
    let is_root = fs::metadata("/proc/self").expect("/proc").uid() == 0;
    if is_root { vec![User::Ours, User::Unprivileged] } else { vec![User::Ours] }
}

/// A bench with an attacker, a directory that must not change, and a copy of tine that every user can start.
struct Attack {
    bench: Bench,
    victim: PathBuf,
    user: User,
}

impl Attack {
    fn new(user: User) -> Attack {
        let attacker = |name: &str| fs::read_to_string(attacks().join(name)).expect("an attacker");
        let bench = Bench::new(&[("attack.h", &attacker("attack.h"))]);
        let victim = bench.path("victim");
        fs::create_dir(&victim).expect("a directory");
        fs::write(victim.join("kept"), "kept\n").expect("a file");
        if user == User::Unprivileged {
            fs::copy(env!("CARGO_BIN_EXE_tine"), bench.path("tine")).expect("room for tine");
        }
        Attack { bench, victim, user }
    }

    /// Builds an attacker in both forms.
    fn build(&self, name: &str, flags: &str) {
        fs::copy(attacks().join(name).with_extension("c"), self.bench.path(name).with_extension("c"))
            .expect("an attacker");
        for (program, entry) in [("plain", ""), ("entry", "-DENTRY")] {
            let ran = self.bench.tine(&format!("cc -w -g {name}.c -o {program} {entry} {flags}"));
            assert_eq!(ran.code, Some(0), "{ran}");
        }
        if self.user == User::Unprivileged {
            let root = self.bench.path("..");
            fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).expect("ours");
            give(&root);
        }
    }

    /// A command of the attacking user.
    fn command(&self, program: &Path) -> Command {
        let mut command = match self.user {
            User::Ours => return Command::new(program),
            User::Unprivileged => Command::new("setpriv"),
        };
        command
            .args([&format!("--reuid={UNPRIVILEGED}"), &format!("--regid={UNPRIVILEGED}"), "--clear-groups"])
            .arg(program);
        command
    }

    fn tine(&self, arguments: &str) -> Ran {
        let plain = self.bench.command(arguments);
        let mut command = match self.user {
            User::Ours => plain,
            User::Unprivileged => {
                let mut command = self.command(&self.bench.path("tine"));
                command.args(plain.get_args()).current_dir(self.bench.path("."));
                command.env("TMPDIR", self.bench.path("../tmp")).env("HOME", self.bench.home()).env("NO_COLOR", "1");
                command.env_remove("XDG_CACHE_HOME");
                command
            }
        };
        ran(arguments, &mut command)
    }

    /// Runs both forms of the attacker. No attempt succeeds.
    #[track_caller]
    fn run(&self, arguments: &str) {
        for program in ["plain", "entry"] {
            let ran =
                self.tine(&format!("run ./{program} --show-output --max-runs 3 --out out-{program} -- {arguments}"));
            assert!(ran.stdout.contains("all attacks were made"), "{:?}: {ran}", self.user);
            assert!(!ran.stdout.contains("SUCCEEDED"), "{:?}: {ran}", self.user);
            let path = self.bench.path(program);
            wait_for("the end of all its processes", || processes_of(&path).is_empty());
        }
    }

    #[track_caller]
    fn victim_is_untouched(&self) {
        let names: Vec<_> = fs::read_dir(&self.victim).expect("it is there").flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, ["kept"], "{:?}", self.user);
        let kept = self.victim.join("kept");
        assert_eq!(fs::read_to_string(&kept).expect("it is there"), "kept\n");
        assert_eq!(fs::metadata(&kept).expect("it is there").mode() & 0o777, 0o644);
    }

    fn sleeper(&self) -> Sleeper {
        let mut command = self.command("sleep".as_ref());
        let sleeper = Sleeper(command.arg("600").spawn().expect("a process"));
        let is_asleep = || sleeper.stat().contains("(sleep)");
        wait_for("the victim", is_asleep);
        sleeper
    }
}

fn attacks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/attacks")
}

/// Gives a directory and its contents to the ordinary user.
fn give(path: &Path) {
    chown(path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).expect("root may");
    if path.is_dir() {
        fs::read_dir(path).expect("a directory").flatten().for_each(|entry| give(&entry.path()));
    }
}

/// A process of the host.
struct Sleeper(Child);

impl Sleeper {
    fn stat(&self) -> String {
        fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default()
    }

    /// Process state that an attacker could change: stopped or running, priority, scheduling, processors, limits.
    fn about(&self) -> String {
        let read = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", self.0.id())).expect("it lives");
        let stat = self.stat();
        let fields: Vec<&str> = stat.split(' ').collect();
        let status = read("status");
        let cores = status.lines().find(|line| line.starts_with("Cpus_allowed:")).expect("a line");
        // It may run at times, but must be neither stopped nor dead.
        let is_alive = matches!(fields[2], "R" | "S" | "D");
        format!("{is_alive} {} {} {cores} {} {}", fields[18], fields[40], read("limits"), read("oom_score_adj"))
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn nothing_happens_before_main() {
    for user in users() {
        let attack = Attack::new(user);
        let sleeper = attack.sleeper();
        let before = sleeper.about();
        let flags = format!("'-DVICTIM=\"{}\"' -DPROCESS={}", attack.victim.display(), sleeper.0.id());
        attack.build("before_main", &flags);
        attack.run("");
        attack.victim_is_untouched();
        for program in ["plain", "entry"] {
            let replay = attack.tine(&format!("replay out-{program} 1"));
            assert!(replay.stdout.contains("ended by signal 6"), "{replay}");
            let graph = attack.tine(&format!("graph {program}"));
            assert_eq!(graph.code, Some(0), "{graph}");
            attack.victim_is_untouched();
        }
        assert_eq!(sleeper.about(), before);
    }
}

#[test]
fn other_processes_are_out_of_reach() {
    for user in users() {
        let attack = Attack::new(user);
        attack.build("processes", "");
        let sleeper = attack.sleeper();
        let before = sleeper.about();
        attack.run(&sleeper.0.id().to_string());
        assert_eq!(sleeper.about(), before, "{user:?}");
    }
}

#[test]
fn the_rest_of_the_kernel_is_out_of_reach() {
    for user in users() {
        let attack = Attack::new(user);
        attack.build("kernel", "");
        attack.run("");
    }
}

#[test]
fn sockets_of_the_host_are_out_of_reach() {
    for user in users() {
        let attack = Attack::new(user);
        let path = attack.bench.path("socket");
        let name = format!("tine-attack-{}-{user:?}", std::process::id());
        let socket = UnixDatagram::bind(&path).expect("a socket");
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let unnamed = UnixDatagram::bind_addr(&address).expect("a socket");
        attack.build("sockets", "");
        attack.run(&format!("{} {name}", path.display()));
        for socket in [socket, unnamed] {
            socket.set_read_timeout(Some(Duration::from_millis(50))).expect("a time");
            assert!(socket.recv(&mut [0; 8]).is_err(), "{user:?}: something arrived");
        }
    }
}

#[test]
fn files_of_the_host_stay_as_they_are() {
    for user in users() {
        let attack = Attack::new(user);
        attack.build("files", "");
        attack.run(&attack.victim.display().to_string());
        attack.victim_is_untouched();
    }
}

/// A unit that fills the disk or the memory is stopped with a clear outcome.
#[test]
fn disk_and_memory_are_limited() {
    let attack = Attack::new(User::Ours);
    attack.build("fill", "");
    let (files, memory) = ("too much output", "out of memory");
    for (way, expected) in [(1, files), (2, files), (3, files), (4, files), (5, memory), (6, memory)] {
        let ran = attack.tine(&format!(
            "run ./plain --json --max-runs 1 --jobs 1 --run-timeout 60s --memory 64M --out out-{way} -- {way}"
        ));
        let found = errors(&ran.json());
        assert!(found.iter().any(|(kind, _)| kind.contains(expected)), "{way}: {found:?} {ran}");
        assert_eq!(ran.code, Some(1), "{ran}");
    }
    attack.bench.is_tidy();
}

/// On kernels without all protections, each missing one is named, and `--require-sandbox full` fails.
#[test]
fn missing_protections_are_named() {
    let bench =
        Bench::new(&[("unit.c", "int f(int x) { return x > 3; }\n"), ("main.c", "int main(void) { return 0; }\n")]);
    let source = attacks().join("old_kernel.c");
    let built = Command::new("clang-22").arg("-w").arg(source).arg("-o").arg(bench.path("old_kernel")).status();
    assert!(built.expect("clang").success());
    let on_old = |without: &str, arguments: &str| {
        let mut command = Command::new(bench.path("old_kernel"));
        let plain = bench.command(arguments);
        command.arg(without).arg(plain.get_program()).args(plain.get_args());
        command.current_dir(bench.path("."));
        plain.get_envs().for_each(|(name, value)| {
            command.env(name, value.unwrap_or_default());
        });
        ran(arguments, &mut command)
    };
    bench.compile("main.c", "main");
    let full = bench.tine("run ./main --require-sandbox full --out full");
    assert_eq!((full.code, full.stderr.contains("sandbox")), (Some(0), false), "{full}");
    for (without, name) in [("landlock", "no Landlock"), ("seccomp", "no seccomp"), ("listener", "cannot ask")] {
        let ran = on_old(without, &format!("run ./main --out out-{without}"));
        assert_eq!(ran.code, Some(0), "{ran}");
        assert_eq!(ran.stderr.matches(name).count(), 1, "{ran}");
        let ran = on_old(without, &format!("run ./main --out full-{without} --require-sandbox full"));
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(ran.stderr.contains(name) && ran.stderr.contains("--require-sandbox"), "{ran}");
    }
}
