//! All of `tine-runtime`, as one object for the linker.
#![no_std]

use core::fmt::{self, Write};

// The runtime copies memory while the unit runs, and the unit may contain an instrumented `memcpy`. So this object has
// local functions with the names that the compiler calls.
include!("../memory_functions.rs");
memory_functions!("");

pub use tine_runtime::{process, record};

struct Stderr;

impl Write for Stderr {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        tine_runtime::sys::write_all(2, text.as_bytes()).map_err(|_| fmt::Error)
    }
}

// The compiler's support library, part of the archive, was built for unwinding. Nothing unwinds here. The symbol is
// weak, because a unit in Rust contains the real one.
core::arch::global_asm!(
    ".pushsection .text.rust_eh_personality,\"ax\",@progbits",
    ".weak rust_eh_personality",
    ".type rust_eh_personality,@function",
    "rust_eh_personality:",
    "ud2",
    ".size rust_eh_personality, . - rust_eh_personality",
    ".popsection",
);

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Stderr, "tine: a bug in tine: {info}");
    tine_runtime::sys::exit_group(4)
}
