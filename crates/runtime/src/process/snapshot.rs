//! Snapshot of the unit's writable memory before the first run, and its restoration.
//!
//! It covers every private writable mapping: the data of program and libraries, thread-local storage, the C library's
//! heap. Pages that were in memory at the start are copied back. Large ranges that were not (for example in `.bss`)
//! held zeros, and are zeroed again if the run touched them.

use tine_trace::layout;

use super::{memory, state};
use crate::sys::{self, MADV_DONTNEED};

/// A range of pages, and how it is restored.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Range {
    start: u64,
    end: u64,
    /// Address of the saved contents; 0 if the range was untouched, and therefore zero.
    saved: u64,
}

const MAX_RANGES: usize = 1024;
const PAGE: u64 = 4096;
/// Limit of bytes to copy back. Above it, a fork is cheaper.
const MAX_COPIED: u64 = 8 << 20;
/// Limit of untouched bytes to scan, for the same reason.
const MAX_UNTOUCHED: u64 = 1 << 30;
/// Ranges below this size are always copied, because asking the kernel takes longer.
const MIN_UNTOUCHED: u64 = 32 * PAGE;
/// Maximum number of touched pages of a range that are zeroed in place. More are returned to the kernel.
const MAX_ZEROED: usize = 64;

/// Lies in zeroed memory (`State`), so zeros mean an empty snapshot.
#[derive(Debug)]
#[repr(C)]
pub struct Snapshot {
    n_ranges: usize,
    copied: u64,
    untouched: u64,
    /// True if ranges did not fit, or the maps could not be read.
    failed: bool,
    ranges: [Range; MAX_RANGES],
}

impl Snapshot {
    /// Takes the snapshot. `stack` is the lowest address of the process's first stack to include. Returns false if
    /// copying back would take too long. Then each run gets a separate process.
    pub(super) fn take(&mut self, stack: u64) -> bool {
        // SAFETY: only the worker's loop uses the buffer, and not during this call.
        let buffer = unsafe { state::buffer() };
        let (text, rest) = buffer.split_at_mut(buffer.len() / 2);
        let Ok(len) = read_maps(text) else { return false };
        let pagemap = sys::open(b"/proc/self/pagemap\0", 0);
        for line in text[..len].split(|&byte| byte == b'\n') {
            if let Some(mapping) = Mapping::parse(line)
                && mapping.is_units()
            {
                self.add_mapping(mapping, stack, pagemap.ok(), rest);
            }
        }
        if let Ok(fd) = pagemap {
            sys::close(fd);
        }
        if self.failed || self.copied > MAX_COPIED || self.untouched > MAX_UNTOUCHED {
            return false;
        }
        for range in self.ranges[..self.n_ranges].iter().filter(|range| range.saved != 0) {
            // SAFETY: the range is mapped and readable, its copy has room (`add_copied`).
            unsafe { memory::copy(range.saved, range.start, range.end - range.start) };
        }
        true
    }

    /// Restores all of it.
    pub(super) fn restore(&self) {
        for range in &self.ranges[..self.n_ranges] {
            if range.saved == 0 {
                rezero(range.start, range.end);
            } else {
                // SAFETY: a run that changes mappings ends its process, so the range is still mapped and writable. The
                // current stack lies outside.
                unsafe { memory::copy(range.start, range.saved, range.end - range.start) };
            }
        }
    }

    /// Calls `each` with the address of every word that differs from the snapshot, except for words in `except`.
    /// Returns false if the changes are unknown.
    pub(super) fn for_each_change(&self, except: &[(u64, u64)], each: &mut dyn FnMut(u64)) -> bool {
        self.for_each_change_in(0..u64::MAX, &mut |at| {
            if !except.iter().any(|(start, end)| (*start..*end).contains(&at)) {
                each(at);
            }
        })
    }

    /// Calls `each` with the address of every word from `start` on, up to the end of its range, that differs from the
    /// snapshot. Returns false if the changes are unknown.
    pub(super) fn for_each_change_from(&self, start: u64, each: &mut dyn FnMut(u64)) -> bool {
        let Some((_, end)) = self.range_of(start) else { return false };
        self.for_each_change_in(start..end, each)
    }

    /// The same for a range of addresses.
    pub(super) fn for_each_change_in(&self, within: core::ops::Range<u64>, each: &mut dyn FnMut(u64)) -> bool {
        if self.failed || self.n_ranges == 0 || self.copied > MAX_COPIED {
            return false;
        }
        for range in self.ranges[..self.n_ranges].iter().filter(|range| range.saved != 0) {
            let (start, end) = (range.start.max(within.start), range.end.min(within.end));
            for at in (start.next_multiple_of(8)..end & !7).step_by(8) {
                // SAFETY: the range is mapped and readable, and so is its copy; neither changes meanwhile.
                let (now, before) =
                    unsafe { (*(at as *const u64), *((range.saved + (at - range.start)) as *const u64)) };
                if now != before {
                    each(at);
                }
            }
        }
        true
    }

