//! Names of objects: the shortest access path to their start.
//!
//! ```text
//!   p ──▶ #0 ──next──▶ #1 ──next──▶ #0        #0 is *p, #1 is *p->next, and p->next->next = p
//! ```
//!
//! If no reachable pointer points to an object's start, the pointer to one of its elements names it (`q[-1]`). If all
//! pointers point inside elements, it gets a name of its own (`q = &o1.link`).

use std::collections::{BTreeMap, VecDeque};

use super::{InputMap, Object, ObjectId, Pointer, Step, Value};

/// An expression for a place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An expression that `->`, `.` and `[]` may follow.
    Postfix(String),
    /// Target of the pointer.
    Pointee(Box<Place>),
}

impl Place {
    pub(super) fn text(&self) -> String {
        match self {
            Place::Postfix(text) => text.clone(),
            Place::Pointee(pointer) => format!("*{}", pointer.text()),
        }
    }

    fn postfix(&self) -> String {
        match self {
            Place::Postfix(text) => text.clone(),
            Place::Pointee(_) => format!("({})", self.text()),
        }
    }

    pub(super) fn member(&self, name: &str) -> Place {
        Place::Postfix(match self {
            Place::Postfix(text) => format!("{text}.{name}"),
            Place::Pointee(pointer) => format!("{}->{name}", pointer.postfix()),
        })
    }

    fn index(&self, index: impl std::fmt::Display) -> Place {
        Place::Postfix(format!("{}[{index}]", self.postfix()))
    }

    pub(super) fn step(&self, step: Option<&Step>) -> Place {
        match step {
            Some(Step::Member(name)) => self.member(name),
            Some(Step::Index(index)) => self.index(index),
            None => self.clone(),
        }
    }
}

/// Name of an object.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// The cell of a pointer to its element `element`.
    Pointer { cell: Place, element: u64 },
    /// A name that no variable uses.
    Name(String),
}

/// Names of all roots and objects of a map.
pub(super) struct Names<'m> {
    pub(super) roots: Vec<(Place, &'m Value)>,
    objects: BTreeMap<ObjectId, (&'m Object, Option<Base>)>,
}

impl<'m> Names<'m> {
    pub(super) fn of(map: &'m InputMap) -> Names<'m> {
        let objects = map.objects.iter().map(|object| (object.id, (object, None))).collect();
        let mut names = Names { roots: root_places(map), objects };
        names.name_objects();
        names
    }

    /// `None` if a hand-written map points to a missing object.
    pub(super) fn object(&self, id: ObjectId) -> Option<(&'m Object, &Base)> {
        let (object, base) = self.objects.get(&id)?;
        Some((object, base.as_ref()?))
    }

    /// Expression for an element of `object`.
    pub(super) fn element(object: &Object, base: &Base, index: u64) -> Place {
        let only = object.elements.len() <= 1 && index == 0;
        match base {
            Base::Pointer { cell, element: 0 } if only => Place::Pointee(Box::new(cell.clone())),
            Base::Pointer { cell, element } => cell.index(i128::from(index) - i128::from(*element)),
            Base::Name(name) if only => Place::Postfix(name.clone()),
            Base::Name(name) => Place::Postfix(name.clone()).index(index),
        }
    }

    /// An expression with the value of `pointer`.
    pub(super) fn address(&self, pointer: &Pointer) -> String {
        let Some((object, base)) = self.object(pointer.object) else { return format!("&#{}", pointer.object.0) };
        let target = match base {
            Base::Pointer { cell, element } if pointer.steps.is_empty() => {
                match i128::from(pointer.element) - i128::from(*element) {
                    0 => cell.text(),
                    offset if offset > 0 => format!("{} + {offset}", cell.text()),
                    before => format!("{} - {}", cell.text(), -before),
                }
            }
            _ => {
                let element = Names::element(object, base, pointer.element);
                let place = pointer.steps.iter().fold(element, |place, step| place.step(Some(step)));
                format!("&{}", place.text())
            }
        };
        match pointer.rest {
            0 => target,
            rest if target.contains(' ') => format!("(char *)({target}) + {rest}"),
            rest => format!("(char *){target} + {rest}"),
        }
    }

    fn name_objects(&mut self) {
        let mut search = Search::default();
        for (place, value) in &self.roots {
            search.pointers(place, value);
        }
        while let Some((id, base)) = search.next(self) {
            let Some((object, known)) = self.objects.get_mut(&id) else { continue };
            for (index, value) in (0..).zip(&object.elements) {
                search.pointers(&Names::element(object, &base, index), value);
            }
            *known = Some(base);
        }
    }

    fn is_open(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|(_, base)| base.is_none())
    }

    fn own_name(&self, id: ObjectId) -> String {
        let mut name = format!("o{}", id.0);
        while self.roots.iter().any(|(place, _)| place.text() == name) {
            name.insert(0, '_');
        }
        name
    }
}

/// Breadth-first search for objects without a name.
#[derive(Default)]
struct Search {
    /// Pointers to the start of objects.
    straight: VecDeque<(ObjectId, Place)>,
    /// Other pointers, in the order in which they were met; with the element, if they point to its start.
    inner: VecDeque<(ObjectId, Option<(Place, u64)>)>,
}

impl Search {
    /// Collects all pointers in `value`.
    fn pointers(&mut self, place: &Place, value: &Value) {
        match value {
            Value::Pointer(pointer) if !pointer.is_to_element() => self.inner.push_back((pointer.object, None)),
            Value::Pointer(pointer) if pointer.element == 0 => {
                self.straight.push_back((pointer.object, place.clone()));
            }
            Value::Pointer(pointer) => {
                self.inner.push_back((pointer.object, Some((place.clone(), pointer.element))));
            }
            _ => {}
        }
        for (step, part) in value.parts() {
            self.pointers(&place.step(step.as_ref()), part);
        }
    }

    /// The next object to name.
    fn next(&mut self, names: &Names<'_>) -> Option<(ObjectId, Base)> {
        while let Some((id, cell)) = self.straight.pop_front() {
            if names.is_open(id) {
                return Some((id, Base::Pointer { cell, element: 0 }));
            }
        }
        self.inner.retain(|(id, _)| names.is_open(*id));
        let (id, _) = self.inner.front()?;
        let element = self.inner.iter().filter(|(other, _)| other == id).find_map(|(_, element)| element.clone());
        let base = match element {
            Some((cell, element)) => Base::Pointer { cell, element },
            None => Base::Name(names.own_name(*id)),
        };
        Some((*id, base))
    }
}

fn root_places(map: &InputMap) -> Vec<(Place, &Value)> {
    root_names(map).into_iter().map(Place::Postfix).zip(map.roots.iter().map(|root| &root.value)).collect()
}

/// A name that was used before gets a number: `x`, `x#2`.
pub(super) fn root_names(map: &InputMap) -> Vec<String> {
    let mut used = BTreeMap::<&str, u32>::new();
    let mut names = Vec::new();
    for root in &map.roots {
        let count = used.entry(&root.name).or_default();
        *count += 1;
        names.push(if *count == 1 { root.name.clone() } else { format!("{}#{count}", root.name) });
    }
    names
}
