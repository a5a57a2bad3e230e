//! Strings of JavaScript, made of what Rust has. In: UTF-8, Latin-1, UTF-16. Out: values. By the
//! short way, a text is written once, in bytes where its letters allow it; by the public one the
//! engine copies it twice and most are wide.

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::fast::Fast;
use crate::string::{CodeUnits, JsString, check_length};
use crate::value::Value;

/// Fewer are copied sooner than an object is made that keeps them.
const EXTERNAL_BYTES_MIN: usize = 64 * 1024;

impl Scope {
    /// A string of JavaScript.
    ///
    /// # Panics
    /// On a text of 2 GiB.
    pub fn string(&self, text: &str) -> Value<'_> {
        check_length(text.len());
        let Some(writer) = &self.shared().fast else { return JsString::new(self, text).value(self) };
        let value = match text.is_ascii() {
            true => writer.latin1(text.as_bytes()),
            false => {
                let (count, highest) = measure(text);
                match highest {
                    0..=0xff => writer.latin1(&text.chars().map(|letter| letter as u8).collect::<Vec<_>>()),
                    _ => writer.utf16_with(count, |room| {
                        room.iter_mut().zip(text.encode_utf16()).for_each(|(place, unit)| *place = unit);
                    }),
                }
            }
        };
        value.map_or_else(|| JsString::new(self, text).value(self), |value| self.keep(value))
    }

    /// A string of bytes that should be UTF-8; every longest start of a letter that breaks off
    /// becomes one U+FFFD.
    ///
    /// # Panics
    /// On a text of 2 GiB.
    pub fn string_from_utf8_lossy(&self, bytes: &[u8]) -> Value<'_> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.string(text),
            Err(_) => self.string(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The same of bytes that nobody else has: of many that are ASCII the string is over them,
    /// where they lie, and no copy is made.
    ///
    /// # Panics
    /// On a text of 2 GiB.
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
        // SAFETY: what a `Vec` holds stays where it is when the `Vec` is moved, into the keeper;
        // nobody changes it there. The value takes the reference over.
        unsafe {
            let letters = std::slice::from_raw_parts(bytes.as_ptr(), bytes.len());
            self.keep(writer.value(external.make(CodeUnits::Latin1(letters), Box::new(bytes))))
        }
    }

    /// A string of letters that are one byte each.
    ///
    /// # Panics
    /// On a text of 2 GiB.
    pub fn string_from_latin1(&self, letters: &[u8]) -> Value<'_> {
        check_length(letters.len());
        if let Some(value) = self.shared().fast.as_ref().and_then(|writer| writer.latin1(letters)) {
            return self.keep(value);
        }
        let units: Vec<u16> = letters.iter().map(|letter| u16::from(*letter)).collect();
        JsString::from_units(&units).value(self)
    }

    /// A string of letters that are one byte each, as many as said: `write` puts them into what is
    /// zero.
    ///
    /// # Panics
    /// On a text of 2 GiB.
    pub fn string_with(&self, count: usize, write: impl FnOnce(&mut [u8])) -> Value<'_> {
        check_length(count);
        let Some(writer) = self.shared().fast.as_ref().filter(|_| count > 1) else {
            let mut letters = vec![0; count];
            write(&mut letters);
            return self.string_from_latin1(&letters);
        };
        let value = writer.latin1_with(count, write);
        self.keep(value.expect("strings of this VM were seen to be written so"))
    }

    /// A string of units, surrogates without their other half among them.
    ///
    /// # Panics
    /// On a text of 2 Gi units.
    pub fn string_from_utf16(&self, units: &[u16]) -> Value<'_> {
        check_length(units.len());
        if let Some(value) = self.shared().fast.as_ref().and_then(|writer| writer.utf16(units)) {
            return self.keep(value);
        }
        JsString::from_units(units).value(self)
    }
}

/// How many units of UTF-16, and the highest letter.
fn measure(text: &str) -> (usize, u32) {
    text.chars()
        .fold((0, 0), |(count, highest), letter| (count + letter.len_utf16(), highest.max(u32::from(letter))))
}
