//! Copying and zeroing of memory without the C library, whose `memcpy` may be the unit under test.

use core::arch::asm;

/// Copies `len` bytes between ranges that do not overlap.
///
/// # Safety
/// `from` must be readable and `to` writable for `len` bytes.
#[inline]
pub unsafe fn copy(to: u64, from: u64, len: u64) {
    // SAFETY: the caller guarantees both ranges; the direction flag is clear by the ABI.
    unsafe {
        asm!("rep movsb", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") len => _,
             options(nostack, preserves_flags));
    }
}

/// Makes `len` bytes zero.
///
/// # Safety
/// `to` must be writable for `len` bytes.
#[inline]
pub unsafe fn zero(to: u64, len: u64) {
    // SAFETY: the caller guarantees the range; the direction flag is clear by the ABI.
    unsafe {
        asm!("rep stosb", inout("rdi") to => _, inout("rcx") len => _, in("al") 0u8,
             options(nostack, preserves_flags));
    }
}

/// Tests of the archive's own `memcpy` and similar functions, which only the archive can call.
#[cfg(test)]
mod tests {
    include!("../../archive/memory_functions.rs");
    memory_functions!("__tine_test_");
    // The names that Rust calls must be symbols visible to other code units.
    core::arch::global_asm!(
        ".globl __tine_test_memcpy",
        ".globl __tine_test_memmove",
        ".globl __tine_test_memset",
        ".globl __tine_test_memcmp",
        ".globl __tine_test_strlen",
    );

    unsafe extern "C" {
        fn __tine_test_memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8;
        fn __tine_test_memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8;
        fn __tine_test_memset(to: *mut u8, byte: i32, len: usize) -> *mut u8;
        fn __tine_test_memcmp(a: *const u8, b: *const u8, len: usize) -> i32;
        fn __tine_test_strlen(text: *const u8) -> usize;
    }

    const LENS: [usize; 24] =
        [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 100, 511, 512, 513, 700];

    fn pattern() -> Vec<u8> {
        (0..1000u32).map(|i| (i * 7 + i / 256) as u8 | 1).collect()
    }

    #[test]
    fn copies_of_every_length() {
        for len in LENS {
            let from = pattern();
            let mut to = vec![0; 1000];
            // SAFETY: both are long enough.
            let result = unsafe { __tine_test_memcpy(to.as_mut_ptr().add(13), from.as_ptr().add(5), len) };
            assert_eq!(result, to[13..].as_mut_ptr());
            assert_eq!(to[13..13 + len], from[5..5 + len], "{len}");
            assert!(to[..13].iter().chain(&to[13 + len..]).all(|&byte| byte == 0), "{len}");
        }
    }

    #[test]
    fn moves_between_ranges_that_overlap() {
        for len in LENS {
            for (to, from) in [(100, 100), (100, 101), (101, 100), (100, 117), (117, 100), (100, 90), (0, 300)] {
                let mut expected = pattern();
                expected.copy_within(from..from + len, to);
                let mut seen = pattern();
                let base = seen.as_mut_ptr();
                // SAFETY: both ranges lie in the vector.
                unsafe { __tine_test_memmove(base.add(to), base.add(from), len) };
                assert!(seen == expected, "{len} bytes from {from} to {to}");
            }
        }
    }

    #[test]
    fn fills_of_every_length() {
        for len in LENS {
            let mut to = vec![1; 1000];
            // SAFETY: the vector is long enough.
            unsafe { __tine_test_memset(to.as_mut_ptr().add(3), 0x1ab, len) };
            assert!(to[3..3 + len].iter().all(|&byte| byte == 0xab), "{len}");
            assert!(to[..3].iter().chain(&to[3 + len..]).all(|&byte| byte == 1), "{len}");
        }
    }

    #[test]
    fn comparisons() {
        let compare = |a: &[u8], b: &[u8]| {
            // SAFETY: both have that length.
            unsafe { __tine_test_memcmp(a.as_ptr(), b.as_ptr(), a.len()) }.signum()
        };
        assert_eq!(compare(b"", b""), 0);
        assert_eq!(compare(b"abc", b"abc"), 0);
        assert_eq!(compare(b"ab\xff", b"ab\x01"), 1);
        assert_eq!(compare(b"aaz", b"abc"), -1);
        // SAFETY: the string ends with a zero byte.
        assert_eq!(unsafe { __tine_test_strlen(c"four".as_ptr().cast()) }, 4);
    }
}
