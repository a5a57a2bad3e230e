//! File URLs and their paths.

use super::*;

fn path(reference: &str) -> Result<(String, String), UrlError> {
    let url = resolve(b"/a b/c", reference, None)?;
    Ok((String::from_utf8(url.path).unwrap(), url.suffix))
}

#[track_caller]
fn check(reference: &str, expected: &str, suffix: &str) {
    assert_eq!(path(reference), Ok((expected.to_owned(), suffix.to_owned())), "{reference}");
}

#[test]
fn a_url_is_decoded() {
    check("./x.js", "/a b/c/x.js", "");
    check("./%C3%BC.js", "/a b/c/ü.js", "");
    check("../x%20y.js?q#f", "/a b/x y.js", "?q#f");
    check("./x.js?", "/a b/c/x.js", "");
    check("/%41", "/A", "");
    check("./d/", "/a b/c/d/", "");
    check(".", "/a b/c/", "");
    check("./d/%2e%2e/e", "/a b/c/e", "");
    check("../../../..", "/", "");
}

#[test]
fn invalid_urls_are_refused() {
    assert_eq!(path("./a%2fb"), Err(UrlError::EncodedSlash));
    assert_eq!(path("./a%5Cb"), Err(UrlError::EncodedSlash));
    assert_eq!(path("./100%"), Err(UrlError::Malformed));
    assert_eq!(path("./%ff"), Err(UrlError::Malformed));
    assert_eq!(path("//host/x"), Err(UrlError::Host));
}

#[test]
fn a_star_is_replaced_before_decoding() {
    let url = resolve(b"/p", "./*.js?*", Some("a%20b")).unwrap();
    assert_eq!((&*url.path, &*url.suffix), (&b"/p/a b.js"[..], "?a%20b"));
}

#[test]
fn most_references_are_paths_already() {
    for plain in ["./x.js", "../a b/ü.js", "./@scope/x+y~(1),=&$!'.js"] {
        assert!(is_plain(plain), "{plain}");
    }
    for other in ["./x%20", "./x?", "./x#", "./x\\y", " ./x", "./x ", "./x\ty", "/c|/x"] {
        assert!(!is_plain(other), "{other}");
    }
}
