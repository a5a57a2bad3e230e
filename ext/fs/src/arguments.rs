//! What a native was called with. In: values that JavaScript has checked. Out: owned paths,
//! numbers, bytes; what is not as it should be is a `TypeError`, for it is our own fault. Absent:
//! Node's words for a user's fault; those are JavaScript's.

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

    /// The function that is told, if there is one.
    pub fn done(self, index: usize) -> Option<Function<'s>> {
        self.call.arguments.get(index)?.as_function(self.scope)
    }

    /// A text, or the bytes of a `Uint8Array`.
    pub fn path(self, index: usize) -> Result<CString, Exception<'s>> {
        let plain = self.value(index).with_code_units(self.scope, |letters| match letters {
            CodeUnits::Latin1(letters) if letters.is_ascii() => {
                // With room for the null, which is put behind it without another piece of memory.
                let mut path = Vec::with_capacity(letters.len() + 1);
                path.extend_from_slice(letters);
                Some(path)
            }
            _ => None,
        });
        let bytes = match plain {
            Some(Some(path)) => path,
            Some(None) => self.value(index).to_rust_string(self.scope)?.into_bytes(),
            None => self.bytes(index)?.copy(self.scope),
        };
        CString::new(bytes).map_err(|_| self.wrong(index, "a path without null bytes"))
    }

    /// What is to be written: a text as UTF-8, or bytes, all of them.
    pub fn content(self, index: usize) -> Result<Vec<u8>, Exception<'s>> {
        match self.value(index).kind(self.scope) {
            Kind::String => Ok(self.value(index).to_rust_string(self.scope)?.into_bytes()),
            _ => Ok(self.bytes(index)?.copy(self.scope)),
        }
    }

    pub fn bytes(self, index: usize) -> Result<Bytes<'s>, Exception<'s>> {
        Bytes::of(self.scope, self.value(index)).ok_or_else(|| self.wrong(index, "bytes"))
    }

    pub fn number(self, index: usize) -> Result<f64, Exception<'s>> {
        self.value(index).to_number(self.scope)
    }

    /// A whole number, by the rules of `value | 0`.
    pub fn integer(self, index: usize) -> Result<i32, Exception<'s>> {
        let number = self.number(index)?;
        Ok(if number.is_finite() { number.trunc() as i64 as i32 } else { 0 })
    }

    pub fn size(self, index: usize) -> Result<usize, Exception<'s>> {
        Ok(self.number(index)?.max(0.0) as usize)
    }

    /// Where to read or write; `None` for the descriptor's own position, which is any negative
    /// number, null, or what is missing.
    pub fn position(self, index: usize) -> Result<Option<u64>, Exception<'s>> {
        match self.value(index).kind(self.scope) {
            Kind::Number => {
                let position = self.number(index)?;
                Ok((position >= 0.0).then_some(position as u64))
            }
            // A number is not exact beyond 2⁵³.
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

    /// A user's or a group's number; -1 leaves it as it is.
    pub fn owner(self, index: usize) -> Result<Option<u32>, Exception<'s>> {
        let number = self.integer(index)?.cast_unsigned();
        Ok((number != u32::MAX).then_some(number))
    }

    fn wrong(self, index: usize, wanted: &str) -> Exception<'s> {
        Exception::new(self.scope, ErrorKind::Type, &format!("argument {index} is to be {wanted}"))
    }
}
