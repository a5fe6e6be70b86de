//! `tine sequence`: errors that depend on the order of calls are shown as that order, and pruning loses nothing.

use serde_json::Value;

use crate::support::{Bench, Ran, errors};

const SET: &str = include_str!("sequences/set.c");
const TABLE: &str = include_str!("sequences/table.c");
const HIDDEN: &str = include_str!("sequences/hidden.c");
const TREE: &str = include_str!("sequences/tree.c");
const NODES: &str = include_str!("sequences/nodes.c");
const BOXES: &str = include_str!("sequences/boxes.c");
const RANGE: &str = include_str!("sequences/range.c");
const ENVIRONMENT: &str = include_str!("sequences/environment.c");
const NAMES: &str = include_str!("sequences/names.c");

fn explored(bench: &Bench, arguments: &str) -> Ran {
    let ran = bench.tine(&format!("sequence unit.c {arguments} --json -q"));
    assert!(matches!(ran.code, Some(0 | 1)), "{ran}");
    ran
}

/// The input of the first error: calls as text.
#[track_caller]
fn first_input(summary: &Value) -> &str {
    summary["errors"][0]["input"].as_str().expect("an error with its input")
}

/// Names of the calls in a printed sequence.
fn names(input: &str) -> Vec<&str> {
    input.split("), ").filter_map(|call| call.split_once('(')).map(|(name, _)| name).collect()
}

/// The arguments `x = …` of a printed sequence, in order.
fn numbers(input: &str) -> Vec<i64> {
    let number = |part: &str| part.split(['(', ')', ',', ' ']).next().unwrap_or("").parse().ok();
    input.split(" = ").skip(1).filter_map(number).collect()
}

#[test]
fn an_error_is_a_sequence() {
    let bench = Bench::new(&[("unit.c", SET)]);
    let options = "--calls init,add*,del*,find? --max-calls 5 --ensures ok --cflags -DBUG --out out";
    let summary = explored(&bench, options).json();
    assert_eq!(errors(&summary), [("postcondition failure".to_owned(), 38)]);
    let input = first_input(&summary);
    assert_eq!(names(input), ["init", "add", "add", "del"], "a shortest one: {input}");
    let [first, second, removed] = numbers(input)[..] else { panic!("{input}") };
    assert!(first != second && removed == first, "{input}");
    assert_eq!(input, format!("init(), add(x = {first}), add(x = {second}), del(x = {removed})"));

    let case = &summary["errors"][0]["case"];
    let replayed = bench.tine(&format!("replay out {case}"));
    assert_eq!(replayed.code, Some(1), "{replayed}");
    let said = format!("{}{}", replayed.stdout, replayed.stderr);
    for part in [
        &format!("init()\nadd(x = {first})\nadd(x = {second})\ndel(x = {removed})\n"),
        "tine: postcondition failure (ok) at ",
        "unit.c:38",
        "ended by signal 6 (abort)",
    ] {
        assert!(said.contains(part), "`{part}` is missing in: {replayed}");
    }
    bench.is_tidy();
}

/// As in CUTE's hash table: only add, add, remove loses an entry.
#[test]
fn a_lost_key() {
    let bench = Bench::new(&[("unit.c", TABLE)]);
    let summary = explored(&bench, "--calls init,add*,del*,find* --max-calls 4 --ensures ok").json();
    let input = first_input(&summary);
    assert_eq!(names(input), ["init", "add", "add", "del"], "{input}");
    let [first, second, removed] = numbers(input)[..] else { panic!("{input}") };
    assert!(first != second && removed == first && (first ^ second) & 1 == 0, "{input}");
    let short = explored(&bench, "--calls init,add*,del*,find* --max-calls 3 --ensures ok --out short").json();
    assert_eq!((errors(&short), &short["verdict"]), (vec![], &Value::from("bounded")));
}

struct Case {
    unit: &'static str,
    options: &'static str,
    /// Kinds and lines.
    errors: &'static [(&'static str, u64)],
    /// Maximum number of runs with pruning: the continuation of a run after its goal depends on the solver. Without
    /// pruning, one run per path.
    runs: (u64, u64),
}

