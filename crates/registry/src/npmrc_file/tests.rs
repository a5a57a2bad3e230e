//! Tests of changes in `.npmrc`.

use super::with_key;

#[test]
fn only_the_line_of_the_key_changes() {
    let text = "# mine\na = 1\n//host/:_authToken=old\nb=2\n//host/:_authToken=older\n";
    let set = with_key(text, "//host/:_authToken", Some("new"));
    assert_eq!(set, "# mine\na = 1\n//host/:_authToken=new\nb=2\n");
    assert_eq!(with_key(&set, "//host/:_authToken", None), "# mine\na = 1\nb=2\n");
    assert_eq!(with_key("", "a", Some("1")), "a=1\n");
    assert_eq!(with_key("a=1", "b", Some("2")), "a=1\nb=2\n");
    assert_eq!(with_key("a=1", "b", None), "a=1\n");
}
