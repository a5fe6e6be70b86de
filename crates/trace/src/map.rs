//! The program map: every place of a module that a trace can name, with its source position, and the control-flow and
//! call graph. `instrument` writes one map per module into the object file. The program passes the maps to the engine
//! when it starts, so a linked program describes itself.
//!
//! ```text
//!   MapHeader │ functions │ sites │ cases │ blocks │ lines │ edges │ calls │ facts │ data flow │ strings
//! ```
//! Fixed little-endian records; strings are (offset, len) in the last part. The data flow is a separate stream.

#[cfg(feature = "alloc")]
pub mod codec;
#[cfg(feature = "alloc")]
pub mod dataflow;

/// "tinemap\0" as little-endian bytes.
pub const MAGIC: u64 = u64::from_le_bytes(*b"tinemap\0");

/// A string in the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Text {
    pub offset: u32,
    pub len: u32,
}

/// Start of a module's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MapHeader {
    pub magic: u64,
    pub version: u32,
    /// Length of the whole map in bytes.
    pub len: u32,
    /// Digest of everything after the header.
    pub digest: [u8; 16],
    pub n_functions: u32,
    pub n_sites: u32,
    pub n_cases: u32,
    pub n_blocks: u32,
    pub n_edges: u32,
    pub n_calls: u32,
    /// Number of coverage bytes: one per function of the user, and one per side of each site that
    /// [covers](SiteKind::covers).
    pub n_covered: u32,
    pub strings_len: u32,
    pub n_lines: u32,
    pub n_facts: u32,
    /// Bytes of the data flow.
    pub dataflow_len: u32,
    pub _pad: u32,
    /// The source file that was compiled.
    pub source: Text,
}

/// A function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct FunctionRecord {
    pub name: Text,
    pub file: Text,
    pub line: u32,
    /// Bits of `FUNCTION_*`.
    pub flags: u32,
    pub first_site: u32,
    pub n_sites: u32,
    pub first_block: u32,
    pub n_blocks: u32,
    /// Hash of the function's type, to resolve indirect calls.
    pub signature: u64,
    /// 1 + the index of the coverage byte that is set when the function starts; 0 if it has none.
    pub entry: u32,
    pub _pad: u32,
}

/// Flag: the program takes the address of the function.
pub const FUNCTION_ADDRESS_TAKEN: u32 = 1;
/// Linkage is internal (`static`).
pub const FUNCTION_INTERNAL: u32 = 2;
/// Not the user's code: a model or an interface of tine, or code of a system header. Its branches do not count as
/// coverage.
pub const FUNCTION_LIBRARY: u32 = 4;
/// Name of the files that tine writes to call a unit. Their definitions are not the user's code.
pub const DRIVER_FILE: &str = "tine-driver.c";

/// Directory of the C library models in debug information, independent of where they were unpacked. Places in them are
/// shown to users.
pub const MODELS_FOLDER: &str = "/tine/models";
/// Prefix of a C library function's name that denotes its model.
pub const MODEL: &str = "__tine_model_";
/// Prefix of the names of a specification's hooks: functions that the unit calls at the calls and returns of others.
pub const HOOK: &str = "__tine_at_";
/// The hook at the end of a run.
pub const END_HOOK: &str = "__tine_end_of_specs";
/// Prefix of functions through which the unit calls monitored functions of libraries by pointers.
pub const THROUGH: &str = "__tine_through_";
/// Variable that points to the call site of the last call to a monitored function.
pub const CALL_PLACE: &str = "__tine_call_place";
/// Variable that points to the position of the return of which a hook is called next.
pub const RETURN_PLACE: &str = "__tine_return_place";
/// Number of bytes that a hook may use for values from the call until the return.
pub const SAVED_BYTES: u64 = 256;
/// Name of the unit's `main` in a harness, which has a `main` itself.
pub const MAIN_OF_UNIT: &str = "tine_main_of_the_unit";
/// Prefix of the harness function that checks the postcondition of a function, before that function's name.
pub const ENSURE: &str = "tine_after_";

