//! What counts as the same host.

use super::host;

#[test]
fn a_host_is_what_a_connection_goes_to() {
    for (url, expected) in [
        ("https://registry.test/left/-/left-1.0.0.tgz", Some("registry.test")),
        ("https://registry.test:4873/", Some("registry.test:4873")),
        ("https://registry.test@evil.test/left.tgz", Some("evil.test")),
        ("https://evil.test?@registry.test/", Some("evil.test")),
        ("https://evil.test#@registry.test/", Some("evil.test")),
        ("left.tgz", None),
    ] {
        assert_eq!(host(url), expected, "{url}");
    }
}
