//! Tests of names of repositories.

use super::github;

fn check(word: &str, expected: Option<(&str, &str, Option<&str>)>) {
    let found = github(word);
    let parts = found.as_ref().map(|it| (it.owner.as_str(), it.repo.as_str(), it.committish.as_deref()));
    assert_eq!(parts, expected, "{word}");
}

#[test]
fn repositories_have_an_owner_and_a_name() {
    check("user/repo", Some(("user", "repo", None)));
    check("user/repo#v1.2", Some(("user", "repo", Some("v1.2"))));
    check("github.com/user/repo", Some(("user", "repo", None)));
    check("https://github.com/user/repo.git", Some(("user", "repo", None)));
    check("github:user/repo#a/b", Some(("user", "repo", Some("a/b"))));
    check("user/re.po_1", Some(("user", "re.po_1", None)));
}

#[test]
fn other_words_are_none() {
    for word in [
        "vite",
        "@scope/name",
        "user/repo/more",
        "user/..",
        "a b/c",
        "https://host.test/a/b",
        "user/repo#",
        "user/repo#../x",
        "/",
    ] {
        check(word, None);
    }
}
