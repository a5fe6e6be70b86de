//! Start of the zygote: descriptors, limits, environment, and the data that it sends.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tine_trace::segment::{COMMAND_FORK, FDS_VARIABLE, INPUTS_VARIABLE, REPLAY_VARIABLE};

use super::error::{UnitError, system};
use super::output::Output;
use super::process::UnitOptions;
use super::segment::Segment;
use crate::cores;
use crate::sandbox::{Confined, Confinement, Excess, Protections, Supervisor};

/// Processes that a unit may fork without a request: the fork server (`runtime/src/process/fork_server.rs`), and a few
/// attempts at it.
const SPARE_FORKS: u32 = 4;

/// Maximum size of a program's maps: enough for a hundred million lines, and a limit for a program that writes without
/// end.
const MAX_MAPS: usize = 1 << 30;
/// Interval at which a starting program is checked.
const LOOK: Duration = Duration::from_millis(20);

/// The zygote, started and ready to fork.
#[derive(Debug)]
pub(super) struct Zygote {
    child: Child,
    control: UnixStream,
    supervisor: Supervisor,
    pub(super) protections: Protections,
    /// Maps of all modules, one after the other.
    pub(super) maps: Vec<u8>,
}

impl Drop for Zygote {
    fn drop(&mut self) {
        // Kill the whole group: the worker, and other processes that it was allowed to start.
        // SAFETY: the child leads its group and has not been waited for, so the number still belongs to it.
        unsafe { libc::kill(-(self.child.id() as i32), libc::SIGKILL) };
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Zygote {
    pub(super) fn start(
        program: &Path,
        arguments: &[std::ffi::OsString],
        options: &UnitOptions,
        segment: &Segment,
        output: &Output,
    ) -> Result<Zygote, UnitError> {
        check_program(program)?;
        let start_error = |error| UnitError::Start { path: program.to_owned(), error };
        let (control, theirs) = UnixStream::pair().map_err(start_error)?;
        let (maps, their_maps) = pipe()?;
        let mut command = Command::new(std::path::absolute(program).map_err(start_error)?);
        command
            .arg0(options.name.as_deref().unwrap_or(program.as_os_str()))
            .args(arguments)
            .stdin(stdin(options).map_err(start_error)?);
        command.stdout(output.stream().map_err(start_error)?).stderr(output.stream().map_err(start_error)?);
        set_environment(&mut command, options, [segment.fd(), theirs.as_raw_fd(), their_maps.as_raw_fd()]);
        let inherited = [segment.fd(), theirs.as_raw_fd(), their_maps.as_raw_fd()];
        // SAFETY: only system calls are made between fork and exec.
        unsafe { command.pre_exec(move || prepare(inherited)) };
        let confinement = Confinement {
            scratch: options.scratch.as_deref(),
            lifted: options.allow_processes,
            n_forks: SPARE_FORKS,
            file_limit: options.output_limit,
        };
        let Confined { child, supervisor, protections } = confinement.spawn(&mut command).map_err(start_error)?;
        drop((theirs, their_maps));
        let mut zygote = Zygote { child, control, supervisor, protections, maps: Vec::new() };
        zygote.read_maps(maps, program, options, output)?;
        Ok(zygote)
    }

    /// Requests a worker; [`Zygote::wait_for_fork`] waits for it.
    pub(super) fn ask_for_fork(&mut self) -> io::Result<()> {
        self.supervisor.allow_fork();
        self.control.write_all(&[COMMAND_FORK])
    }

    /// Waits for the answer to [`Zygote::ask_for_fork`].
    pub(super) fn wait_for_fork(&mut self, timeout: Duration) -> io::Result<()> {
        self.control.set_read_timeout(Some(timeout))?;
        self.control.read_exact(&mut [0])
    }

    pub(super) fn keep_to(&self, core: usize) {
        cores::keep(self.child.id() as i32, core);
    }

    /// The limit for which processes were killed since the last call.
    pub(super) fn take_excess(&self) -> Option<Excess> {
        self.supervisor.take_excess()
    }

    /// The zygote's process, which leads the group of all processes of the unit.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Addresses of the program's variables and functions, its libraries and its first stack. Empty if they cannot be
    /// read.
    pub(super) fn memory(&self) -> Vec<Range<u64>> {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap_or_default();
        program_memory(&text)
    }

    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Reads the maps. They end when the zygote closes its end of the pipe, or dies.
    fn read_maps(
        &mut self,
        maps: OwnedFd,
        program: &Path,
        options: &UnitOptions,
        output: &Output,
    ) -> Result<(), UnitError> {
        let mut maps = File::from(maps);
        let timeout = options.start_timeout;
        let deadline = Instant::now() + timeout;
        loop {
            if options.is_over() {
                return Err(UnitError::OutOfTime { path: program.to_owned() });
            }
            if !readable(&maps, LOOK)? {
                if Instant::now() >= deadline {
                    return Err(UnitError::StartTimeout { path: program.to_owned(), time: timeout });
                }
                continue;
            }
            let mut chunk = [0; 64 << 10];
            match maps.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) if self.maps.len() + n <= MAX_MAPS => self.maps.extend_from_slice(&chunk[..n]),
                Ok(_) => return Err(UnitError::MapTooLarge { path: program.to_owned(), room: MAX_MAPS }),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(UnitError::System { what: "read the program's maps", error }),
            }
        }
        // A zygote that died has closed it, too. So request a worker: an answer shows that the zygote is alive.
        let alive = self.ask_for_fork().and_then(|()| self.wait_for_fork(timeout));
        if alive.is_err() {
            if self.supervisor.take_excess().is_some() {
                return Err(UnitError::Excess { path: program.to_owned() });
            }
            let how = self.child.wait().map_or_else(|error| error.to_string(), describe);
            let output = String::from_utf8_lossy(&output.read(4096)).into_owned();
            return Err(UnitError::EndedEarly { path: program.to_owned(), how, output });
        }
        Ok(())
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "in an unknown way".to_owned(),
    }
}

