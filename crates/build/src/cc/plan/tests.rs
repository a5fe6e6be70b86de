//! Command lines of build systems, and the plans of `tine cc` for them.
//!
//! Common parts are abbreviated. `CHECKS` and `FRONT` are the flags of the front end before and after those of the user
//! (`NOT-PREPROCESSED` instead of `FRONT` for inputs that clang does not preprocess). `HEADERS` are tine's include
//! directories. `RUNTIME` is linked at the start of a program, and `INTERFACES` at the end of any output.

use expect_test::{Expect, expect};

use super::super::args::CommandLine;
use tine_trace::check::Checks;

use super::super::flags;
use super::{Mode, Places, Plan, plan};

const SETTINGS: (Mode, Mode, Mode, Mode) = (
    Mode { native: false, checks: false, volatile: false, selected: Checks::DEFAULT, cxx: false, hooks: None },
    Mode { native: true, checks: false, volatile: false, selected: Checks::DEFAULT, cxx: false, hooks: None },
    Mode { native: true, checks: true, volatile: false, selected: Checks::DEFAULT, cxx: false, hooks: None },
    Mode { native: false, checks: false, volatile: false, selected: Checks::DEFAULT, cxx: true, hooks: None },
);

/// `command` starts with `cc` (or `c++`) and perhaps `--native` or `--native --checks`.
#[expect(clippy::needless_pass_by_value, reason = "a table of expectations reads better without borrowing each")]
fn check(command: &str, expected: Expect) {
    let (usual, native, checks, cxx) = SETTINGS;
    let modes = [("cc --native --checks ", checks), ("cc --native ", native), ("cc ", usual), ("c++ ", cxx)];
    let (line, mode) = modes
        .iter()
        .find_map(|(prefix, mode)| Some((command.strip_prefix(prefix)?, mode.clone())))
        .expect("a command starts with the compiler");
    let words = line.split_whitespace().map(str::to_owned).collect();
    let shown = match plan(&CommandLine::parse(words), &mode, &places()) {
        Ok(plan) => abbreviated(&plan),
        Err(refusal) => format!("error: {refusal}\n"),
    };
    expected.assert_eq(&shown);
}

fn places() -> Places {
    Places {
        temp: "TMP".into(),
        include: "INC".into(),
        runtime: "RT.a".into(),
        interfaces: "IF.a".into(),
        models: "LIBC.a".into(),
        stub: "STUB.so".into(),
    }
}

fn abbreviated(plan: &Plan) -> String {
    let mut text: String = plan.notes.iter().map(|note| format!("note: {note}\n")).collect();
    for step in &plan.steps {
        text += &format!("{step}\n");
    }
    let symbols = super::link::runtime_symbols().join(",-u,");
    let archives = "-Wl,--push-state,--no-whole-archive -Xlinker IF.a";
    let exported = format!("-Wl,--wrap=main -Wl,--export-dynamic-symbol=__tine_* -Wl,-u,{symbols}");
    let hidden = format!("-Wl,--wrap=main -Wl,-u,{symbols}");
    text.replace(&flags::checks(Checks::default(), [].iter()).join(" "), "CHECKS")
        .replace(&[flags::PREPROCESSOR, flags::FRONT_END].concat().join(" "), "FRONT")
        .replace(&flags::FRONT_END.join(" "), "NOT-PREPROCESSED")
        .replace("-isystem INC -isystem INC/compat", "HEADERS")
        .replace(",-u,__tine_start", "")
        .replace(&format!("{exported} -Xlinker RT.a"), "RUNTIME")
        .replace(&format!("{hidden} -Xlinker RT.a"), "RUNTIME-HIDDEN")
        .replace(&format!("{archives} -Wl,--pop-state"), "INTERFACES")
        .replace(&format!("{archives} -Xlinker LIBC.a -Wl,--pop-state"), "LIBRARIES")
        .replace(&format!("{archives} -Xlinker LIBC.a -Xlinker STUB.so -Wl,--pop-state"), "LIBRARIES-AND-STUB")
        .replace("-Wno-unused-command-line-argument", "-Wno-unused")
}

