//! Hosts are those that connections go to, however a URL is written.

use super::*;

#[test]
fn a_host_is_the_one_that_connections_go_to() {
    for (text, host) in [
        ("https://registry.test/left", Some("registry.test")),
        ("https://Registry.test:443/", Some("registry.test")),
        ("http://registry.test:443/", Some("registry.test:443")),
        ("http://user:password@registry.test:4873/", Some("registry.test:4873")),
        ("http://evil.test\\@registry.test/", Some("evil.test")),
        ("http:/evil.test//registry.test/", Some("evil.test")),
        ("http:evil.test/@registry.test/", Some("evil.test")),
        ("http:///evil.test/", Some("evil.test")),
        ("HTTP://evil.test?@registry.test", Some("evil.test")),
        (" \thttp://evil.test#@registry.test", Some("evil.test")),
        ("http://registry.test:_x@evil.test/", Some("evil.test")),
        ("http://registry.test\t.evil.test/", Some("registry.test.evil.test")),
        ("http://127.1:80/", Some("127.0.0.1")),
        ("http://[::1]:81/", Some("[::1]:81")),
        ("ftp://registry.test/", None),
        ("registry.test/left.tgz", None),
        ("", None),
    ] {
        assert_eq!(of_url(text).as_deref(), host, "{text}");
    }
}

#[test]
fn an_origin_has_neither_path_nor_user() {
    let shown = origin_of_url("http://registry.test:4873@evil.test/registry.test/");
    assert_eq!(shown.as_deref(), Some("http://evil.test/"));
}

#[test]
fn a_prefix_is_as_urls_are() {
    for (prefix, normal) in [
        ("//Registry.test", Some("//registry.test/")),
        ("//registry.test/npm", Some("//registry.test/npm/")),
        ("//registry.test/a/../b/", Some("//registry.test/b/")),
        ("//registry.test:443/", Some("//registry.test:443/")),
        ("//registry.test:80/", Some("//registry.test:80/")),
        ("//evil.test\\@registry.test/", Some("//evil.test/@registry.test/")),
        ("//registry.test@evil.test/", None),
        ("//evil.test/?registry.test", None),
        ("//a b/", None),
        ("//", None),
    ] {
        assert_eq!(normal_prefix(prefix).as_deref(), normal, "{prefix}");
    }
    assert_eq!(of_prefix("//Registry.test:81/npm/").as_deref(), Some("registry.test:81"));
}

#[test]
fn proxies_and_trusted_hosts_have_no_scheme() {
    let proxy = |text: &str| proxy_url(text).as_ref().map(of);
    assert_eq!(proxy("Proxy.test:3128").as_deref(), Some("proxy.test:3128"));
    assert_eq!(proxy("a:b@proxy.test").as_deref(), Some("proxy.test"));
    assert_eq!(proxy("socks://proxy.test"), None);
    for text in ["registry.test", "Registry.test:443", "https://registry.test/npm/"] {
        assert_eq!(of_url_or_name(text).as_deref(), Some("registry.test"), "{text}");
    }
}
