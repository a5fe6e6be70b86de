//! From bitcode to an object: prepare, instrument, optimise, emit.
//!
//! ```text
//!   clang -O0 ─▶ operators ─▶ sroa, mem2reg, scalarizer ─▶ instrument ─▶ inline, optimise ─▶ code
//! ```
//! Optimising *before* instrumenting would turn branches into selects and lose decisions. Optimising after it makes the
//! concrete fast path cheap.

use std::path::{Path, PathBuf};

use crate::asm_goto;
use crate::dataflow;
use crate::dead;
use crate::endless;
use crate::facts;
use crate::function;
use crate::implicit;
use crate::jumps;
use crate::labels;
use crate::lines::Lines;
use crate::llvm::{Module, Target, Value};
use crate::loops;
use crate::map::MapBuilder;
use crate::models;
use crate::monitors;
use crate::names;
use crate::nulls;
use crate::operators;
use crate::padding;
use crate::refused;
use crate::runtime::Runtime;
use crate::trailing;
use crate::undefined;
use crate::volatile;

/// Kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    Object,
    Assembly,
    Bitcode,
    /// Instrumented but not optimised, as text: for people and tests.
    Text,
}

/// Settings of the instrumentation.
#[derive(Clone, Debug)]
pub struct Options {
    pub emit: Emit,
    /// True if the module belongs to tine (a model or an interface): its branches do not count as coverage.
    pub library: bool,
    /// True if reads of `volatile` objects are new inputs.
    pub volatile: bool,
    /// Functions defined in files below these folders are not user code either.
    pub library_paths: Vec<PathBuf>,
    /// Functions of the C library with a model, which is called instead.
    pub models: Vec<String>,
    /// The list of hooks of specifications.
    pub hooks: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            emit: Emit::Object,
            library: false,
            volatile: false,
            library_paths: vec![PathBuf::from("/usr/")],
            models: Vec::new(),
            hooks: None,
        }
    }
}

/// Result of the pipeline.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub functions: usize,
    pub sites: usize,
    pub skipped: Vec<Skipped>,
}

/// A function that was left concrete.
#[derive(Clone, Debug)]
pub struct Skipped {
    pub function: String,
    pub why: String,
}

impl Skipped {
    /// True if the reason is common. C++ has many functions that handle exceptions. In C, every skipped function should
    /// be reported.
    pub fn is_usual(&self) -> bool {
        self.why == HANDLES_EXCEPTIONS
    }
}

pub(crate) const HANDLES_EXCEPTIONS: &str = "it handles exceptions";

/// Reason why a module cannot be instrumented.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read bitcode {path}: {why}")]
    Read { path: PathBuf, why: String },
    #[error("the target {0} is not supported: tine instruments 64-bit x86 Linux programs")]
    Target(String),
    #[error(transparent)]
    Monitor(#[from] monitors::Unmonitored),
    #[error("instrumented code does not verify: {0}")]
    Verify(String),
    #[error("LLVM refused passes or code generation: {0}")]
    Llvm(String),
}

/// Of the debug information, only lines are needed.
const STRIP: &str = "strip-nonlinetable-debuginfo";
/// Instrumenting requires values in registers, and the elements of vectors.
const PREPARE: &str = "function(sroa,mem2reg,scalarizer<load-store;variable-insert-extract>)";
/// Passes that make instrumented code faster at acceptable cost. `default<O2>` takes more than twice the time without a
/// speed-up.
const OPTIMISE: &str = "always-inline,cgscc(inline,function<eager-inv>(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
instcombine<no-verify-fixpoint>,jump-threading,loop-mssa(loop-rotate,licm),gvn,simplifycfg<switch-to-lookup>)),globaldce";
/// The same for modules past [`LARGE_MODULE`].
const OPTIMISE_LARGE: &str = "always-inline,function(sroa,early-cse,simplifycfg),globaldce";
/// Above this number of instructions, optimising takes longer than it saves.
const LARGE_MODULE: usize = 2_000_000;
/// The same for modules with a function past [`MANY_BLOCKS`].
const OPTIMISE_MANY_BLOCKS: &str = "always-inline,globaldce";
/// Above this number of instructions in one function, register allocation dominates the build time.
const LARGE_FUNCTION: usize = 500_000;
/// Above this number of blocks in one function, such as a `switch` with thousands of cases, many of LLVM's passes take
/// quadratic time.
const MANY_BLOCKS: usize = 100_000;

