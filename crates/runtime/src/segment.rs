//! The mapped segment, as used by the unit.

use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use tine_trace::segment::{AreaKind, Header, N_AREAS};

/// The segment of this process: null without an engine.
static SEGMENT: AtomicPtr<Header> = AtomicPtr::new(core::ptr::null_mut());

/// Offset and length of its areas. They are copied here, so that a unit that overwrites the start of the segment does
/// not mislead the recorder.
static AREAS: [[AtomicU64; 2]; N_AREAS] = [const { [const { AtomicU64::new(0) }; 2] }; N_AREAS];

/// A mapped segment. Copies are views of the same memory.
#[derive(Clone, Copy, Debug)]
pub struct Segment(*mut Header);

impl Segment {
    /// The segment of this process, if an engine started it.
    pub fn get() -> Option<Segment> {
        Segment::of(SEGMENT.load(Ordering::Relaxed))
    }

    /// The segment that starts here, which is mapped; `None` for null.
    pub(crate) fn of(header: *mut Header) -> Option<Segment> {
        if header.is_null() { None } else { Some(Segment(header)) }
    }

    /// Makes `header` the segment of this process.
    ///
    /// # Safety
    /// `header` must be the start of a mapped segment that stays mapped, whose areas lie inside it.
    pub unsafe fn install(header: *mut Header) {
        if !header.is_null() {
            // SAFETY: the caller guarantees the header.
            let areas = unsafe { &*header }.fixed.copy().areas;
            for ([offset, len], area) in AREAS.iter().zip(areas) {
                offset.store(area.offset, Ordering::Relaxed);
                len.store(area.len, Ordering::Relaxed);
            }
        }
        SEGMENT.store(header, Ordering::Relaxed);
    }

    pub fn header(self) -> *mut Header {
        self.0
    }

    /// Start of an area and its capacity in elements of `T`.
    pub fn area<T>(self, kind: AreaKind) -> (*mut T, u32) {
        let [offset, len] = AREAS[kind as usize].each_ref().map(|word| word.load(Ordering::Relaxed));
        let count = (len / size_of::<T>() as u64).min(u32::MAX as u64) as u32;
        (self.0.cast::<u8>().wrapping_add(offset as usize).cast(), count)
    }
}
