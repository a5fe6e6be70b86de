//! `tine graph`: the control-flow and call graph of a program, with the coverage of a session.

use std::path::Path;

use tine_build::unit::absolute;
use tine_engine::stored::Stored;
use tine_engine::temporary::Temporary;
use tine_executor::unit::{Unit, UnitOptions};
use tine_explore::ProgramMap;
use tine_export::graph::{Graph, Seen, sides};
use tine_session::Session;

use crate::display::{print_json, print_text};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::GraphOptions;
use crate::replay::open_rebuilt;
use crate::sessions;

pub(crate) fn graph(options: &GraphOptions) -> Result<u8, Failure> {
    let (map, seen) = if options.target.is_dir() {
        let help = "give a program, or the directory of a session (`--out`)";
        let folder = sessions::session(&options.target)?;
        let session = Session::open(&folder).map_err(|why| Failure::session(&why, help))?;
        let stored = Stored::read(&session)?;
        // Keep it open until its map is read.
        let program = open_rebuilt(&stored, &folder, &stored.target.program)?;
        let map = map_of(&program.descriptor())?;
        let seen = covered(&session, &map)?;
        (map, Some(seen))
    } else {
        (map_of(&absolute(&options.target)?)?, None)
    };
    let graph = Graph::new(&map, seen, options.all);
    match (options.json, options.svg) {
        (true, _) => print_json(&(graph.json() + "\n")),
        (_, true) => print_text(&(graph.svg().trim_end().to_owned() + "\n")),
        _ => print_text(&(graph.dot().trim_end().to_owned() + "\n")),
    }?;
    Ok(EXIT_FINE)
}

/// Reads the map of a program. The program itself reports the addresses of its modules.
pub(crate) fn map_of(program: &Path) -> Result<ProgramMap, Failure> {
    let scratch = Temporary::new("scratch").map_err(|why| {
        Failure::usage(format!("cannot make a scratch directory: {why}"), "set TMPDIR to a writable one")
    })?;
    let directory = Some(scratch.path().to_path_buf());
    let options = UnitOptions { scratch: directory.clone(), directory, ..UnitOptions::default() };
    let unit = Unit::start(program, &[], options)
        .map_err(|why| Failure::usage(why.to_string(), "build the program with `tine cc`"))?;
    ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| {
        Failure::usage(format!("the program's map cannot be read: {why}"), "build it again with `tine cc`")
    })
}

/// Coverage of each side, if the session is of the same program.
fn covered(session: &Session, map: &ProgramMap) -> Result<Vec<Seen>, Failure> {
    let broken = |why: tine_session::SessionError| Failure::session(&why, "explore again");
    if session.program().map_err(broken)?.digest != tine_session::Program::digest_of(map) {
        return Err(Failure::usage("the program was built again since that session", "explore again"));
    }
    sides(session).map_err(broken)
}
