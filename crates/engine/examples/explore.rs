//! Explores a C function without the command line: builds it, and prints each error with an input that shows it.

use std::error::Error;
use std::process::ExitCode;

use tine_build::Unit;
use tine_build::targets::Functions;
use tine_engine::{Config, Event, STOP, explore};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // The compiler is a separate process: this program, started again as `explore cc …`.
    if let Some(code) = tine_build::compiler_main() {
        return Ok(ExitCode::from(code?));
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("average.c");
    std::fs::write(&file, "int average(int sum, int n) { return n > 9 ? 0 : sum / n; }\n")?;

    let config = Config::default();
    let unit = Unit::new(&[file], Vec::new(), config.check.0, config.build_timeout.0, &STOP)?;
    let target = Functions::new(&unit, &config)?.target("average")?;
    let summary = explore(config, target, &mut |event: &Event<'_>| {
        if let Event::Error { error, input } = event {
            println!("{} in line {}: {input}", error.kind.text(), error.place.line);
        }
        Ok(())
    })?;
    println!("{} paths, {}", summary.paths, summary.verdict.text());
    Ok(ExitCode::SUCCESS)
}
