//! Which names become directories, and which never do.

use super::*;
use std::collections::HashMap;

#[test]
fn names_of_the_registry_are_taken() {
    for text in [
        "left",
        "JSONStream",
        "@types/node",
        "@S/Base",
        "-",
        "_x",
        "a.b",
        "lodash.merge",
        "1",
        "x'()!~*",
        "@s/-x",
        "@-s/x",
    ] {
        assert_eq!(PackageName::parse(text).map(|name| name.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn what_could_leave_its_dir_is_refused() {
    use NameError::{Character, Empty, LeadingDot, LeadingHyphen, Reserved, Shape, TooLong};
    for (text, error) in [
        ("", Empty),
        (".", LeadingDot),
        ("..", LeadingDot),
        (".bin", LeadingDot),
        ("@./x", LeadingDot),
        ("@x/..", LeadingDot),
        ("@x/.x", LeadingDot),
        ("--no-jail", LeadingHyphen),
        ("-g", LeadingHyphen),
        ("--", LeadingHyphen),
        ("a/b", Shape),
        ("../x", Shape),
        ("/x", Shape),
        ("@x", Shape),
        ("@/x", Shape),
        ("@x/", Shape),
        ("@x/y/z", Shape),
        ("@x//y", Shape),
        ("a\\b", Character('\\')),
        ("a:b", Character(':')),
        ("a b", Character(' ')),
        ("a@b", Character('@')),
        ("@@x/y", Character('@')),
        ("a\0", Character('\0')),
        ("a\n", Character('\n')),
        ("a%2fb", Character('%')),
        ("é", Character('é')),
        ("node_modules", Reserved),
        ("@x/node_modules", Reserved),
        ("Favicon.ico", Reserved),
        ("__proto__", Reserved),
        (&"x".repeat(NAME_BYTES_MAX + 1), TooLong),
    ] {
        assert_eq!(PackageName::parse(text), Err(error), "{text}");
    }
    assert!(PackageName::parse(&"x".repeat(NAME_BYTES_MAX)).is_ok());
}

#[test]
fn a_scope_is_distinguished_from_the_base() {
    let scoped = PackageName::parse("@s/b").expect("a name");
    assert_eq!((scoped.scope(), scoped.base()), (Some("@s"), "b"));
    let plain = PackageName::parse("b").expect("a name");
    assert_eq!((plain.scope(), plain.base()), (None, "b"));
}

#[test]
fn maps_are_asked_with_plain_text() {
    let map = HashMap::from([(PackageName::parse("@s/b").expect("a name"), 1)]);
    assert_eq!(map.get("@s/b"), Some(&1));
}

#[test]
fn an_error_says_what_was_expected() {
    assert_eq!(NameError::Character('\n').to_string(), "no `\\n`");
    assert_eq!(NameError::Shape.to_string(), "`name` or `@scope/name`");
}
