//! The stored form of an input.

use tine_trace::plan::{InputKind, Relocation};
use tine_types::TypeId;
use tine_types::input::{Element, Input, Object, Request};

use super::bytes::{Damaged, Reader, Writer};
use crate::error::SessionError;

/// Encodes an input for the journal.
pub fn encode(input: &Input) -> Vec<u8> {
    let mut to = Writer::default();
    to.list(&input.requests, |to, request| {
        to.text(&request.name);
        to.number(request.kind as u32);
        to.blob(&request.bytes);
        to.number(request.choices);
        to.number(request.ty);
    });
    to.list(input.objects.iter(), |to, (slot, Object { element, bytes })| {
        let Element { ty, size, extent, start, flags } = element;
        for number in [*slot, ty.number(), *size, *extent, *start, *flags] {
            to.number(number);
        }
        to.blob(bytes);
    });
    to.list(&input.functions, |to, Relocation { input, offset, function }| {
        for number in [*input, *offset, *function] {
            to.number(number);
        }
    });
    to.number(input.slot_shift);
    to.bytes
}

/// Decodes an input. Types of objects are not checked: that needs the type graph.
pub fn decode(bytes: &[u8]) -> Result<Input, SessionError> {
    read(bytes).map_err(|Damaged| SessionError::Damaged("an input cannot be read".to_owned()))
}

fn read(bytes: &[u8]) -> Result<Input, Damaged> {
    let mut from = Reader::new(bytes);
    let input = Input {
        requests: from.list(|from| {
            Ok(Request {
                name: from.text()?.to_owned(),
                kind: kind(from.number()?)?,
                bytes: from.blob()?.to_vec(),
                choices: from.number()?,
                ty: from.number()?,
            })
        })?,
        objects: from.list(read_object)?.into_iter().collect(),
        functions: from
            .list(|from| Ok(Relocation { input: from.number()?, offset: from.number()?, function: from.number()? }))?,
        slot_shift: from.number()?,
    };
    from.end()?;
    Ok(input)
}

/// A kind, also that of a request that no run has seen yet.
fn kind(number: u32) -> Result<InputKind, Damaged> {
    InputKind::ALL.get(number as usize).map(|(kind, _)| *kind).ok_or(Damaged)
}

fn read_object(from: &mut Reader<'_>) -> Result<(u32, Object), Damaged> {
    let slot = from.number()?;
    let element = Element {
        ty: TypeId::numbered(from.number()?),
        size: from.number()?,
        extent: from.number()?,
        start: from.number()?,
        flags: from.number()?,
    };
    Ok((slot, Object { element, bytes: from.blob()?.to_vec() }))
}
