//! TLS over a stream. In: encrypted bytes of a stream handle, or of JavaScript; clear text to send.
//! Out: clear text, events of the handshake to the listener; encrypted bytes. Questions and events
//! of a handshake call JavaScript, which may use or close the stream meanwhile, so nothing stays
//! borrowed then but the connection, which is closed later in that case.

mod functions;
mod listener;
mod write;

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::rc::Rc;

use rusk_base::sys;
use rusk_jsc::{Bytes, Exception, Root, Scope};
use rusk_openssl::CryptoError;
use rusk_openssl::tls::{Connection, Question, Role, TlsFailure, TlsStep};
use rusk_runtime::values::negative_errno;

use rusk_ext_crypto::throw;
use rusk_ext_io::byte_source::{ByteConsumer, ByteSource};
use rusk_ext_io::stream_handle::{StreamEvent, StreamHandle, recycle_chunk};

pub use functions::{add_all, find};

use crate::context::ContextHandle;
use crate::event;

/// The largest chunk of clear text.
const CHUNK_BYTES: usize = 64 * 1024;
/// Clear text of the largest record. What follows a shorter one is another chunk: a sender that
/// writes short records wants each to be used at once.
const RECORD_BYTES: usize = 16 * 1024;

thread_local! {
    /// A buffer for clear text, reused while chunks are short.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Where encrypted bytes come from and go to.
enum Transport {
    None,
    Handle(Rc<StreamHandle>),
    /// JavaScript passes bytes on.
    Script,
}

/// Why encrypted bytes are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A write of the program, which waits for its completion.
    Write,
    Protocol,
}

pub struct TlsStream {
    /// `None` after close: the library's memory is not left to the collector, which does not know
    /// how large it is.
    connection: RefCell<Option<Connection>>,
    role: Role,
    transport: RefCell<Transport>,
    listener: RefCell<Option<Root>>,
    /// Gets clear text before the listener.
    consumer: RefCell<Option<Rc<ByteConsumer>>>,
    /// Writes before the end of the handshake.
    pending: RefCell<VecDeque<Vec<u8>>>,
    /// Writes to the transport that are not complete.
    sent: RefCell<VecDeque<Purpose>>,
    bytes_max: Cell<usize>,
    is_started: Cell<bool>,
    is_reading: Cell<bool>,
    is_closed: Cell<bool>,
    /// A call of the library or of the listener is under way.
    is_busy: Cell<bool>,
    must_repeat: Cell<bool>,
    /// The event loop has called, and not JavaScript.
    is_from_loop: Cell<bool>,
    /// An event was reported in this turn.
    must_settle: Cell<bool>,
    has_failed: Cell<bool>,
    /// Nothing more will be received.
    is_transport_ended: Cell<bool>,
    is_end_reported: Cell<bool>,
    is_shutdown_pending: Cell<bool>,
    /// A server waits until its program has saved the session.
    holds_output: Cell<bool>,
    /// Credentials that were set while the connection asked a question.
    late_context: RefCell<Option<Rc<ContextHandle>>>,
    /// DER of the session that is being reported: one read may process several.
    reported_session: RefCell<Option<Vec<u8>>>,
}

impl TlsStream {
    fn new(connection: Connection, role: Role) -> TlsStream {
        TlsStream {
            connection: RefCell::new(Some(connection)),
            role,
            transport: RefCell::new(Transport::None),
            listener: RefCell::default(),
            consumer: RefCell::default(),
            pending: RefCell::default(),
            sent: RefCell::default(),
            bytes_max: Cell::new(CHUNK_BYTES),
            // A server starts with the first bytes that it receives.
            is_started: Cell::new(role == Role::Server),
            is_reading: Cell::default(),
            is_closed: Cell::default(),
            is_busy: Cell::default(),
            must_repeat: Cell::default(),
            is_from_loop: Cell::default(),
            must_settle: Cell::default(),
            has_failed: Cell::default(),
            is_transport_ended: Cell::default(),
            is_end_reported: Cell::default(),
            is_shutdown_pending: Cell::default(),
            holds_output: Cell::default(),
            late_context: RefCell::default(),
            reported_session: RefCell::default(),
        }
    }

