//! File tests of the instrumenter: C or LLVM IR in `files/`, with the expected facts beside it in `NAME.expected`.
//!
//! The facts of a module are its program map (functions and sites) and, for each function, the functions of tine that it
//! calls, with counts. A line `show: NAME …` in a comment of the input adds the instrumented code of these functions;
//! `flags: …` adds flags of clang. `BLESS=1` writes the expected files; read the difference before you commit it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tine_instrument::{Emit, Options, compile};
use tine_trace::map::SiteKind;
use tine_trace::map::codec::ModuleMap;

#[test]
fn files_have_the_expected_facts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let entries = std::fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let mut inputs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e != "expected")).collect();
    inputs.sort();
    assert!(inputs.len() >= 25, "only {} files", inputs.len());
    let failed: Vec<String> = inputs.iter().filter_map(|input| check(input).err()).collect();
    assert!(failed.is_empty(), "{}\n`BLESS=1` accepts the new facts", failed.join("\n"));
}

fn check(input: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(input).expect("it is text");
    let found = facts(&instrumented(input, &source), words(&source, "show:"));
    let expected_in = input.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected_in, &found).expect("the folder is writable");
    }
    let expected = std::fs::read_to_string(&expected_in).unwrap_or_default();
    let differs = || {
        let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
        let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("- {line}"));
        let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
        format!("{}:\n{}", input.display(), gone.chain(come).collect::<Vec<_>>().join("\n"))
    };
    if expected == found { Ok(()) } else { Err(differs()) }
}

/// Words after a marker in the input's comments.
fn words<'s>(source: &'s str, marker: &str) -> Vec<&'s str> {
    source.lines().filter_map(|line| line.split_once(marker)).flat_map(|(_, rest)| rest.split_whitespace()).collect()
}

/// The instrumented module as text.
fn instrumented(input: &Path, source: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let stem = input.file_stem().expect("it has a name").to_string_lossy();
    let output = folder.join(format!("file-{stem}.ll"));
    let is_c = input.extension().is_some_and(|extension| extension == "c");
    let module =
        if is_c { front_end(input, source, &folder.join(format!("file-{stem}.bc"))) } else { input.to_owned() };
    let options = Options { emit: Emit::Text, ..Options::default() };
    compile(&module, &output, &options).unwrap_or_else(|error| panic!("{stem}: {error}"));
    std::fs::read_to_string(&output).expect("it was written")
}

/// Compiles C as `tine cc` does, so far as it matters here.
fn front_end(input: &Path, source: &str, bitcode: &Path) -> PathBuf {
    let mut clang = Command::new("clang-22");
    clang.args(["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]);
    clang.args([
        "-fsanitize-minimal-runtime",
        "-fsanitize-recover=all",
        "-Xclang",
        "-fsanitize-address-use-after-scope",
    ]);
    clang.arg("-Wno-unused-command-line-argument");
    // The expected files must not depend on where the project lies.
    let (folder, name) = (input.parent().expect("a folder"), input.file_name().expect("a name"));
    clang.args(words(source, "flags:")).arg(name).arg("-o").arg(bitcode).current_dir(folder);
    let status = clang.status().expect("clang-22 is installed");
    assert!(status.success(), "{}: {status}", input.display());
    bitcode.to_owned()
}

fn facts(module: &str, shown: Vec<&str>) -> String {
    let mut facts = String::new();
    describe_map(&map_of(module), &mut facts);
    let is_users = |line: &&str| line.starts_with('@') && !line.starts_with("@tine.") && !line.starts_with("@__tine_");
    for variable in module.lines().filter(is_users).filter(|line| !line.starts_with("@llvm.")) {
        let _ = writeln!(facts, "variable {}", variable.split(", !dbg").next().unwrap_or(variable));
    }
    for (name, body) in functions(module) {
        let is_tines = |name: &str| name.starts_with("tine.") || name.starts_with("__tine_");
        if is_tines(name) {
            continue;
        }
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        for called in
            body.lines().filter(|line| line.contains("call ")).filter_map(callee).filter(|name| is_tines(name))
        {
            *calls.entry(called).or_default() += 1;
        }
        let _ = writeln!(facts, "code {name}");
        calls.iter().for_each(|(called, n)| _ = writeln!(facts, "    {n} × {called}"));
    }
    for name in shown {
        let found = functions(module).find(|(function, _)| *function == name);
        let (_, body) = found.unwrap_or_else(|| panic!("no function {name} in {module}"));
        let _ = writeln!(facts, "shown {name}");
        body.lines().for_each(|line| _ = writeln!(facts, "{}", line.split(", !dbg").next().unwrap_or(line)));
    }
    facts
}

fn callee(line: &str) -> Option<&str> {
    let name = line.split_once('@')?.1;
    Some(&name[..name.find('(')?])
}

/// Names and bodies of the functions that a module defines.
fn functions(module: &str) -> impl Iterator<Item = (&str, &str)> {
    module.split("\ndefine ").skip(1).filter_map(|text| {
        let body = &text[..text.find("\n}")? + 2];
        Some((callee(body.lines().next()?)?, body))
    })
}

/// The map that the module has as a constant.
fn map_of(module: &str) -> ModuleMap {
    let line = module.lines().find(|line| line.starts_with("@tine.map = ")).expect("the module has a map");
    let text = line.split_once(" c\"").and_then(|(_, rest)| rest.split_once('"')).expect("it is bytes").0;
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, more @ ..] = rest {
        if rest.starts_with(br"\\") {
            bytes.push(b'\\');
            rest = &rest[2..];
        } else if *first == b'\\' {
            let digits = std::str::from_utf8(&more[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
            rest = &more[2..];
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    ModuleMap::decode(&bytes).expect("the map is whole")
}

fn describe_map(map: &ModuleMap, facts: &mut String) {
    let text = |text: tine_trace::map::Text| {
        String::from_utf8_lossy(&map.strings[text.offset as usize..][..text.len as usize]).into_owned()
    };
    for (k, function) in map.functions.iter().enumerate() {
        let blocks = function.n_blocks;
        let _ = writeln!(facts, "map {} at line {}, {blocks} blocks", text(function.name), function.line);
        for site in map.sites.iter().filter(|site| site.function as usize == k) {
            let kind = SiteKind::from_number(site.kind).expect("a known kind");
            let _ = write!(facts, "    {}:{} {kind:?}", site.line, site.column);
            if kind.branches() {
                let _ = write!(facts, ", {} sides", site.n_sides);
            }
            let name = text(site.text);
            if !name.is_empty() {
                let _ = write!(facts, " {name}");
            }
            let cases = &map.cases[site.first_case as usize..][..site.n_cases as usize];
            cases.iter().for_each(|case| _ = write!(facts, ", {} is side {}", case.value[0] as i64, case.side_index));
            facts.push('\n');
        }
    }
}