/// Kind of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SiteKind {
    /// A two-way branch: side 0 is false, 1 is true.
    Branch = 1,
    /// A multi-way branch: side 0 is the default, the others are one successor each. The cases list the values of each
    /// side.
    Switch = 2,
    /// A two-way branch that decides about an error: a sanitizer check or an assertion. `detail` is an
    /// [`crate::outcome::ErrorKind`]; `failing` is the side that fails. A goal, never coverage.
    Check = 3,
    /// A two-way branch with one side that rejects the input (`failing`). That side is neither goal nor coverage.
    Assume = 4,
    /// The call that reports an error; `detail` is the [`crate::outcome::ErrorKind`].
    Failure = 5,
    /// A call; `text` names the callee ("" when indirect).
    Call = 6,
    /// A load, store or other access to memory.
    Access = 7,
    /// An operation without expressions; `text` names it.
    Operation = 8,
}

impl SiteKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<SiteKind> {
        Some(match number {
            1 => SiteKind::Branch,
            2 => SiteKind::Switch,
            3 => SiteKind::Check,
            4 => SiteKind::Assume,
            5 => SiteKind::Failure,
            6 => SiteKind::Call,
            7 => SiteKind::Access,
            8 => SiteKind::Operation,
            _ => return None,
        })
    }

    /// True if the site has coverage bytes, one per side: the user's branches, not checks on them.
    pub const fn covers(self) -> bool {
        matches!(self, SiteKind::Branch | SiteKind::Switch)
    }

    /// True if the site has sides.
    pub const fn branches(self) -> bool {
        matches!(self, SiteKind::Branch | SiteKind::Switch | SiteKind::Check | SiteKind::Assume)
    }
}

/// A site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct SiteRecord {
    /// Number of a [`SiteKind`].
    pub kind: u8,
    /// For `Check` and `Assume`: the side that fails.
    pub failing: u8,
    /// Number of sides of a branching site, otherwise 0.
    pub n_sides: u16,
    /// Index of its function.
    pub function: u32,
    pub file: Text,
    pub line: u32,
    pub column: u32,
    /// Index of the first coverage byte, for sites that have some.
    pub first_covered: u32,
    /// Meaning depends on the kind.
    pub detail: u32,
    pub text: Text,
    /// Cases of a switch.
    pub first_case: u32,
    pub n_cases: u32,
    /// Block that contains it, as an index into the module's blocks.
    pub block: u32,
    pub _pad: u32,
}

/// A `case` value of a switch and its side. Records that belong to no switch, with [`CONSTANT`] as side, are numbers
/// that the user's code compares with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CaseRecord {
    pub value: [u64; 2],
    pub side_index: u32,
    pub _pad: u32,
}

/// The side of a number that belongs to no switch.
pub const CONSTANT: u32 = u32::MAX;

/// A basic block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct BlockRecord {
    pub function: u32,
    /// Source line of its first instruction with a line, otherwise 0.
    pub line: u32,
    pub first_edge: u32,
    pub n_edges: u32,
    pub first_call: u32,
    pub n_calls: u32,
    /// Lines of its instructions, without repetitions. Lines of other files (macros, included bodies) are left out.
    pub first_line: u32,
    pub n_lines: u32,
}

/// A control-flow edge from the block that lists it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EdgeRecord {
    /// Target block.
    pub to: u32,
    /// The branching site that selects it, or `u32::MAX`.
    pub site: u32,
    pub side_index: u32,
}

/// A call in the block that lists it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CallRecord {
    /// Name of the callee; empty when the call is indirect.
    pub callee: Text,
    /// Hash of the called type, as in [`FunctionRecord::signature`].
    pub signature: u64,
    pub site: u32,
    pub _pad: u32,
}

/// A fact about a pointer in the user's code, identified by the parameter or member that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct FactRecord {
    /// Function of a parameter, structure of a member.
    pub owner: Text,
    /// Number of a [`FactKind`].
    pub kind: u32,
    /// Number of the parameter, from 0; byte offset of the member.
    pub index: u32,
    /// The function that the parameter is passed to, and the number of that function's parameter.
    pub callee: Text,
    pub argument: u32,
    pub _pad: u32,
}

/// Kind of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum FactKind {
    /// A parameter is compared with NULL.
    ParameterTested = 1,
    /// A member is compared with NULL.
    MemberTested = 2,
    /// A parameter is passed on as an argument.
    ParameterPassed = 3,
    /// A parameter is declared as not NULL, or as an array of some length.
    ParameterNonnull = 4,
}

impl FactKind {
    /// The kind with this number.
    pub fn from_number(number: u32) -> Option<FactKind> {
        use FactKind::{MemberTested, ParameterNonnull, ParameterPassed, ParameterTested};
        let all = [ParameterTested, MemberTested, ParameterPassed, ParameterNonnull];
        all.into_iter().find(|kind| *kind as u32 == number)
    }
}
