//! Errors of a TLS connection. In: the error queue of the thread. Out: the library's lines, with
//! the entry that came first.

use crate::bio::Bio;
use crate::error::{self, ErrorEntry};
use crate::library::symbols;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFailure {
    /// The lines of `ERR_print_errors`.
    pub message: String,
    pub entry: Option<ErrorEntry>,
}

impl TlsFailure {
    /// Takes all entries of this thread's queue.
    pub(crate) fn take() -> TlsFailure {
        let entry = error::first_entry();
        let message = Bio::writer().map(|bio| {
            // SAFETY: the BIO is alive.
            unsafe { (symbols().ERR_print_errors)(bio.raw()) };
            bio.written_text()
        });
        error::clear();
        TlsFailure { message: message.unwrap_or_default(), entry }
    }
}
