//! Functions that need no repository: versions of tags, alternative URLs.

use super::*;

#[test]
fn a_tag_with_a_version_at_its_end_is_a_version() {
    let check = |tag: &str, version: &str| {
        let found = version_of_tag(tag).map_or_else(|| "-".to_owned(), |version| version.to_string());
        assert_eq!(found, version, "{tag}");
    };
    check("1.2.3", "1.2.3");
    check("v1.2.3", "1.2.3");
    check("release-v1.2.3", "1.2.3");
    check("left@1.2.3-beta.1", "1.2.3-beta.1");
    check("@scope/left@10.20.30", "10.20.30");
    check("v1.2.3+build", "1.2.3+build");
    check("2024.1.1.1", "1.1.1");
    check("1.2", "-");
    check("v1", "-");
    check("1.2.3beta", "-");
    check("1.2.3-", "-");
    check("é1.2.3", "1.2.3");
    check("latest", "-");
    check("", "-");
}

#[test]
fn ssh_at_a_known_host_falls_back_to_https() {
    let check = |url: &str, more: &[&str]| assert_eq!(addresses(url)[1..], *more, "{url}");
    check("git@github.com:user/repo.git", &["https://github.com/user/repo.git"]);
    check("ssh://git@gitlab.com/user/repo", &["https://gitlab.com/user/repo"]);
    check("ssh://git@host.test/user/repo", &[]);
    check("git@host.test:user/repo", &[]);
    check("https://github.com/user/repo", &[]);
    check("file:///x", &[]);
}
