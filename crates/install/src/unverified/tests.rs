//! Which tarballs are outside of their package's registry.

use super::is_outside;

#[test]
fn a_tarball_is_where_the_connection_goes() {
    const REGISTRY: &str = "https://registry.test/npm/";
    for (tarball, expected) in [
        ("https://registry.test/left/-/left-1.0.0.tgz", false),
        ("https://user:word@Registry.test:443/left.tgz", false),
        ("http://registry.test/left.tgz", true),
        ("https://registry.test:4873/left.tgz", true),
        ("https://registry.test@evil.test/left.tgz", true),
        ("https://evil.test?@registry.test/", true),
        ("https://evil.test#@registry.test/", true),
        ("HTTPS://evil.test/left.tgz", true),
        ("https:/evil.test/left.tgz", true),
        ("https:evil.test/left.tgz", true),
        ("https:///evil.test/left.tgz", true),
        (" \thttps://evil.test/left.tgz", true),
        ("https://evil.test\\@registry.test/left.tgz", true),
        // Nothing is fetched.
        ("left.tgz", false),
        ("", false),
    ] {
        assert_eq!(is_outside(tarball, REGISTRY), expected, "{tarball}");
    }
    assert!(!is_outside("http://registry.test/left.tgz", "http://registry.test/"));
    assert!(is_outside("https://evil.test/left.tgz", "http://registry.test/"));
}
