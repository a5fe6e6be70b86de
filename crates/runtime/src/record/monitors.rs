//! Monitors of specifications: follows the automata of `tine-spec` through the events of a run.
//!
//! ```text
//!   hook ─▶ event ─▶ object ─hash─▶ instance ─▶ state of each property
//!                                      └──────▶ its last event ─▶ the one before ─▶ …
//! ```
//! The harness has the tables (`spec/src/monitor.c`), and this module the objects. They are static memory, so a reset
//! of the unit resets them. The history of events does not count as a state of the unit ([`history`]).

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char};
use core::ptr;

use tine_trace::event::{MAX_DISTANCE, NoteKind, Site};

use super::message::Message;
use super::{calls, failure, note, objects, walls};
use crate::process;

/// Maximum number of objects that are followed at a time, in all specifications.
const MAX_OBJECTS: usize = 1 << 16;
/// Length of the hash table.
const INDEX_LEN: usize = 2 * MAX_OBJECTS;
/// Maximum number of states of properties.
const MAX_STATES: usize = 1 << 18;
/// Maximum number of events in the history.
const MAX_EVENTS: usize = 1 << 14;
/// Maximum number of events that a report shows.
const MAX_SHOWN: usize = 12;
/// Maximum number of values of an event.
const MAX_VALUES: usize = 4;

/// A position in the source. Line 0 is the harness.
#[derive(Debug)]
#[repr(C)]
pub struct Place {
    file: *const c_char,
    function: *const c_char,
    line: u32,
}

#[derive(Debug)]
#[repr(C)]
struct Property {
    text: *const c_char,
    file: *const c_char,
    next: *const u8,
    may_end: *const u8,
    distance: *const u8,
    line: u32,
    number: u32,
    is_expected: bool,
    start: u8,
    unknown: u8,
    n_known: u8,
}

/// The propositions and values of an event.
#[derive(Debug)]
#[repr(C)]
pub struct Point {
    propositions: *const *const c_char,
    values: *const *const c_char,
    n_values: u32,
}

/// A specification.
#[derive(Debug)]
#[repr(C)]
pub struct Spec {
    name: *const c_char,
    properties: *const Property,
    number: u32,
    n_letters: u32,
    n_properties: u32,
    is_per_object: u32,
    adopts: u32,
    near: *mut u32,
    call: *const *const Place,
    left: *const *const Place,
    n_symbolic: u32,
}

impl Spec {
    fn properties(&self) -> &[Property] {
        // SAFETY: the harness has this number of properties.
        unsafe { core::slice::from_raw_parts(self.properties, self.n_properties as usize) }
    }

    /// Changes the number of monitors at the distance of a state.
    fn count(&self, property: &Property, state: u8, more: i32) {
        // SAFETY: the tables have an entry for each state, and distances are at most `MAX_DISTANCE`.
        unsafe {
            let distance = property.distance.add(state.into()).read().min(MAX_DISTANCE);
            let near = self.near.add(distance.into());
            *near = (*near).wrapping_add_signed(more);
        }
    }

    /// The distance of the monitor that is nearest to a violation.
    fn nearest(&self) -> u32 {
        // SAFETY: as above.
        let is_at = |distance: &u32| unsafe { self.near.add(*distance as usize).read() > 0 };
        (0..u32::from(MAX_DISTANCE)).find(is_at).unwrap_or(MAX_DISTANCE.into())
    }
}

/// The monitors of one object; address 0 without objects.
#[derive(Clone, Copy)]
struct Instance {
    object: u64,
    /// Null if the instance does not exist.
    spec: *const Spec,
    /// Index of the state of its first property.
    states: u32,
}

struct Followed {
    n: u32,
    n_states: u32,
    /// By hash: 1 + the number of an instance.
    index: [u32; INDEX_LEN],
    instances: [Instance; MAX_OBJECTS],
    states: [u8; MAX_STATES],
}

#[derive(Clone, Copy)]
struct Happened {
    point: *const Point,
    place: *const Place,
    /// Propositions that held.
    bits: u32,
    /// Number of equal events in a row.
    count: u32,
    /// 1 + the number of the object's event before.
    previous: u64,
    values: [u64; MAX_VALUES],
}

struct History {
    /// Number of all events. The last [`MAX_EVENTS`] of them are kept.
    n: u64,
    /// By instance: 1 + the number of its last event.
    last: [u64; MAX_OBJECTS],
    events: [Happened; MAX_EVENTS],
}

