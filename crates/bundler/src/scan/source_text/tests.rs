//! Bytes that are UTF-8 or not.

use std::path::Path;

use super::text_of;

#[test]
fn text_that_is_not_utf8_is_an_error_outside_of_packages() {
    let bytes = b"ok\ncaf\xe9";
    let errors = text_of("a.txt", Path::new("/p/a.txt"), bytes).expect_err("it is refused");
    let at = errors[0].at.as_ref().expect("a place");
    assert_eq!((at.line, at.column, at.offset), (2, 4, 6));
    assert!(errors[0].problem.message().contains("0xe9"), "{}", errors[0].problem.message());
    let installed = text_of("a.js", Path::new("/p/node_modules/a/a.js"), bytes).expect("it is taken");
    assert_eq!(installed, "ok\ncaf\u{fffd}");
    assert_eq!(text_of("a.txt", Path::new("/p/a.txt"), b"ok").expect("it is taken"), "ok");
}
