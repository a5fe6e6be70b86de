//! Shape of instrumented functions: those with two tracks, and the exits of the concrete one.

use std::path::PathBuf;

use tine_instrument::{Emit, Options, compile};

/// The instrumented module of a few functions, as text.
fn instrumented(name: &str, functions: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, output) = (folder.join(format!("{name}.ll")), folder.join(format!("{name}.out.ll")));
    let module = format!("target triple = \"x86_64-pc-linux-gnu\"\n{functions}");
    std::fs::write(&source, module).expect("the folder is writable");
    let options = Options { emit: Emit::Text, ..Options::default() };
    compile(&source, &output, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    std::fs::read_to_string(&output).expect("it was written")
}

/// The text of one function.
fn body<'t>(module: &'t str, function: &str) -> &'t str {
    let is_it = |line: &&str| line.starts_with("define") && line.contains(&format!("@{function}("));
    let line = module.lines().find(is_it).unwrap_or_else(|| panic!("no `{function}` in {module}"));
    let start = module.find(line).expect("it is one of its lines");
    let len = module[start..].find("\n}").expect("it ends");
    &module[start..start + len]
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn loads_between_two_effects_share_one_way_out() {
    let module = instrumented(
        "share",
        "define i32 @f(ptr %p, ptr %q) {
           %a = load i32, ptr %p
           %b = load i32, ptr %q
           %sum = add i32 %a, %b
           store i32 %sum, ptr %p
           %c = load i32, ptr %q
           ret i32 %c
         }",
    );
    let symbolic = body(&module, "f.symbolic");
    // At the entry with and without shadows of the parameters, and after the store.
    assert_eq!(count(symbolic, "i32 0, label"), 1, "{symbolic}");
    assert_eq!(count(symbolic, "i32 1, label"), 1, "{symbolic}");
    let ways = symbolic.split("switch i32").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    assert_eq!(count(ways, "label"), 1 + 4, "the default and two regions twice: {ways}");
    // Three loads, so three cells to test; two regions, so two paths to the one call.
    let concrete = body(&module, "f");
    assert_eq!(count(concrete, "@f.symbolic"), 1, "{concrete}");
    assert_eq!(count(concrete, "17592186044416"), 3, "{concrete}");
}

#[test]
fn the_concrete_track_carries_no_shadows() {
    let module = instrumented(
        "none",
        "define i32 @f(i32 %x, i32 %y) {
           %a = mul i32 %x, %y
           %b = icmp slt i32 %a, 7
           br i1 %b, label %yes, label %no
         yes:
           ret i32 %a
         no:
           ret i32 0
         }",
    );
    let concrete = body(&module, "f");
    assert!(!concrete.contains("@tine.tree") && !concrete.contains("@tine.binary"), "{concrete}");
    assert!(body(&module, "f.symbolic").contains("@tine.tree"), "{module}");
}

#[test]
fn what_is_used_once_is_part_of_a_tree() {
    let module = instrumented(
        "tree",
        "define i1 @f(ptr %p) {
           %bits = ptrtoint ptr %p to i64
           %low = and i64 %bits, 7
           %aligned = icmp eq i64 %low, 0
           %there = icmp ne ptr %p, null
           %fine = and i1 %aligned, %there
           ret i1 %fine
         }
         define i1 @g(ptr %q) {
           %bits = ptrtoint ptr %q to i64
           %low = and i64 %bits, 7
           %aligned = icmp eq i64 %low, 0
           %there = icmp ne ptr %q, null
           %fine = and i1 %aligned, %there
           ret i1 %fine
         }",
    );
    assert_eq!(count(body(&module, "f.symbolic"), "call i32 @tine.tree"), 1, "{module}");
    assert_eq!(count(&module, "define internal i32 @tine.tree"), 1, "one function for both: {module}");
}

#[test]
fn a_counter_has_no_shadow() {
    let module = instrumented(
        "counter",
        "define void @f(ptr %p) {
           br label %loop
         loop:
           %i = phi i64 [ 0, %0 ], [ %next, %loop ]
           %at = getelementptr i8, ptr %p, i64 %i
           %byte = load i8, ptr %at
           %next = add i64 %i, 1
           %more = icmp ult i64 %next, 100
           br i1 %more, label %loop, label %end
         end:
           ret void
         }",
    );
    // The shadow of the address is a tree of `p`. Neither the sum nor the comparison has a shadow.
    let symbolic = body(&module, "f.symbolic");
    assert_eq!(count(symbolic, "call i32 @tine.tree"), 1, "{symbolic}");
    assert!(!symbolic.contains("@tine.branch"), "{symbolic}");
    // The loop can be resumed in the concrete track.
    assert!(body(&module, "f").contains("switch i32"), "{module}");
}

