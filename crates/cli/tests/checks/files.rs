//! Operations on a symbolic file of up to two bytes, compared with the same operations on real files with the same
//! contents.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Kind;
use crate::body::{Function, Rendered, Statement};
use crate::explored::{aborts, reasons, summary, tine};
use crate::random::Random;

#[derive(Debug)]
pub(crate) struct Files;

/// Each line of output names its unit, so that a difference can be assigned.
const HEAD: &str = r#"#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define END(n) return
static int unit;
static void say(const char *what, long value) { printf("| %d %s %ld\n", unit, what, value); }
static void show(const char *what, const char *bytes, long n) {
    printf("| %d %s %ld:", unit, what, n);
    for (long i = 0; i < n; i++)
        printf(" %02x", (unsigned char)bytes[i]);
    printf("\n");
}
static int opened(const char *name) {
    char whole[PATH_MAX];
    if (*name == '/' && getcwd(whole, sizeof whole - 8))
        name = strcat(whole, "/input");
    return open(name, O_RDONLY);
}
static int listed(void) {
    DIR *folder = opendir(".");
    struct dirent *entry;
    int n = 0;
    while (folder && (entry = readdir(folder)))
        n += !strcmp(entry->d_name, "input");
    if (folder)
        closedir(folder);
    return n;
}
"#;

const BEGIN: &str = "static void NAME(void) {\nint fd[3] = {-1, -1, -1}, pair[2];\nFILE *file = NULL;\nchar bytes[8] = \"\", *line = NULL;\nsize_t room = 0;\nstruct stat status;\nlong n;";

/// Statements over the descriptors `A` and `B`. `N` is a small number.
const OPERATIONS: &[&str] = &[
    "say(\"open\", fd[A] < 0 ? fd[A] = opened(\"input\") : -9);",
    "say(\"open\", fd[A] < 0 ? fd[A] = opened(\"./input\") : -9);",
    "say(\"open\", fd[A] < 0 ? fd[A] = opened(\"/\") : -9);",
    "say(\"other\", fd[A] < 0 ? fd[A] = open(\"/dev/null\", O_RDONLY) : -9);",
    "say(\"none\", open(\"no such file\", O_RDONLY));",
    "if ((n = read(fd[A], bytes, N)) >= 0) show(\"read\", bytes, n); else say(\"read\", errno);",
    "if ((n = read(fd[A], bytes, N)) >= 0) show(\"read\", bytes, n); else say(\"read\", errno);",
    "if ((n = pread(fd[A], bytes, N, 1)) >= 0) show(\"pread\", bytes, n); else say(\"pread\", errno);",
    "say(\"seek\", lseek(fd[A], N, SEEK_SET));",
    "say(\"seek\", lseek(fd[A], 1, SEEK_CUR));",
    "say(\"seek\", lseek(fd[A], -1, SEEK_END));",
    "say(\"dup\", fd[A] < 0 ? fd[A] = dup(fd[B]) : -9);",
    "say(\"dup2\", fd[A] > 2 ? dup2(fd[B], fd[A]) : -9);",
    "say(\"dup3\", fd[A] > 2 ? dup3(fd[B], fd[A], O_CLOEXEC) : -9);",
    "say(\"fcntl\", fd[A] < 0 ? fd[A] = fcntl(fd[B], F_DUPFD, 7) : -9);",
    "say(\"close\", close(fd[A])); fd[A] = -1;",
    "say(\"close\", close(fd[A])); fd[A] = -1;",
    "if (pipe(pair) == 0) { say(\"pipe\", pair[0]); say(\"pipe\", pair[1]); close(pair[0]); close(pair[1]); }",
    "say(\"fstat\", fstat(fd[A], &status) ? -errno : S_ISREG(status.st_mode) ? status.st_size : -99);",
    "say(\"stat\", stat(\"./input\", &status) ? -errno : status.st_size);",
    "say(\"access\", access(\"input\", R_OK));",
    "say(\"listed\", listed());",
    "if (!file) file = fopen(\"input\", \"r\"); say(\"fopen\", file ? fileno(file) : -errno);",
    "if (file) { say(\"fclose\", fclose(file)); file = NULL; }",
    "if (file) { say(\"getc\", getc(file)); say(\"end\", feof(file)); }",
    "if (file) say(\"ungetc\", ungetc('u', file));",
    "if (file && fgets(bytes, N + 1, file)) show(\"fgets\", bytes, strlen(bytes));",
    "if (file) { n = fread(bytes, 1, N, file); show(\"fread\", bytes, n); }",
    "if (file) { say(\"fseek\", fseek(file, N, SEEK_SET)); say(\"tell\", ftell(file)); }",
    "if (file) { rewind(file); say(\"error\", ferror(file)); }",
    "if (file && (n = getline(&line, &room, file)) > 0) show(\"getline\", line, n);",
];
const PROLOGUE: &str = "say(\"open\", fd[0] = opened(\"input\"));";
const EPILOGUE: &str = "free(line); if (file) fclose(file); for (int i = 0; i < 3; i++) if (fd[i] > 2) close(fd[i]);";

