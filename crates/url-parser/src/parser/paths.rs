//! The states of paths, which are read a part at a time. In: what is left of the text. Out: what
//! comes behind the part.

use super::Transition::{self, Done, Next};
use super::files::is_drive;
use super::{Parser, State};
use crate::percent_encode::{self as encode, CONTROL, PATH};
use crate::record::Path;

impl Parser<'_> {
    /// A part of the path, to the byte that ends it.
    pub fn path(&mut self) -> Transition {
        // Of a file, it may begin with a drive that was taken for a host.
        let mut part: String = self.buffer.drain(..).map(char::from).collect();
        let (is_special, is_whole) = (self.address.is_special(), self.only.is_none());
        let is_end = |byte: u8| {
            byte == b'/' || (byte == b'\\' && is_special) || (is_whole && matches!(byte, b'?' | b'#'))
        };
        let run = self.take_until(is_end);
        encode::extend(&mut part, &self.input[run], PATH);
        let byte = self.input.get(self.at).copied();
        self.end_part(part, self.is_slash(byte));
        match byte {
            Some(b'?') => self.begin_query(),
            Some(b'#') => self.begin_fragment(),
            Some(_) => Next(State::Path),
            None => Done,
        }
    }

    fn end_part(&mut self, mut part: String, is_slash: bool) {
        match dots(part.as_bytes()) {
            Some(Dots::Two) => {
                self.shorten();
                if !is_slash {
                    self.push_part(String::new());
                }
            }
            Some(Dots::One) if !is_slash => self.push_part(String::new()),
            Some(Dots::One) => {}
            None => {
                let is_first = matches!(&self.address.path, Path::List(parts) if parts.is_empty());
                if self.address.is_file() && is_first && is_drive(part.as_bytes()) {
                    part.replace_range(1..2, ":");
                }
                self.push_part(part);
            }
        }
    }

    pub fn opaque_path(&mut self) -> Transition {
        let run = self.take_until(|byte| matches!(byte, b'?' | b'#' | b' '));
        let is_last = self.follows(b'?') || self.follows(b'#');
        let Path::Opaque(path) = &mut self.address.path else { return Done };
        encode::extend(path, &self.input[run], CONTROL);
        match self.input.get(self.at) {
            Some(b'?') => return self.begin_query(),
            Some(b'#') => return self.begin_fragment(),
            // It would be lost, were what follows taken away.
            Some(b' ') if is_last => path.push_str("%20"),
            Some(b' ') => path.push(' '),
            _ => return Done,
        }
        Next(State::OpaquePath)
    }

    pub fn push_part(&mut self, part: String) {
        if let Path::List(parts) = &mut self.address.path {
            parts.push(part);
        }
    }

    /// Removes the last part, but the drive of a file.
    pub fn shorten(&mut self) {
        let is_file = self.address.is_file();
        if let Path::List(parts) = &mut self.address.path {
            let is_drive_alone =
                parts.len() == 1 && is_file && is_drive(parts[0].as_bytes()) && parts[0].ends_with(':');
            if !is_drive_alone {
                parts.pop();
            }
        }
    }
}

/// A part of a path that is no name.
enum Dots {
    One,
    Two,
}

/// Whether a part of a path leads to this directory or the one above.
pub fn is_dots(part: &[u8]) -> bool {
    dots(part).is_some()
}

/// In any spelling: a dot may be encoded.
fn dots(part: &[u8]) -> Option<Dots> {
    let dot = |text: &[u8]| -> Option<usize> {
        match text {
            [b'.', ..] => Some(1),
            [b'%', b'2', b'e' | b'E', ..] => Some(3),
            _ => None,
        }
    };
    let rest = &part[dot(part)?..];
    if rest.is_empty() {
        return Some(Dots::One);
    }
    (dot(rest)? == rest.len()).then_some(Dots::Two)
}