struct Shared<T>(UnsafeCell<T>);

// SAFETY: events of several threads at the same time may be mixed up, and nothing else: all indices are checked.
unsafe impl<T> Sync for Shared<T> {}

static FOLLOWED: Shared<Followed> = Shared(UnsafeCell::new(Followed {
    n: 0,
    n_states: 0,
    index: [0; INDEX_LEN],
    instances: [Instance { object: 0, spec: ptr::null(), states: 0 }; MAX_OBJECTS],
    states: [0; MAX_STATES],
}));

static HISTORY: Shared<History> = Shared(UnsafeCell::new(History {
    n: 0,
    last: [0; MAX_OBJECTS],
    events: [Happened {
        point: ptr::null(),
        place: ptr::null(),
        bits: 0,
        count: 0,
        previous: 0,
        values: [0; MAX_VALUES],
    }; MAX_EVENTS],
}));

/// Start and end of the history, which does not influence later events.
pub(crate) fn history() -> (u64, u64) {
    let start = HISTORY.0.get().addr() as u64;
    (start, start + size_of::<History>() as u64)
}

fn followed() -> &'static mut Followed {
    // SAFETY: the callers use it for one event at a time.
    unsafe { &mut *FOLLOWED.0.get() }
}

fn slot(spec: &Spec, object: u64) -> usize {
    // Neighbouring objects are neighbours in the table. Specifications are apart from each other.
    ((object >> 3) ^ (object >> 20) ^ (u64::from(spec.number) << 7)) as usize % INDEX_LEN
}

impl Followed {
    /// The number of an object's instance, or the free slot of the hash table.
    fn find(&self, spec: &Spec, object: u64) -> Result<usize, usize> {
        let mut at = slot(spec, object);
        loop {
            let Some(number) = (self.index[at] as usize).checked_sub(1) else { return Err(at) };
            let instance = &self.instances[number];
            if instance.object == object && ptr::eq(instance.spec, spec) {
                return Ok(number);
            }
            at = (at + 1) % INDEX_LEN;
        }
    }

    /// The instance of an object, made at its first event; `None` if there are too many.
    fn instance(&mut self, spec: &Spec, object: u64) -> Option<usize> {
        let mut free = match self.find(spec, object) {
            Ok(number) => return Some(number),
            Err(free) => free,
        };
        let n_properties = spec.n_properties as usize;
        let is_full = |followed: &Followed| {
            followed.n as usize == MAX_OBJECTS || followed.n_states as usize + n_properties > MAX_STATES
        };
        if is_full(self) {
            self.forget_unused();
            free = self.find(spec, object).err()?;
            if is_full(self) {
                return None;
            }
        }
        let number = self.n as usize;
        self.index[free] = self.n + 1;
        self.instances[number] = Instance { object, spec, states: self.n_states };
        self.n += 1;
        let is_unknown = is_adopted(spec, object);
        for property in spec.properties() {
            let state = if is_unknown { property.unknown } else { property.start };
            self.states[self.n_states as usize] = state;
            self.n_states += 1;
            spec.count(property, state, 1);
        }
        Some(number)
    }

    /// Removes objects whose monitors are in their first state: they behave as if they had never been seen.
    fn forget_unused(&mut self) {
        self.index.fill(0);
        let n = core::mem::take(&mut self.n) as usize;
        self.n_states = 0;
        for number in 0..n {
            let instance = self.instances[number];
            // SAFETY: instances have the specifications of the harness.
            let spec = unsafe { &*instance.spec };
            let (first, properties) = (instance.states as usize, spec.properties());
            let is_unused = !is_adopted(spec, instance.object)
                && properties.iter().enumerate().all(|(k, property)| self.states[first + k] == property.start);
            if is_unused {
                properties.iter().for_each(|property| spec.count(property, property.start, -1));
                continue;
            }
            let at = self.n as usize;
            // Both tables only become shorter, so nothing is overwritten that is still needed.
            self.states.copy_within(first..first + properties.len(), self.n_states as usize);
            self.instances[at] = Instance { states: self.n_states, ..instance };
            // SAFETY: one event at a time.
            let history = unsafe { &mut *HISTORY.0.get() };
            history.last[at] = history.last[number];
            self.n += 1;
            self.n_states += properties.len() as u32;
            if let Err(free) = self.find(spec, instance.object) {
                self.index[free] = self.n;
            }
        }
    }
}

