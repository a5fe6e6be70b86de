//! The sandbox of a unit. It is set up in the new process before the program starts, so that it applies to
//! constructors, resolvers of indirect functions and shared libraries.
//!
//! ```text
//!   engine ── fork ──▶ no new privileges, Landlock, no capabilities, doorman, wall ── exec ──▶ loader, constructors, main
//!      ▲                                                                                │
//!      └───────────── supervisor: may it start a program, a process? ◀──────────────────┘
//! ```
//! The filters are data ([`tine_trace::filter`]). The runtime inside the unit (`runtime/src/process/trap.rs`) only adds
//! convenience: copies of files, notes. The sandbox does not rely on it, because the unit can change it.

mod landlock;
mod supervisor;
pub(crate) mod usage;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use tine_trace::filter::{Instruction, Program, Wall, doorman};
use tine_trace::segment::{SANDBOX_CALLS, SANDBOX_FILES, SANDBOX_VARIABLE, SCRATCH_VARIABLE};

use usage::Quota;

pub use supervisor::Supervisor;
pub use usage::Excess;

/// Bytes of files that a unit may have at a time, in its scratch directory and in files without a name.
pub const SCRATCH_QUOTA: u64 = 256 << 20;
/// Number of descriptors that a process may have.
const MAX_DESCRIPTORS: u64 = 4096;

/// Version of Landlock from which on signals and abstract sockets are confined to the sandbox.
const SCOPED: u32 = 6;

/// Protections that a kernel supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protections {
    /// Version of Landlock, 0 for none.
    pub landlock: u32,
    /// Filters of system calls.
    pub seccomp: bool,
    /// Filters that forward system calls to the engine.
    pub asks: bool,
}

impl Protections {
    /// Queries the kernel.
    pub fn of_this_kernel() -> Protections {
        let asks = action_is_available(tine_trace::filter::NOTIFY);
        Protections { landlock: landlock::version(), seccomp: action_is_available(tine_trace::filter::fail(0)), asks }
    }

    /// The missing protections, each with its consequence. `lifted`: the user has allowed processes and sockets.
    pub fn missing(&self, lifted: bool) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if self.landlock == 0 {
            missing.push("this kernel has no Landlock: the unit cannot write files, and may read devices");
        } else if self.landlock < 3 {
            missing
                .push("the Landlock of this kernel does not know truncation: the unit cannot truncate files by name");
        }
        if lifted {
            return missing;
        }
        match (self.seccomp, self.asks) {
            (false, _) => missing.push("this kernel has no seccomp: the unit may start processes, open sockets and send signals"),
            (true, false) => missing.push(
                "seccomp cannot ask tine here: code before `main` may start programs, which then run in the same sandbox",
            ),
            (true, true) => {}
        }
        if self.landlock < SCOPED && !(self.seccomp && self.asks) {
            missing.push(
                "the Landlock of this kernel does not know signals: the unit may signal processes of the same user",
            );
        }
        missing
    }

    /// Returns the protections as bits of `SANDBOX_*`.
    fn bits(&self, lifted: bool) -> u32 {
        let files = if self.landlock > 0 { SANDBOX_FILES } else { 0 };
        let calls = if self.seccomp && !lifted { SANDBOX_CALLS } else { 0 };
        files | calls
    }
}

/// The sandbox that a program is started in.
#[derive(Clone, Copy, Debug)]
pub struct Confinement<'a> {
    /// Directory that the program may write below.
    pub scratch: Option<&'a Path>,
    /// Processes and sockets are allowed.
    pub lifted: bool,
    /// Number of processes that it may fork before [`Supervisor::allow_fork`] is called.
    pub n_forks: u32,
    /// Maximum size of a single file in bytes.
    pub file_limit: u64,
}

/// A program that was started in the sandbox.
#[derive(Debug)]
pub struct Confined {
    pub child: Child,
    pub supervisor: Supervisor,
    pub protections: Protections,
}

