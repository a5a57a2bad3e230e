//! npm's own cases, as tests read them.

use crate::json::{self, Dialect, Node};

pub fn each_case(text: &str, mut check: impl FnMut(&Node<'_>)) {
    let cases = json::parse(text, Dialect::Strict).expect("fixtures are JSON");
    let mut seen = 0;
    for case in cases.elements() {
        check(case);
        seen += 1;
    }
    assert!(seen > 0);
    assert_eq!(seen, text.lines().count() - 2, "one case a line between the brackets");
}

pub fn field<'a>(case: &'a Node<'_>, key: &str) -> &'a str {
    case.find(key).and_then(Node::as_str).expect(key)
}