#[test]
fn everything_in_full() {
    let words = ["-c", "a.c", "-o", "b.o"].map(str::to_owned).to_vec();
    let plan = plan(&CommandLine::parse(words), &Mode::default(), &places()).expect("a plan");
    expect!["clang-22 -fsanitize=alignment,array-bounds,bool,builtin,enum,float-cast-overflow,integer-divide-by-zero,nonnull-attribute,null,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound -fsanitize-minimal-runtime -fsanitize-recover=all -fstrict-flex-arrays=1 -isystem INC -isystem INC/compat -U_FORTIFY_SOURCE -D__NO_CTYPE -O0 -Xclang -disable-O0-optnone -g -fno-discard-value-names -Xclang -fsanitize-address-use-after-scope -emit-llvm -c a.c -o TMP/0-a.bc"].assert_eq(&plan.steps[0].to_string());
    let words = ["a.o"].map(str::to_owned).to_vec();
    let plan = super::plan(&CommandLine::parse(words), &Mode::default(), &places()).expect("a plan");
    expect!["clang-22 -Wl,--wrap=main -Wl,--export-dynamic-symbol=__tine_* -Wl,-u,SYMBOLS,-u,__tine_start -Xlinker RT.a a.o -Wno-unused-command-line-argument -Wl,--push-state,--no-whole-archive -Xlinker IF.a -Xlinker LIBC.a -Wl,--pop-state"].assert_eq(&plan.steps[0].to_string().replace(&super::link::runtime_symbols().join(",-u,"), "SYMBOLS"));
}

