//! Tests of `tls`.

use super::*;

#[test]
fn names_match_exactly_or_by_one_label() {
    let check = |pattern, name, expected| assert_eq!(is_for(pattern, name), expected, "{pattern} {name}");
    check("host.test", "HOST.test", true);
    check("host.test", "other.test", false);
    check("*.host.test", "a.host.test", true);
    check("*.host.test", "host.test", false);
    check("*.host.test", "a.b.host.test", false);
    check("", "", false);
    check("host.test.", "host.test", true);
    check("*.host.test", "a.host.test.", true);
}

#[test]
fn an_exact_name_comes_first_and_the_last_of_several() {
    let list = ["", "a.test", "*.host.test", "b.host.test", "a.test", "*.host.test"];
    let names: Vec<_> = list.into_iter().enumerate().collect();
    let find = |host| find_named(&names, host, |(_, name)| name).map(|(index, _)| *index);
    assert_eq!(find("a.test"), Some(4));
    assert_eq!(find("b.host.test"), Some(3));
    assert_eq!(find("c.host.test"), Some(5));
    assert_eq!(find("other.test"), None);
}
