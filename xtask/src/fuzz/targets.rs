//! Everything that reads hostile bytes, as plain functions: bytes in, nothing out, a panic is a finding.
//! A target checks what must hold for any input, beside not panicking.

use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_npm::{Manifest, packument};
use std::path::{Path, PathBuf};

/// One parser under fire.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Inputs to start from, beside those of `fixtures/fuzz/<name>/`.
    pub(super) seeds: &'static [&'static str],
    /// Folders of the repository whose files are seeds too.
    pub(super) folders: &'static [&'static str],
}

/// Every target; `fuzz/` has one program for each.
pub const TARGETS: &[Target] = &[
    Target { name: "json", run: json, seeds: JSON, folders: &["fixtures/registry"] },
    Target { name: "manifest", run: manifest, seeds: MANIFESTS, folders: &["fixtures/interop"] },
    Target { name: "packument", run: packument, seeds: PACKUMENTS, folders: &["fixtures/registry"] },
];

const JSON: &[&str] = &[
    r#"{"a":[1,-2.5e3,"t\u00e9\n",null,true,false,{}],"b":{"c":""}}"#,
    "// comment\n{ /* more */ \"a\": [1, 2,], }",
];
const MANIFESTS: &[&str] = &[
    r#"{"name":"@scope/app","version":"1.0.0-rc.1+b","workspaces":{"packages":["packages/*","!x"],"catalog":{"a":"1"}},
      "dependencies":{"left":"^1.0.0","right":"npm:left@2","ui":"workspace:*","f":"file:../f","g":"github:a/b#c"},
      "overrides":{"left":"1.3.0","right":{".":"2",  "left@^1":"$left"}},"resolutions":{"a/**/b":"1"},
      "peerDependencies":{"p":"*"},"peerDependenciesMeta":{"p":{"optional":true}},"bundleDependencies":["left"],
      "os":["!win32"],"cpu":"x64","libc":["glibc"],"engines":{"node":">=20"},"trustedDependencies":["left"]}"#,
];
const PACKUMENTS: &[&str] =
    &[r#"{"name":"left","modified":"2024-02-29T12:30:00.123Z","dist-tags":{"latest":"1.10.0"},"versions":{
      "1.10.0":{"dependencies":{"b":"^1","a":"~2"},"optionalDependencies":{"c":"3"},"bin":{"left":"cli.js"},
      "dist":{"tarball":"http://registry.test/left-1.10.0.tgz","shasum":"00ff","integrity":"sha512-AA=="},
      "os":["linux"],"hasInstallScript":true,"deprecated":"no"},"2.0.0-rc.1":{},"1.2.0":{}},
      "time":{"created":"2020-01-01T00:00:00.000Z","1.2.0":"1970-01-02T00:00:01.000Z"}}"#];

impl Target {
    pub fn find(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// All inputs to start from, always in the same order.
    pub fn all_seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds: Vec<Vec<u8>> = self.seeds.iter().map(|text| text.as_bytes().to_vec()).collect();
        let found = format!("fixtures/fuzz/{}", self.name);
        for folder in self.folders.iter().copied().chain([found.as_str()]) {
            let mut paths = Vec::new();
            files_below(&root().join(folder), &mut paths);
            paths.sort();
            seeds.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
        }
        seeds
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files_below(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path(), paths),
            Ok(kind) if kind.is_file() => paths.push(entry.path()),
            _ => {}
        }
    }
}

/// What is JSON is relaxed JSON; every value stands where it says; strings survive being written.
fn json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let relaxed = json::parse(text, Dialect::Relaxed);
    if let Ok(node) = json::parse(text, Dialect::Strict) {
        assert_eq!(Ok(&node), relaxed.as_ref());
    }
    match relaxed {
        Ok(node) => places_hold(text, &node),
        Err(error) => assert!(error.offset <= text.len() && error.line >= 1 && error.column >= 1),
    }
}

fn places_hold(text: &str, node: &Node<'_>) {
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
        places_hold(text, &member.node);
    }
    for element in node.elements() {
        places_hold(text, element);
    }
}

fn manifest(input: &[u8]) {
    if let Err(problem) = Manifest::parse(&String::from_utf8_lossy(input)) {
        assert!(!problem.message().is_empty());
    }
}

/// What is encoded opens; what opens, whatever its bytes, can be read to the end.
fn packument(input: &[u8]) {
    let source = packument::Source { name: "left", etag: "", fetched_s: 1, fresh_until_s: 2 };
    if let Ok(bytes) = packument::encode(&String::from_utf8_lossy(input), &source) {
        let whole = packument::Packument::open(Box::new(bytes.clone())).expect("own bytes open");
        assert!(whole.versions().all(|(_, id)| whole.release(id).is_some()));
        // The same bytes damaged, as a disk would: where and how, the input says.
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
