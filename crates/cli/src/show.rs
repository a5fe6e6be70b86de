//! `tine show`: lists the cases of a session, or shows an input as text, picture or shell script.

use std::path::Path;

use tine_engine::stored::Stored;
use tine_engine::target::Kind;
use tine_export::shell;
use tine_report::printable;
use tine_session::Session;
use tine_trace::outcome::ErrorKind;

use crate::display::{print_json, print_text};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::ShowOptions;
use crate::replay::open;
use crate::sessions::session_and_case;

pub(crate) fn show(options: &ShowOptions) -> Result<u8, Failure> {
    let (directory, case) = session_and_case(&options.session, options.case)?;
    let Some(case) = case else { return list(&directory) };
    let (session, case) = open(&directory, case)?;
    if options.json {
        let json = serde_json::to_string(&case.input).map_err(|why| Failure::bug(why.to_string()))?;
        print_json(&(json + "\n"))?;
        return Ok(EXIT_FINE);
    }
    let text = if options.svg {
        case.input.map.to_svg()
    } else if options.dot {
        case.input.map.to_dot()
    } else if options.shell {
        shell::script(&program(&session, &directory)?, &case.input.input)
    } else {
        printed(&[case.input.lines(), differences(&session, case.id)].concat())
    };
    print_text(&(text.trim_end().to_owned() + "\n"))?;
    Ok(EXIT_FINE)
}

/// Differences of two versions on a case.
fn differences(session: &Session, case: u32) -> Vec<String> {
    let errors = session.errors().unwrap_or_default().into_iter();
    let differs = errors.filter(|error| error.case == case && error.kind == ErrorKind::Difference.text());
    differs.map(|error| error.about).collect()
}

/// Lines of an input. One that contains a line end stays a single line.
pub(crate) fn printed(lines: &[String]) -> String {
    lines.iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n")
}

/// Prints a line per kept case: number, end, input.
fn list(directory: &Path) -> Result<u8, Failure> {
    let unreadable =
        |why: tine_session::SessionError| Failure::session(&why, "give the directory of a session (`--out`)");
    let session = Session::open(directory).map_err(unreadable)?;
    let mut text = String::new();
    for case in session.cases().map_err(unreadable)? {
        let input = case.input.to_string();
        text.push_str(&format!("{} {} {}: {}\n", case.id, case.outcome, case.code, printable(&input)));
    }
    print_text(&text)?;
    Ok(EXIT_FINE)
}

/// The program of a session. A unit has no arguments and files.
fn program(session: &Session, directory: &Path) -> Result<shell::Program, Failure> {
    let Stored { config, target, .. } = Stored::read(session)?;
    let inputs = target.inputs(&config).unwrap_or_default();
    match target.kind {
        Kind::Program { arguments, .. } => {
            let path = std::path::absolute(directory.join(&target.program)).unwrap_or(target.program);
            let path = path.to_string_lossy().into_owned();
            Ok(shell::Program { path, arguments, inputs, locale: config.locale })
        }
        Kind::Function(_) | Kind::Sequence(_) => Err(Failure::usage(
            "the session is not that of a program",
            "`tine replay` runs a case of a unit; --shell is for `tine run`",
        )),
    }
}
