//! System calls, made directly: the runtime must not use the unit's C library during a run.
//!
//! All of them use one `syscall` instruction, `__tine_syscall`. The trap lets that instruction pass (see
//! `process::filter`), so the runtime is never trapped by its own filter. The engine's filters treat it like any other.

use core::arch::global_asm;
use core::sync::atomic::AtomicU32;

global_asm!(
    ".pushsection .text.__tine_syscall,\"ax\",@progbits",
    ".globl __tine_syscall",
    ".hidden __tine_syscall",
    ".type __tine_syscall,@function",
    ".p2align 4",
    // isize __tine_syscall(number, a, b, c, d, e, f): shifts the C argument registers to the kernel's.
    "__tine_syscall:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    ".globl __tine_syscall_end",
    ".hidden __tine_syscall_end",
    "__tine_syscall_end:",
    "ret",
    ".size __tine_syscall, . - __tine_syscall",
    ".popsection",
);

unsafe extern "C" {
    fn __tine_syscall(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize;
    fn __tine_syscall_end();
}

/// Address after the one `syscall` instruction: the kernel reports it as the caller.
pub fn trusted_address() -> u64 {
    __tine_syscall_end as *const () as u64
}

/// An error of the kernel, positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

impl Errno {
    pub const EPERM: Errno = Errno(1);
    pub const EINTR: Errno = Errno(4);
    pub const EACCES: Errno = Errno(13);
    pub const EXDEV: Errno = Errno(18);
    pub const EROFS: Errno = Errno(30);
    pub const ENOSYS: Errno = Errno(38);
    pub const ENOMEM: Errno = Errno(12);
    pub const EFAULT: Errno = Errno(14);
    pub const EINVAL: Errno = Errno(22);
}

pub type Result<T> = core::result::Result<T, Errno>;

/// Performs any system call, with the kernel's convention for the result (-4095 … -1 is an error).
///
/// # Safety
/// The requirements of the system call: its arguments must point to suitable memory.
pub unsafe fn raw(number: usize, arguments: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the caller guarantees the arguments; the stub follows the C calling convention.
    unsafe { __tine_syscall(number, a, b, c, d, e, f) }
}

/// As [`raw`], with errors separated from results.
///
/// # Safety
/// As [`raw`].
pub unsafe fn call(number: usize, arguments: [usize; 6]) -> Result<usize> {
    // SAFETY: the caller guarantees the arguments.
    let result = unsafe { raw(number, arguments) };
    if (-4095..0).contains(&result) { Err(Errno(-result as i32)) } else { Ok(result as usize) }
}

/// Numbers of the system calls that the runtime makes.
pub mod nr {
    pub const READ: usize = 0;
    pub const FCNTL: usize = 72;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const POLL: usize = 7;
    pub const MMAP: usize = 9;
    pub const MPROTECT: usize = 10;
    pub const MUNMAP: usize = 11;
    pub const BRK: usize = 12;
    pub const RT_SIGACTION: usize = 13;
    pub const RT_SIGPROCMASK: usize = 14;
    pub const MINCORE: usize = 27;
    pub const MADVISE: usize = 28;
    pub const GETPID: usize = 39;
    pub const KILL: usize = 62;
    pub const SIGALTSTACK: usize = 131;
    pub const PRCTL: usize = 157;
    pub const GETTID: usize = 186;
    pub const FUTEX: usize = 202;
    pub const EXIT_GROUP: usize = 231;
    pub const TGKILL: usize = 234;
    pub const OPENAT: usize = 257;
    pub const SET_ROBUST_LIST: usize = 273;
    pub const SECCOMP: usize = 317;
    pub const RSEQ: usize = 334;
    pub const PIDFD_OPEN: usize = 434;
}

pub const PROT_NONE: u32 = 0;
pub const PROT_READ: u32 = 1;
pub const PROT_WRITE: u32 = 2;
pub const MAP_SHARED: u32 = 0x01;
pub const MAP_PRIVATE: u32 = 0x02;
pub const MAP_ANONYMOUS: u32 = 0x20;
pub const MAP_NORESERVE: u32 = 0x4000;
/// Map at exactly this address, or fail with `EEXIST`.
pub const MAP_FIXED_NOREPLACE: u32 = 0x10_0000;

pub const MADV_DONTNEED: u32 = 4;
pub const MADV_DONTFORK: u32 = 10;
pub const MADV_NOHUGEPAGE: u32 = 15;
pub const MADV_DONTDUMP: u32 = 16;

/// Maps memory.
///
/// # Safety
/// As `mmap`: a fixed address must not overlap memory that is in use.
pub unsafe fn mmap(address: u64, len: u64, protection: u32, flags: u32, fd: i32, offset: u64) -> Result<*mut u8> {
    let arguments =
        [address as usize, len as usize, protection as usize, flags as usize, fd as isize as usize, offset as usize];
    // SAFETY: the caller guarantees the address.
    unsafe { call(nr::MMAP, arguments) }.map(|at| at as *mut u8)
}

/// Private memory of zeros at exactly `address`, committed only as it is touched.
pub fn reserve(address: u64, len: u64) -> Result<*mut u8> {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    // SAFETY: MAP_FIXED_NOREPLACE never replaces a mapping.
    let at = unsafe { mmap(address, len, PROT_READ | PROT_WRITE, flags, -1, 0) }?;
    // Kernels before 4.17 treat the address as a hint.
    if at as u64 == address { Ok(at) } else { Err(Errno::ENOMEM) }
}

/// Unmaps memory.
///
/// # Safety
/// The memory must not be used any more.
pub unsafe fn munmap(address: u64, len: u64) -> Result<()> {
    // SAFETY: the caller guarantees that the memory is out of use.
    unsafe { call(nr::MUNMAP, [address as usize, len as usize, 0, 0, 0, 0]) }.map(drop)
}

/// Changes the protection of whole pages.
///
/// # Safety
/// No code may rely on an access that the new protection forbids.
pub unsafe fn mprotect(address: u64, len: u64, protection: u32) -> Result<()> {
    // SAFETY: the caller guarantees the memory.
    unsafe { call(nr::MPROTECT, [address as usize, len as usize, protection as usize, 0, 0, 0]) }.map(drop)
}

/// Gives advice about whole pages. `MADV_DONTNEED` zeroes private anonymous pages.
///
/// # Safety
/// With `MADV_DONTNEED` the contents are lost.
pub unsafe fn madvise(address: u64, len: u64, advice: u32) -> Result<()> {
    // SAFETY: the caller guarantees the memory.
    unsafe { call(nr::MADVISE, [address as usize, len as usize, advice as usize, 0, 0, 0]) }.map(drop)
}

/// End of the memory after the program's variables that the C library has requested.
pub fn end_of_data() -> u64 {
    // SAFETY: changes nothing.
    unsafe { call(nr::BRK, [0; 6]) }.unwrap_or(0) as u64
}

/// Writes one byte per page of the range: bit 0 is set if the page is in memory. Returns false if the kernel refused.
pub fn mincore(address: u64, len: u64, resident: &mut [u8]) -> bool {
    debug_assert!(resident.len() as u64 >= len.div_ceil(4096));
    let arguments = [address as usize, len as usize, resident.as_mut_ptr() as usize, 0, 0, 0];
    // SAFETY: the kernel writes one byte per page, and there is room for them.
    unsafe { call(nr::MINCORE, arguments) }.is_ok()
}

/// Writes once. Returns the number of bytes written.
pub fn write(fd: i32, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the slice is readable.
    unsafe { call(nr::WRITE, [fd as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) }
}

/// Writes all bytes, or as many as possible.
pub fn write_all(fd: i32, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match write(fd, bytes) {
            Ok(n) => bytes = &bytes[n.min(bytes.len())..],
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads once. Repeats the call if a signal interrupted it.
pub fn read(fd: i32, bytes: &mut [u8]) -> Result<usize> {
    loop {
        // SAFETY: the slice is writable.
        match unsafe { call(nr::READ, [fd as usize, bytes.as_mut_ptr() as usize, bytes.len(), 0, 0, 0]) } {
            Err(Errno::EINTR) => {}
            other => return other,
        }
    }
}

const AT_FDCWD: isize = -100;

/// Opens a file; `path` ends with a zero byte.
pub fn open(path: &[u8], flags: u32) -> Result<i32> {
    assert!(path.last() == Some(&0));
    // SAFETY: the path ends with a zero byte.
    unsafe { call(nr::OPENAT, [AT_FDCWD as usize, path.as_ptr() as usize, flags as usize, 0, 0, 0]) }
        .map(|fd| fd as i32)
}

pub fn close(fd: i32) {
    // SAFETY: closing a descriptor touches no memory.
    let _ = unsafe { raw(nr::CLOSE, [fd as usize, 0, 0, 0, 0, 0]) };
}

/// Sleeps while `*word == value`, until a wake-up. Spurious wake-ups are possible.
pub fn futex_wait(word: &AtomicU32, value: u32) {
    const FUTEX_WAIT: usize = 0;
    // SAFETY: the word is a live, aligned 32-bit word; without a time-out nothing else is read.
    let _ = unsafe { raw(nr::FUTEX, [word.as_ptr() as usize, FUTEX_WAIT, value as usize, 0, 0, 0]) };
}

/// As [`futex_wait`], but at most this many nanoseconds (less than a second).
pub fn futex_wait_for(word: &AtomicU32, value: u32, nanoseconds: u64) {
    const FUTEX_WAIT: usize = 0;
    let time = [0, nanoseconds];
    // SAFETY: the word is a live, aligned 32-bit word, and the time lives for the call.
    let _ =
        unsafe { raw(nr::FUTEX, [word.as_ptr() as usize, FUTEX_WAIT, value as usize, time.as_ptr() as usize, 0, 0]) };
}

/// Wakes all threads that sleep on `word`, in this and other processes.
pub fn futex_wake(word: &AtomicU32) {
    const FUTEX_WAKE: usize = 1;
    // SAFETY: the word is only an address to the kernel here.
    let _ = unsafe { raw(nr::FUTEX, [word.as_ptr() as usize, FUTEX_WAKE, i32::MAX as usize, 0, 0, 0]) };
}

pub fn getpid() -> i32 {
    // SAFETY: touches no memory.
    unsafe { raw(nr::GETPID, [0; 6]) as i32 }
}

pub fn gettid() -> i32 {
    // SAFETY: touches no memory.
    unsafe { raw(nr::GETTID, [0; 6]) as i32 }
}

/// Ends the process with all its threads, without running handlers.
pub fn exit_group(code: i32) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { raw(nr::EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]) };
    }
}
