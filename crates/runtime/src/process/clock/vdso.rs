//! Redirection of functions of the vDSO, the kernel's code in every process: the start of each function is replaced by
//! a jump to another function.

use crate::sys::{self, PROT_READ, PROT_WRITE};

const PROT_EXEC: u32 = 4;
const PAGE: u64 = 4096;
/// Offsets in the ELF header: program headers, and their number.
const E_PHOFF: u64 = 32;
const E_PHNUM: u64 = 56;
const PROGRAM_HEADER: u64 = 56;
const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const SYMBOL: u64 = 24;

/// `mov rax, TARGET; jmp rax`.
const JUMP_LEN: usize = 12;

/// Redirects all of them, or none. Returns false if the process has no vDSO that can be changed.
pub(super) fn redirect(functions: &[(&[u8], u64)]) -> bool {
    let Some(image) = image() else { return false };
    let mut found = [0; 4];
    for (at, (name, _)) in found.iter_mut().zip(functions) {
        // SAFETY: the kernel mapped a whole ELF image there.
        match unsafe { find(image, name) } {
            Some(address) => *at = address,
            None => return false,
        }
    }
    if !protect(image, PROT_READ | PROT_WRITE) {
        return false;
    }
    for (function, (_, target)) in found.into_iter().zip(functions) {
        write_jump(function, *target);
    }
    protect(image, PROT_READ | PROT_EXEC)
}

/// Address of the vDSO, from the auxiliary vector.
fn image() -> Option<u64> {
    const AT_SYSINFO_EHDR: u64 = 33;
    let mut vector = [0; 1024];
    let file = sys::open(b"/proc/self/auxv\0", 0).ok()?;
    let len = sys::read(file, &mut vector);
    sys::close(file);
    let (pairs, _) = vector[..len.ok()?].as_chunks::<16>();
    let word = |pair: &[u8; 16], at: usize| u64::from_le_bytes(*pair[at..].first_chunk().unwrap_or(&[0; 8]));
    pairs.iter().find(|pair| word(pair, 0) == AT_SYSINFO_EHDR).map(|pair| word(pair, 8)).filter(|at| *at != 0)
}

/// # Safety
/// The address must be readable.
unsafe fn word(at: u64) -> u64 {
    // SAFETY: the caller guarantees it.
    unsafe { (at as *const u64).read_unaligned() }
}

/// Address of a function of the image. Its symbol table ends at the start of its strings.
///
/// # Safety
/// `image` must be a whole ELF image.
unsafe fn find(image: u64, name: &[u8]) -> Option<u64> {
    let (mut base, mut dynamic) = (image, 0);
    // SAFETY: reads the image's own tables.
    unsafe {
        let headers = image + word(image + E_PHOFF);
        for header in (0..word(image + E_PHNUM) & 0xffff).map(|i| headers + i * PROGRAM_HEADER) {
            match word(header) as u32 {
                PT_LOAD => base = image.wrapping_add(word(header + 8)).wrapping_sub(word(header + 16)),
                PT_DYNAMIC => dynamic = image + word(header + 8),
                _ => {}
            }
        }
        if dynamic == 0 {
            return None;
        }
        let (mut strings, mut symbols) = (0, 0);
        while word(dynamic) != 0 {
            match word(dynamic) {
                DT_STRTAB => strings = base.wrapping_add(word(dynamic + 8)),
                DT_SYMTAB => symbols = base.wrapping_add(word(dynamic + 8)),
                _ => {}
            }
            dynamic += 16;
        }
        if symbols == 0 || strings <= symbols || strings - symbols > PAGE {
            return None;
        }
        let is_named = |symbol: &u64| {
            let text = (strings + (word(*symbol) & 0xffff_ffff)) as *const u8;
            (0..name.len()).all(|i| *text.add(i) == name[i]) && *text.add(name.len()) == 0
        };
        let mut table = (0..(strings - symbols) / SYMBOL).map(|i| symbols + i * SYMBOL);
        let symbol = table.find(is_named)?;
        let (address, len) = (base.wrapping_add(word(symbol + 8)), word(symbol + 16));
        // The padding up to the next function belongs to it.
        (address.is_multiple_of(16) || len >= JUMP_LEN as u64).then_some(address)
    }
}

/// Changes the protection of the whole image, because the kernel does not allow splitting it. Its length is the first
/// one for which the call succeeds.
fn protect(image: u64, protection: u32) -> bool {
    const MOST_PAGES: u64 = 16;
    // SAFETY: code of the kernel that no thread runs now.
    (1..=MOST_PAGES).any(|pages| unsafe { sys::mprotect(image, pages * PAGE, protection) }.is_ok())
}

fn write_jump(function: u64, target: u64) {
    let mut code = [0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0];
    code[2..10].copy_from_slice(&target.to_le_bytes());
    // SAFETY: made writable; from now on it is the process's own copy.
    unsafe { (function as *mut [u8; JUMP_LEN]).write(code) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_vdso_are_found() {
        let image = image().expect("a vDSO");
        // SAFETY: the kernel mapped a whole ELF image there.
        let find = |name| unsafe { find(image, name) };
        assert!(find(b"__vdso_clock_gettime").is_some_and(|address| address > image));
        assert_eq!(find(b"__vdso_clock_gettim"), None);
    }
}
