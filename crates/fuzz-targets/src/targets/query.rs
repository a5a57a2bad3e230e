//! Fuzz targets of `rusk-query`: what registries say about packages.

use rusk_npm::advisories::parse_response;
use rusk_npm::json::{self, Dialect};
use rusk_query::record::{AuditRecord, InputHasher, OutdatedRecord};
use rusk_query::registry_document::RegistryDocument;
use rusk_query::sbom::license_expression::{self, License};
use rusk_query::sbom::{PackageDescription, licenses_in_lockfile};

pub const ADVISORIES: &[&str] = &[
    r#"{"a":[{"id":1,"url":"http://h.test/GHSA-a-b-c","title":"t","severity":"high","vulnerable_versions":"<1.2.0 || >=2","cves":["CVE-1"]}]}"#,
];

pub const DOCUMENTS: &[&str] = &[
    r#"{"name":"a","dist-tags":{"latest":"1.0.0"},"time":{"1.0.0":"x"},"maintainers":[{"name":"b"}],"versions":{"1.0.0":{"version":"1.0.0","a.b":{"c":[1,"\\\""]}},"2.0.0-a":{}}}"#,
];

pub const DESCRIPTIONS: &[&str] = &[
    r#"{"name":"a","version":"1.0.0","license":"(MIT OR GPL-2.0+ WITH Classpath-exception-2.0)","author":"b <c> (d)","repository":"github:a/b#c","bugs":{"url":"http://h.test"},"homepage":"h.test"}"#,
    r#"{"packages":{"":{"name":"a","version":"1.0.0","license":"MIT"},"node_modules/b":{"version":"2.0.0","license":"ISC"}}}"#,
];

/// The part of a record after its digests.
pub const RECORDS: &[&str] = &[
    "1800000000\t1 2 3\tdependents\nleft\tdevDependencies\t1.0.0\t1.1.0\t2.0.0\tapp\n",
    "2\nhttp://a.test/\t1\t{\"left\":[\"1.0.0\"]}\n",
];

/// What is read from a damaged cache is refused; what is read is written again with the same bytes.
pub fn record(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let inputs = InputHasher::new("outdated").finish();
    assert!(OutdatedRecord::parse(&text, &inputs).is_none() && AuditRecord::parse(&text, &inputs).is_none());
    let whole = inputs.with_rest(&text);
    if let Some(found) = OutdatedRecord::parse(&whole, &inputs) {
        let again = found.render(&inputs).and_then(|text| OutdatedRecord::parse(&text, &inputs));
        assert_eq!(again, Some(found));
    }
    if let Some(found) = AuditRecord::parse(&whole, &inputs) {
        let again = found.render(&inputs).and_then(|text| AuditRecord::parse(&text, &inputs));
        assert_eq!(again, Some(found));
    }
}

/// Nothing that is described is empty.
pub fn package_description(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let found = PackageDescription::parse(&text);
    let values = [found.name, found.version, found.license, found.author, found.repository, found.bugs];
    assert!(values.iter().flatten().all(|value| !value.is_empty()));
    licenses_in_lockfile(&text);
}

/// The advisories that are kept are JSON.
pub fn advisories(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(Some(advisories)) = parse_response(&text) else { return };
    for advisory in advisories {
        json::parse(&advisory.text, Dialect::Strict).expect("a part of JSON is JSON");
        advisory.is_named(&advisory.id);
    }
}

/// A version with the fields of its package is JSON.
pub fn registry_document(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(document) = RegistryDocument::parse(&text) else { return };
    for wanted in ["latest", "*", ">0.0.0-0"] {
        let Some(release) = document.find_version(wanted) else { continue };
        json::parse(&document.merged(release), Dialect::Strict).expect("a merged version is JSON");
        for path in ["a.b.c[0]", "maintainers[0].name", "dist-tags.latest", "time", "["] {
            let field = document.field(release, path);
            if let Some(text) = field {
                json::parse(&text, Dialect::Strict).expect("a field is JSON");
            }
        }
    }
}

pub const LICENSES: &[&str] =
    &["(MIT OR Apache-2.0+) AND GPL-2.0 WITH Classpath-exception-2.0", "((((ISC))))", "UNLICENSED"];

/// A single license is part of the text.
pub fn license(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Some(License::Single(name)) = license_expression::parse(&text) {
        assert!(text.to_lowercase().contains(&name.to_lowercase()), "{name:?} of {text:?}");
    }
}
