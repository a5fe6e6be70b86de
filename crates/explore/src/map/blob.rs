//! Splits the concatenated maps of a program's modules and checks them. [`tine_trace::map::codec`] reads them.

use tine_trace::VERSION;
use tine_trace::map::codec::{self, ModuleMap, Truncated};
use tine_trace::map::{MAGIC, Text};

use super::MapError;

impl From<Truncated> for MapError {
    fn from(Truncated(part): Truncated) -> MapError {
        MapError::Truncated(part)
    }
}

/// Returns a string of a module. Invalid UTF-8 in a file name is replaced.
pub(super) fn text(module: &ModuleMap, text: Text) -> Result<String, MapError> {
    let end = text.offset as usize + text.len as usize;
    let bytes = module.strings.get(text.offset as usize..end);
    let bytes = bytes.ok_or(MapError::Index { what: "text", index: text.offset })?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Splits concatenated maps. Linkers pad between sections with zeros, and no map begins with zeros.
pub(super) fn split(bytes: &[u8]) -> Result<Vec<ModuleMap>, MapError> {
    let mut modules = Vec::new();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| **byte == 0).count();
        if at == bytes.len() {
            return Ok(modules);
        }
        let header = codec::header(&bytes[at..])?;
        if header.magic != MAGIC {
            return Err(MapError::Magic(at));
        }
        if header.version != VERSION {
            return Err(MapError::Version { found: header.version });
        }
        modules.push(ModuleMap::decode(&bytes[at..])?);
        at += header.len as usize;
    }
}
