//! Tests of the command lines that run programs.

use std::ffi::OsString;

use super::{EntryPoint, ProgramInvocation, parse};

fn read(line: &str) -> Option<ProgramInvocation> {
    let arguments: Vec<_> = line.split_whitespace().map(Into::into).collect();
    parse(&arguments, || false).map(|invocation| invocation.expect(line))
}

#[test]
fn commands_and_programs_are_distinguished() {
    for line in
        ["install", "run build", "--version", "--help", "", "--cwd=x install", "no-such-command", "x some.js"]
    {
        assert_eq!(read(line), None, "{line}");
    }
    for line in ["--expose_externalize_string a.js", "--max_old_space_size=100 a.js", "--no_opt install"] {
        assert!(read(line).is_some(), "{line}");
    }
    for line in ["a.js", ".", "..", "./a", "/a/b", "--expose-gc install", "-e 1", "-", "--require=./a.js b"] {
        assert!(read(line).is_some(), "{line}");
    }
}

#[test]
fn programs_may_ask_for_flags_of_v8() {
    let invocation = read("--v8-options").expect("a program");
    assert!(matches!(invocation.entry_point, EntryPoint::Code { source, .. } if source.contains("V8")));
}

#[test]
fn permission_flags_are_refused() {
    let arguments = ["--permission".into(), "--allow-fs-read=*".into(), "a.js".into()];
    let refused = parse(&arguments, || false).expect("a program").expect_err("refused");
    assert_eq!(refused.code(), "no-permissions");
}

#[test]
fn contradictory_tls_versions_are_refused() {
    let arguments = ["--tls-min-v1.3", "--tls-max-v1.2", "app.js"].map(OsString::from);
    let refused = parse(&arguments, || false).expect("a program").expect_err("refused");
    assert_eq!(refused.code(), "flags-conflict");
}

#[test]
fn a_flag_that_needs_another_one_is_refused_alone() {
    let parse = |line: &str| {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        parse(&arguments, || false).expect("a program")
    };
    let refused = parse("--cpu-prof-name a app.js").expect_err("refused");
    assert_eq!(refused.code(), "flag-alone");
    let invocation = parse("--cpu-prof-interval=50 --cpu-prof app.js").expect("both are given");
    assert_eq!(invocation.exec_arguments, ["--cpu-prof-interval=50", "--cpu-prof"]);
}

#[test]
fn arguments_after_the_program_are_its_own() {
    let invocation = read("-C dev --no-warnings a.ts -e --help x").expect("a program");
    assert_eq!(invocation.entry_point, EntryPoint::File("a.ts".to_owned()));
    assert_eq!(invocation.arguments, ["-e", "--help", "x"]);
    assert_eq!(invocation.exec_arguments, ["-C", "dev", "--no-warnings"]);
    assert_eq!(invocation.conditions, ["dev"]);
    let invocation = read("--no-warnings -- -x.js --help").expect("a program");
    assert_eq!(
        (invocation.entry_point, invocation.arguments),
        (EntryPoint::File("-x.js".to_owned()), vec!["--help".to_owned()])
    );
}

#[test]
fn code_is_followed_by_its_arguments() {
    let invocation = read("--input-type=module -p 1+1 a b").expect("a program");
    let entry_point = EntryPoint::Code { source: "1+1".to_owned(), is_printed: true, is_module: Some(true) };
    assert_eq!(
        (invocation.entry_point, invocation.arguments),
        (entry_point, vec!["a".to_owned(), "b".to_owned()])
    );
    let invocation = read("--no-warnings - a --help").expect("a program");
    assert_eq!(invocation.entry_point, EntryPoint::Stdin { is_printed: false, is_module: None });
    assert_eq!(invocation.arguments, ["-", "a", "--help"]);
    let arguments = ["-e".into()];
    assert_eq!(parse(&arguments, || false).expect("a program").expect_err("no code").code(), "value-missing");
}
