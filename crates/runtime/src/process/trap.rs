//! The trap: system calls of the unit that the filter does not let pass arrive here as SIGSYS.
//! [`policy`](super::policy) selects the action.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::{Outcome, OutcomeKind};

use super::policy::{self, Policy, call};
use super::signals::{self, Action, Context, Info, SIGSYS};
use super::state::Role;
use super::{clock, context, descriptors, memory, overlay, sandbox, state, status_flags, worker};
use crate::record;
use crate::segment::Segment;
use crate::sys::{self, Errno, nr};

/// The signal that stays unblocked, whatever the unit blocks.
pub(super) const OURS: u64 = signals::bit(SIGSYS);

/// Stack pointer of the system call that was stopped last.
static STOPPED_AT: AtomicU64 = AtomicU64::new(0);

pub(super) fn stopped_at() -> u64 {
    STOPPED_AT.load(Ordering::Relaxed)
}

pub(super) extern "C" fn on_trap(signal: i32, info: *mut Info, context: *mut Context) {
    const X86_64: u32 = 0xc000_003e;
    const SECCOMP: i32 = 1;
    // SAFETY: the kernel passes both for the handler's duration.
    unsafe {
        if (*info).code != SECCOMP {
            // The signal was sent, by the engine or by the unit itself. No call is pending, so other signals need not
            // stay blocked.
            mask_is_changed();
            signals::set_mask((*context).mask);
            return signals::on_fatal(signal, info, context);
        }
    }
    // SAFETY: as above.
    let (info, context) = unsafe { (&*info, &mut *context) };
    STOPPED_AT.store(context.rsp, Ordering::Relaxed);
    let result = if info.architecture != X86_64 {
        Err(Errno::ENOSYS)
    } else {
        handle(Call::new(info.call as u32, context), context)
    };
    context.rax = match result {
        Ok(value) => value as u64,
        Err(Errno(number)) => -i64::from(number) as u64,
    };
}

/// A system call that was stopped.
#[derive(Clone, Copy)]
struct Call {
    number: usize,
    arguments: [usize; 6],
}

impl Call {
    fn new(number: u32, context: &Context) -> Call {
        let arguments = [context.rdi, context.rsi, context.rdx, context.r10, context.r8, context.r9];
        Call { number: number as usize, arguments: arguments.map(|argument| argument as usize) }
    }

    /// Performs the call unchanged.
    fn perform(self) -> sys::Result<usize> {
        // SAFETY: the unit's own call with the unit's own arguments: as if it had not been stopped.
        unsafe { sys::call(self.number, self.arguments) }
    }

    fn perform_dirty(self) -> sys::Result<usize> {
        replace_process();
        let result = self.perform();
        if let Ok(result) = result {
            record::performed(self.number, self.arguments, result);
        }
        result
    }

    /// As [`Call::perform_dirty`], for calls that the engine's filter may refuse.
    fn perform_checked(self) -> sys::Result<usize> {
        let result = self.perform_dirty();
        if result == Err(Errno::EPERM) {
            self.note();
        }
        result
    }

    fn refuse(self) -> sys::Result<usize> {
        self.note();
        Err(Errno::EPERM)
    }

    /// Performed under Landlock, and a refusal is noted. Without Landlock not performed at all. If the change can be
    /// made to a copy in the scratch directory, it is made there.
    fn write(self) -> sys::Result<usize> {
        if !sandbox::keeps_files() {
            return self.refuse();
        }
        if let Some(done) = self.on_copy() {
            mark_dirty();
            return done;
        }
        let result = self.perform_dirty();
        if let Err(Errno::EACCES | Errno::EPERM | Errno::EXDEV | Errno::EROFS) = result {
            self.note();
        }
        result
    }

