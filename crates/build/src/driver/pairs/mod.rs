//! Lengths of arrays that the code implies: in `int sum(const int *values, size_t n)`, `n` is the number of values.
//!
//! ```text
//!   names    (char *buf, size_t buf_len)   `buf_len` names the buffer
//!            (const char *s, size_t len)   `len` follows the pointer
//!   loops    for (i = 0; i < k; i++) … a[i]
//! ```
//! Names count only if the function uses both parameters together. Doubtful pairs are left out, because a wrong length
//! shows errors that no caller can cause.

pub(super) mod tokens;
mod uses;

use tine_types::{Function, Kind, Program, ScalarKind, TypeId};

use uses::Uses;

/// Words for a number of elements or bytes.
const COUNTS: [&str; 14] =
    ["n", "num", "count", "cnt", "len", "length", "size", "sz", "nbytes", "bytes", "nelem", "nelems", "nmemb", "numel"];

/// A pointer parameter and the parameter with the number of its elements, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) pointer: usize,
    pub(super) count: usize,
    /// The function compares the number with constants, as in `if (n < 2)`.
    pub(super) is_tested: bool,
}

/// Reason for a pair, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// The name of the count contains that of the pointer.
    Name,
    /// The count has a usual name and stands next to the pointer.
    Place,
    /// A loop runs over the elements.
    Loop,
}

/// The pairs among the parameters of a function. `source` is the text of its file.
pub(super) fn infer(program: &Program, function: &Function, source: &str) -> Vec<Pair> {
    let named = |index: usize| function.params[index].name.as_deref();
    let is_ambiguous = (0..function.params.len()).any(|index| named(index).is_none());
    if is_ambiguous || function.name == "main" {
        return Vec::new();
    }
    let body = tokens::body(source, function.line);
    let uses = Uses::of(&body);
    let counts: Vec<usize> = (0..function.params.len()).filter(|index| is_count(program, function, *index)).collect();
    let pointers = (0..function.params.len()).filter_map(|index| Some((index, element(program, function, index)?)));
    let pair = |(pointer, element): (usize, Element)| {
        let name = named(pointer)?;
        if !uses.is_array(name) || uses.has_product(name) || uses.is_text(name) {
            return None;
        }
        let reason = |count: &usize| Some((reason(program, function, (pointer, element), *count, &uses)?, *count));
        // A count with the pointer's name is its length, and no other one is.
        let is_named = |count: &&usize| names(named(**count).unwrap_or_default(), name);
        let own: Vec<usize> = counts.iter().filter(is_named).copied().collect();
        let candidates = if own.is_empty() { &counts } else { &own };
        let mut found: Vec<(Reason, usize)> = candidates.iter().filter_map(reason).collect();
        found.sort_unstable();
        let (best, count) = *found.first()?;
        // Two counts of equal standing.
        if found.get(1).is_some_and(|(next, _)| *next == best) {
            return None;
        }
        // A number of bytes is not one of larger elements.
        let is_in_bytes = element == Element::Wide && named(count)?.to_lowercase().contains("byte");
        let is_tested = uses.is_tested(named(count)?);
        (!is_in_bytes).then_some(Pair { pointer, count, is_tested })
    };
    pointers.filter_map(pair).collect()
}

/// Kind of memory that a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Character,
    /// `void`: the count is in bytes.
    Untyped,
    /// Other elements of one byte.
    Byte,
    /// Larger numbers, and pointers.
    Wide,
    Structure,
}

fn element(program: &Program, function: &Function, index: usize) -> Option<Element> {
    let types = &program.types;
    let Kind::Pointer { to } = types.kind(types.strip(function.params[index].ty)) else { return None };
    let to = types.strip(*to);
    match types.kind(to) {
        Kind::Char { .. } => Some(Element::Character),
        Kind::Void => Some(Element::Untyped),
        Kind::Int { bits: 8, .. } | Kind::Bool => Some(Element::Byte),
        Kind::Int { .. } | Kind::Float { .. } | Kind::Enum { .. } | Kind::Pointer { .. } => Some(Element::Wide),
        Kind::Struct { .. } | Kind::Union { .. } if !types.is_stream(to) && types.size(to) > Some(0) => {
            Some(Element::Structure)
        }
        _ => None,
    }
}

fn is_count(program: &Program, function: &Function, index: usize) -> bool {
    let types = &program.types;
    let ty: TypeId = function.params[index].ty;
    let is_enum = matches!(types.kind(types.strip(ty)), Kind::Enum { .. });
    let is_number = |kind| matches!(kind, ScalarKind::Signed | ScalarKind::Unsigned);
    !is_enum && types.scalar(ty).is_some_and(|scalar| is_number(scalar.kind) && (2..=8).contains(&scalar.size))
}

fn reason(
    program: &Program,
    function: &Function,
    (pointer, kind): (usize, Element),
    count: usize,
    uses: &Uses<'_>,
) -> Option<Reason> {
    let name = |index: usize| function.params[index].name.as_deref().unwrap_or_default();
    let is_loop = || uses.is_loop(name(pointer), name(count));
    let is_related = uses.is_related(name(pointer), name(count));
    if names(name(count), name(pointer)) {
        // The index may be compared with another limit, and that one with the length.
        let is_used = is_related || uses.limits(name(pointer)).iter().any(|limit| uses.is_compared(limit, name(count)));
        return is_used.then_some(Reason::Name);
    }
    // A count between two pointers belongs to the first.
    let is_after_another = || count > 0 && element(program, function, count - 1).is_some();
    let is_next = count == pointer + 1 || count + 1 == pointer && !is_after_another();
    let is_usual = COUNTS.contains(&&*plain(name(count)));
    // A structure next to a number is seldom an array.
    let is_shown = if kind == Element::Structure { is_loop() } else { is_related };
    if is_usual && is_next && is_shown {
        return Some(Reason::Place);
    }
    // A limit of characters is not the length of a string.
    (!matches!(kind, Element::Character | Element::Untyped) && is_loop()).then_some(Reason::Loop)
}

/// True if the name of a count contains that of its array: `n_items`, `itemCount` and `num_item` for `items`.
fn names(count: &str, array: &str) -> bool {
    let (count, array) = (plain(count), plain(array));
    let singular = array.strip_suffix('s').unwrap_or(&array);
    let fits = |array: &str| {
        !array.is_empty()
            && COUNTS.iter().any(|word| {
                count.strip_prefix(word).is_some_and(|rest| rest == array)
                    || count.strip_suffix(word).is_some_and(|rest| rest == array)
            })
    };
    fits(&array) || fits(singular)
}

/// A name without capitals and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}
