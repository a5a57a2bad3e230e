//! Results of file system calls, passed from the thread pool to the event loop. In: owned values.
//! Out: JavaScript values, or Node's errors. Stat values are written to the shared array when the
//! result is converted.

use std::ffi::CString;
use std::os::fd::IntoRawFd;

use rusk_base::sys::metadata::{self, StatFs};
use rusk_base::sys::{Errno, OwnedFd, Statx, StatxTimestamp};
use rusk_jsc::{ArrayBuffer, Exception, Outcome, Scope};

use super::state;
use crate::unmanaged_fds::UnmanagedFds;

/// Node's `kStringMaxLength`; a longer string is `ERR_STRING_TOO_LONG`.
pub const STRING_BYTES_MAX: usize = 0x1fff_ffe8;

pub enum Output {
    Undefined,
    Number(f64),
    /// A file descriptor. It is closed if the result is dropped.
    Fd(OwnedFd),
    Boolean(bool),
    String(String),
    /// An `ArrayBuffer`.
    Bytes(Vec<u8>),
    Stat(Box<Statx>, NumberFormat),
    FileSystem(Box<StatFs>, NumberFormat),
}

/// How JavaScript reads the stat values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    Double,
    BigInt,
}

/// A failed system call with its paths.
pub struct FsError {
    pub errno: Errno,
    pub call: &'static str,
    pub path: Option<CString>,
    pub target: Option<CString>,
}

impl Output {
    /// A path as a string, or as bytes.
    pub fn path(path: CString, as_bytes: bool) -> Output {
        match as_bytes {
            true => Output::Bytes(path.into_bytes()),
            false => Output::String(lossy(path.into_bytes())),
        }
    }

    pub fn into_value<'s>(self, scope: &'s Scope) -> Outcome<'s> {
        Ok(match self {
            Output::Undefined => scope.undefined(),
            Output::Number(number) => scope.number(number),
            Output::Fd(file) => {
                let fd = file.into_raw_fd();
                UnmanagedFds::current().add(scope, fd)?;
                scope.number(f64::from(fd))
            }
            Output::Boolean(flag) => scope.boolean(flag),
            Output::String(string) => scope.string_from_utf8_owned(string.into_bytes()),
            Output::Bytes(bytes) => ArrayBuffer::new(scope, bytes)?.object().value(),
            Output::Stat(stat, format) => {
                state::write_stat_values(&stat_fields(&stat).map(|field| format.bits(field)));
                scope.boolean(true)
            }
            Output::FileSystem(of, format) => {
                let fields = [
                    of.f_type,
                    of.f_bsize,
                    of.f_blocks as i64,
                    of.f_bfree as i64,
                    of.f_bavail as i64,
                    of.f_files as i64,
                    of.f_ffree as i64,
                ];
                state::write_stat_values(&fields.map(|field| format.bits(field)));
                scope.boolean(true)
            }
        })
    }
}

impl NumberFormat {
    pub fn of(as_big_ints: bool) -> NumberFormat {
        if as_big_ints { NumberFormat::BigInt } else { NumberFormat::Double }
    }

    fn bits(self, field: i64) -> u64 {
        match self {
            NumberFormat::Double => (field as f64).to_bits(),
            NumberFormat::BigInt => field as u64,
        }
    }
}

/// In the order of Node's `FsStatsOffset`; `js/internal/fs/stats.js` reads it.
fn stat_fields(stat: &Statx) -> [i64; state::STAT_FIELDS] {
    let time = |time: StatxTimestamp| [time.tv_sec, i64::from(time.tv_nsec)];
    let [accessed_s, accessed_ns] = time(stat.stx_atime);
    let [modified_s, modified_ns] = time(stat.stx_mtime);
    let [changed_s, changed_ns] = time(stat.stx_ctime);
    let [born_s, born_ns] = time(stat.stx_btime);
    [
        metadata::device(stat.stx_dev_major, stat.stx_dev_minor) as i64,
        i64::from(stat.stx_mode),
        i64::from(stat.stx_nlink),
        i64::from(stat.stx_uid),
        i64::from(stat.stx_gid),
        metadata::device(stat.stx_rdev_major, stat.stx_rdev_minor) as i64,
        i64::from(stat.stx_blksize),
        stat.stx_ino as i64,
        stat.stx_size as i64,
        stat.stx_blocks as i64,
        accessed_s,
        accessed_ns,
        modified_s,
        modified_ns,
        changed_s,
        changed_ns,
        born_s,
        born_ns,
    ]
}

impl FsError {
    pub fn new(errno: Errno, call: &'static str) -> FsError {
        FsError { errno, call, path: None, target: None }
    }

    pub fn at(errno: Errno, call: &'static str, path: CString) -> FsError {
        FsError { path: Some(path), ..FsError::new(errno, call) }
    }

    pub fn between(errno: Errno, call: &'static str, path: CString, target: CString) -> FsError {
        FsError { target: Some(target), ..FsError::at(errno, call, path) }
    }

    pub fn exception<'s>(&self, scope: &'s Scope) -> Exception<'s> {
        let path = |path: &Option<CString>| match path {
            Some(path) => scope.string(&path.to_string_lossy()),
            None => scope.undefined(),
        };
        let number = scope.number(-f64::from(self.errno.raw_os_error()));
        let arguments = [number, scope.string(self.call), path(&self.path), path(&self.target)];
        state::error(scope, self.errno, &arguments)
    }
}

/// Decodes UTF-8; invalid bytes become U+FFFD.
pub fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
