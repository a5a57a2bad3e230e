//! Content of an output in pieces: what threads printed is written without being copied into one
//! buffer. In: strings in order. Out: slices for writev(2), or one buffer.

use std::borrow::Cow;

/// Shorter strings are copied: as slices of their own they would cost writev(2) more than that.
const COPIED_BYTES_MAX: usize = 256;

/// Bytes of a file.
#[derive(Clone, Debug, Default)]
pub struct OutputBytes {
    /// None is empty.
    pieces: Vec<Vec<u8>>,
    bytes: usize,
    /// Short strings go into the last piece.
    is_open: bool,
}

impl OutputBytes {
    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The pieces in order.
    pub fn slices(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(Vec::as_slice)
    }

    pub fn contiguous(&self) -> Cow<'_, [u8]> {
        match self.pieces.as_slice() {
            [] => Cow::Borrowed(&[]),
            [piece] => Cow::Borrowed(piece),
            pieces => Cow::Owned(pieces.concat()),
        }
    }

    pub fn into_vec(mut self) -> Vec<u8> {
        match self.pieces.len() {
            0 | 1 => self.pieces.pop().unwrap_or_default(),
            _ => self.pieces.concat(),
        }
    }

    /// The content as text, which it is unless it is a file of the user.
    pub fn into_text(self) -> String {
        let text = String::from_utf8(self.into_vec());
        text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Adds a copy.
    pub(crate) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.bytes += text.len();
        match self.pieces.last_mut().filter(|_| self.is_open) {
            Some(last) => last.extend_from_slice(text.as_bytes()),
            None => self.pieces.push(text.as_bytes().to_vec()),
        }
        self.is_open = true;
    }

    /// Adds a text without copying it, if it is long.
    pub(crate) fn push_piece(&mut self, text: String) {
        if text.len() <= COPIED_BYTES_MAX {
            return self.push(&text);
        }
        self.bytes += text.len();
        self.pieces.push(text.into_bytes());
        self.is_open = false;
    }

    /// Adds a text before all others.
    pub(crate) fn push_front(&mut self, text: String) {
        if !text.is_empty() {
            self.bytes += text.len();
            self.pieces.insert(0, text.into_bytes());
        }
    }

    /// Replaces the end by a text that is not longer, if a string that was added ends so.
    pub(crate) fn replace_end(&mut self, end: &str, new: &str) {
        if let Some(last) = self.pieces.last_mut()
            && last.ends_with(end.as_bytes())
        {
            last.truncate(last.len() - end.len());
            last.extend_from_slice(new.as_bytes());
            self.bytes = self.bytes - end.len() + new.len();
        }
    }
}

impl From<Vec<u8>> for OutputBytes {
    fn from(bytes: Vec<u8>) -> OutputBytes {
        let is_open = false;
        OutputBytes {
            bytes: bytes.len(),
            pieces: if bytes.is_empty() { Vec::new() } else { vec![bytes] },
            is_open,
        }
    }
}

impl From<String> for OutputBytes {
    fn from(text: String) -> OutputBytes {
        text.into_bytes().into()
    }
}

#[cfg(test)]
mod tests;
