//! Arguments of binding calls, converted to Rust. In: values that JavaScript has validated. Out:
//! owned paths, numbers, bytes; a value of another type is an internal error (`TypeError`). Absent:
//! Node's errors for a program's arguments (`js/internal/fs/utils.js`).

use std::ffi::CString;

use rusk_base::sys::Mode;
use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Function, Kind, Scope, Value};

#[derive(Clone, Copy)]
pub struct Arguments<'a, 's> {
    scope: &'s Scope,
    call: &'a Call<'s>,
}

impl<'a, 's> Arguments<'a, 's> {
    pub fn new(scope: &'s Scope, call: &'a Call<'s>) -> Arguments<'a, 's> {
        Arguments { scope, call }
    }

    pub fn value(self, index: usize) -> Value<'s> {
        self.call.argument(self.scope, index)
    }

    /// The callback of an asynchronous call; `None`: the call is synchronous.
    pub fn callback(self, index: usize) -> Option<Function<'s>> {
        self.call.arguments.get(index)?.as_function(self.scope)
    }

    /// A string, or the bytes of a `Uint8Array`. A file that is embedded in this program gets a
    /// path that the kernel knows.
    pub fn path(self, index: usize) -> Result<CString, Exception<'s>> {
        let ascii = self.value(index).with_code_units(self.scope, |units| match units {
            CodeUnits::Latin1(units) if units.is_ascii() => {
                // With capacity for the terminating null, which `CString::new` appends.
                let mut path = Vec::with_capacity(units.len() + 1);
                path.extend_from_slice(units);
                Some(path)
            }
            _ => None,
        });
        let bytes = match ascii {
            Some(Some(path)) => path,
            Some(None) => self.value(index).to_rust_string(self.scope)?.into_bytes(),
            None => self.bytes(index)?.copy(self.scope),
        };
        if let Some(path) = rusk_runtime::embedded_files().and_then(|files| files.kernel_path(&bytes)) {
            return Ok(path);
        }
        CString::new(bytes).map_err(|_| self.type_error(index, "a path without null bytes"))
    }

    /// As [`Arguments::path`], for calls that only ask for properties: one of the kernel's
    /// directories stands for those that are embedded.
    pub fn path_or_directory(self, index: usize) -> Result<CString, Exception<'s>> {
        let path = self.path(index)?;
        let directory = rusk_runtime::embedded_files().and_then(|files| files.directory(path.to_bytes()));
        Ok(if directory.is_some() { c"/proc/self/fdinfo".to_owned() } else { path })
    }

    /// Data to write: a string as UTF-8, or bytes.
    pub fn content(self, index: usize) -> Result<Vec<u8>, Exception<'s>> {
        match self.value(index).kind(self.scope) {
            Kind::String => Ok(self.value(index).to_rust_string(self.scope)?.into_bytes()),
            _ => Ok(self.bytes(index)?.copy(self.scope)),
        }
    }

    pub fn bytes(self, index: usize) -> Result<Bytes<'s>, Exception<'s>> {
        Bytes::of(self.scope, self.value(index)).ok_or_else(|| self.type_error(index, "bytes"))
    }

    pub fn number(self, index: usize) -> Result<f64, Exception<'s>> {
        self.value(index).to_number(self.scope)
    }

    /// An integer, converted as by `value | 0`.
    pub fn integer(self, index: usize) -> Result<i32, Exception<'s>> {
        let number = self.number(index)?;
        Ok(if number.is_finite() { number.trunc() as i64 as i32 } else { 0 })
    }

    pub fn size(self, index: usize) -> Result<usize, Exception<'s>> {
        Ok(self.number(index)?.max(0.0) as usize)
    }

    /// File offset of a read or write. A negative number or any other type is `None`: the
    /// descriptor's current offset.
    pub fn position(self, index: usize) -> Result<Option<u64>, Exception<'s>> {
        match self.value(index).kind(self.scope) {
            Kind::Number => {
                let position = self.number(index)?;
                Ok((position >= 0.0).then_some(position as u64))
            }
            // A double is not exact above 2⁵³.
            Kind::BigInt => Ok(self.value(index).to_rust_string(self.scope)?.parse().ok()),
            _ => Ok(None),
        }
    }

    pub fn flag(self, index: usize) -> bool {
        self.value(index).is_truthy(self.scope)
    }

    pub fn mode(self, index: usize) -> Result<Mode, Exception<'s>> {
        Ok(Mode::from_raw_mode(self.integer(index)?.cast_unsigned() & 0o7777))
    }

    /// A user id or group id; -1 leaves it unchanged.
    pub fn owner(self, index: usize) -> Result<Option<u32>, Exception<'s>> {
        let number = self.integer(index)?.cast_unsigned();
        Ok((number != u32::MAX).then_some(number))
    }

    fn type_error(self, index: usize, expected: &str) -> Exception<'s> {
        Exception::new(self.scope, ErrorKind::Type, &format!("argument {index} must be {expected}"))
    }
}
