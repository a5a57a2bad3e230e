//! The targets of `rusk-runtime`: formats of data that programs import. What comes out is JSON.

use rusk_npm::json::{self, Dialect};
use rusk_runtime::text_formats;

/// Blanks for comments: nothing moves.
pub fn jsonc(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(found) = text_formats::jsonc(&text) {
        let given = text.strip_prefix('\u{feff}').unwrap_or(&text);
        assert_eq!(found.encode_utf16().count(), given.encode_utf16().count());
        assert_eq!(found.matches('\n').count(), given.matches('\n').count());
    }
}

pub fn toml(input: &[u8]) {
    check(text_formats::toml(&String::from_utf8_lossy(input)));
}

pub fn yaml(input: &[u8]) {
    check(text_formats::yaml(&String::from_utf8_lossy(input)));
}

fn check(found: Result<String, text_formats::Fault>) {
    match found {
        // Our parser of JSON bounds depth and refuses keys that come twice sooner than the engine.
        Ok(json) => assert!(json.len() > 100 || json::parse(&json, Dialect::Strict).is_ok(), "{json}"),
        Err(fault) => assert!(!fault.message.is_empty() && fault.line > 0 && fault.column > 0),
    }
}