/// Explores with and without pruning: same errors, same coverage, fewer runs.
#[track_caller]
fn check(case: &Case) {
    let bench = Bench::new(&[("unit.c", case.unit)]);
    let with = explored(&bench, &format!("{} --out with", case.options)).json();
    let without = explored(&bench, &format!("{} --no-prune --out without", case.options)).json();
    let expected: Vec<_> = case.errors.iter().map(|(kind, line)| ((*kind).to_owned(), *line)).collect();
    assert_eq!(errors(&with), expected, "{}", case.options);
    assert_eq!(errors(&without), expected, "{}", case.options);
    assert_eq!(with["branches_covered"], without["branches_covered"], "{}", case.options);
    assert_ne!(without["verdict"], "incomplete", "{without}");
    assert_eq!(without["pruned"], 0);
    let runs = |summary: &Value| summary["runs"].as_u64().unwrap_or(0);
    assert!(runs(&with) <= case.runs.0, "{} runs of {:?}: {}", runs(&with), case.runs, case.options);
    assert_eq!(runs(&without), case.runs.1, "{}", case.options);
    assert_eq!(runs(&with) < runs(&without), with["pruned"] != 0, "{with}");
}

#[test]
fn pruning_a_set() {
    let options = "--calls init,add*,del*,find* --max-calls 6 --ensures ok";
    check(&Case { unit: SET, options, errors: &[], runs: (100, 2812) });
    let options = "--calls init,add*,del*,find? --max-calls 5 --ensures ok --cflags -DBUG";
    check(&Case { unit: SET, options, errors: &[("postcondition failure", 38)], runs: (60, 305) });
}

#[test]
fn pruning_a_table() {
    let options = "--calls init,add*,del*,find* --max-calls 5 --ensures ok";
    check(&Case { unit: TABLE, options, errors: &[("postcondition failure", 41)], runs: (120, 3355) });
}

#[test]
fn pruning_sees_all_variables() {
    let options = "--calls init,toggle*,shake* --max-calls 6";
    let errors = &[("assertion failure", 15), ("assertion failure", 21)];
    check(&Case { unit: HIDDEN, options, errors, runs: (50, 313) });
}

#[test]
fn pruning_a_tree() {
    let options = "--calls init,add*,del* --max-calls 5 --ensures ok";
    check(&Case { unit: TREE, options, errors: &[], runs: (140, 443) });
    let options = "--calls init,add*,del? --max-calls 6 --ensures ok --cflags -DBUG";
    check(&Case { unit: TREE, options, errors: &[("postcondition failure", 32)], runs: (800, 2265) });
}

/// The path's constraints on a value are part of the state.
#[test]
fn pruning_sees_what_values_can_be() {
    let options = "--calls init,turn*,set*,use* --max-calls 4";
    let errors = &[("assertion failure", 25), ("assertion failure", 26)];
    check(&Case { unit: RANGE, options, errors, runs: (90, 1176) });
}

#[test]
fn pruning_asks_no_types() {
    let options = "--calls pair_new,put*,put_box*,take*,sum* --max-calls 4";
    check(&Case { unit: BOXES, options, errors: &[("assertion failure", 44)], runs: (50, 99) });
}

/// The targets of input pointers are not part of a state: only sequences without input pointers are pruned.
#[test]
fn pruning_leaves_pointers_alone() {
    let options = "--calls init,login*,logout*,work? --max-calls 4 --max-string 2";
    check(&Case { unit: NAMES, options, errors: &[("assertion failure", 24)], runs: (300, 348) });
}

/// A node that one call returned is an argument of another. A freed node is not, and freeing the object ends the
/// sequence.
#[test]
fn results_are_passed_on() {
    let bench = Bench::new(&[("unit.c", NODES)]);
    let summary = explored(&bench, "--calls list_new,append*,erase*,list_free? --max-calls 4 --max-objects 1").json();
    assert_eq!(errors(&summary), [("assertion failure".to_owned(), 34)]);
    let input = first_input(&summary);
    assert_eq!(names(input), ["list_new", "append", "append", "erase"], "{input}");
    assert!(input.ends_with("erase(n = result of append)"), "{input}");
}

