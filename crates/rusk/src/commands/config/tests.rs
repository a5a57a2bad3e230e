//! Tests of values in `.npmrc`.

use std::collections::BTreeMap;

use rusk_npm::npmrc::Layer;

use super::quoted;

#[test]
fn what_is_written_is_read_again() {
    for value in ["plain", "a=b", "; no comment", "a#b", " blank ", "\"quoted\"", "[x]", "base64=="] {
        let layer = Layer::parse(&format!("key={}\n", quoted(value)), &BTreeMap::new());
        assert_eq!(layer.one("key"), Some(value), "{value}");
    }
}
