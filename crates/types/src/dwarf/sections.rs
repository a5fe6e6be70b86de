//! The debug sections of an ELF file. They are relocated if the file is an unlinked object, in which references between
//! sections are still zero.

use std::borrow::Cow;

use gimli::DwarfSections;
use object::{Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget};

use super::Error;

pub(super) fn load(bytes: &[u8]) -> Result<DwarfSections<Cow<'_, [u8]>>, Error> {
    let file = object::File::parse(bytes)?;
    if file.section_by_name(".debug_info").is_none() {
        return Err(Error::NoDebugInfo);
    }
    DwarfSections::load(|id| match file.section_by_name(id.name()) {
        Some(section) => relocated(&file, &section, id.name()),
        None => Ok(Cow::Borrowed(&[])),
    })
}

fn relocated<'b>(
    file: &object::File<'b>,
    section: &object::Section<'b, '_>,
    name: &'static str,
) -> Result<Cow<'b, [u8]>, Error> {
    let compressed = section.compressed_data()?;
    if compressed.format != object::CompressionFormat::None {
        return Err(Error::Compressed(name));
    }
    let mut bytes = Cow::Borrowed(compressed.data);
    if file.kind() != object::ObjectKind::Relocatable {
        return Ok(bytes);
    }
    for (offset, relocation) in section.relocations() {
        // Other kinds (thread-local offsets) occur in locations, which are not read here.
        if relocation.kind() != RelocationKind::Absolute {
            continue;
        }
        let target = match relocation.target() {
            RelocationTarget::Symbol(index) => file.symbol_by_index(index)?.address(),
            RelocationTarget::Section(index) => file.section_by_index(index)?.address(),
            _ => continue,
        };
        let start = offset as usize;
        let end = start.saturating_add(usize::from(relocation.size() / 8));
        if let Some(field) = bytes.to_mut().get_mut(start..end)
            && field.len() <= 8
        {
            let mut word = [0; 8];
            if relocation.has_implicit_addend() {
                word[..field.len()].copy_from_slice(field);
            }
            let value = target.wrapping_add(relocation.addend() as u64).wrapping_add(u64::from_le_bytes(word));
            field.copy_from_slice(&value.to_le_bytes()[..field.len()]);
        }
    }
    Ok(bytes)
}
