//! What is appended to the program: settings and files. In: values. Out: bytes, and back. Numbers
//! are little-endian; strings and files have their length before them.

use std::collections::BTreeMap;
use std::ops::Range;

/// A program to append.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// Path of the file that is run.
    pub entry: String,
    /// Flags of the program that runs it (`process.execArgv`).
    pub exec_arguments: Vec<String>,
    /// Whether `.env` files and bunfig.toml of the current directory are read.
    pub reads_env: bool,
    pub reads_bunfig: bool,
    /// Files that are no code of the program (`Bun.embeddedFiles`), by path.
    pub assets: Vec<(String, Vec<u8>)>,
    /// Code, by path.
    pub code: Vec<(String, Vec<u8>)>,
}

/// A payload whose files are ranges of its bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) settings: Payload,
    pub(crate) files: BTreeMap<String, Range<usize>>,
    /// Paths of assets in order.
    pub(crate) assets: Vec<String>,
}

/// What a name in a directory stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
}

impl Payload {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.entry.as_bytes());
        out.push(u8::from(self.reads_env) | u8::from(self.reads_bunfig) << 1);
        put_count(&mut out, self.exec_arguments.len());
        self.exec_arguments.iter().for_each(|argument| put(&mut out, argument.as_bytes()));
        for files in [&self.assets, &self.code] {
            put_count(&mut out, files.len());
            for (path, bytes) in files {
                put(&mut out, path.as_bytes());
                put(&mut out, bytes);
            }
        }
        out
    }
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

impl Header {
    /// `None`: the bytes are not those of a payload.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        let mut reader = PayloadReader { bytes, at: 0 };
        let mut header = Header::default();
        header.settings.entry = reader.string()?;
        let flags = *reader.take(1)?.first()?;
        header.settings.reads_env = flags & 1 != 0;
        header.settings.reads_bunfig = flags & 2 != 0;
        for _ in 0..reader.count()? {
            header.settings.exec_arguments.push(reader.string()?);
        }
        for is_asset in [true, false] {
            for _ in 0..reader.count()? {
                let path = reader.string()?;
                let length = reader.count()?;
                let start = reader.at;
                reader.take(length)?;
                if is_asset {
                    header.assets.push(path.clone());
                }
                header.files.insert(path, start..start + length);
            }
        }
        (reader.at == bytes.len()).then_some(header)
    }

    /// The names below a path, which files have in theirs.
    pub(crate) fn directory(&self, path: &str) -> Option<BTreeMap<&str, EntryKind>> {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        let below = self.files.range(prefix.clone()..).map(|(path, _)| path.as_str());
        let names = below.map_while(|path| path.strip_prefix(prefix.as_str()));
        let entries = names.map(|name| match name.split_once('/') {
            Some((directory, _)) => (directory, EntryKind::Directory),
            None => (name, EntryKind::File),
        });
        let entries: BTreeMap<&str, EntryKind> = entries.collect();
        (!entries.is_empty()).then_some(entries)
    }
}

struct PayloadReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> PayloadReader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn count(&mut self) -> Option<usize> {
        let number = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        usize::try_from(number).ok()
    }

    fn string(&mut self) -> Option<String> {
        let length = self.count()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests;
