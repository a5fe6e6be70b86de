//! Conversion of inputs for this process: the cells of an input, and the addresses of functions in them.

use std::rc::Rc;

use tine_expr::Assignment;
use tine_trace::plan::{OBJECT, Relocation};
use tine_types::Input;

use super::shapes::{Cell, Shapes};

/// The solver's view of an input.
pub(crate) fn assignment(input: &Input) -> Assignment {
    let requests = input.requests.iter().map(|request| request.bytes.clone());
    let mut assignment = Assignment::from_inputs(requests.collect());
    for (slot, object) in &input.objects {
        assignment.set_object(*slot, object.bytes.clone());
    }
    assignment
}

impl Shapes {
    /// Typed cells of a request or an object, in order, by offset.
    pub(crate) fn cells_of(&self, input: &Input, id: u32) -> Rc<[(u32, Cell)]> {
        if id & OBJECT == 0 {
            let ty = input.requests.get(id as usize).and_then(|request| self.root(request.ty));
            return ty.map_or_else(Rc::default, |ty| self.cells(ty));
        }
        let object = input.objects.get(&(id & !OBJECT));
        object.map_or_else(Rc::default, |object| self.cells_of_object(&object.element))
    }

    /// Returns the input with functions at their addresses in this process.
    pub(crate) fn located(&self, input: &Input) -> Input {
        let mut located = input.clone();
        for Relocation { input, offset, function } in std::mem::take(&mut located.functions) {
            let address = self.functions().get(function as usize);
            if let (Some(address), Some(word)) = (address, located.word_mut(input, offset)) {
                *word = address.to_le_bytes();
            }
        }
        located
    }

    /// Returns the input with function numbers instead of addresses: the inverse of [`Shapes::located`].
    pub(crate) fn portable(&self, mut input: Input) -> Input {
        if self.functions().is_empty() {
            return input;
        }
        for id in input.ids().collect::<Vec<_>>() {
            let cells = self.cells_of(&input, id);
            for (offset, _) in cells.iter().filter(|(_, cell)| matches!(cell, Cell::Function { .. })) {
                let Some(word) = input.word_mut(id, *offset) else { continue };
                if let Some(function) = self.function_at(u64::from_le_bytes(*word)) {
                    *word = [0; 8];
                    input.functions.push(Relocation { input: id, offset: *offset, function });
                }
            }
        }
        input
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::plan::InputKind;
    use tine_types::graph::{Signature, Type};
    use tine_types::input::Request;
    use tine_types::{Kind, TypeGraph, TypeId};

    use super::*;
    use crate::graph::Bounds;
    use crate::graph::shapes::Callable;

    #[test]
    fn functions_move_with_their_process() {
        let mut types = TypeGraph::default();
        let signature = Signature { params: Vec::new(), ret: TypeId::VOID, variadic: false, prototyped: true };
        let function = types.add(Type { name: None, size: None, kind: Kind::Function(signature) });
        let pointer = types.add(Type { name: None, size: Some(8), kind: Kind::Pointer { to: function } });
        let callables = vec![Callable { name: "a".into(), signature: function }];
        let mut shapes = Shapes::new(types, vec![pointer], callables, Bounds::default());
        let request = |address: &u64| {
            let bytes = address.to_le_bytes().to_vec();
            Request { name: "f".into(), kind: InputKind::Pointer, bytes, choices: 0, ty: 1 }
        };
        let input = |addresses: &[u64]| Input { requests: addresses.iter().map(request).collect(), ..Input::default() };
        shapes.set_functions(vec![0x1000, 0x2000]);
        let portable = shapes.portable(input(&[0x2000, 0, 7]));
        let functions = vec![Relocation { input: 0, offset: 0, function: 1 }];
        assert_eq!(portable, Input { functions, ..input(&[0, 0, 7]) }, "other values stay");
        shapes.set_functions(vec![0x5000, 0x6000]);
        assert_eq!(shapes.located(&portable), input(&[0x6000, 0, 7]));
        assert_eq!(shapes.portable(shapes.located(&portable)), portable);
    }
}