/// Rejects a program without the runtime, because it would simply run without protection.
fn check_program(program: &Path) -> Result<(), UnitError> {
    let read = || -> io::Result<bool> {
        let bytes = std::fs::read(program)?;
        let marker = tine_trace::segment::MARKER.as_bytes();
        Ok(bytes.starts_with(b"\x7fELF") && memchr::memmem::find(&bytes, marker).is_some())
    };
    match read() {
        Ok(true) => Ok(()),
        Ok(false) => Err(UnitError::NotInstrumented { path: program.to_owned() }),
        Err(error) => Err(UnitError::Program { path: program.to_owned(), error }),
    }
}

fn stdin(options: &UnitOptions) -> io::Result<Stdio> {
    match &options.stdin {
        Some(file) => Ok(Stdio::from(file.try_clone()?)),
        None => Ok(Stdio::null()),
    }
}

fn set_environment(command: &mut Command, options: &UnitOptions, [segment, control, maps]: [RawFd; 3]) {
    for variable in [REPLAY_VARIABLE, INPUTS_VARIABLE] {
        command.env_remove(variable);
    }
    for (name, value) in &options.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env(FDS_VARIABLE, format!("{segment},{control},{maps}"));
    // Lazily resolved symbols would be resolved again in each run.
    command.env("LD_BIND_NOW", "1");
    if let Some(inputs) = &options.inputs {
        command.env(INPUTS_VARIABLE, inputs);
    }
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
}

/// Prepares the child between fork and exec.
fn prepare(inherited: [RawFd; 3]) -> io::Result<()> {
    let check = |result: i32| if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) };
    // SAFETY: system calls that affect only this process.
    unsafe {
        check(libc::setsid())?;
        // The same seed gives the same addresses. Some containers forbid this call. Then addresses are the same only
        // for workers of this zygote.
        libc::personality(libc::ADDR_NO_RANDOMIZE as u64);
        // The unit must not get other descriptors that tine inherited (a jobserver, a pipe of a test runner).
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        for fd in inherited {
            check(libc::fcntl(fd, libc::F_SETFD, 0))?;
        }
    }
    Ok(())
}

fn pipe() -> Result<(OwnedFd, OwnedFd), UnitError> {
    use std::os::fd::FromRawFd;
    let mut ends = [0; 2];
    // SAFETY: there is room for both descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(system("make a pipe"));
    }
    // SAFETY: new descriptors without another owner.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// True if data or the end of the file can be read within the time.
fn readable(file: &File, timeout: Duration) -> Result<bool, UnitError> {
    let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one structure that lives for the call.
    let n = unsafe { libc::poll(&mut poll, 1, timeout.as_millis().min(i32::MAX as u128) as i32) };
    match n {
        0 => Ok(false),
        1.. => Ok(true),
        _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Ok(true),
        _ => Err(system("wait for the program's maps")),
    }
}

/// Mappings of files, and of zero-initialised variables after them, from the contents of `/proc/PID/maps`.
fn program_memory(text: &str) -> Vec<Range<u64>> {
    let mut found: Vec<Range<u64>> = Vec::new();
    for line in text.lines() {
        let mut fields = line.split_whitespace();
        let Some((start, end)) = fields.next().and_then(|range| range.split_once('-')) else { continue };
        let number = |text: &str| u64::from_str_radix(text, 16);
        let (Ok(start), Ok(end)) = (number(start), number(end)) else { continue };
        let is_named = fields.nth(4).is_some();
        match found.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ if is_named => found.push(start..end),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_program_is_what_has_a_name_and_what_follows_it() {
        let maps = "55550000-55551000 r-xp 00000000 08:01 17 /tmp/unit\n55551000-55552000 rw-p 00000000 00:00 0 \n\
                    60000000-70000000 rw-p 00000000 00:00 0 \n7fff0000-7fff1000 rw-p 00000000 00:00 0 [stack]\n";
        assert_eq!(program_memory(maps), [0x5555_0000..0x5555_2000, 0x7fff_0000..0x7fff_1000]);
        assert_eq!(program_memory("nonsense\n\nx-y z"), []);
    }
}