    /// Performs the call on a copy of the file, if there is one or the call makes one.
    fn on_copy(self) -> Option<sys::Result<usize>> {
        const AT_FDCWD: i32 = -100;
        const O_WRONLY: usize = 1;
        let [a, b, c, d, ..] = self.arguments;
        let here = |folder: usize| (folder as i32 == AT_FDCWD).then_some(());
        match self.number as u32 {
            call::OPEN => overlay::open(read_path(a, &mut [0; PATH_MAX])?, b, c),
            call::CREAT => {
                overlay::open(read_path(a, &mut [0; PATH_MAX])?, O_WRONLY | overlay::O_CREAT | overlay::O_TRUNC, b)
            }
            call::OPENAT => {
                let mut path = [0; PATH_MAX];
                let path = read_path(b, &mut path)?;
                if path.first() != Some(&b'/') {
                    here(a)?;
                }
                overlay::open(path, c, d)
            }
            call::UNLINK => overlay::unlink(read_path(a, &mut [0; PATH_MAX])?),
            call::UNLINKAT if c == 0 => {
                here(a)?;
                overlay::unlink(read_path(b, &mut [0; PATH_MAX])?)
            }
            call::RENAME => overlay::rename(read_path(a, &mut [0; PATH_MAX])?, read_path(b, &mut [0; PATH_MAX])?),
            call::RENAMEAT => {
                here(a)?;
                here(c)?;
                overlay::rename(read_path(b, &mut [0; PATH_MAX])?, read_path(d, &mut [0; PATH_MAX])?)
            }
            _ => None,
        }
    }

    fn note(self) {
        note(self.number as u32);
    }
}

fn note(number: u32) {
    if state::running() {
        record::note(NoteKind::Refused, Site::NONE, number);
    } else if state::role() == Role::Guarded {
        overlay::note_refused(number);
    } else if let Some(word) = EARLY.get(number as usize / 64) {
        word.fetch_or(1 << (number % 64), Ordering::Relaxed);
        HAS_EARLY.store(true, Ordering::Relaxed);
    }
}

/// Numbers of the system calls that constructors were refused. They are noted in every run, because every run has the
/// effects of the constructors.
static EARLY: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];
static HAS_EARLY: AtomicBool = AtomicBool::new(false);

/// Notes for this run the calls that constructors were refused.
pub(super) fn note_early() {
    if !HAS_EARLY.load(Ordering::Relaxed) {
        return;
    }
    for (k, word) in EARLY.iter().enumerate() {
        let bits = word.load(Ordering::Relaxed);
        (0..64).filter(|bit| bits >> bit & 1 != 0).for_each(|bit| note(k as u32 * 64 + bit));
    }
}

fn handle(call: Call, context: &mut Context) -> sys::Result<usize> {
    if worker::is_worker() {
        if !state::get().has_input.load(Ordering::Relaxed) && !carries_over(call) {
            state::get().bound.store(true, Ordering::Relaxed);
        }
    } else if state::role() == Role::Zygote {
        // The zygote prepares and forks. Constructors have already run.
        return call.perform();
    }
    if may_create_descriptors(call) {
        descriptors::hold();
    }
    // There is no state yet in constructors.
    let is_early = state::role() == Role::Plain;
    let on_main = !is_early && context::thread_pointer() == state::get().thread.load(Ordering::Relaxed);
    match policy::policy(call.number) {
        Policy::Pass => call.perform(),
        Policy::Perform => call.perform_dirty(),
        Policy::Checked => call.perform_checked(),
        Policy::Own(index) => own(call, usize::from(index)),
        Policy::Fcntl if is_lock(call) => lock(call),
        Policy::Fcntl if status_flags::is_query(call.arguments) => status_flags::perform(call.arguments),
        Policy::Fcntl if status_flags::is_change(call.arguments) => {
            mark_dirty();
            status_flags::perform(call.arguments)
        }
        Policy::Fcntl => call.perform_checked(),
        Policy::Lock => lock(call),
        Policy::SendMessage => send_message(call),
        Policy::Write => call.write(),
        Policy::Open if opens_for_writing(call) => call.write(),
        Policy::Open if opens_memory(call) => {
            // Data that is read there has no shadows.
            record::note(NoteKind::ReadBack, Site::NONE, 0);
            call.perform_dirty()
        }
        Policy::Open => match call.on_copy() {
            Some(done) => {
                mark_dirty();
                done
            }
            None => call.perform_dirty(),
        },
        Policy::Refuse => call.refuse(),
        Policy::Signal => signal(call),
        Policy::Exit => exit(call),
        Policy::SetMask => set_mask(call, context),
        Policy::SetAction => set_action(call),
        Policy::SignalStack if on_main => signal_stack(call),
        Policy::SignalStack => call.perform_dirty(),
        Policy::Clone3 => clone3(call),
        Policy::Prctl => prctl(call),
        Policy::Wait | Policy::Clock if is_early => call.perform(),
        Policy::Wait => clock::wait(call.number, call.arguments, context),
        Policy::Clock => clock::read(call.number, call.arguments),
        Policy::Timer => {
            mark_dirty();
            clock::change_timer(call.number, call.arguments)
        }
    }
}

