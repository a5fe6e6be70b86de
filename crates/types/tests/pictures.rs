//! Pictures of maps: dot as text, and properties that every SVG must have.

mod common;
mod memory;

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use memory::{Memory, handler, int, into, null, pad, raw, to};
use roxmltree::{Document, Node};
use tine_types::InputMap;
use tine_types::map::{Member, Object, ObjectId, Pointer, Root, Untouched, Value};

/// Sharing, a cycle, a self-loop, a string, NULL, interior pointers, unread cells.
fn sample() -> InputMap {
    let source = "struct list { int v; struct list *next; }; struct pair { char *name; int a[2]; };
         int f(struct list *p, struct list *q, struct pair *pairs, int *second, struct list **none,
               void (*cb)(int), struct pair by_value) { return 0; }";
    let node = |v, next| [int(v), pad(4), next];
    Memory::of(source)
        .root(&[to(0)])
        .root(&[to(1)])
        .root(&[to(2)])
        .root(&[into(2, 28)])
        .root(&[to(4)])
        .root(&[handler()])
        .root(&[null(), int(-1), int(2).untouched()])
        .object("struct list", &node(1, to(1)))
        .object("struct list", &node(2, to(1)))
        .object("struct pair", &[to(3), int(3), int(4), to(3), int(5), int(6)])
        .text(&[raw(b"<a> & \"b\" {|}\n\0")])
        .object("struct list *", &[to(0).untouched()])
        .map(Untouched::Hide)
}

