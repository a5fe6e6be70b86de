//! The worker: one process, many runs.
//!
//! ```text
//!   wait for a request ─▶ begin ─▶ main on the unit's stack ─▶ … ─▶ stop ─▶ publish ─▶ reset ─▶ wait …
//! ```
//! In a batch, a reset and another run replace all but the last `publish`.
//! Publishing comes before the reset, so that the engine uses the results meanwhile.

use core::sync::atomic::{AtomicU32, Ordering};

use tine_trace::outcome::{MEMORY_REFUSED, Outcome, OutcomeKind};
use tine_trace::segment::{Header, SANDBOX_CALLS, SLEEPING_ENGINE, SLEEPING_WORKER};

use super::batch::Batch;
use super::heap::{HEAP, exports};
use super::state::{self, Role, State};
use super::{context, descriptors, fork_server, leaks, signals, stack, start, trap};
use crate::record;
use crate::segment::Segment;
use crate::sys::{self, nr};

/// Cycles for which the worker polls for a request before it sleeps: about 50 µs. Between two runs of a small unit the
/// engine takes 10 to 20 µs. A sleep costs both sides the same time again.
const SPIN: u64 = 150_000;

/// Arguments of `main`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments {
    pub(super) argc: i32,
    pub(super) argv: u64,
    pub(super) envp: u64,
}

/// Becomes a worker, in a process just forked: never returns. `served` is the last request before, `lasting` tells if
/// it should serve more than one, `parent` is the zygote.
pub(super) fn become_worker(segment: Segment, arguments: Arguments, served: u32, lasting: bool, parent: i32) -> ! {
    die_with(parent);
    if state::map().and_then(|()| HEAP.map()).is_err() {
        super::native::Line::new().text("tine: no address space for the unit's heap and stacks").write();
        sys::exit_group(4);
    }
    state::set_role(Role::Worker);
    let worker = state::get();
    worker.pid.store(sys::getpid(), Ordering::Relaxed);
    worker.thread.store(context::thread_pointer(), Ordering::Relaxed);
    worker.served.store(served, Ordering::Relaxed);
    worker.parent.store(parent, Ordering::Relaxed);
    fork_server::note_output(worker);
    worker.sse_control.store(context::sse_control(), Ordering::Relaxed);
    worker.argc.store(arguments.argc, Ordering::Relaxed);
    worker.argv.store(arguments.argv, Ordering::Relaxed);
    worker.envp.store(arguments.envp, Ordering::Relaxed);
    worker.mask.store(signals::mask(), Ordering::Relaxed);
    let filtered = header(segment).sandbox.load(Ordering::Relaxed) & SANDBOX_CALLS != 0;
    worker.filtered.store(filtered, Ordering::Relaxed);
    worker.fresh_each_run.store(!lasting || !filtered, Ordering::Relaxed);
    header(segment).sleeping.fetch_and(!SLEEPING_WORKER, Ordering::SeqCst);
    // Above this frame is the part of the first stack that a run may see: arguments and environment.
    worker.first_stack.store(context::stack_pointer(), Ordering::Relaxed);
    let (base, len) = state::WORKER_STACK;
    let mut unused = 0;
    // SAFETY: mapped above, and not used otherwise.
    unsafe { context::switch(&raw mut unused, base + len, prepare_and_serve) };
    sys::exit_group(4)
}

/// Makes this process die with the zygote.
pub(super) fn die_with(parent: i32) {
    const PR_SET_PDEATHSIG: usize = 1;
    const SIGKILL: usize = 9;
    const GETPPID: usize = 110;
    // SAFETY: neither touches memory.
    unsafe {
        sys::raw(nr::PRCTL, [PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0]);
        // It may have died before.
        if sys::raw(GETPPID, [0; 6]) as i32 != parent {
            sys::exit_group(4);
        }
    }
}

