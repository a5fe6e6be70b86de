//! Requirements: errors caused by a parameter, or a member reached from one, that the function uses without a check.
//!
//! ```text
//!   run ends with a null pointer dereference
//!     └─ its last event is the check, and the check is about one pointer of the input, which is NULL
//!          └─ the pointer is `list->items`: reached from a parameter, not compared with NULL anywhere
//!               └─ Requirement "list->items != NULL", assumed from now on
//! ```
//! A pointer that the code compares with NULL somewhere may be NULL. A pointer from a structure to its own type is a
//! link that ends a list. For both, the error remains an error. Links must not form circles, and an object that is
//! freed must not have two owners: [`links`].

mod lengths;
mod links;
mod path;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use tine_explore::errors::of_end;
use tine_explore::requirements::{Requirement, RequirementKind};
use tine_explore::{ProgramMap, RunEnd};
use tine_trace::event::{EventKind, Site};
use tine_trace::map::SiteKind;
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::outcome::ErrorKind;
use tine_trace::plan::{OBJECT, object_id};
use tine_types::input::Input;
use tine_types::{TypeGraph, TypeId};

use crate::graph::Shapes;
use crate::graph::aliasing::cell_of;
use crate::graph::shapes::Cell;
use crate::import::Trace;
use links::Shape;
use path::{Lvalue, Names, Owner};

/// A function that is called with inputs and has no specification of its requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    pub function: String,
    /// Its parameters are the first inputs.
    pub n_parameters: u32,
    /// Parameters that are lengths of arrays, as the code implies, and that it does not compare with constants.
    pub untested_counts: Vec<String>,
}

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Requirements {
    contract: Contract,
    names: Names,
    /// Subjects of the requirements that are assumed to hold.
    assumed: HashSet<Arc<str>>,
}

impl Requirements {
    pub(crate) fn new(contract: Contract, types: &TypeGraph) -> Requirements {
        Requirements { contract, names: Names::of(types), assumed: HashSet::new() }
    }

    /// Assumes the requirement: tine no longer asks for inputs that violate it.
    pub(crate) fn assume(&mut self, requirement: &Requirement) {
        self.assumed.insert(Arc::clone(&requirement.subject));
    }

    /// The requirement that an input violates, if that causes the error which ended the run.
    pub(crate) fn violated(
        &self,
        shapes: &Shapes,
        map: &ProgramMap,
        trace: &Trace,
        inputs: &Input,
        end: &RunEnd,
    ) -> Option<Requirement> {
        use ErrorKind::{
            ArrayBounds, AssertionFailure, DoubleFree, EndlessLoop, InvalidAccess, NullArgument, NullPointer,
            StackOverflow, UseAfterFree,
        };
        match of_end(end)? {
            NullPointer | NullArgument | InvalidAccess | AssertionFailure => {}
            // Lists and trees must end. Whether the code terminates for those that do shows once this is assumed.
            EndlessLoop | StackOverflow => {
                let shape = links::circular(shapes, &self.names, inputs)?;
                return Some(self.of_shape(shapes, inputs, &shape));
            }
            // Each object is freed once, by way of its owner.
            UseAfterFree | DoubleFree => {
                let shape = links::circular(shapes, &self.names, inputs);
                let shape = shape.or_else(|| links::shared(shapes, &self.names, inputs))?;
                return Some(self.of_shape(shapes, inputs, &shape));
            }
            ArrayBounds => {
                let is_known = |name: &String| self.contract.untested_counts.contains(name);
                let requests = (0..).zip(&inputs.requests);
                let counts: Vec<u32> = requests.filter(|(_, request)| is_known(&request.name)).map(|it| it.0).collect();
                let (count, least) = lengths::too_short(map, trace, &counts)?;
                let name = &inputs.requests.get(count as usize)?.name;
                return is_known(name).then(|| long_enough(&format!("{name} >= {least}")));
            }
            _ => return None,
        }
        let cell = used_null(map, trace, inputs, end)?;
        let user = match &end.place {
            Some(place) => Arc::clone(&place.function),
            None => map.place(end.site).function,
        };
        self.not_null(shapes, map, inputs, cell, &user)
    }

    /// Name in C of the pointer whose use ended the run, if it is NULL.
    pub(crate) fn null_pointer(
        &self,
        shapes: &Shapes,
        map: &ProgramMap,
        trace: &Trace,
        inputs: &Input,
        end: &RunEnd,
    ) -> Option<String> {
        use ErrorKind::{InvalidAccess, NullArgument, NullPointer};
        let kind = of_end(end)?;
        let cell = used_null(map, trace, inputs, end)
            .filter(|_| [NullPointer, NullArgument, InvalidAccess].contains(&kind))?;
        Some(Lvalue::of(shapes, &self.names, inputs, self.contract.n_parameters, cell)?.text)
    }

