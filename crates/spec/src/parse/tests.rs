use expect_test::{Expect, expect};

use super::{parse, parse_comments};
use crate::syntax::{Moment, Rule};

/// Checks the first mistake in a string.
fn check_mistake(text: &str, expected: &Expect) {
    let mistake = parse(text).expect_err("the text has a mistake");
    let help = mistake.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    expected.assert_eq(&format!("{}:{}: {}{help}", mistake.line, mistake.column, mistake.message));
}

const CONNECTION: &str = "
spec conn_use for each c: struct conn * {
  opened := return conn_open if result == 0
  send   := call conn_send
  close  := call conn_close   # a comment
  expects (opened send* close)*
}
";

#[test]
fn a_protocol_is_read() {
    let specs = parse(CONNECTION).unwrap();
    assert_eq!(specs.len(), 1);
    let spec = &specs[0];
    assert_eq!(spec.object.as_ref().map(|object| object.ty.as_str()), Some("struct conn *"));
    assert_eq!(spec.propositions[0].moment, Moment::Return);
    assert_eq!(spec.propositions[0].condition.as_deref(), Some("result == 0"));
    assert_eq!(spec.properties[0].text, "(opened send* close)*");
    assert!(matches!(spec.properties[0].rule, Rule::Regular { whole: false, .. }));
}

#[test]
fn several_properties_follow_each_other() {
    let text = "spec s { a := call f\n b := call g\n expects a b? ensures b -> once a\n ensures a b end }";
    let properties = &parse(text).unwrap()[0].properties;
    let written: Vec<&str> = properties.iter().map(|property| property.text.as_str()).collect();
    assert_eq!(written, ["a b?", "b -> once a", "a b end"]);
    assert!(matches!(properties[1].rule, Rule::Past(_)));
}

#[test]
fn prototypes_conditions_and_lines_are_kept() {
    let text = "spec s {\n opened := return FILE *fopen(const char *path, const char *mode) if result != NULL &&\n a := call f\n ensures a }";
    let mistake = parse(text);
    assert!(mistake.is_ok(), "a condition ends with its line, and clang reports what is wrong with it");
    let text = "spec s {\n opened := return FILE *fopen(const char *path, void (*f)(int, int)) if (result !=\n  NULL)\n a := call f\n ensures a }";
    let specs = parse(text).unwrap();
    let proposition = &specs[0].propositions[0];
    let prototype = proposition.prototype.as_ref().unwrap();
    assert_eq!((prototype.result.as_str(), proposition.function.as_str()), ("FILE *", "fopen"));
    assert_eq!(prototype.parameters, ["const char *path", "void (*f)(int, int)"]);
    assert_eq!(proposition.condition.as_deref(), Some("(result != NULL)"));
    assert_eq!(specs[0].propositions[1].line, 4);
}

#[test]
fn comments_of_a_c_file_keep_their_lines() {
    let source = "int x;\n//@ spec s { a := call f\n//@   ensures a* }\nint f(void);\n";
    let (specs, skipped) = parse_comments(source).unwrap();
    assert_eq!((specs[0].line, specs[0].properties[0].line), (2, 3));
    assert!(skipped.is_empty());
}

#[test]
fn comments_of_other_tools_are_skipped() {
    let other = "//@{\nint f(int);\n//@}\n//@ assigns \\nothing;\n";
    let own = "//@ spec s for each p: int *\n//@ {\n//@   a := call f\n//@   ensures a* }\n//@ ghost int y;\n";
    let (specs, skipped) = parse_comments(&format!("{other}{own}")).unwrap();
    assert_eq!((specs.len(), specs[0].line, specs[0].properties[0].line), (1, 5, 8));
    assert_eq!(skipped, [4, 9]);
    assert!(parse_comments("//@ spec s { a := call f\n//@ ensures b }\n").is_err());
}

#[test]
fn mistakes_have_a_place_and_an_expectation() {
    check_mistake("spec {", &expect!["1:6: expected a name for the specification, found `{`"]);
    check_mistake("spec s { a := cal f }", &expect!["1:15: expected `call` or `return`, found `cal`"]);
    check_mistake("spec s { a := call f expects (a", &expect!["1:32: expected `)`, found the end of the file"]);
    check_mistake(
        "spec s {\n a := call f\n expects a b }",
        &expect![[r#"
            3:12: `b` is not a proposition of this specification
            help: defined above are `a`"#]],
    );
    check_mistake(
        "spec s { a := call f }",
        &expect![[r#"
            1:1: the specification `s` has no property
            help: add a line that begins with `expects` or `ensures`"#]],
    );
    check_mistake(
        "spec s for each x: int { a := call f expects a }",
        &expect![[r#"
            1:20: the type of an object must be a pointer
            help: write `for each x: TYPE *`"#]],
    );
    check_mistake(
        "spec s { a := call f ensures always once a }",
        &expect![[r#"
            1:30: a formula has either past or future operators, not both
            help: write two properties"#]],
    );
}