/// True if an object comes from the input of a function, so that it has a history which the run does not show. This
/// includes NULL: a function that may be called with it is a requirement, and not about events.
fn is_adopted(spec: &Spec, object: u64) -> bool {
    let is_input = || object == 0 || objects::is_input(object) || walls::is_moved(object);
    spec.adopts != 0 && spec.is_per_object != 0 && is_input()
}

/// An event of an object, as the harness reports it.
#[derive(Debug)]
pub struct Reported {
    pub(super) object: u64,
    /// (Letter of the first proposition - 1) << 9, 1 << 8 for a return, and the propositions that hold. The highest
    /// bit: the object is compared with those whose addresses depend on inputs.
    pub(super) what: u32,
    pub(super) point: *const Point,
    pub(super) values: [u64; MAX_VALUES],
}

/// Flag of [`Reported::what`].
const SAME: u32 = 1 << 31;

/// `__tine_event`: returns true if the object has to be compared with others first.
///
/// # Safety
/// The pointers must be those of a harness.
pub unsafe fn event(spec: *const Spec, reported: &Reported) -> bool {
    // SAFETY: the caller guarantees it.
    let spec = unsafe { &*spec };
    if spec.n_symbolic > 0 && reported.what & SAME == 0 {
        return true;
    }
    let followed = followed();
    let Some(number) = followed.instance(spec, reported.object) else {
        not_followed();
        return false;
    };
    // SAFETY: one event at a time; the harness has the variable.
    let place = unsafe {
        let place = *spec.call;
        remember(&mut *HISTORY.0.get(), number, place, reported);
        place
    };
    let first = followed.instances[number].states as usize;
    let letter = ((reported.what & !SAME) >> 9) as usize + (reported.what & 0xff) as usize - 1;
    for (k, property) in spec.properties().iter().enumerate() {
        let before = followed.states[first + k];
        // SAFETY: the table has an entry for each state and letter.
        let state = unsafe { property.next.add(usize::from(before) * spec.n_letters as usize + letter).read() };
        if state == before {
            continue;
        }
        if state == 0 {
            violated(spec, property, number, Some((reported, place)));
        }
        followed.states[first + k] = state;
        spec.count(property, before, -1);
        spec.count(property, state, 1);
        // A native program records nothing.
        if process::exploring() {
            calls::come_near(spec.nearest());
            if state < property.n_known {
                calls::monitored(property.number, state);
            }
        }
    }
    false
}

/// Adds an event to the history. Equal events in a row are counted.
fn remember(history: &mut History, number: usize, place: *const Place, reported: &Reported) {
    let Reported { what, point, values, .. } = *reported;
    let (bits, previous) = (what & 0xff, history.last[number]);
    if let Some(last) = previous.checked_sub(1).filter(|last| last + MAX_EVENTS as u64 > history.n) {
        let last = &mut history.events[last as usize % MAX_EVENTS];
        let is_same = last.bits == bits && ptr::eq(last.point, point) && ptr::eq(last.place, place);
        if is_same && last.values == values {
            last.count = last.count.saturating_add(1);
            return;
        }
    }
    history.events[history.n as usize % MAX_EVENTS] = Happened { point, place, bits, count: 1, previous, values };
    history.n += 1;
    history.last[number] = history.n;
}

/// `__tine_end_of_run`: properties that still wait for an event are violated.
///
/// # Safety
/// The pointer must be that of a specification of a harness.
pub unsafe fn end_of_run(spec: *const Spec) {
    // SAFETY: the caller guarantees it.
    let spec = unsafe { &*spec };
    let followed = followed();
    if spec.is_per_object == 0 {
        followed.instance(spec, 0);
    }
    for number in 0..followed.n as usize {
        let instance = followed.instances[number];
        if !ptr::eq(instance.spec, spec) {
            continue;
        }
        for (k, property) in spec.properties().iter().enumerate() {
            let state = followed.states[instance.states as usize + k];
            // SAFETY: the table has an entry for each state.
            if unsafe { property.may_end.add(state.into()).read() } == 0 {
                violated(spec, property, number, None);
            }
        }
    }
}

/// `__tine_followed`: the address of the specification's object with this index; 0 if there are fewer.
///
/// # Safety
/// The pointer must be that of a specification of a harness.
pub unsafe fn object(spec: *const Spec, index: u32) -> u64 {
    let followed = followed();
    let mut own = followed.instances[..followed.n as usize].iter().filter(|instance| ptr::eq(instance.spec, spec));
    own.nth(index as usize).map_or(0, |instance| instance.object)
}