    /// The assumed requirement that an event violates if it takes `side`.
    pub(crate) fn assumed(
        &self,
        shapes: &Shapes,
        map: &ProgramMap,
        trace: &Trace,
        inputs: &Input,
        index: usize,
        side_index: u16,
    ) -> Option<Requirement> {
        if self.assumed.is_empty() {
            return None;
        }
        if let Some(bad) = self.bad_shape(shapes, trace, inputs, index, side_index) {
            return Some(bad);
        }
        let is_null = match trace.aliasing_choice(index as u32) {
            Some(choice) => choice.values.get(side_index as usize) == Some(&Some(0)),
            None => true,
        };
        let cell = used_pointer(map, trace, index, side_index).filter(|_| is_null)?;
        let user = map.place(Site(trace.events()[index].site)).function;
        let requirement = self.not_null(shapes, map, inputs, cell, &user)?;
        self.assumed.contains(&requirement.subject).then_some(requirement)
    }

    /// The assumed requirement that a link violates if it is used with the value of `side`.
    fn bad_shape(
        &self,
        shapes: &Shapes,
        trace: &Trace,
        inputs: &Input,
        index: usize,
        side_index: u16,
    ) -> Option<Requirement> {
        let value = trace.aliasing_choice(index as u32)?.values.get(side_index as usize).copied().flatten()?;
        let cell = trace.used_pointer(index)?;
        let made = links::closing(shapes, &self.names, inputs, cell, value);
        let mut requirements = made.iter().map(|shape| self.of_shape(shapes, inputs, shape));
        requirements.find(|requirement| self.assumed.contains(&requirement.subject))
    }

    /// The requirement that links do not form this shape.
    fn of_shape(&self, shapes: &Shapes, inputs: &Input, shape: &Shape) -> Requirement {
        let (kind, subject, condition, predicate) = match shape {
            Shape::Circle { structure, ty, members } => {
                let links: Vec<String> = members.iter().map(|member| format!("{structure}.{member}")).collect();
                let condition = format!("no circle of {}", links.join(" and "));
                // All circles of several links are one requirement.
                let (subject, predicate) = match members.first() {
                    Some(member) if members.len() == 1 => (&links[0], self.no_circle(shapes, inputs, *ty, member)),
                    _ => (structure, None),
                };
                (RequirementKind::Acyclic, format!("acyclic {subject}"), condition, predicate)
            }
            Shape::Shared { structure } => {
                let condition = format!("no {structure} with two owners");
                (RequirementKind::Unshared, format!("unshared {structure}"), condition, None)
            }
        };
        Requirement {
            kind,
            subject: subject.into(),
            predicate: predicate.unwrap_or_else(|| format!("1 /* {condition} */")).into(),
            condition: condition.into(),
        }
    }

    /// C that is true if the lists that begin at parameters, and at members of other structures, do not form circles.
    fn no_circle(&self, shapes: &Shapes, inputs: &Input, ty: TypeId, member: &str) -> Option<String> {
        let types = shapes.types();
        let ids = (0..inputs.requests.len() as u32).chain(inputs.objects.keys().map(|slot| object_id(*slot)));
        let mut conditions = BTreeSet::new();
        for id in ids {
            // Whether further elements exist is not known to a predicate.
            let end = slot_of_object(id)
                .and_then(|slot| inputs.objects.get(&slot))
                .map_or(u32::MAX, |object| object.element.size.max(1));
            for (at, cell) in shapes.cells_of(inputs, id).iter().take_while(|(at, _)| *at < end) {
                let Cell::Pointer { to, .. } = cell else { continue };
                let found = Lvalue::of(shapes, &self.names, inputs, self.contract.n_parameters, (id, *at));
                let Some(Lvalue { text, way, owner, .. }) = found else { continue };
                let is_own =
                    matches!(&owner, Owner::Member(levels) if levels.iter().any(|level| shapes.is_same(level.ty, ty)));
                if is_own || !shapes.is_same(types.strip(*to), ty) {
                    continue;
                }
                let guards: String = way.iter().map(|pointer| format!("!{pointer} || ")).collect();
                conditions.insert(format!(
                    "({guards}__extension__ ({{ __typeof__({text}) a = {text}, b = a; \
                     do {{ a = a ? a->{member} : a; b = b && b->{member} ? b->{member}->{member} : 0; }} \
                     while (b && a != b); !b; }}))"
                ));
            }
        }
        (!conditions.is_empty()).then(|| conditions.into_iter().collect::<Vec<_>>().join(" && "))
    }

