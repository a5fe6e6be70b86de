//! Output of `tine types` for C code.

mod common;

use common::{compile, object};
use expect_test::{Expect, expect};
use tine_types::{Program, Selection, dwarf};

const SOURCE: &str = "\
typedef unsigned long size;
struct hidden;
enum level { LOW = -3, HIGH = 1000 };
typedef enum { ON, OFF } state;
typedef int (*compare)(const void *, const void *);
struct list { int v; struct list *next; };
struct value {
    unsigned a:3; long b:40; const enum level level;
    union { float f; struct { short lo, hi; }; };
    struct { _Bool set; double d[2]; } in[3], *there;
    compare cmp; void (*log)(const char *, ...);
    struct hidden *h;
    char rest[];
};
static struct { int x; } local;
state now;
int insert(struct list *l, int v) { return local.x; }
static int *find(const struct value *value, size n, long double d, _BitInt(37) b) { return 0; }
int (*use)(void) = (int (*)(void))find;
";

#[track_caller]
fn text(name: Option<&str>, expected: &Expect) {
    let program = compile("unit.c", SOURCE, &[]);
    expected.assert_eq(&select(&program, name).text());
}

fn select<'p>(program: &'p Program, name: Option<&str>) -> Selection<'p> {
    match name {
        Some(name) => Selection::named(program, name).expect("it is there"),
        None => Selection::all(program),
    }
}

