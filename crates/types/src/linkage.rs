//! Symbols of an object file: the functions that it needs from other files, and those whose address it takes.

use std::collections::{BTreeSet, HashMap};

use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, RelocationTarget, SymbolKind, elf};

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// Symbols that must come from other files or libraries.
    pub undefined: BTreeSet<String>,
    /// Undefined symbols that are called.
    pub called: BTreeSet<String>,
    /// Undefined symbols that may be missing: then their address is NULL.
    pub weak: BTreeSet<String>,
    /// Functions defined here whose address is used other than for calls. Only known if each function is in a separate
    /// section (`-ffunction-sections`).
    pub address_taken: BTreeSet<String>,
}

/// Names that an object, a static library or a shared library defines for others.
pub fn defined(bytes: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    if bytes.starts_with(&object::archive::MAGIC) {
        let archive = ArchiveFile::parse(bytes)?;
        let mut names = BTreeSet::new();
        for member in archive.members() {
            // Some members are not objects.
            names.extend(defined(member?.data(bytes)?).unwrap_or_default());
        }
        return Ok(names);
    }
    let file = object::File::parse(bytes)?;
    let visible =
        file.symbols().chain(file.dynamic_symbols()).filter(|symbol| symbol.is_global() && !symbol.is_undefined());
    Ok(visible.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect())
}

/// Reads an ELF object file.
pub fn read(bytes: &[u8]) -> Result<Linkage, object::Error> {
    let file = object::File::parse(bytes)?;
    let mut linkage = Linkage::default();
    let mut functions = HashMap::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or_default();
        if symbol.is_undefined() && !name.is_empty() {
            linkage.undefined.insert(name.to_owned());
            if symbol.is_weak() {
                linkage.weak.insert(name.to_owned());
            }
        } else if symbol.kind() == SymbolKind::Text
            && let Some(section) = symbol.section_index()
        {
            functions.insert(section, name);
        }
    }
    for section in file.sections() {
        let name = section.name().unwrap_or_default();
        if [".debug", ".eh_frame", ".llvm"].iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        for (_, relocation) in section.relocations() {
            let is_call =
                matches!(relocation.flags(), RelocationFlags::Elf { r_type } if r_type == elf::R_X86_64_PLT32);
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(symbol) else { continue };
            if is_call && symbol.is_undefined() {
                linkage.called.insert(symbol.name().unwrap_or_default().to_owned());
            }
            let function = symbol.section_index().and_then(|section| functions.get(&section));
            if let Some(function) = function.filter(|_| !is_call) {
                linkage.address_taken.insert((*function).to_owned());
            }
        }
    }
    Ok(linkage)
}
