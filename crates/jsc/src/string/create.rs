//! Creates JavaScript strings. In: UTF-8, Latin-1, UTF-16. Out: values. On the fast path a string
//! is written once, as Latin-1 where possible; with the public functions the engine copies it
//! twice, and most become UTF-16.

use std::any::Any;

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::ascii::is_short_ascii;
use crate::string::fast::Fast;
use crate::string::{CodeUnits, JsString, check_length};
use crate::value::Value;

/// Shorter strings are copied faster than an external string is created.
const EXTERNAL_BYTES_MIN: usize = 64 * 1024;

/// Shorter strings are read twice, to look for what is not ASCII, before memory is allocated.
const ONE_PASS_BYTES_MIN: usize = 4096;

impl Scope {
    /// A JavaScript string.
    ///
    /// # Panics
    /// On a string of 2 GiB.
    pub fn string(&self, string: &str) -> Value<'_> {
        check_length(string.len());
        let Some(writer) = &self.shared().fast else { return JsString::new(self, string).value(self) };
        let value = match string.is_ascii() {
            true => writer.latin1(string.as_bytes()),
            false => {
                let (count, highest) = measure(string);
                match highest {
                    0..=0xff => {
                        writer.latin1(&string.chars().map(|character| character as u8).collect::<Vec<_>>())
                    }
                    _ => writer.utf16_with(count, |buffer| {
                        buffer
                            .iter_mut()
                            .zip(string.encode_utf16())
                            .for_each(|(target, unit)| *target = unit);
                    }),
                }
            }
        };
        value.map_or_else(|| JsString::new(self, string).value(self), |value| self.retain(value))
    }

    /// A string of bytes that should be UTF-8; each maximal invalid sequence becomes one U+FFFD.
    ///
    /// # Panics
    /// On a string of 2 GiB.
    #[inline]
    pub fn string_from_utf8_lossy(&self, bytes: &[u8]) -> Value<'_> {
        match (is_short_ascii(bytes), &self.shared().fast) {
            (Some(true), Some(writer)) => match writer.latin1(bytes) {
                Some(value) => self.retain(value),
                None => self.string_from_any_utf8(bytes),
            },
            _ => self.string_from_any_utf8(bytes),
        }
    }

    #[inline(never)]
    fn string_from_any_utf8(&self, bytes: &[u8]) -> Value<'_> {
        if bytes.len() >= ONE_PASS_BYTES_MIN {
            check_length(bytes.len());
            if let Some(value) = self.shared().fast.as_ref().and_then(|writer| writer.ascii(bytes)) {
                return self.retain(value);
            }
        } else if bytes.len() > 1 && bytes.is_ascii() {
            return self.string_from_latin1(bytes);
        }
        match std::str::from_utf8(bytes) {
            Ok(string) => self.string(string),
            Err(_) => self.string(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The same for owned bytes: long ASCII becomes an external string over them, without a copy.
    ///
    /// # Panics
    /// On a string of 2 GiB.
    pub fn string_from_utf8_owned(&self, mut bytes: Vec<u8>) -> Value<'_> {
        let external = engine().fast.as_ref().and_then(Fast::external_strings);
        let (Some(writer), Some(external)) = (&self.shared().fast, external) else {
            return self.string_from_utf8_lossy(&bytes);
        };
        if bytes.len() < EXTERNAL_BYTES_MIN || !bytes.is_ascii() {
            return self.string_from_utf8_lossy(&bytes);
        }
        check_length(bytes.len());
        bytes.shrink_to_fit();
        // SAFETY: the heap buffer of a `Vec` does not move with the `Vec`, which the string owns;
        // nothing changes it there. The value takes over the reference.
        unsafe {
            let units = std::slice::from_raw_parts(bytes.as_ptr(), bytes.len());
            self.retain(writer.value(external.make(CodeUnits::Latin1(units), Box::new(bytes))))
        }
    }

    /// A string over code units that the owner keeps; `None`: this engine has no such strings.
    ///
    /// # Safety
    /// The code units do not change and do not move until the owner is dropped, on any thread.
    pub unsafe fn string_over(&self, units: CodeUnits<'_>, owner: Box<dyn Any + Send>) -> Option<Value<'_>> {
        let external = engine().fast.as_ref().and_then(Fast::external_strings)?;
        let writer = self.shared().fast.as_ref()?;
        let count = match units {
            CodeUnits::Latin1(units) => units.len(),
            CodeUnits::Utf16(units) => units.len(),
        };
        check_length(count);
        if count == 0 {
            return Some(self.string(""));
        }
        // SAFETY: guaranteed by the caller; the value takes over the reference.
        unsafe { Some(self.retain(writer.value(external.make(units, owner)))) }
    }

    /// A string of Latin-1.
    ///
    /// # Panics
    /// On a string of 2 GiB.
    #[inline]
    pub fn string_from_latin1(&self, units: &[u8]) -> Value<'_> {
        check_length(units.len());
        if let Some(value) = self.shared().fast.as_ref().and_then(|writer| writer.latin1(units)) {
            return self.retain(value);
        }
        let units: Vec<u16> = units.iter().map(|unit| u16::from(*unit)).collect();
        JsString::from_units(&units).value(self)
    }

    /// A string of `count` Latin-1 characters, which `write` stores in a zeroed buffer.
    ///
    /// # Panics
    /// On a string of 2 GiB.
    pub fn string_with(&self, count: usize, write: impl FnOnce(&mut [u8])) -> Value<'_> {
        check_length(count);
        let Some(writer) = self.shared().fast.as_ref().filter(|_| count > 1) else {
            let mut units = vec![0; count];
            write(&mut units);
            return self.string_from_latin1(&units);
        };
        let value = writer.latin1_with(count, write);
        self.retain(value.expect("strings of this VM were seen to be written so"))
    }

    /// A string of UTF-16, which may contain unpaired surrogates.
    ///
    /// # Panics
    /// On a string of 2 Gi units.
    pub fn string_from_utf16(&self, units: &[u16]) -> Value<'_> {
        check_length(units.len());
        if let Some(value) = self.shared().fast.as_ref().and_then(|writer| writer.utf16(units)) {
            return self.retain(value);
        }
        JsString::from_units(units).value(self)
    }
}

/// The number of UTF-16 units, and the highest character.
fn measure(string: &str) -> (usize, u32) {
    string.chars().fold((0, 0), |(count, highest), character| {
        (count + character.len_utf16(), highest.max(u32::from(character)))
    })
}
