//! The program map in the engine: every site of the program with its source position, the control-flow and call graph,
//! and the user's branches, which coverage counts.
//!
//! ```text
//!   global site  = module.site_base + local          sites of all modules, in order of registration
//!   global edge  = module.edge_base + first_covered + side, or the entry of a function
//!   user branch  = the sites of kind Branch and Switch outside library functions; copies of one inline
//!                  function in several modules are one branch
//! ```
//! `blob` reads the bytes. [`crate::coverage`] records which sides were covered.

mod blob;
mod build;
mod scope;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use tine_trace::event::Site;
use tine_trace::map::{FUNCTION_ADDRESS_TAKEN, FUNCTION_LIBRARY, FactKind, SiteKind};
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::ModuleRecord;

pub use crate::job::Place;

macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

ids! {
    /// A function of some module.
    FunctionId
    /// A basic block of some module.
    BlockId
    /// A branch of the user's code. All copies of it share one number.
    BranchId
    /// One side of a [`BranchId`]: the unit of coverage.
    SideId
    /// A coverage byte of the program, counted over all modules.
    Edge
}

/// Reasons why a program map cannot be used. The unit was built by another version of tine, or is corrupt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    #[error("the program map ends inside its {0}")]
    Truncated(&'static str),
    #[error("not a program map (at byte {0})")]
    Magic(usize),
    #[error("the program map has version {found}, this tine reads {}: build the unit again", tine_trace::VERSION)]
    Version { found: u32 },
    #[error("the program map's {what} number {index} is out of range")]
    Index { what: &'static str, index: u32 },
    #[error("site {site} has the unknown kind {kind}")]
    SiteKind { site: u32, kind: u8 },
    #[error("module {0} registered without a program map")]
    MissingModule(usize),
    #[error("module {0} registered with other sites or edges than its map has")]
    ModuleMismatch(usize),
}

/// A module of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The source file that was compiled.
    pub source: Arc<str>,
    pub digest: [u8; 16],
    pub sites: Range<u32>,
    pub edges: Range<u32>,
    /// [`FunctionId`]s.
    pub functions: Range<u32>,
    /// Serialised data flow (`trace::map::dataflow`).
    pub dataflow: Arc<[u8]>,
}

/// A parameter: function and number of the parameter.
type Parameter = (Arc<str>, u32);

/// A fact that the code states about a pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    pub kind: FactKind,
    /// The function and the number of its parameter, or the structure and the offset of its member.
    pub owner: (Arc<str>, u32),
    /// The function and the number of the parameter that the pointer is passed as.
    pub passed: (Arc<str>, u32),
}

/// A function of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: Arc<str>,
    pub file: Arc<str>,
    pub line: u32,
    pub flags: u32,
    /// Global site numbers.
    pub sites: Range<u32>,
    /// [`BlockId`]s; the first is the entry.
    pub blocks: Range<u32>,
    /// Hash of the function's type, to resolve indirect calls.
    pub signature: u64,
    /// Edge that is covered when the function starts. Only for the user's functions.
    pub entry: Option<Edge>,
}

impl Function {
    /// True for models, interfaces and functions from system headers. Their branches do not count as coverage.
    pub fn is_library(&self) -> bool {
        self.flags & FUNCTION_LIBRARY != 0
    }

    /// True if the program takes the address of the function.
    pub fn address_taken(&self) -> bool {
        self.flags & FUNCTION_ADDRESS_TAKEN != 0
    }
}

/// A place in the program that traces can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteInfo {
    pub kind: SiteKind,
    /// The failing side of a `Check` or `Assume`.
    pub failing: u16,
    /// 0 if the site does not branch.
    pub n_sides: u16,
    pub function: FunctionId,
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    /// Edge of side 0. Only for branching sites.
    pub first_edge: Edge,
    /// Error of a `Check` or `Failure`.
    pub error: Option<ErrorKind>,
    /// The callee or the operation, depending on the kind.
    pub text: Arc<str>,
    /// Index range in [`ProgramMap::cases`].
    pub cases: Range<u32>,
    /// `None` if the map does not contain it.
    pub block: Option<BlockId>,
    /// Only for sites that count as coverage.
    pub branch: Option<BranchId>,
}

/// A `case` value and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The value, zero-extended from the width of the `switch` operand.
    pub value: u128,
    pub side_index: u16,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub function: FunctionId,
    pub line: u32,
    /// Index range in [`ProgramMap::flows`].
    pub flows: Range<u32>,
    /// Index range in [`ProgramMap::calls`].
    pub calls: Range<u32>,
    /// Index range in [`ProgramMap::lines`].
    pub lines: Range<u32>,
}

