//! What is read from package.json, in each spelling.

use super::*;

#[test]
fn people_and_licenses_in_every_form() {
    for (text, author, license) in [
        (r#"{"author": "Ann <a@b.test>", "license": "MIT"}"#, Some("Ann <a@b.test>"), Some("MIT")),
        (r#"{"author": {"name": "Ann"}, "license": {"type": "ISC"}}"#, Some("Ann"), Some("ISC")),
        (r#"{"author": {}, "licenses": [{"type": "MIT"}, "ISC"]}"#, None, Some("MIT OR ISC")),
        (r#"{"author": 1, "license": ""}"#, None, None),
        ("[]", None, None),
        ("{", None, None),
    ] {
        let found = PackageDescription::parse(text);
        assert_eq!((found.author.as_deref(), found.license.as_deref()), (author, license), "{text}");
    }
}

#[test]
fn addresses_are_those_of_objects() {
    let text = r#"{
        "repository": {"type": "git", "url": "git+https://host.test/a.git"},
        "bugs": {"url": "https://host.test/bugs"}, "homepage": "https://host.test", "private": true
    }"#;
    let found = PackageDescription::parse(text);
    assert_eq!(found.repository.as_deref(), Some("git+https://host.test/a.git"));
    assert_eq!(found.bugs.as_deref(), Some("https://host.test/bugs"));
    assert_eq!(found.homepage.as_deref(), Some("https://host.test"));
    assert!(found.is_private);
    let found = PackageDescription::parse(r#"{"repository": "user/repo", "bugs": "https://host.test"}"#);
    assert_eq!((found.repository, found.bugs, found.is_private), (None, None, false));
}
