//! Packument encoder. In: a registry's JSON, abbreviated or full. Out: the binary packument, in one
//! pass. Invalid values that npm ignores (a field of the wrong type, a version that is not semver)
//! are omitted; source text that is not JSON is rejected.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::cursor::Cursor;
use super::format::{self, FormatEntry, Front, Span};
use super::record::Draft;
use super::time::unix_seconds;
use super::trust::{PublisherTrust, read_provenance, read_publisher};
use crate::json::SyntaxError;
use crate::semver::Version;

/// Longer source text is rejected: spans have 32 bits, and the largest known packument is below
/// 100 MB.
pub const JSON_BYTES_MAX: usize = 1 << 30;

/// Longer funding is passed over: ten addresses have half of it.
const FUNDING_BYTES_MAX: usize = 2048;

/// Metadata of a packument's response.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The requested package.
    pub name: &'a str,
    /// Empty when the registry gave none.
    pub etag: &'a str,
    pub fetched_s: u64,
    pub fresh_until_s: u64,
}

/// Why a response is not a packument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    Syntax(SyntaxError),
    NotAnObject,
    /// Longer than [`JSON_BYTES_MAX`].
    TooLong,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Syntax(error) => write!(f, "{error}"),
            Unreadable::NotAnObject => write!(f, "expected an object"),
            Unreadable::TooLong => write!(f, "expected at most {JSON_BYTES_MAX} bytes"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<SyntaxError> for Unreadable {
    fn from(error: SyntaxError) -> Unreadable {
        Unreadable::Syntax(error)
    }
}

/// Encodes a registry's document for [`Packument::open`](super::Packument::open).
pub fn encode(json: &str, source: &Source<'_>) -> Result<Vec<u8>, Unreadable> {
    if json.len() > JSON_BYTES_MAX {
        return Err(Unreadable::TooLong);
    }
    let mut cursor = Cursor::new(json);
    if cursor.peek() != Some(b'{') {
        return Err(Unreadable::NotAnObject);
    }
    let mut document = Document::default();
    cursor.object(|key, cursor| document.read_member(&key, cursor))?;
    cursor.end()?;
    document.write(source).ok_or(Unreadable::TooLong)
}

/// The parts of a document that are encoded, before versions are sorted.
#[derive(Default)]
struct Document<'a> {
    modified: Option<Cow<'a, str>>,
    tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    versions: Vec<VersionSpan<'a>>,
    /// Publish times by version, in full documents only.
    times: HashMap<Cow<'a, str>, u64>,
    records: Vec<u8>,
}

struct VersionSpan<'a> {
    version: Cow<'a, str>,
    trust: PublisherTrust,
    start: usize,
    end: usize,
}

impl<'a> Document<'a> {
    fn read_member(&mut self, key: &str, cursor: &mut Cursor<'a>) -> Result<(), SyntaxError> {
        match key {
            "modified" => self.modified = cursor.string()?.or(self.modified.take()),
            "dist-tags" => self.tags = read_pairs(cursor)?,
            "versions" => self.read_versions(cursor)?,
            "time" => cursor.object(|version, cursor| {
                let Some(time) = cursor.string()? else { return Ok(()) };
                if version == "modified" {
                    self.modified.get_or_insert(time);
                } else if let Some(seconds) = unix_seconds(&time) {
                    self.times.insert(version, seconds);
                }
                Ok(())
            })?,
            _ => cursor.skip()?,
        }
        Ok(())
    }

    fn read_versions(&mut self, cursor: &mut Cursor<'a>) -> Result<(), SyntaxError> {
        self.versions.clear();
        self.records.clear();
        let mut draft = Draft::default();
        cursor.object(|version, cursor| {
            if cursor.peek() != Some(b'{') {
                return cursor.skip();
            }
            draft.clear();
            let mut trust = PublisherTrust::Unproven;
            cursor.object(|key, cursor| match key.as_ref() {
                "dist" => read_dist(cursor, &mut draft, &mut trust),
                "_npmUser" => read_publisher(cursor, &mut trust),
                _ => read_field(&key, cursor, &mut draft),
            })?;
            let start = self.records.len();
            draft.write(&mut self.records);
            self.versions.push(VersionSpan { version, trust, start, end: self.records.len() });
            Ok(())
        })
    }

    /// `None` when a section outgrows its 32 bits.
    fn write(&mut self, source: &Source<'_>) -> Option<Vec<u8>> {
        sort_ascending(&mut self.versions);
        self.versions.dedup_by(|later, earlier| {
            let repeated = later.version == earlier.version;
            if repeated {
                std::mem::swap(later, earlier);
            }
            repeated
        });
        let mut text = Vec::new();
        let mut index = Vec::with_capacity(self.versions.len() * format::ENTRY_LEN);
        let mut tags = Vec::with_capacity(self.tags.len() * format::TAG_LEN);
        let name = put_text(&mut text, source.name)?;
        let etag = put_text(&mut text, source.etag)?;
        let modified = put_text(&mut text, self.modified.as_deref().unwrap_or_default())?;
        for (tag, version) in &self.tags {
            format::put_span(&mut tags, put_text(&mut text, tag)?);
            format::put_span(&mut tags, put_text(&mut text, version)?);
        }
        let is_timed = |found: &VersionSpan<'_>| self.times.contains_key(&found.version);
        let unstated_s = if self.versions.iter().any(is_timed) { format::NO_TIME } else { 0 };
        for found in &self.versions {
            let record = &self.records[found.start..found.end];
            let entry = FormatEntry {
                version: put_text(&mut text, &found.version)?,
                record: Span { at: u32::try_from(found.start).ok()?, len: u32::try_from(record.len()).ok()? },
                check: format::check32(record),
                trust: found.trust,
                published_s: self.times.get(&found.version).copied().unwrap_or(unstated_s),
            };
            format::put_entry(&mut index, &entry);
        }
        let front = Front {
            versions: u32::try_from(self.versions.len()).ok()?,
            tags: u32::try_from(self.tags.len()).ok()?,
            text_len: u32::try_from(text.len()).ok()?,
            records_len: u32::try_from(self.records.len()).ok()?,
            name,
            etag,
            modified,
            fetched_s: source.fetched_s,
            fresh_until_s: source.fresh_until_s,
            check: 0,
        };
        Some(front.write(&index, &tags, &text, &self.records))
    }
}