    /// Calls `each` with every word of the memory that existed before the run. Returns false if that is unknown.
    pub(super) fn for_each_word(&self, each: &mut dyn FnMut(u64)) -> bool {
        let is_known = !self.failed && self.n_ranges != 0 && self.copied <= MAX_COPIED;
        for range in self.ranges[..self.n_ranges].iter().filter(|range| is_known && range.saved != 0) {
            for at in (range.start.next_multiple_of(8)..range.end & !7).step_by(8) {
                // SAFETY: the range is mapped and readable.
                each(unsafe { *(at as *const u64) });
            }
        }
        is_known
    }

    /// The range that an address lies in.
    pub(super) fn range_of(&self, address: u64) -> Option<(u64, u64)> {
        let range = self.ranges[..self.n_ranges].iter().find(|range| (range.start..range.end).contains(&address))?;
        Some((range.start, range.end))
    }

    fn add_mapping(&mut self, mapping: Mapping, stack: u64, pagemap: Option<i32>, buffer: &mut [u8]) {
        if mapping.is_stack {
            self.add_copied(stack & !15, mapping.end);
        } else if !mapping.is_anonymous {
            self.add_copied(mapping.start, mapping.end);
        } else if let Some(pagemap) = pagemap {
            self.add_by_page(mapping.start, mapping.end, pagemap, buffer);
        } else {
            self.add_copied(mapping.start, mapping.end);
        }
    }

    /// Splits anonymous memory into present pages and untouched ones.
    fn add_by_page(&mut self, start: u64, end: u64, pagemap: i32, buffer: &mut [u8]) {
        let mut from = start;
        let mut from_present = None;
        let mut at = start;
        while at < end {
            let pages = ((end - at) / PAGE).min(buffer.len() as u64 / 8);
            let entries = &mut buffer[..pages as usize * 8];
            if !read_pagemap(pagemap, at, entries) {
                self.add_copied(from, end);
                return;
            }
            for entry in entries.chunks_exact(8) {
                // In memory or swapped out: bits 63 and 62.
                let present = entry[7] & 0xc0 != 0;
                if from_present.is_some_and(|before| before != present) {
                    self.add(from, at, from_present == Some(true));
                    from = at;
                }
                from_present = Some(present);
                at += PAGE;
            }
        }
        self.add(from, end, from_present == Some(true));
    }

    fn add(&mut self, start: u64, end: u64, present: bool) {
        if present || end - start <= MIN_UNTOUCHED {
            self.add_copied(start, end);
        } else {
            self.add_untouched(start, end);
        }
    }

    fn add_copied(&mut self, start: u64, end: u64) {
        let len = end - start;
        let saved = state::SNAPSHOT.0 + self.copied.next_multiple_of(64);
        self.copied = self.copied.next_multiple_of(64) + len;
        if self.copied > state::SNAPSHOT.1 {
            self.failed = true;
        } else if let Some(last) = self.ranges[..self.n_ranges].last_mut()
            && last.end == start
            && last.saved != 0
            && last.saved + (last.end - last.start) == saved
        {
            last.end = end;
        } else {
            self.push(Range { start, end, saved });
        }
    }

    fn add_untouched(&mut self, start: u64, end: u64) {
        self.untouched += end - start;
        self.push(Range { start, end, saved: 0 });
    }

    fn push(&mut self, range: Range) {
        if let Some(slot) = self.ranges.get_mut(self.n_ranges) {
            *slot = range;
            self.n_ranges += 1;
        } else {
            self.failed = true;
        }
    }
}

/// Zeroes anonymous memory again. The cost is proportional to the touched part.
fn rezero(start: u64, end: u64) {
    const CHUNK: u64 = 4096 * PAGE;
    let mut at = start;
    while at < end {
        let len = (end - at).min(CHUNK);
        // SAFETY: only the worker's loop uses the buffer.
        let resident = unsafe { &mut state::buffer()[..(len / PAGE) as usize] };
        if !sys::mincore(at, len, resident) || !zero_pages(at, resident) {
            // SAFETY: private anonymous memory of the unit, whose contents must be discarded.
            let _ = unsafe { sys::madvise(at, len, MADV_DONTNEED) };
        }
        at += len;
    }
}

