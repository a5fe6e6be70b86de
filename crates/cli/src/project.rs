//! `tine init`, and `tine test` without files: the units of a project.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use serde_json::{Map, Value};
use tine_build::{changes, project};
use tine_engine::folder::ROOT;
use tine_engine::{Config, STOP};
use tine_report::printable_lines;
use tine_report::table::{self, Row};

use crate::display::{print_json, print_safe, print_text, style};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::InitOptions;
use crate::{config, explore};

pub(crate) fn init(options: &InitOptions) -> Result<u8, Failure> {
    let path = options.folder.join("tine.toml");
    if path.symlink_metadata().is_ok() && !options.force {
        return Err(Failure::usage(format!("{} exists", path.display()), "say --force to replace it"));
    }
    let found = project::init(&options.folder);
    if found.n_units == 0 {
        let message = format!("{} has no C files", options.folder.display());
        return Err(Failure::usage(message, "give the directory of the project"));
    }
    std::fs::write(&path, &found.text)
        .map_err(|why| Failure::usage(format!("cannot write {}: {why}", path.display()), "choose another directory"))?;
    let from = found.database.map(|file| format!(" of {}", file.display())).unwrap_or_default();
    print_text(&format!("{}: {} units{from}; `tine test` explores them\n", path.display(), found.n_units))?;
    Ok(EXIT_FINE)
}

/// Explores the units of `tine.toml`, and prints one table.
pub(crate) fn test(config: &Config, given: &Map<String, Value>, is_trusted: bool) -> Result<u8, Failure> {
    let listed = config::units(is_trusted);
    let (units, text) = match (changes::units(config)?, listed) {
        (Some(changed), Err(_)) => (changed, String::new()),
        (_, listed) => listed?,
    };
    if let Some(revision) = config.changed.as_ref().filter(|_| units.is_empty()) {
        let text = format!("no C file has changed since {revision}\n");
        if config.json { print_json("{\"functions\":[]}\n") } else { print_text(&text) }?;
        return Ok(EXIT_FINE);
    }
    explore::stop_on_interrupt();
    let out = config.out.clone().unwrap_or_else(|| PathBuf::from(ROOT));
    let flags = project::flags_for_jobs(std::env::args_os().skip(2));
    let jobs = project::jobs(&units, &out, &flags);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let n_workers = config.jobs.map_or_else(cores, |jobs| jobs.get() as usize);
    let build =
        config.build.as_ref().map(|build| std::fs::read(build.join("compile_commands.json")).unwrap_or_default());
    let settings = [text.into_bytes(), build.unwrap_or_default()].concat();
    let results = project::run(&jobs, n_workers, &settings, &|job| code_digest(job, config, given, is_trusted), &STOP);
    let (mut rows, mut summaries, mut folders, mut code) = (Vec::new(), Vec::new(), Vec::new(), EXIT_FINE);
    let mut n_unchanged = 0;
    for (job, done) in jobs.iter().zip(&results) {
        let Some(done) = done else { continue };
        code = code.max(done.code);
        n_unchanged += usize::from(done.is_unchanged);
        let found = project::finished(&job.out);
        if found.is_empty() && done.code == EXIT_FINE {
            n_unchanged += 1;
        } else if found.is_empty() {
            let first = done.messages.lines().find(|line| line.contains("error")).unwrap_or("it has no session");
            rows.push(Row::skipped(&job.name, first.trim_start_matches("error: ")));
        }
        for (folder, summary) in found {
            rows.push(Row::of(&summary));
            summaries.push(summary);
            folders.push(folder);
        }
    }
    if config.json {
        print_json(&(serde_json::json!({ "functions": summaries }).to_string() + "\n"))?;
        return Ok(code);
    }
    let style = style(std::io::stdout().is_terminal());
    print_safe(&(table::errors(&summaries, &folders, style) + &table::functions(&rows, &out.join("UNIT"), style)))?;
    if n_unchanged > 0 {
        print_text(&format!("{n_unchanged} of {} units have not changed and were not explored again\n", jobs.len()))?;
    }
    for done in results.iter().flatten().filter(|done| done.code > 1) {
        eprintln!("{}", printable_lines(done.messages.trim_end()));
    }
    Ok(code)
}

/// Digest of all files that a job depends on. `given` are the flags of the command line.
fn code_digest(job: &project::Job, config: &Config, given: &Map<String, Value>, is_trusted: bool) -> Option<String> {
    let config = config.with(&job.settings).and_then(|config| config.with(given)).ok()?;
    let code = explore::unit(&job.files, &config, is_trusted).ok()?.code_digest()?;
    Some(code + &project::files_digest(&config)?)
}
