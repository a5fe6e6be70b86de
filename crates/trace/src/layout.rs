//! Layout of the unit's address space, and the mapping from an address to its shadow.
//!
//! The shadow is a direct map with one 32-bit cell per byte of the unit. Addresses are folded to their low 36 bits
//! first, so that a 256 GiB reservation (never committed) covers the whole address space. The regions that a unit uses
//! do not overlap after folding:
//!
//! ```text
//!   folded            contents
//!   0x0_0040_0000 …   position-dependent executable
//!   0x5_5555_4000 …   position-independent executable and its brk heap (no address randomisation)
//!   0x6_0000_0000 …   INPUTS: objects made for inputs
//!   0x8_0000_0000 …   HEAP: tine's allocator
//!   0xd_0000_0000 …   STACK: the unit's own stack
//!   0xf_ffff_ffff ↓   libraries, mappings, the process's first stack
//! ```

/// Start of the shadow.
pub const SHADOW_BASE: u64 = 0x1000_0000_0000;
/// Bits of an address that are used.
pub const FOLD_MASK: u64 = 0xf_ffff_ffff;
/// Bytes reserved for the shadow.
pub const SHADOW_LEN: u64 = (FOLD_MASK + 1) * 4;

/// Start of the input region.
pub const INPUTS_BASE: u64 = 0x2006_0000_0000;
/// Length of the input region.
pub const INPUTS_LEN: u64 = 1 << 32;
/// Start of the heap.
pub const HEAP_BASE: u64 = 0x2008_0000_0000;
/// Length of the heap.
pub const HEAP_LEN: u64 = 1 << 34;
/// Start of the stack.
pub const STACK_BASE: u64 = 0x200d_0000_0000;
/// Default of `ulimit -s`.
pub const STACK_LEN: u64 = 8 << 20;
/// The runtime's own state, never shadowed and never reset: mappings from here on.
pub const PRIVATE_BASE: u64 = 0x3000_0000_0000;

/// A cell of the shadow: identifies the byte of an expression that a byte of memory holds.
///
/// ```text
///   0                          concrete
///   node << 4 | byte           byte 0 … 15 of the node, bit 31 clear
///   1 << 31 | k                byte k of the run's inputs, not read yet, k below 1 << 30
///   3 << 30 | k                byte k of the run's arrays, not read yet
///   u32::MAX - 5               the byte has not been written yet
///   u32::MAX - 4               concrete, of an object whose size depends on inputs
///   u32::MAX - 3 … u32::MAX    concrete, and the program must not access the byte
/// ```
/// Bytes of inputs get their expression at the first read, in the width of the read: four bytes read as an `int` become
/// one variable of 32 bits, not four of 8.
pub type Cell = u32;

/// Bit of a cell whose input byte has not been read yet.
pub const CELL_UNREAD: Cell = 1 << 31;
/// Bit of an unread cell: its byte is one of an array.
pub const CELL_OF_ARRAY: Cell = 1 << 30;
/// Memory between objects.
pub const CELL_OUTSIDE: Cell = u32::MAX;
/// Memory of a freed object.
pub const CELL_FREED: Cell = u32::MAX - 1;
/// Memory of a variable whose scope has ended.
pub const CELL_LEFT: Cell = u32::MAX - 2;
/// Memory of a variable whose function has returned.
pub const CELL_RETURNED: Cell = u32::MAX - 3;

/// A concrete byte of an object whose size depends on inputs. An access requires that the object is large enough.
pub const CELL_SIZED: Cell = u32::MAX - 4;

/// True if the program must not access the byte of a cell.
pub const fn is_forbidden(cell: Cell) -> bool {
    cell >= CELL_RETURNED
}

/// A byte that has not been written yet.
pub const CELL_UNSET: Cell = u32::MAX - 5;

/// True if accesses to the byte of a cell must be checked.
pub const fn is_guarded(cell: Cell) -> bool {
    cell >= CELL_SIZED
}

/// True if a cell describes the memory, not the value of the byte.
pub const fn is_reserved(cell: Cell) -> bool {
    cell >= CELL_UNSET
}

/// Minimum number of bytes after a padded object that belong to no object. The end of the gap is rounded up to a
/// multiple of this number. On the stack there are this many bytes before it, too.
pub const GAP: u64 = 16;

/// Address after the gap of a padded object that ends at `end`.
pub const fn gap_end(end: u64) -> u64 {
    end.next_multiple_of(GAP) + GAP
}

/// Maximum number of nodes that a cell can name.
pub const MAX_NODES: u32 = 1 << 27;

/// Address of the cell of the byte at `address`.
pub const fn cell_address(address: u64) -> u64 {
    SHADOW_BASE + ((address & FOLD_MASK) << 2)
}
