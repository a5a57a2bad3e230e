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
}
