//! `tine types`: its output, and its messages about missing files and names.

use expect_test::expect;
use serde_json::Value;

use crate::support::Bench;

const LIST: &str = "\
#include <stdlib.h>
#include <tine.h>
struct list { int v; struct list *next; };
static int length(const struct list *l) { return l ? 1 + length(l->next) : 0; }
";

#[test]
fn of_a_source_file() {
    let bench = Bench::new(&[("list.c", LIST)]);
    let ran = bench.tine("types list.c");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran}");
    // Without functions of tine.h and stdlib.h.
    expect![[r#"
        static int length(const struct list *l)    list.c:4

        enum __tine_input_kind (4 bytes, unsigned int)
                __TINE_BYTES = 0
                __TINE_BOOL = 1
                __TINE_CHAR = 2
                __TINE_SIGNED = 3
                __TINE_UNSIGNED = 4
                __TINE_FLOAT = 5
                __TINE_POINTER = 6

        struct list (16 bytes)
             0  int v
             8  struct list *next

        unsigned int (4 bytes, unsigned integer)
        int (4 bytes, signed integer)
    "#]]
    .assert_eq(&ran.stdout);
    let other = bench.tine("types list.c 'struct list' --cflags '-Dlength=size -Dv=w'");
    expect![[r#"
        struct list (16 bytes)
             0  int w
             8  struct list *next

        int (4 bytes, signed integer)
    "#]]
    .assert_eq(&other.stdout);
    let json: Value = serde_json::from_str(&bench.tine("types list.c length --json").stdout).expect("JSON");
    assert_eq!(json["functions"][0]["declaration"], "int length(const struct list *l)");
}

#[test]
fn of_an_object() {
    let bench = Bench::new(&[("list.c", LIST)]);
    assert_eq!(bench.tine("cc --native -g -femit-all-decls -c list.c -o list.o").code, Some(0));
    assert_eq!(bench.tine("types list.o list").stdout, bench.tine("types list.c list").stdout);
    assert_eq!(bench.tine("cc --native -c list.c -o plain.o").code, Some(0));
    bench.fails("types plain.o", 2, &["plain.o has no debug information", "compile it with `-g`"]);
}

#[test]
fn mistakes() {
    let bench = Bench::new(&[("list.c", LIST), ("bad.c", "int f( {\n"), ("notes.txt", "no C\n"), ("list.h", LIST)]);
    bench.fails(
        "types list.c lenght",
        2,
        &["no function, variable or type `lenght` in list.c", "did you mean `length`?"],
    );
    bench.fails("types list.c 'struct lits'", 2, &["`struct lits`", "did you mean `list`"]);
    bench.fails("types list.c elsewhere", 2, &["`elsewhere`", "help"]);
    bench.fails("types missing.c", 2, &["cannot read missing.c"]);
    bench.fails("types list.h", 2, &["list.h is a header"]);
    bench.fails("types list.c --cflags \"'\"", 2, &["--cflags", "close every quote"]);
    let bad = bench.tine("types bad.c");
    assert!(bad.code == Some(3) && bad.stderr.contains("bad.c:1:8"), "{bad}");
    let notes = bench.tine("types notes.txt");
    assert!(notes.code == Some(2) && notes.stderr.contains("notes.txt is not a C source file"), "{notes}");
}
