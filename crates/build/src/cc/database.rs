//! `compile_commands.json`: the flags with which a build system compiles each file, for `tine test -p BUILD`.

use std::path::{Path, PathBuf};

use super::allowed;
use super::args::{self, CommandLine, Opt, Stage};

/// Flags whose value is a path.
const PATHS: &[&str] = &[
    "-I",
    "-include",
    "-include-pch",
    "-imacros",
    "-isystem",
    "-isystem-after",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-ivfsoverlay",
    "-isysroot",
    "--sysroot",
];

/// The reason why there are no flags for a file, as a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}: {1}")]
    Read(PathBuf, String),
    #[error("{database} does not say how {file} is compiled")]
    Unknown { database: PathBuf, file: PathBuf },
}

/// Flags of one file, and their origin.
#[derive(Debug)]
pub struct Flags {
    pub flags: Vec<String>,
    /// The first flag that needs the user's trust: it could load a plugin into the compiler, or write files.
    pub untrusted: Option<String>,
    /// The database, and the text read from it.
    pub database: PathBuf,
    pub text: String,
}

/// The flags with which the build in `folder` compiles `file`, an absolute path. Relative paths among them are made
/// absolute. If the file is compiled more than once, the first entry counts.
///
/// The caller decides whether to accept flags that could harm the user.
pub fn flags_of(folder: &Path, file: &Path) -> Result<Flags, Error> {
    let database = if folder.is_dir() { folder.join("compile_commands.json") } else { folder.to_path_buf() };
    let unreadable = |why: &dyn std::fmt::Display| Error::Read(database.clone(), why.to_string());
    let text = std::fs::read_to_string(&database).map_err(|why| unreadable(&why))?;
    let commands: serde_json::Value = serde_json::from_str(&text).map_err(|why| unreadable(&why))?;
    let commands = commands.as_array().ok_or_else(|| unreadable(&"it is not a list of commands"))?;
    for command in commands {
        let field = |name: &str| command[name].as_str().unwrap_or_default();
        let directory = folder_of(&database).join(field("directory"));
        let source = directory.join(field("file"));
        if source.canonicalize().unwrap_or(source) == file {
            let words = words(command).ok_or_else(|| unreadable(&"a command cannot be split into words"))?;
            let response_file = words.iter().find(|word| word.starts_with('@')).cloned();
            let flags = flags(words, &directory);
            let untrusted = response_file.or_else(|| allowed::first_untrusted(&flags));
            return Ok(Flags { flags, untrusted, text, database });
        }
    }
    Err(Error::Unknown { database, file: file.to_path_buf() })
}

fn folder_of(database: &Path) -> PathBuf {
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())
}

/// The words of the command: a list, or one string.
fn words(command: &serde_json::Value) -> Option<Vec<String>> {
    let words = match &command["arguments"] {
        serde_json::Value::Array(words) => {
            words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
        _ => shell_words::split(command["command"].as_str()?).ok()?,
    };
    // `ccache cc …`, `tine cc …`: the compiler's name ends at the first option, response file or file.
    let first = words.iter().skip(1).position(|word: &String| word.starts_with(['-', '@']) || word.contains('.'))?;
    Some(words.into_iter().skip(1 + first).collect())
}

/// The options of a command line that affect compiling, independent of the directory.
fn flags(words: Vec<String>, directory: &Path) -> Vec<String> {
    let line = CommandLine::parse(args::expand(words));
    let is_wanted = |option: &&Opt| {
        let stage = matches!(option.stage, Stage::Preprocess | Stage::Compile | Stage::Both);
        // Warnings of another compiler must not stop the build.
        stage && !option.words[0].starts_with("-Werror")
    };
    line.options().filter(is_wanted).flat_map(|option| absolute(option, directory)).collect()
}

fn absolute(option: &Opt, directory: &Path) -> Vec<String> {
    let name = option.name.trim_end_matches('=');
    match &option.value {
        Some(value) if PATHS.contains(&name) && !value.starts_with('=') => {
            let path = directory.join(value).to_string_lossy().into_owned();
            if option.name.ends_with('=') {
                vec![format!("{}{path}", option.name)]
            } else {
                vec![option.name.clone(), path]
            }
        }
        _ => option.words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &serde_json::Value, expected: &str) {
        let folder = tempfile::tempdir().expect("a directory");
        let root = folder.path().canonicalize().expect("a directory");
        std::fs::create_dir_all(root.join("build")).expect("a directory");
        std::fs::write(root.join("a.c"), "").expect("a file");
        let database =
            serde_json::json!([{ "directory": "/", "file": "other.c", "command": "cc -DOTHER other.c" }, command]);
        std::fs::write(root.join("build/compile_commands.json"), database.to_string()).expect("a file");
        let flags = flags_of(&root.join("build"), &root.join("a.c"));
        let shown = |flags: Flags| match flags.untrusted {
            Some(flag) => format!("needs trust: {flag}"),
            None => flags.flags.join(" "),
        };
        let text = flags.map_or_else(|why| why.to_string(), shown);
        assert_eq!(text.replace(&*root.to_string_lossy(), "ROOT"), expected);
    }

    #[test]
    fn commands_and_arguments() {
        let command = "ccache /usr/bin/gcc -DX=\\\"a\\\" -Iinc -I ../inc -isystem /usr/x -O2 -Wall -Werror -MD -MF a.d -o a.o -c ../a.c";
        check(
            &serde_json::json!({ "directory": ".", "file": "../a.c", "command": command }),
            "-DX=\"a\" -I ROOT/build/./inc -I ROOT/build/./../inc -isystem /usr/x -O2 -Wall",
        );
        let arguments = ["clang", "-std=c11", "-include", "config.h", "-c", "../a.c", "-o", "a.o", "-lm"];
        check(
            &serde_json::json!({ "directory": ".", "file": "../a.c", "arguments": arguments }),
            "-std=c11 -include ROOT/build/./config.h",
        );
    }

    #[test]
    fn plugins_and_response_files_need_trust() {
        let refused = |command: &str, flag: &str| {
            check(
                &serde_json::json!({ "directory": ".", "file": "../a.c", "command": command }),
                &format!("needs trust: {flag}"),
            );
        };
        refused("cc -Wall -fplugin=./evil.so -c ../a.c", "-fplugin=./evil.so");
        refused("cc -Xclang -load -Xclang ./evil.so -c ../a.c", "-Xclang -load");
        refused("cc @flags -c ../a.c", "@flags");
    }

    #[test]
    fn problems_are_named() {
        let unknown = "ROOT/build/compile_commands.json does not say how ROOT/a.c is compiled";
        check(&serde_json::json!({ "directory": ".", "file": "../b.c", "command": "cc -c ../b.c" }), unknown);
        let none = flags_of(Path::new("/no/such/folder"), Path::new("/a.c")).expect_err("there is nothing");
        assert!(none.to_string().starts_with("/no/such/folder: No such file"), "{none}");
    }
}
