//! The runner, run on a shell script in the place of the program.

use super::*;
use crate::project::Project;

/// Prints its arguments, where it is, and where the registry is; `write` writes; `fail` fails.
const PROGRAM: &str = r#"#!/bin/sh
echo "args: $*"
echo "at $(pwd) with $npm_config_registry" >&2
case "$1" in
write) mkdir -p folder && echo "$EXTRA" > folder/file && printf end > short ;;
fail) exit 2 ;;
esac
echo "took 12ms"
"#;

#[track_caller]
fn check(spec: &str, wanted: &str) {
    let project = Project::with(&[("program", PROGRAM), ("spec.txt", spec)]);
    let program = project.make_executable("program").path().join("program");
    let runner = Runner { program, registry_url: "http://127.0.0.1:9/".to_owned() };
    let path = project.path().join("spec.txt");
    assert_eq!(runner.run_file(&path, Mode::Compare).is_ok(), spec == wanted);
    runner.run_file(&path, Mode::Rewrite).unwrap();
    assert_eq!(project.read("spec.txt"), wanted);
}

#[test]
fn output_and_exit_code_are_written_down() {
    let wanted = "# title\n\
        $ rusk fail 'a b'\n> args: fail a b\n> at [dir] with http://registry.test/\n? 2\n";
    check("# title\n$ rusk fail 'a b'\n> something else\n", wanted);
    check(wanted, wanted);
}

#[test]
fn files_are_given_and_listed() {
    let said = "> args: write\n> at [dir] with http://registry.test/\n> took [time]\n";
    let wanted = format!(
        "-- in --\none\n$ EXTRA=two rusk write\n{said}== in ==\none\n== folder/ ==\nfile\n== folder/file ==\ntwo\n\
         == short ==\nend\n(no final newline)\n== missing ==\n(absent)\n$ rm folder\n== folder/ ==\n(absent)\n"
    );
    check(&wanted, &wanted);
    check(&wanted.replace("\none\n== fo", "\nother\n== fo"), &wanted);
}

#[test]
fn what_is_no_spec_says_where() {
    let parse = |text: &str| Spec::parse(text).unwrap_err();
    assert_eq!(parse("# title\n> output\n"), "2: expected a command before this line");
    assert_eq!(parse("stray\n"), "1: expected `#`, `$`, `>`, `?`, `--` or `==`, found `stray`");
    assert_eq!(parse("# title\n"), "1: expected a command, a line that begins with `$`");
}
