//! Writes of a TLS stream. In: clear text of the program. Out: encrypted bytes, of what has to wait
//! for the handshake later. Absent: sending them ([`TlsStream::flush`]).

use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Exception, Scope, Value};
use rusk_openssl::tls::TlsStep;
use rusk_runtime::values::bytes_or_utf8;

use super::{Purpose, TlsStream};

impl TlsStream {
    /// True: all is written.
    pub(super) fn write<'s>(
        self: &Rc<Self>,
        scope: &'s Scope,
        value: Value<'s>,
    ) -> Result<sys::Result<bool>, Exception<'s>> {
        if self.has_failed.get() {
            return Ok(Err(Errno::PROTO));
        }
        // A client that was not started by a connection starts with what it sends.
        self.is_started.set(true);
        if !self.is_free() {
            self.pending.borrow_mut().push_back(bytes_or_utf8(scope, value)?);
            self.advance(scope)?;
            return Ok(Ok(false));
        }
        let step = match Bytes::of(scope, value) {
            Some(bytes) => {
                let Some(mut connection) = self.connection() else { return Ok(Err(Errno::PIPE)) };
                let connection = &mut *connection;
                bytes.with_bytes_mut(scope, |bytes| connection.write(bytes))
            }
            None => {
                let text = value.to_rust_string(scope)?;
                let Some(mut connection) = self.connection() else { return Ok(Err(Errno::PIPE)) };
                connection.write(text.as_bytes())
            }
        };
        match step {
            TlsStep::Done(_) => self.flush(scope, Purpose::Write),
            TlsStep::Waiting => {
                self.pending.borrow_mut().push_back(bytes_or_utf8(scope, value)?);
                self.flush(scope, Purpose::Protocol).map(|_| Ok(false))
            }
            TlsStep::Ended => Ok(Err(Errno::PIPE)),
            TlsStep::Failed(failure) => self.fail(scope, failure).map(|()| Err(Errno::PROTO)),
        }
    }

    /// Whether clear text can be encrypted at once.
    fn is_free(&self) -> bool {
        let is_established = self.with_connection(|connection| connection.is_established()) == Some(true);
        is_established && !self.holds_output.get() && self.pending.borrow().is_empty()
    }

    /// As `write`, of bytes in memory; `None`: they have to wait, and are not taken.
    pub(super) fn write_now<'s>(
        &self,
        scope: &'s Scope,
        bytes: &[u8],
    ) -> Result<Option<sys::Result<bool>>, Exception<'s>> {
        if self.has_failed.get() || !self.is_free() {
            return Ok(None);
        }
        let step = self.with_connection(|connection| connection.write(bytes));
        match step {
            Some(TlsStep::Done(_)) => self.flush(scope, Purpose::Write).map(Some),
            Some(TlsStep::Waiting) => {
                self.pending.borrow_mut().push_back(bytes.to_vec());
                self.flush(scope, Purpose::Protocol).map(|_| Some(Ok(false)))
            }
            Some(TlsStep::Ended) | None => Ok(Some(Err(Errno::PIPE))),
            Some(TlsStep::Failed(failure)) => self.fail(scope, failure).map(|()| Some(Err(Errno::PROTO))),
        }
    }

    /// Encrypts writes that waited for the handshake.
    pub(super) fn write_pending<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        while !self.is_closed.get() && !self.holds_output.get() && !self.has_failed.get() {
            if self.with_connection(|connection| connection.is_established()) != Some(true) {
                return Ok(());
            }
            let Some(bytes) = self.pending.borrow_mut().pop_front() else { return Ok(()) };
            let step = self.with_connection(|connection| connection.write(&bytes));
            let Some(step) = step else { return Ok(()) };
            match step {
                TlsStep::Done(_) => {}
                TlsStep::Waiting => {
                    self.pending.borrow_mut().push_front(bytes);
                    return Ok(());
                }
                TlsStep::Ended => return self.emit_written(scope, Err(Errno::PIPE)),
                TlsStep::Failed(failure) => return self.fail(scope, failure),
            }
            match self.flush(scope, Purpose::Write)? {
                Ok(false) => {}
                Ok(true) => self.emit_written(scope, Ok(()))?,
                Err(error) => self.emit_written(scope, Err(error))?,
            }
        }
        Ok(())
    }
}
