//! Fuzz targets of `rusk-npm`: strings from registries, projects and command lines.

use std::collections::BTreeMap;

use rusk_npm::bunfig::Bunfig;
use rusk_npm::edit::{self, Setting};
use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_npm::manifest::{Group, Scripts};
use rusk_npm::npmrc::{self, Layer, Variables};
use rusk_npm::patch::{PackageFile, Patch};
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;
use rusk_npm::yarn_patch::YarnPatch;
use rusk_npm::{Manifest, packument};

/// JSON is also relaxed JSON; the position of every value is right; strings survive a round trip.
pub fn json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let relaxed = json::parse(text, Dialect::Relaxed);
    if let Ok(node) = json::parse(text, Dialect::Strict) {
        assert_eq!(Ok(&node), relaxed.as_ref());
    }
    match relaxed {
        Ok(node) => check_positions(text, &node),
        Err(error) => assert!(error.offset <= text.len() && error.line >= 1 && error.column >= 1),
    }
}

fn check_positions(text: &str, node: &Node<'_>) {
    let own = &text[node.start..node.end];
    match &node.value {
        Value::String(value) => {
            let mut written = String::new();
            json::quote_into(&mut written, value);
            let again = json::parse(&written, Dialect::Strict).expect("what was quoted is JSON");
            assert_eq!(again.as_str(), Some(&**value));
        }
        Value::Number(digits) => assert_eq!(own, *digits),
        _ => {}
    }
    for member in node.members() {
        assert!(text[member.start..].starts_with('"'));
        check_positions(text, &member.node);
    }
    for element in node.elements() {
        check_positions(text, element);
    }
}

pub fn manifest(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(problem) = Manifest::parse(&text) {
        assert!(!problem.message().is_empty());
    }
    if let Ok(scripts) = Scripts::parse(&text) {
        for (name, command) in scripts.commands.iter().take(100) {
            assert!(!command.is_empty() && !command.contains('\0'));
            assert_eq!(scripts.find(name).ok().flatten(), Some(command.as_str()));
        }
    }
}

/// An encoded packument opens; one that opens, whatever its bytes, can be read completely.
pub fn packument(input: &[u8]) {
    let source = packument::Source { name: "left", etag: "", fetched_s: 1, fresh_until_s: 2 };
    if let Ok(bytes) = packument::encode(&String::from_utf8_lossy(input), &source) {
        let whole = packument::Packument::open(Box::new(bytes.clone())).expect("own bytes open");
        assert!(whole.versions().all(|(_, id)| whole.release(id).is_some()));
        // The same bytes damaged, as by a disk: the input decides where and how.
        let sum = input.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
        let mut damaged = bytes;
        let at = sum % damaged.len();
        damaged[at] ^= 1 << (sum % 8);
        read_all(damaged);
    }
    read_all(input.to_vec());
}

fn read_all(bytes: Vec<u8>) {
    let Some(packument) = packument::Packument::open(Box::new(bytes)) else { return };
    for (_, id) in packument.versions() {
        let _ = (packument.release(id), packument.published_s(id));
    }
    let _ = (packument.dist_tags().count(), packument.etag(), packument.modified());
}

/// An edited manifest is still a manifest, and has the requested change.
pub fn edit(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if Manifest::parse(&text).is_err() {
        return;
    }
    let setting =
        Setting { group: Some(Group::Production), name: "left".to_owned(), literal: "^1.0.0".to_owned() };
    if let Ok(edited) = edit::set_dependencies(&text, &[setting]) {
        let root = json::parse(&edited, Dialect::Relaxed).expect("an edited manifest is JSON");
        let left = root.find("dependencies").and_then(|group| group.find("left")).and_then(Node::as_str);
        assert_eq!(left, Some("^1.0.0"));
        let removed =
            edit::remove_dependencies(&edited, &["left".to_owned()]).expect("what was added can be removed");
        let groups = edit::groups_of(&removed, "left").expect("an edited manifest is a manifest");
        assert!(groups.is_empty(), "{groups:?}");
    }
}

/// Display writes versions, ranges and specifiers in full: `1.2.3rc` gets its hyphen. A version of
/// more than 256 bytes is invalid, so longer strings may grow beyond what parses again.
const SHOWN_BYTES_MAX: usize = 255;

/// A displayed version parses again as itself.
pub fn version(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Some(version) = Version::parse(&text).filter(|_| text.len() <= SHOWN_BYTES_MAX) else { return };
    let again = Version::parse(&version.to_string());
    assert_eq!(again.as_ref(), Some(&version));
}

/// A displayed range matches the same versions.
pub fn range(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Some(range) = Range::parse(&text).filter(|_| text.len() <= SHOWN_BYTES_MAX) else { return };
    let again = Range::parse(&range.to_string()).expect("a displayed range is a range");
    for version in
        ["0.0.0", "0.0.1", "1.2.3", "1.2.3-rc.1", "2.0.0-0", "2.3.4", "3.0.0-rc.2", "9007199254740991.0.0"]
    {
        let version = Version::parse(version).expect("a version");
        assert_eq!(range.contains(&version), again.contains(&version), "{version} in {range}");
    }
}

/// A displayed specifier parses again as one that displays the same.
pub fn specifier(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let _ = Specifier::parse_request(&text);
    if let Some(patch) = YarnPatch::parse("left", &text) {
        assert!(!patch.package.is_empty() && !patch.key().is_empty());
    }
    let Ok(specifier) = Specifier::parse("left", &text) else { return };
    if text.len() <= SHOWN_BYTES_MAX {
        let again = Specifier::parse("left", &specifier.to_string()).expect("a displayed specifier is one");
        assert_eq!(again, specifier);
    }
}

pub fn npmrc(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let variables = Variables::from([("TOKEN".to_owned(), "secret".to_owned())]);
    let layer = Layer::parse(&text, &variables);
    let _ = (
        layer.scopes().count(),
        layer.all("omit"),
        layer.number("fetch-retries"),
        npmrc::credentials(&[&layer]),
    );
    let _ = Bunfig::parse(&text, &variables);
}

pub const PATCHES: &[&str] = &[
    "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    "diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n",
    "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n",
];

/// A patch that applies changes only the files it names, and none of them is outside the package.
pub fn patch(input: &[u8]) {
    let Ok(patch) = Patch::parse(input) else { return };
    let file = |text: &str| PackageFile { bytes: text.as_bytes().to_vec(), mode: 0o644 };
    let before = BTreeMap::from([("a".to_owned(), file("one\ntwo\nthree\n")), ("b".to_owned(), file("x"))]);
    let mut after = before.clone();
    let paths: Vec<&str> = patch.paths().collect();
    assert!(paths.iter().all(|path| !path.starts_with('/') && path.split('/').all(|part| part != "..")));
    if patch.apply(&mut after).is_ok() {
        let all = before.keys().chain(after.keys());
        all.filter(|path| !paths.contains(&path.as_str())).for_each(|path| {
            assert_eq!(before.get(path), after.get(path));
        });
    }
}
