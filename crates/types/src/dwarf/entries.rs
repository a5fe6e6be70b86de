//! Functions and variables.
//!
//! A function may have several entries: a declaration in a class (`DW_AT_specification` refers to it), an abstract one
//! that its inlined copies share (`DW_AT_abstract_origin`), and the one that has the code. They become one
//! [`Function`], identified by the entry that names it.

use gimli::DwAt;

use super::{Entry, Error, Place, Reader, flag, number};
use crate::program::{Function, Parameter, Variable};

/// An entry, followed by the entries that it refers to.
type Chain<'d> = Vec<(Place, Entry<'d>)>;

impl<'d> Reader<'_, 'd> {
    pub(super) fn read_unit(&mut self, unit: usize) -> Result<(), Error> {
        let root = Place { unit, offset: self.units[unit].header.root_offset().0 };
        self.read_scope(root, "")
    }

    /// `scope` is "" or ends in "::".
    fn read_scope(&mut self, place: Place, scope: &str) -> Result<(), Error> {
        for entry in self.children(place)? {
            let here = Place { unit: place.unit, offset: entry.offset().0 };
            match entry.tag() {
                gimli::DW_TAG_namespace => {
                    let name = self.name(place.unit, &entry)?.unwrap_or_else(|| "(anonymous)".into());
                    self.read_scope(here, &format!("{scope}{name}::"))?;
                }
                gimli::DW_TAG_subprogram => self.read_function(here, entry, scope)?,
                gimli::DW_TAG_variable => self.read_variable(here, entry, scope)?,
                gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type
                | gimli::DW_TAG_enumeration_type
                | gimli::DW_TAG_typedef => {
                    self.type_at(here);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_function(&mut self, place: Place, entry: Entry<'d>, scope: &str) -> Result<(), Error> {
        let has_code = entry.has_attr(gimli::DW_AT_low_pc) || entry.has_attr(gimli::DW_AT_ranges);
        let inlined = entry.has_attr(gimli::DW_AT_inline);
        let declared = flag(&entry, gimli::DW_AT_declaration);
        // A description of a call, not a function.
        if !has_code && !inlined && !declared {
            return Ok(());
        }
        let chain = self.chain(place, entry)?;
        let abstract_place =
            chain.iter().find(|(_, entry)| entry.has_attr(gimli::DW_AT_inline)).map(|(place, _)| *place);
        let key = abstract_place.unwrap_or(place);
        if let Some(index) = self.functions.get(&key) {
            self.program.function_mut(*index).has_code |= has_code;
            return Ok(());
        }
        let Some(name) = self.text_in(&chain, gimli::DW_AT_name)? else { return Ok(()) };
        let (file, line) = self.declared_at(&chain)?;
        let (params, variadic) = self.parameters(key)?;
        let function = Function {
            name: format!("{scope}{name}"),
            symbol: self.text_in(&chain, gimli::DW_AT_linkage_name)?.filter(|symbol| *symbol != name),
            file,
            line,
            external: flag_in(&chain, gimli::DW_AT_external),
            params,
            ret: match carrier(&chain, gimli::DW_AT_type) {
                Some((place, entry)) => self.type_of(place.unit, entry),
                None => crate::TypeId::VOID,
            },
            variadic,
            prototyped: flag_in(&chain, gimli::DW_AT_prototyped),
            has_code,
        };
        if declared {
            self.program.add_declared(function);
            return Ok(());
        }
        let index = self.program.add_function(function);
        self.functions.insert(key, index);
        Ok(())
    }

    fn parameters(&mut self, function: Place) -> Result<(Vec<Parameter>, bool), Error> {
        let mut params = Vec::new();
        let mut variadic = false;
        for entry in self.children(function)? {
            match entry.tag() {
                gimli::DW_TAG_formal_parameter => {
                    let chain = self.chain(Place { unit: function.unit, offset: entry.offset().0 }, entry)?;
                    let ty = match carrier(&chain, gimli::DW_AT_type) {
                        Some((place, entry)) => self.type_of(place.unit, entry),
                        None => crate::TypeId::VOID,
                    };
                    params.push(Parameter { name: self.text_in(&chain, gimli::DW_AT_name)?, ty });
                }
                gimli::DW_TAG_unspecified_parameters => variadic = true,
                _ => {}
            }
        }
        Ok((params, variadic))
    }

    fn read_variable(&mut self, place: Place, entry: Entry<'d>, scope: &str) -> Result<(), Error> {
        // A variable without a location is a declaration or a constant.
        if !entry.has_attr(gimli::DW_AT_location) {
            return Ok(());
        }
        let chain = self.chain(place, entry)?;
        // String literals have entries too, without a name.
        let Some(name) = self.text_in(&chain, gimli::DW_AT_name)? else { return Ok(()) };
        let (file, line) = self.declared_at(&chain)?;
        let ty = match carrier(&chain, gimli::DW_AT_type) {
            Some((place, entry)) => self.type_of(place.unit, entry),
            None => crate::TypeId::VOID,
        };
        let external = flag_in(&chain, gimli::DW_AT_external);
        self.program.add_variable(Variable { name: format!("{scope}{name}"), file, line, external, ty });
        Ok(())
    }

    fn chain(&self, place: Place, entry: Entry<'d>) -> Result<Chain<'d>, Error> {
        let mut chain = vec![(place, entry)];
        // Real chains have at most three links.
        while chain.len() < 8 {
            let (place, entry) = chain.last().expect("starts with one");
            let origin =
                entry.attr_value(gimli::DW_AT_abstract_origin).or_else(|| entry.attr_value(gimli::DW_AT_specification));
            let Some(next) = origin.and_then(|origin| self.place(place.unit, &origin)) else { break };
            chain.push((next, self.entry(next)?));
        }
        Ok(chain)
    }

    fn text_in(&self, chain: &Chain<'d>, attribute: DwAt) -> Result<Option<String>, Error> {
        match carrier(chain, attribute) {
            Some((place, entry)) => self.text(place.unit, entry, attribute),
            None => Ok(None),
        }
    }

    fn declared_at(&self, chain: &Chain<'d>) -> Result<(String, u32), Error> {
        let line = carrier(chain, gimli::DW_AT_decl_line).and_then(|(_, entry)| number(entry, gimli::DW_AT_decl_line));
        let line = line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
        let Some((place, entry)) = carrier(chain, gimli::DW_AT_decl_file) else { return Ok((String::new(), line)) };
        let index = match entry.attr_value(gimli::DW_AT_decl_file) {
            Some(gimli::AttributeValue::FileIndex(index)) => index,
            _ => return Ok((String::new(), line)),
        };
        Ok((self.file_name(place.unit, index)?, line))
    }

    /// File name as the compiler was given it: relative to its working directory, unless it was absolute.
    fn file_name(&self, unit: usize, index: u64) -> Result<String, Error> {
        let unit = &self.units[unit];
        let Some(lines) = &unit.line_program else { return Ok(String::new()) };
        let header = lines.header();
        let Some(file) = header.file(index) else { return Ok(String::new()) };
        let name = self.dwarf.attr_string(unit, file.path_name())?.to_string_lossy().into_owned();
        // Directory 0 is the compiler's working directory.
        match file.directory(header) {
            Some(directory) if file.directory_index() != 0 && !name.starts_with('/') => {
                let directory = self.dwarf.attr_string(unit, directory)?;
                Ok(format!("{}/{name}", directory.to_string_lossy()))
            }
            _ => Ok(name),
        }
    }
}

/// The first entry of the chain that has the attribute.
fn carrier<'c, 'd>(chain: &'c Chain<'d>, attribute: DwAt) -> Option<(Place, &'c Entry<'d>)> {
    chain.iter().find(|(_, entry)| entry.has_attr(attribute)).map(|(place, entry)| (*place, entry))
}

fn flag_in(chain: &Chain<'_>, attribute: DwAt) -> bool {
    carrier(chain, attribute).is_some_and(|(_, entry)| flag(entry, attribute))
}
