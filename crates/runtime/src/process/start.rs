//! Start of the program. `main` is linked with `--wrap=main`, so the C library calls the wrapper, which selects the
//! role of this process from the environment.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicPtr, Ordering};

use tine_trace::event::Site;
use tine_trace::outcome::{Outcome, OutcomeKind};
use tine_trace::segment::{
    FDS_VARIABLE, GUARD_MARKER, INPUTS_VARIABLE, MARKER, REPLAY_VARIABLE, SANDBOX_VARIABLE, SCRATCH_VARIABLE,
};

use super::REPLAY;
use super::frames::{LoadedObject, note_object};
use super::native::Line;
use super::sandbox;
use super::worker::{self, Arguments};
use super::zygote::{self, Engine};
use crate::sys;

unsafe extern "C" {
    fn __real_main(argc: i32, argv: u64, envp: u64) -> i32;
    fn exit(code: i32) -> !;
    fn fork() -> i32;
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*const LoadedObject, usize, *mut u8) -> i32,
        data: *mut u8,
    ) -> i32;
    fn on_exit(handler: extern "C" fn(i32, *mut u8), argument: *mut u8) -> i32;
    fn fflush(stream: *mut u8) -> i32;
}

/// Set by the engine so that the loader resolves all symbols at start. Otherwise each run would resolve them again.
const BIND_VARIABLE: &str = "LD_BIND_NOW";

/// Function that the C library calls instead of `main`.
///
/// # Safety
/// As for `main`: the arguments are those that the kernel passed to this process.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn __wrap_main(argc: i32, argv: u64, envp: u64) -> i32 {
    // Keeps the strings in the program, because the engine searches for them.
    core::hint::black_box([MARKER, GUARD_MARKER]);
    let mut environment = Environment(envp as *mut *const c_char);
    if let Some(wanted) = environment.take(INPUTS_VARIABLE) {
        WANTED.store(wanted.as_ptr().cast_mut(), Ordering::Relaxed);
    }
    let arguments = Arguments { argc, argv, envp };
    if let Some(fds) = environment.take(FDS_VARIABLE) {
        serve(fds, &mut environment, arguments);
    }
    if let Some(path) = environment.take(REPLAY_VARIABLE) {
        map_plan(path);
        let parts = number(environment.take(SANDBOX_VARIABLE));
        if let Some(scratch) = environment.take(SCRATCH_VARIABLE) {
            sandbox::guard(scratch.to_bytes_with_nul(), parts);
        }
    }
    call_main(arguments)
}

/// Runs before constructors and initialisers of shared libraries: the trap notes their refused calls. C libraries
/// without support for such functions leave it to `main`.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".preinit_array")]
static BEFORE_CONSTRUCTORS: extern "C" fn(i32, u64, u64) = before_constructors;

#[cfg_attr(test, expect(dead_code, reason = "the tests are programs of their own"))]
extern "C" fn before_constructors(_argc: i32, _argv: u64, envp: u64) {
    let environment = Environment(envp as *mut *const c_char);
    let scratch = environment.find(SCRATCH_VARIABLE).map(|(_, value)| value.to_bytes_with_nul());
    sandbox::watch(scratch, number(environment.find(SANDBOX_VARIABLE).map(|(_, value)| value)));
}

