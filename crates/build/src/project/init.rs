//! Generates a first `tine.toml` from `compile_commands.json` or from the C files of a folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::linked::{Needs, needs};

/// Folders of a project that may have `compile_commands.json`.
const BUILD_FOLDERS: [&str; 6] = [".", "build", "builddir", "out", "_build", "cmake-build-debug"];
/// Maximum number of units. If there are more, the user should choose.
const MAX_UNITS: usize = 500;
/// Maximum depth of the search for C files.
const MAX_DEPTH: usize = 8;

const DATABASE: &str = "compile_commands.json";

/// The text of a first `tine.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub text: String,
    pub n_units: usize,
    /// The file that lists the units, if it is not the folder itself.
    pub database: Option<PathBuf>,
}

/// Describes the units of a folder.
pub fn init(folder: &Path) -> Found {
    let found = BUILD_FOLDERS.iter().find_map(|build| {
        let path = folder.join(build).join(DATABASE);
        let files = of_database(&path, folder)?;
        (!files.is_empty()).then_some((*build, path, files))
    });
    let (build, database, files) = match found {
        Some((build, path, files)) => (Some(build), Some(path), files),
        None => {
            let mut files = BTreeSet::new();
            search(folder, folder, MAX_DEPTH, &[".c"], &mut files);
            (None, None, files)
        }
    };
    let includes = ["include", "inc"].into_iter().find(|name| folder.join(name).is_dir());
    let mut text = String::from(
        "# Units that `tine test` explores. Every flag of `tine test` is a key: at the top for all units, in a unit for\n\
         # that one. Flags on the command line take precedence.\n\n\
         max-time = \"10s\"             # for each unit\n",
    );
    match build {
        Some(build) => {
            _ = writeln!(
                text,
                "build = {}              # has {DATABASE}, for the flags of the compiler",
                quoted(build)
            );
        }
        None => text.push_str(
            "# build = \"build\"            # folder of compile_commands.json, for the flags of the compiler\n",
        ),
    }
    match includes.filter(|_| build.is_none()) {
        Some(includes) => _ = writeln!(text, "cflags = \"-I {includes}\""),
        None => text.push_str("# cflags = \"-I include\"\n"),
    }
    let flags: Vec<String> = includes.iter().flat_map(|name| ["-I".to_owned(), (*name).to_owned()]).collect();
    let needs = needs(folder, &files.iter().take(MAX_UNITS).cloned().collect(), database.as_deref(), &flags);
    text.push_str("# export = \"c\"               # writes tests that need no tine into each session\n");
    for (index, file) in files.iter().take(MAX_UNITS).enumerate() {
        let Needs { files: others, stubs } = needs.get(file).cloned().unwrap_or_default();
        let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        let key = if others.is_empty() {
            format!("file = {}", quoted(file))
        } else {
            format!("files = [{}]", list(&[std::slice::from_ref(file), &others[..]].concat()))
        };
        let _ = writeln!(text, "\n[[unit]]\n{key}");
        if !stubs.is_empty() {
            let _ = writeln!(text, "stub = [{}]          # no file of the project defines them", list(&stubs));
        }
        if index == 0 {
            text.push_str(
                "# files = [\"a.c\", \"b.c\"]     # the first is explored, it needs the others\n\
                 # fn = [\"parse\", \"print\"]    # default: every function that other files can call\n\
                 # requires = [\"is_valid\"]    # preconditions: functions of the unit that take the same parameters\n\
                 # len = [\"bytes=size\"]       # lengths of arrays\n\
                 # stub = [\"read_sensor\"]     # functions that return any value\n\
                 # max-runs = 1000\n",
            );
        }
    }
    Found { text, n_units: files.len().min(MAX_UNITS), database }
}

/// C files below the folder that a database lists.
fn of_database(path: &Path, folder: &Path) -> Option<BTreeSet<String>> {
    let entries: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let root = folder.canonicalize().ok()?;
    let mut files = BTreeSet::new();
    for entry in entries.as_array()? {
        let Some(file) = entry["file"].as_str().filter(|file| file.ends_with(".c")) else { continue };
        let directory = entry["directory"].as_str().unwrap_or(".");
        let file = path.parent().unwrap_or(Path::new(".")).join(directory).join(file);
        let inside = file.canonicalize().ok().and_then(|file| file.strip_prefix(&root).ok().map(Path::to_owned));
        files.extend(inside.map(|file| file.display().to_string()));
    }
    Some(files)
}

/// Collects the files below a folder whose names have one of these ends, relative to `root`.
pub(crate) fn search(folder: &Path, root: &Path, depth: usize, ends: &[&str], files: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if name.starts_with('.') || name == "tine-out" || is_link {
            continue;
        }
        if path.is_dir() && depth > 0 {
            search(&path, root, depth - 1, ends, files);
        } else if ends.iter().any(|end| name.ends_with(end))
            && let Ok(path) = path.strip_prefix(root)
        {
            files.insert(path.display().to_string());
        }
    }
}

/// Quotes a string for TOML.
fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_come_from_the_database_or_the_folder() {
        let folder = tempfile::tempdir().expect("a directory");
        let root = folder.path();
        for path in ["src/b.c", "a.c", "include/a.h", "tine-out/x.c", ".git/y.c"] {
            fs::create_dir_all(root.join(path).parent().expect("it has one")).expect("a directory");
            fs::write(root.join(path), "int f(int x) { return x; }\n").expect("a file");
        }
        let found = init(root);
        assert_eq!((found.n_units, &found.database), (2, &None));
        assert!(found.text.contains("file = \"a.c\"") && found.text.contains("file = \"src/b.c\""), "{}", found.text);
        assert!(found.text.contains("\ncflags = \"-I include\""), "{}", found.text);
        fs::create_dir(root.join("build")).expect("a directory");
        let entries = r#"[{"directory": "..", "file": "src/b.c", "command": "cc -c src/b.c"},
                          {"directory": "..", "file": "/etc/passwd", "command": ""},
                          {"directory": "..", "file": "gone.c", "command": ""}]"#;
        fs::write(root.join("build").join(DATABASE), entries).expect("a file");
        let found = init(root);
        assert_eq!((found.n_units, found.database.is_some()), (1, true));
        assert!(found.text.contains("\nbuild = \"build\""), "{}", found.text);
    }
}
