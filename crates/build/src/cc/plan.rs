//! Translation of a command line to a list of commands.
//!
//! ```text
//!   tine cc a.c b.o -lm -o p
//!
//!     clang-22 … a.c → 0-a.bc       front end
//!     instrument 0-a.bc → 0-a.o
//!     clang-22 0-a.o b.o -lm … → p  link, with the runtime
//! ```
//! Pure: plans depend only on the arguments, so that they can be tested as data.

mod dependencies;
mod front_end;
mod link;
mod version_script;

use std::path::{Path, PathBuf};

pub(super) use link::{PASSING, runtime_symbols};
pub(super) use version_script::show_runtime;

use tine_trace::check::Checks;

use super::args::{Arg, CommandLine, Input, Language, Stage, quote};
use super::flags::{self, Fate};

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Clang {
        driver: Driver,
        args: Vec<String>,
    },
    Instrument {
        bitcode: PathBuf,
        output: PathBuf,
        emit: Emit,
    },
    /// Rewrites the version script `script` so that the runtime's symbols stay visible.
    ShowRuntime {
        script: PathBuf,
        output: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    C,
    Cxx,
}

impl Driver {
    pub(super) const fn program(self) -> &'static str {
        match self {
            Driver::C => "clang-22",
            Driver::Cxx => "clang++-22",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emit {
    Object,
    Assembly,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Messages for the user.
    pub(super) notes: Vec<String>,
    pub(super) needs: Needs,
}

/// Files of tine that the steps use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) headers: bool,
    pub(super) runtime: bool,
    pub(super) interfaces: bool,
    pub(super) models: bool,
    pub(super) stub: bool,
}

/// Command line of `tine cc`.
#[derive(Clone, Debug, Default)]
pub(super) struct Mode {
    /// `--native`: the program without instrumentation.
    pub(super) native: bool,
    /// `--checks`: clang's checks in a native program.
    pub(super) checks: bool,
    /// `--volatile`: reads of `volatile` objects are fresh inputs.
    pub(super) volatile: bool,
    /// `--check=LIST`: the checks to compile in.
    pub(super) selected: Checks,
    /// `--hooks=FILE`: the list of hooks of specifications. They must be called before clang inlines anything.
    pub(super) hooks: Option<String>,
    /// Called as a C++ compiler.
    pub(super) cxx: bool,
}

/// Paths of tine's files and directories.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Temporary directory of this command.
    pub(super) temp: PathBuf,
    pub(super) include: PathBuf,
    pub(super) runtime: PathBuf,
    /// Functions of other tools' interfaces that programs call; native ones in a native build.
    pub(super) interfaces: PathBuf,
    /// Models of the C library, for instrumented code.
    pub(super) models: PathBuf,
    /// Library that replaces the runtime when a shared library must not have undefined symbols.
    pub(super) stub: PathBuf,
}

/// Reason why a command line is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refusal {
    #[error(
        "`{0}` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only\n  \
         = help: leave the option out; the data model is the host's"
    )]
    Target(String),
    #[error("cannot specify -o when generating multiple output files")]
    SeveralOutputs,
}

pub(super) fn plan(line: &CommandLine, mode: &Mode, places: &Places) -> Result<Plan, Refusal> {
    // Clang's LLVM IR is available for an uninstrumented unit. It gets tine's headers like any other.
    let is_left_alone = mode.native && line.has("-emit-llvm");
    if is_inquiry(line) && !is_left_alone {
        return Ok(straight(line, mode));
    }
    if let Some(option) = line.options().find(|option| flags::is_foreign_target(option)) {
        return Err(Refusal::Target(option.words.join(" ")));
    }
    let planner = Planner { line, mode, places, plan: Plan::default() };
    if mode.native { Ok(planner.native()) } else { planner.instrumented() }
}

/// True if clang itself answers: the command is a question to clang, or has nothing to do.
fn is_inquiry(line: &CommandLine) -> bool {
    let asks = line.options().any(|option| option.stage == Stage::Inquiry);
    asks || (line.inputs().next().is_none() && !line.has("-l"))
}

fn straight(line: &CommandLine, mode: &Mode) -> Plan {
    let driver = if mode.cxx { Driver::Cxx } else { Driver::C };
    Plan { steps: vec![Step::Clang { driver, args: line.words.clone() }], ..Plan::default() }
}

struct Planner<'a> {
    line: &'a CommandLine,
    mode: &'a Mode,
    places: &'a Places,
    plan: Plan,
}

