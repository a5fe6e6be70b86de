//! Instrumented modules of the program, in the order in which their constructors registered them.
//!
//! Their addresses lie in a mapping of the recorder rather than in a linked list through the modules, because unloading
//! a module must not break it.

use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::Ordering;

use tine_trace::entry::Module;
use tine_trace::map::MapHeader;
use tine_trace::segment::{AreaKind, ModuleRecord};

use super::foreign;
use super::state::{self, MODULES, MODULES_LEN};
use crate::segment::Segment;

/// Start of the mapping; the addresses follow.
#[repr(C)]
struct Registry {
    n: u32,
    n_sites: u32,
    n_edges: u32,
    _pad: u32,
}

const CAPACITY: u32 = ((MODULES_LEN - size_of::<Registry>() as u64) / 8) as u32;

fn registry() -> *mut Registry {
    with_exposed_provenance_mut(MODULES as usize)
}

fn address_of(index: u32) -> *mut u64 {
    with_exposed_provenance_mut((MODULES + size_of::<Registry>() as u64 + index as u64 * 8) as usize)
}

/// `register`: assigns the module its numbers, and its coverage area if an engine is connected already.
///
/// # Safety
/// `module` must be a module as the instrumenter makes it, alive while the program runs code of it.
pub(super) unsafe fn register(module: *mut Module) {
    state::init();
    // SAFETY: the mapping exists now; constructors run one at a time, under the dynamic linker's lock.
    unsafe {
        let registry = &mut *registry();
        if registry.n >= CAPACITY {
            return;
        }
        (*module).site_base = registry.n_sites;
        (*module).edge_base = registry.n_edges;
        *address_of(registry.n) = module as u64;
        registry.n += 1;
        registry.n_sites += (*module).n_sites;
        registry.n_edges += (*module).n_edges;
        let functions = with_exposed_provenance_mut::<u64>((*module).functions as usize);
        if !functions.is_null() {
            foreign::register_functions(core::slice::from_raw_parts(functions, (*module).n_functions as usize));
        }
        if let Some(segment) = Segment::get() {
            attach(segment, registry.n - 1);
        }
    }
}

/// Modules registered so far, in order. Unloaded modules are still included: use it only before the program runs.
pub fn modules() -> impl Iterator<Item = *const Module> {
    let n = match state::gate() {
        // SAFETY: the mapping exists.
        Some(_) => unsafe { (*registry()).n },
        None => 0,
    };
    // SAFETY: addresses below `n` are written.
    (0..n).map(|index| with_exposed_provenance_mut::<Module>(unsafe { *address_of(index) } as usize).cast_const())
}

/// Edges of all modules registered so far.
pub fn n_edges() -> u32 {
    // SAFETY: the mapping exists where there is a gate.
    state::gate().map_or(0, |_| unsafe { (*registry()).n_edges })
}

/// The map of a module.
///
/// # Safety
/// The module must still be loaded.
pub unsafe fn map_of(module: *const Module) -> &'static [u8] {
    // SAFETY: the instrumenter wrote address and length of its constant data.
    unsafe {
        let start = with_exposed_provenance_mut::<u8>((*module).map as usize);
        if start.is_null() { &[] } else { core::slice::from_raw_parts(start, (*module).map_len as usize) }
    }
}

/// Registers all modules so far in the segment and redirects their coverage there. Called before the program runs, once
/// the segment is mapped.
pub fn attach_modules(segment: Segment) {
    let n = modules().count() as u32;
    for index in 0..n {
        // SAFETY: modules registered before the program runs are loaded.
        unsafe { attach(segment, index) };
    }
}

/// # Safety
/// The module must still be loaded.
unsafe fn attach(segment: Segment, index: u32) {
    let (records, room) = segment.area::<ModuleRecord>(AreaKind::Modules);
    let (coverage, n_covered) = segment.area::<u8>(AreaKind::Coverage);
    if index >= room {
        return;
    }
    // SAFETY: the caller guarantees the module; the record's slot is in the area, the header is mapped.
    unsafe {
        let module = with_exposed_provenance_mut::<Module>(*address_of(index) as usize);
        let (first, n) = ((*module).edge_base, (*module).n_edges);
        records.add(index as usize).write(ModuleRecord {
            digest: digest(map_of(module)),
            site_base: (*module).site_base,
            n_sites: (*module).n_sites,
            edge_base: first,
            n_edges: n,
        });
        if first.checked_add(n).is_some_and(|end| end <= n_covered) {
            (*module).coverage = coverage.add(first as usize) as u64;
        }
        (*segment.header()).n_modules.store(index + 1, Ordering::Release);
    }
}

fn digest(map: &[u8]) -> [u8; 16] {
    if map.len() < size_of::<MapHeader>() {
        return [0; 16];
    }
    // SAFETY: it is long enough, and any bytes are a header.
    unsafe { map.as_ptr().cast::<MapHeader>().read_unaligned() }.digest
}
