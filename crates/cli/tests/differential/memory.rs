//! Programs with random memory errors: tine and clang's AddressSanitizer find the same errors.
//!
//! A program is a function of one number below [`VALUES`]. It makes an object and uses it in one way, which is an error
//! for some numbers. [`PROGRAMS`] of them are one file. AddressSanitizer runs each with each number. tine explores the
//! file once, from nothing. The first errors must have the same kinds and lines, and each case that tine keeps for
//! an error must show it under AddressSanitizer, too.
//!
//! Differences by rule, which the programs avoid:
//! - Before variables in static memory AddressSanitizer may have no gap.
//! - AddressSanitizer reports an access before the first block of its heap as a signal. It counts as out of bounds.
//! - Both miss accesses that reach another object, and members after an array of their structure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tine_executor::Places;

use super::features::Random;

const PROGRAMS: usize = 20;
const VALUES: usize = 8;

const HEAD: &str = "#include <alloca.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n\n";

/// Line and kind of an error.
type Error = (u64, String);

/// Compares the programs of a seed.
pub(crate) fn check(folder: &Path, seed: u64) -> Result<(), String> {
    let source = folder.join("programs.c");
    let mut random = Random::of_seed(seed);
    let programs: Vec<String> = (0..PROGRAMS).map(|number| program(number, &mut random)).collect();
    let cases: String = (0..PROGRAMS).map(|k| format!("    case {k}:\n        return f{k}(x);\n")).collect();
    let text = format!(
        "{HEAD}{}long run(unsigned which, unsigned x) {{\n    if (x >= {VALUES})\n        return 0;\n    switch (which) {{\n\
         {cases}    }}\n    return 0;\n}}\n\n#ifdef NATIVE\nint main(int argc, char **argv) {{\n    \
         return argc > 2 && run((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])) == 12345;\n}}\n#endif\n",
        programs.concat()
    );
    std::fs::write(&source, text).map_err(|why| why.to_string())?;

    let sanitized = sanitized_errors(&source)?;
    let expected: BTreeSet<&Error> = sanitized.values().collect();
    let found = explored_errors(&source)?;
    let kinds: BTreeSet<&Error> = found.keys().collect();
    let list =
        |errors: Vec<&&Error>| errors.iter().map(|(line, kind)| format!("  {line}: {kind}\n")).collect::<String>();
    let missed = list(expected.difference(&kinds).collect());
    let extra = list(kinds.difference(&expected).collect());
    if !missed.is_empty() || !extra.is_empty() {
        return Err(format!("only AddressSanitizer:\n{missed}only tine:\n{extra}in {}", source.display()));
    }
    for (error, case) in &found {
        if sanitized.get(case) != Some(error) {
            return Err(format!("AddressSanitizer says {:?} for {case:?}, tine {error:?}", sanitized.get(case)));
        }
    }
    Ok(())
}

/// First errors under AddressSanitizer, by program and number.
fn sanitized_errors(source: &Path) -> Result<BTreeMap<(usize, usize), Error>, String> {
    const FLAGS: &[&str] =
        &["-w", "-g", "-DNATIVE", "-fsanitize=address,array-bounds", "-fno-sanitize-recover=all", "-o"];
    let program = source.with_extension("sanitized");
    let built = Command::new("clang-22").args(FLAGS).arg(&program).arg(source).output();
    let built = built.map_err(|why| format!("clang-22: {why}"))?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let places = Places::of(&program);
    let mut errors = BTreeMap::new();
    for (number, x) in (0..PROGRAMS).flat_map(|number| (0..VALUES).map(move |x| (number, x))) {
        let ran = Command::new(&program)
            .args([number, x].map(|number| number.to_string()))
            .env("ASAN_OPTIONS", "detect_leaks=0:symbolize=0:detect_stack_use_after_return=1")
            .output()
            .map_err(|why| why.to_string())?;
        let said = String::from_utf8_lossy(&ran.stderr);
        if let Some(error) = first_error(&said, &places) {
            errors.insert((number, x), error);
        } else if !ran.status.success() {
            return Err(format!("program {number} for {x}: {said}"));
        }
    }
    Ok(errors)
}

