//! The program map: every place of a module that a trace can name, with its source position, and the
//! control-flow and call graph. `instrument` writes one map per module into the object file; the program
//! hands them over when it starts, so a linked program describes itself.
//!
//! ```text
//!   MapHeader │ functions │ sites │ cases │ blocks │ lines │ edges │ calls │ facts │ data flow │ strings
//! ```
//! Fixed little-endian records; texts are (offset, len) into the strings. The data flow is a stream of its own.

#[cfg(feature = "alloc")]
pub mod codec;
#[cfg(feature = "alloc")]
pub mod dataflow;

/// "tinemap\0" as little-endian bytes.
pub const MAGIC: u64 = u64::from_le_bytes(*b"tinemap\0");

/// A text in the strings of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Text {
    pub offset: u32,
    pub len: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MapHeader {
    pub magic: u64,
    pub version: u32,
    /// Length of the whole map in bytes.
    pub len: u32,
    /// Over everything behind the header.
    pub digest: [u8; 16],
    pub n_functions: u32,
    pub n_sites: u32,
    pub n_cases: u32,
    pub n_blocks: u32,
    pub n_edges: u32,
    pub n_calls: u32,
    /// Coverage bytes: one per alternative of each site that [covers](SiteKind::covers).
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
}

pub const FUNCTION_ADDRESS_TAKEN: u32 = 1;
/// Linkage is internal (`static`).
pub const FUNCTION_INTERNAL: u32 = 2;
/// Not the user's: a model or an interface of tine, or of a system header. Its branches are not coverage.
pub const FUNCTION_LIBRARY: u32 = 4;
/// Name of the files that tine writes to call a unit: what they define is not the user's.
pub const DRIVER_FILE: &str = "tine-driver.c";

/// Directory of the C library models in debug information, wherever they were unpacked: places in them are shown
/// to users.
pub const MODELS_FOLDER: &str = "/tine/models";
/// Stands before the name of a function of the C library where its model is meant.
pub const MODEL: &str = "__tine_model_";
/// Beginning of the names of a specification's hooks at the calls of a function.
pub const CALL_HOOK: &str = "__tine_call_";
/// Beginning of the names of a specification's hooks at the returns of a function.
pub const RETURN_HOOK: &str = "__tine_return_";
/// Variables that hold the call site of the last call to a monitored function.
pub const CALL_FILE: &str = "__tine_call_file";
/// See [`CALL_FILE`].
pub const CALL_FUNCTION: &str = "__tine_call_function";
/// See [`CALL_FILE`].
pub const CALL_LINE: &str = "__tine_call_line";
/// Bytes that a hook may use for values at the call, until the return.
pub const SAVED_BYTES: u64 = 256;
/// Name of the unit's `main` in a harness, which has a `main` itself.
pub const MAIN_OF_UNIT: &str = "tine_main_of_the_unit";
/// Beginning of what it calls the check of what must hold after a call, before the called function's name.
pub const ENSURE: &str = "tine_after_";

/// Kind of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SiteKind {
    /// A two-way branch: alternative 0 is false, 1 is true.
    Branch = 1,
    /// A multi-way branch: alternative 0 is the default, the others one successor each, with the values
    /// that lead there in the cases.
    Switch = 2,
    /// A two-way branch that decides about an error: a sanitizer check or an assertion. `detail` is an
    /// [`crate::outcome::ErrorKind`]; `failing` says which alternative fails. A goal, never coverage.
    Check = 3,
    /// A two-way branch one side of which rejects the input (`failing`). Neither goal nor coverage there.
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

    /// True if the site has coverage bytes, one per alternative: the user's decisions, not checks on them.
    pub const fn covers(self) -> bool {
        matches!(self, SiteKind::Branch | SiteKind::Switch)
    }

    /// True if the site has alternatives.
    pub const fn branches(self) -> bool {
        matches!(self, SiteKind::Branch | SiteKind::Switch | SiteKind::Check | SiteKind::Assume)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct SiteRecord {
    /// Number of a [`SiteKind`].
    pub kind: u8,
    /// For `Check` and `Assume`: the alternative that fails.
    pub failing: u8,
    /// Alternatives of a branching site, else 0.
    pub n_alternatives: u16,
    /// Index of its function.
    pub function: u32,
    pub file: Text,
    pub line: u32,
    pub column: u32,
    /// Index of the first coverage byte, for sites that have some.
    pub first_covered: u32,
    /// By kind.
    pub detail: u32,
    pub text: Text,
    /// Cases of a switch.
    pub first_case: u32,
    pub n_cases: u32,
    /// Block it stands in, as an index into the module's blocks.
    pub block: u32,
    pub _pad: u32,
}

/// A `case` value of a switch and the alternative it leads to. Records of no switch, with [`CONSTANT`] as alternative, are
/// numbers that the user's code compares with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CaseRecord {
    pub value: [u64; 2],
    pub alternative: u32,
    pub _pad: u32,
}

/// The alternative of a number that belongs to no switch.
pub const CONSTANT: u32 = u32::MAX;

/// A basic block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct BlockRecord {
    pub function: u32,
    /// Source line of its first instruction that has one, else 0.
    pub line: u32,
    pub first_edge: u32,
    pub n_edges: u32,
    pub first_call: u32,
    pub n_calls: u32,
    /// Lines of its instructions, each once. Those of other files (macros, included bodies) are left out.
    pub first_line: u32,
    pub n_lines: u32,
}

/// Control flow from the block that lists it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EdgeRecord {
    /// Block it leads to.
    pub to: u32,
    /// The branching site that decides it, or `u32::MAX`.
    pub site: u32,
    pub alternative: u32,
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

/// A fact about a pointer that the user's code states, by the parameter or member that holds it.
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
    pub fn from_number(number: u32) -> Option<FactKind> {
        use FactKind::{MemberTested, ParameterNonnull, ParameterPassed, ParameterTested};
        let all = [ParameterTested, MemberTested, ParameterPassed, ParameterNonnull];
        all.into_iter().find(|kind| *kind as u32 == number)
    }
}