/// True if the kernel may assign a descriptor number in this call.
fn may_create_descriptors(call: Call) -> bool {
    let policy = policy::policy(call.number);
    if policy == Policy::Fcntl && status_flags::is_query(call.arguments) {
        return false;
    }
    matches!(policy, Policy::Perform | Policy::Checked | Policy::Fcntl | Policy::Open | Policy::Write | Policy::Timer)
}

/// True if a fork of this process inherits the effect of the call and does not share it ([`super::fork_server`]).
fn carries_over(call: Call) -> bool {
    const PROT_WRITE: usize = 2;
    const MAP_SHARED: usize = 1;
    const PR_SET_NAME: usize = 15;
    let [first, command, protection, flags, ..] = call.arguments;
    match policy::policy(call.number) {
        Policy::Open => !opens_for_writing(call),
        Policy::Perform if call.number == nr::MMAP => protection & PROT_WRITE == 0 || flags & MAP_SHARED == 0,
        Policy::Fcntl => is_lock(call) || policy::carries_over_fcntl(command),
        Policy::Perform | Policy::Own(_) => policy::carries_over(call.number),
        Policy::Prctl => first == PR_SET_NAME,
        Policy::Write | Policy::Clone3 | Policy::Timer | Policy::Checked | Policy::SendMessage => false,
        Policy::Pass
        | Policy::Wait
        | Policy::Clock
        | Policy::Refuse
        | Policy::Lock
        | Policy::Signal
        | Policy::Exit
        | Policy::SetMask
        | Policy::SetAction
        | Policy::SignalStack => true,
    }
}

fn mark_dirty() {
    record::changed_unseen();
    replace_process();
}

/// Marks the process as unfit for another run.
fn replace_process() {
    if let Some(segment) = Segment::get() {
        // SAFETY: an installed segment is mapped.
        unsafe { (*segment.header()).results.dirty.store(1, Ordering::Relaxed) };
    }
}

pub(super) fn mask_is_changed() {
    if state::role() == Role::Worker {
        state::get().mask_changed.store(true, Ordering::Relaxed);
    }
}

/// True if a call opens the memory of a process as a file.
fn opens_memory(call: Call) -> bool {
    let path = if call.number as u32 == call::OPEN { call.arguments[0] } else { call.arguments[1] };
    let mut buffer = [0; PATH_MAX];
    read_path(path, &mut buffer).is_some_and(|path| path.starts_with(b"/proc/") && path.ends_with(b"/mem"))
}

fn opens_for_writing(call: Call) -> bool {
    use overlay::{O_ACCMODE, O_CREAT, O_TRUNC};
    let flags = match call.number as u32 {
        call::OPEN => call.arguments[1],
        call::OPENAT => call.arguments[2],
        // `openat2` has the flags in memory.
        _ => read_word(call.arguments[2] as u64).unwrap_or(0) as usize,
    };
    flags & O_ACCMODE != 0 || flags & (O_CREAT | O_TRUNC) != 0
}

/// Sends a signal to this process, as for `raise` and `abort`. Signals to other processes are refused.
fn signal(call: Call) -> sys::Result<usize> {
    let target = call.arguments[0] as i32;
    // `tkill` names a thread; only the calling one is known to belong to this process.
    let own = if call.number == call::TKILL as usize { sys::gettid() } else { sys::getpid() };
    if target == own { call.perform() } else { call.refuse() }
}

fn exit(call: Call) -> sys::Result<usize> {
    if state::running() {
        mask_is_changed();
        worker::stop(Outcome {
            kind: OutcomeKind::Exited as u32,
            // The exit code that a parent process would see.
            code: call.arguments[0] as u32 & 0xff,
            site: Site::NONE.0,
            ..Outcome::default()
        });
    }
    call.perform()
}