#[test]
fn everything() {
    text(
        None,
        &expect![[r#"
            int insert(struct list *l, int v)    unit.c:17
            static int *find(const struct value *value, size n, long double d, _BitInt(37) b)    unit.c:18
            int (*use)(void)    unit.c:19
            static struct {…} local    unit.c:15
                 0  int x
            state now    unit.c:16

            typedef enum {…} state (4 bytes)
                    ON = 0
                    OFF = 1

            enum level (4 bytes, int)
                    LOW = -3
                    HIGH = 1000

            typedef unsigned long size (8 bytes)

            struct list (16 bytes)
                 0  int v
                 8  struct list *next

            struct value (120 bytes)
               0.0  unsigned int a:3
               0.3  long b:40
                 8  const enum level level
                12  union {…}
                12    float f
                12    struct {…}
                12      short lo
                14      short hi
                16  struct {…} in[3]
                +0    _Bool set
                +8    double d[2]
                88  struct {…} *there
                +0    _Bool set
                +8    double d[2]
                96  compare cmp
               104  void (*log)(const char *, ...)
               112  struct hidden *h
               120  char rest[]

            typedef int (*compare)(const void *, const void *) (8 bytes)

            struct hidden (opaque)

            int (4 bytes, signed integer)
            long double (16 bytes, not supported)
            _BitInt(37) (8 bytes, signed integer of 37 bits)
            unsigned int (4 bytes, unsigned integer)
            long (8 bytes, signed integer)
            char (1 byte, signed character)
            _Bool (1 byte, truth value)
            double (8 bytes, floating point)
            float (4 bytes, floating point)
            short (2 bytes, signed integer)
            unsigned long (8 bytes, unsigned integer)
        "#]],
    );
}

#[test]
fn a_function_and_what_it_reaches() {
    text(
        Some("insert"),
        &expect![[r#"
        int insert(struct list *l, int v)    unit.c:17

        struct list (16 bytes)
             0  int v
             8  struct list *next

        int (4 bytes, signed integer)
    "#]],
    );
}

#[test]
fn a_type_and_what_it_reaches() {
    text(
        Some("list"),
        &expect![[r#"
        struct list (16 bytes)
             0  int v
             8  struct list *next

        int (4 bytes, signed integer)
    "#]],
    );
    text(
        Some("enum level"),
        &expect![[r#"
        enum level (4 bytes, int)
                LOW = -3
                HIGH = 1000

        int (4 bytes, signed integer)
    "#]],
    );
    text(
        Some("hidden"),
        &expect![[r#"
        struct hidden (opaque)
    "#]],
    );
    text(
        Some("state"),
        &expect![[r#"
        typedef enum {…} state (4 bytes)
                ON = 0
                OFF = 1

        unsigned int (4 bytes, unsigned integer)
    "#]],
    );
}

#[test]
fn names_that_are_not_there() {
    let program = compile("unit.c", SOURCE, &[]);
    assert!(Selection::named(&program, "lits").is_none());
    assert!(Selection::named(&program, "union list").is_none());
    assert_eq!(program.nearest_names("lits"), ["list"]);
    assert_eq!(program.nearest_names("struct lits"), ["list"]);
    assert_eq!(program.nearest_names("isnert"), ["insert"]);
    assert_eq!(program.nearest_names("sise"), ["size"]);
    assert!(program.nearest_names("completely_else").is_empty());
}

#[test]
fn a_header_of_two_files_is_told_once() {
    let header = "struct s { int x; };";
    let mut program = compile("one.c", &format!("{header} int f(struct s *s) {{ return 0; }}"), &[]);
    dwarf::read_into(&mut program, &object("two.c", &format!("{header} int g(struct s *s) {{ return 0; }}"), &[]))
        .unwrap();
    expect![[r#"
        int f(struct s *s)    one.c:1
        int g(struct s *s)    two.c:1

        struct s (4 bytes)
             0  int x

        int (4 bytes, signed integer)
    "#]]
    .assert_eq(&Selection::all(&program).text());
}

#[test]
fn what_headers_define_can_be_left_out() {
    let source = "struct used { int x; }; struct theirs { char *s; }; struct loose { float f; };
        # 1 \"system.h\"
        static int other(struct used *u, struct theirs *t) { return 0; } struct theirs them;
        # 1 \"unit.c\"
        int f(struct used *u) { return ((struct loose *)u)->f + other(u, 0); }";
    let program = compile("unit.c", source, &[]);
    expect![[r#"
        int f(struct used *u)    unit.c:1

        struct loose (4 bytes)
             0  float f

        struct used (4 bytes)
             0  int x

        int (4 bytes, signed integer)
        float (4 bytes, floating point)
    "#]]
    .assert_eq(&Selection::all(&program).without(|file| file == "system.h").text());
}

fn json(source: &str, name: &str) -> String {
    Selection::named(&compile("unit.c", source, &[]), name).expect("it is there").json()
}

#[test]
fn a_recursive_type_as_json() {
    expect![[r#"
        {
          "version": 1,
          "functions": [
            {
              "name": "insert",
              "declaration": "int insert(struct list *l, int v)",
              "file": "unit.c",
              "line": 17,
              "external": true,
              "params": [
                {
                  "name": "l",
                  "type": 6
                },
                {
                  "name": "v",
                  "type": 7
                }
              ],
              "returns": 7,
              "variadic": false,
              "prototyped": true,
              "has_code": true
            }
          ],
          "variables": [],
          "types": [
            {
              "id": 7,
              "c": "int",
              "name": "int",
              "size": 4,
              "kind": "int",
              "signed": true,
              "bits": 32
            },
            {
              "id": 6,
              "c": "struct list *",
              "size": 8,
              "kind": "pointer",
              "to": 13
            },
            {
              "id": 13,
              "c": "struct list",
              "name": "list",
              "size": 16,
              "kind": "struct",
              "members": [
                {
                  "name": "v",
                  "type": 7,
                  "offset": 0
                },
                {
                  "name": "next",
                  "type": 6,
                  "offset": 8
                }
              ]
            }
          ]
        }"#]]
    .assert_eq(&json(SOURCE, "insert"));
}

/// The first type of every kind, one line each.
#[test]
fn every_kind_as_json() {
    let document: serde_json::Value =
        serde_json::from_str(&Selection::all(&compile("unit.c", SOURCE, &[])).json()).unwrap();
    assert_eq!(document["version"], 1);
    let types = document["types"].as_array().unwrap();
    let mut lines = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for ty in types {
        if seen.insert(ty["kind"].as_str().unwrap()) {
            lines.push(ty.to_string());
        }
        assert_eq!(&types[ty["id"].as_u64().unwrap() as usize], ty);
    }
    expect![[r#"
        {"c":"void","id":0,"kind":"void"}
        {"c":"int (*)(void)","id":1,"kind":"pointer","size":8,"to":43}
        {"c":"struct {…}","id":2,"kind":"struct","members":[{"name":"x","offset":0,"type":7}],"size":4}
        {"c":"state","id":3,"kind":"typedef","name":"state","size":4,"to":4}
        {"c":"enum {…}","id":4,"kind":"enum","size":4,"underlying":21,"values":[{"name":"ON","value":0},{"name":"OFF","value":1}]}
        {"bits":32,"c":"int","id":7,"kind":"int","name":"int","signed":true,"size":4}
        {"c":"long double","id":10,"kind":"unsupported","name":"long double","size":16,"what":"long double"}
        {"c":"struct hidden","id":16,"kind":"opaque","name":"hidden","tag":"struct"}
        {"c":"int (const void *, const void *)","id":18,"kind":"function","params":[19,19],"prototyped":true,"returns":7,"variadic":false}
        {"c":"const void","id":20,"kind":"qualified","qualifier":"const","to":0}
        {"c":"union {…}","id":24,"kind":"union","members":[{"name":"f","offset":0,"type":38},{"offset":0,"type":39}],"size":4}
        {"c":"struct {…}[3]","count":3,"element":34,"id":25,"kind":"array","size":72}
        {"c":"char","id":30,"kind":"char","name":"char","signed":true,"size":1}
        {"c":"_Bool","id":35,"kind":"bool","name":"_Bool","size":1}
        {"bits":64,"c":"double","id":37,"kind":"float","name":"double","size":8}"#]].assert_eq(&lines.join("\n"));
    assert_eq!(document["variables"].as_array().unwrap().len(), 3);
    assert_eq!(
        document["functions"][1]["declaration"],
        "int *find(const struct value *value, size n, long double d, _BitInt(37) b)"
    );
}
