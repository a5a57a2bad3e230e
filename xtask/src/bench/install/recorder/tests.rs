//! Requests of the tools, and packuments as they are stored.

use super::*;

#[track_caller]
fn check(request: &str, file: Option<&str>) {
    let request = parse(&format!("{request}\r\n\r\n"));
    let found = request.map(|request| request.file(Path::new("")).to_string_lossy().into_owned());
    assert_eq!(found.as_deref(), file);
}

#[test]
fn a_request_names_the_file_it_is_kept_in() {
    check("GET /left HTTP/1.0", Some("full/left.json"));
    check(
        "GET /left HTTP/1.0\r\naccept: application/vnd.npm.install-v1+json; q=1.0",
        Some("short/left.json"),
    );
    check("GET /@ui%2fbox HTTP/1.0", Some("full/@ui/box.json"));
    check("GET /@ui/box HTTP/1.0", Some("full/@ui/box.json"));
    check("GET /@ui/box/-/box-1.0.0.tgz HTTP/1.0", Some("tarballs/@ui/box/-/box-1.0.0.tgz"));
}

#[test]
fn what_no_install_asks_for_is_refused() {
    for target in ["/", "/..", "/@ui/..", "/../x/-/x.tgz", "/left/1.0.0", "/-/v1/search?text=a", "/%2e%2e"] {
        check(&format!("GET {target} HTTP/1.0"), None);
    }
    check("PUT /left HTTP/1.0", None);
}

#[test]
fn tarballs_of_a_kept_packument_stand_at_the_local_registry() {
    for packument in [
        r#"{"tarball":"https://registry.test/a/-/a.tgz"}"#,
        r#"{"tarball": "http://registry.test/a/-/a.tgz"}"#,
    ] {
        let kept = localized(packument, "https://registry.test/");
        assert!(kept.ends_with(&format!("\"{}a/-/a.tgz\"}}", registry::url())), "{kept}");
    }
    let other = r#"{"homepage":"https://other.test/a"}"#;
    assert_eq!(localized(other, "https://registry.test/"), other);
}
