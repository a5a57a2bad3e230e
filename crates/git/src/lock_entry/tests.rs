//! Entries as bun 1.4.5 wrote them for repositories on disk, with `git daemon`, with ssh, and, for
//! GitHub, with an API on loopback.

use rusk_npm::specifier::Committish;
use rusk_resolver::source_of_request;

use super::*;

const COMMIT: &str = "25ade63521f7a63e4325f865ecca2cd545ea2a48";

/// The literal of package.json; the entry's first element after `@`, and its tag.
fn check(literal: &str, repository: &str, tag: &str) {
    let specifier = Specifier::parse("right", literal).expect(literal);
    let wanted = RepositorySource::of(&specifier).expect(literal);
    assert_eq!(lock_repository(&wanted, COMMIT), repository, "{literal}");
    assert_eq!(lock_tag(&wanted, COMMIT), tag, "{literal}");
    assert_eq!(lock_source(&wanted, COMMIT).text(), repository, "{literal}");
    let read = parse_lock(repository).expect(repository);
    assert_eq!(read.url, wanted.url, "{literal}");
    assert_eq!(lock_repository(&read, COMMIT), repository, "{literal}");
    match read.committish {
        Committish::Reference(text) => assert!(COMMIT.starts_with(&*text), "{literal}"),
        other => panic!("{literal}: {other:?}"),
    }
}

/// `["right@git+file:///…#COMMIT", { "binDir": "bin" }, "COMMIT"]`
#[test]
fn a_cloned_repository_is_written_with_its_url_and_full_commit() {
    let plain = |address: &str| format!("git+{address}#{COMMIT}");
    let check = |literal: &str, address: &str| check(literal, &plain(address), COMMIT);
    check("git+file:///tmp/plain", "file:///tmp/plain");
    check("git+file:///tmp/plain/#25ade63", "file:///tmp/plain/");
    check("git+file:///tmp/plain#semver:^1", "file:///tmp/plain");
    check("git+ssh://git@host.test/tmp/plain", "ssh://git@host.test/tmp/plain");
    check("git+ssh://git@host.test/user/repo.git#main", "ssh://git@host.test/user/repo.git");
    check("ssh://git@host.test/tmp/plain", "ssh://git@host.test/tmp/plain");
    check("git@host.test:/tmp/plain", "ssh://git@host.test:/tmp/plain");
    check("git@host.test:user/repo.git#main", "ssh://git@host.test:user/repo.git");
    check("host.test:/tmp/plain", "ssh://host.test:/tmp/plain");
    check("git+ssh://git@host.test:/tmp/plain", "ssh://git@host.test:/tmp/plain");
    check("git+ssh://git@host.test:22/tmp/plain", "ssh://git@host.test:22/tmp/plain");
    check("git://127.0.0.1:4998/plain", "git://127.0.0.1:4998/plain");
    check("git+https://host.test/user/repo.git", "https://host.test/user/repo.git");
}

/// `["tarred@github:user/repo#1d1c153", {}, "User-repo-1d1c153", "sha512-…"]`; bun accepts it
/// without the last element, too.
#[test]
fn a_repository_at_github_is_written_with_a_short_commit() {
    let check = |literal: &str| check(literal, "github:user/repo#25ade63", "user-repo-25ade63");
    check("user/repo#main");
    check("github:user/repo");
    check("git+https://github.com/user/repo.git#v1");
    check("https://github.com/user/repo");
}

#[test]
fn other_strings_are_no_repository() {
    for text in
        ["", "1.0.0", "git+", "git+ext::sh -c x#0", "git+ssh://-oProxyCommand=x/y#0", "file:x", "github:x"]
    {
        assert_eq!(parse_lock(text).expect_err(text).code(), "git-lock", "{text}");
    }
}

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
