//! Executes a [`Plan`]: runs clang, calls the instrumenter, prints the commands on request.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::args::{CommandLine, quote};
use super::assets::{Assets, modelled_functions};
use super::plan::{Driver, Emit, Mode, Places, Plan, Step, plan, show_runtime};
use super::{Error, instrument};
use tine_engine::temporary::Temporary;

/// Length from which on a response file is used. Linux accepts 128 KiB in one argument and 2 MiB in all, including the
/// environment.
const LONG_COMMAND: usize = 100_000;

pub(super) fn run(line: &CommandLine, mode: &Mode, verbose: bool) -> Result<u8, Error> {
    // Removed when it goes out of scope, also on errors.
    let temp = Temporary::new("cc").map_err(|why| Error::Io { what: "make a temporary directory".into(), why })?;
    let assets = Assets::locate();
    let places = Places {
        temp: temp.path().to_path_buf(),
        include: assets.include(),
        runtime: assets.runtime(),
        interfaces: assets.interfaces(mode.native),
        models: assets.models(),
        stub: assets.stub(),
    };
    let plan = plan(line, mode, &places)?;
    for note in &plan.notes {
        eprintln!("tine cc: note: {note}");
    }
    make_ready(&plan, mode, &assets)?;
    for step in &plan.steps {
        if verbose {
            eprintln!("{step}");
        }
        match step {
            Step::Clang { driver, args } => {
                let status = clang(*driver, args, temp.path())?;
                if !status.success() {
                    return Ok(exit_code(status));
                }
            }
            Step::Instrument { bitcode, output, emit } => {
                instrumented(bitcode, output, *emit, mode, &assets, verbose)?;
            }
            Step::ShowRuntime { script, output } => show_runtime_in(script, output)?,
        }
    }
    Ok(0)
}

fn make_ready(plan: &Plan, mode: &Mode, assets: &Assets) -> Result<(), Error> {
    let needs = plan.needs;
    if needs.headers || needs.runtime || needs.interfaces || needs.models || needs.stub {
        assets.unpack()?;
    }
    if needs.interfaces {
        assets.build_interfaces(mode.native)?;
    }
    if needs.models {
        assets.build_models()?;
    }
    if needs.stub {
        assets.build_stub()?;
    }
    Ok(())
}

/// Runs clang with tine's standard streams, so that its messages are unchanged.
pub(super) fn clang(driver: Driver, args: &[String], temp: &Path) -> Result<ExitStatus, Error> {
    let mut command = Command::new(driver.program());
    if args.iter().map(|arg| arg.len() + 1).sum::<usize>() > LONG_COMMAND {
        let file = temp.join("arguments");
        let text: Vec<String> = args.iter().map(|arg| quote(arg)).collect();
        fs::write(&file, text.join("\n"))
            .map_err(|why| Error::Io { what: format!("write {}", file.display()), why })?;
        command.arg(format!("@{}", file.display()));
    } else {
        command.args(args);
    }
    command.status().map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => Error::NoClang(driver.program()),
        _ => Error::Io { what: format!("run {}", driver.program()), why },
    })
}

/// Writes a temporary file first, so that `-o -` and `-o /dev/null` work and no partial file remains.
fn instrumented(
    bitcode: &Path,
    output: &Path,
    emit: Emit,
    mode: &Mode,
    assets: &Assets,
    verbose: bool,
) -> Result<(), Error> {
    let made = bitcode.with_extension("made");
    let (headers, models) = (assets.include(), modelled_functions());
    let report = instrument::instrument(bitcode, &made, emit, false, mode, &headers, models)?;
    for skipped in report.skipped.iter().filter(|skipped| verbose || !skipped.is_usual()) {
        eprintln!("tine cc: note: `{}` is left without instrumentation: {}", skipped.function, skipped.why);
    }
    let error = |why| Error::Io { what: format!("write {}", output.display()), why };
    let mut from = File::open(&made).map_err(error)?;
    if output == Path::new("-") {
        io::copy(&mut from, &mut io::stdout()).map_err(error)?;
        return Ok(());
    }
    let mut to = File::create(output).map_err(error)?;
    if let Err(why) = io::copy(&mut from, &mut to) {
        // The next `make` would use a truncated object.
        let _ = fs::remove_file(output);
        return Err(error(why));
    }
    Ok(())
}

fn show_runtime_in(script: &Path, output: &Path) -> Result<(), Error> {
    let failed = |what: &str, path: &Path, why| Error::Io { what: format!("{what} {}", path.display()), why };
    let text = fs::read(script).map_err(|why| failed("read the version script", script, why))?;
    fs::write(output, show_runtime(&text)).map_err(|why| failed("write", output, why))
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}
