//! Which strings are license expressions.

use super::*;

#[test]
fn single_licenses() {
    for (text, id) in [
        ("MIT", "MIT"),
        (" (MIT) ", "MIT"),
        ("GPL-2.0+", "GPL-2.0"),
        ("GPL-2.0 WITH Classpath-exception-2.0", "GPL-2.0"),
        ("LicenseRef-own", "LicenseRef-own"),
        ("DocumentRef-a:LicenseRef-b", "DocumentRef-a:LicenseRef-b"),
    ] {
        assert_eq!(parse(text), Some(License::Single(id.to_owned())), "{text}");
    }
}

#[test]
fn expressions() {
    for text in ["MIT OR Apache-2.0", "(MIT OR Apache-2.0)", "MIT AND (ISC OR BSD-3-Clause)", "(MIT)AND(ISC)"]
    {
        assert_eq!(parse(text), Some(License::Expression), "{text}");
    }
}

#[test]
fn other_strings() {
    let deep = format!("{}MIT{}", "(".repeat(10_000), ")".repeat(10_000));
    for text in [
        "",
        "UNLICENSED",
        "SEE LICENSE IN x",
        "mit",
        "MIT OR",
        "(MIT",
        "MIT)",
        "MIT WITH x",
        "MIT or ISC",
        &deep,
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}
