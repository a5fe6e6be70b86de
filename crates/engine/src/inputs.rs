//! Inputs of a case in the forms that others store and show.

use tine_executor::graph::describe::Description;
use tine_executor::graph::shapes::Element;
use tine_executor::{CaseInputs, InputSeen, ObjectSeen};
use tine_session::journal::{Inputs, Object, Request};
use tine_session::{CaseInput, InputValue};
use tine_trace::planned::PlannedRequest;

use crate::Error;
use crate::types::InputTypes;

/// For the journal of a session.
pub(crate) fn encode(inputs: &CaseInputs) -> Vec<u8> {
    let requests = inputs.inputs.iter().map(|input| Request {
        name: &input.name,
        kind: input.kind,
        bytes: &input.bytes,
        choices: input.choices,
        ty: input.ty,
    });
    let objects = inputs.objects.iter().map(|(slot, object)| Object {
        slot: *slot,
        ty: object.element.ty.index() as u32,
        size: object.element.size,
        extent: object.element.extent,
        start: object.element.start,
        flags: object.element.flags,
        bytes: &object.bytes,
    });
    let (requests, objects) = (requests.collect(), objects.collect());
    Inputs { requests, objects, functions: inputs.functions.to_vec(), slot_shift: inputs.slot_shift }.encode()
}

/// Back from the journal.
pub(crate) fn decode(bytes: &[u8], types: &InputTypes) -> Result<CaseInputs, Error> {
    let stored = Inputs::decode(bytes)?;
    let inputs = stored.requests.iter().map(|request| InputSeen {
        name: request.name.to_owned(),
        kind: request.kind,
        bytes: request.bytes.to_vec(),
        choices: request.choices,
        ty: request.ty,
    });
    let mut restored = CaseInputs {
        inputs: inputs.collect(),
        functions: stored.functions.as_slice().into(),
        slot_shift: stored.slot_shift,
        ..CaseInputs::default()
    };
    for object in &stored.objects {
        let unknown = || Error::Damaged("it names a type that the program does not have".to_owned());
        let ty = types.nth(object.ty).ok_or_else(unknown)?;
        let element =
            Element { ty, size: object.size, extent: object.extent, start: object.start, flags: object.flags };
        restored.objects.insert(object.slot, ObjectSeen { element, bytes: object.bytes.to_vec() });
    }
    Ok(restored)
}

/// For people and replays.
pub(crate) fn described(description: Description<'_>) -> CaseInput {
    let Description { inputs, plan, map } = description;
    let value = |(input, planned): (&InputSeen, PlannedRequest)| InputValue {
        name: input.name.clone(),
        kind: input.kind,
        bytes: planned.bytes,
        choices: input.choices,
        mapped: input.ty != 0,
    };
    let inputs = inputs.iter().zip(plan.requests.clone()).map(value).collect();
    CaseInput::new(inputs, plan, map)
}
