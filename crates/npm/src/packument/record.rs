//! One version's record: lengths as variable-size integers, then strings, fields in a fixed order.
//! The encoder fills a [`Draft`] from JSON in any order; a reader gets a [`Release`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

type Text<'a> = Cow<'a, str>;

/// Up to this many entries, finding duplicates by looking at each pair is cheaper than hashing.
const PAIRWISE_MAX: usize = 24;

/// One published version, borrowed from its packument.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Release<'a> {
    pub version: &'a str,
    /// Name and literal (`^1.0.0`, `npm:other@1`, a URL …) in the registry's order, without those
    /// of `optional_dependencies`.
    pub dependencies: Vec<(&'a str, &'a str)>,
    pub optional_dependencies: Vec<(&'a str, &'a str)>,
    pub peer_dependencies: Vec<(&'a str, &'a str)>,
    /// Names that peerDependenciesMeta marks optional, whether peerDependencies names them or not.
    pub optional_peers: Vec<&'a str>,
    /// What the tarball brings in its own node_modules.
    pub bundled: Bundled<'a>,
    pub os: Vec<&'a str>,
    pub cpu: Vec<&'a str>,
    pub libc: Vec<&'a str>,
    pub bin: Bin<'a>,
    pub engines: Vec<(&'a str, &'a str)>,
    pub tarball: Option<&'a str>,
    /// Subresource integrity, as the registry wrote it.
    pub integrity: Option<&'a str>,
    /// SHA-1 in hex, all that old versions have.
    pub shasum: Option<&'a str>,
    pub unpacked_bytes: Option<u64>,
    pub has_install_script: bool,
    /// The reason given.
    pub deprecated: Option<&'a str>,
    /// Its name; some registries leave it out of abbreviated documents.
    pub license: Option<&'a str>,
    /// JSON, as the registry wrote it: an address, an object, or a list of them.
    pub funding: Option<&'a str>,
    /// Seconds since 1970; only in full documents.
    pub published_s: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Bundled<'a> {
    #[default]
    Nothing,
    /// `bundleDependencies: true`: all dependencies.
    Everything,
    Names(Vec<&'a str>),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Bin<'a> {
    #[default]
    Nothing,
    /// A `bin` that is one path: a command called as the package is without its scope.
    File(&'a str),
    /// Command and path inside the package, in the registry's order.
    Commands(Vec<(&'a str, &'a str)>),
    /// `directories.bin`: every file of this directory is a command.
    Directory(&'a str),
}

/// A version while its JSON is being read. Kept from version to version for its buffers.
#[derive(Default)]
pub(super) struct Draft<'a> {
    pub dependencies: Vec<(Text<'a>, Text<'a>)>,
    pub optional_dependencies: Vec<(Text<'a>, Text<'a>)>,
    pub peer_dependencies: Vec<(Text<'a>, Text<'a>)>,
    pub optional_peers: Vec<Text<'a>>,
    pub bundled: Vec<Text<'a>>,
    pub bundles_everything: bool,
    pub os: Vec<Text<'a>>,
    pub cpu: Vec<Text<'a>>,
    pub libc: Vec<Text<'a>>,
    pub commands: Vec<(Text<'a>, Text<'a>)>,
    pub only_command: Option<Text<'a>>,
    pub bin_directory: Option<Text<'a>>,
    pub engines: Vec<(Text<'a>, Text<'a>)>,
    pub tarball: Option<Text<'a>>,
    pub integrity: Option<Text<'a>>,
    pub shasum: Option<Text<'a>>,
    pub unpacked_bytes: Option<u64>,
    pub has_install_script: bool,
    pub deprecated: Option<Text<'a>>,
    pub license: Option<Text<'a>>,
    pub funding: Option<Text<'a>>,
}

impl Draft<'_> {
    pub fn clear(&mut self) {
        for pairs in [
            &mut self.dependencies,
            &mut self.optional_dependencies,
            &mut self.peer_dependencies,
            &mut self.commands,
            &mut self.engines,
        ] {
            pairs.clear();
        }
        for names in
            [&mut self.optional_peers, &mut self.bundled, &mut self.os, &mut self.cpu, &mut self.libc]
        {
            names.clear();
        }
        for text in [
            &mut self.only_command,
            &mut self.bin_directory,
            &mut self.tarball,
            &mut self.integrity,
            &mut self.shasum,
            &mut self.deprecated,
            &mut self.license,
            &mut self.funding,
        ] {
            *text = None;
        }
        self.bundles_everything = false;
        self.unpacked_bytes = None;
        self.has_install_script = false;
    }

    /// Applies npm's rules between fields, then appends the record.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        for pairs in [
            &mut self.dependencies,
            &mut self.optional_dependencies,
            &mut self.peer_dependencies,
            &mut self.commands,
            &mut self.engines,
        ] {
            keep_last_of_each_name(pairs);
        }
        remove_names(&mut self.dependencies, &self.optional_dependencies);
        out.push(u8::from(self.has_install_script));
        put_optional(out, self.tarball.as_deref());
        put_optional(out, self.integrity.as_deref());
        put_optional(out, self.shasum.as_deref());
        put_optional(out, self.deprecated.as_deref());
        put_count(out, self.unpacked_bytes.map_or(0, |bytes| bytes.saturating_add(1)));
        put_pairs(out, &self.dependencies);
        put_pairs(out, &self.optional_dependencies);
        put_pairs(out, &self.peer_dependencies);
        put_names(out, &self.optional_peers);
        out.push(u8::from(self.bundles_everything));
        put_names(out, &self.bundled);
        put_names(out, &self.os);
        put_names(out, &self.cpu);
        put_names(out, &self.libc);
        put_pairs(out, &self.commands);
        put_optional(out, self.only_command.as_deref());
        put_optional(out, self.bin_directory.as_deref());
        put_pairs(out, &self.engines);
        put_optional(out, self.license.as_deref());
        put_optional(out, self.funding.as_deref());
    }
}

