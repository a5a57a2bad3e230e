//! What a response may look like, and by which names an advisory is known.

use super::*;

const RESPONSE: &str = r#"{
  "left": [
    {"id": 7, "url": "http://advisories.test/GHSA-aaaa-bbbb-cccc", "title": "One", "severity": "low", "vulnerable_versions": "<1.3.0", "cves": ["CVE-2020-1"]},
    {"id": 8, "url": "", "title": "Two", "severity": "critical", "vulnerable_versions": ">=1.0.0 <2.0.0"}
  ],
  "right": []
}"#;

#[test]
fn advisories_are_named_by_number_ghsa_or_cve() {
    let advisories = parse_response(RESPONSE).unwrap().unwrap();
    for name in ["7", "GHSA-aaaa-bbbb-cccc", "ghsa-AAAA-bbbb-cccc", "CVE-2020-1"] {
        assert!(advisories[0].is_named(name), "{name}");
    }
    assert!(!advisories[0].is_named("8") && !advisories[1].is_named(""));
}

#[test]
fn a_response_of_another_shape_is_refused() {
    assert!(parse_response("[]").unwrap().is_none());
    assert!(parse_response(r#"{"left":[{"title":"no range"}]}"#).unwrap().is_none());
    assert!(parse_response("{").is_err());
    assert_eq!(parse_response("{}").unwrap(), Some(Vec::new()));
}
