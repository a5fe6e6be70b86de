//! A case as a shell script: runs the program without tine, with the case's arguments, environment variables and files.
//!
//! ```sh
//! set -- '-n'
//! a=$(printf '\047\012x'); set -- "$@" "${a%x}"
//! printf '\161' >settings
//! ```
//! Bytes are written in octal, so that any shell supports all of them. The `x` protects line ends before it.

use std::fmt::Write as _;

use tine_report::printable;
use tine_session::Input;
use tine_trace::plan::InputKind;

use tine_engine::config::values::Locale;

/// The program of a session.
#[derive(Debug)]
pub struct Program {
    pub path: String,
    pub arguments: Vec<String>,
    /// Symbolic parts of the environment, in the format of `models/interfaces/start.c`.
    pub inputs: String,
    pub locale: Locale,
}

/// The script. It writes the input files into the current directory. `$PROGRAM` names another build of the program.
pub fn script(program: &Program, case: &Input) -> String {
    let mut text = String::from("#!/bin/sh\n");
    text.push_str(&program.locale.lines());
    text.push_str("set --\n");
    for argument in &program.arguments {
        push_argument(&mut text, argument.as_bytes());
    }
    let variables: Vec<&str> = program.inputs.lines().filter_map(|line| named(line, "env ")).collect();
    for variable in &variables {
        writeln!(text, "unset {variable}").expect("a string");
    }
    let files: Vec<&str> = program.inputs.lines().filter_map(|line| named(line, "file ")).collect();
    // A program may open a file without reading it.
    let is_read =
        |file: &str| case.requests.iter().any(|input| input.kind == InputKind::Contents && input.name == file);
    for file in files.iter().filter(|file| !is_read(file)) {
        writeln!(text, ": >{}", quoted(file)).expect("a string");
    }
    let mut stdin = "/dev/null";
    for input in &case.requests {
        match input.kind {
            InputKind::Contents if input.name == "stdin" => {
                stdin = ".stdin";
                writeln!(text, "printf '{}' >.stdin", octal(input.contents())).expect("a string");
            }
            // The program chooses names, too, so only files that the user named are written.
            InputKind::Contents if !files.contains(&input.name.as_str()) => {
                writeln!(text, "# not written: {}", printable(&input.name)).expect("a string");
            }
            InputKind::Contents => {
                writeln!(text, "printf '{}' >{}", octal(input.contents()), quoted(&input.name)).expect("a string");
            }
            InputKind::Text if variables.contains(&input.name.as_str()) => {
                let name = &input.name;
                writeln!(text, "a=$(printf '{}x'); export {name}=\"${{a%x}}\"", octal(input.contents()))
                    .expect("a string");
            }
            InputKind::Text => push_argument(&mut text, input.contents()),
            // A shell cannot make calls fail.
            InputKind::Failure => {
                if let Some((what, number)) = input.failing_call() {
                    writeln!(text, "# {what} {number} fails in this case, which only `tine replay` can bring about")
                        .expect("a string");
                }
            }
            _ => {}
        }
    }
    writeln!(text, "program={}", quoted(&program.path)).expect("a string");
    writeln!(text, "\"${{PROGRAM:-$program}}\" \"$@\" <{stdin}").expect("a string");
    text
}

/// The name in `KIND LEN NAME`.
fn named<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    line.strip_prefix(kind)?.split_once(' ').map(|(_, name)| name)
}

fn push_argument(text: &mut String, argument: &[u8]) {
    writeln!(text, "a=$(printf '{}x'); set -- \"$@\" \"${{a%x}}\"", octal(argument)).expect("a string");
}

fn octal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:03o}")).collect()
}

/// A word quoted for a shell. Characters that affect a terminal are written in octal.
fn quoted(text: &str) -> String {
    if printable(text) == text {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    // A final line end would be lost, but tine creates no files with such names.
    format!("\"$(printf '{}')\"", octal(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tine_report::printable_lines;
    use tine_session::Request;

    use super::*;

    fn input(name: &str, kind: InputKind, bytes: &[u8]) -> Request {
        Request { name: name.into(), kind, bytes: bytes.to_vec(), choices: 0, ty: 0 }
    }

    #[test]
    fn any_byte_reaches_the_program() {
        let dir = tempfile::tempdir().expect("a directory");
        let program = Program {
            path: "/bin/sh".into(),
            arguments: vec!["-c".into(), "printf '%s|' \"$@\" \"$V\" \"${W-none}\" $LANG; cat; cat \"a file\"".into()],
            locale: Locale::Utf8,
            inputs: "stdin 4\nfile 4 a file\nenv 3 V\nenv 3 W\nargv 2 4\n".into(),
        };
        let case = Input {
            requests: vec![
                input("stdin", InputKind::Contents, b"\x03\0\0\0a\n\n\n"),
                input("a file", InputKind::Contents, b"\x02\0\0\0\xff%zz"),
                input("", InputKind::Choice, &[1, 0, 0, 0]),
                input("V", InputKind::Text, b"'\n\0"),
                input("", InputKind::Choice, &[0, 0, 0, 0]),
                input("argv[1]", InputKind::Text, b"zero"),
                input("argv[2]", InputKind::Text, b"\\\"$\n"),
            ],
            ..Input::default()
        };
        let script = script(&program, &case);
        let output = Command::new("sh").arg("-c").arg(&script).current_dir(dir.path()).env("W", "x").output();
        let output = output.expect("a shell");
        assert!(printable_lines(&script) == script, "{script}");
        assert_eq!(output.stdout, b"\\\"$\n|'\n|none|C.UTF-8|a\n\n\xff%", "{script}");
    }

    #[test]
    fn names_of_the_program_run_nothing_and_write_nowhere() {
        let dir = tempfile::tempdir().expect("a directory");
        let program = Program {
            path: format!("{}/$(touch made_by_path)'`id`", dir.path().display()),
            arguments: Vec::new(),
            locale: Locale::C,
            inputs: "file 4 a\x1b'$(touch made_by_name)\n".into(),
        };
        std::fs::write(&program.path, "#!/bin/sh\ncat a*\n").expect("a script");
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&program.path, std::fs::Permissions::from_mode(0o755)).expect("our own file");
        let contents = b"\x02\0\0\0ok";
        let elsewhere = dir.path().join("elsewhere");
        let case = Input {
            requests: vec![
                input("a\x1b'$(touch made_by_name)", InputKind::Contents, contents),
                input(&elsewhere.to_string_lossy(), InputKind::Contents, contents),
                input("\x1b\ntouch made_by_comment", InputKind::Contents, contents),
            ],
            ..Input::default()
        };
        let script = script(&program, &case);
        let output = Command::new("sh").arg("-c").arg(&script).current_dir(dir.path()).output().expect("a shell");
        assert_eq!(output.stdout, b"ok", "{script}");
        assert!(!script.contains('\x1b'), "{script}");
        let names: Vec<_> = std::fs::read_dir(dir.path()).expect("a directory").flatten().collect();
        assert_eq!(names.len(), 2, "{names:?}\n{script}");
    }
}