/// Line and kind in tine's words.
fn first_error(said: &str, places: &Places) -> Option<Error> {
    if let Some((place, _)) = said.split_once(": runtime error: index ") {
        let line = place.rsplit(':').nth(1)?.parse().ok()?;
        return Some((line, "array index out of bounds".to_owned()));
    }
    let (_, report) = said.split_once("ERROR: AddressSanitizer: ")?;
    let what = report.lines().next()?;
    let is = |name: &str| what.contains(name);
    let kind = match () {
        () if is("heap-use-after-free") => "use after free",
        () if is("stack-use-after-return") => "use after return",
        () if is("stack-use-after-scope") => "use after scope",
        () if is("attempting double-free") => "double free",
        () if is("attempting free on address") => "invalid free",
        () if report.contains("READ of size") || report.contains("a READ memory access") => "out-of-bounds read",
        () => "out-of-bounds write",
    };
    let stack = report.lines().skip_while(|line| !line.starts_with("    #0")).take_while(|line| !line.is_empty());
    let offset = |line: &str| u64::from_str_radix(line.rsplit_once("+0x")?.1.split(')').next()?, 16).ok();
    let frames: Vec<u64> = [0].into_iter().chain(stack.filter_map(offset)).collect();
    Some((places.first(&frames)?.line.into(), kind.to_owned()))
}

/// Errors that tine finds, with program and number of their cases.
fn explored_errors(source: &Path) -> Result<BTreeMap<Error, (usize, usize)>, String> {
    let out = source.with_extension("session");
    let ran = Command::new(env!("CARGO_BIN_EXE_tine"))
        .args(["test", "--fn", "run", "--json", "--quiet", "--cflags=-w", "--max-time", "60s", "--out"])
        .args([&out, source])
        .output()
        .map_err(|why| why.to_string())?;
    let summary: Value = serde_json::from_slice(&ran.stdout)
        .map_err(|why| format!("{why}: {}", String::from_utf8_lossy(&ran.stderr)))?;
    let errors = summary["errors"].as_array().cloned().unwrap_or_default();
    let errors = errors.iter().map(|error| {
        let input = error["input"].as_str().unwrap_or_default();
        let number = |name: &str| {
            let value = input.split(", ").find_map(|part| part.strip_prefix(name)?.strip_prefix(" = "));
            value.and_then(|value| value.parse().ok()).ok_or_else(|| format!("the input is `{input}`"))
        };
        let kind = error["kind"].as_str().unwrap_or_default().to_owned();
        Ok(((error["line"].as_u64().unwrap_or_default(), kind), (number("which")?, number("x")?)))
    });
    errors.collect()
}

/// A kind of object: definitions before the function, the statements that make it, and the pointer to free.
struct Object {
    before: String,
    made: String,
    freed: &'static str,
    is_static: bool,
}

/// An object of `n` elements at `p`.
fn object(number: usize, ty: &str, n: u64, random: &mut Random) -> Object {
    let check = "    if (!p)\n        return 0;\n";
    let fill = format!("    memset(p, 1, {n} * sizeof *p);\n");
    let (mut before, mut freed, mut is_static) = (String::new(), "", false);
    let made = match random.below(9) {
        0 => {
            freed = "p";
            format!("    {ty} *p = malloc({n} * sizeof *p);\n{check}{fill}")
        }
        1 => {
            freed = "p";
            format!("    {ty} *p = calloc({n}, sizeof *p);\n{check}")
        }
        2 => {
            freed = "s";
            before = format!("struct s{number} {{\n    long first;\n    {ty} last[];\n}};\n\n");
            format!(
                "    struct s{number} *s = malloc(sizeof *s + {n} * sizeof({ty}));\n    if (!s)\n        return 0;\n\
                 \x20   {ty} *p = s->last;\n{fill}"
            )
        }
        3 => {
            is_static = true;
            before = format!("static {ty} g{number}[{n}];\n\n");
            format!("    {ty} *p = g{number};\n")
        }
        4 => {
            is_static = true;
            format!("    static {ty} a[{n}];\n    {ty} *p = a;\n")
        }
        5 => format!("    unsigned n = {} + (x < {VALUES});\n    {ty} a[n];\n    {ty} *p = a;\n{fill}", n - 1),
        6 => format!("    {ty} *p = alloca({n} * sizeof *p);\n{fill}"),
        7 => {
            before = format!("struct s{number} {{\n    long first;\n    {ty} last[{n}];\n}};\n\n");
            format!("    struct s{number} s;\n    memset(&s, 1, sizeof s);\n    {ty} *p = (void *)s.last;\n")
        }
        _ => format!("    {ty} a[{n}] = {{0}};\n    {ty} *p = a;\n"),
    };
    Object { before, made, freed, is_static }
}

