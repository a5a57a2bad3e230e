//! What a call gave, as it goes from a thread to the loop. In: owned values. Out: values of
//! JavaScript, and errors of Node's making. Absent: stat's words are not copied; they are written
//! when the answer is given.

use std::ffi::CString;
use std::os::fd::IntoRawFd;

use rusk_base::sys::metadata::{self, StatFs};
use rusk_base::sys::{Errno, OwnedFd, Statx, StatxTimestamp};
use rusk_jsc::{ArrayBuffer, Exception, Outcome, Scope};

use super::state;
use crate::open_files::OpenFiles;

/// `kMaxLength` of Node's strings; a longer text is an error of its own.
pub const TEXT_BYTES_MAX: usize = 0x1fff_ffe8;

pub enum Answer {
    Nothing,
    Number(f64),
    /// A file by its number. Closed, where nobody takes it.
    File(OwnedFd),
    Flag(bool),
    Text(String),
    /// An `ArrayBuffer`.
    Bytes(Vec<u8>),
    Stat(Box<Statx>, Numbers),
    FileSystem(Box<StatFs>, Numbers),
}

/// How numbers are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Floats,
    Integers,
}

/// What failed, and at what.
pub struct Failure {
    pub errno: Errno,
    pub call: &'static str,
    pub path: Option<CString>,
    pub target: Option<CString>,
}

impl Answer {
    /// A path, as a text or as its bytes.
    pub fn path(path: CString, are_bytes: bool) -> Answer {
        match are_bytes {
            true => Answer::Bytes(path.into_bytes()),
            false => Answer::Text(lossy(path.into_bytes())),
        }
    }

    pub fn give<'s>(self, scope: &'s Scope) -> Outcome<'s> {
        Ok(match self {
            Answer::Nothing => scope.undefined(),
            Answer::Number(number) => scope.number(number),
            Answer::File(file) => {
                let number = file.into_raw_fd();
                OpenFiles::current().opened(scope, number)?;
                scope.number(f64::from(number))
            }
            Answer::Flag(flag) => scope.boolean(flag),
            Answer::Text(text) => scope.string_from_utf8_owned(text.into_bytes()),
            Answer::Bytes(bytes) => ArrayBuffer::new(scope, bytes)?.object().value(),
            Answer::Stat(stat, numbers) => {
                state::write_fields(&stat_fields(&stat).map(|field| numbers.bits(field)));
                scope.boolean(true)
            }
            Answer::FileSystem(of, numbers) => {
                let fields = [
                    of.f_type,
                    of.f_bsize,
                    of.f_blocks as i64,
                    of.f_bfree as i64,
                    of.f_bavail as i64,
                    of.f_files as i64,
                    of.f_ffree as i64,
                ];
                state::write_fields(&fields.map(|field| numbers.bits(field)));
                scope.boolean(true)
            }
        })
    }
}

impl Numbers {
    pub fn of(are_integers: bool) -> Numbers {
        if are_integers { Numbers::Integers } else { Numbers::Floats }
    }

    fn bits(self, field: i64) -> u64 {
        match self {
            Numbers::Floats => (field as f64).to_bits(),
            Numbers::Integers => field as u64,
        }
    }
}

/// In the order that js/internal/fs/utils.js reads.
fn stat_fields(stat: &Statx) -> [i64; state::FIELDS] {
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

impl Failure {
    pub fn new(errno: Errno, call: &'static str) -> Failure {
        Failure { errno, call, path: None, target: None }
    }

    pub fn at(errno: Errno, call: &'static str, path: CString) -> Failure {
        Failure { path: Some(path), ..Failure::new(errno, call) }
    }

    pub fn between(errno: Errno, call: &'static str, path: CString, target: CString) -> Failure {
        Failure { target: Some(target), ..Failure::at(errno, call, path) }
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

/// A text, with U+FFFD for what is not UTF-8.
pub fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