/// Sorts, and removes invalid versions, which no range matches.
fn sort_ascending(versions: &mut Vec<VersionSpan<'_>>) {
    let mut parsed: Vec<_> = versions
        .drain(..)
        .filter_map(|entry| Version::parse(&entry.version).map(|version| (version, entry)))
        .collect();
    parsed.sort_by(|(left, _), (right, _)| left.cmp(right));
    versions.extend(parsed.into_iter().map(|(_, entry)| entry));
}

fn read_field<'a>(key: &str, cursor: &mut Cursor<'a>, draft: &mut Draft<'a>) -> Result<(), SyntaxError> {
    match key {
        "dependencies" => draft.dependencies = read_pairs(cursor)?,
        "optionalDependencies" => draft.optional_dependencies = read_pairs(cursor)?,
        "peerDependencies" => draft.peer_dependencies = read_pairs(cursor)?,
        "peerDependenciesMeta" => read_optional_peers(cursor, draft)?,
        "bundleDependencies" | "bundledDependencies" => match cursor.peek() {
            Some(b'[') => draft.bundled = read_names(cursor)?,
            _ => draft.bundles_everything = cursor.truth()?,
        },
        "os" => draft.os = read_names(cursor)?,
        "cpu" => draft.cpu = read_names(cursor)?,
        "libc" => draft.libc = read_names(cursor)?,
        "engines" => draft.engines = read_pairs(cursor)?,
        "bin" => match cursor.peek() {
            Some(b'"') => draft.only_command = cursor.string()?,
            _ => draft.commands = read_pairs(cursor)?,
        },
        "directories" => cursor.object(|key, cursor| match key.as_ref() {
            "bin" => cursor.string().map(|dir| draft.bin_directory = dir),
            _ => cursor.skip(),
        })?,
        "hasInstallScript" => draft.has_install_script |= cursor.truth()?,
        "scripts" => cursor.object(|key, cursor| {
            draft.has_install_script |= matches!(key.as_ref(), "preinstall" | "install" | "postinstall");
            cursor.skip()
        })?,
        "deprecated" => match cursor.peek() {
            Some(b'"') => draft.deprecated = cursor.string()?,
            _ => draft.deprecated = cursor.truth()?.then_some(Cow::Borrowed("no reason given")),
        },
        "license" => match cursor.peek() {
            Some(b'"') => draft.license = cursor.string()?,
            // An older form.
            _ => cursor.object(|key, cursor| match key.as_ref() {
                "type" => cursor.string().map(|license| draft.license = license),
                _ => cursor.skip(),
            })?,
        },
        "funding" => {
            let text = cursor.text()?;
            draft.funding = (text.len() <= FUNDING_BYTES_MAX).then_some(Cow::Borrowed(text));
        }
        _ => cursor.skip()?,
    }
    Ok(())
}

fn read_dist<'a>(
    cursor: &mut Cursor<'a>,
    draft: &mut Draft<'a>,
    trust: &mut PublisherTrust,
) -> Result<(), SyntaxError> {
    cursor.object(|key, cursor| {
        match key.as_ref() {
            "tarball" => draft.tarball = cursor.string()?,
            "integrity" => draft.integrity = cursor.string()?,
            "shasum" => draft.shasum = cursor.string()?,
            "unpackedSize" => draft.unpacked_bytes = cursor.count()?,
            "attestations" => read_provenance(cursor, trust)?,
            _ => cursor.skip()?,
        }
        Ok(())
    })
}

fn read_optional_peers<'a>(cursor: &mut Cursor<'a>, draft: &mut Draft<'a>) -> Result<(), SyntaxError> {
    cursor.object(|name, cursor| {
        let mut optional = false;
        cursor.object(|key, cursor| match key.as_ref() {
            "optional" => cursor.truth().map(|truth| optional = truth),
            _ => cursor.skip(),
        })?;
        if optional {
            draft.optional_peers.push(name);
        }
        Ok(())
    })
}

type Pairs<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

fn read_pairs<'a>(cursor: &mut Cursor<'a>) -> Result<Pairs<'a>, SyntaxError> {
    let mut pairs = Vec::new();
    cursor.object(|name, cursor| {
        if let Some(value) = cursor.string()? {
            pairs.push((name, value));
        }
        Ok(())
    })?;
    Ok(pairs)
}

/// A list of strings; a single string is a list of one.
fn read_names<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Cow<'a, str>>, SyntaxError> {
    let mut names = Vec::new();
    match cursor.peek() {
        Some(b'"') => names.extend(cursor.string()?),
        _ => cursor.array(|cursor| {
            names.extend(cursor.string()?);
            Ok(())
        })?,
    }
    Ok(names)
}

fn put_text(out: &mut Vec<u8>, text: &str) -> Option<Span> {
    let at = u32::try_from(out.len()).ok()?;
    out.extend_from_slice(text.as_bytes());
    Some(Span { at, len: u32::try_from(text.len()).ok()? })
}