impl Confinement<'_> {
    /// Starts the program. Its path must be absolute, because the search path is not used.
    pub fn spawn(&self, command: &mut Command) -> io::Result<Confined> {
        let mut protections = Protections::of_this_kernel();
        let (ours, theirs) = UnixStream::pair()?;
        self.prepare(command, protections, Some(theirs.as_raw_fd()))?;
        let is_asked = protections.seccomp && protections.asks && !self.lifted;
        let quota = Quota { scratch: self.scratch.map(Path::to_owned), bytes: SCRATCH_QUOTA, file: self.file_limit };
        let supervisor = Supervisor::start(ours, self.n_forks, is_asked, quota)?;
        let child = command.spawn();
        drop(theirs);
        let child = child?;
        protections.asks = supervisor.is_asked();
        supervisor.know(child.id());
        Ok(Confined { child, supervisor, protections })
    }

    /// Replaces this process by the program, without a supervisor. For a debugger, which starts the program itself.
    /// Returns only on failure.
    pub fn exec(&self, command: &mut Command) -> io::Error {
        let protections = Protections { asks: false, ..Protections::of_this_kernel() };
        match self.prepare(command, protections, None) {
            Ok(()) => command.exec(),
            Err(why) => why,
        }
    }

    fn prepare(&self, command: &mut Command, protections: Protections, report: Option<RawFd>) -> io::Result<()> {
        command.env(SANDBOX_VARIABLE, protections.bits(self.lifted).to_string());
        match self.scratch {
            Some(scratch) => command.env(SCRATCH_VARIABLE, scratch),
            None => command.env_remove(SCRATCH_VARIABLE),
        };
        let walls = self.walls(protections)?;
        let file_limit = self.file_limit;
        // SAFETY: only system calls are made between fork and exec, on memory that was prepared before.
        unsafe {
            command.pre_exec(move || {
                limit(libc::RLIMIT_CORE, 0)?;
                limit(libc::RLIMIT_FSIZE, file_limit)?;
                limit(libc::RLIMIT_NOFILE, MAX_DESCRIPTORS)?;
                walls.put_up(report)
            });
        }
        Ok(())
    }

    fn walls(&self, protections: Protections) -> io::Result<Walls> {
        let ruleset = match protections.landlock {
            0 => None,
            version => Some(landlock::ruleset(version, self.scratch, self.lifted)?),
        };
        let filters = (protections.seccomp && !self.lifted).then(|| {
            let asks_for_signals = protections.landlock < SCOPED;
            let doorman = protections.asks.then(|| doorman(asks_for_signals));
            Box::new(Filters { doorman, wall: Wall { landlock: protections.landlock }.program() })
        });
        Ok(Walls { ruleset, filters })
    }
}

/// Everything that the new process needs, prepared before the fork.
struct Walls {
    ruleset: Option<OwnedFd>,
    filters: Option<Box<Filters>>,
}

struct Filters {
    doorman: Option<Program>,
    wall: Program,
}

impl Walls {
    /// Sets up the sandbox in the new process. The listener of the doorman goes to `report`.
    fn put_up(&self, report: Option<RawFd>) -> io::Result<()> {
        // SAFETY: takes only numbers.
        check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })?;
        if let Some(ruleset) = &self.ruleset {
            landlock::restrict(ruleset)?;
        }
        let Some(filters) = &self.filters else { return Ok(()) };
        drop_capabilities()?;
        if let (Some(doorman), Some(report)) = (&filters.doorman, report) {
            // There can be only one listener, and a container may already have one.
            if let Ok(listener) = install(doorman, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER) {
                supervisor::hand_over(report, listener)?;
            }
        }
        install(&filters.wall, 0).map(drop)
    }
}

/// Lowers a limit of this process. A limit that is already lower stays.
fn limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure lives for both calls.
    unsafe {
        check(libc::getrlimit(resource, &raw mut limit))?;
        limit.rlim_max = limit.rlim_max.min(value);
        limit.rlim_cur = limit.rlim_cur.min(value);
        check(libc::setrlimit(resource, &raw const limit))
    }
}

fn check(result: i32) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Installs a filter for this thread and its children. Returns the kernel's result: a listener, if the flags ask for
/// one.
fn install(program: &Program, flags: libc::c_ulong) -> io::Result<RawFd> {
    #[repr(C)]
    struct Filter {
        len: u16,
        code: *const Instruction,
    }
    let filter = Filter { len: program.code().len() as u16, code: program.code().as_ptr() };
    let flags = flags | libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // SAFETY: the filter and its code live for the call.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const filter) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as RawFd) }
}

fn action_is_available(action: u32) -> bool {
    let action = action & !0xffff;
    // SAFETY: reads one word.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// Drops all capabilities except those that let root read and write files as usual. Landlock confines those.
fn drop_capabilities() -> io::Result<()> {
    const VERSION_3: u32 = 0x2008_0522;
    const KEPT: u32 = 1 << 1 | 1 << 2;
    // Otherwise root would regain the others when the program starts. Then the kernel clears the flag that keeps
    // addresses the same in every process.
    for capability in (0..64).filter(|capability| u64::from(KEPT) >> capability & 1 == 0) {
        // SAFETY: takes only numbers. It fails if the capability does not exist or is already dropped.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
    let mut header = [VERSION_3, 0];
    // Effective, permitted and inheritable sets: first the lower halves, then the upper ones.
    let mut sets = [0u32; 6];
    // SAFETY: there is room for the data that the kernel writes, and the structures live for both calls.
    unsafe {
        check(libc::syscall(libc::SYS_capget, header.as_mut_ptr(), sets.as_mut_ptr()) as i32)?;
        let kept = sets[1] & KEPT;
        sets = [kept, kept, 0, 0, 0, 0];
        check(libc::syscall(libc::SYS_capset, header.as_mut_ptr(), sets.as_ptr()) as i32)
    }
}
