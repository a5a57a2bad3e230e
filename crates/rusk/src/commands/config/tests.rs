//! Tests of values in `.npmrc`.

use std::collections::BTreeMap;

use rusk_npm::npmrc::Layer;

use super::{is_secret, quoted};

#[test]
fn what_is_written_is_read_again() {
    for value in ["plain", "a=b", "; no comment", "a#b", " blank ", "\"quoted\"", "[x]", "base64=="] {
        let layer = Layer::parse(&format!("key={}\n", quoted(value)), &BTreeMap::new());
        assert_eq!(layer.one("key"), Some(value), "{value}");
    }
}

#[test]
fn credentials_are_secrets() {
    let own = ["_auth", "key", "otp", "token", "_password"];
    for key in own.into_iter().chain(["//registry.test/:_authToken", "//registry.test/:_password"]) {
        assert!(is_secret(key), "{key}");
    }
    for key in ["registry", "@scope:registry", "//registry.test/:username", "auth-type"] {
        assert!(!is_secret(key), "{key}");
    }
}