/// A control-flow edge out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub to: BlockId,
    /// The site and side that decide it; `None` for unconditional flow.
    pub decided_by: Option<(Site, u16)>,
}

/// A call in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Empty for an indirect call.
    pub callee: Arc<str>,
    pub signature: u64,
    pub site: Option<Site>,
}

/// Name of a branch in sessions. It is the same for all copies, and stays the same after recompiling while its function
/// does not change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchKey {
    pub file: Arc<str>,
    pub function: Arc<str>,
    /// Number among the branches of its function.
    pub ordinal: u32,
    /// Hash of the condition's text, if the map has it.
    pub condition: Option<u64>,
}

/// A branch of the user's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserBranch {
    pub key: BranchKey,
    pub kind: SiteKind,
    /// File of the condition. It differs from the function's file in included bodies.
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    /// Site of the first copy.
    pub site: Site,
    pub first_side: SideId,
    pub n_sides: u16,
}

impl UserBranch {
    /// Sides of the branch, in order.
    pub fn sides(&self) -> impl Iterator<Item = SideId> + use<> {
        let first = self.first_side.0;
        (first..first + u32::from(self.n_sides)).map(SideId)
    }
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct ProgramMap {
    modules: Vec<Module>,
    functions: Vec<Function>,
    sites: Vec<SiteInfo>,
    cases: Vec<Case>,
    /// Sorted constants of the program.
    constants: Vec<i64>,
    blocks: Vec<Block>,
    /// Lines of all blocks.
    lines: Vec<u32>,
    flows: Vec<Flow>,
    calls: Vec<Call>,
    facts: BTreeSet<Fact>,
    branches: Vec<UserBranch>,
    /// Branch of each side, by [`SideId`].
    side_branch: Vec<BranchId>,
    /// Branch side of an edge, by [`Edge`]; `None` for edges that do not count as coverage.
    edge_side: Vec<Option<SideId>>,
    /// Functions in the scope of coverage, by number; `None` if all are.
    counted: Option<Vec<bool>>,
}

impl ProgramMap {
    /// Reads the concatenated maps of a program's modules. `modules` lists the registered modules. Maps and modules are
    /// matched by digest, and maps of modules that did not register are ignored.
    pub fn parse(maps: &[u8], modules: &[ModuleRecord]) -> Result<ProgramMap, MapError> {
        build::build(&blob::split(maps)?, modules)
    }

    /// Modules in the order of linking.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// True if the code compares a member with NULL somewhere.
    pub fn tests_member(&self, structure: &str, offset: u32) -> bool {
        self.tests(FactKind::MemberTested, &(structure.into(), offset))
    }

    /// True if the function compares its parameter with NULL, or if another function does that passes it on to `user`.
    /// False if the parameter is declared to be not NULL.
    pub fn tests_parameter(&self, function: &str, number: u32, user: &str) -> bool {
        let start = (Arc::from(function), number);
        if self.tests(FactKind::ParameterNonnull, &start) {
            return false;
        }
        let is_tested = |parameter: &Parameter| self.tests(FactKind::ParameterTested, parameter);
        let reached = self.passed_to(&start);
        is_tested(&start)
            || reached.iter().filter(|parameter| is_tested(parameter)).any(|tested| {
                &*tested.0 == user || self.passed_to(tested).iter().any(|parameter| &*parameter.0 == user)
            })
    }

    fn tests(&self, kind: FactKind, owner: &Parameter) -> bool {
        self.facts.contains(&Fact { kind, owner: owner.clone(), passed: ("".into(), 0) })
    }

    /// Parameters of other functions that receive a parameter, directly or through others.
    fn passed_to(&self, start: &Parameter) -> BTreeSet<Parameter> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![start.clone()];
        while let Some(parameter) = pending.pop() {
            let is_passed = |fact: &&Fact| fact.kind == FactKind::ParameterPassed && fact.owner == parameter;
            for fact in self.facts.iter().filter(is_passed) {
                if reached.insert(fact.passed.clone()) {
                    pending.push(fact.passed.clone());
                }
            }
        }
        reached
    }

    /// All functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// All sites, by global number.
    pub fn sites(&self) -> &[SiteInfo] {
        &self.sites
    }

    /// All basic blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// `None` for `Site::NONE` and for sites that are not in the map.
    pub fn site(&self, site: Site) -> Option<&SiteInfo> {
        self.sites.get(site.0 as usize)
    }

