//! Native builds of generated units: brute force over all inputs, and single inputs with several compilers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compilers that must agree, with a name for messages.
pub(crate) const COMPILERS: &[(&str, &[&str])] = &[("gcc", &["-O0"]), ("gcc", &["-O2"]), ("clang-22", &["-O2"])];

/// Observations of a unit's brute-force build, by function.
#[derive(Debug, Default)]
pub(crate) struct Brute {
    /// Results and, from `FIRST_FAILURE`, aborts by their number in the file.
    pub(crate) ends: BTreeMap<usize, BTreeSet<u32>>,
    /// Sides of branches, by the branch's number in the file.
    pub(crate) sides: BTreeSet<(usize, bool)>,
}

/// Definitions that turn the same text into a unit for tine or a program that tries all inputs.
pub(crate) const HEAD: &str = "\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BRUTE
static unsigned char sides[4096][2];
#define C(id, ...) (sides[id][!!(__VA_ARGS__)] = 1, (__VA_ARGS__))
#define FAIL(id) return 200 + (id)
#define END(n) return n
#else
#define C(id, ...) (__VA_ARGS__)
#define FAIL(id) abort()
#define END(n) exit(n)
#endif
";

/// End of a brute-force program: prints its observations, one per line.
pub(crate) const PRINT_SIDES: &str = "\
    for (int id = 0; id < 4096; id++)
        for (int side = 0; side < 2; side++)
            if (sides[id][side])
                printf(\"side %d %d\\n\", id, side);
";

pub(crate) fn compile(source: &Path, to: &Path, compiler: &str, flags: &[&str]) -> Result<(), String> {
    let mut cc = Command::new(compiler);
    cc.args(flags).args(["-w", "-std=gnu17", "-DBRUTE", "-fwrapv"]).arg(source).arg("-o").arg(to);
    let built = cc.output().map_err(|why| format!("{compiler}: {why}"))?;
    if built.status.success() {
        Ok(())
    } else {
        Err(format!("{compiler} does not compile it:\n{}", String::from_utf8_lossy(&built.stderr)))
    }
}

/// Builds and runs the brute-force program.
pub(crate) fn brute_force(source: &Path) -> Result<Brute, String> {
    let program = source.with_extension("brute");
    compile(source, &program, "gcc", &["-O1"])?;
    let output = Command::new("timeout").arg("60").arg(&program).output().map_err(|why| why.to_string())?;
    if !output.status.success() {
        return Err(format!("brute force ends with {}", output.status));
    }
    let mut brute = Brute::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.split(' ');
        let what = words.next();
        let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
        match (what, &numbers[..]) {
            (Some("end"), [function, end]) => {
                brute.ends.entry(*function).or_default().insert(*end as u32);
            }
            (Some("side"), [id, side]) => {
                brute.sides.insert((*id, *side == 1));
            }
            _ => return Err(format!("brute force says `{line}`")),
        }
    }
    Ok(brute)
}

/// The ends of single inputs in the builds of each compiler: one list per compiler.
pub(crate) fn evaluate(source: &Path, inputs: &[(usize, u32)]) -> Result<Vec<(String, Vec<u32>)>, String> {
    let text: String = inputs.iter().map(|(function, input)| format!("{function} {input}\n")).collect();
    let one = |(number, (compiler, flags)): (usize, &(&str, &[&str]))| {
        let program: PathBuf = source.with_extension(format!("eval{number}"));
        compile(source, &program, compiler, flags)?;
        let mut child = Command::new("timeout")
            .arg("20")
            .arg(&program)
            .arg("eval")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|why| why.to_string())?;
        let mut stdin = child.stdin.take().expect("it is piped");
        let written = text.clone();
        let writer = std::thread::spawn(move || stdin.write_all(written.as_bytes()));
        let output = child.wait_with_output().map_err(|why| why.to_string())?;
        let _ = writer.join();
        let ends = String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.parse().ok()).collect();
        Ok((format!("{compiler} {}", flags.join(" ")), ends))
    };
    COMPILERS.iter().enumerate().map(one).collect()
}