/// `rt_sigprocmask`, applied to the mask that the trap returns to. The kernel's current mask is overwritten on return.
fn set_mask(call: Call, context: &mut Context) -> sys::Result<usize> {
    const SIG_BLOCK: usize = 0;
    const SIG_UNBLOCK: usize = 1;
    const SIG_SETMASK: usize = 2;
    let [how, set, old, len, ..] = call.arguments;
    if len != size_of::<u64>() {
        return Err(Errno::EINVAL);
    }
    let before = context.mask;
    if set != 0 {
        let set = read_word(set as u64)?;
        let mask = match how {
            SIG_BLOCK => before | set,
            SIG_UNBLOCK => before & !set,
            SIG_SETMASK => set,
            _ => return Err(Errno::EINVAL),
        };
        context.mask = mask & !OURS;
        mask_is_changed();
        record::changed_unseen();
    }
    if old != 0 {
        write_bytes(old as u64, &before.to_le_bytes())?;
    }
    Ok(0)
}

/// `rt_sigaction`: the unit installs its handlers, but the trap's signal stays unblocked while they run.
fn set_action(call: Call) -> sys::Result<usize> {
    let [signal, new, old, len, ..] = call.arguments;
    if signal as i32 == SIGSYS {
        if old != 0 {
            write_bytes(old as u64, &[0; size_of::<Action>()])?;
        }
        return Ok(0);
    }
    if new == 0 {
        return call.perform();
    }
    mark_dirty();
    let mut action = Action { handler: 0, flags: 0, restorer: 0, mask: 0 };
    // SAFETY: an `Action` is plain words.
    let bytes = unsafe { core::slice::from_raw_parts_mut((&raw mut action).cast::<u8>(), size_of::<Action>()) };
    read_bytes(new as u64, bytes)?;
    action.mask &= !OURS;
    // SAFETY: the action lives for the call; the rest is the unit's own.
    unsafe { sys::call(nr::RT_SIGACTION, [signal, &raw const action as usize, old, len, 0, 0]) }
}

/// `sigaltstack` on the main thread: handlers already have a larger stack.
fn signal_stack(call: Call) -> sys::Result<usize> {
    const SS_DISABLE: u64 = 2;
    let old = call.arguments[1];
    if old != 0 {
        let stack = [0, SS_DISABLE, 0];
        // SAFETY: three words as bytes.
        let bytes = unsafe { core::slice::from_raw_parts(stack.as_ptr().cast::<u8>(), size_of_val(&stack)) };
        write_bytes(old as u64, bytes)?;
    }
    Ok(0)
}

/// The filter cannot read the structure that `clone3` points to. C libraries fall back to `clone`, which the filter can
/// check.
fn clone3(call: Call) -> sys::Result<usize> {
    const CLONE_THREAD: u64 = 0x1_0000;
    let flags = read_word(call.arguments[0] as u64)?;
    if flags & CLONE_THREAD != 0 {
        mark_dirty();
        return Err(Errno::ENOSYS);
    }
    call.refuse()
}

fn prctl(call: Call) -> sys::Result<usize> {
    const SET_PDEATHSIG: usize = 1;
    const SET_DUMPABLE: usize = 4;
    const SET_SECCOMP: usize = 22;
    match call.arguments[0] {
        // The worker must still die with the zygote.
        SET_PDEATHSIG | SET_DUMPABLE => Ok(0),
        SET_SECCOMP => call.refuse(),
        _ => call.perform_checked(),
    }
}

/// A call on a process: for this process, 0 is passed, which the engine's filter allows.
fn own(mut call: Call, index: usize) -> sys::Result<usize> {
    let target = call.arguments[index] as i32;
    if target == sys::getpid() || target == sys::gettid() {
        call.arguments[index] = 0;
    }
    if call.number == call::PRLIMIT64 as usize && call.arguments[0] == 0 && call.arguments[2] == 0 {
        return call.perform();
    }
    call.perform_checked()
}

