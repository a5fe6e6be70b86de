//! Compiler flags from a file in a directory that are allowed without the user's trust.
//!
//! The list contains flags that change the compiled code, but neither load code into the compiler or linker nor name a
//! file to write. All other flags need `--trust`.

use super::args::{Arg, CommandLine, Opt};

/// Whole words.
const WORDS: &[&str] = &[
    "-ansi",
    "-pipe",
    "-pthread",
    "-w",
    "-undef",
    "-trigraphs",
    "-nostdinc",
    "-static",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-static-libgcc",
    "-c",
    "-S",
    "-s",
    "-P",
    "-C",
    "-H",
];

/// Options whose value is a name, a number or a path that is only read.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-include",
    "-imacros",
    "-isystem",
    "-isystem-after",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-L",
    "-std",
    "--std",
    "-x",
    "-framework",
];

/// Options `-fNAME=VALUE` whose value is a word. `-fNAME` alone needs no entry.
const F_WITH_VALUE: &[&str] = &[
    "abi-version",
    "bracket-depth",
    "cf-protection",
    "constexpr-depth",
    "constexpr-steps",
    "debug-prefix-map",
    "diagnostics-color",
    "diagnostics-format",
    "exec-charset",
    "excess-precision",
    "ffp-contract",
    "file-prefix-map",
    "fp-contract",
    "fp-model",
    "inline-limit",
    "input-charset",
    "macro-prefix-map",
    "max-errors",
    "message-length",
    "patchable-function-entry",
    "sanitize",
    "stack-protector",
    "strict-flex-arrays",
    "template-depth",
    "tls-model",
    "trivial-auto-var-init",
    "visibility",
    "wchar-type",
    "zero-call-used-regs",
];

/// Options `-f…` without a value that load code or create files.
const F_REFUSED: &[&str] = &[
    "plugin",
    "pass-plugin",
    "profile",
    "coverage",
    "test-coverage",
    "dump",
    "save-",
    "stack-usage",
    "callgraph-info",
    "time-trace",
    "proc-stat",
    "opt-info",
    "crash-diagnostics",
    "modules",
    "module-",
    "implicit-module",
    "lto",
    "thinlto",
    "thin-",
    "use-ld",
    "embed",
    "offload",
    "cuda",
    "openmp",
    "auto-profile",
    "cs-profile",
    "memory-profile",
    "build-session",
    "system-module",
    "prebuilt-module",
    "emit-",
];

/// Words of `-Wl,…`.
const LINKER: &[&str] = &[
    "--as-needed",
    "--no-as-needed",
    "--gc-sections",
    "--no-gc-sections",
    "--no-undefined",
    "--start-group",
    "--end-group",
    "-(",
    "-)",
    "--whole-archive",
    "--no-whole-archive",
    "-Bstatic",
    "-Bdynamic",
    "--export-dynamic",
    "-E",
    "-z",
    "relro",
    "now",
    "noexecstack",
    "defs",
    "-O1",
    "-O2",
    "--hash-style=gnu",
    "--build-id",
    "--enable-new-dtags",
    "--disable-new-dtags",
    "--allow-multiple-definition",
    "-Bsymbolic",
    "-Bsymbolic-functions",
    "--fatal-warnings",
];

/// The first of these words that needs trust, as spelled by the user.
pub fn first_untrusted(words: &[String]) -> Option<String> {
    // A response file can contain anything.
    if let Some(file) = words.iter().find(|word| word.starts_with('@')) {
        return Some(file.clone());
    }
    let line = CommandLine::parse(words.to_vec());
    let refused = line.args.iter().find(|arg| match arg {
        Arg::Input(input) => input.path.starts_with('-'),
        Arg::Option(option) => !is_allowed(option),
    })?;
    Some(refused.words().join(" "))
}

fn is_allowed(option: &Opt) -> bool {
    let name = option.name.trim_end_matches('=');
    let Some(word) = option.words.first() else { return false };
    if WORDS.contains(&word.as_str()) || WITH_VALUE.contains(&name) {
        return true;
    }
    if let Some(words) = word.strip_prefix("-Wl,") {
        return words.split(',').all(|word| LINKER.contains(&word) || word.starts_with("--wrap="));
    }
    // From here on, an option is one word without parts that another program splits.
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-_=+.".contains(c));
    let [word] = option.words.as_slice() else { return false };
    match word.as_bytes() {
        [b'-', b'W', ..] => is_plain(word),
        [b'-', b'O', ..] => is_plain(word) && word.len() <= 6,
        [b'-', b'g', ..] => is_debug(&word[2..]),
        [b'-', b'm', ..] => is_plain(word) && !word.starts_with("-mllvm") && !word.starts_with("-mlink"),
        [b'-', b'f', ..] => is_code_generation(&word[2..]),
        _ => word.starts_with("-pedantic") && is_plain(word) || word.starts_with("-std=") || word.starts_with("--std="),
    }
}

