//! Tarballs made by hand, good ones and every kind of bad one. In: entries in order. Out: the bytes
//! of a tar, or of its gzip. Absent: files on disk, and any check of what is written: hostile
//! archives are the point.

/// Bytes in a tar block.
const BLOCK: usize = 512;

/// A tar under construction. Paths are written as given; `package/` in front is the caller's.
#[derive(Clone, Default)]
pub struct Builder {
    tar: Vec<u8>,
}

/// One header and its body, each field free to lie.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// At most 100 bytes.
    pub path: &'a [u8],
    /// `0` file, `1` hard link, `2` symbolic link, `5` directory, …
    pub kind: u8,
    pub mode: u32,
    /// The size in the header; `None`: the body's length.
    pub claimed_bytes: Option<u64>,
    pub link: &'a str,
    pub body: &'a [u8],
}

impl Default for Entry<'_> {
    fn default() -> Self {
        Entry { path: b"package/a", kind: b'0', mode: 0o644, claimed_bytes: None, link: "", body: b"" }
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Begins with the manifest that a package needs at least.
    pub fn package(name: &str, version: &str) -> Builder {
        let manifest = format!("{{\"name\":\"{name}\",\"version\":\"{version}\"}}");
        Builder::new().file("package/package.json", manifest)
    }

    /// A file that all may read. A path beyond 100 bytes is written as pax.
    pub fn file(self, path: &str, body: impl AsRef<[u8]>) -> Builder {
        self.file_with_mode(path, body, 0o644)
    }

    pub fn executable(self, path: &str, body: impl AsRef<[u8]>) -> Builder {
        self.file_with_mode(path, body, 0o755)
    }

    pub fn file_with_mode(self, path: &str, body: impl AsRef<[u8]>, mode: u32) -> Builder {
        let body = body.as_ref();
        if path.len() <= 100 {
            return self.entry(&Entry { path: path.as_bytes(), mode, body, ..Entry::default() });
        }
        self.pax(&[("path", path)]).entry(&Entry { path: b"package/long", mode, body, ..Entry::default() })
    }

    pub fn directory(self, path: &str) -> Builder {
        self.entry(&Entry { path: path.as_bytes(), kind: b'5', mode: 0o755, ..Entry::default() })
    }

    /// A symbolic link (`2`), hard link (`1`) or any other kind without a body.
    pub fn special(self, kind: u8, path: &str, link: &str) -> Builder {
        self.entry(&Entry { path: path.as_bytes(), kind, link, ..Entry::default() })
    }

    /// Extended attributes for the entry that follows.
    pub fn pax(self, records: &[(&str, &str)]) -> Builder {
        let mut body = String::new();
        for (key, value) in records {
            // The length counts its own digits.
            let rest = key.len() + value.len() + 3;
            let length = (1..).find(|digits| (rest + digits).to_string().len() == *digits);
            let length = rest + length.expect("lengths have finitely many digits");
            body.push_str(&format!("{length} {key}={value}\n"));
        }
        self.entry(&Entry { path: b"PaxHeader", kind: b'x', body: body.as_bytes(), ..Entry::default() })
    }

    /// GNU's way (`L`) of naming the entry that follows.
    pub fn gnu_long_path(self, path: &str) -> Builder {
        let body = [path.as_bytes(), b"\0"].concat();
        self.entry(&Entry { path: b"././@LongLink", kind: b'L', body: &body, ..Entry::default() })
    }

    pub fn entry(self, entry: &Entry<'_>) -> Builder {
        let size = entry.claimed_bytes.unwrap_or(entry.body.len() as u64);
        let header = header(entry, format!("{size:011o}\0").as_bytes());
        self.bytes(&header).body(entry.body)
    }

    /// As [`Builder::entry`], the size field's 12 bytes as given.
    pub fn entry_with_size_field(self, entry: &Entry<'_>, field: &[u8; 12]) -> Builder {
        let header = header(entry, field);
        self.bytes(&header).body(entry.body)
    }

    /// Bytes outside every rule.
    pub fn bytes(mut self, bytes: &[u8]) -> Builder {
        self.tar.extend_from_slice(bytes);
        self
    }

    fn body(mut self, body: &[u8]) -> Builder {
        self.tar.extend_from_slice(body);
        self.tar.resize(self.tar.len().next_multiple_of(BLOCK), 0);
        self
    }

    /// The tar, ended by its two empty blocks.
    pub fn tar(mut self) -> Vec<u8> {
        self.tar.resize(self.tar.len() + 2 * BLOCK, 0);
        self.tar
    }

    /// The tar without its end.
    pub fn tar_without_end(self) -> Vec<u8> {
        self.tar
    }

    /// The tar in gzip: a tarball as a registry serves it.
    pub fn tgz(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

fn header(entry: &Entry<'_>, size: &[u8]) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut field = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    field(0, entry.path);
    field(100, format!("{:07o}\0", entry.mode).as_bytes());
    field(108, b"0000000\x000000000\0");
    field(124, size);
    field(136, b"03560116604\0        ");
    field(156, &[entry.kind]);
    field(157, entry.link.as_bytes());
    field(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut member = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut member).expect("the bound holds");
    member.truncate(length);
    member
}
