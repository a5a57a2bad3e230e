//! Which engines are met.

use super::*;

fn check(wanted: &str, node: &str, met: bool) {
    let engines = [("node".to_owned(), wanted.to_owned()), ("vscode".to_owned(), "^1".to_owned())];
    assert_eq!(unmet(&engines, &[("node", node)]).is_empty(), met, "{wanted} {node}");
}

#[test]
fn ranges_are_compared_with_the_versions_there_are() {
    check(">=18", "20.19.0", true);
    check("", "20.19.0", true);
    check("*", "20.19.0", true);
    check("^18 || >=20", "19.0.0", false);
    check(">=24", "25.0.0-nightly2025", true);
    check("rubbish", "20.0.0", false);
    check(">=18", "not a version", true);
}

#[test]
fn what_is_not_met_says_wanted_and_found() {
    let engines = [("node".to_owned(), ">=22".to_owned())];
    let expected = Unmet { engine: "node".into(), wanted: ">=22".into(), found: "20.0.0".into() };
    assert_eq!(unmet(&engines, &[("node", "20.0.0")]), [expected]);
    assert_eq!(unmet(&engines, &[]), []);
}
