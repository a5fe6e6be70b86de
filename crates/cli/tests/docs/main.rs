//! Executes the documents. One trial per document runs its commands and compares their output. Other trials compare
//! generated pages with their sources, and check links.
//!
//! The blocks of a document are taken in order, in one directory that documents call `/src`. At first it has only the C
//! files beside the document:
//!
//! - ```` ```c file=NAME ```` (or another language): the block is written to this file.
//! - ```` ```yaml last=CODE ````: the steps of a job are run (`workflow`).
//! - ```` ```console ````: each line `$ COMMAND` is run by a shell; the lines after it are its output.
//!
//! In outputs `…` stands for any text within a line, and a line `…` for any number of lines. `TINE_BLESS=1` rewrites
//! outputs and generated pages that differ:
//!
//! ```text
//! TINE_BLESS=1 cargo nextest run --release -p tine-cli --test docs
//! ```

mod benchmarks;
mod document;
mod pages;
mod pattern;
mod workflow;

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let mut trials: Vec<Trial> = documents(&root)
        .into_iter()
        .flat_map(|path| {
            let name = path.strip_prefix(&root).expect("below the workspace").display().to_string();
            let (checked, root) = (path.clone(), root.clone());
            [
                Trial::test(format!("run {name}"), move || document::run(&path).map_err(Into::into)),
                Trial::test(format!("links {name}"), move || pages::links(&root, &checked).map_err(Into::into)),
            ]
        })
        .collect();
    let folder = root.clone();
    trials.push(Trial::test("benchmarks", move || benchmarks::page(&folder).map_err(Into::into)));
    trials.push(Trial::test("reference", move || pages::reference(&root).map_err(Into::into)));
    trials.push(Trial::test("placeholders", || {
        pattern::check();
        Ok(())
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// True if outputs and pages are rewritten instead of compared.
fn is_blessing() -> bool {
    std::env::var_os("TINE_BLESS").is_some()
}

/// Documents for users and contributors, without dated notes.
fn documents(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "examples/README.md"]
            .iter()
            .map(|name| root.join(name))
            .filter(|path| path.exists())
            .collect();
    for folder in ["docs", "docs/dev", "docs/how-to", "docs/explanation", "docs/reference"] {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        found.extend(entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    found.sort();
    found
}