/// Decodes one record; `version` and `published_s` are in the index and left empty.
pub(super) fn decode(bytes: &[u8]) -> Option<Release<'_>> {
    let mut reader = RecordReader { bytes };
    let mut release = Release {
        has_install_script: reader.flag()?,
        tarball: reader.optional()?,
        integrity: reader.optional()?,
        shasum: reader.optional()?,
        deprecated: reader.optional()?,
        unpacked_bytes: reader.count()?.checked_sub(1),
        dependencies: reader.pairs()?,
        optional_dependencies: reader.pairs()?,
        peer_dependencies: reader.pairs()?,
        optional_peers: reader.names()?,
        ..Release::default()
    };
    let everything = reader.flag()?;
    let names = reader.names()?;
    release.bundled = match (everything, names.is_empty()) {
        (true, _) => Bundled::Everything,
        (false, true) => Bundled::Nothing,
        (false, false) => Bundled::Names(names),
    };
    (release.os, release.cpu, release.libc) = (reader.names()?, reader.names()?, reader.names()?);
    let commands = reader.pairs()?;
    release.bin = match (reader.optional()?, reader.optional()?) {
        _ if !commands.is_empty() => Bin::Commands(commands),
        (Some(path), _) => Bin::File(path),
        (None, Some(dir)) => Bin::Directory(dir),
        (None, None) => Bin::Nothing,
    };
    release.engines = reader.pairs()?;
    (release.license, release.funding) = (reader.optional()?, reader.optional()?);
    reader.bytes.is_empty().then_some(release)
}

/// Whether [`decode`] would return a reason for a deprecation.
pub(super) fn is_deprecated(bytes: &[u8]) -> bool {
    let mut reader = RecordReader { bytes };
    let mut reason = || {
        reader.flag()?;
        let [_tarball, _integrity, _shasum, reason] =
            [reader.optional()?, reader.optional()?, reader.optional()?, reader.optional()?];
        reason
    };
    reason().is_some()
}

/// As in a JavaScript object, a repeated key has its first position and its last value.
fn keep_last_of_each_name<'a>(pairs: &mut Vec<(Text<'a>, Text<'a>)>) {
    if pairs.len() <= PAIRWISE_MAX {
        let mut index = 1;
        while index < pairs.len() {
            match pairs[..index].iter().position(|(name, _)| *name == pairs[index].0) {
                Some(first) => pairs[first].1 = pairs.remove(index).1,
                None => index += 1,
            }
        }
        return;
    }
    let mut places: HashMap<Text<'a>, usize> = HashMap::with_capacity(pairs.len());
    let mut kept: Vec<(Text<'a>, Text<'a>)> = Vec::with_capacity(pairs.len());
    for (name, value) in pairs.drain(..) {
        match places.get(&name) {
            Some(&place) => kept[place].1 = value,
            None => {
                places.insert(name.clone(), kept.len());
                kept.push((name, value));
            }
        }
    }
    *pairs = kept;
}

/// npm's rule: a name in optionalDependencies is optional even if dependencies has it, too.
fn remove_names(pairs: &mut Vec<(Text<'_>, Text<'_>)>, named: &[(Text<'_>, Text<'_>)]) {
    if named.is_empty() {
        return;
    }
    let names: HashSet<&str> = named.iter().map(|(name, _)| name.as_ref()).collect();
    pairs.retain(|(name, _)| !names.contains(name.as_ref()));
}

fn put_pairs(out: &mut Vec<u8>, pairs: &[(Text<'_>, Text<'_>)]) {
    put_count(out, pairs.len() as u64);
    for (name, value) in pairs {
        put_text(out, name);
        put_text(out, value);
    }
}

fn put_names(out: &mut Vec<u8>, names: &[Text<'_>]) {
    put_count(out, names.len() as u64);
    for name in names {
        put_text(out, name);
    }
}

/// An empty string counts as absent.
fn put_optional(out: &mut Vec<u8>, text: Option<&str>) {
    put_text(out, text.unwrap_or_default());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_count(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Seven bits a byte, lowest first, the top bit set on all but the last.
fn put_count(out: &mut Vec<u8>, mut count: u64) {
    while count >= 0x80 {
        out.push(count as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}

struct RecordReader<'a> {
    bytes: &'a [u8],
}

impl<'a> RecordReader<'a> {
    fn flag(&mut self) -> Option<bool> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        (byte <= 1).then_some(byte == 1)
    }

    fn count(&mut self) -> Option<u64> {
        let mut count = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            count |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(count);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.count()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        std::str::from_utf8(text).ok()
    }

    fn optional(&mut self) -> Option<Option<&'a str>> {
        self.text().map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    fn names(&mut self) -> Option<Vec<&'a str>> {
        let len = self.list_len()?;
        let mut names = Vec::with_capacity(len);
        for _ in 0..len {
            names.push(self.text()?);
        }
        Some(names)
    }

    fn pairs(&mut self) -> Option<Vec<(&'a str, &'a str)>> {
        let len = self.list_len()?;
        let mut pairs = Vec::with_capacity(len);
        for _ in 0..len {
            pairs.push((self.text()?, self.text()?));
        }
        Some(pairs)
    }

    /// An item has at least one byte, so a list longer than the remaining bytes is damaged.
    fn list_len(&mut self) -> Option<usize> {
        usize::try_from(self.count()?).ok().filter(|&len| len <= self.bytes.len())
    }
}