/// Instruments `bitcode` and writes the output selected by `options` to `output`.
pub fn compile(bitcode: &Path, output: &Path, options: &Options) -> Result<Report, Error> {
    let module =
        Module::read(bitcode).map_err(|why| Error::Read { path: bitcode.to_path_buf(), why: why.trim().to_owned() })?;
    let triple = module.triple();
    if !triple.starts_with("x86_64") || triple.ends_with("x32") {
        return Err(Error::Target(triple));
    }
    let target = Target::for_module(&module, false).map_err(Error::Llvm)?;
    if let Some(hooks) = &options.hooks {
        call_hooks(&module, &target, hooks)?;
    }
    labels::number(&module);
    asm_goto::outline(&module);
    undefined::mark(&module);
    module.run_passes(STRIP, Some(&target)).map_err(Error::Llvm)?;
    branch_as_written(&module, options);
    let lines = Lines::of_module(&module, options);
    dataflow::keep_writes(&module);
    module.run_passes(PREPARE, Some(&target)).map_err(Error::Llvm)?;
    jumps::pass_one_for_zero(&module);
    models::redirect(&module, options);
    let flow = dataflow::of(&module);
    trailing::ask_for_room(&module);
    nulls::ask_for_bases(&module);
    nulls::allow_offsets(&module);
    dead::decide(&module);
    endless::announce(&module);
    loops::mark(&module, options);
    if options.volatile {
        volatile::hook_reads(&module);
    }
    undefined::resolve(&module);
    refused::pass_operands(&module);
    let facts = facts::of(&module, options);
    let report = instrument(&module, lines, options, &facts, flow);
    undefined::erase(&module);
    loops::expand(&module);
    module.verify().map_err(|why| Error::Verify(format!("{why}\n(module {})", module.source_file())))?;

    if options.emit == Emit::Text {
        std::fs::write(output, module.print())
            .map_err(|why| Error::Llvm(format!("cannot write {}: {why}", output.display())))?;
        return Ok(report);
    }
    let largest = module.functions().into_iter().map(size_of_function).max().unwrap_or(0);
    let total: usize = module.functions().into_iter().map(size_of_function).sum();
    let n_blocks = module.functions().into_iter().map(|function| function.blocks().len()).max().unwrap_or(0);
    let passes = match () {
        () if n_blocks > MANY_BLOCKS => OPTIMISE_MANY_BLOCKS,
        () if total > LARGE_MODULE => OPTIMISE_LARGE,
        () => OPTIMISE,
    };
    module.run_passes(passes, Some(&target)).map_err(Error::Llvm)?;
    let written = match options.emit {
        Emit::Bitcode => module.write_bitcode(output),
        Emit::Assembly => module.emit(&target, output, true),
        Emit::Object | Emit::Text => {
            let fast = largest > LARGE_FUNCTION || n_blocks > MANY_BLOCKS;
            let target = if fast { Target::for_module(&module, true).map_err(Error::Llvm)? } else { target };
            module.emit(&target, output, false)
        }
    };
    written.map_err(Error::Llvm)?;
    Ok(report)
}

/// Adds the calls of monitors to `bitcode`, without instrumentation, and writes an object file.
pub fn hook(bitcode: &Path, output: &Path, hooks: &Path) -> Result<(), Error> {
    let module =
        Module::read(bitcode).map_err(|why| Error::Read { path: bitcode.to_path_buf(), why: why.trim().to_owned() })?;
    let target = Target::for_module(&module, false).map_err(Error::Llvm)?;
    call_hooks(&module, &target, hooks)?;
    module.verify().map_err(|why| Error::Verify(format!("{why}\n(module {})", module.source_file())))?;
    module.emit(&target, output, false).map_err(Error::Llvm)
}

/// Calls hooks in bitcode without any optimisation, and then inlines as clang does in every build.
fn call_hooks(module: &Module, target: &Target, hooks: &Path) -> Result<(), Error> {
    monitors::hook(module, hooks)?;
    module.run_passes("always-inline", Some(target)).map_err(Error::Llvm)
}

/// Makes the branches of the user's functions equal to those of the source.
fn branch_as_written(module: &Module, options: &Options) {
    let builder = module.builder();
    for function in module.functions() {
        if !function.is_declaration() && !function::is_library(function, options) {
            implicit::mark(&builder, function);
            operators::branch(&builder, function);
        }
    }
}

fn size_of_function(function: Value) -> usize {
    function.blocks().into_iter().map(|block| block.instructions().len()).sum()
}

fn instrument(
    module: &Module,
    lines: Lines,
    options: &Options,
    facts: &[facts::Fact],
    mut flow: dataflow::Flow,
) -> Report {
    let mut report = Report::default();
    let mut map = MapBuilder::new(&module.source_file());
    for fact in facts {
        map.fact(fact);
    }
    flow.number();
    let mut runtime = Runtime::new(module);
    runtime.lines = lines;
    runtime.is_model = options.library && models::are_in(module);
    runtime.padded = padding::pad_stack(module);
    runtime.padded_globals = padding::pad_globals(module);
    let is_program = |f: &Value| !f.is_declaration() && !f.is_intrinsic() && !f.name().starts_with(names::ASM_GOTO);
    let defined: Vec<Value> = module.functions().into_iter().filter(is_program).collect();
    for function in module.functions() {
        function::prepare(module, function);
    }
    function::declare_entries(module, &mut runtime, &defined);
    for function in defined {
        match function::instrument(module, &mut runtime, &mut map, function, options) {
            Ok(()) => report.functions += 1,
            Err(why) => report.skipped.push(Skipped { function: function.name(), why }),
        }
    }
    module.finish_debug();
    map.dataflow(flow.encode(&report.skipped));
    report.sites = map.n_sites();
    runtime.finish(&map);
    report
}
