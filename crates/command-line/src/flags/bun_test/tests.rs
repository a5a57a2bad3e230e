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

#[test]
fn flags_of_jest_are_those_of_the_command() {
    check("test --runInBand a", "test --parallel=1 a");
    check("test -i --passWithNoTests", "test --parallel=1 --pass-with-no-tests");
    check("test --maxWorkers=50% a", "test --parallel=50% a");
    check("test --maxWorkers 2 a", "test --parallel=2 a");
    check("test -w 25% a", "test --parallel=25% a");
    check("test -w a", "test --parallel a");
    check("test --testNamePattern=^b$ --updateSnapshot", "test --test-name-pattern=^b$ --update-snapshots");
    check("test --testNamePattern b", "test --test-name-pattern b");
    check("test a -- -i --maxWorkers=2", "test a -- -i --maxWorkers=2");
    check("run test -i", "run test -i");
}