fn number(text: Option<&CStr>) -> u32 {
    text.and_then(|text| text.to_str().ok()).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Description of the symbolic parts of the environment; null if there are none.
static WANTED: AtomicPtr<c_char> = AtomicPtr::new(core::ptr::null_mut());

core::arch::global_asm!(
    ".weak __tine_start",
    ".pushsection .data.rel.ro.__tine_starter,\"aw\",@progbits",
    ".globl __tine_starter",
    ".hidden __tine_starter",
    ".type __tine_starter,@object",
    ".p2align 3",
    "__tine_starter:",
    ".quad __tine_start",
    ".size __tine_starter, . - __tine_starter",
    ".popsection",
);

/// Calls `main`, through the function that makes arguments and files inputs. That function is instrumented, and only
/// programs contain it.
fn call_main(arguments: Arguments) -> i32 {
    type Main = unsafe extern "C" fn(i32, u64, u64) -> i32;
    type Starter = unsafe extern "C" fn(*const c_char, Main, i32, u64, u64) -> i32;
    unsafe extern "C" {
        static __tine_starter: Option<Starter>;
    }
    let Arguments { argc, argv, envp } = arguments;
    let wanted = WANTED.load(Ordering::Relaxed);
    // SAFETY: written by the loader; null if it is undefined.
    match unsafe { __tine_starter } {
        // SAFETY: the type declared in `models/interfaces/start.c`; the string lives as long as the process.
        Some(starter) if !wanted.is_null() => unsafe { starter(wanted, __real_main, argc, argv, envp) },
        // SAFETY: the program's own `main`, with the arguments from the C library.
        _ => unsafe { __real_main(argc, argv, envp) },
    }
}

/// Runs `main`. A return from `main` is an exit.
pub(super) fn main_and_exit(arguments: Arguments) -> ! {
    let code = call_main(arguments);
    forget_frame();
    // SAFETY: the C library's.
    unsafe { exit(code) }
}

/// Overwrites the part of the stack where `main` had its variables: a pointer left there would hide a leak.
#[inline(never)]
fn forget_frame() {
    core::hint::black_box([0u64; 1024]);
}

/// Catches `exit` if no filter catches the end of the process. Handlers from before `main` and destructors are skipped.
pub(super) fn catch_exit() {
    extern "C" fn caught(code: i32, _argument: *mut u8) {
        if worker::is_worker() {
            // SAFETY: null stands for all streams.
            unsafe { fflush(core::ptr::null_mut()) };
            let (kind, code) = (OutcomeKind::Exited as u32, code as u32 & 0xff);
            worker::stop(Outcome { kind, code, site: Site::NONE.0, ..Outcome::default() });
        }
    }
    // SAFETY: the C library's function; the handler has the required type.
    unsafe { on_exit(caught, core::ptr::null_mut()) };
}

fn serve(fds: &CStr, environment: &mut Environment, arguments: Arguments) -> ! {
    let mut numbers = fds.to_str().unwrap_or("").split(',').map(|number| number.parse::<i32>().ok());
    let (Some(Some(segment)), Some(Some(control)), Some(Some(maps))) = (numbers.next(), numbers.next(), numbers.next())
    else {
        Line::new().text("tine: ").text(FDS_VARIABLE).text(" is set, but not by tine").write();
        sys::exit_group(4);
    };
    environment.take(BIND_VARIABLE);
    let scratch = environment.take(SCRATCH_VARIABLE).map(CStr::to_bytes_with_nul);
    let sandbox = number(environment.take(SANDBOX_VARIABLE));
    // SAFETY: the C library's, with a callback of its type.
    unsafe { dl_iterate_phdr(note_object, core::ptr::null_mut()) };
    zygote::serve(Engine { segment, control, maps, scratch, sandbox }, arguments, fork)
}

/// Maps a plan file for the process's whole life.
fn map_plan(path: &CStr) {
    const LSEEK: usize = 8;
    const SEEK_END: usize = 2;
    let mapped = sys::open(path.to_bytes_with_nul(), 0).and_then(|fd| {
        // SAFETY: touches no memory.
        let len = unsafe { sys::call(LSEEK, [fd as usize, 0, SEEK_END, 0, 0, 0]) }?;
        // SAFETY: the kernel chooses the address.
        let at = unsafe { sys::mmap(0, len as u64, sys::PROT_READ, sys::MAP_PRIVATE, fd, 0) };
        sys::close(fd);
        at
    });
    match mapped {
        Ok(at) => REPLAY.store(at, Ordering::Relaxed),
        Err(_) => {
            Line::new().text("tine: cannot read the input plan that ").text(REPLAY_VARIABLE).text(" names").write();
        }
    }
}

/// The environment, as stored by the C library: an array that ends with null.
struct Environment(*mut *const c_char);

impl Environment {
    /// The position of a variable, and its value.
    fn find(&self, name: &str) -> Option<(*mut *const c_char, &'static CStr)> {
        let mut at = self.0;
        // SAFETY: the array ends with null, and its strings live as long as the process.
        unsafe {
            while !(*at).is_null() {
                let text = CStr::from_ptr(*at);
                if let Some(rest) = text.to_bytes_with_nul().strip_prefix(name.as_bytes())
                    && let Some(value) = rest.strip_prefix(b"=")
                {
                    return CStr::from_bytes_with_nul(value).ok().map(|value| (at, value));
                }
                at = at.add(1);
            }
        }
        None
    }

    /// Removes the variable, so that the program sees the same environment as without tine.
    fn take(&mut self, name: &str) -> Option<&'static CStr> {
        let (mut at, value) = self.find(name)?;
        // SAFETY: an entry of the array, which ends with null.
        unsafe {
            while !(*at).is_null() {
                *at = *at.add(1);
                at = at.add(1);
            }
        }
        Some(value)
    }
}
