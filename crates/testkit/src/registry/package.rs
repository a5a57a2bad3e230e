//! A package as a test declares it, and as a registry shows it: packuments, full and abbreviated,
//! and tarballs.

use super::pack::{self, File};
use super::signing::Signature;
use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_npm::packument::utc_text;
use rusk_npm::release_age::parse_seconds;
use rusk_npm::semver::{Range, Version};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The media type of an abbreviated packument.
pub const ABBREVIATED: &str = "application/vnd.npm.install-v1+json";

/// The members of a version's manifest that an abbreviated packument shows.
const SHOWN: &[&str] = &[
    "name",
    "version",
    "bin",
    "bundleDependencies",
    "bundledDependencies",
    "cpu",
    "dependencies",
    "deprecated",
    "devDependencies",
    "directories",
    "engines",
    "funding",
    "libc",
    "optionalDependencies",
    "os",
    "peerDependencies",
    "peerDependenciesMeta",
];

/// One package with its versions.
#[derive(Clone, Debug)]
pub struct Package {
    name: String,
    releases: Vec<Release>,
    /// Tag and version; `latest` is the last version declared when nothing else is said.
    tags: Vec<(String, String)>,
    /// The vulnerable range and the JSON of each security advisory.
    advisories: Vec<(Range, String)>,
}

#[derive(Clone, Debug)]
struct Release {
    version: String,
    /// Key and JSON text of each member.
    manifest: Vec<(String, String)>,
    tarball: Vec<u8>,
    integrity: String,
    file_count: usize,
    /// Seconds since 1970; `None`: long ago.
    published_s: Option<u64>,
    /// Whether the registry signed it.
    signature: Signature,
    /// The evidence of its publisher: `provenance`, `publisher`, or nothing.
    trust: String,
}

impl Package {
    pub fn new(name: &str) -> Package {
        Package { name: name.to_owned(), releases: Vec::new(), tags: Vec::new(), advisories: Vec::new() }
    }

    /// Adds a version. `manifest` is the JSON object of its package.json, without name and version.
    /// Its member `+files` holds paths and strings of further files; without it there is an
    /// index.js that exports `name@version`. `+published` is how long ago it was published: `5h`.
    /// `+trust` is the evidence of its publisher: `provenance` or `publisher`.
    /// `+signature` is `valid`, `wrong`, `old` (by a key that expired in 2020) or `unknown`.
    #[must_use]
    #[track_caller]
    pub fn version(mut self, version: &str, manifest: &str) -> Package {
        let parsed = json::parse(manifest, Dialect::Relaxed);
        let node = parsed.unwrap_or_else(|error| panic!("{}@{version}: {error}", self.name));
        self.releases.push(Release::new(&self.name, version, &node));
        self
    }

    /// Points a dist-tag at a version.
    #[must_use]
    pub fn tag(mut self, tag: &str, version: &str) -> Package {
        self.tags.retain(|(known, _)| known != tag);
        self.tags.push((tag.to_owned(), version.to_owned()));
        self
    }

    /// Reads `{ "name": …, "dist-tags": { … }, "versions": { "1.0.0": manifest } }`, comments and
    /// trailing commas allowed. Manifests are as in [`Package::version`].
    #[track_caller]
    pub fn parse(text: &str) -> Package {
        let node = json::parse(text, Dialect::Relaxed).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let name = node.find("name").and_then(Node::as_str).expect("a package has a name");
        let mut package = Package::new(name);
        for member in node.find("versions").expect("a package has versions").members() {
            let release = Release::new(name, &member.key, &member.node);
            package.releases.push(release);
        }
        for advisory in node.find("advisories").map(Node::elements).unwrap_or_default() {
            let range = advisory.find("vulnerable_versions").and_then(Node::as_str);
            let range = range.and_then(Range::parse).expect("an advisory has a range");
            package.advisories.push((range, strict(advisory)));
        }
        for member in node.find("dist-tags").map(Node::members).unwrap_or_default() {
            let version = member.node.as_str().expect("a tag names a version");
            package.tags.push((member.key.to_string(), version.to_owned()));
        }
        package
    }

