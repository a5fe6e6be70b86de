//! Runs `examples/explore.rs`, which uses the engine without the command line.

use std::process::Command;

#[test]
fn the_example_finds_both_errors() {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("it lies in a target directory");
    let example = folder.join("examples/explore");
    assert!(example.exists(), "cargo builds examples before tests, unless only some targets are built");
    let output = Command::new(example).output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    let [errors @ .., last] = lines.as_slice() else { panic!("{output:?}") };
    assert_eq!(errors.len(), 2, "{printed}");
    assert!(errors.iter().any(|line| line.starts_with("division by zero in line 1:")), "{printed}");
    assert!(
        errors.iter().any(|line| line.starts_with("division overflow in line 1: sum = -2147483648, n = -1")),
        "{printed}"
    );
    assert!(last.ends_with("paths, complete"), "{printed}");
}
