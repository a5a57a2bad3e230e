//! Tests of audits: which advisories count for which packages.

use super::*;
use rusk_npm::advisories::{parse_response, request_body};

use crate::members::members;
use crate::tests::graph;

const RESPONSE: &str = r#"{
  "left": [
    {"id": 7, "url": "http://advisories.test/GHSA-aaaa-bbbb-cccc", "title": "One", "severity": "low", "vulnerable_versions": "<1.3.0", "cves": ["CVE-2020-1"]},
    {"id": 8, "url": "", "title": "Two", "severity": "critical", "vulnerable_versions": ">=1.0.0 <2.0.0"}
  ],
  "right": []
}"#;

#[test]
fn an_advisory_counts_for_the_versions_it_names() {
    let lines = ["app > left, dev old", "left 1.2.0", "old 1.0.0 > left", "unused 1.0.0"];
    let graph = graph(&lines);
    let advisories = parse_response(RESPONSE).unwrap().unwrap();
    let found = findings(&graph, &members(&graph), OmittedGroups::default(), &advisories);
    assert_eq!(found.len(), 1);
    let titles: Vec<&str> = found[0].advisories.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["Two", "One"], "the worst first");
}

#[test]
fn packages_that_are_left_out_are_not_audited() {
    let graph = graph(&["app > dev left, right", "left 1.2.0", "right 1.0.0", "unused 1.0.0"]);
    let omit = OmittedGroups { development: true, ..OmittedGroups::default() };
    let body = |omit| {
        let packages = audited_packages(&graph, &members(&graph), omit);
        request_body(packages.iter().map(|(name, versions)| (name.as_str(), &versions[..])))
    };
    assert_eq!(body(OmittedGroups::default()), r#"{"left":["1.2.0"],"right":["1.0.0"]}"#);
    assert_eq!(body(omit), r#"{"right":["1.0.0"]}"#);
    let advisories = parse_response(RESPONSE).unwrap().unwrap();
    assert!(findings(&graph, &members(&graph), omit, &advisories).is_empty());
}