/// A sequence whose calls always return to known states needs no bound.
#[test]
fn a_finite_set_of_states_is_complete() {
    let unit = "struct s { unsigned on; };\nvoid init(struct s *s) { s->on = 0; }\n\
                void toggle(struct s *s) { s->on ^= 1; }\nint is_on(const struct s *s) { return s->on; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("sequence unit.c --calls init,toggle*,is_on* --max-calls 20");
    assert_eq!(ran.code, Some(0), "{ran}");
    for part in ["sequences pruned: their state was reached before", "verdict: complete"] {
        assert!(ran.stdout.contains(part), "`{part}` is missing in: {ran}");
    }
    let summary = explored(&bench, "--calls init,toggle*,is_on* --max-calls 4 --no-prune --out without").json();
    assert_eq!((&summary["verdict"], &summary["pruned"]), (&Value::from("bounded"), &Value::from(0)));
    assert_eq!(summary["reasons"][0]["what"], "bound reached: --max-calls");
}

/// After a bound on depth, two occurrences of a state are not equivalent.
#[test]
fn a_bound_on_depth_prunes_nothing() {
    let bench = Bench::new(&[("unit.c", SET)]);
    let summary = explored(&bench, "--calls init,add*,del* --max-calls 4 --depth 100").json();
    assert_eq!(summary["pruned"], 0);
}

/// `--requires` excludes sequences like other inputs.
#[test]
fn sequences_that_do_not_count() {
    let small = format!("{SET}\nint small(struct set *s) {{ return s->n < 2; }}\n");
    let bench = Bench::new(&[("unit.c", &small)]);
    let options = "--calls init,add*,del* --max-calls 6 --requires small --ensures ok --cflags -DBUG";
    let summary = explored(&bench, options).json();
    assert_eq!(errors(&summary), []);
    assert_ne!(summary["rejected"], 0);
}

#[test]
fn mistakes() {
    let unit = "struct s { int n; };\nvoid init(struct s *s) { s->n = 0; }\nvoid add(struct s *s, int x) { s->n += x; }\n\
                void get(struct s *s, long double x) { s->n = x; }\nint number(int x) { return x; }\n\
                int wrong(struct s *s, int x) { return s->n < x; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    for (options, parts) in [
        ("--calls add*,init --max-calls 3", &["--calls \"add*,init\"", "begins with `add*`", "init,add*"][..]),
        ("--calls init,,add* --max-calls 3", &["`` is not a function name"]),
        ("--calls init,add+ --max-calls 3", &["`add+` is not a function name"]),
        ("--calls init,add*,add? --max-calls 3", &["`add` is there twice"]),
        ("--calls init,add*,number --max-calls 3", &["`number` has to come before `add`"]),
        ("--calls init,add,number --max-calls 2", &["--max-calls 2 is less than the 3 calls"]),
        ("--calls init,ad* --max-calls 3", &["no function `ad` in unit.c", "did you mean `add`"]),
        ("--calls number,add* --max-calls 3", &["`number` makes no object"]),
        ("--calls init,get* --max-calls 3", &["`get` takes `long double x`", "cannot be an input"]),
        ("--calls init,add* --max-calls 3 --ensures okay", &["no function `okay`"]),
        ("--calls init,add* --max-calls 3 --ensures wrong", &["`wrong` has to take the object alone", "int x"]),
        ("--calls init,add* --max-calls 3 --globals other", &["no global variable `other`"]),
        ("--calls init,add* --max-calls 3 --len s=2", &["--len: `s` of `init` is the object"]),
        ("--calls init,add* --max-calls 3 --len y=2", &["none of the calls has a parameter `y`"]),
        ("--calls init,add* --max-calls 3 --type y=int", &["none of the calls has a parameter `y`"]),
        ("--calls init,add* --max-calls 3 --make calls", &["--make is not supported for sequences"]),
        ("--calls init,add* --max-calls 0", &["--max-calls"]),
        ("--calls init,add*", &["--max-calls"]),
        ("--max-calls 3", &["--calls"]),
    ] {
        bench.fails(&format!("sequence unit.c {options}"), 2, parts);
    }
}

