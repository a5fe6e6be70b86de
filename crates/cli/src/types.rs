//! `tine types`: functions, variables and types of a file.

use std::path::Path;

use tine_build::cc::Assets;
use tine_engine::Config;
use tine_types::{Program, Selection, dwarf};

use crate::display::{print_json, print_text};
use crate::explore::unit;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::TypesOptions;

pub(crate) fn types(options: &TypesOptions) -> Result<u8, Failure> {
    let program = read(&options.file, options.cflags.as_deref().unwrap_or_default())?;
    let selection = match &options.name {
        None => Selection::all(&program).without(|file| is_foreign(file) && Path::new(file) != options.file),
        Some(name) => Selection::named(&program, name).ok_or_else(|| unknown(&program, name, &options.file))?,
    };
    if options.json { print_json(&(selection.json() + "\n")) } else { print_text(&selection.text()) }?;
    Ok(EXIT_FINE)
}

/// Types of a C file, or of an object or program with debug information.
fn read(file: &Path, cflags: &str) -> Result<Program, Failure> {
    let given = std::fs::read(file).map_err(|why| {
        Failure::usage(format!("cannot read {}: {why}", file.display()), "give a C file, an object or a program")
    })?;
    if given.starts_with(b"\x7fELF") {
        return dwarf::read(&given).map_err(|why| {
            Failure::usage(
                format!("{} has no debug information that can be read: {why}", file.display()),
                "compile it with `-g`",
            )
        });
    }
    if file.extension().is_some_and(|extension| extension == "h") {
        return Err(Failure::usage(
            format!("{} is a header, which nothing uses by itself", file.display()),
            "give a file that includes it",
        ));
    }
    let config = Config { cflags: cflags.to_owned(), ..Config::default() };
    Ok(unit(&[file.to_path_buf()], &config, false)?.types()?.0)
}

/// True for headers of the system and of tine, whose inline functions are in every file that includes them.
fn is_foreign(file: &str) -> bool {
    file.starts_with("/usr/") || Path::new(file).starts_with(Assets::locate().include())
}

fn unknown(program: &Program, name: &str, file: &Path) -> Failure {
    let near: Vec<String> = program.nearest_names(name).iter().map(|name| format!("`{name}`")).collect();
    let help = if near.is_empty() {
        "without a name all there is is printed; what the file only declares is not in it".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Failure::usage(format!("there is no function, variable or type `{name}` in {}", file.display()), help)
}
