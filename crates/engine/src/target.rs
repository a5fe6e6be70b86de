//! Built programs to explore: a function, a call sequence, or a whole program.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tine_explore::{Explorer, ProgramMap};
use tine_session::summary::{SpecificationCoverage, UndefinedSymbol};
use tine_trace::outcome::ErrorKind;
use tine_types::Input;
use tine_types::map::Untouched;

use crate::config::Config;
use crate::config::values::Init;

/// Name of a unit's instrumented program in its session.
pub const UNIT: &str = "unit";
/// Name of the uninstrumented program in a session.
pub const UNIT_NATIVE: &str = "unit.native";
/// Name of a program that was built for its session.
pub const PROGRAM: &str = "program";

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Name in the summary.
    pub name: String,
    /// The instrumented program. In a session: a name in its directory, or an absolute path.
    pub program: PathBuf,
    pub kind: Kind,
    /// Inputs to start from, each as the bytes of the first requests.
    pub seeds: Vec<Input>,
    /// Symbols that the unit does not define.
    pub environment: Vec<UndefinedSymbol>,
    /// States of the specifications that are monitored.
    #[serde(default)]
    pub specs: Vec<SpecStates>,
    /// Files that the session keeps, with their names there.
    #[serde(skip)]
    pub files: Vec<(PathBuf, String)>,
    /// Source files of the program, if it was built here. The harness includes the first.
    #[serde(default)]
    pub sources: Vec<PathBuf>,
    /// Flags that the source files were compiled with.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Directory that relative paths among the flags start from.
    #[serde(default)]
    pub built_in: PathBuf,
}

/// States of a specification's monitors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecStates {
    /// Name of the specification.
    pub name: String,
    /// Per property: its number in the unit, its first state, and the number of its last state. The first state of the
    /// first property is 1.
    pub properties: Vec<(u32, u8, u8)>,
}

impl SpecStates {
    /// Reached states. The first state of a property is always reached.
    pub(crate) fn coverage(&self, explorer: &Explorer) -> SpecificationCoverage {
        let monitored = explorer.monitored();
        let (mut states, mut reached) = (0, 0);
        for (property, start, last) in &self.properties {
            let is_reached = |state: &u8| state == start || monitored.is_reached(*property, *state);
            states += u32::from(*last);
            reached += (1..=*last).filter(is_reached).count() as u32;
        }
        // A message begins with the name of its specification.
        let is_own = |about: &str| about.strip_prefix(&*self.name).is_some_and(|rest| rest.starts_with(':'));
        let mut violations = explorer.errors().iter().filter(|found| found.kind == ErrorKind::Specification);
        let violated = violations.any(|found| is_own(&found.about));
        SpecificationCoverage { name: self.name.clone(), states, reached, violated }
    }
}

/// Kinds of targets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Function(Harness),
    Sequence(Harness),
    Program {
        arguments: Vec<String>,
        /// The working directory.
        directory: PathBuf,
    },
}

/// The part of a unit that makes inputs and calls functions with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Harness {
    /// The uninstrumented program, with debug information.
    pub native: PathBuf,
    /// Variables of the harness, whose types are those of the inputs.
    pub roots: Vec<String>,
    /// Functions and streams that pointers may point to.
    pub callables: Vec<String>,
    /// The function whose unchecked uses of its parameters are requirements; `None` if its contract is specified.
    pub contract: Option<Contract>,
    /// Lengths of arrays that the code implies, in the form of `--len`.
    #[serde(default)]
    pub implied_lengths: Vec<String>,
}

/// A function that is called with inputs and has no specification of its requirements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    pub function: String,
    /// Its parameters are the first inputs.
    pub n_parameters: u32,
    /// Declarations of the parameters in C.
    pub parameters: Vec<String>,
    /// Parameters that are lengths of arrays, as the code implies, and that it does not compare with constants.
    #[serde(default)]
    pub untested_counts: Vec<String>,
}

impl Target {
    pub(crate) fn harness(&self) -> Option<&Harness> {
        match &self.kind {
            Kind::Function(harness) | Kind::Sequence(harness) => Some(harness),
            Kind::Program { .. } => None,
        }
    }

    /// The program map with the scope of coverage: for a function, the function and its callees without predicates.
    pub(crate) fn scoped(&self, map: ProgramMap, config: &Config) -> ProgramMap {
        let predicates: Vec<&str> = config.requires.iter().chain(&config.ensures).map(String::as_str).collect();
        match self.kind {
            Kind::Function(_) => map.limited_to(&self.name, &predicates),
            Kind::Sequence(_) | Kind::Program { .. } => map,
        }
    }

    /// Lengths of arrays that the code implies, in the form of `--len`.
    pub fn implied_lengths(&self) -> &[String] {
        self.harness().map_or(&[], |harness| &harness.implied_lengths)
    }

    /// Declarations of the parameters of the function that may have requirements.
    pub fn parameters(&self) -> Option<&[String]> {
        Some(&self.harness()?.contract.as_ref()?.parameters)
    }

    /// The function that may have requirements.
    pub(crate) fn contract(&self, config: &Config) -> Option<tine_executor::Contract> {
        let contract = self.harness().and_then(|harness| harness.contract.clone()).filter(|_| !config.strict);
        contract.map(|Contract { function, n_parameters, untested_counts, .. }| tine_executor::Contract {
            function,
            n_parameters,
            untested_counts,
        })
    }

    /// Fixed arguments of the program.
    pub fn arguments(&self) -> &[String] {
        match &self.kind {
            Kind::Program { arguments, .. } => arguments,
            Kind::Function(_) | Kind::Sequence(_) => &[],
        }
    }

    /// Working directory of the program; a unit gets a scratch directory of its own.
    pub fn directory(&self) -> Option<&PathBuf> {
        match &self.kind {
            Kind::Program { directory, .. } => Some(directory),
            Kind::Function(_) | Kind::Sequence(_) => None,
        }
    }

    /// The symbolic parts of the environment, in the format of the program.
    pub fn inputs(&self, config: &Config) -> Option<String> {
        match &self.kind {
            Kind::Program { .. } => config.environment(),
            Kind::Function(_) | Kind::Sequence(_) => config.sym_fail.line(),
        }
    }

    /// The file of the session that replays a case. Inputs for volatile reads and failing calls exist only in the
    /// instrumented program.
    pub fn replayed(&self, config: &Config) -> PathBuf {
        match &self.kind {
            Kind::Program { .. } => self.program.clone(),
            Kind::Function(_) | Kind::Sequence(_) if config.volatile || config.sym_fail.line().is_some() => UNIT.into(),
            Kind::Function(_) | Kind::Sequence(_) => UNIT_NATIVE.into(),
        }
    }

    /// True if unconstrained memory is random.
    pub(crate) fn has_random_fill(&self, config: &Config) -> bool {
        self.harness().is_none() || config.init == Init::Random
    }

    /// Display of the parts of an input that no run read.
    pub(crate) fn untouched(&self, config: &Config) -> Untouched {
        if self.harness().is_some() && config.lazy { Untouched::Hide } else { Untouched::Show }
    }

    /// True if choices are calls: then short sequences of them come first.
    pub(crate) fn is_sequence(&self) -> bool {
        matches!(self.kind, Kind::Sequence(_))
    }

    /// True if states that were reached before are pruned. Not with a bound on depth, because then a state may be
    /// explored only partly.
    pub(crate) fn recognises_states(&self, config: &Config) -> bool {
        self.is_sequence() && !config.no_prune && config.depth.is_none()
    }
}
