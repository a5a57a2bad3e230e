//! The source of a specifier, as text and back: the text is what finds the package later.

use rusk_npm::specifier::Specifier;

use super::source_of_request;
use crate::repository::{RepositorySource, parse_lock};

/// The literal of a package.json names a repository; its source, as text, names the same one.
fn check_repository(literal: &str, text: &str) {
    let specifier = Specifier::parse("left", literal).expect(literal);
    let source = source_of_request("", &specifier).expect(literal);
    assert_eq!(source.text(), text, "{literal}");
    let parsed = parse_lock(text).expect(text);
    assert_eq!(Some(parsed), RepositorySource::of(&specifier), "{literal}");
}

#[test]
fn a_repository_keeps_its_committish() {
    let check = check_repository;
    check("github:user/repo#4.x", "github:user/repo#4.x");
    check("user/repo#semver:^5", "github:user/repo#semver:^5");
    check("https://github.com/user/repo/tree/next", "github:user/repo#next");
    check("git+https://github.com/user/repo.git#v5.0.0", "github:user/repo#v5.0.0");
    check("git+file:///tmp/repo#v5.0.0", "git+file:///tmp/repo#v5.0.0");
    check("git+file:///tmp/repo#semver:%5E5", "git+file:///tmp/repo#semver:%5E5");
    check("git+https://host.test/repo.git#feature/x", "git+https://host.test/repo.git#feature/x");
    check("gitlab:user/repo#main", "git+https://gitlab.com/user/repo.git#main");
    check("git@host.test:user/repo.git#main", "git+ssh://git@host.test:user/repo.git#main");
    check("git+ssh://git@host.test:22/repo#main", "git+ssh://git@host.test:22/repo#main");
    check("git://host.test/repo#main", "git+git://host.test/repo#main");
}

#[test]
fn a_repository_without_a_committish_has_no_hash() {
    let check = check_repository;
    check("github:user/repo", "github:user/repo");
    check("git+file:///tmp/repo", "git+file:///tmp/repo");
    check("git@host.test:user/repo.git", "git+ssh://git@host.test:user/repo.git");
}