    /// The requirement that a pointer is not NULL, unless the code shows that it may be. `user` is the function that
    /// uses it.
    fn not_null(
        &self,
        shapes: &Shapes,
        map: &ProgramMap,
        inputs: &Input,
        (input, offset): (u32, u32),
        user: &str,
    ) -> Option<Requirement> {
        let cell = cell_of(shapes, inputs, input, offset)?;
        let lvalue = Lvalue::of(shapes, &self.names, inputs, self.contract.n_parameters, (input, offset))?;
        let subject = match &lvalue.owner {
            Owner::Parameter(index) => {
                if map.tests_parameter(&self.contract.function, *index, user) {
                    return None;
                }
                lvalue.text.clone()
            }
            Owner::Member(levels) => {
                let types = shapes.types();
                let is_link = |struct_type| match cell {
                    Cell::Pointer { to, .. } => shapes.is_same(types.strip(to), types.strip(struct_type)),
                    Cell::Function { .. } | Cell::Bool | Cell::Enum { .. } => false,
                };
                let is_tested = levels
                    .iter()
                    .any(|level| level.name.as_deref().is_some_and(|name| map.tests_member(name, level.offset)));
                if is_tested || levels.iter().any(|level| is_link(level.ty)) {
                    return None;
                }
                let inner = levels.iter().find(|level| level.name.is_some())?;
                format!("{}+{}", inner.name.as_deref().unwrap_or_default(), inner.offset)
            }
            Owner::Element => lvalue.shape.clone(),
        };
        let condition = format!("{} != NULL", lvalue.text);
        let guards: String = lvalue.way.iter().map(|pointer| format!("!{pointer} || ")).collect();
        Some(Requirement {
            kind: RequirementKind::NotNull,
            subject: subject.into(),
            predicate: format!("{guards}{condition}").into(),
            condition: condition.into(),
        })
    }
}

/// Slot of an input that is an object.
fn slot_of_object(id: u32) -> Option<u32> {
    (id & OBJECT != 0).then_some(id & !OBJECT)
}

/// The requirement that an array is long enough.
fn long_enough(condition: &str) -> Requirement {
    let text = || condition.into();
    Requirement { kind: RequirementKind::LongEnough, subject: text(), condition: text(), predicate: text() }
}

/// True if the failure at `end` is reported for the check at `check`.
pub(crate) fn is_same_place(map: &ProgramMap, end: Site, check: Site) -> bool {
    let (Some(end), Some(check)) = (map.site(end), map.site(check)) else { return false };
    // The condition of an assertion and the call that reports it differ at least in the column.
    let is_assertion = check.error == Some(ErrorKind::AssertionFailure);
    end.function == check.function && (is_assertion || end.line == check.line && end.column == check.column)
}

/// Input and offset of the pointer whose use ended the run, if it is NULL.
fn used_null(map: &ProgramMap, trace: &Trace, inputs: &Input, end: &RunEnd) -> Option<(u32, u32)> {
    let index = trace.events().len().checked_sub(1)?;
    let event = &trace.events()[index];
    let is_end = end.site == Site::NONE || is_same_place(map, end.site, Site(event.site));
    let cell = used_pointer(map, trace, index, event.side_index).filter(|_| is_end)?;
    (inputs.read(cell.0, cell.1, 64) == 0).then_some(cell)
}

/// Input and offset of the pointer whose use an event decides: a check for NULL that fails with `side`, or the
/// first use of the pointer.
fn used_pointer(map: &ProgramMap, trace: &Trace, index: usize, side_index: u16) -> Option<(u32, u32)> {
    let event = trace.events().get(index)?;
    match EventKind::from_number(event.kind)? {
        EventKind::Aliasing => trace.used_pointer(index),
        EventKind::Branch => {
            let site = map.site(Site(event.site))?;
            let is_check = site.kind == SiteKind::Check
                && site.failing == side_index
                // A check may be about NULL or about alignment, an assertion about anything. The condition shows which.
                && matches!(
                    site.error,
                    Some(
                        ErrorKind::Misaligned
                            | ErrorKind::NullPointer
                            | ErrorKind::NullArgument
                            | ErrorKind::AssertionFailure
                    )
                );
            compared_with_null(trace.nodes(), event.node).filter(|_| is_check)
        }
        _ => None,
    }
}

/// The input that a condition compares with zero.
fn compared_with_null(nodes: &[Node], condition: u32) -> Option<(u32, u32)> {
    let node = nodes.get(condition as usize)?;
    if node.op == Op::Not as u8 {
        return compared_with_null(nodes, node.a);
    }
    if node.op != Op::Eq as u8 {
        return None;
    }
    let is_zero = |id: u32| nodes.get(id as usize).is_some_and(|node| node.op == Op::Const as u8 && node.value() == 0);
    let pointer = if is_zero(node.b) { node.a } else { Some(node.b).filter(|_| is_zero(node.a))? };
    let pointer = nodes.get(pointer as usize).filter(|node| node.op == Op::Input as u8 && node.width == 64)?;
    Some((pointer.a, pointer.b))
}
