//! Tests of the document that publishes a version.

use rusk_npm::integrity::{Algorithm, Integrity};
use rusk_npm::json::{self, Dialect, Node};

use super::{Access, NewVersion, Provenance, render};
use crate::Tarball;

#[test]
fn the_document_has_the_version_and_its_tarball() {
    let tarball = Tarball {
        bytes: b"tarball".to_vec(),
        integrity: Integrity::new(Algorithm::Sha512, &[7; 64]).expect("it has 64 bytes"),
        shasum: "00".repeat(20),
        unpacked_bytes: 10,
    };
    let version = NewVersion {
        name: "@s/a",
        version: "1.0.0",
        manifest_text: r#"{ "name": "@s/a", "version": "1.0.0", "dist": "mine", "x": { "y": [1, 2] } }"#,
        tarball: &tarball,
        readme: Some("# A \"b\"\n"),
        tag: "next",
        access: Some(Access::Public),
        registry: "http://registry.test/npm/",
        provenance: Some(Provenance { media_type: "application/b", text: r#"{"a":1}"# }),
    };
    let text = String::from_utf8(render(&version).expect("the manifest is JSON")).expect("it is UTF-8");
    let root = json::parse(&text, Dialect::Strict).expect("it is JSON");
    let at = |path: &[&str]| {
        let node = path.iter().try_fold(&root, |node, key| node.find(key));
        node.and_then(Node::as_str).map(str::to_owned)
    };
    let is = |path: &[&str], value: &str| assert_eq!(at(path).as_deref(), Some(value), "{path:?}");
    is(&["_id"], "@s/a");
    is(&["_attachments", "@s/a-1.0.0.sigstore", "content_type"], "application/b");
    is(&["_attachments", "@s/a-1.0.0.sigstore", "data"], r#"{"a":1}"#);
    is(&["dist-tags", "next"], "1.0.0");
    is(&["access"], "public");
    is(&["versions", "1.0.0", "_id"], "@s/a@1.0.0");
    is(&["versions", "1.0.0", "readme"], "# A \"b\"\n");
    is(&["versions", "1.0.0", "dist", "tarball"], "http://registry.test/npm/@s/a/-/@s/a-1.0.0.tgz");
    is(&["versions", "1.0.0", "dist", "integrity"], &tarball.integrity.to_string());
    is(&["_attachments", "@s/a-1.0.0.tgz", "data"], "dGFyYmFsbA==");
    assert!(text.contains(r#""x":{ "y": [1, 2] }"#), "members of package.json stay as they are");
}
