//! Literals in package.json before and after versions are resolved.

use super::*;

fn check_latest(literal: &str, expected: Option<(&str, &str)>) {
    let pending = latest_range("left", manifest::Group::Production, literal);
    let found = pending.as_ref().map(|pending| (pending.prefix.as_str(), pending.operator));
    assert_eq!(found, expected, "{literal}");
}

#[test]
fn an_update_to_latest_keeps_the_operator() {
    check_latest("^1.0.0", Some(("", "^")));
    check_latest("~1.0.0", Some(("", "~")));
    check_latest("1.0.0", Some(("", "")));
    check_latest(">=1", Some(("", "^")));
    check_latest("npm:right@~1.0.0", Some(("npm:right@", "~")));
    check_latest("workspace:*", None);
    check_latest("latest", None);
}

fn check_literal(request: &str, name: &str, literal: &str) {
    let parsed = Specifier::parse_request(request).expect("a request");
    let name = PackageName::parse(name).expect("a name");
    assert_eq!(literal_of(&name, request, &parsed.specifier), literal, "{request}");
}

#[test]
fn a_request_is_saved_as_its_literal() {
    check_literal("left", "left", "latest");
    check_literal("left@^1", "left", "^1");
    check_literal("@app/left@next", "@app/left", "next");
    check_literal("other@npm:left@^1", "other", "npm:left@^1");
    check_literal("./left", "left", "./left");
    check_literal("left@file:../left", "left", "file:../left");
}