/// State outside of variables and heap that calls change counts, too.
#[test]
fn environment_is_state() {
    let bench = Bench::new(&[("unit.c", ENVIRONMENT)]);
    for (number, calls) in [
        "init_mapped,count_mapped*",
        "init,count_own*",
        "init_file,count_file*",
        "init_umask,count_umask*",
        "init_random,count_random*",
        "init,count_foreign*",
        "init,count_variable*",
        "init,count_in_place*",
        "init,count_at_exit*",
    ]
    .into_iter()
    .enumerate()
    {
        let summary = explored(&bench, &format!("--calls {calls} --max-calls 7 --out out{number}")).json();
        let kinds: Vec<String> = errors(&summary).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, ["abort"], "{calls}: {summary}");
    }
    let summary = explored(&bench, "--calls init,print* --max-calls 30").json();
    assert!(summary["runs"].as_u64() < Some(10), "printing changes no state: {summary}");
}

/// An array parameter of the constructor is a pointer in debug information. Elements of the same type as a parameter are
/// not the object.
#[test]
fn an_array_is_one_object() {
    let unit = "typedef struct e { int i; struct e *next; } e;\n\
        #define SIZE 4\n\
        void init(e *tab[SIZE]) { for (int i = 0; i < SIZE; i++) tab[i] = 0; }\n\
        void put(e *tab[SIZE], e *x) { if (x && !x->next) { unsigned k = x->i & 3; x->next = tab[k]; tab[k] = x; } }\n\
        int both(e *tab[SIZE]) { if (tab[0] && tab[3]) __builtin_trap(); return 0; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let summary = explored(&bench, "--calls init,put*,both* --max-calls 4").json();
    assert_eq!(errors(&summary), [("illegal instruction".to_owned(), 5)], "{summary}");
    assert_eq!(names(first_input(&summary)), ["init", "put", "put", "both"]);
}

/// A call with many paths comes first. The others are made all the same.
#[test]
fn calls_are_made_in_spite_of_a_call_with_many_paths() {
    const PARSER: &str = "struct s { int n, odd; };\n\
        void init(struct s *s) { s->n = 0; s->odd = 0; }\n\
        void parse(struct s *s, const char *t) {\n    \
            for (; t && *t; t++) { if (*t == '+') s->odd ^= 1; else if (*t >= '0') s->n = (s->n * 10 + *t) % 100; }\n}\n\
        int rare(struct s *s, int k) { return s->odd && k == 12345 ? 1 / (k - 12345) : 0; }\n\
        int end(struct s *s, int k) { return k == 99 ? 1 / (k - 99) : s->n; }\n";
    let bench = Bench::new(&[("unit.c", PARSER)]);
    let summary = explored(&bench, "--calls init,parse*,rare*,end? --max-calls 4 --max-runs 1000").json();
    assert_eq!(errors(&summary), [("division by zero".to_owned(), 6), ("division by zero".to_owned(), 7)]);
}

/// Arguments of calls are described like those of one function.
#[test]
fn arguments_have_lengths_types_stubs_and_globals() {
    const UNIT: &str = "struct s { int n; };\nint limit = 5;\nextern int outside(int);\n\
        void init(struct s *s) { s->n = 0; }\n\
        void add(struct s *s, const int *values, unsigned count) { for (unsigned i = 0; values && i <= count; i++)\n    \
            s->n ^= values[i]; }\n\
        void ask(struct s *s, int x) { if (outside(x) == 77 && x == 3) s->n = 1 / (x - 3); }\n\
        int most(struct s *s) { return s->n / (limit - 9); }\n\
        int like(struct s *s, void *data) { return data && ((struct s *)data)->n == 1234 ? s->n / (s->n - s->n) : 0; }\n";
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let options = "--max-calls 2 --max-elements 4";
    let found = |calls: &str| errors(&explored(&bench, &format!("--calls {calls} {options}")).json());
    let line = |kind: &str, line| vec![(kind.to_owned(), line)];
    assert_eq!(found("init,add* --len values=count --out len"), line("array index out of bounds", 6));
    assert_eq!(found("init,ask* --stub outside --out stub"), line("division by zero", 7));
    let of_globals = [line("division by zero", 8), line("signed integer overflow", 8)].concat();
    assert_eq!(found("init,most* --globals limit --out globals"), of_globals);
    assert_eq!(found("init,like* --type 'data=struct s' --out type"), line("division by zero", 9));
}
