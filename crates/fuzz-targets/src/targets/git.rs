//! Fuzz target of `rusk-git`: URLs of repositories, in package.json and in lockfiles.

use rusk_git::{RepositorySource, key, lock_source, parse_lock};
use rusk_npm::credential::without_credentials;
use rusk_npm::specifier::Specifier;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

pub const SOURCES: &[&str] = &[
    "git+https://me:secret@git.test:8080/a/b.git?x=1#semver:^1",
    "git+ssh://git@git.test/a/b.git#main",
    "git://git.test/a.git",
    "git@git.test:a/b.git#v1.0.0",
    "github:a/b#0123456",
    "git+file:///srv/a.git#path:/x",
    "ssh://git@[::1]:22/~a/b",
    "gitlab:a/b/c.git#../x",
];

/// What is locked can be read again; no password is in the store's directory or in what is shown.
pub fn source(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let parsed = Specifier::parse("left", &text).ok();
    let sources = [parsed.as_ref().and_then(RepositorySource::of), parse_lock(&text).ok()];
    for source in sources.into_iter().flatten() {
        let key = key("left", &source, COMMIT);
        let shown = without_credentials(&source.url);
        assert_eq!(without_credentials(&shown), shown);
        if let Some((scheme, rest)) = key.label().split_once("://")
            && !scheme.ends_with("ssh")
        {
            assert!(!rest.split(['/', '?', '#']).next().unwrap_or_default().contains('@'), "{rest}");
        }
        let _ = source.fallback_name();
        let _ = parse_lock(&lock_source(&source, COMMIT).text());
    }
}
