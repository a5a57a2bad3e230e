//! The shape of the object, as docs/reference/json-output.md gives it.

use super::*;
use rusk_install::summary::Times;
use rusk_npm::json::{Dialect, Node, Value, parse};

fn keys<'a>(node: &'a Node<'_>) -> Vec<&'a str> {
    node.members().iter().map(|member| member.key.as_ref()).collect()
}

fn number(node: &Node<'_>) -> String {
    match node.value {
        Value::Number(digits) => digits.to_owned(),
        _ => panic!("expected a number, found {node:?}"),
    }
}

#[test]
fn a_summary_is_one_object_on_one_line() {
    let change = Change { name: "le\"ft\n".to_owned(), before: None, after: Some("1.3.0".to_owned()) };
    let summary = Summary {
        direct: vec![change],
        installed: 312,
        scripts_held_back: vec!["esbuild@0.25.0".to_owned()],
        lockfile: LockfileOutcome::Written,
        fetched_bytes: u64::MAX,
        times: Times { total: Duration::from_micros(1_240_512), ..Times::default() },
        ..Summary::default()
    };
    let text = super::summary(&summary, &["old \x1b".to_owned()]);
    assert_eq!(text.lines().count(), 1);
    let node = parse(&text, Dialect::Strict).expect("valid JSON");
    assert_eq!(
        keys(&node),
        [
            "installed",
            "added",
            "changed",
            "removed",
            "direct",
            "scriptsHeldBack",
            "scriptsRun",
            "lockfile",
            "fetched",
            "milliseconds",
            "warnings"
        ]
    );
    assert_eq!(number(node.find("installed").unwrap()), "312");
    let direct = &node.find("direct").unwrap().elements()[0];
    assert_eq!(direct.find("name").unwrap().as_str(), Some("le\"ft\n"));
    assert_eq!(direct.find("before").unwrap().value, Value::Null);
    assert_eq!(node.find("lockfile").unwrap().as_str(), Some("written"));
    assert_eq!(number(node.find("milliseconds").unwrap().find("total").unwrap()), "1240.512");
    assert_eq!(number(node.find("fetched").unwrap().find("bytes").unwrap()), u64::MAX.to_string());
    assert_eq!(node.find("warnings").unwrap().elements()[0].as_str(), Some("old \x1b"));
}

#[test]
fn an_error_is_one_object_too() {
    let problem = Problem::new("no-version", "no version of `left` matches")
        .note("wanted by app")
        .cause(std::io::Error::other("connection reset"))
        .hint("run `rusk add left@1`");
    let text = super::problem(&problem, &[]);
    let node = parse(&text, Dialect::Strict).expect("valid JSON");
    assert_eq!(keys(&node), ["error", "warnings"]);
    let error = node.find("error").unwrap();
    assert_eq!(keys(error), ["code", "message", "notes", "causes", "hint"]);
    assert_eq!(error.find("code").unwrap().as_str(), Some("no-version"));
    assert_eq!(error.find("notes").unwrap().elements()[0].as_str(), Some("wanted by app"));
    assert_eq!(error.find("causes").unwrap().elements()[0].as_str(), Some("connection reset"));
    assert_eq!(error.find("hint").unwrap().as_str(), Some("run `rusk add left@1`"));
}

#[test]
fn a_message_cannot_pass_for_a_hint() {
    let problem = Problem::new("odd", "a\nhint: b");
    assert_eq!(hint(&problem), None);
}