#[test]
fn objects() {
    check(
        "cc -c a.c -o b.o",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> b.o
    "#]],
    );
    check(
        "cc -c a.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc -c dir/a.b.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c dir/a.b.c -o TMP/0-a.b.bc
        instrument TMP/0-a.b.bc -> a.b.o
    "#]],
    );
    check(
        "cc -c a.c b.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c b.c -o TMP/1-b.bc
        instrument TMP/1-b.bc -> b.o
    "#]],
    );
    check(
        "cc -c a.c b.c -o c.o",
        expect![[r#"
        error: cannot specify -o when generating multiple output files
    "#]],
    );
    check(
        "cc -S a.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.s as assembly
    "#]],
    );
    check(
        "cc -S a.c -o -",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> - as assembly
    "#]],
    );
    check(
        "cc -x c -c - -o a.o",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c -x c - -o TMP/0--.bc
        instrument TMP/0--.bc -> a.o
    "#]],
    );
    check(
        "cc -c a.c -o /dev/null",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> /dev/null
    "#]],
    );
    check(
        "cc -g3 -Os -std=gnu99 -Wall -Werror -fPIC -I. -Iinc -DX=1 -include conf.h -isystem sys -c a.c -o a.o",
        expect![[r#"
            clang-22 CHECKS -g3 -Os -std=gnu99 -Wall -Werror -fPIC -I. -Iinc -DX=1 -include conf.h -isystem sys HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> a.o
        "#]],
    );
}

#[test]
fn programs() {
    check(
        "cc a.c",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 RUNTIME TMP/0-a.o -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -O2 -g a.c b.c -o p -lm",
        expect![[r#"
            clang-22 CHECKS -O2 -g -Wno-unused HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 CHECKS -O2 -g -Wno-unused HEADERS FRONT -emit-llvm -c b.c -o TMP/1-b.bc
            instrument TMP/1-b.bc -> TMP/1-b.o
            clang-22 RUNTIME TMP/0-a.o TMP/1-b.o -o p -lm -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -o p a.o b.o -Llib -lfoo -Wl,-rpath,/x -pthread -Wl,--as-needed",
        expect![[r#"
            clang-22 RUNTIME -o p a.o b.o -Llib -lfoo -Wl,-rpath,/x -pthread -Wl,--as-needed -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc a.o -Wl,--whole-archive b.a -Wl,--no-whole-archive c.c -lz -o p",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c c.c -o TMP/0-c.bc
            instrument TMP/0-c.bc -> TMP/0-c.o
            clang-22 RUNTIME a.o -Wl,--whole-archive b.a -Wl,--no-whole-archive TMP/0-c.o -lz -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -static a.o -o p",
        expect![[r#"
            clang-22 RUNTIME-HIDDEN -static a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -pie -fPIE a.o -o p",
        expect![[r#"
            clang-22 RUNTIME -pie -fPIE a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -no-pie -nostdlib -nostartfiles start.o a.c -o p",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 RUNTIME -no-pie -nostdlib -nostartfiles start.o TMP/0-a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -fuse-ld=lld a.o -o p",
        expect![[r#"
            clang-22 RUNTIME -fuse-ld=lld a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -o p -lfoo",
        expect![[r#"
            clang-22 RUNTIME -o p -lfoo -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -T script.ld a.o",
        expect![[r#"
            clang-22 RUNTIME -T script.ld a.o -Wno-unused LIBRARIES
        "#]],
    );
}

#[test]
fn static_programs() {
    check(
        "cc -static-pie a.o",
        expect![[r#"
            clang-22 RUNTIME-HIDDEN -static-pie a.o -Wno-unused LIBRARIES
        "#]],
    );
}

#[test]
fn version_scripts() {
    check(
        "cc a.o -Wl,-z,now,--version-script=a.map -o p",
        expect![[r#"
            show the runtime in a.map -> TMP/0.version
            clang-22 RUNTIME a.o -Wl,-z,now,--version-script=TMP/0.version -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc a.o -Wl,--version-script -Wl,a.map -Xlinker -version-script=b.map",
        expect![[r#"
            show the runtime in a.map -> TMP/0.version
            show the runtime in b.map -> TMP/1.version
            clang-22 RUNTIME a.o -Wl,--version-script -Wl,TMP/0.version -Xlinker --version-script=TMP/1.version -Wno-unused LIBRARIES
        "#]],
    );
    // A library uses the runtime of the program.
    check(
        "cc -shared a.o -Wl,--version-script,a.map -o l.so",
        expect![[r#"
            clang-22 -shared a.o -Wl,--version-script,a.map -o l.so -Wno-unused LIBRARIES
        "#]],
    );
}

#[test]
fn libraries() {
    check(
        "cc -shared -fPIC a.c -o liba.so",
        expect![[r#"
            clang-22 CHECKS -fPIC -Wno-unused HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 -shared -fPIC TMP/0-a.o -o liba.so -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -shared a.o -Wl,-soname,liba.so.1 -Wl,-z,defs -o liba.so.1",
        expect![[r#"
            clang-22 -shared a.o -Wl,-soname,liba.so.1 -Wl,-z,defs -o liba.so.1 -Wno-unused LIBRARIES-AND-STUB
        "#]],
    );
    check(
        "cc -shared a.o -Wl,--no-undefined -o liba.so",
        expect![[r#"
            clang-22 -shared a.o -Wl,--no-undefined -o liba.so -Wno-unused LIBRARIES-AND-STUB
        "#]],
    );
    check(
        "cc -shared a.o -Wl,-z,defs -Wl,-z,undefs -o liba.so",
        expect![[r#"
            clang-22 -shared a.o -Wl,-z,defs -Wl,-z,undefs -o liba.so -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -r a.o b.o -o c.o",
        expect![[r#"
        clang-22 -r a.o b.o -o c.o -Wno-unused
    "#]],
    );
    check(
        "cc -nostdlib -Wl,-r a.o b.o -o c.o",
        expect![[r#"
        clang-22 -nostdlib -Wl,-r a.o b.o -o c.o -Wno-unused
    "#]],
    );
}

#[test]
fn dependency_files() {
    check(
        "cc -MD -c src/a.c -o obj/a.o",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -MD -MF obj/a.d -MQ obj/a.o -c src/a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> obj/a.o
    "#]],
    );
    check(
        "cc -MMD -MP -c src/a.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -MMD -MP -MF a.d -MQ a.o -c src/a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc -MD a.c -o p",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -MD -MF p.d -MQ p -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 RUNTIME TMP/0-a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    // automake
    check(
        "cc -DHAVE_CONFIG_H -I. -g -O2 -MT a.o -MD -MP -MF .deps/a.Tpo -c -o a.o a.c",
        expect![[r#"
        clang-22 CHECKS -DHAVE_CONFIG_H -I. -g -O2 HEADERS FRONT -emit-llvm -MT a.o -MD -MP -MF .deps/a.Tpo -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    // cmake
    check(
        "cc -Dx_EXPORTS -fPIC -MD -MT CMakeFiles/x.dir/a.c.o -MF CMakeFiles/x.dir/a.c.o.d -o CMakeFiles/x.dir/a.c.o -c /s/a.c",
        expect![[r#"
            clang-22 CHECKS -Dx_EXPORTS -fPIC HEADERS FRONT -emit-llvm -MD -MT CMakeFiles/x.dir/a.c.o -MF CMakeFiles/x.dir/a.c.o.d -c /s/a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> CMakeFiles/x.dir/a.c.o
        "#]],
    );
    // kbuild
    check(
        "cc -Wp,-MMD,.a.o.d -nostdinc -c -o a.o a.c",
        expect![[r#"
        clang-22 CHECKS -nostdinc HEADERS FRONT -emit-llvm -MMD -MF .a.o.d -MQ a.o -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    // meson
    check(
        "cc -Isub -fdiagnostics-color=always -D_FILE_OFFSET_BITS=64 -Wall -O2 -g -MD -MQ sub/a.c.o -MF sub/a.c.o.d -o sub/a.c.o -c ../a.c",
        expect![[r#"
            clang-22 CHECKS -Isub -fdiagnostics-color=always -D_FILE_OFFSET_BITS=64 -Wall -O2 -g HEADERS FRONT -emit-llvm -MD -MQ sub/a.c.o -MF sub/a.c.o.d -c ../a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> sub/a.c.o
        "#]],
    );
    check(
        "cc -M a.c",
        expect![[r#"
            clang-22 -M a.c HEADERS -U_FORTIFY_SOURCE -D__NO_CTYPE
        "#]],
    );
    check(
        "cc -MM -MF a.d -MT a.o a.c",
        expect![[r#"
            clang-22 -MM -MF a.d -MT a.o a.c HEADERS -U_FORTIFY_SOURCE -D__NO_CTYPE
        "#]],
    );
}

#[test]
fn build_systems() {
    // autoconf
    check(
        "cc -c conftest.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c conftest.c -o TMP/0-conftest.bc
        instrument TMP/0-conftest.bc -> conftest.o
    "#]],
    );
    check(
        "cc -o conftest -g -O2 conftest.c",
        expect![[r#"
            clang-22 CHECKS -g -O2 -Wno-unused HEADERS FRONT -emit-llvm -c conftest.c -o TMP/0-conftest.bc
            instrument TMP/0-conftest.bc -> TMP/0-conftest.o
            clang-22 RUNTIME -o conftest TMP/0-conftest.o -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -E conftest.c",
        expect![[r#"
            clang-22 -E conftest.c HEADERS -U_FORTIFY_SOURCE -D__NO_CTYPE
        "#]],
    );
    check(
        "cc -V",
        expect![[r#"
        clang-22 -V
    "#]],
    );
    check(
        "cc -qversion",
        expect![[r#"
        clang-22 -qversion
    "#]],
    );
    check(
        "cc -print-prog-name=ld",
        expect![[r#"
        clang-22 -print-prog-name=ld
    "#]],
    );
    check(
        "cc -print-search-dirs",
        expect![[r#"
        clang-22 -print-search-dirs
    "#]],
    );
    check(
        "cc -o conftest -Wl,--version-script=conftest.map conftest.c -ldl",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c conftest.c -o TMP/0-conftest.bc
            instrument TMP/0-conftest.bc -> TMP/0-conftest.o
            show the runtime in conftest.map -> TMP/0.version
            clang-22 RUNTIME -o conftest -Wl,--version-script=TMP/0.version TMP/0-conftest.o -ldl -Wno-unused LIBRARIES
        "#]],
    );
    // libtool
    check(
        "cc -shared -fPIC -DPIC .libs/a.o .libs/b.o -lm -g -O2 -Wl,-soname -Wl,libx.so.0 -Wl,-version-script -Wl,.libs/libx.ver -o .libs/libx.so.0.0.0",
        expect![[r#"
            clang-22 -shared -fPIC .libs/a.o .libs/b.o -lm -Wl,-soname -Wl,libx.so.0 -Wl,-version-script -Wl,.libs/libx.ver -o .libs/libx.so.0.0.0 -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -g -O2 -c a.c -fPIC -DPIC -o .libs/a.o",
        expect![[r#"
        clang-22 CHECKS -g -O2 -fPIC -DPIC HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> .libs/a.o
    "#]],
    );
    check(
        "cc -g -O2 -o .libs/prog prog.o ./.libs/libx.so -lm",
        expect![[r#"
            clang-22 RUNTIME -o .libs/prog prog.o ./.libs/libx.so -lm -Wno-unused LIBRARIES
        "#]],
    );
    // cmake's try_compile
    check(
        "cc -O3 -DNDEBUG -o CMakeFiles/t.dir/t.c.o -c /b/CMakeFiles/CMakeScratch/t.c",
        expect![[r#"
        clang-22 CHECKS -O3 -DNDEBUG HEADERS FRONT -emit-llvm -c /b/CMakeFiles/CMakeScratch/t.c -o TMP/0-t.bc
        instrument TMP/0-t.bc -> CMakeFiles/t.dir/t.c.o
    "#]],
    );
    check(
        "cc -O3 -rdynamic CMakeFiles/t.dir/t.c.o -o t",
        expect![[r#"
            clang-22 RUNTIME -rdynamic CMakeFiles/t.dir/t.c.o -o t -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc CMakeCCompilerId.c",
        expect![[r#"
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c CMakeCCompilerId.c -o TMP/0-CMakeCCompilerId.bc
            instrument TMP/0-CMakeCCompilerId.bc -> TMP/0-CMakeCCompilerId.o
            clang-22 RUNTIME TMP/0-CMakeCCompilerId.o -Wno-unused LIBRARIES
        "#]],
    );
    // Debian's hardening
    check(
        "cc -g -O2 -ffile-prefix-map=/b=. -flto=auto -ffat-lto-objects -fstack-protector-strong -Wformat -Werror=format-security -Wdate-time -D_FORTIFY_SOURCE=2 -c a.c -o a.o",
        expect![[r#"
            clang-22 CHECKS -g -O2 -ffile-prefix-map=/b=. -fstack-protector-strong -Wformat -Werror=format-security -Wdate-time HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
            instrument TMP/0-a.bc -> a.o
        "#]],
    );
    check(
        "cc -Wl,-z,relro -Wl,-z,now -flto=auto a.o -o p",
        expect![[r#"
            clang-22 RUNTIME -Wl,-z,relro -Wl,-z,now a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
}

#[test]
fn flags_that_do_not_go_together() {
    check(
        "cc -D _FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -U_FORTIFY_SOURCE -c a.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc --coverage -fprofile-arcs -ftest-coverage -pg -c a.c",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc --coverage a.o -o p",
        expect![[r#"
            clang-22 RUNTIME a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=all -c a.c",
        expect![[r#"
        note: `-fsanitize=address,undefined` is left out: tine brings its own checks
        clang-22 CHECKS -fno-sanitize=alignment HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc -fsanitize=address a.o -o p",
        expect![[r#"
            note: `-fsanitize=address` is left out: tine brings its own checks
            clang-22 RUNTIME a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -gsplit-dwarf -gz -g1 -c a.c",
        expect![[r#"
        clang-22 CHECKS -g1 HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
}

#[test]
fn other_languages() {
    check(
        "cc -c start.S -o start.o -MD -DASM",
        expect![[r#"
        clang-22 -DASM HEADERS -MD -MF start.d -MQ start.o -c start.S -o start.o
    "#]],
    );
    check(
        "cc -x assembler-with-cpp -c a.inc",
        expect![[r#"
        clang-22 HEADERS -c -x assembler-with-cpp a.inc -o a.o
    "#]],
    );
    check(
        "cc a.s b.c -o p",
        expect![[r#"
            clang-22 -Wno-unused -c a.s -o TMP/0-a.o
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c b.c -o TMP/1-b.bc
            instrument TMP/1-b.bc -> TMP/1-b.o
            clang-22 RUNTIME TMP/0-a.o TMP/1-b.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -c a.cpp",
        expect![[r#"
        clang++-22 CHECKS HEADERS FRONT -emit-llvm -c a.cpp -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc a.cc b.c -o p",
        expect![[r#"
            clang++-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c a.cc -o TMP/0-a.bc
            instrument TMP/0-a.bc -> TMP/0-a.o
            clang-22 CHECKS -Wno-unused HEADERS FRONT -emit-llvm -c b.c -o TMP/1-b.bc
            instrument TMP/1-b.bc -> TMP/1-b.o
            clang++-22 RUNTIME TMP/0-a.o TMP/1-b.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "c++ a.o -o p",
        expect![[r#"
            clang++-22 RUNTIME a.o -o p -Wno-unused LIBRARIES
        "#]],
    );
    check(
        "cc -x c-header all.h -o all.h.gch",
        expect![[r#"
        clang-22 CHECKS -Wno-unused HEADERS FRONT -x c-header all.h -o all.h.gch
    "#]],
    );
    check(
        "cc all.h",
        expect![[r#"
        clang-22 CHECKS -Wno-unused HEADERS FRONT all.h
    "#]],
    );
    check(
        "cc -c a.i",
        expect![[r#"
            clang-22 CHECKS NOT-PREPROCESSED -emit-llvm -c a.i -o TMP/0-a.bc
            instrument TMP/0-a.bc -> a.o
        "#]],
    );
}

#[test]
fn questions() {
    check(
        "cc --version",
        expect![[r#"
        clang-22 --version
    "#]],
    );
    check(
        "cc -v",
        expect![[r#"
        clang-22 -v
    "#]],
    );
    check(
        "cc -dumpmachine",
        expect![[r#"
        clang-22 -dumpmachine
    "#]],
    );
    check(
        "cc -### -c a.c -O2",
        expect![[r#"
        clang-22 "-###" -c a.c -O2
    "#]],
    );
    check(
        "cc -fsyntax-only -Wall a.c",
        expect![[r#"
            clang-22 -fsyntax-only -Wall a.c HEADERS -U_FORTIFY_SOURCE -D__NO_CTYPE
        "#]],
    );
    check(
        "cc -E -dM -x c /dev/null",
        expect![[r#"
            clang-22 -E -dM -x c /dev/null HEADERS -U_FORTIFY_SOURCE -D__NO_CTYPE
        "#]],
    );
    check(
        "cc -emit-llvm -S a.c -o a.ll",
        expect![[r#"
        clang-22 -emit-llvm -S a.c -o a.ll
    "#]],
    );
    check(
        "cc -c",
        expect![[r#"
        clang-22 -c
    "#]],
    );
    check(
        "cc -v -c a.c",
        expect![[r#"
        clang-22 CHECKS -v HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
}

#[test]
fn other_machines() {
    check(
        "cc -m32 -c a.c",
        expect![[r#"
        error: `-m32` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only
          = help: leave the option out; the data model is the host's
    "#]],
    );
    check(
        "cc -mx32 a.o",
        expect![[r#"
        error: `-mx32` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only
          = help: leave the option out; the data model is the host's
    "#]],
    );
    check(
        "cc --target=aarch64-linux-gnu -c a.c",
        expect![[r#"
        error: `--target=aarch64-linux-gnu` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only
          = help: leave the option out; the data model is the host's
    "#]],
    );
    check(
        "cc -target i686-linux-gnu -c a.c",
        expect![[r#"
        error: `-target i686-linux-gnu` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only
          = help: leave the option out; the data model is the host's
    "#]],
    );
    check(
        "cc -m64 --target=x86_64-linux-gnu -c a.c",
        expect![[r#"
        clang-22 CHECKS -m64 --target=x86_64-linux-gnu HEADERS FRONT -emit-llvm -c a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc -m32 --version",
        expect![[r#"
        clang-22 -m32 --version
    "#]],
    );
    check(
        "cc --native -m32 -c a.c",
        expect![[r#"
        error: `-m32` is not supported: tine runs 64-bit x86 Linux programs, and its runtime exists for these only
          = help: leave the option out; the data model is the host's
    "#]],
    );
}

/// Clang warns of preprocessor flags that have no effect. tine must not add such flags.
#[test]
fn preprocessed_already() {
    check(
        "cc -Werror -c a.i",
        expect![[r#"
        clang-22 CHECKS -Werror NOT-PREPROCESSED -emit-llvm -c a.i -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc -c -x cpp-output a.c -x none b.ll c.s",
        expect![[r#"
        clang-22 CHECKS NOT-PREPROCESSED -emit-llvm -c -x cpp-output a.c -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
        clang-22 CHECKS NOT-PREPROCESSED -emit-llvm -c b.ll -o TMP/1-b.bc
        instrument TMP/1-b.bc -> b.o
        clang-22 -c c.s -o c.o
    "#]],
    );
    check(
        "cc -c -x c a.i",
        expect![[r#"
        clang-22 CHECKS HEADERS FRONT -emit-llvm -c -x c a.i -o TMP/0-a.bc
        instrument TMP/0-a.bc -> a.o
    "#]],
    );
    check(
        "cc --native --checks -c a.i",
        expect![[r#"
        clang-22 CHECKS -fno-sanitize-link-runtime -c a.i
    "#]],
    );
    check(
        "cc -fsyntax-only a.i",
        expect![[r#"
        clang-22 -fsyntax-only a.i
    "#]],
    );
    check(
        "cc --native -c a.i b.c",
        expect![[r#"
        clang-22 -c a.i b.c HEADERS
    "#]],
    );
}

#[test]
fn native() {
    check(
        "cc --native -O2 -flto -fsanitize=address -D_FORTIFY_SOURCE=2 a.c -o p -lm",
        expect![[r#"
            clang-22 RUNTIME -O2 -flto -fsanitize=address -D_FORTIFY_SOURCE=2 a.c -o p -lm HEADERS INTERFACES
        "#]],
    );
    check(
        "cc --native -c a.c -MD",
        expect![[r#"
        clang-22 -c a.c -MD HEADERS
    "#]],
    );
    check(
        "cc --native -S -emit-llvm a.c -o a.ll",
        expect![[r#"
            clang-22 -S -emit-llvm a.c -o a.ll HEADERS
        "#]],
    );
    check(
        "cc --native -shared a.o -o a.so",
        expect![[r#"
            clang-22 -shared a.o -o a.so INTERFACES
        "#]],
    );
    check(
        "cc --native -x c a.txt -o p",
        expect![[r#"
            clang-22 RUNTIME -x c a.txt -o p HEADERS INTERFACES
        "#]],
    );
    check(
        "cc --native --checks -O1 -g -fsanitize=address a.c -o p",
        expect![[r#"
            clang-22 RUNTIME CHECKS -fno-sanitize-link-runtime -O1 -g a.c -o p -U_FORTIFY_SOURCE HEADERS INTERFACES
        "#]],
    );
    check(
        "cc --native --version",
        expect![[r#"
        clang-22 --version
    "#]],
    );
}