/// `__tine_not_followed`: there are too many objects.
pub(super) fn not_followed() {
    note(NoteKind::MaxObjects, Site::NONE, 0);
}

/// Reports a violation by an event with its call site or, without one, by the end of the run. A precondition of a call
/// by the harness rejects the input.
fn violated(spec: &Spec, property: &Property, number: usize, by: Option<(&Reported, *const Place)>) -> ! {
    // SAFETY: places are those of instrumented code, which are constants.
    let at = |place: *const Place| unsafe { place.as_ref() }.filter(|place| place.line > 0);
    if property.is_expected && by.is_some_and(|(_, place)| at(place).is_none()) {
        failure::reject();
    }
    // SAFETY: one event at a time; the harness has the variable.
    let (history, left) = unsafe { (&*HISTORY.0.get(), *spec.left) };
    let mut message = Message::new();
    message.text(text(spec.name)).text(": `").text(text(property.text)).text("` is violated by ");
    match by {
        Some((event, _)) => names(&mut message, event.point, event.what & 0xff),
        None => _ = message.text("the end of the run"),
    }
    let last = events(&mut message, history, number);
    // The caller is responsible for a call, the function itself for its return.
    let place = match by {
        Some((event, place)) if event.what >> 8 & 1 == 1 && !property.is_expected => at(left).or(at(place)),
        Some((_, place)) => at(place),
        None => at(last),
    };
    let is_known = place.is_some() || by.is_none();
    // Without any event, only the property has a place.
    let (file, line, function) = place.map_or((text(property.file), property.line, text(spec.name)), |place| {
        (text(place.file), place.line, text(place.function))
    });
    failure::violation(message.as_str(), file, if is_known { line } else { 0 }, function)
}

/// Writes the last events of an object, and returns the place of the last one.
fn events(message: &mut Message, history: &History, number: usize) -> *const Place {
    let mut shown = [0_u64; MAX_SHOWN];
    let mut n = 0;
    let mut next = history.last[number];
    while let Some(number) = next.checked_sub(1) {
        // Older events were overwritten.
        if n == MAX_SHOWN || number + (MAX_EVENTS as u64) < history.n {
            break;
        }
        shown[n] = number;
        n += 1;
        next = history.events[number as usize % MAX_EVENTS].previous;
    }
    let mut last = ptr::null();
    for (k, number) in shown[..n].iter().rev().enumerate() {
        let event = &history.events[*number as usize % MAX_EVENTS];
        message.text(if k > 0 { ", " } else { "; events: " }).text(if k == 0 && next > 0 { "…, " } else { "" });
        happened(message, event);
        last = event.place;
    }
    last
}

/// Writes for example `send (x.c:9: n = 5)`.
fn happened(message: &mut Message, event: &Happened) {
    names(message, event.point, event.bits);
    if event.count > 1 {
        message.text(" ×").number(event.count.into());
    }
    // SAFETY: points and places are constants of the program.
    let (point, place) = unsafe { (&*event.point, event.place.as_ref()) };
    let place = place.filter(|place| place.line > 0);
    let n_values = (point.n_values as usize).min(MAX_VALUES);
    if place.is_none() && n_values == 0 {
        return;
    }
    message.text(" (");
    let mut separator = "";
    if let Some(place) = place {
        let file = text(place.file);
        let name = file.rfind('/').map_or(file, |at| &file[at + 1..]);
        message.text(name).text(":").number(place.line.into());
        separator = ": ";
    }
    for (k, value) in event.values[..n_values].iter().enumerate() {
        // SAFETY: the point has this number of values.
        let name = text(unsafe { *point.values.add(k) });
        let (kind, name) = name.split_at(name.len().min(1));
        message.text(separator).text(name).text(" = ");
        if kind == "d" {
            message.signed(*value as i64)
        } else {
            message.number(*value)
        };
        separator = ", ";
    }
    message.text(")");
}

/// Writes the names of the propositions that hold.
fn names(message: &mut Message, point: *const Point, bits: u32) {
    let mut separator = "";
    for bit in (0..8).filter(|bit| bits >> bit & 1 == 1) {
        // SAFETY: points are constants of the harness and have a name for each bit.
        let name = text(unsafe { *(*point).propositions.add(bit) });
        message.text(separator).text(name);
        separator = " & ";
    }
}

fn text<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: the strings are constants of the program.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("?")
}