fn is_debug(rest: &str) -> bool {
    rest.chars().all(|c| c.is_ascii_digit())
        || ["dwarf", "gdb", "column-info", "no-column-info"].iter().any(|known| rest.starts_with(known))
}

fn is_code_generation(rest: &str) -> bool {
    match rest.split_once('=') {
        Some((name, _)) => F_WITH_VALUE.contains(&name),
        None => {
            let is_plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || "-+".contains(c));
            is_plain && (rest.starts_with("no-") || !F_REFUSED.iter().any(|refused| rest.starts_with(refused)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_ordinary_builds_are_allowed() {
        let flags = "-I include -Iinc -isystem /usr/x -DX=\"a b\" -D Y -UZ -std=c11 -std=gnu99 -ansi -O2 -Os -O -g -g3 -ggdb -gdwarf-4 \
                     -Wall -Wextra -Werror=format -Wno-unused -w -pedantic -pedantic-errors -fPIC -fno-strict-aliasing -fwrapv \
                     -fstack-protector-strong -fvisibility=hidden -fcf-protection=full -ffile-prefix-map=/a=/b -fcommon \
                     -m64 -march=x86-64-v3 -msse4.2 -mno-avx -pthread -pipe -include config.h -lm -L lib lib.o \
                     -Wl,--as-needed,-z,now -fsanitize=undefined -fno-plugin -x c";
        let words: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        assert_eq!(first_untrusted(&words), None);
    }

    #[test]
    fn flags_that_load_code_or_write_files_are_not() {
        for flags in [
            "-fplugin=./evil.so",
            "-fpass-plugin=./evil.so",
            "-fplugin-arg-evil-x",
            "-Xclang -load",
            "-Xclang -load -Xclang ./evil.so",
            "-B .",
            "-B.",
            "-fuse-ld=./evil",
            "-fuse-ld=lld",
            "--ld-path=./evil",
            "--config evil.cfg",
            "--config=evil.cfg",
            "-wrapper ./evil",
            "-specs=evil",
            "--specs=evil",
            "@flags",
            "-o /tmp/x",
            "-o/tmp/x",
            "-MF /tmp/x",
            "-MD",
            "-save-temps",
            "-save-temps=obj",
            "--save-temps",
            "-fprofile-generate=/tmp",
            "-fprofile-instr-generate=/tmp/x",
            "-fprofile-arcs",
            "--coverage",
            "-fcrash-diagnostics-dir=/tmp",
            "-ftime-trace=/tmp/x",
            "-fdump-tree-all",
            "-fsave-optimization-record",
            "-foptimization-record-file=/tmp/x",
            "-fmodules-cache-path=/tmp",
            "-fproc-stat-report=/tmp/x",
            "-gsplit-dwarf",
            "-mllvm -load=./evil.so",
            "-mllvm",
            "-Wl,-plugin,./evil.so",
            "-Wl,-Map=/tmp/x",
            "-Wl,-T,evil.ld",
            "-Wa,-a=/tmp/x",
            "-Wp,-MD,/tmp/x",
            "-Xlinker -Map=/tmp/x",
            "-Xpreprocessor -MD",
            "-Xassembler -a",
            "-T evil.ld",
            "--sysroot=/evil",
            "-isysroot /evil",
            "-ivfsoverlay x",
            "-resource-dir=/evil",
            "-ccc-gcc-name evil",
            "-no-integrated-as",
            "-dumpdir /tmp/",
            "--serialize-diagnostics /tmp/x",
            "-serialize-diagnostics /tmp/x",
            "-working-directory /",
            "-index-store-path /tmp",
            "-cc1",
            "-target evil",
            "--unknown",
        ] {
            let words: Vec<String> = ["-Wall"].into_iter().chain(flags.split_whitespace()).map(str::to_owned).collect();
            assert!(first_untrusted(&words).is_some(), "{flags}");
        }
    }
}
