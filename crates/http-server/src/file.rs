//! Responses from files: what is sent (all, a range, 304, 404) and with which fields. In: a path or
//! an open file, the request's fields. Out: a head, and the bytes of the file to send. Absent:
//! sending, which is `sendfile(2)` in `output.rs`.

use std::os::fd::AsFd;
use std::path::PathBuf;

use rusk_base::sys::{self, Errno, FileType, Mode, OFlags};

use crate::conditional::{ConditionOutcome, RangeOutcome, Validators, allows_range, requested_range};
use crate::date::http_date;
use crate::request::RequestView;

/// A regular file that is open for reading.
pub struct OpenFile {
    pub fd: sys::OwnedFd,
    pub size: u64,
    /// Seconds since 1970, not before.
    pub modified: u64,
}

/// A response whose body is a file, opened for each request.
pub struct FileResponse {
    pub path: PathBuf,
    pub status: u16,
    pub reason: Vec<u8>,
    /// Rendered field lines.
    pub fields: Vec<u8>,
    /// The fields that the program has set itself.
    pub sets: FileFields,
    /// The part of the file that is sent.
    pub start: u64,
    pub end: Option<u64>,
    pub slice: SliceMeaning,
}

/// What a part of a file is, as in bun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceMeaning {
    /// A part of the resource: 206.
    Part,
    /// The whole resource, of which a request may ask for a range.
    Resource,
}

/// Fields of [`FileResponse::fields`].
#[derive(Clone, Copy, Debug, Default)]
pub struct FileFields {
    pub has_date: bool,
    pub has_last_modified: bool,
    pub has_etag: bool,
    pub closes: bool,
}

/// What to send.
pub(crate) struct FilePlan {
    pub status: u16,
    pub fields: Vec<u8>,
    /// Offsets in the file; empty: no body.
    pub start: u64,
    pub end: u64,
    /// `Content-Length`; `None`: a status without a body.
    pub length: Option<u64>,
}

/// How versions of a file are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EtagKind {
    None,
    /// `W/"size-modified"`.
    Weak,
}

impl OpenFile {
    pub fn open(path: &std::path::Path) -> sys::Result<OpenFile> {
        // A FIFO would block until a writer comes.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        OpenFile::of(sys::openat(sys::CWD, path, flags, Mode::empty())?)
    }

    /// `EISDIR`, `EINVAL`: no regular file.
    pub fn of(fd: sys::OwnedFd) -> sys::Result<OpenFile> {
        let stat = sys::fstat(fd.as_fd())?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                let size = u64::try_from(stat.st_size).unwrap_or(0);
                let modified = u64::try_from(stat.st_mtime).unwrap_or(0);
                Ok(OpenFile { fd, size, modified })
            }
            FileType::Directory => Err(Errno::ISDIR),
            _ => Err(Errno::INVAL),
        }
    }
}

/// Decides what a request for a file gets. `is_plain`: status 200 of a GET or HEAD; others are sent
/// whole.
pub(crate) fn plan_file(
    request: RequestView<'_>,
    response: &FileResponse,
    file: &OpenFile,
    etag_kind: EtagKind,
) -> FilePlan {
    let start = response.start.min(file.size);
    let end = response.end.unwrap_or(u64::MAX).clamp(start, file.size);
    let is_slice = response.slice == SliceMeaning::Part && (start > 0 || end < file.size);
    let size = end - start;
    let mut fields = response.fields.clone();
    let mut push =
        |name: &str, value: &str| fields.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    let etag = match etag_kind {
        EtagKind::Weak if !response.sets.has_etag => {
            Some(format!("W/\"{:x}-{:x}\"", file.size, file.modified))
        }
        _ => None,
    };
    let own_etag = if response.sets.has_etag { etag_field(&response.fields) } else { None };
    if !response.sets.has_last_modified {
        push("Last-Modified", &http_date(file.modified));
    }
    if let Some(etag) = &etag {
        push("ETag", etag);
    }
    let whole = |status, fields| FilePlan { status, fields, start, end, length: Some(size) };
    if response.status != 200 || !request.is_get_or_head() {
        return whole(response.status, fields);
    }
    let validators =
        Validators { etag: own_etag.or(etag.as_deref().map(str::as_bytes)), modified: Some(file.modified) };
    match request.conditions().evaluate(validators) {
        ConditionOutcome::Proceed => {}
        ConditionOutcome::NotModified => {
            return FilePlan { status: 304, fields, start: 0, end: 0, length: None };
        }
        ConditionOutcome::Failed => {
            return FilePlan { status: 412, fields, start: 0, end: 0, length: Some(0) };
        }
    }
    push("Accept-Ranges", "bytes");
    let range = match allows_range(request.field(b"if-range"), validators) && !is_slice {
        true => requested_range(request.field(b"range"), size),
        false => RangeOutcome::Whole,
    };
    match range {
        RangeOutcome::Whole if is_slice => {
            // A slice of the program is a part of the file, as bun sends it.
            push("Content-Range", &format!("bytes {start}-{}/{}", end.saturating_sub(1), file.size));
            whole(206, fields)
        }
        RangeOutcome::Whole => whole(200, fields),
        RangeOutcome::Part(part) => {
            push("Content-Range", &format!("bytes {}-{}/{}", part.start, part.end - 1, part.size));
            let length = Some(part.end - part.start);
            FilePlan { status: 206, fields, start: start + part.start, end: start + part.end, length }
        }
        RangeOutcome::Unsatisfiable => {
            push("Content-Range", &format!("bytes */{size}"));
            FilePlan { status: 416, fields, start: 0, end: 0, length: Some(0) }
        }
    }
}

/// The ETag among rendered field lines.
fn etag_field(fields: &[u8]) -> Option<&[u8]> {
    let mut lines = fields.split(|byte| *byte == b'\n');
    let line = lines.find(|line| {
        line.split_at_checked(b"etag:".len()).is_some_and(|(name, _)| name.eq_ignore_ascii_case(b"etag:"))
    })?;
    Some(line[b"etag:".len()..].trim_ascii())
}