impl Kind for Files {
    fn name(&self) -> &'static str {
        "files"
    }

    fn group(&self) -> u64 {
        25
    }

    fn generate(&self, seed: u64) -> Vec<Function> {
        let mut random = Random(seed ^ 0x66_696c_6573);
        let mut line = || {
            let operation = *random.pick(OPERATIONS);
            let mut put = |text: String, name: &str, n: usize| text.replace(name, &random.below(n).to_string());
            let text = put(operation.replace("fd[A]", "fd[#a]"), "#a", 3);
            let text = put(text.replace("fd[B]", "fd[#b]"), "#b", 3);
            Statement::Line(put(text.replace(", N", ", #n"), "#n", 4))
        };
        vec![Function { head: BEGIN.to_owned(), body: (0..12).map(|_| line()).collect() }]
    }

    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
        let text = |why: std::io::Error| why.to_string();
        fs::write(folder.join("unit.c"), program(units)).map_err(text)?;
        compile(folder, Command::new("clang-22").args(["-w", "unit.c", "-o", "native"]))?;
        compile(folder, tine().args(["cc", "-w", "unit.c", "-o", "program"]))?;
        let summary = summary(folder, &["run", "./program", "--sym-file", "input,2", "--keep-all", "--out", "out"])?;
        let mut others = reasons(&summary);
        // A pipe may be read back.
        others.retain(|(_, why)| !why.contains("reads back"));
        aborts(&summary, &mut others);
        let mut complaints = vec![Vec::new(); units.len()];
        // The whole group gets the complaint, because the line does not identify the unit.
        let others: Vec<String> = others.into_iter().map(|(line, why)| format!("line {line}: {why}")).collect();
        complaints[0].extend(others);
        let cases = crate::explored::cases(&folder.join("out"))?;
        for case in cases {
            let found = said(tine().args(["replay", "out", &case.id.to_string()]).current_dir(folder))?;
            let expected = natively(folder, &case.id.to_string())?;
            for (number, complaints) in complaints.iter_mut().enumerate() {
                let (found, expected) = (found.get(&number), expected.get(&number));
                if found != expected {
                    complaints.push(format!("case {}: {found:?} instead of {expected:?}", case.id));
                }
            }
        }
        Ok(complaints)
    }
}

fn program(units: &[Vec<Function>]) -> String {
    let mut file = Rendered::after(HEAD);
    for (number, unit) in units.iter().enumerate() {
        let mut function = unit[0].clone();
        function.head = function.head.replace("NAME", &format!("f{number}"));
        function.body.insert(0, Statement::Line(PROLOGUE.to_owned()));
        function.body.push(Statement::Line(EPILOGUE.to_owned()));
        file.add(&function);
    }
    let calls: String = (0..units.len()).map(|number| format!("    unit = {number}, f{number}();\n")).collect();
    format!("{}int main(void) {{\n{calls}    return 0;\n}}\n", file.text)
}

fn compile(folder: &Path, command: &mut Command) -> Result<(), String> {
    let output = command.current_dir(folder).output().map_err(|why| why.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Runs the native program on a real file, as `tine show --shell` creates it.
fn natively(folder: &Path, case: &str) -> Result<BTreeMap<usize, Vec<String>>, String> {
    let script = tine().args(["show", "out", case, "--shell"]).current_dir(folder).output();
    let script = String::from_utf8_lossy(&script.map_err(|why| why.to_string())?.stdout).into_owned();
    let here = folder.join(format!("case-{case}"));
    fs::create_dir_all(&here).map_err(|why| why.to_string())?;
    said(Command::new("sh").arg("-c").arg(script).env("PROGRAM", folder.join("native")).current_dir(here))
}

/// Output lines of each unit.
fn said(command: &mut Command) -> Result<BTreeMap<usize, Vec<String>>, String> {
    let output = command.output().map_err(|why| why.to_string())?;
    let mut units: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.strip_prefix("| ")) {
        let (number, said) = line.split_once(' ').unwrap_or((line, ""));
        units.entry(number.parse().unwrap_or(usize::MAX)).or_default().push(said.to_owned());
    }
    Ok(units)
}
