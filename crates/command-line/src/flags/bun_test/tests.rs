//! Arguments of bun as arguments of `rusk test`.

use super::expand;

fn check(arguments: &str, expected: &str) {
    let words = arguments.split_whitespace().map(Into::into).collect();
    let expanded: Vec<String> =
        expand(words).into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
    assert_eq!(expanded.join(" "), expected);
}

#[test]
fn flags_of_programs_before_test_belong_to_the_command() {
    check("--watch test a", "test --watch a");
    check("--hot test", "test --watch");
    check("--bun --watch test", "test --watch");
    check("--watch --no-clear-screen test", "test --watch --no-clear-screen");
    check("test --smol --verbose a -- --smol", "test a -- --smol");
    check("--watch test.js", "--watch test.js");
    check("--watch", "--watch");
    check("run test --smol", "run test --smol");
}