    /// Returns the side of the user's branch that corresponds to a side of a site, if there is one.
    pub fn side(&self, (site, side_index): (Site, u16)) -> Option<SideId> {
        let branch = self.site(site)?.branch?;
        self.branch(branch).sides().nth(usize::from(side_index))
    }

    /// The function with this number.
    pub fn function(&self, function: FunctionId) -> &Function {
        &self.functions[function.index()]
    }

    /// Case values of a switch, with their sides. Side 0 is the default.
    pub fn cases(&self, site: &SiteInfo) -> &[Case] {
        &self.cases[site.cases.start as usize..site.cases.end as usize]
    }

    /// Numbers that the user's code compares with, each once, in order.
    pub fn constants(&self) -> &[i64] {
        &self.constants
    }

    /// Edges that leave a block.
    pub fn flows(&self, block: &Block) -> &[Flow] {
        &self.flows[block.flows.start as usize..block.flows.end as usize]
    }

    /// Calls in a block.
    pub fn calls(&self, block: &Block) -> &[Call] {
        &self.calls[block.calls.start as usize..block.calls.end as usize]
    }

    /// Lines of the instructions of a block, in the file of its function.
    pub fn lines(&self, block: &Block) -> &[u32] {
        &self.lines[block.lines.start as usize..block.lines.end as usize]
    }

    /// Source position of a site; unknown for `Site::NONE`.
    pub fn place(&self, site: Site) -> Place {
        self.site(site).map_or_else(Place::unknown, |info| Place {
            file: info.file.clone(),
            line: info.line,
            column: info.column,
            function: self.function(info.function).name.clone(),
        })
    }

    /// Adds the surrounding function to a place without one: the last function that begins before the line.
    pub fn with_function(&self, place: Place) -> Place {
        if !place.function.is_empty() {
            return place;
        }
        let before = |function: &&Function| function.file == place.file && function.line <= place.line;
        let around = self.functions.iter().filter(before).max_by_key(|function| function.line);
        Place { function: around.map_or_else(|| "".into(), |function| function.name.clone()), ..place }
    }

    /// The user's branches, in order of modules and sites.
    pub fn branches(&self) -> &[UserBranch] {
        &self.branches
    }

    /// The branch with this number.
    pub fn branch(&self, branch: BranchId) -> &UserBranch {
        &self.branches[branch.index()]
    }

    /// Number of coverage goals: sides of all user branches.
    pub fn n_sides(&self) -> usize {
        self.side_branch.len()
    }

    /// Number of counted edges.
    pub fn n_edges(&self) -> usize {
        self.edge_side.len()
    }

    /// Branch side covered by this edge, if the edge counts as coverage.
    pub fn covered_by(&self, edge: Edge) -> Option<SideId> {
        *self.edge_side.get(edge.index())?
    }

    /// The branch that a side belongs to, and its place among the sides of that branch.
    pub fn branch_side(&self, side: SideId) -> (BranchId, u16) {
        let branch = self.side_branch[side.index()];
        (branch, (side.0 - self.branch(branch).first_side.0) as u16)
    }

    /// Name of a side for the user: `true`, `false`, `default`, `case 3`.
    pub fn label(&self, side: SideId) -> String {
        let (branch, index) = self.branch_side(side);
        let branch = self.branch(branch);
        match (branch.kind, index) {
            (SiteKind::Switch, 0) => "default".to_string(),
            (SiteKind::Switch, _) => {
                let site = &self.sites[branch.site.0 as usize];
                let values = self.cases(site).iter().filter(|case| case.side_index == index);
                let values: Vec<String> = values.map(|case| case_value(case.value)).collect();
                format!("case {}", values.join(", "))
            }
            (_, 0) => "false".to_string(),
            (_, _) => "true".to_string(),
        }
    }
}

/// Text of a case value. The map does not state whether a switch is signed, so values that are small when read as
/// negative are shown as negative.
fn case_value(value: u128) -> String {
    const SMALL: Range<i64> = -(1 << 15)..0;
    let as_int = u32::try_from(value).map(|value| i64::from(value as i32));
    let as_long = u64::try_from(value).map(|value| value as i64);
    let negative = [as_int, as_long].into_iter().flatten().find(|value| SMALL.contains(value));
    negative.map_or_else(|| value.to_string(), |value| value.to_string())
}

pub(crate) mod maker;
#[cfg(test)]
mod tests;