/// Runs on the worker's own stack from here on.
extern "C" fn prepare_and_serve() -> ! {
    let Some(segment) = Segment::get() else { sys::exit_group(4) };
    if stack::map(&state::get().window).is_err()
        || signals::install_fatal(state::get().filtered.load(Ordering::Relaxed)).is_err()
    {
        super::native::Line::new().text("tine: cannot prepare the unit's stack and signals").write();
        sys::exit_group(4);
    }
    forget_rseq();
    exports::trim_outside();
    record::init_worker();
    let worker = state::get();
    if !worker.fresh_each_run.load(Ordering::Relaxed) {
        // SAFETY: the main thread is the only one, and there is no other reference.
        let snapshot = unsafe { &mut *worker.snapshot.get() };
        let resettable = snapshot.take(worker.first_stack.load(Ordering::Relaxed));
        worker.fresh_each_run.store(!resettable, Ordering::Relaxed);
    }
    loop {
        worker.request.store(wait_for_request(segment), Ordering::Relaxed);
        let mut batch = Batch::of(segment);
        run(segment);
        while batch.goes_on() {
            reset(worker);
            run(segment);
        }
        // Not the number from above: this process may have been forked during the run.
        let request = worker.request.load(Ordering::Relaxed);
        publish(segment, request);
        worker.served.store(request, Ordering::Relaxed);
        reset(worker);
    }
}

/// Restores the state before the run.
fn reset(worker: &State) {
    // SAFETY: the main thread is the only one, and the snapshot is not written any more.
    unsafe { (*worker.snapshot.get()).restore() };
    stack::reset(&worker.window);
    HEAP.reset();
    record::reset();
}

/// The C library lets the kernel write the processor's number into thread-local storage. The copy-back would overwrite
/// it without the kernel's knowledge.
fn forget_rseq() {
    const UNREGISTER: usize = 1;
    const SIGNATURE: usize = 0x5305_3053;
    // Size of the structure as registered by the C library.
    const LEN: usize = 32;
    let Some(offset) = rseq_offset() else { return };
    let address = context::thread_pointer().wrapping_add_signed(offset) as usize;
    // SAFETY: the kernel compares the address with the registered one, and refuses another.
    let _ = unsafe { sys::raw(nr::RSEQ, [address, LEN, UNREGISTER, SIGNATURE, 0, 0]) };
}

core::arch::global_asm!(
    ".weak __rseq_offset",
    ".pushsection .data.rel.ro.__tine_rseq,\"aw\",@progbits",
    ".globl __tine_rseq",
    ".hidden __tine_rseq",
    ".type __tine_rseq,@object",
    ".p2align 3",
    "__tine_rseq:",
    ".quad __rseq_offset",
    ".size __tine_rseq, . - __tine_rseq",
    ".popsection",
);

/// The C library's `__rseq_offset`, if it has one.
fn rseq_offset() -> Option<i64> {
    unsafe extern "C" {
        static __tine_rseq: *const i64;
    }
    // SAFETY: written by the loader; null if the C library has no such variable.
    unsafe { __tine_rseq.as_ref().copied() }
}

pub(super) fn header(segment: Segment) -> &'static Header {
    // SAFETY: an installed segment stays mapped. Its changing parts are atomic, except for limits and outcome, which
    // are read and written through pointers.
    unsafe { &*segment.header() }
}

/// Waits until the engine requests a run: spins if the engine has another core, then sleeps.
pub(super) fn wait_for_request(segment: Segment) -> u32 {
    let header = header(segment);
    let served = state::get().served.load(Ordering::Relaxed);
    loop {
        let start = context::cycles();
        loop {
            let request = header.request.load(Ordering::Acquire);
            if request != served {
                return request;
            }
            let may_spin = header.one_core.load(Ordering::Relaxed) == 0;
            if !may_spin || context::cycles().wrapping_sub(start) >= SPIN {
                break;
            }
            core::hint::spin_loop();
        }
        sleep(&header.request, served, &header.sleeping, SLEEPING_WORKER);
    }
}

/// Sleeps while `*word == value`. The bit is set before the last test, and the writer of the word tests the bit
/// afterwards. So at least one of them sees the other.
fn sleep(word: &AtomicU32, value: u32, sleeping: &AtomicU32, bit: u32) {
    sleeping.fetch_or(bit, Ordering::SeqCst);
    if word.load(Ordering::SeqCst) == value {
        sys::futex_wait(word, value);
    }
    sleeping.fetch_and(!bit, Ordering::SeqCst);
}

/// Records that the run has begun. Returns its memory limit.
pub(super) fn begin(segment: Segment) -> u64 {
    state::get().ending.store(0, Ordering::Relaxed);
    let header = segment.header();
    // SAFETY: the engine wrote the limits before the request and does not access both until the request is done.
    unsafe {
        (*header).results.dirty.store(0, Ordering::Relaxed);
        (*header).results.outcome.set(Outcome {
            kind: OutcomeKind::Unfinished as u32,
            site: u32::MAX,
            ..Outcome::default()
        });
        (*header).limits.copy().memory
    }
}

