//! From code addresses to places in the source, by debug information.

use std::path::Path;
use std::sync::Arc;

use tine_explore::Place;
use tine_trace::map::{DRIVER_FILE, ENSURE, MAIN_OF_UNIT, MODEL, MODELS_FOLDER};

/// Bytes of code without a line that are looked through for what is behind or before them.
const MAX_AWAY: u64 = 256;

/// Debug information of one program.
pub struct Places {
    loader: Option<addr2line::Loader>,
}

impl std::fmt::Debug for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Places").field("loaded", &self.loader.is_some()).finish()
    }
}

impl Places {
    /// A program without debug information has no places, but it runs.
    pub fn of(program: &Path) -> Places {
        Places { loader: addr2line::Loader::new(program).ok() }
    }

    /// The innermost frame that lies in source code we can name, and in the user's if there is any. The first frame is where
    /// execution stood, the others are return addresses, which belong to the call before them.
    pub fn first(&self, frames: &[u64]) -> Option<Place> {
        let addresses =
            frames.iter().enumerate().map(|(k, address)| if k == 0 { *address } else { address.saturating_sub(1) });
        first_of_user(addresses.flat_map(|address| self.at(address)))
    }

    /// The functions inlined at an address that say where they are, innermost first. Code that the compiler made has no line: it is
    /// where the code behind it in the same function is, that it is made for (a comparison, for a loop's jump), else where the code
    /// before it is.
    fn at(&self, address: u64) -> Vec<Place> {
        let Some((function, places)) = self.frames(address) else { return Vec::new() };
        let has_line = |places: &[Place]| places.first().is_some_and(|place| place.function == function);
        if has_line(&places) {
            return places;
        }
        let in_function = |address: u64| self.frames(address).filter(|(other, _)| *other == function);
        let nearest = |addresses: &mut dyn Iterator<Item = u64>| {
            addresses.map_while(in_function).map(|(_, places)| places).find(|places| has_line(places))
        };
        nearest(&mut (address..address.saturating_add(MAX_AWAY)))
            .or_else(|| nearest(&mut (address.saturating_sub(MAX_AWAY)..address).rev()))
            .unwrap_or(places)
    }

    /// The innermost function at an address, and the places of all that are inlined there and say where they are. Debug
    /// information of lines has the names of inlined functions only: the name of the one around them is the symbol's.
    fn frames(&self, address: u64) -> Option<(Arc<str>, Vec<Place>)> {
        let loader = self.loader.as_ref()?;
        let mut frames = loader.find_frames(address).ok()?;
        let (mut innermost, mut places) = (None, Vec::new());
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.and_then(|name| name.raw_name().ok().map(|name| name.into_owned()));
            let function =
                function.or_else(|| loader.find_symbol(address).map(|symbol| source_name(symbol).to_owned()));
            let function: Arc<str> = function.unwrap_or_default().into();
            innermost.get_or_insert_with(|| Arc::clone(&function));
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line @ 1..)) = (location.file, location.line) else { continue };
            places.push(Place { file: file.into(), line, column: location.column.unwrap_or(0), function });
        }
        Some((innermost?, places))
    }
}

/// The name that a function has in the program map, by its symbol: the instrumenter adds endings to the names of copies.
fn source_name(symbol: &str) -> &str {
    let name = symbol.split_once('.').map_or(symbol, |(name, _)| name);
    if name == MAIN_OF_UNIT { "main" } else { name.strip_prefix(MODEL).or(name.strip_prefix(ENSURE)).unwrap_or(name) }
}

/// The first place outside of tine's own files, else the first.
fn first_of_user(places: impl Iterator<Item = Place>) -> Option<Place> {
    let mut own = None;
    for place in places {
        if !is_own(Path::new(&*place.file)) {
            return Some(place);
        }
        own.get_or_insert(place);
    }
    own
}

/// True if a file is a driver, a model, or one of tine's headers, which `tine cc` unpacks to `…/tine/VERSION-…/`.
fn is_own(file: &Path) -> bool {
    if file.file_name().is_some_and(|name| name == DRIVER_FILE) || file.starts_with(MODELS_FOLDER) {
        return true;
    }
    let names: Vec<&str> = file.iter().map(|name| name.to_str().unwrap_or_default()).collect();
    names.windows(3).any(|names| {
        names[0] == "tine" && names[1].starts_with(concat!(env!("CARGO_PKG_VERSION"), "-")) && names[2] == "include"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str) -> Place {
        Place { file: file.into(), line: 1, column: 0, function: "f".into() }
    }

    fn first(files: &[&str]) -> Option<String> {
        let place = first_of_user(files.iter().map(|file| place(file)));
        place.map(|place| place.file.to_string())
    }

    #[test]
    fn names_of_symbols() {
        let names = ["f", "f.symbolic", "tine_main_of_the_unit.symbolic", "__tine_model_strlen", "tine_after_f.passed"];
        assert_eq!(names.map(source_name), ["f", "f", "main", "strlen", "f"]);
    }

    #[test]
    fn files_of_tine_are_named_only_where_there_is_no_other() {
        const VERSION: &str = env!("CARGO_PKG_VERSION");
        let header = format!("/home/u/.cache/tine/{VERSION}-0123456789abcdef/include/tine.h");
        let model = "/tine/models/interfaces/klee.c";
        assert_eq!(first(&[&header, "/src/unit.c", "/src/main.c"]).as_deref(), Some("/src/unit.c"));
        assert_eq!(first(&[model, &header]).as_deref(), Some(model));
        assert_eq!(first(&["/src/tine/include/a.h", "/src/unit.c"]).as_deref(), Some("/src/tine/include/a.h"));
        assert_eq!(first(&[]), None);
    }
}
