//! Parsing of command lines.

use expect_test::{Expect, expect};

use super::{Arg, CommandLine};

/// One line per argument: an input with its language, or an option with its value and stage.
fn check(line: &str, expected: &Expect) {
    let parsed = CommandLine::parse(line.split_whitespace().map(str::to_owned).collect());
    let mut text = String::new();
    for arg in &parsed.args {
        text += &match arg {
            Arg::Input(input) => format!("{} is {:?}\n", input.path, input.language),
            Arg::Option(option) => match &option.value {
                Some(value) => format!("{} of {value:?} for {:?}\n", option.name, option.stage),
                None => format!("{} for {:?}\n", option.name, option.stage),
            },
        };
    }
    expected.assert_eq(&text);
    // Lossless, except for `--` and `-Wp,`, which are rewritten.
    let words: Vec<&str> = parsed.args.iter().flat_map(Arg::words).map(String::as_str).collect();
    if !line.contains("-Wp,") && !line.contains(" -- ") {
        assert_eq!(words.join(" "), line);
    }
}

#[test]
fn arguments_joined_and_separate() {
    check(
        "-Iinc -I inc -DA=1 -D A -UB -o out -oout -L lib -Llib -l m -lm",
        &expect![[r#"
            -I of "inc" for Preprocess
            -I of "inc" for Preprocess
            -D of "A=1" for Preprocess
            -D of "A" for Preprocess
            -U of "B" for Preprocess
            -o of "out" for Driver
            -o of "out" for Driver
            -L of "lib" for Link
            -L of "lib" for Link
            -l of "m" for Link
            -l of "m" for Link
        "#]],
    );
}

#[test]
fn arguments_that_look_like_options_or_inputs() {
    check(
        "-MT -x.o -Xlinker -rpath -Xlinker /lib -Xclang -load -include conf.h -u sym -z now --param max=3 -mllvm -x a.c",
        &expect![[r#"
            -MT of "-x.o" for Dependencies
            -Xlinker of "-rpath" for Link
            -Xlinker of "/lib" for Link
            -Xclang of "-load" for Compile
            -include of "conf.h" for Preprocess
            -u of "sym" for Link
            -z of "now" for Link
            --param of "max=3" for Both
            -mllvm of "-x" for Compile
            a.c is C
        "#]],
    );
}

#[test]
fn families() {
    check(
        "-O2 -O -g -ggdb3 -Wall -Wl,-z,defs -Wa,--noexecstack -fPIC -m64 -march=native -std=c11 -pthread -pipe -undef",
        &expect![[r#"
            -O of "2" for Compile
            -O for Compile
            -g for Compile
            -ggdb3 for Compile
            -Wall for Compile
            -Wl, of "-z,defs" for Link
            -Wa, of "--noexecstack" for Compile
            -fPIC for Both
            -m64 for Both
            -march=native for Both
            -std= of "c11" for Compile
            -pthread for Both
            -pipe for Both
            -undef for Preprocess
        "#]],
    );
}

#[test]
fn languages() {
    check(
        "a.c b.i c.cc d.C e.h f.s g.S h.o i.a j.so k.so.1.2 l dir.c/m n.c.o o.ll -",
        &expect![[r#"
            a.c is C
            b.i is C
            c.cc is Cxx
            d.C is Cxx
            e.h is Header
            f.s is Foreign
            g.S is Foreign
            h.o is Linker
            i.a is Linker
            j.so is Linker
            k.so.1.2 is Linker
            l is Linker
            dir.c/m is Linker
            n.c.o is Linker
            o.ll is C
            - is Linker
        "#]],
    );
    check(
        "-x c - a.txt -x c++ b.c -xassembler c.c -x c-header d.c -x none e.c",
        &expect![[r#"
            -x of "c" for Driver
            - is C
            a.txt is C
            -x of "c++" for Driver
            b.c is Cxx
            -x of "assembler" for Driver
            c.c is Foreign
            -x of "c-header" for Driver
            d.c is Header
            -x of "none" for Driver
            e.c is C
        "#]],
    );
}

#[test]
fn the_preprocessor_by_way_of_the_driver() {
    check(
        "-Wp,-MD,.a.d -Wp,-D_FORTIFY_SOURCE=2,-P -Wp,-MMD,b.d,-MT,b",
        &expect![[r#"
            -MD for Dependencies
            -MF of ".a.d" for Dependencies
            -D of "_FORTIFY_SOURCE=2" for Preprocess
            -P for Preprocess
            -MMD for Dependencies
            -MF of "b.d" for Dependencies
            -MT of "b" for Dependencies
        "#]],
    );
}

#[test]
fn ends() {
    check(
        "-c -- -a.c",
        &expect![[r#"
            -c for Driver
            -a.c is C
        "#]],
    );
    check(
        "a.c -o",
        &expect![[r#"
            a.c is C
            -o for Driver
        "#]],
    );
}

#[test]
fn what_the_linker_is_told() {
    let line = "-Wl,-z,defs -Xlinker --wrap -Xlinker main -z now -lm -Wl,--as-needed";
    let parsed = CommandLine::parse(line.split_whitespace().map(str::to_owned).collect());
    assert_eq!(parsed.linker_words(), ["-z", "defs", "--wrap", "main", "-z", "now", "--as-needed"]);
}
