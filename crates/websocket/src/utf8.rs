//! Check of UTF-8 that arrives in pieces. In: pieces of a text. Out: whether what arrived is the
//! beginning of valid UTF-8, and at the end whether it is complete. Absent: decoding.

/// The longest incomplete sequence.
const PENDING_BYTES_MAX: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Utf8Check {
    /// The beginning of a sequence whose other bytes did not arrive yet.
    pending: [u8; PENDING_BYTES_MAX],
    pending_bytes: usize,
}

impl Utf8Check {
    /// False: no continuation can make the text valid.
    pub(crate) fn push(&mut self, mut piece: &[u8]) -> bool {
        while self.pending_bytes > 0 {
            let Some((&first, rest)) = piece.split_first() else { return true };
            let mut sequence = [0; PENDING_BYTES_MAX + 1];
            sequence[..self.pending_bytes].copy_from_slice(&self.pending[..self.pending_bytes]);
            sequence[self.pending_bytes] = first;
            piece = rest;
            match std::str::from_utf8(&sequence[..=self.pending_bytes]) {
                Ok(_) => self.pending_bytes = 0,
                Err(error) if error.error_len().is_some() => return false,
                Err(_) => {
                    self.pending[self.pending_bytes] = first;
                    self.pending_bytes += 1;
                }
            }
        }
        let Err(error) = std::str::from_utf8(piece) else { return true };
        let rest = &piece[error.valid_up_to()..];
        if error.error_len().is_some() {
            return false;
        }
        self.pending[..rest.len()].copy_from_slice(rest);
        self.pending_bytes = rest.len();
        true
    }

    pub(crate) fn is_complete(self) -> bool {
        self.pending_bytes == 0
    }
}