    /// Uses the connection, unless the library is running or the stream is closed.
    pub fn with_connection<R>(&self, body: impl FnOnce(&mut Connection) -> R) -> Option<R> {
        self.connection().map(|mut connection| body(&mut connection))
    }

    fn connection(&self) -> Option<RefMut<'_, Connection>> {
        RefMut::filter_map(self.connection.try_borrow_mut().ok()?, Option::as_mut).ok()
    }

    /// Frees the connection of a closed stream, unless the library is running: then it is done when
    /// that has returned.
    fn free_if_closed(&self) {
        if self.is_closed.get()
            && let Ok(mut connection) = self.connection.try_borrow_mut()
        {
            *connection = None;
        }
    }

    /// DER of a session, while the listener is called with it.
    pub fn reported_session(&self) -> Option<Vec<u8>> {
        self.reported_session.borrow().clone()
    }

    pub fn use_credentials_later(&self, context: Rc<ContextHandle>) {
        *self.late_context.borrow_mut() = Some(context);
    }

    fn attach(self: &Rc<Self>, handle: Option<Rc<StreamHandle>>) {
        let Some(handle) = handle else {
            *self.transport.borrow_mut() = Transport::Script;
            return;
        };
        let stream = Rc::downgrade(self);
        handle.set_consumer(Some(Rc::new(move |scope, event| match stream.upgrade() {
            Some(stream) => stream.on_transport(scope, event),
            None => Ok(()),
        })));
        *self.transport.borrow_mut() = Transport::Handle(handle);
    }

    fn handle(&self) -> Option<Rc<StreamHandle>> {
        match &*self.transport.borrow() {
            Transport::Handle(handle) => Some(Rc::clone(handle)),
            Transport::None | Transport::Script => None,
        }
    }

    fn on_transport<'s>(&self, scope: &'s Scope, event: StreamEvent) -> Result<(), Exception<'s>> {
        match event {
            StreamEvent::Data(bytes) => {
                self.with_connection(|connection| connection.receive(bytes));
                self.advance_from_loop(scope)
            }
            StreamEvent::End => {
                self.is_transport_ended.set(true);
                self.advance_from_loop(scope)
            }
            StreamEvent::ReadError(error) => {
                self.emit(scope, event::READ_ERROR, &[scope.number(negative_errno(error))]).map(drop)
            }
            StreamEvent::Written(result) => self.on_written(scope, result),
        }
    }

    fn on_written<'s>(&self, scope: &'s Scope, result: sys::Result<()>) -> Result<(), Exception<'s>> {
        let purpose = self.sent.borrow_mut().pop_front();
        if purpose == Some(Purpose::Write) {
            self.emit_written(scope, result)?;
        }
        if self.is_shutdown_pending.get() && self.sent.borrow().is_empty() {
            self.is_shutdown_pending.set(false);
            // The connection may be lost, which reading reports.
            let _lost = self.shutdown_transport(scope)?;
        }
        Ok(())
    }

    fn advance_from_loop<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.is_from_loop.set(true);
        self.must_settle.set(false);
        let result = self.advance(scope);
        self.is_from_loop.set(false);
        result
    }

    /// Before an event is reported: runs the ticks and microtasks that an earlier one of this turn
    /// has left.
    fn settle<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        match self.must_settle.replace(true) && self.is_from_loop.get() {
            true => self.emit(scope, event::SETTLE, &[]).map(drop),
            false => Ok(()),
        }
    }

    /// Reads, sends and reports until nothing is left to do.
    fn advance<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        if self.is_busy.replace(true) {
            self.must_repeat.set(true);
            return Ok(());
        }
        let result = self.advance_all(scope);
        self.is_busy.set(false);
        self.free_if_closed();
        result
    }

    fn advance_all<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        loop {
            self.must_repeat.set(false);
            self.read_all(scope)?;
            if self.is_closed.get() {
                return Ok(());
            }
            self.write_pending(scope)?;
            let _lost = self.flush(scope, Purpose::Protocol)?;
            if !self.must_repeat.get() || self.is_closed.get() {
                return Ok(());
            }
        }
    }

    /// Whether bytes of the peer are to be decrypted: always during a handshake.
    fn wants_input(&self) -> bool {
        let is_established = self.with_connection(|connection| connection.is_established()) == Some(true);
        self.is_started.get()
            && !self.is_closed.get()
            && !self.has_failed.get()
            && (self.is_reading.get() || !is_established)
    }

    fn read_all<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let mut chunk = BUFFER.take();
        chunk.clear();
        let bytes_max = self.bytes_max.get();
        while self.wants_input() {
            chunk.reserve(bytes_max - chunk.len());
            let mut ask = |question: Question<'_>| self.answer(scope, question);
            let room = bytes_max - chunk.len();
            let step = self.with_connection(|connection| connection.read_at_most(room, &mut chunk, &mut ask));
            let Some(step) = step else { break };
            self.emit_events(scope)?;
            match step {
                TlsStep::Done(RECORD_BYTES) if chunk.len() < bytes_max => {}
                TlsStep::Done(_) => chunk = self.emit_chunk(scope, chunk)?,
                TlsStep::Waiting => break,
                TlsStep::Ended => {
                    chunk = self.emit_chunk(scope, chunk)?;
                    self.emit_end(scope)?;
                    break;
                }
                TlsStep::Failed(failure) => {
                    chunk = self.emit_chunk(scope, chunk)?;
                    self.fail(scope, failure)?;
                    break;
                }
            }
        }
        if let Some(used) = self.with_connection(Connection::take_used_input) {
            recycle_chunk(used);
        }
        let buffer = self.emit_chunk(scope, chunk)?;
        BUFFER.set(buffer);
        if self.is_transport_ended.get() && (self.wants_input() || self.is_reading.get()) {
            self.emit_end(scope)?;
        }
        Ok(())
    }

    /// Reports clear text. Returns the buffer, if most of it is free, for the next.
    fn emit_chunk<'s>(&self, scope: &'s Scope, mut chunk: Vec<u8>) -> Result<Vec<u8>, Exception<'s>> {
        if chunk.is_empty() || self.is_closed.get() {
            return Ok(chunk);
        }
        self.settle(scope)?;
        if self.is_closed.get() {
            return Ok(chunk);
        }
        let bytes = if chunk.len() > CHUNK_BYTES / 2 { std::mem::take(&mut chunk) } else { chunk.clone() };
        chunk.clear();
        let consumer = self.consumer.borrow().clone();
        let left = match consumer {
            Some(consumer) => consumer(scope, bytes)?,
            None => Some(bytes),
        };
        if let Some(bytes) = left {
            let array = Bytes::from_vec(scope, bytes)?;
            self.emit(scope, event::DATA, &[array.value()])?;
        }
        Ok(chunk)
    }

    fn emit_end<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        if !self.is_closed.get() && !self.is_end_reported.get() {
            self.settle(scope)?;
        }
        match self.is_closed.get() || self.is_end_reported.replace(true) {
            true => Ok(()),
            false => self.emit(scope, event::END, &[]).map(drop),
        }
    }

    /// The alert for the peer is sent before the error is reported.
    fn fail<'s>(&self, scope: &'s Scope, failure: TlsFailure) -> Result<(), Exception<'s>> {
        self.has_failed.set(true);
        let _lost = self.flush(scope, Purpose::Protocol)?;
        self.settle(scope)?;
        let error = throw(scope, &error_of(failure));
        self.emit(scope, event::FAILED, &[error.value()]).map(drop)
    }

    fn read_start(self: &Rc<Self>, bytes_max: usize) -> sys::Result<bool> {
        self.bytes_max.set(if bytes_max == 0 { CHUNK_BYTES } else { bytes_max.min(CHUNK_BYTES) });
        self.is_reading.set(true);
        if let Some(handle) = self.handle()
            && !self.is_transport_ended.get()
        {
            handle.read_start(0)?;
        }
        Ok(self.is_transport_ended.get()
            || self.with_connection(|connection| connection.has_input()) == Some(true))
    }

    fn read_stop(&self) {
        self.is_reading.set(false);
        if let Some(handle) = self.handle() {
            handle.read_stop();
        }
    }

    /// Sends encrypted bytes. True: all are sent.
    fn flush<'s>(&self, scope: &'s Scope, purpose: Purpose) -> Result<sys::Result<bool>, Exception<'s>> {
        if self.holds_output.get() && purpose == Purpose::Protocol {
            return Ok(Ok(true));
        }
        let Some(mut connection) = self.connection() else { return Ok(Ok(true)) };
        let output = connection.output();
        if output.is_empty() {
            return Ok(Ok(true));
        }
        if let Some(handle) = self.handle() {
            let result = handle.write_for_consumer(output);
            if result == Ok(false) {
                self.sent.borrow_mut().push_back(purpose);
            }
            return Ok(result);
        }
        if matches!(*self.transport.borrow(), Transport::None) {
            return Ok(Ok(true));
        }
        let bytes = std::mem::take(output);
        drop(connection);
        self.sent.borrow_mut().push_back(purpose);
        let array = Bytes::from_vec(scope, bytes)?;
        self.emit(scope, event::OUTPUT, &[array.value()])?;
        Ok(Ok(false))
    }

    fn shutdown<'s>(&self, scope: &'s Scope) -> Result<sys::Result<()>, Exception<'s>> {
        self.with_connection(Connection::shutdown);
        self.holds_output.set(false);
        // A peer that is gone needs no alert.
        let _lost = self.flush(scope, Purpose::Protocol)?;
        if !self.sent.borrow().is_empty() && self.handle().is_some() {
            self.is_shutdown_pending.set(true);
            return Ok(Ok(()));
        }
        self.shutdown_transport(scope)
    }

    fn shutdown_transport<'s>(&self, scope: &'s Scope) -> Result<sys::Result<()>, Exception<'s>> {
        match self.handle() {
            Some(handle) => Ok(handle.shutdown()),
            None => self.emit(scope, event::SHUTDOWN, &[]).map(|_| Ok(())),
        }
    }

    fn close(&self) {
        self.is_closed.set(true);
        if let Some(handle) = self.handle() {
            handle.set_consumer(None);
        }
        *self.transport.borrow_mut() = Transport::None;
        drop(self.listener.take());
        drop(self.consumer.take());
        self.pending.borrow_mut().clear();
        self.free_if_closed();
    }

    /// The program has saved the session: the handshake goes on.
    pub fn release_output<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.holds_output.set(false);
        self.advance(scope)
    }

    /// Reports an error, and continues the handshake.
    pub fn resume<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.advance(scope)
    }

    /// Runs the handshake on, and sends what it produced.
    pub fn handshake<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let mut ask = |question: Question<'_>| self.answer(scope, question);
        let step = self.with_connection(|connection| connection.handshake(&mut ask));
        self.emit_events(scope)?;
        self.free_if_closed();
        match step {
            Some(TlsStep::Failed(failure)) => self.fail(scope, failure),
            _ => self.flush(scope, Purpose::Protocol).map(drop),
        }
    }
}

impl ByteSource for TlsStream {
    fn set_consumer(&self, consumer: Option<Rc<ByteConsumer>>) {
        self.consumer.replace(consumer);
    }
}

/// The library's lines as the message, with the properties of the first entry.
fn error_of(failure: TlsFailure) -> CryptoError {
    match failure.entry {
        Some(mut entry) => {
            entry.message = failure.message;
            CryptoError::Library { entries: vec![entry], context: String::new() }
        }
        None => CryptoError::Library { entries: Vec::new(), context: "TLS connection failed".to_owned() },
    }
}