/// The function `fNUMBER`.
fn program(number: usize, random: &mut Random) -> String {
    let ty = ["char", "short", "int", "long"][random.below(4) as usize];
    let n = 1 + random.below(13);
    let Object { mut before, made, freed, is_static } = object(number, ty, n, random);
    let first = (n + 1).saturating_sub(2 + random.below(VALUES as u64));
    let k = random.below(VALUES as u64);
    let heap = !freed.is_empty();
    let mut end = if heap { format!("    free({freed});\n") } else { String::new() };
    let used = match random.below(18) {
        0 => format!("    sum += p[x + {first}];\n"),
        1 => format!("    p[x + {first}] = 1;\n"),
        2 => format!("    {ty} *q = p;\n    for (unsigned i = 0; i < x + {first}; i++)\n        *q++ = (char)i;\n"),
        3 => format!("    for (unsigned i = 0; i < x + {first}; i++)\n        sum += p[i];\n"),
        4 if !is_static => format!("    for (int i = {n} - 1; i >= 2 - (int)x; i--)\n        p[i] = 3;\n"),
        5 if !is_static => format!("    {ty} *q = p + {};\n    sum += *(q - x);\n", n.min(3)),
        6 => format!("    memset(p, 2, (x + {first}) * sizeof *p);\n"),
        7 => format!("    {ty} to[{n} + 8];\n    memcpy(to, p, (x + {first}) * sizeof *p);\n"),
        8 => format!("    {ty} from[{n} + 8] = {{0}};\n    memcpy(p, from, (x + {first}) * sizeof *p);\n"),
        9 => format!("    memmove(p + 1, p, (x + {first}) * sizeof *p);\n"),
        10 => "    char text[16] = \"\";\n    memset(text, 97, x + 3);\n    strcpy((char *)p, text);\n".to_owned(),
        11 => {
            let _ = write!(before, "static long h{number}({ty} *p, unsigned i) {{\n    return p[i];\n}}\n\n");
            format!("    sum += h{number}(p, x + {first});\n")
        }
        12 if heap => {
            format!("    if (x == {k}) {{\n        free({freed});\n        sum += p[0];\n        return sum;\n    }}\n")
        }
        13 if heap => format!("    if (x > {k})\n        free({freed});\n"),
        14 => {
            let target = if heap { freed } else { "p" };
            let offset = if heap { 1 << random.below(5) } else { 0 };
            format!("    if (x == {k})\n        free((char *){target} + {offset});\n")
        }
        15 => format!(
            "    int *q = 0, other = 3;\n    {{\n        int inner = (int)x;\n        q = x & {} ? &inner : &other;\n\
             \x20       *q = 5;\n    }}\n    sum += *q;\n",
            1 << random.below(3)
        ),
        16 => {
            let _ = write!(
                before,
                "static int *h{number}(unsigned x) {{\n    int a[4] = {{0}};\n    static int b[4];\n\
                 \x20   int *p = x > {k} ? a : b;\n    p[x & 3] = 1;\n    return p;\n}}\n\n"
            );
            format!("    int *q = h{number}(x);\n    sum += q[x & 3];\n")
        }
        17 if freed == "p" => {
            end = "    free(q);\n".to_owned();
            format!(
                "    {ty} *q = realloc(p, {} * sizeof *p);\n    if (!q)\n        return 0;\n\
                 \x20   {ty} *old = x <= {k} ? q : p;\n    sum += old[0];\n",
                n + 4
            )
        }
        _ => format!("    sum += p[x % {n}];\n"),
    };
    format!("{before}static long f{number}(unsigned x) {{\n    long sum = 0;\n{made}{used}{end}    return sum;\n}}\n\n")
}
