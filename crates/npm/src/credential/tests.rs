//! Addresses of registries, and that secrets are not shown.

use super::*;

fn check(text: &str, url: &str, prefix: &str, credential: Option<Credential>) {
    let expected = Address { url: url.to_owned(), prefix: prefix.to_owned(), credential };
    let found = Address::parse(text);
    assert!(found.as_ref() == Some(&expected), "{text}: {found:?}");
}

#[test]
fn an_address_gives_up_its_secrets() {
    let basic = |user: &str, password: &str| Some(Credential::of_password(user, password));
    check("https://registry.test", "https://registry.test/", "//registry.test/", None);
    check("http://Registry.test:80/a/b", "http://registry.test/a/b/", "//registry.test/a/b/", None);
    check("https://u:p@registry.test/", "https://registry.test/", "//registry.test/", basic("u", "p"));
    check(
        "https://u:p%40%zz@registry.test/",
        "https://registry.test/",
        "//registry.test/",
        basic("u", "p@%zz"),
    );
    let bearer = Some(Credential::Bearer("t".to_owned()));
    check("https://:t@registry.test:81/", "https://registry.test:81/", "//registry.test:81/", bearer);
}

#[test]
fn what_is_not_reached_over_http_is_no_registry() {
    for text in ["", "registry.test", "ftp://registry.test/", "file:///x", "https://", "${REGISTRY}"] {
        assert_eq!(Address::parse(text), None, "{text}");
    }
    assert!(Address::parse(default_registry()).is_some());
}

#[test]
fn credentials_are_not_shown() {
    let shown = format!("{:?}", [Credential::Bearer("secret".into()), Credential::Basic("secret".into())]);
    assert_eq!(shown, "[Bearer(hidden), Basic(hidden)]");
}

#[test]
fn urls_are_shown_without_secrets() {
    for (url, shown) in [
        ("https://me:secret@registry.test/a.tgz?b=c@d", "https://registry.test/a.tgz?b=c@d"),
        ("git+https://secret@git.test/a.git#main", "git+https://git.test/a.git#main"),
        ("git+ssh://git@git.test/a.git", "git+ssh://git@git.test/a.git"),
        ("ssh://git:secret@git.test/a.git", "ssh://git@git.test/a.git"),
        ("https://a:b@c:d@registry.test", "https://registry.test/"),
        ("http:/me:secret@registry.test/a.tgz", "http://registry.test/a.tgz"),
        ("https:\\\\me:secret@registry.test/a.tgz", "https://registry.test/a.tgz"),
        ("https://registry.test", "https://registry.test"),
        ("git@git.test:a/b.git", "git@git.test:a/b.git"),
        ("npm:left@1.0.0", "npm:left@1.0.0"),
        ("^1.0.0", "^1.0.0"),
    ] {
        assert_eq!(without_credentials(url), shown);
    }
}