#[test]
fn only_the_module_calls_it_so_nobody_says_whom_he_means() {
    let functions = |linkage: &str| {
        format!(
            "define {linkage} i32 @g(i32 %x) {{
               %y = add i32 %x, 1
               ret i32 %y
             }}
             define i32 @f(i32 %x) {{
               %y = call i32 @g(i32 %x)
               ret i32 %y
             }}"
        )
    };
    let ours = instrumented("ours", &functions("internal"));
    assert!(ours.contains("@g.passed"), "{ours}");
    assert!(!body(&ours, "g").contains("__tine_passing"), "{ours}");
    assert!(body(&ours, "f.symbolic").contains("@g.passed("), "{ours}");
    assert!(body(&ours, "f").contains("call i32 @g("), "{ours}");
    let everyones = instrumented("everyones", &functions(""));
    assert!(!everyones.contains("@g.passed"), "{everyones}");
    assert!(body(&everyones, "g").contains("__tine_passing"), "{everyones}");
}

#[test]
fn what_is_bound_to_its_frame_has_one_track() {
    let module = instrumented(
        "frame",
        "declare i32 @_setjmp(ptr) returns_twice
         define i32 @f(ptr %buffer) {
           %x = call i32 @_setjmp(ptr %buffer) returns_twice
           ret i32 %x
         }
         define i32 @g(i64 %n) {
           %array = alloca i8, i64 %n
           %x = load i32, ptr %array
           ret i32 %x
         }",
    );
    assert!(!module.contains(".symbolic"), "{module}");
}

#[test]
fn labels_are_numbers() {
    let module = instrumented(
        "labels",
        "@table = constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
         define i32 @f(i32 %x, ptr %to) {
           indirectbr ptr %to, [label %one, label %two]
         one:
           %a = phi i32 [ %x, %0 ]
           ret i32 %a
         two:
           ret i32 2
         }",
    );
    assert!(!module.contains("indirectbr") && !module.contains("blockaddress"), "{module}");
    let table = module.lines().find(|line| line.starts_with("@table")).expect("it is there");
    let numbers: Vec<&str> = table.split("inttoptr (i64 ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    assert!(numbers.len() == 2 && numbers[0] != numbers[1], "{table}");
    for track in ["f", "f.symbolic"] {
        let track = body(&module, track);
        assert!(numbers.iter().all(|number| track.contains(&format!("i64 {number}, label"))), "{track}");
    }
}

#[test]
fn an_undefined_value_is_followed_where_it_is_used() {
    let module = instrumented(
        "undefined",
        "define i32 @f(i1 %c) {
           %x = alloca i32
           %written = alloca i32
           store i32 7, ptr %written
           br i1 %c, label %yes, label %no
         yes:
           store i32 1, ptr %x
           br label %no
         no:
           %a = load i32, ptr %x
           %b = load i32, ptr %written
           %sum = add i32 %a, %b
           %is = icmp eq i32 %sum, 8
           br i1 %is, label %one, label %two
         one:
           ret i32 1
         two:
           ret i32 2
         }
         define i32 @g(i1 %c) {
           %x = alloca i32
           br i1 %c, label %yes, label %no
         yes:
           store i32 1, ptr %x
           %a = load i32, ptr %x
           ret i32 %a
         no:
           ret i32 0
         }",
    );
    assert!(!module.contains("freeze") && !module.contains("tine.undefined"), "{module}");
    let symbolic = body(&module, "f.symbolic");
    assert_eq!(count(symbolic, "@tine.not_written"), 1, "one of two variables: {symbolic}");
    // The concrete track replaces it by 0, and leaves where it is used.
    let concrete = body(&module, "f");
    let has = |phi: &str, value: &str| concrete.lines().any(|line| line.contains(phi) && line.contains(value));
    assert!(has("phi i32", "[ 0, ") && has("phi i1", "[ true, "), "{concrete}");
    assert!(!body(&module, "g.symbolic").contains("@tine.not_written"), "{module}");
}

#[test]
fn assembly_that_jumps_has_a_function_of_its_own() {
    let module = instrumented(
        "asm_goto",
        "define i32 @f(i32 %x) {
           callbr void asm sideeffect \"cmpl $$7, $0; je ${1:l}\", \"r,!i\"(i32 %x) to label %no [label %yes]
         no:
           ret i32 0
         yes:
           ret i32 1
         }",
    );
    assert_eq!(count(&module, "callbr"), 1, "{module}");
    assert!(!body(&module, "f.symbolic").contains("asm sideeffect"), "{module}");
    assert!(body(&module, "f.symbolic").contains("call i32 @\"asm goto\"("), "{module}");
}
