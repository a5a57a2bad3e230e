//! What npm reads from package.json, in each spelling.

use super::*;

#[track_caller]
fn check_repository(written: &str, expected: Option<&str>) {
    let text = format!(r#"{{"repository": "{written}"}}"#);
    assert_eq!(PackageDescription::parse(&text).repository.as_deref(), expected, "{written}");
}

#[test]
fn repositories_of_known_hosts_have_one_form() {
    let https = Some("git+https://github.com/user/repo.git");
    for written in [
        "user/repo",
        "github:user/repo",
        "https://github.com/user/repo",
        "https://github.com/user/repo.git",
        "git+https://github.com/user/repo.git",
        "http://www.github.com/user/repo/",
    ] {
        check_repository(written, https);
    }
    check_repository("git@github.com:user/repo.git", Some("git+ssh://git@github.com/user/repo.git"));
    check_repository(
        "git+ssh://git@github.com/user/repo.git",
        Some("git+ssh://git@github.com/user/repo.git"),
    );
    check_repository("git://github.com/user/repo.git", Some("git://github.com/user/repo.git"));
    check_repository("gitlab:group/sub/repo", Some("git+https://gitlab.com/group/sub/repo.git"));
    check_repository("user/repo#main", Some("git+https://github.com/user/repo.git#main"));
    check_repository("https://host.test/user/repo.git", Some("https://host.test/user/repo.git"));
    check_repository(
        "https://github.com/user/repo/tree/main/p",
        Some("https://github.com/user/repo/tree/main/p"),
    );
}

#[test]
fn addresses_follow_from_the_repository() {
    let found = PackageDescription::parse(r#"{"repository": {"type": "git", "url": "user/repo"}}"#);
    assert_eq!(found.homepage.as_deref(), Some("https://github.com/user/repo#readme"));
    assert_eq!(found.bugs.as_deref(), Some("https://github.com/user/repo/issues"));
    let text = r#"{"repository": "user/repo", "homepage": "host.test", "bugs": {"url": "https://b.test"}}"#;
    let found = PackageDescription::parse(text);
    assert_eq!(
        (found.homepage.as_deref(), found.bugs.as_deref()),
        (Some("http://host.test"), Some("https://b.test"))
    );
}

#[test]
fn people_and_licenses_in_every_form() {
    for (text, author, license) in [
        (
            r#"{"author": "Ann Lee <a@b.test> (https://b.test)", "license": "MIT"}"#,
            Some("Ann Lee"),
            Some("MIT"),
        ),
        (r#"{"author": {"name": "Ann"}, "license": {"type": "ISC"}}"#, Some("Ann"), Some("ISC")),
        (r#"{"author": "<a@b.test>", "licenses": [{"type": "MIT"}, "ISC"]}"#, None, Some("MIT OR ISC")),
        (r#"{"author": 1, "license": ""}"#, None, None),
        ("[]", None, None),
        ("{", None, None),
    ] {
        let found = PackageDescription::parse(text);
        assert_eq!((found.author.as_deref(), found.license.as_deref()), (author, license), "{text}");
    }
}
