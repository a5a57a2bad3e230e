//! Parameters of an operation (`OSSL_PARAM`): names with integers, strings, bytes or large numbers.
//! In: values by name. Out: the array that the library reads.

use std::ffi::{CString, c_uint};
use std::ptr;

use crate::secret;
use crate::symbols::RawParam;

const INTEGER: c_uint = 1;
const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;

/// A parameter's value is zeroed when dropped: private keys are among them.
#[derive(Default)]
pub struct Params {
    entries: Vec<ParamEntry>,
}

struct ParamEntry {
    name: CString,
    data_type: c_uint,
    value: Vec<u8>,
    bytes: usize,
}

impl Params {
    pub fn new() -> Params {
        Params::default()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn integer(&mut self, name: &str, value: i64) {
        self.push(name, INTEGER, value.to_ne_bytes().to_vec());
    }

    pub fn unsigned(&mut self, name: &str, value: u64) {
        self.push(name, UNSIGNED_INTEGER, value.to_ne_bytes().to_vec());
    }

    pub fn text(&mut self, name: &str, value: &str) {
        self.push(name, UTF8_STRING, value.as_bytes().to_vec());
    }

    pub fn octets(&mut self, name: &str, value: &[u8]) {
        self.push(name, OCTET_STRING, value.to_vec());
    }

    /// A number of any size, in the byte order of the network.
    pub fn big_number(&mut self, name: &str, value: &[u8]) {
        let mut bytes = value.to_vec();
        if bytes.is_empty() {
            bytes.push(0);
        }
        if cfg!(target_endian = "little") {
            bytes.reverse();
        }
        self.push(name, UNSIGNED_INTEGER, bytes);
    }

    /// The value gets a NUL that is not counted: providers read strings to their NUL.
    fn push(&mut self, name: &str, data_type: c_uint, mut value: Vec<u8>) {
        let (name, bytes) = (CString::new(name).unwrap_or_default(), value.len());
        value.reserve_exact(1);
        value.push(0);
        self.entries.push(ParamEntry { name, data_type, value, bytes });
    }

    /// The array; it borrows from `self`, and its last element is the end mark.
    pub(crate) fn raw(&self) -> Vec<RawParam> {
        let end = RawParam {
            key: ptr::null(),
            data_type: 0,
            data: ptr::null_mut(),
            data_bytes: 0,
            return_bytes: 0,
        };
        let entry = |entry: &ParamEntry| RawParam {
            key: entry.name.as_ptr(),
            data_type: entry.data_type,
            // The library only reads settings.
            data: entry.value.as_ptr().cast_mut().cast(),
            data_bytes: entry.bytes,
            return_bytes: usize::MAX,
        };
        self.entries.iter().map(entry).chain([end]).collect()
    }
}

impl Drop for Params {
    fn drop(&mut self) {
        self.entries.iter_mut().for_each(|entry| secret::wipe(&mut entry.value));
    }
}