    /// Every `*.json` of a directory, by name.
    #[track_caller]
    pub fn read_directory_packages(folder: &Path) -> Vec<Package> {
        let entries =
            std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("a package is UTF-8"));
        texts.map(|text| Package::parse(&text)).collect()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn tarball(&self, version: &str) -> Option<&[u8]> {
        self.release(version).map(|release| release.tarball.as_slice())
    }

    pub fn integrity(&self, version: &str) -> Option<&str> {
        self.release(version).map(|release| release.integrity.as_str())
    }

    fn release(&self, version: &str) -> Option<&Release> {
        self.releases.iter().find(|release| release.version == version)
    }

    /// Adds a version with a given tarball.
    #[must_use]
    pub fn publish(mut self, version: &str, manifest: &Node<'_>, tarball: Vec<u8>) -> Package {
        let members = manifest.members().iter().filter(|member| member.key != "dist");
        let manifest = members.map(|member| (member.key.to_string(), strict(&member.node))).collect();
        let integrity = pack::integrity(&tarball);
        self.releases.push(Release {
            version: version.to_owned(),
            manifest,
            tarball,
            integrity,
            file_count: 1,
            published_s: None,
            signature: Signature::None,
            trust: String::new(),
        });
        self
    }

    /// Sets the message of a version; an empty one removes it.
    pub fn deprecate(&mut self, version: &str, message: &str) {
        for release in self.releases.iter_mut().filter(|release| release.version == version) {
            release.manifest.retain(|(key, _)| key != "deprecated");
            if !message.is_empty() {
                release.manifest.push(("deprecated".to_owned(), quoted(message)));
            }
        }
    }

    #[must_use]
    pub fn without_tag(mut self, tag: &str) -> Package {
        self.tags.retain(|(known, _)| known != tag);
        self
    }

    /// The security advisories about any of these versions, as JSON.
    pub fn advisories(&self, versions: &[Version]) -> Vec<String> {
        let is_meant = |range: &Range| versions.iter().any(|version| range.contains(version));
        let meant = self.advisories.iter().filter(|(range, _)| is_meant(range));
        meant.map(|(_, text)| text.clone()).collect()
    }

    /// The document of one version.
    pub fn version_document(&self, version: &str, url: &str) -> Option<String> {
        self.release(version).map(|release| release.shown(&self.name, url, false))
    }

    /// The dist-tags as JSON.
    pub fn tags_text(&self) -> String {
        object(self.all_tags().iter().map(|(tag, version)| (tag.as_str(), quoted(version))))
    }

    /// The packument with tarballs below `url`, which ends in `/`.
    pub fn packument(&self, url: &str, short: bool) -> String {
        let tags = self.all_tags();
        let tags = object(tags.iter().map(|(tag, version)| (tag.as_str(), quoted(version))));
        let versions = self.releases.iter();
        let versions =
            object(versions.map(|release| (release.version.as_str(), release.shown(&self.name, url, short))));
        let time = self.releases.iter().zip(0..);
        let published = |(release, day): (&Release, usize)| match release.published_s {
            Some(published_s) => utc_text(published_s),
            None => published(day),
        };
        let last = self.releases.iter().filter_map(|release| release.published_s).max();
        let modified = last.map_or_else(|| self::published(self.releases.len()), utc_text);
        let time = object(time.map(|one| (one.0.version.as_str(), quoted(&published(one)))));
        let mut members = vec![("name", quoted(&self.name)), ("dist-tags", tags), ("versions", versions)];
        match short {
            true => members.push(("modified", quoted(&modified))),
            false => members.push(("time", time)),
        }
        object(members.into_iter())
    }

    fn all_tags(&self) -> Vec<(String, String)> {
        let mut tags = self.tags.clone();
        if let Some(last) = self.releases.last()
            && !tags.iter().any(|(tag, _)| tag == "latest")
        {
            tags.insert(0, ("latest".to_owned(), last.version.clone()));
        }
        tags
    }
}