/// Performs one run, from the switch to the unit's stack to the switch back.
fn run(segment: Segment) {
    let worker = state::get();
    HEAP.begin(begin(segment));
    for flag in [&worker.has_input, &worker.bound] {
        flag.store(false, Ordering::Relaxed);
    }
    descriptors::begin();
    worker.began.store(context::cycles(), Ordering::Relaxed);
    context::reset_floats(worker.sse_control.load(Ordering::Relaxed));
    record::begin(segment);
    state::set_running(true);
    trap::note_early();
    // SAFETY: the unit's stack is mapped and empty.
    unsafe { context::switch(worker.saved.get(), stack::top(), enter) };
    state::set_running(false);
    if worker.mask_changed.swap(false, Ordering::Relaxed) {
        signals::set_mask(worker.mask.load(Ordering::Relaxed));
    }
    record::end();
}

/// Runs on the unit's stack.
extern "C" fn enter() -> ! {
    let worker = state::get();
    let arguments = Arguments {
        argc: worker.argc.load(Ordering::Relaxed),
        argv: worker.argv.load(Ordering::Relaxed),
        envp: worker.envp.load(Ordering::Relaxed),
    };
    if !worker.filtered.load(Ordering::Relaxed) {
        start::catch_exit();
    }
    start::main_and_exit(arguments)
}

/// True if this process is the worker, and not a process forked by the unit. Under the filter the unit cannot fork, so
/// no test is needed.
pub(super) fn is_worker() -> bool {
    let is_only_one = || {
        let worker = state::get();
        worker.filtered.load(Ordering::Relaxed) || worker.pid.load(Ordering::Relaxed) == sys::getpid()
    };
    state::role() == Role::Worker && is_only_one()
}

/// See [`super::stop`].
pub(super) fn stop(mut outcome: Outcome) -> ! {
    record::versions::leave(&outcome);
    let is_end = [OutcomeKind::Exited, OutcomeKind::Rejected].iter().any(|kind| outcome.kind == *kind as u32);
    if !is_end && record::memory_was_refused() {
        outcome.kind = OutcomeKind::OutOfMemory as u32;
        outcome.code = MEMORY_REFUSED;
    }
    let Some(segment) = Segment::get() else { sys::exit_group(4) };
    if !is_worker() {
        // The run continues in another process.
        sys::exit_group(outcome.code as i32 & 0xff);
    }
    let worker = state::get();
    let thread = context::thread_pointer();
    if let Err(other) = worker.ending.compare_exchange(0, thread, Ordering::AcqRel, Ordering::Acquire)
        && other != thread
    {
        // Another thread was first. The process ends with the run.
        loop {
            sys::futex_wait(&AtomicU32::new(0), 0);
        }
    }
    if outcome.kind == OutcomeKind::Exited as u32 && thread == worker.thread.load(Ordering::Relaxed) {
        let here = core::hint::black_box(0u64);
        let here = &raw const here as u64;
        // The system call that ends the run was stopped, and is handled on another stack.
        leaks::report(if stack::end_above(here).is_some() { here } else { trap::stopped_at() });
    }
    // SAFETY: `ending` lets only one thread pass. If a signal arrives in between, its own outcome is complete.
    unsafe { (*segment.header()).results.outcome.set(outcome) };
    if thread == worker.thread.load(Ordering::Relaxed) {
        // SAFETY: the main thread is in a run, so the switch has not returned.
        unsafe { context::resume(*worker.saved.get()) }
    }
    // Another thread cannot make the main thread switch back: the run ends with the process.
    header(segment).results.dirty.store(1, Ordering::Relaxed);
    record::end();
    publish(segment, header(segment).request.load(Ordering::Acquire));
    sys::exit_group(0)
}

/// Publishes the results to the engine. A process that cannot be reset ends here.
fn publish(segment: Segment, request: u32) {
    let header = header(segment);
    if state::get().fresh_each_run.load(Ordering::Relaxed) {
        header.results.dirty.store(1, Ordering::Relaxed);
    }
    let dirty = header.results.dirty.load(Ordering::Relaxed) != 0;
    header.done.store(request, Ordering::SeqCst);
    if header.sleeping.load(Ordering::SeqCst) & SLEEPING_ENGINE != 0 {
        sys::futex_wake(&header.done);
    }
    if dirty {
        sys::exit_group(0);
    }
}