fn is_lock(call: Call) -> bool {
    // F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
    matches!(call.arguments[1], 6 | 7 | 37 | 38)
}

/// A lock succeeds immediately without an effect.
fn lock(call: Call) -> sys::Result<usize> {
    const F_GETFD: usize = 1;
    // SAFETY: takes numbers only.
    unsafe { sys::call(call::FCNTL as usize, [call.arguments[0], F_GETFD, 0, 0, 0, 0]) }.map(|_| 0)
}

/// `sendmsg` without address and descriptors, performed as `writev` or `sendto`.
fn send_message(call: Call) -> sys::Result<usize> {
    const WRITEV: usize = 20;
    let [socket, message, flags, ..] = call.arguments;
    // The kernel's `struct msghdr`: name, its length, vectors, their number, control data, its length, flags.
    let word = |index: usize| read_word((message + 8 * index) as u64);
    let (name, vectors, n_vectors, control_len) = (word(0)?, word(2)?, word(3)?, word(5)?);
    if name != 0 || control_len != 0 || flags != 0 && n_vectors != 1 {
        return call.refuse();
    }
    mark_dirty();
    let (number, arguments) = if flags == 0 {
        (WRITEV, [socket, vectors as usize, n_vectors as usize, 0, 0, 0])
    } else {
        let (base, len) = (read_word(vectors)?, read_word(vectors + 8)?);
        (call::SENDTO as usize, [socket, base as usize, len as usize, flags, 0, 0])
    };
    // SAFETY: the unit's own vectors, which the kernel checks.
    unsafe { sys::call(number, arguments) }
}

/// Reads memory of the unit, which may not be mapped, because pointers of the unit are not trusted. At most a page.
pub(super) fn read_bytes(from: u64, to: &mut [u8]) -> sys::Result<()> {
    /// For this command, which does not exist, the kernel reads a mask and does not use it.
    const NO_COMMAND: usize = 99;
    if to.is_empty() {
        return Ok(());
    }
    let end = from.checked_add(to.len() as u64).ok_or(Errno::EFAULT)?;
    // Aligned words do not cross pages.
    for address in [from, end - 1].map(|address| address as usize & !7) {
        // SAFETY: changes nothing.
        let read = unsafe { sys::call(nr::RT_SIGPROCMASK, [NO_COMMAND, address, 0, size_of::<u64>(), 0, 0]) };
        if read == Err(Errno::EFAULT) {
            return Err(Errno::EFAULT);
        }
    }
    // SAFETY: the first and the last page of the range are readable, and there is no other page in between.
    unsafe { memory::copy(to.as_mut_ptr() as u64, from, to.len() as u64) };
    Ok(())
}

/// Writes memory of the unit, which may not be mapped.
pub(super) fn write_bytes(to: u64, from: &[u8]) -> sys::Result<()> {
    const GETRANDOM: usize = 318;
    // The kernel writes this many bytes and returns the number it has written.
    // SAFETY: writes only bytes that are overwritten below.
    if unsafe { sys::call(GETRANDOM, [to as usize, from.len(), 0, 0, 0, 0]) } != Ok(from.len()) {
        return Err(Errno::EFAULT);
    }
    // SAFETY: all of it is writable.
    unsafe { memory::copy(to, from.as_ptr() as u64, from.len() as u64) };
    Ok(())
}

/// Longest path of the kernel, with its zero byte.
const PATH_MAX: usize = 4096;

/// A path in the unit's memory, which may end anywhere: it is read up to the end of each page.
fn read_path(from: usize, to: &mut [u8; PATH_MAX]) -> Option<&[u8]> {
    const PAGE: usize = 4096;
    let mut len = 0;
    while len < PATH_MAX {
        let here = (PAGE - (from + len) % PAGE).min(PATH_MAX - len);
        read_bytes((from + len) as u64, &mut to[len..len + here]).ok()?;
        if let Some(end) = to[len..len + here].iter().position(|byte| *byte == 0) {
            return Some(&to[..len + end]);
        }
        len += here;
    }
    None
}

pub(super) fn read_word(from: u64) -> sys::Result<u64> {
    let mut word = [0; 8];
    read_bytes(from, &mut word)?;
    Ok(u64::from_le_bytes(word))
}
