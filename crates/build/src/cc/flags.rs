//! The flags that tine adds, and the user's flags that are incompatible with them.

use tine_trace::check::Checks;

use super::args::Opt;

/// The selected checks that clang turns into branches. Each is an additional goal of the search.
///
/// `pointer-overflow` is not among the checks of [`tine_trace::check`]: it reports the way in which most allocators
/// align pointers, and costs more than all others.
fn sanitizers(checks: Checks) -> Vec<&'static str> {
    let mut names: Vec<&str> = checks.iter().flat_map(|check| check.sanitizers().split(',')).collect();
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names
}

/// Flags of the checks. A last member with one element is C89's form of a flexible array, so it does not count as an
/// array of fixed size.
///
/// They come before the user's flags, so that `-fno-sanitize=…` still works.
pub(super) fn checks<'a>(selected: Checks, mut options: impl Iterator<Item = &'a Opt>) -> Vec<String> {
    let sanitizers = sanitizers(selected);
    let checks = format!("-fsanitize={}", sanitizers.join(","));
    let mut flags = Vec::new();
    if !sanitizers.is_empty() {
        flags.extend([checks.as_str(), "-fsanitize-minimal-runtime", "-fsanitize-recover=all"]);
    }
    flags.push("-fstrict-flex-arrays=1");
    if options.any(makes_overflow_defined) {
        flags.push("-fno-sanitize=signed-integer-overflow");
    }
    flags.into_iter().map(str::to_owned).collect()
}

/// Flags after those of the user. The instrumenter must see every branch of the source, so clang must not optimise;
/// tine does so later. So headers see no `__OPTIMIZE__`, as in every debug build. The names of blocks and values show
/// the instrumenter which branches clang has added. The last two flags make clang mark the ends of scopes.
pub(super) const FRONT_END: &[&str] = &[
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-fno-discard-value-names",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
];

/// Macros that make headers call functions with models: no fortified functions, and no tables for `isalpha`.
pub(super) const PREPROCESSOR: &[&str] = &["-U_FORTIFY_SOURCE", "-D__NO_CTYPE"];

/// The treatment of a user's option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    Dropped,
    /// Dropped with a message.
    DroppedLoudly(&'static str),
}

pub(super) fn fate(option: &Opt) -> Fate {
    let name = option.name.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    // tine generates code after instrumentation, so other times of code generation are not supported.
    if starts(&["-flto", "-ffat-lto-objects", "-fembed-bitcode", "-fwhole-program-vtables", "-fsplit-lto-unit"]) {
        return Fate::Dropped;
    }
    // Other instrumentation would itself be instrumented.
    if starts(&["-fprofile", "-fcs-profile", "-fcoverage", "-ftest-coverage", "-fxray"])
        || matches!(name, "--coverage" | "-coverage" | "-p" | "-pg")
    {
        return Fate::Dropped;
    }
    // Fortified functions duplicate tine's checks, need optimisation, and hide calls of functions with models.
    if matches!(name, "-D" | "-U") && option.value.as_deref().is_some_and(is_fortify) {
        return Fate::Dropped;
    }
    // Floats are solved according to IEEE 754. The results of fast-math options differ from build to build.
    if is_fast_math(name) || name == "-O" && option.value.as_deref() == Some("fast") {
        return Fate::Dropped;
    }
    // Debug information must be in the object.
    if starts(&["-gsplit-dwarf", "-gz"]) {
        return Fate::Dropped;
    }
    if starts(&["-fsanitize=", "-fsanitize-coverage"]) {
        return Fate::DroppedLoudly("tine brings its own checks");
    }
    if starts(&["-fsanitize-trap", "-fno-sanitize-trap", "-fsanitize-recover", "-fno-sanitize-recover"])
        || name == "-fsanitize-undefined-trap-on-error"
    {
        return Fate::Dropped;
    }
    Fate::Kept
}

fn is_fast_math(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "-ffast-math",
        "-funsafe-math-optimizations",
        "-fassociative-math",
        "-freciprocal-math",
        "-ffinite-math-only",
        "-fno-honor-nans",
        "-fno-honor-infinities",
        "-fno-signed-zeros",
        "-fapprox-func",
        "-ffp-model=fast",
        "-ffp-model=aggressive",
        "-mdaz-ftz",
    ];
    NAMES.contains(&name)
}

/// True if an option makes signed integers wrap around. Then overflow is not an error.
fn makes_overflow_defined(option: &Opt) -> bool {
    matches!(option.name.as_str(), "-fwrapv" | "-fno-strict-overflow")
}

fn is_fortify(macro_definition: &str) -> bool {
    macro_definition.split('=').next() == Some("_FORTIFY_SOURCE")
}

/// True if an option selects another machine than that of tine's units.
pub(super) fn is_foreign_target(option: &Opt) -> bool {
    let value = option.value.as_deref().unwrap_or_default();
    match option.name.as_str() {
        "-m32" | "-m16" | "-mx32" => true,
        "--target" | "--target=" | "-target" => {
            !value.starts_with("x86_64") || !value.contains("linux") || value.ends_with("x32")
        }
        "-arch" => value != "x86_64",
        _ => false,
    }
}