#[test]
fn dot() {
    expect![[r#"
        digraph input {
          rankdir=LR;
          node [shape=record, fontname="monospace"];
          input [label="<title> input|<r0> p|<r1> q|<r2> pairs|<r3> second → [1].a[1]|<r4> none|<r5> cb = &amp;handler|<r6> by_value.name = NULL|<r7> by_value.a[0] = -1"];
          object0 [label="<title> struct list|<r0> v = 1|<r1> next"];
          object1 [label="<title> struct list|<r0> v = 2|<r1> next"];
          object2 [label="<title> struct pair[2]|<r0> [0].name|<r1> [0].a[0] = 3|<r2> [0].a[1] = 4|<r3> [1].name|<r4> [1].a[0] = 5|<r5> [1].a[1] = 6"];
          object4 [label="<title> struct list *|<r0> not read"];
          object3 [label="<title> char[15]|<r0> \"\<a\> &amp; \\\"b\\\" \{\|\}\\n\""];
          input:r0 -> object0:title;
          input:r1 -> object1:title;
          input:r2 -> object2:title;
          input:r3 -> object2:r5;
          input:r4 -> object4:title;
          object0:r1 -> object1:title;
          object1:r1 -> object1:title;
          object2:r0 -> object3:title;
          object2:r3 -> object3:title;
        }
    "#]].assert_eq(&sample().to_dot());
}

#[test]
fn svg() {
    check(&sample());
    assert_eq!(sample().to_svg(), sample().to_svg());
    check(&InputMap::default());
}

#[test]
fn svg_shows_cells_and_marks_null() {
    let svg = sample().to_svg();
    let document = Document::parse(&svg).unwrap();
    let labels = |class: &str| -> Vec<&str> {
        let wanted = |node: &Node<'_, '_>| node.has_tag_name("text") && node.attribute("class") == Some(class);
        document.descendants().filter(wanted).filter_map(|node| node.text()).collect()
    };
    assert_eq!(labels("name"), ["input", "struct list", "struct list", "struct pair[2]", "struct list *", "char[15]"]);
    assert_eq!(labels("null"), ["by_value.name = NULL"]);
    assert_eq!(labels("untouched"), ["not read"]);
    expect![[r#"
        p
        q
        pairs
        second → [1].a[1]
        none
        cb = &handler
        by_value.a[0] = -1
        v = 1
        next
        v = 2
        next
        [0].name
        [0].a[0] = 3
        [0].a[1] = 4
        [1].name
        [1].a[0] = 5
        [1].a[1] = 6
        "<a> & \"b\" {|}\n""#]]
    .assert_eq(&labels("cell").join("\n"));
}

/// Lists of objects with random pointers, from isolated nodes to dense graphs.
#[test]
fn svg_of_any_graph() {
    let mut state = 1u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    for round in 0..60 {
        let n_objects = 1 + below(12);
        let mut value = |out_of: u64| match below(out_of) {
            0 => Value::Null,
            1 => Value::Int(i128::from(below(1000))),
            _ => Value::Pointer(Pointer {
                object: ObjectId(below(n_objects) as u32),
                offset: 0,
                element: below(3),
                steps: Vec::new(),
                rest: 0,
            }),
        };
        let mut fields = |count: u64| -> Value {
            let member = |index| Member { name: Some(format!("m{index}")), value: value(5) };
            Value::Struct((0..count).map(member).collect())
        };
        let objects = (0..n_objects).map(|id| Object {
            id: ObjectId(id as u32),
            element: "struct s".to_owned(),
            elements: (0..1 + id % 3).map(|_| fields(1 + id % 4)).collect(),
        });
        let map = InputMap {
            placements: Vec::new(),
            objects: objects.collect(),
            roots: vec![Root { name: "p".to_owned(), ty: "struct s".to_owned(), value: fields(1 + round % 5) }],
        };
        check(&map);
        // A map that was not decoded may have unreachable objects.
        assert!(map.lines().len() < 500);
    }
}

/// Checks that every object has one box and every pointer one arrow, which ends at the boxes it connects, that boxes do
/// not overlap, and that everything is inside the picture.
#[track_caller]
fn check(map: &InputMap) {
    let svg = map.to_svg();
    let document = Document::parse(&svg).unwrap_or_else(|why| panic!("{why}\n{svg}"));
    let root = document.root_element();
    let view: Vec<f64> = root.attribute("viewBox").unwrap().split(' ').map(|part| part.parse().unwrap()).collect();
    let picture = Rect { x: 0.0, y: 0.0, width: view[2], height: view[3] };

    let mut boxes = BTreeMap::new();
    for group in document.descendants().filter(|node| node.has_tag_name("g")) {
        let name = group.attribute("data-object").unwrap_or("input").to_owned();
        let rect = group.children().find(|node| node.attribute("class") == Some("box")).unwrap();
        assert!(boxes.insert(name, Rect::of(&rect)).is_none(), "{svg}");
    }
    let expected: BTreeSet<String> =
        map.objects.iter().map(|object| object.id.0.to_string()).chain(["input".to_owned()]).collect();
    assert_eq!(boxes.keys().cloned().collect::<BTreeSet<_>>(), expected);
    for (name, rect) in &boxes {
        assert!(picture.holds((rect.x, rect.y)) && picture.holds((rect.x + rect.width, rect.y + rect.height)), "{svg}");
        for (other, second) in &boxes {
            assert!(name == other || !rect.overlaps(second), "{name} and {other} overlap: {svg}");
        }
    }

    let mut drawn = Vec::new();
    for path in document.descendants().filter(|node| node.attribute("class") == Some("pointer")) {
        let end = |name: &str| path.attribute(name).unwrap().to_owned();
        let points = points(path.attribute("d").unwrap());
        assert!(points.iter().all(|point| picture.holds(*point)), "{svg}");
        assert!(boxes[&end("data-from")].has_on_edge(points[0]), "{svg}");
        assert!(boxes[&end("data-to")].has_on_edge(*points.last().unwrap()), "{svg}");
        drawn.push((end("data-from"), end("data-to")));
    }
    let mut pointers = Vec::new();
    for root in &map.roots {
        collect(&root.value, "input", &mut pointers);
    }
    for object in &map.objects {
        object.elements.iter().for_each(|value| collect(value, &object.id.0.to_string(), &mut pointers));
    }
    drawn.sort();
    pointers.sort();
    assert_eq!(drawn, pointers);
}

fn collect(value: &Value, from: &str, pointers: &mut Vec<(String, String)>) {
    match value {
        Value::Pointer(pointer) => pointers.push((from.to_owned(), pointer.object.0.to_string())),
        Value::Struct(members) => members.iter().for_each(|member| collect(&member.value, from, pointers)),
        Value::Union { member, .. } => collect(&member.value, from, pointers),
        Value::Array(values) => values.iter().for_each(|value| collect(value, from, pointers)),
        _ => {}
    }
}

#[derive(Clone, Copy, Debug)]
struct Rect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Rect {
    fn of(node: &Node<'_, '_>) -> Rect {
        let number = |name: &str| node.attribute(name).unwrap().parse().unwrap();
        Rect { x: number("x"), y: number("y"), width: number("width"), height: number("height") }
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.x..=self.x + self.width).contains(&x) && (self.y..=self.y + self.height).contains(&y)
    }

    fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    fn has_on_edge(&self, (x, y): (f64, f64)) -> bool {
        // Numbers are written with one decimal.
        let near = |edge: f64| (edge - x).abs() < 0.2;
        (near(self.x) || near(self.x + self.width)) && (self.y..=self.y + self.height).contains(&y)
    }
}

/// All points of a path, including control points.
fn points(path: &str) -> Vec<(f64, f64)> {
    let point = |text: &str| {
        let (x, y) = text.trim_start_matches(['M', 'C', 'L', 'Q']).split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    path.split(' ').map(point).collect()
}