/// Zeroes the resident pages from `start` on. Returns false if there are too many of them.
fn zero_pages(start: u64, resident: &[u8]) -> bool {
    let mut left = MAX_ZEROED;
    for (group, flags) in resident.chunks(8).enumerate() {
        // Eight pages at once, because usually none is resident.
        if flags.len() == 8 && u64::from_le_bytes(*flags.first_chunk().expect("eight")) & 0x0101_0101_0101_0101 == 0 {
            continue;
        }
        for (i, flag) in flags.iter().enumerate() {
            if flag & 1 == 0 {
                continue;
            }
            if left == 0 {
                return false;
            }
            left -= 1;
            // SAFETY: a page of the unit, mapped and writable.
            unsafe { memory::zero(start + (group * 8 + i) as u64 * PAGE, PAGE) };
        }
    }
    true
}

/// A line of `/proc/self/maps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mapping {
    start: u64,
    end: u64,
    is_writable: bool,
    is_private: bool,
    /// Without a file: all zero until touched.
    is_anonymous: bool,
    is_stack: bool,
}

impl Mapping {
    //  7ffff7fbf000-7ffff7fc1000 rw-p 00000000 00:00 0       [name]
    fn parse(line: &[u8]) -> Option<Mapping> {
        let mut fields = line.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
        let mut range = fields.next()?.split(|&byte| byte == b'-');
        let (start, end) = (parse_hex(range.next()?)?, parse_hex(range.next()?)?);
        let permissions = fields.next()?;
        let name = fields.nth(3).unwrap_or(b"");
        Some(Mapping {
            start,
            end,
            is_writable: permissions.get(1) == Some(&b'w'),
            is_private: permissions.get(3) == Some(&b'p'),
            is_anonymous: name.is_empty() || name == b"[heap]" || name.starts_with(b"[anon"),
            is_stack: name == b"[stack]",
        })
    }

    /// True if it is memory of the unit that a run may change and that is not reset elsewhere.
    fn is_units(&self) -> bool {
        let runtime = [
            (layout::SHADOW_BASE, layout::SHADOW_LEN),
            (layout::PRIVATE_BASE, 16 << 40),
            (layout::INPUTS_BASE, layout::INPUTS_LEN),
            (layout::HEAP_BASE, layout::HEAP_LEN),
            (layout::STACK_BASE, layout::STACK_LEN),
        ];
        let elsewhere = runtime.iter().all(|&(base, len)| self.end <= base || self.start >= base + len);
        self.is_writable && self.is_private && elsewhere
    }
}

fn parse_hex(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// Reads whole lines, about a page at a time, as the kernel returns them.
fn read_maps(buffer: &mut [u8]) -> sys::Result<usize> {
    let fd = sys::open(b"/proc/self/maps\0", 0)?;
    let mut len = 0;
    loop {
        let n = sys::read(fd, &mut buffer[len..])?;
        if n == 0 {
            break;
        }
        len += n;
    }
    sys::close(fd);
    Ok(len)
}

fn read_pagemap(fd: i32, address: u64, entries: &mut [u8]) -> bool {
    const PREAD64: usize = 17;
    let offset = address / PAGE * 8;
    let arguments = [fd as usize, entries.as_mut_ptr() as usize, entries.len(), offset as usize, 0, 0];
    // SAFETY: the slice is writable.
    let read = unsafe { sys::call(PREAD64, arguments) };
    read == Ok(entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(line: &str) -> Mapping {
        Mapping::parse(line.as_bytes()).expect(line)
    }

    #[test]
    fn lines_of_maps() {
        let data = mapping("555555558000-555555559000 rw-p 00003000 08:01 42                         /bin/unit");
        assert_eq!((data.start, data.end), (0x5555_5555_8000, 0x5555_5555_9000));
        assert!(data.is_units() && !data.is_anonymous && !data.is_stack);
        assert!(mapping("555555559000-55555557a000 rw-p 00000000 00:00 0     [heap]").is_anonymous);
        assert!(mapping("7ffff7d80000-7ffff7d83000 rw-p 00000000 00:00 0 ").is_anonymous);
        assert!(mapping("7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0     [stack]").is_stack);
        assert!(!mapping("555555554000-555555555000 r-xp 00000000 08:01 42 /bin/unit").is_units());
        assert!(!mapping("7ffff7000000-7ffff7001000 rw-s 00000000 00:01 9 /memfd:x").is_units());
        assert!(!mapping("380000000000-380000001000 rw-p 00000000 00:00 0 ").is_units());
        assert_eq!(Mapping::parse(b""), None);
    }
}
