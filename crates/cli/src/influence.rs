//! `tine influence`: branches that decide about a place of the program, and branches that it influences.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use tine_build::Unit;
use tine_build::targets::{self, Functions};
use tine_build::unit::absolute;
use tine_engine::{Config, STOP};
use tine_explore::influence::{Influence, InfluenceError, TargetError, TargetSpec};
use tine_export::influence::{dot, explain, json, svg, text, weights};

use crate::display::{print_json, print_text};
use crate::explore::{concerned, sources, unit};
use crate::failure::{EXIT_FINE, Failure};
use crate::graph::map_of;
use crate::options::{InfluenceOptions, settings};

pub(crate) fn influence(options: &InfluenceOptions) -> Result<u8, Failure> {
    let config = Config::default().with(&settings(options));
    let mut config = config.map_err(|why| Failure::usage(why.to_string(), "see `tine influence --help`"))?;
    // The directory of the unit contains the program.
    let (_unit, program) = program(options, &mut config)?;
    let specs = config.target.iter().map(|target| target.parse()).collect::<Result<Vec<TargetSpec>, _>>();
    let specs = specs.map_err(|why: TargetError| not_a_target(&why.to_string()))?;
    let map = map_of(&program)?;
    let influence = Influence::new(&map, &specs, &|| STOP.load(Ordering::Relaxed)).map_err(|why| match why {
        InfluenceError::Stopped => Failure::interrupted("interrupted before the analysis was complete"),
        why => not_a_target(&why.to_string()),
    })?;
    if let Some(file) = &options.weights {
        std::fs::write(file, weights(&map, &influence)).map_err(|why| {
            Failure::usage(format!("cannot write {}: {why}", file.display()), "choose another file with --weights")
        })?;
    }
    if let Some(place) = &options.why {
        print_text(&explain(&map, &influence, place).map_err(|why| Failure::usage(why.what, why.help))?)?;
    } else if options.json {
        print_json(&(json(&map, &influence) + "\n"))?;
    } else if options.svg {
        print_text(&svg(&map, &influence))?;
    } else if options.dot {
        print_text(&dot(&map, &influence))?;
    } else {
        print_text(&text(&map, &influence))?;
    }
    Ok(EXIT_FINE)
}

fn not_a_target(why: &str) -> Failure {
    Failure::usage(format!("--target: {why}"), "give a function, FILE:LINE or FILE:LINE-LINE")
}

/// The instrumented program.
fn program(options: &InfluenceOptions, config: &mut Config) -> Result<(Option<Unit>, PathBuf), Failure> {
    let sources = sources(&options.files)?;
    if sources.is_empty() {
        return Ok((None, absolute(&options.files[0])?));
    }
    let unit = unit(sources, config, options.trust)?;
    concerned(config, &unit)?;
    let target = match &config.function {
        Some(name) => Functions::new(&unit, config)?.target(name)?,
        None => {
            let directory = std::env::current_dir().unwrap_or_default();
            targets::program(&unit, "program".to_owned(), Vec::new(), directory, &[])?
        }
    };
    Ok((Some(unit), target.program))
}