impl Planner<'_> {
    /// True if it neither compiles nor links: `-E`, `-M`, `-MM`, `-fsyntax-only`.
    fn preprocesses_only(&self) -> bool {
        ["-E", "-M", "-MM", "-fsyntax-only"].into_iter().any(|option| self.line.has(option))
    }

    fn links(&self) -> bool {
        !self.line.has("-c") && !self.line.has("-S") && !self.preprocesses_only()
    }

    /// True if clang has anything to preprocess.
    fn preprocesses(&self) -> bool {
        self.line.inputs().any(Input::is_preprocessed_by_clang)
    }

    fn driver(&self) -> Driver {
        let any_cxx = self.line.inputs().any(|input| input.language == Language::Cxx);
        if self.mode.cxx || any_cxx { Driver::Cxx } else { Driver::C }
    }

    /// The user's command without instrumentation, with tine's headers and runtime for programs that use them.
    fn native(mut self) -> Plan {
        let (mut args, after) = if self.links() { self.runtime_flags() } else { Default::default() };
        if self.mode.checks {
            args.extend(flags::checks(self.mode.selected, self.line.options()));
            // tine's runtime has the handlers of failed checks.
            args.push("-fno-sanitize-link-runtime".into());
            args.extend(self.line.args.iter().flat_map(Self::kept_words));
            args.extend(self.preprocesses().then(|| "-U_FORTIFY_SOURCE".into()));
        } else {
            args.extend(self.line.args.iter().flat_map(Arg::words).cloned());
        }
        if self.preprocesses() {
            args.extend(self.include_flags());
        }
        args.extend(after);
        self.step(self.driver(), args);
        self.plan
    }

    fn instrumented(mut self) -> Result<Plan, Refusal> {
        self.note_what_is_dropped();
        if self.preprocesses_only() {
            let mut args: Vec<String> = self.line.args.iter().flat_map(Self::kept_words).collect();
            if self.preprocesses() {
                args.extend(self.include_flags());
                args.extend(flags::PREPROCESSOR.iter().map(|flag| (*flag).to_owned()));
            }
            self.step(self.driver(), args);
            return Ok(self.plan);
        }
        let sources: Vec<&Input> = self.line.inputs().filter(|input| input.language != Language::Linker).collect();
        if !self.links() && sources.len() > 1 && self.line.has("-o") {
            return Err(Refusal::SeveralOutputs);
        }
        let mut objects = Vec::new();
        for (ordinal, source) in sources.iter().enumerate() {
            objects.push(self.compile(source, ordinal));
        }
        // Headers are precompiled, not linked.
        let only_headers = !sources.is_empty() && sources.iter().all(|input| input.language == Language::Header);
        if self.links() && !only_headers {
            let args = self.link(&objects);
            self.step(self.driver(), args);
        }
        Ok(self.plan)
    }

    fn step(&mut self, driver: Driver, args: Vec<String>) {
        self.plan.steps.push(Step::Clang { driver, args });
    }

    /// Words of an argument as spelled by the user; none if it is dropped.
    fn kept_words(arg: &Arg) -> Vec<String> {
        match arg {
            Arg::Option(option) if flags::fate(option) != Fate::Kept => vec![],
            _ => arg.words().to_vec(),
        }
    }

    fn note_what_is_dropped(&mut self) {
        for option in self.line.options() {
            if let Fate::DroppedLoudly(why) = flags::fate(option) {
                self.plan.notes.push(format!("`{}` is left out: {why}", option.words.join(" ")));
            }
        }
    }

    fn include_flags(&mut self) -> Vec<String> {
        self.plan.needs.headers = true;
        let compat = self.places.include.join("compat");
        [&self.places.include, &compat].into_iter().flat_map(|dir| ["-isystem".to_owned(), text(dir)]).collect()
    }

    fn temp(&self, ordinal: usize, source: &Input, suffix: &str) -> PathBuf {
        self.places.temp.join(format!("{ordinal}-{}.{suffix}", stem(&source.path)))
    }
}

/// `dir/a.b.c` → `a.b`, the name that compilers use for outputs.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("paths come from arguments and the environment, which are text").to_owned()
}

impl std::fmt::Display for Step {
    /// Writes the command as it could be typed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Step::Clang { driver, args } => {
                write!(f, "{}", driver.program())?;
                args.iter().try_for_each(|arg| write!(f, " {}", quote(arg)))
            }
            Step::Instrument { bitcode, output, emit } => {
                let what = if *emit == Emit::Assembly { " as assembly" } else { "" };
                write!(f, "instrument {} -> {}{what}", bitcode.display(), output.display())
            }
            Step::ShowRuntime { script, output } => {
                write!(f, "show the runtime in {} -> {}", script.display(), output.display())
            }
        }
    }
}

#[cfg(test)]
mod tests;
