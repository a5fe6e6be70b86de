//! Options of gcc and clang: their arguments and stages.
//!
//! Only exceptions from the rule need an entry: an option without one is a single word, for both compiling and linking.

/// Stage that an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// `-c`, `-o`, `-x` …: the compiler driver itself. Every command gets its own.
    Driver,
    /// Dependency files (`-MD` …).
    Dependencies,
    Preprocess,
    Compile,
    Link,
    /// Compiling and linking.
    Both,
    /// Prints information about the compiler; nothing is compiled.
    Inquiry,
}

#[derive(Clone, Copy)]
enum Form {
    /// No argument.
    Alone,
    /// The argument is the rest of the word, which may be empty.
    Joined,
    /// The argument is the next word.
    Separate,
    /// The rest of the word, or the next word if there is no rest.
    Either,
}

use Form::{Alone, Either, Joined, Separate};
use Stage::{Both, Compile, Dependencies, Driver, Inquiry, Link, Preprocess};

/// A word is looked up as a whole first, then by its longest prefix in the table.
const TABLE: &[(&str, Form, Stage)] = &[
    // The driver.
    ("-c", Alone, Driver),
    ("-S", Alone, Driver),
    ("-E", Alone, Driver),
    ("-o", Either, Driver),
    ("-x", Either, Driver),
    ("-fsyntax-only", Alone, Driver),
    ("-M", Alone, Driver),
    ("-MM", Alone, Driver),
    ("-emit-llvm", Alone, Inquiry),
    ("-emit-ast", Alone, Inquiry),
    ("--analyze", Alone, Inquiry),
    ("--version", Alone, Inquiry),
    ("--help", Alone, Inquiry),
    ("-help", Alone, Inquiry),
    ("-###", Alone, Inquiry),
    ("-cc1", Joined, Inquiry),
    ("-dumpversion", Alone, Inquiry),
    ("-dumpfullversion", Alone, Inquiry),
    ("-dumpmachine", Alone, Inquiry),
    ("-dumpspecs", Alone, Inquiry),
    ("-print-", Joined, Inquiry),
    ("--print-", Joined, Inquiry),
    // Dependencies.
    ("-MD", Alone, Dependencies),
    ("-MMD", Alone, Dependencies),
    ("-MP", Alone, Dependencies),
    ("-MG", Alone, Dependencies),
    ("-MV", Alone, Dependencies),
    ("-MF", Either, Dependencies),
    ("-MT", Either, Dependencies),
    ("-MQ", Either, Dependencies),
    ("-MJ", Either, Dependencies),
    // The preprocessor.
    ("-I", Either, Preprocess),
    ("-D", Either, Preprocess),
    ("-U", Either, Preprocess),
    ("-A", Either, Preprocess),
    ("-include", Either, Preprocess),
    ("-include-pch", Separate, Preprocess),
    ("-imacros", Either, Preprocess),
    ("-isystem", Either, Preprocess),
    ("-isystem-after", Either, Preprocess),
    ("-iquote", Either, Preprocess),
    ("-idirafter", Either, Preprocess),
    ("-iprefix", Either, Preprocess),
    ("-iwithprefix", Either, Preprocess),
    ("-iwithprefixbefore", Either, Preprocess),
    ("-iwithsysroot", Either, Preprocess),
    ("-ivfsoverlay", Either, Preprocess),
    ("-Wp,", Joined, Preprocess),
    ("-Xpreprocessor", Separate, Preprocess),
    ("-nostdinc", Alone, Preprocess),
    ("-nostdinc++", Alone, Preprocess),
    ("-undef", Alone, Preprocess),
    ("-trigraphs", Alone, Preprocess),
    ("-C", Alone, Preprocess),
    ("-CC", Alone, Preprocess),
    ("-P", Alone, Preprocess),
    ("-H", Alone, Preprocess),
    ("-d", Joined, Preprocess),
    // The compiler.
    ("-O", Joined, Compile),
    ("-g", Joined, Compile),
    ("-W", Joined, Compile),
    ("-w", Alone, Compile),
    ("-p", Alone, Compile),
    ("-pg", Alone, Compile),
    ("-pedantic", Alone, Compile),
    ("-pedantic-errors", Alone, Compile),
    ("-ansi", Alone, Compile),
    ("-std=", Joined, Compile),
    ("--std=", Joined, Compile),
    ("-Wa,", Joined, Compile),
    ("-Xassembler", Separate, Compile),
    ("-Xclang", Separate, Compile),
    ("-mllvm", Separate, Compile),
    ("-aux-info", Separate, Compile),
    ("-dumpbase", Separate, Compile),
    ("-dumpbase-ext", Separate, Compile),
    ("-dumpdir", Separate, Compile),
    ("--serialize-diagnostics", Separate, Compile),
    ("-serialize-diagnostics", Separate, Compile),
    // Both.
    ("-f", Joined, Both),
    ("-m", Joined, Both),
    ("-isysroot", Either, Both),
    ("-target", Separate, Both),
    ("--target", Separate, Both),
    ("--target=", Joined, Both),
    ("--sysroot", Separate, Both),
    ("--sysroot=", Joined, Both),
    ("-gcc-toolchain", Separate, Both),
    ("--gcc-toolchain=", Joined, Both),
    ("--config", Separate, Both),
    ("--param", Separate, Both),
    ("-B", Either, Both),
    ("-b", Either, Both),
    ("-V", Separate, Both),
    ("-specs=", Joined, Both),
    ("--specs", Separate, Both),
    ("-wrapper", Separate, Both),
    ("-resource-dir", Separate, Both),
    ("--driver-mode=", Joined, Both),
    ("-arch", Separate, Both),
    ("-Xarch_", Joined, Both),
    ("--coverage", Alone, Both),
    ("-coverage", Alone, Both),
    // The linker.
    ("-l", Either, Link),
    ("-L", Either, Link),
    ("-Wl,", Joined, Link),
    ("-Xlinker", Separate, Link),
    ("-fuse-ld=", Joined, Link),
    ("--ld-path=", Joined, Link),
    ("-T", Either, Link),
    ("-Tbss", Either, Link),
    ("-Tdata", Either, Link),
    ("-Ttext", Either, Link),
    ("-u", Either, Link),
    ("-z", Separate, Link),
    ("-e", Either, Link),
    ("-h", Either, Link),
    ("-R", Either, Link),
    ("-F", Either, Link),
    ("-rpath", Separate, Link),
    ("-framework", Separate, Link),
    ("-s", Alone, Link),
    ("-r", Alone, Link),
    ("-t", Alone, Link),
    ("-n", Alone, Link),
    ("-N", Alone, Link),
    ("-shared", Alone, Link),
    ("--shared", Alone, Link),
    ("-static", Alone, Link),
    ("--static", Alone, Link),
    ("-static-pie", Alone, Link),
    ("-static-libgcc", Alone, Link),
    ("-static-libstdc++", Alone, Link),
    ("-shared-libgcc", Alone, Link),
    ("-pie", Alone, Link),
    ("-no-pie", Alone, Link),
    ("-nopie", Alone, Link),
    ("-rdynamic", Alone, Link),
    ("-symbolic", Alone, Link),
    ("-nostdlib", Alone, Link),
    ("-nostdlib++", Alone, Link),
    ("-nodefaultlibs", Alone, Link),
    ("-nostartfiles", Alone, Link),
    ("-nolibc", Alone, Link),
];

/// Looks up the option that starts with `word`. Returns its name, the argument inside the word, true if the next word
/// is the argument, and the stage.
pub(super) fn look_up(word: &str) -> (&str, Option<&str>, bool, Stage) {
    let whole = TABLE.iter().find(|(name, ..)| *name == word);
    if let Some((name, form, stage)) = whole {
        return (name, None, matches!(form, Separate | Either), *stage);
    }
    let beginning = TABLE
        .iter()
        .filter(|(name, form, _)| matches!(form, Joined | Either) && word.starts_with(name))
        .max_by_key(|(name, ..)| name.len());
    match beginning {
        // Families of options (`-f…`, `-m…`) have names, not arguments.
        Some(("-f" | "-m" | "-W" | "-g" | "-d" | "-print-" | "--print-" | "-cc1" | "-Xarch_", _, stage)) => {
            (word, None, word.starts_with("-Xarch_"), *stage)
        }
        Some((name, _, stage)) => (name, Some(&word[name.len()..]), false, *stage),
        None => (word, None, false, Both),
    }
}
