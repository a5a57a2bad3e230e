//! Credentials are sent to matching URLs only.

use super::*;

fn check(url: &str, expected: Option<&str>) {
    let basic = Credential::Basic("dXNlcjpwYXNz".to_owned());
    let bearer = |token: &str| Credential::Bearer(token.to_owned());
    let credentials = [
        ("//registry.test/".to_owned(), bearer("root")),
        ("//registry.test/team/".to_owned(), bearer("team")),
        ("//registry.test/bare".to_owned(), bearer("bare")),
        ("//registry.test:8443/".to_owned(), basic),
        ("//deep.test/a/b/".to_owned(), bearer("deep")),
        ("//bad.test/".to_owned(), bearer("line\nbreak")),
    ];
    let encrypted_hosts = ["deep.test", "registry.test:8443"].map(str::to_owned);
    let keyring = Keyring::new(&credentials, BTreeSet::from(encrypted_hosts));
    let found = keyring.find(&Url::parse(url).expect(url));
    assert_eq!(found.as_ref().and_then(|value| value.to_str().ok()), expected, "{url}");
}

#[test]
fn the_longest_prefix_counts() {
    check("https://registry.test/left", Some("Bearer root"));
    check("https://registry.test/", Some("Bearer root"));
    check("https://registry.test/team/left", Some("Bearer team"));
    check("https://registry.test/team", Some("Bearer root"));
    check("https://registry.test/bare/x/-/x.tgz", Some("Bearer bare"));
    check("https://registry.test/barefoot", Some("Bearer root"));
}

#[test]
fn host_and_port_are_exact() {
    check("https://registry.test:8443/left", Some("Basic dXNlcjpwYXNz"));
    check("https://registry.test:9999/left", None);
    check("https://other.registry.test/left", None);
    check("https://registry.test.evil.test/left", None);
}

#[test]
fn hosts_that_are_encrypted_get_nothing_by_plain_http() {
    check("http://registry.test/left", Some("Bearer root"));
    check("http://registry.test:8443/left", None);
    check("http://deep.test/a/b/c", None);
    check("http://us:p@deep.test/a/b/c", Some("Basic dXM6cA=="));
}

#[test]
fn a_path_outside_the_prefix_gets_nothing() {
    check("https://deep.test/a/b/c", Some("Bearer deep"));
    check("https://deep.test/a/", None);
    check("https://deep.test/a/b", None);
    check("https://deep.test/a/b/../c", None);
}

#[test]
fn a_user_in_the_address_is_basic_auth() {
    check("https://us%40er:p%3Aw@other.test/", Some("Basic dXNAZXI6cDp3"));
    check("https://bad.test/", None);
}

#[test]
fn a_variable_that_is_not_set_is_found_in_credentials() {
    let check = |text: &'static str, name: Option<&str>| {
        assert_eq!(unset_variable(&HeaderValue::from_static(text)).as_deref(), name, "{text}");
    };
    check("Bearer ${NPM_TOKEN}", Some("NPM_TOKEN"));
    check("Basic a${B}c", Some("B"));
    check("Bearer secret", None);
    check("Bearer ${", None);
    check("Bearer ${}", None);
    check("Bearer ${a secret}", None);
}
