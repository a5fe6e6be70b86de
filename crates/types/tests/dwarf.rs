//! Types of C code: each snippet is compiled by clang and read back.

mod common;

use std::fmt::Write as _;

use common::{compile, object};
use expect_test::{Expect, expect};
use tine_types::graph::{Kind, Member};
use tine_types::program::Function;
use tine_types::{Program, TypeId, dwarf};

/// Checks the description of `source`: functions, variables, and the types that are named or reachable from there.
fn check(source: &str, expected: &Expect) {
    expected.assert_eq(&show(&compile("unit.c", source, &[])));
}

#[test]
fn scalars() {
    check(
        "void f(_Bool a, char b, signed char c, unsigned char d, short e, unsigned f, long g, unsigned long long h, \
         __int128 i, unsigned __int128 j, float k, double l) {}",
        &expect![[r#"
            void f(_Bool a, char b, signed char c, unsigned char d, short e, unsigned int f, long g, unsigned long long h, __int128 i, unsigned __int128 j, float k, double l) unit.c:1
              a: Bool 1
              b: Char 1
              c: Signed 1
              d: Unsigned 1
              e: Signed 2
              f: Unsigned 4
              g: Signed 8
              h: Unsigned 8
              i: Signed 16
              j: Unsigned 16
              k: Float 4
              l: Float 8
        "#]],
    );
}

#[test]
fn plain_char_of_the_other_sign() {
    let program = compile("unit.c", "void f(char a, signed char b, unsigned char c) {}", &["-funsigned-char"]);
    let kinds: Vec<_> =
        function(&program, "f").params.iter().map(|param| program.types.kind(param.ty).clone()).collect();
    assert_eq!(
        kinds,
        [Kind::Char { signed: false }, Kind::Int { signed: true, bits: 8 }, Kind::Int { signed: false, bits: 8 }]
    );
}

#[test]
fn typedefs_and_qualifiers() {
    check(
        "typedef int number; typedef const number fixed; typedef volatile fixed both;
         void f(both a, _Atomic long b, const char *const c, char *restrict d, _Atomic(int *) e, const void *g) {}",
        &expect![[r#"
            void f(both a, _Atomic long b, const char *const c, char *restrict d, int *_Atomic e, const void *g) unit.c:2
              a: Signed 4
              b: Signed 8
              c: -
              d: -
              e: -
              g: -
            typedef volatile fixed both
            typedef const number fixed
            typedef int number
        "#]],
    );
}

#[test]
fn enums() {
    check(
        "enum level { LOW = -3, NORMAL, HIGH = 1000 };
         enum huge { HUGE_VALUE = 0xffffffffffffffffu };
         enum small { RED, GREEN } __attribute__((packed));
         typedef enum { ON, OFF } state;
         void f(enum level a, enum huge b, enum small c, state d) {}",
        &expect![[r#"
            void f(enum level a, enum huge b, enum small c, state d) unit.c:5
              a: Signed 4
              b: Unsigned 8
              c: Unsigned 1
              d: Unsigned 4
            enum level: int { LOW = -3, NORMAL = -2, HIGH = 1000 }
            enum huge: unsigned long { HUGE_VALUE = 18446744073709551615 }
            enum small: unsigned char { RED = 0, GREEN = 1 }
            enum {…}: unsigned int { ON = 0, OFF = 1 }
            typedef enum {…} state
        "#]],
    );
}

#[test]
fn structs() {
    check(
        "struct point { char tag; int x, y; double weight; };
         struct line { struct point from, to; struct point *middle; };
         int f(struct line l, struct point *p) { return 0; }",
        &expect![[r#"
            int f(struct line l, struct point *p) unit.c:3
              l: -
              p: -
            struct line (56 bytes)
              0 struct point from
              24 struct point to
              48 struct point *middle
            struct point (24 bytes)
              0 char tag
              4 int x
              8 int y
              16 double weight
        "#]],
    );
}

#[test]
fn bit_fields() {
    let bits = "struct flags { unsigned a:3; int b:5; long c:40; int :4; _Bool d:1; char e; };
         struct flags f;";
    let expected = expect![[r#"
        extern struct flags f unit.c:2
        struct flags (8 bytes)
          0.0 unsigned int a:3
          0.3 int b:5
          1.0 long c:40
          6.4 _Bool d:1
          7 char e
    "#]];
    check(bits, &expected);
    // The older encoding of bit-field positions.
    expected.assert_eq(&show(&compile("unit.c", bits, &["-gdwarf-3"])));
}

#[test]
fn anonymous_members_and_unions() {
    check(
        "struct value { int kind; union { int i; float f; struct { short lo, hi; }; }; union { char c; } named; };
         void f(struct value *v) {}",
        &expect![[r#"
            void f(struct value *v) unit.c:2
              v: -
            struct value (12 bytes)
              0 int kind
              4 union {…} <anonymous>
              8 union {…} named
            union {…} (4 bytes)
              0 int i
              0 float f
              0 struct {…} <anonymous>
            union {…} (1 bytes)
              0 char c
            struct {…} (4 bytes)
              0 short lo
              2 short hi
        "#]],
    );
}

#[test]
fn arrays() {
    check(
        "struct text { int len; char bytes[]; };
         struct old { int len; char bytes[0]; };
         int grid[2][3][4]; char name[16]; const char *words[3];
         int f(struct text *t, struct old *o, int row[3], int (*rows)[3], int n, int m[n][n]) { return 0; }",
        &expect![[r#"
            int f(struct text *t, struct old *o, int *row, int (*rows)[3], int n, int (*m)[]) unit.c:4
              t: -
              o: -
              row: -
              rows: -
              n: Signed 4
              m: -
            extern int grid[2][3][4] unit.c:3
            extern char name[16] unit.c:3
            extern const char *words[3] unit.c:3
            struct text (4 bytes)
              0 int len
              4 char bytes[]
            struct old (4 bytes)
              0 int len
              4 char bytes[0]
        "#]],
    );
    let program = compile("unit.c", "int grid[2][3][4];", &[]);
    assert_eq!(program.types.size(program.variable("grid").expect("there").ty), Some(96));
}

#[test]
fn function_pointers() {
    check(
        "typedef int (*compare)(const void *, const void *);
         struct ops { compare cmp; void (*log)(const char *, ...); int (*old)(); int (*(*pick)(int))(char); };
         int (*table[3])(char, int *);
         void f(struct ops *ops, void (*done)(void)) {}",
        &expect![[r#"
            void f(struct ops *ops, void (*done)(void)) unit.c:4
              ops: -
              done: -
            extern int (*table[3])(char, int *) unit.c:3
            struct ops (32 bytes)
              0 compare cmp
              8 void (*log)(const char *, ...)
              16 int (*old)()
              24 int (*(*pick)(int))(char)
            typedef int (*compare)(const void *, const void *)
        "#]],
    );
}

#[test]
fn recursive_and_opaque() {
    check(
        "struct list { int v; struct list *next; };
         struct b; struct a { struct b *b; }; struct b { struct a a; struct a *as[2]; };
         struct hidden; typedef struct hidden *handle;
         void f(struct list *l, struct b *b, handle h, struct hidden **hs) {}",
        &expect![[r#"
            void f(struct list *l, struct b *b, handle h, struct hidden **hs) unit.c:4
              l: -
              b: -
              h: -
              hs: -
            typedef struct hidden *handle
            struct list (16 bytes)
              0 int v
              8 struct list *next
            struct b (24 bytes)
              0 struct a a
              8 struct a *as[2]
            struct a (8 bytes)
              0 struct b *b
            struct hidden;
        "#]],
    );
}

#[test]
fn unsupported() {
    check(
        "typedef int four __attribute__((vector_size(16)));
         void f(long double a, _Complex double b, four c, _BitInt(37) d, _Float16 e) {}",
        &expect![[r#"
            void f(long double a, double _Complex b, four c, _BitInt(37) d, _Float16 e) unit.c:2
              a: <long double> 16
              b: -
              c: <vector of 4 int> 16
              d: -
              e: <_Float16> 2
            typedef struct {…} double _Complex
            typedef <vector of 4 int> four
            struct {…} (16 bytes)
              0 double real
              8 double imag
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "static int helper(int x) { return x; }
         int old(a, b) int a; char b; { return a + b; }
         int anything() { return helper(1); }
         int printf_like(const char *format, ...) { return 0; }
         extern int elsewhere(int);
         void nothing(void) { elsewhere(2); }
         static int used = 1; int exported; extern int imported;
         int *g(void) { return &used + imported; }",
        &expect![[r#"
            int old(int a, char b) unit.c:2 no prototype
              a: Signed 4
              b: Char 1
            int anything() unit.c:3 no prototype
            static int helper(int x) unit.c:1
              x: Signed 4
            int printf_like(const char *format, ...) unit.c:4
              format: -
            void nothing(void) unit.c:6
            int *g(void) unit.c:8
            extern int exported unit.c:7
            static int used unit.c:7
        "#]],
    );
}

#[test]
fn inlined_functions_stand_once() {
    let source = "int other(int);
         static inline int twice(int x, int unused) { return other(2 * x); }
         int keep(int x) { return x + 1; }
         int f(int y) { return twice(y, 0) + twice(y + 1, 0) + keep(y); }";
    let program = compile("unit.c", source, &["-O2"]);
    let all: Vec<_> = program.functions().iter().map(|f| (program.prototype(f), f.has_code)).collect();
    let expected = [("int keep(int x)", true), ("int twice(int x, int unused)", false), ("int f(int y)", true)];
    assert_eq!(all, expected.map(|(text, code)| (text.to_owned(), code)));
}

#[test]
fn a_struct_defined_in_another_file() {
    let mut program = compile("unit.c", "struct s; int f(struct s *s) { return 0; }", &[]);
    assert!(matches!(program.types.kind(program.types.named("s").unwrap()), Kind::Opaque { .. }));
    dwarf::read_into(&mut program, &object("two.c", "struct s { int x; }; int g(struct s *s) { return 0; }", &[]))
        .unwrap();
    let Kind::Pointer { to } = *program.types.kind(function(&program, "f").params[0].ty) else { panic!() };
    assert!(matches!(program.types.kind(to), Kind::Struct { .. }));
    assert_eq!(program.types.size(to), Some(4));
}

#[test]
fn cplusplus() {
    let source = "namespace n { struct base { int x; }; struct derived : base { static int count; int y; \
                  int get(int k) const; }; int derived::get(int k) const { return x + k; } \
                  enum class color : unsigned char { red, green }; \
                  int f(derived &d, color c) { return d.get((int)c); } }";
    expect![[r#"
        int n::f(<reference> d, enum color c) unit.cc:1
          d: <reference> 8
          c: Unsigned 1
        int get(const struct derived *this, int k) unit.cc:1
          this: -
          k: Signed 4
        enum color: unsigned char { red = 0, green = 1 }
        struct derived (8 bytes)
          0 struct base <anonymous>
          4 int y
        struct base (4 bytes)
          0 int x
    "#]]
    .assert_eq(&show(&compile("unit.cc", source, &[])));
}

#[test]
fn nearest_names() {
    let program = compile(
        "unit.c",
        "int list_insert(void){return 0;} int list_remove(void){return 0;} int f(void){return 0;}",
        &[],
    );
    assert_eq!(program.nearest_functions("list_isnert"), ["list_insert"]);
    assert_eq!(program.nearest_functions("insert"), ["list_insert"]);
    assert_eq!(program.nearest_functions("g"), ["f"]);
    assert!(program.nearest_functions("completely_else").is_empty());
}

#[test]
fn errors() {
    // Too little to gain: clang leaves it uncompressed.
    let long: String = (0..100).map(|i| format!("struct s{i} {{ int x; }} v{i};")).collect();
    assert!(matches!(dwarf::read(b"no object"), Err(dwarf::Error::Object(_))));
    assert!(matches!(dwarf::read(&object("unit.c", "int x;", &["-g0"])), Err(dwarf::Error::NoDebugInfo)));
    assert!(matches!(dwarf::read(&object("unit.c", &long, &["-gz"])), Err(dwarf::Error::Compressed(_))));
    assert!(matches!(dwarf::read(&object("unit.c", "int x;", &["-gsplit-dwarf"])), Err(dwarf::Error::Split)));
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.function(name).expect("defined")
}

fn show(program: &Program) -> String {
    let mut out = String::new();
    for function in program.functions() {
        let linkage = if function.external { "" } else { "static " };
        let prototype = if function.prototyped || function.file.ends_with(".cc") { "" } else { " no prototype" };
        writeln!(out, "{linkage}{} {}:{}{prototype}", program.prototype(function), function.file, function.line)
            .unwrap();
        for param in &function.params {
            writeln!(out, "  {}: {}", param.name.as_deref().unwrap_or("?"), show_scalar(program, param.ty)).unwrap();
        }
    }
    for variable in program.variables() {
        let linkage = if variable.external { "extern" } else { "static" };
        let declaration = program.types.declare(variable.ty, &variable.name);
        writeln!(out, "{linkage} {declaration} {}:{}", variable.file, variable.line).unwrap();
    }
    for (id, _) in program.types.iter() {
        show_type(program, id, &mut out);
    }
    out
}

fn show_scalar(program: &Program, id: TypeId) -> String {
    let stripped = program.types.get(program.types.strip(id));
    match (program.types.scalar(id), &stripped.kind) {
        (Some(scalar), _) => format!("{:?} {}", scalar.kind, scalar.size),
        (None, Kind::Unsupported(what)) => format!("<{what}> {}", stripped.size.unwrap_or(0)),
        (None, _) => "-".into(),
    }
}

fn show_type(program: &Program, id: TypeId, out: &mut String) {
    let types = &program.types;
    let ty = types.get(id);
    match &ty.kind {
        Kind::Struct { members } | Kind::Union { members } => {
            writeln!(out, "{} ({} bytes)", types.describe(id), ty.size.expect("a size")).unwrap();
            for member in members {
                writeln!(out, "  {}", show_member(program, member)).unwrap();
            }
        }
        Kind::Enum { underlying, values } => {
            let values: Vec<_> = values.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
            writeln!(out, "{}: {} {{ {} }}", types.describe(id), types.describe(*underlying), values.join(", "))
                .unwrap();
        }
        Kind::Typedef { to } => {
            writeln!(out, "typedef {}", types.declare(*to, ty.name.as_deref().expect("a name"))).unwrap();
        }
        Kind::Opaque { .. } => writeln!(out, "{};", types.describe(id)).unwrap(),
        _ => {}
    }
}

fn show_member(program: &Program, member: &Member) -> String {
    let name = member.name.as_deref().unwrap_or("<anonymous>");
    let declaration = program.types.declare(member.ty, name);
    match member.bits {
        Some(bits) => format!("{}.{} {declaration}:{}", member.offset, bits.offset, bits.size),
        None => format!("{} {declaration}", member.offset),
    }
}