impl Release {
    fn new(name: &str, version: &str, node: &Node<'_>) -> Release {
        let mut manifest = vec![("name".to_owned(), quoted(name)), ("version".to_owned(), quoted(version))];
        let mut files = Vec::new();
        let mut published_s = None;
        let mut signature = Signature::None;
        let mut trust = String::new();
        for member in node.members() {
            if member.key == "+files" {
                files.extend(member.node.members().iter().map(|file| File {
                    path: file.key.to_string(),
                    body: file.node.as_str().expect("a file is a text").into(),
                }));
            } else if member.key == "+signature" {
                signature = Signature::parse(member.node.as_str().expect("a kind of signature"));
            } else if member.key == "+trust" {
                member.node.as_str().expect("a kind of evidence").clone_into(&mut trust);
            } else if member.key == "+published" {
                let age_s = member.node.as_str().and_then(parse_seconds).expect("a time such as `5h`");
                let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
                published_s = Some(now.as_secs() - age_s);
            } else {
                manifest.push((member.key.to_string(), strict(&member.node)));
            }
        }
        if files.is_empty() {
            let body = format!("module.exports = \"{name}@{version}\"\n").into_bytes();
            files.push(File { path: "index.js".to_owned(), body });
        }
        let packed = manifest.iter().filter(|(key, _)| key != "deprecated");
        let packed = object(packed.map(|(key, value)| (key.as_str(), value.clone())));
        files.insert(0, File { path: "package.json".to_owned(), body: packed.into_bytes() });
        let tarball = pack::tarball(&files);
        let integrity = pack::integrity(&tarball);
        let file_count = files.len();
        Release {
            version: version.to_owned(),
            manifest,
            tarball,
            integrity,
            file_count,
            published_s,
            signature,
            trust,
        }
    }

    /// The version in a packument.
    fn shown(&self, name: &str, url: &str, short: bool) -> String {
        let members = self.manifest.iter().filter(|(key, _)| !short || SHOWN.contains(&key.as_str()));
        let mut members: Vec<(&str, String)> =
            members.map(|(key, value)| (key.as_str(), value.clone())).collect();
        if short && self.has_install_script() {
            members.push(("hasInstallScript", "true".to_owned()));
        }
        if !short && self.trust == "publisher" {
            members.push(("_npmUser", r#"{"name":"ci","trustedPublisher":{"id":"ci"}}"#.to_owned()));
        }
        members.push(("dist", self.dist(name, url)));
        object(members.into_iter())
    }

    fn dist(&self, name: &str, url: &str) -> String {
        let unscoped = name.rsplit('/').next().unwrap_or(name);
        let tarball = format!("{url}{name}/-/{unscoped}-{}.tgz", self.version);
        let mut members = vec![
            ("integrity", quoted(&self.integrity)),
            ("shasum", quoted(&pack::sha1_hex(&self.tarball))),
            ("tarball", quoted(&tarball)),
            ("fileCount", self.file_count.to_string()),
        ];
        if !self.trust.is_empty() {
            let attestations = r#"{"provenance":{"predicateType":"https://slsa.dev/provenance/v1"}}"#;
            members.push(("attestations", attestations.to_owned()));
        }
        let message = format!("{name}@{}:{}", self.version, self.integrity);
        if let Some((key_id, signature)) = self.signature.over(&message) {
            let one = object([("keyid", quoted(key_id)), ("sig", quoted(&signature))].into_iter());
            members.push(("signatures", format!("[{one}]")));
        }
        object(members.into_iter())
    }

    fn has_install_script(&self) -> bool {
        let scripts = self.manifest.iter().find(|(key, _)| key == "scripts");
        let scripts = scripts.and_then(|(_, text)| json::parse(text, Dialect::Relaxed).ok());
        scripts.is_some_and(|scripts| {
            ["preinstall", "install", "postinstall"].iter().any(|name| scripts.find(name).is_some())
        })
    }
}

/// One day apart, long ago: no version is too young for anybody.
fn published(day: usize) -> String {
    format!("2020-01-{:02}T00:00:00.000Z", day % 28 + 1)
}

/// The value without the comments and trailing commas that a test's text may have.
fn strict(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(digits) => (*digits).to_owned(),
        Value::String(text) => quoted(text),
        Value::Array(nodes) => format!("[{}]", nodes.iter().map(strict).collect::<Vec<_>>().join(",")),
        Value::Object(members) => object(members.iter().map(|member| (&*member.key, strict(&member.node)))),
    }
}

fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members.map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", members.join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::quote_into(&mut out, text);
    out
}
