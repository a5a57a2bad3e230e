//! The states of addresses of files, whose first part may be a drive. In: a byte. Out: what comes
//! behind it.

use super::Transition::{self, Again, Done, Fail, Next};
use super::{Parser, State};
use crate::record::Path;

impl Parser<'_> {
    pub fn file(&mut self, byte: Option<u8>) -> Transition {
        "file".clone_into(&mut self.address.scheme);
        self.address.host = Some(String::new());
        if matches!(byte, Some(b'/' | b'\\')) {
            return Next(State::FileSlash);
        }
        let Some(base) = self.base.filter(|base| base.is_file()) else { return Again(State::Path) };
        self.address.host.clone_from(&base.host);
        self.address.path = base.path.clone();
        self.address.query.clone_from(&base.query);
        match byte {
            Some(b'?') => self.begin_query(),
            Some(b'#') => self.begin_fragment(),
            None => Done,
            Some(_) => {
                self.address.query = None;
                match starts_with_drive(&self.input[self.at..]) {
                    true => self.address.path = Path::default(),
                    false => self.shorten(),
                }
                Again(State::Path)
            }
        }
    }

    pub fn file_slash(&mut self, byte: Option<u8>) -> Transition {
        if matches!(byte, Some(b'/' | b'\\')) {
            return Next(State::FileHost);
        }
        if let Some(base) = self.base.filter(|base| base.is_file()) {
            self.address.host.clone_from(&base.host);
            if let (Path::List(parts), false) = (&base.path, starts_with_drive(&self.input[self.at..]))
                && let Some(drive) =
                    parts.first().filter(|part| is_drive(part.as_bytes()) && part.ends_with(':'))
            {
                self.address.path = Path::List(vec![drive.clone()]);
            }
        }
        Again(State::Path)
    }

    pub fn file_host(&mut self, byte: Option<u8>) -> Transition {
        if let Some(byte) = byte.filter(|byte| !b"/\\?#".contains(byte)) {
            self.buffer.push(byte);
            return Next(State::FileHost);
        }
        if self.only.is_none() && is_drive(&self.buffer) {
            // It was no host; the path finds it in the buffer.
            return Again(State::Path);
        }
        if self.buffer.is_empty() {
            self.address.host = Some(String::new());
        } else if !self.take_host() {
            return Fail;
        }
        if self.address.host.as_deref() == Some("localhost") {
            self.address.host = Some(String::new());
        }
        if self.only.is_some() { Done } else { Again(State::PathStart) }
    }
}

/// `C:` or `C|`.
pub fn is_drive(bytes: &[u8]) -> bool {
    matches!(bytes, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn starts_with_drive(bytes: &[u8]) -> bool {
    bytes.len() >= 2
        && is_drive(&bytes[..2])
        && bytes.get(2).is_none_or(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#'))
}
