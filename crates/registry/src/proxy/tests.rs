//! Proxies and `NO_PROXY`.

use super::*;

fn check(exceptions: &[&str], url: &str, expected: Option<&str>) {
    let routes = Routes::new(&Proxies {
        http: Some("http://plain.test:3128".to_owned()),
        https: Some("user:pass@secure.test:8080".to_owned()),
        exceptions: exceptions.iter().map(|&entry| entry.to_owned()).collect(),
    });
    let routes = routes.expect("valid addresses");
    let found = routes.find(&Url::parse(url).expect(url));
    assert_eq!(found.map(|proxy| proxy.host.as_str()), expected, "{url} {exceptions:?}");
}

#[test]
fn the_scheme_decides() {
    check(&[], "http://registry.test/", Some("plain.test"));
    check(&[], "https://registry.test/", Some("secure.test"));
}

#[test]
fn exceptions_go_directly() {
    check(&["registry.test"], "https://registry.test/", None);
    check(&["registry.test"], "https://sub.registry.test/", None);
    check(&[".registry.test"], "https://sub.registry.test/", None);
    check(&["*.registry.test"], "https://sub.registry.test/", None);
    check(&["istry.test"], "https://registry.test/", Some("secure.test"));
    check(&["registry.test:443"], "https://registry.test/", None);
    check(&["registry.test:80"], "https://registry.test/", Some("secure.test"));
    check(&["*"], "https://registry.test/", None);
    check(&["", " Registry.Test "], "https://registry.test/", None);
    check(&["", "other"], "https://registry.test/", Some("secure.test"));
}

#[test]
fn credentials_in_the_address_are_sent_to_the_proxy() {
    let proxy = Proxy::parse("http://us:pw@proxy.test").expect("valid");
    assert_eq!(proxy.port, 80);
    let request = String::from_utf8(connect_request(&proxy, "registry.test", 443)).expect("text");
    let lines: Vec<_> = request.split("\r\n").collect();
    assert_eq!(lines[0], "CONNECT registry.test:443 HTTP/1.1");
    assert_eq!(lines[1], "Host: registry.test:443");
    assert_eq!(lines[2], "Proxy-Authorization: Basic dXM6cHc=");
}

#[test]
fn other_schemes_are_refused_without_showing_the_password() {
    let proxies = Proxies { http: Some("socks5://user:secret@proxy.test".to_owned()), ..Proxies::default() };
    let problem = Routes::new(&proxies).err().expect("refused").to_string();
    assert!(problem.contains("proxy.test") && !problem.contains("secret"), "{problem}");
}
