//! Input maps of memory: by access path, and through JSON and back.

mod common;
mod memory;

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use memory::{Cell, Memory, handler, int, into, null, pad, raw, to};
use tine_types::InputMap;
use tine_types::map::{ObjectId, Untouched};

const LIST: &str = "struct list { int v; struct list *next; };";

fn node(v: i32, next: Cell) -> [Cell; 3] {
    [int(v), pad(4), next]
}

#[track_caller]
fn check(memory: &Memory, expected: &Expect) {
    let map = memory.map(Untouched::Hide);
    expected.assert_eq(&map.lines().join("\n"));
    let json = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<InputMap>(&json).unwrap(), map, "{json}");
    // The untyped JSON tree supports fewer numbers.
    let tree: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<InputMap>(tree).unwrap(), map, "{json}");
}

#[test]
fn a_node_that_is_its_own_next() {
    let source = format!("{LIST} int f(struct list *p, int x) {{ return 0; }}");
    let memory = Memory::of(&source).root(&[to(0)]).root(&[int(5)]).object("struct list", &node(3, to(0)));
    check(
        &memory,
        &expect![[r#"
        p->v = 3
        p->next = p
        x = 5"#]],
    );
    assert_eq!(memory.map(Untouched::Hide).to_string(), "p->v = 3, p->next = p, x = 5");
}

#[test]
fn sharing_and_cycles() {
    let source = format!("{LIST} int f(struct list *p, struct list *q, struct list *r) {{ return 0; }}");
    let memory = Memory::of(&source)
        .root(&[to(0)])
        .root(&[to(0)])
        .root(&[to(2)])
        .object("struct list", &node(1, to(1)))
        .object("struct list", &node(2, to(2)))
        .object("struct list", &node(3, to(0)));
    // A cycle of three nodes that all parameters point into. The path from `r` to its node is the shorter one.
    check(
        &memory,
        &expect![[r#"
        p->v = 1
        p->next->v = 2
        p->next->next = r
        q = p
        r->v = 3
        r->next = p"#]],
    );
}

#[test]
fn doubly_linked_list() {
    let source = "struct d { struct d *prev; int v; struct d *next; }; void f(struct d *p) {}";
    let d = |prev, v, next| [prev, int(v), pad(4), next];
    let memory = Memory::of(source)
        .root(&[to(0)])
        .object("struct d", &d(null(), 1, to(1)))
        .object("struct d", &d(to(0), 2, to(2)))
        .object("struct d", &d(to(1), 3, null()));
    check(
        &memory,
        &expect![[r#"
        p->prev = NULL
        p->v = 1
        p->next->prev = p
        p->next->v = 2
        p->next->next->prev = p->next
        p->next->next->v = 3
        p->next->next->next = NULL"#]],
    );
}

#[test]
fn trees() {
    let source = "struct t { struct t *l, *r, *up; short key; }; void f(struct t **root) {}";
    let t = |l, r, up, key: i16| [l, r, up, raw(&key.to_le_bytes()), pad(6)];
    let memory = Memory::of(source)
        .root(&[to(0)])
        .object("struct t *", &[to(1)])
        .object("struct t", &t(to(2), to(3), null(), 5))
        .object("struct t", &t(null(), null(), to(1), -3))
        .object("struct t", &t(null().untouched(), to(1), to(1).untouched(), 8));
    check(
        &memory,
        &expect![[r#"
        (*root)->l->l = NULL
        (*root)->l->r = NULL
        (*root)->l->up = *root
        (*root)->l->key = -3
        (*root)->r->r = *root
        (*root)->r->key = 8
        (*root)->up = NULL
        (*root)->key = 5"#]],
    );
}

#[test]
fn arrays_of_structs() {
    let source = "struct pair { int a; char b; }; int f(struct pair *p, struct pair *q, int *n) { return 0; }";
    let pair = |a: i32, b: &[u8]| [int(a), raw(b), pad(3)];
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[into(0, 8)])
        .root(&[into(0, 16)])
        .object("struct pair", &[pair(1, b"x"), pair(2, b"'").map(Cell::untouched), pair(3, b"\xff")].concat());
    check(
        &memory,
        &expect![[r#"
        p[0].a = 1
        p[0].b = 'x' (120)
        p[2].a = 3
        p[2].b = '\xff' (-1)
        q = p + 1
        n = &p[2].a"#]],
    );
}

#[test]
fn as_many_elements_as_were_read_or_pointed_into() {
    let source = "int f(int *a, int *b, int *c, int *d) { return 0; }";
    let cells = |read: &[i32]| {
        let mut cells: Vec<Cell> = read.iter().map(|value| int(*value)).collect();
        cells.push(pad(40 - 4 * cells.len()));
        cells
    };
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[to(1)])
        .root(&[to(2)])
        .root(&[into(2, 12)])
        .object("int", &cells(&[1, 2, 3]))
        .object("int", &cells(&[7]))
        .object("int", &cells(&[]));
    check(
        &memory,
        &expect![[r#"
        a[0] = 1
        a[1] = 2
        a[2] = 3
        *b = 7
        c = new int[4]
        d = c + 3"#]],
    );
    let count = |map: &InputMap, id| map.object(ObjectId(id)).unwrap().count();
    let hidden = memory.map(Untouched::Hide);
    assert_eq!([0, 1, 2].map(|id| count(&hidden, id)), [3, 1, 4]);
    let shown = memory.map(Untouched::Show);
    assert_eq!([0, 1, 2].map(|id| count(&shown, id)), [3, 1, 4]);
    expect!["a[0] = 1, a[1] = 2, a[2] = 3, *b = 7, c[0] = -1431655766, c[1] = -1431655766, c[2] = -1431655766, c[3] = -1431655766, d = c + 3"].assert_eq(&shown.to_string());
}

#[test]
fn structs_by_value() {
    let source = "struct in { int x; short a[3]; }; struct out { char c; struct in in; struct in ins[2]; };
         int f(struct out o, _Bool b, unsigned long u, __int128 w, float g, double d, enum e { RED = 3, BLUE = -1 } e,
               enum e e2) { return 0; }";
    let shorts = |values: [i16; 3]| raw(&values.map(i16::to_le_bytes).concat());
    let inner = |x, a| [int(x), shorts(a), pad(2)];
    let memory = Memory::of(source)
        .root(
            &[
                &[raw(b"c"), pad(3)][..],
                &inner(1, [2, 3, 4]),
                &inner(5, [6, 7, 8]),
                &inner(9, [0; 3]).map(Cell::untouched),
            ]
            .concat(),
        )
        .root(&[raw(&[1])])
        .root(&[raw(&u64::MAX.to_le_bytes())])
        .root(&[raw(&i128::MIN.to_le_bytes())])
        .root(&[raw(&0.1f32.to_le_bytes())])
        .root(&[raw(&3.0f64.to_le_bytes())])
        .root(&[int(-1)])
        .root(&[int(7)]);
    check(
        &memory,
        &expect![[r#"
        o.c = 'c' (99)
        o.in.x = 1
        o.in.a[0] = 2
        o.in.a[1] = 3
        o.in.a[2] = 4
        o.ins[0].x = 5
        o.ins[0].a[0] = 6
        o.ins[0].a[1] = 7
        o.ins[0].a[2] = 8
        b = true
        u = 18446744073709551615
        w = -170141183460469231731687303715884105728
        g = 0x1.99999ap-4 (0.1)
        d = 0x1.8p+1 (3.0)
        e = BLUE
        e2 = 7"#]],
    );
}

#[test]
fn unions() {
    let source = "struct list { int v; };
         struct s { int kind; union { char c; int i; struct list *l; struct { short lo, hi; }; }; union { char c; short h; } u; };
         void f(struct s a, struct s b, struct s c) {}";
    let value = |kind, bytes: Cell, u: Cell| [int(kind), pad(4), bytes, u, pad(6)];
    let memory = Memory::of(source)
        // Only the first byte was read, then four, then all: then the list is visible.
        .root(&[&value(1, raw(b"x"), pad(7))[..2], &[raw(b"x"), pad(7), raw(b"y"), pad(7)]].concat())
        .root(&[&value(2, int(7), pad(4))[..2], &[int(7), pad(4), raw(&[1, 2]), pad(6)]].concat())
        .root(&value(3, to(0), pad(2)))
        .object("struct list", &[int(9)]);
    check(
        &memory,
        &expect![[r#"
        a.kind = 1
        a.c = 'x' (120)
        a.u.c = 'y' (121)
        b.kind = 2
        b.i = 7
        b.u.h = 513
        c.kind = 3
        c.l->v = 9"#]],
    );
    // In one of them no member covers the part that was read.
    let source = "union u { char c; short h[2]; struct { int a, b; } s; char tail[9]; }; union v { char c; int :24; };
         struct w { union { char d; int :24; }; }; void f(union u u, union v v, struct w w) {}";
    let memory =
        Memory::of(source).root(&[raw(b"abcdefghi"), pad(3)]).root(&[raw(&[1, 2, 3])]).root(&[raw(&[1, 2, 3])]);
    check(
        &memory,
        &expect![[r#"
        u.tail[0] = 'a' (97)
        u.tail[1] = 'b' (98)
        u.tail[2] = 'c' (99)
        u.tail[3] = 'd' (100)
        u.tail[4] = 'e' (101)
        u.tail[5] = 'f' (102)
        u.tail[6] = 'g' (103)
        u.tail[7] = 'h' (104)
        u.tail[8] = 'i' (105)
        v.<union> = bytes "\x01\x02\x03"
        v.c = '\x01' (1)
        w.<union> = bytes "\x01\x02\x03"
        w.d = '\x01' (1)"#]],
    );
}

#[test]
fn bit_fields() {
    let source =
        "struct flags { unsigned a:3; int b:5; long c:40; int :4; _Bool d:1; enum { LOW, HIGH } e:2; char z; };
         void f(struct flags f) {}";
    // a = 5, b = -1, c = -2, d = 1, e = HIGH
    let bits = 5u64 | 31 << 3 | 0xff_ffff_fffe << 8 | 1 << 52 | 1 << 53;
    let memory = Memory::of(source).root(&[raw(&bits.to_le_bytes()[..7]), raw(b"z")]);
    check(
        &memory,
        &expect![[r#"
        f.a = 5
        f.b = -1
        f.c = -2
        f.d = true
        f.e = HIGH
        f.z = 'z' (122)"#]],
    );
}

#[test]
fn strings() {
    let source = "struct s { char *name; char own[6]; char rest[2]; };
         int f(struct s *s, char **argv, char *tail, char *raw, char *far) { return 0; }";
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[to(2)])
        .root(&[into(1, 1)])
        .root(&[to(5)])
        .root(&[into(6, 2)])
        .object("struct s", &[to(1), raw(b"own\0\0\0"), raw(b"xy")])
        .text(&[raw(b"ab\0"), pad(5)])
        .object("char *", &[to(3), to(4), null(), pad(16)])
        .text(&[raw(b"-v\0")])
        .text(&[pad(8)])
        .text(&[raw(b"q\0\"z"), pad(4)])
        .text(&[raw(b"later\n\0")]);
    check(
        &memory,
        &expect![[r#"
        s->name = "ab"
        s->own = "own"
        s->rest[0] = 'x' (120)
        s->rest[1] = 'y' (121)
        argv[0] = "-v"
        argv[1] = new char
        argv[2] = NULL
        tail = s->name + 1
        raw = bytes "q\x00\"z"
        far = "later\n" + 2"#]],
    );
}

#[test]
fn functions_and_strange_addresses() {
    let source = "int f(int (*cb)(int), void (*none)(void), int *p, char *q, int *gone) { return 0; }";
    let memory = Memory::of(source)
        .root(&[handler()])
        .root(&[null()])
        .root(&[raw(&0x1234u64.to_le_bytes())])
        .root(&[raw(&u64::MAX.to_le_bytes())])
        // No such object.
        .root(&[to(7)]);
    check(
        &memory,
        &expect![[r#"
        cb = &handler
        none = NULL
        p = 0x1234
        q = 0xffffffffffffffff
        gone = 0x80000"#]],
    );
}

#[test]
fn pointers_into_the_middle() {
    let source = "struct in { short h, k; }; struct s { int n; struct in in; int a[3]; };
         int f(struct s *p, struct in *in, int *third, void *start, short *k, char *byte, struct s *end) { return 0; }";
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[into(0, 4)])
        .root(&[into(0, 16)])
        .root(&[into(0, 0)])
        .root(&[into(0, 6)])
        .root(&[into(0, 9)])
        .root(&[into(0, 20)])
        .object("struct s", &[int(1), raw(&[2, 0]), pad(14)]);
    check(
        &memory,
        &expect![[r#"
        p->n = 1
        p->in.h = 2
        in = &p->in
        third = &p->a[2]
        start = p
        k = &p->in.k
        byte = (char *)&p->a[0] + 1
        end = p + 1"#]],
    );
}

#[test]
fn objects_that_only_their_inside_leads_to() {
    let source = "struct link { struct link *next; }; struct s { int n; struct link link; } s;
         int f(struct link *head, int *last, int *other, int o1) { return 0; }";
    let item = |n, next| [int(n), pad(4), next];
    let memory = Memory::of(source)
        .root(&[into(1, 8)])
        .root(&[into(3, 8)])
        .root(&[into(3, 4)])
        .root(&[int(0)])
        .object("int", &[])
        .object("struct s", &item(1, into(2, 8)))
        .object("struct s", &item(2, into(1, 8)))
        .object("int", &[int(10), int(11), int(12)]);
    check(
        &memory,
        &expect![[r#"
        head = &_o1.link
        _o1.n = 1
        _o1.link.next = &o2.link
        o2.n = 2
        o2.link.next = &_o1.link
        last[-2] = 10
        last[-1] = 11
        last[0] = 12
        other = last - 1
        o1 = 0"#]],
    );
}

#[test]
fn bytes_of_no_type() {
    let source = "struct hidden; int f(void *p, void *q, struct hidden *h, void *unread, long double d) { return 0; }";
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[into(0, 3)])
        .root(&[to(1)])
        .root(&[to(2)])
        .root(&[raw(&[1; 16])])
        .object("void", &[raw(b"a\0"), pad(14)])
        .object("struct hidden", &[raw(&[1]), pad(15)])
        .object("void", &[pad(16)]);
    check(
        &memory,
        &expect![[r#"
        p = bytes "a\x00\xaa\xaa"
        q = p + 3
        h = bytes "\x01"
        unread = new bytes
        d = bytes "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01""#]],
    );
}

#[test]
fn flexible_arrays() {
    let source = "struct m { int n; short v[]; }; struct t { int n; char s[0]; };
         int f(struct m *m, short *second, struct t *t, int n, int rows[n][n]) { return 0; }";
    let memory = Memory::of(source)
        .root(&[to(0)])
        .root(&[into(0, 6)])
        .root(&[to(1)])
        .root(&[int(2)])
        .root(&[to(2)])
        .object("struct m", &[int(3), raw(&[1, 0, 2, 0, 3, 0]), pad(6)])
        .object("struct t", &[int(3), raw(b"ab\0"), pad(9)])
        .object("int[]", &[int(5), int(6), pad(8)]);
    check(
        &memory,
        &expect![[r#"
        m->n = 3
        m->v[0] = 1
        m->v[1] = 2
        m->v[2] = 3
        second = &m->v[1]
        t->n = 3
        t->s = "ab"
        n = 2
        (*rows)[0] = 5
        (*rows)[1] = 6"#]],
    );
}

#[test]
fn untouched_objects_are_there_all_the_same() {
    let source = format!("{LIST} int f(struct list *p, struct list *q, struct list *r) {{ return 0; }}");
    let memory = Memory::of(&source)
        .root(&[to(0)])
        .root(&[to(0)])
        .root(&[to(1)])
        .object("struct list", &node(0, null()).map(Cell::untouched))
        .object("struct list", &[int(0).untouched(), pad(4), to(2)])
        .object("struct list", &node(8, null()).map(Cell::untouched));
    check(
        &memory,
        &expect![[r#"
        p = new struct list
        q = p
        r->next = new struct list"#]],
    );
    expect!["p->v = 0, p->next = NULL, q = p, r->v = 0, r->next->v = 8, r->next->next = NULL"]
        .assert_eq(&memory.map(Untouched::Show).to_string());
}

#[test]
fn long_lists() {
    let source = format!("{LIST} int f(struct list *p) {{ return 0; }}");
    let mut memory = Memory::of(&source).root(&[to(0)]);
    for index in 0..2000 {
        memory = memory.object("struct list", &node(1, to((index + 1) % 2000)));
    }
    let lines = memory.map(Untouched::Hide).lines();
    assert_eq!(lines.len(), 2001);
    assert_eq!(lines[2000], format!("p{} = p", "->next".repeat(2000)));
}

/// Each cell has its line, except for the pointers that name an object. All paths differ.
#[test]
fn any_graph_is_told_completely() {
    let source = "struct t { struct t *l, *r; long v; }; void f(struct t *p, struct t *q) {}";
    let empty = Memory::of(source);
    let mut state = 7u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    for _ in 0..200 {
        let n_objects = 1 + below(15);
        let mut pointer = || if below(4) == 0 { null() } else { to(below(n_objects)) };
        let mut memory = empty.clone().root(&[pointer()]).root(&[pointer()]);
        for _ in 0..n_objects {
            memory = memory.object("struct t", &[pointer(), pointer(), raw(&[0; 8])]);
        }
        let map = memory.map(Untouched::Hide);
        let lines = map.lines();
        assert_eq!(lines.len(), 2 + 3 * map.objects.len() - map.objects.len(), "{map}");
        let paths: BTreeSet<&str> = lines.iter().filter_map(|line| line.split(" = ").next()).collect();
        assert_eq!(paths.len(), lines.len(), "{map}");
    }
}

#[test]
fn json() {
    let source = format!("{LIST} int f(struct list *p, char *s, int *end) {{ return 0; }}");
    let memory = Memory::of(&source)
        .root(&[to(0)])
        .root(&[to(1)])
        .root(&[into(2, 4)])
        .object("struct list", &node(3, to(0)))
        .text(&[raw(b"ab\0")])
        .object("int", &[int(1)]);
    expect![[r#"
        {
          "roots": [
            {
              "name": "p",
              "type": "struct list *",
              "value": {
                "pointer": {
                  "object": 0
                }
              }
            },
            {
              "name": "s",
              "type": "char *",
              "value": {
                "pointer": {
                  "object": 1
                }
              }
            },
            {
              "name": "end",
              "type": "int *",
              "value": {
                "pointer": {
                  "object": 2,
                  "offset": 4,
                  "element": 1
                }
              }
            }
          ],
          "objects": [
            {
              "id": 0,
              "element": "struct list",
              "elements": [
                {
                  "struct": [
                    {
                      "name": "v",
                      "value": {
                        "int": 3
                      }
                    },
                    {
                      "name": "next",
                      "value": {
                        "pointer": {
                          "object": 0
                        }
                      }
                    }
                  ]
                }
              ]
            },
            {
              "id": 1,
              "element": "char",
              "elements": [
                {
                  "text": "ab"
                }
              ]
            },
            {
              "id": 2,
              "element": "int",
              "elements": [
                {
                  "int": 1
                }
              ]
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&memory.map(Untouched::Hide)).unwrap());
}
