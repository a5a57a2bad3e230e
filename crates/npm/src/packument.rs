//! Packuments: a registry's metadata of one package, in a compact binary format that is mapped, not
//! parsed. In: bytes of [`encode`], in memory or mapped. Out: versions in ascending order,
//! dist-tags, and one [`Release`] at a time, decoded from its span. Absent: files and the network;
//! damaged bytes are `None`.

mod cursor;
mod encode;
mod format;
mod record;
mod time;
mod trust;

use format::{Front, Span};

pub use encode::{Source, Unreadable, encode};
pub use format::{FORMAT, is_of_other_format};
pub use record::{Bin, Bundled, Release};
pub use time::{unix_seconds, utc_text};
pub use trust::PublisherTrust;

/// The owner of the bytes: a buffer or a mapped file.
pub type Owner = Box<dyn AsRef<[u8]> + Send + Sync>;

/// A view of one package's packument. Opening it checks the front (header, tables, their strings),
/// and reads no record.
pub struct Packument {
    owner: Owner,
    front: Front,
}

/// A version's index in the ascending order of one packument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VersionId(pub u32);

impl Packument {
    /// `None` when the bytes are of another format, cut short or damaged.
    pub fn open(owner: Owner) -> Option<Packument> {
        let front = Front::read((*owner).as_ref())?;
        Some(Packument { owner, front })
    }

    pub fn name(&self) -> &str {
        self.text(self.front.name).unwrap_or_default()
    }

    /// The registry's `ETag`, to be sent back as `If-None-Match`.
    pub fn etag(&self) -> Option<&str> {
        self.text(self.front.etag).filter(|etag| !etag.is_empty())
    }

    /// When the registry last changed it, as the registry wrote it.
    pub fn modified(&self) -> Option<&str> {
        self.text(self.front.modified).filter(|modified| !modified.is_empty())
    }

    /// Seconds since 1970 at which the registry answered with it.
    pub fn fetched_s(&self) -> u64 {
        self.front.fetched_s
    }

    /// Seconds since 1970 until which the response is fresh and needs no request.
    pub fn fresh_until_s(&self) -> u64 {
        self.front.fresh_until_s
    }

    /// A number that identifies the front: packuments with different numbers have different
    /// JSON.
    pub fn mark(&self) -> u64 {
        self.front.check
    }

    /// The number of versions.
    pub fn len(&self) -> usize {
        self.front.versions as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every version in ascending order. No record is decoded.
    pub fn versions(&self) -> impl DoubleEndedIterator<Item = (&str, VersionId)> + ExactSizeIterator {
        (0..self.front.versions).map(|id| (self.version(VersionId(id)).unwrap_or_default(), VersionId(id)))
    }

    /// A version as a string.
    pub fn version(&self, id: VersionId) -> Option<&str> {
        self.text(self.front.entry(self.bytes(), id.0)?.version)
    }

    /// The version written exactly so.
    pub fn find(&self, version: &str) -> Option<VersionId> {
        self.versions().find(|(text, _)| *text == version).map(|(_, id)| id)
    }

    /// The version a tag such as `latest` points at.
    pub fn dist_tag(&self, tag: &str) -> Option<&str> {
        self.dist_tags().find(|(name, _)| *name == tag).map(|(_, version)| version)
    }

    /// Tags and their versions, in the registry's order.
    pub fn dist_tags(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.front.tags).filter_map(|index| {
            let (name, version) = self.front.tag(self.bytes(), index)?;
            Some((self.text(name)?, self.text(version)?))
        })
    }

    /// Seconds since 1970 at which a version was published; only in full documents.
    pub fn published_s(&self, id: VersionId) -> Option<u64> {
        self.front.entry(self.bytes(), id.0).and_then(|entry| known_time(entry.published_s))
    }

    /// Whether a version has no publish time, or none that can be read, though others have one.
    pub fn lacks_publish_time(&self, id: VersionId) -> bool {
        self.front.entry(self.bytes(), id.0).is_some_and(|entry| entry.published_s == format::NO_TIME)
    }

    /// How the registry knows who published a version; `TrustedPublisher` is in full documents
    /// only.
    pub fn trust(&self, id: VersionId) -> PublisherTrust {
        self.front.entry(self.bytes(), id.0).map_or(PublisherTrust::Unproven, |entry| entry.trust)
    }

    /// Whether the document says when its versions were published.
    pub fn has_publish_times(&self) -> bool {
        (0..self.front.versions).any(|id| self.published_s(VersionId(id)).is_some())
    }

    /// As [`Packument::modified`], in seconds since 1970.
    pub fn modified_s(&self) -> Option<u64> {
        self.modified().and_then(time::unix_seconds)
    }

    /// One version's record; `None` if there is no such version or its bytes are damaged.
    pub fn release(&self, id: VersionId) -> Option<Release<'_>> {
        let entry = self.front.entry(self.bytes(), id.0)?;
        let record = self.front.record(self.bytes(), &entry)?;
        let mut release = record::decode(record)?;
        release.version = self.text(entry.version)?;
        release.published_s = known_time(entry.published_s);
        Some(release)
    }

    /// Whether every record is as it was written: opening has checked everything else.
    pub fn is_intact(&self) -> bool {
        (0..self.front.versions).all(|id| self.release(VersionId(id)).is_some())
    }

    /// Whether a version is deprecated. Decodes only that part of the record.
    pub fn is_deprecated(&self, id: VersionId) -> bool {
        let record = self.front.entry(self.bytes(), id.0);
        let record = record.and_then(|entry| self.front.record(self.bytes(), &entry));
        record.is_some_and(record::is_deprecated)
    }

    /// The bytes as in the cache.
    pub fn bytes(&self) -> &[u8] {
        (*self.owner).as_ref()
    }

    fn text(&self, span: Span) -> Option<&str> {
        self.front.text(self.bytes(), span)
    }
}

impl std::fmt::Debug for Packument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packument({} versions of {})", self.len(), self.name())
    }
}

fn known_time(published_s: u64) -> Option<u64> {
    Some(published_s).filter(|published_s| !matches!(*published_s, 0 | format::NO_TIME))
}

#[cfg(test)]
mod tests;
