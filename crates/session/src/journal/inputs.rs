//! A case's inputs as the executor wants them back.

use tine_trace::plan::InputKind;

use super::bytes::{Damaged, Reader, Writer};
use crate::error::SessionError;

/// All that a case needs to run again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs<'a> {
    pub requests: Vec<Request<'a>>,
    pub objects: Vec<Object<'a>>,
    /// Addresses of the functions that the unit announced.
    pub functions: Vec<u64>,
    pub slot_shift: u32,
}

/// An input as the unit asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    pub name: &'a str,
    pub kind: InputKind,
    pub bytes: &'a [u8],
    pub choices: u32,
    /// Number of the driver's variable whose type it has.
    pub ty: u32,
}

/// An object that input pointers point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object<'a> {
    pub slot: u32,
    /// Number of its element's type.
    pub ty: u32,
    pub size: u32,
    pub extent: u32,
    /// Where in its slot it begins.
    pub start: u32,
    pub flags: u32,
    pub bytes: &'a [u8],
}

impl<'a> Inputs<'a> {
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.list(&self.requests, |to, request| {
            to.text(request.name);
            to.number(request.kind as u32);
            to.blob(request.bytes);
            to.number(request.choices);
            to.number(request.ty);
        });
        to.list(&self.objects, |to, object| {
            to.number(object.slot);
            to.number(object.ty);
            to.number(object.size);
            to.number(object.extent);
            to.number(object.start);
            to.number(object.flags);
            to.blob(object.bytes);
        });
        to.list(&self.functions, |to, address| to.word(*address));
        to.number(self.slot_shift);
        to.bytes
    }

    pub fn decode(bytes: &'a [u8]) -> Result<Inputs<'a>, SessionError> {
        let mut from = Reader::new(bytes);
        let mut read = || -> Result<Inputs<'a>, Damaged> {
            let inputs = Inputs {
                requests: from.list(|from| {
                    Ok(Request {
                        name: from.text()?,
                        kind: InputKind::from_number(from.number()?).ok_or(Damaged)?,
                        bytes: from.blob()?,
                        choices: from.number()?,
                        ty: from.number()?,
                    })
                })?,
                objects: from.list(|from| {
                    Ok(Object {
                        slot: from.number()?,
                        ty: from.number()?,
                        size: from.number()?,
                        extent: from.number()?,
                        start: from.number()?,
                        flags: from.number()?,
                        bytes: from.blob()?,
                    })
                })?,
                functions: from.list(Reader::word)?,
                slot_shift: from.number()?,
            };
            from.end()?;
            Ok(inputs)
        };
        read().map_err(|Damaged| SessionError::Damaged("inputs of the journal cannot be read".to_owned()))
    }
}
