//! Nodes, their lines, and what is refused.

use super::*;

fn only(text: &str) -> YamlNode<'_> {
    let documents = parse(text).expect(text);
    assert_eq!(documents.len(), 1, "{text}");
    documents.into_iter().next().expect("it is one")
}

#[test]
fn a_map_has_its_members_and_lines() {
    let root = only("a: 1.10\nb:\n  'c@1': {d: '9.0', e: [x, y]}\n\nf:\n");
    assert_eq!(root.find("a").and_then(YamlNode::as_str), Some("1.10"));
    let inner = root.find("b").and_then(|node| node.find("c@1")).expect("a map");
    assert_eq!(inner.line, 3);
    let elements: Vec<_> = inner.find("e").expect("a list").elements().iter().map(|it| it.as_str()).collect();
    assert_eq!(elements, [Some("x"), Some("y")]);
    assert!(root.find("f").expect("it is there").is_null());
}

#[test]
fn only_a_plain_true_is_true() {
    assert!(only("true").is_true());
    assert!(!only("'true'").is_true());
}

#[test]
fn documents_are_separate() {
    assert_eq!(parse("---\na: 1\n---\nb: 2\n").expect("two").len(), 2);
}

#[test]
fn what_no_lockfile_has_is_refused() {
    for text in ["a: &x 1\nb: *x\n", "a: !!str 1\n", "[a]: 1\n", "a: [", &"[".repeat(100)] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(parse("a: 1\nb: [}\n").expect_err("not YAML").line, 2);
}
