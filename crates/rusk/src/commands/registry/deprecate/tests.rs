//! Tests of the edit that deprecates versions in a packument.

use rusk_npm::json::{self, Dialect};

use super::with_deprecation;

#[test]
fn only_the_member_of_the_versions_changes() {
    let text = r#"{"versions":{"1.0.0":{"a":1,"deprecated":"old"},"2.0.0":{"b":2},"3.0.0":{}}}"#;
    let root = json::parse(text, Dialect::Strict).expect("it is JSON");
    let versions = root.find("versions").expect("it has versions").members();
    let nodes: Vec<_> = versions.iter().map(|member| &member.node).collect();
    assert_eq!(
        with_deprecation(text, &nodes, "use \"x\""),
        r#"{"versions":{"1.0.0":{"a":1,"deprecated":"use \"x\""},"2.0.0":{"deprecated":"use \"x\"","b":2},"3.0.0":{"deprecated":"use \"x\""}}}"#
    );
    assert_eq!(
        with_deprecation(text, &nodes[..1], ""),
        r#"{"versions":{"1.0.0":{"a":1,"deprecated":""},"2.0.0":{"b":2},"3.0.0":{}}}"#
    );
}
