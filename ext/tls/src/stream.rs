//! TLS over a stream. In: encrypted bytes of a stream handle, or of JavaScript; clear text to send.
//! Out: clear text, events of the handshake to the listener; encrypted bytes. Questions and events
//! of a handshake call JavaScript, which may use or close the stream meanwhile, so nothing stays
//! borrowed then but the connection, which is closed later in that case.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_openssl::tls::{Answer, Connection, Event, Question, Role, Step, TlsFailure};
use rusk_openssl::{CryptoError, SecretBytes};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, negative_errno, u32_argument};

use rusk_ext_crypto::throw;
use rusk_ext_io::stream_handle::{self, StreamEvent, StreamHandle};

use crate::context;
use crate::event;

/// The largest chunk of clear text.
const CHUNK_BYTES: usize = 64 * 1024;

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
    pub(crate) connection: RefCell<Connection>,
    role: Role,
    transport: RefCell<Transport>,
    listener: RefCell<Option<Root>>,
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
    has_failed: Cell<bool>,
    /// Nothing more will be received.
    is_transport_ended: Cell<bool>,
    is_end_reported: Cell<bool>,
    is_shutdown_pending: Cell<bool>,
    /// A server waits until its program has saved the session.
    holds_output: Cell<bool>,
}

/// The native object that JavaScript holds; empty after close.
struct Slot(RefCell<Option<Rc<TlsStream>>>);

pub fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<TlsStream>> {
    let slot: Rc<Slot> = call.argument(scope, 0).as_object(scope)?.as_native(scope)?;
    slot.0.borrow().clone()
}

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(context, isServer)`.
    add(scope, binding, "stream", |scope, call| {
        let role = if call.argument(scope, 1).is_truthy(scope) { Role::Server } else { Role::Client };
        let Some(handle) = context::find(scope, call.argument(scope, 0)) else {
            return Ok(scope.undefined());
        };
        let connection =
            Connection::new(&handle.0.borrow(), role).map_err(|failure| throw(scope, &failure))?;
        Ok(scope.native(Slot(RefCell::new(Some(Rc::new(TlsStream::new(connection, role)))))).value())
    })?;
    // `(stream, listener)`.
    add(scope, binding, "listen", |scope, call| {
        if let Some(stream) = find(scope, call) {
            *stream.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    // `(stream, stream handle or undefined)`.
    add(scope, binding, "attach", |scope, call| {
        if let Some(stream) = find(scope, call) {
            stream.attach(stream_handle::find_value(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add_flow(scope, binding)?;
    add_transport(scope, binding)
}

fn add_flow<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "start", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.is_started.set(true);
        stream.advance(scope).map(|()| scope.undefined())
    })?;
    add(scope, binding, "advance", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.advance(scope).map(|()| scope.undefined())
    })?;
    // `(stream, bytesMax)`: 1: `advance` has something to do; else 0 or a negative errno.
    add(scope, binding, "readStart", |scope, call| {
        let bytes_max = u32_argument(scope, call, 1)? as usize;
        let result = find(scope, call).ok_or(Errno::BADF).and_then(|stream| stream.read_start(bytes_max));
        Ok(scope.number(result.map_or_else(negative_errno, |has_input| f64::from(u8::from(has_input)))))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        if let Some(stream) = find(scope, call) {
            stream.read_stop();
        }
        Ok(scope.undefined())
    })?;
    // `(stream, bytes or string)`: 0 if all is written, 1 if `WRITTEN` follows, or a negative
    // errno.
    add(scope, binding, "write", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.number(negative_errno(Errno::BADF))) };
        Ok(scope.number(match stream.write(scope, call.argument(scope, 1))? {
            Ok(is_done) => f64::from(u8::from(!is_done)),
            Err(error) => negative_errno(error),
        }))
    })?;
    add(scope, binding, "shutdown", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.number(0.0)) };
        let result = stream.shutdown(scope)?;
        Ok(scope.number(result.map_or_else(negative_errno, |()| 0.0)))
    })?;
    add(scope, binding, "close", |scope, call| {
        let slot =
            call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<Slot>(scope));
        if let Some(stream) = slot.and_then(|slot| slot.0.take()) {
            stream.close();
        }
        Ok(scope.undefined())
    })
}

/// Functions of a stream whose encrypted bytes JavaScript passes on.
fn add_transport<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(stream, bytes)`.
    add(scope, binding, "receive", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let bytes = bytes_or_utf8(scope, call.argument(scope, 1))?;
        stream.on_transport(scope, StreamEvent::Data(bytes)).map(|()| scope.undefined())
    })?;
    add(scope, binding, "receiveEnd", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.on_transport(scope, StreamEvent::End).map(|()| scope.undefined())
    })?;
    // `(stream, 0 or a negative errno)`: the oldest `OUTPUT` was sent.
    add(scope, binding, "written", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let result = match i32_argument(scope, call, 1)? {
            0 => Ok(()),
            errno => Err(Errno::from_raw_os_error(-errno)),
        };
        stream.on_transport(scope, StreamEvent::Written(result)).map(|()| scope.undefined())
    })
}

impl TlsStream {
    fn new(connection: Connection, role: Role) -> TlsStream {
        TlsStream {
            connection: RefCell::new(connection),
            role,
            transport: RefCell::new(Transport::None),
            listener: RefCell::default(),
            pending: RefCell::default(),
            sent: RefCell::default(),
            bytes_max: Cell::new(CHUNK_BYTES),
            // A server starts with the first bytes that it receives.
            is_started: Cell::new(role == Role::Server),
            is_reading: Cell::default(),
            is_closed: Cell::default(),
            is_busy: Cell::default(),
            must_repeat: Cell::default(),
            has_failed: Cell::default(),
            is_transport_ended: Cell::default(),
            is_end_reported: Cell::default(),
            is_shutdown_pending: Cell::default(),
            holds_output: Cell::default(),
        }
    }

    /// Uses the connection, unless the library is running.
    pub fn with_connection<R>(&self, body: impl FnOnce(&mut Connection) -> R) -> Option<R> {
        self.connection.try_borrow_mut().ok().map(|mut connection| body(&mut connection))
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
                self.connection.borrow_mut().receive(bytes);
                self.advance(scope)
            }
            StreamEvent::End => {
                self.is_transport_ended.set(true);
                self.advance(scope)
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

    /// Reads, sends and reports until nothing is left to do.
    fn advance<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        if self.is_busy.replace(true) {
            self.must_repeat.set(true);
            return Ok(());
        }
        let result = self.advance_all(scope);
        self.is_busy.set(false);
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
        let is_established = self.connection.borrow().is_established();
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
            let step = self.connection.borrow_mut().read(&mut chunk, &mut ask);
            self.emit_events(scope)?;
            match step {
                Step::Done(_) if chunk.len() < bytes_max => {}
                Step::Done(_) => chunk = self.emit_chunk(scope, chunk)?,
                Step::Waiting => break,
                Step::Ended => {
                    chunk = self.emit_chunk(scope, chunk)?;
                    self.emit_end(scope)?;
                    break;
                }
                Step::Failed(failure) => {
                    chunk = self.emit_chunk(scope, chunk)?;
                    self.fail(scope, failure)?;
                    break;
                }
            }
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
        let bytes = if chunk.len() > CHUNK_BYTES / 2 { std::mem::take(&mut chunk) } else { chunk.clone() };
        chunk.clear();
        let array = Bytes::from_vec(scope, bytes)?;
        self.emit(scope, event::DATA, &[array.value()])?;
        Ok(chunk)
    }

    fn emit_end<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        match self.is_closed.get() || self.is_end_reported.replace(true) {
            true => Ok(()),
            false => self.emit(scope, event::END, &[]).map(drop),
        }
    }

    /// The alert for the peer is sent before the error is reported.
    fn fail<'s>(&self, scope: &'s Scope, failure: TlsFailure) -> Result<(), Exception<'s>> {
        self.has_failed.set(true);
        let _lost = self.flush(scope, Purpose::Protocol)?;
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

    /// True: all is written.
    fn write<'s>(
        self: &Rc<Self>,
        scope: &'s Scope,
        value: Value<'s>,
    ) -> Result<sys::Result<bool>, Exception<'s>> {
        if self.has_failed.get() {
            return Ok(Err(Errno::PROTO));
        }
        let is_free = self.with_connection(|connection| connection.is_established()) == Some(true);
        if !is_free || self.holds_output.get() || !self.pending.borrow().is_empty() {
            self.pending.borrow_mut().push_back(bytes_or_utf8(scope, value)?);
            self.advance(scope)?;
            return Ok(Ok(false));
        }
        let step = match Bytes::of(scope, value) {
            Some(bytes) => {
                let mut connection = self.connection.borrow_mut();
                let connection = &mut *connection;
                bytes.with_bytes_mut(scope, |bytes| connection.write(bytes))
            }
            None => {
                let text = value.to_rust_string(scope)?;
                self.connection.borrow_mut().write(text.as_bytes())
            }
        };
        match step {
            Step::Done(_) => self.flush(scope, Purpose::Write),
            Step::Waiting => {
                self.pending.borrow_mut().push_back(bytes_or_utf8(scope, value)?);
                self.flush(scope, Purpose::Protocol).map(|_| Ok(false))
            }
            Step::Ended => Ok(Err(Errno::PIPE)),
            Step::Failed(failure) => self.fail(scope, failure).map(|()| Err(Errno::PROTO)),
        }
    }

    /// Encrypts writes that waited for the handshake.
    fn write_pending<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        while !self.is_closed.get() && !self.holds_output.get() && !self.has_failed.get() {
            if !self.connection.borrow().is_established() {
                return Ok(());
            }
            let Some(bytes) = self.pending.borrow_mut().pop_front() else { return Ok(()) };
            let step = self.connection.borrow_mut().write(&bytes);
            match step {
                Step::Done(_) => {}
                Step::Waiting => {
                    self.pending.borrow_mut().push_front(bytes);
                    return Ok(());
                }
                Step::Ended => return self.emit_written(scope, Err(Errno::PIPE)),
                Step::Failed(failure) => return self.fail(scope, failure),
            }
            match self.flush(scope, Purpose::Write)? {
                Ok(false) => {}
                Ok(true) => self.emit_written(scope, Ok(()))?,
                Err(error) => self.emit_written(scope, Err(error))?,
            }
        }
        Ok(())
    }

    /// Sends encrypted bytes. True: all are sent.
    fn flush<'s>(&self, scope: &'s Scope, purpose: Purpose) -> Result<sys::Result<bool>, Exception<'s>> {
        if self.holds_output.get() && purpose == Purpose::Protocol {
            return Ok(Ok(true));
        }
        let Ok(mut connection) = self.connection.try_borrow_mut() else { return Ok(Ok(true)) };
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
        if let Err(error) = self.flush(scope, Purpose::Protocol)? {
            return Ok(Err(error));
        }
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
        self.pending.borrow_mut().clear();
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
        match step {
            Some(Step::Failed(failure)) => self.fail(scope, failure),
            _ => self.flush(scope, Purpose::Protocol).map(drop),
        }
    }

    fn emit_written<'s>(&self, scope: &'s Scope, result: sys::Result<()>) -> Result<(), Exception<'s>> {
        let status = result.map_or_else(negative_errno, |()| 0.0);
        self.emit(scope, event::WRITTEN, &[scope.number(status)]).map(drop)
    }

    fn emit_events<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        while let Some(event) = self.with_connection(Connection::next_event).flatten() {
            self.emit_event(scope, event)?;
        }
        Ok(())
    }

    fn emit_event<'s>(&self, scope: &'s Scope, event: Event) -> Result<(), Exception<'s>> {
        let bytes = |bytes| Bytes::from_vec(scope, bytes).map(Object::value);
        let (kind, values) = match event {
            Event::HandshakeStarted => (event::HANDSHAKE_STARTED, vec![]),
            Event::HandshakeDone => (event::HANDSHAKE_DONE, vec![]),
            Event::KeyLog(line) => (event::KEY_LOG, vec![bytes(line)?]),
            Event::NewSession { id, der } => {
                self.holds_output.set(self.role == Role::Server);
                (event::NEW_SESSION, vec![bytes(id)?, bytes(der)?])
            }
            Event::OcspResponse(response) => {
                (event::OCSP_RESPONSE, vec![response.map_or(Ok(scope.null()), bytes)?])
            }
            Event::ClientHello { session_id, has_ticket } => {
                (event::CLIENT_HELLO, vec![bytes(session_id)?, scope.boolean(has_ticket)])
            }
            Event::CertificateNeeded { server_name, wants_ocsp } => {
                let name = server_name.map_or(scope.undefined(), |name| scope.string(&name));
                (event::CERTIFICATE_NEEDED, vec![name, scope.boolean(wants_ocsp)])
            }
        };
        self.emit(scope, kind, &values).map(drop)
    }

    /// Asks the listener. An error that it throws is no answer.
    fn answer(&self, scope: &Scope, question: Question<'_>) -> Answer {
        self.ask_listener(scope, question).ok().flatten().unwrap_or(Answer::None)
    }

    fn ask_listener<'s>(
        &self,
        scope: &'s Scope,
        question: Question<'_>,
    ) -> Result<Option<Answer>, Exception<'s>> {
        let optional = |text: Option<&str>| text.map_or(scope.undefined(), |text| scope.string(text));
        match question {
            Question::Alpn { offer, server_name } => {
                let offer = Bytes::from_vec(scope, offer.to_vec())?.value();
                let answer =
                    self.emit(scope, event::ASK_PROTOCOL, &[offer, optional(server_name.as_deref())])?;
                match answer.is_undefined(scope) {
                    true => Ok(None),
                    false => Ok(Some(Answer::Protocol(answer.to_number(scope)? as usize))),
                }
            }
            Question::ServerPsk { identity, key_bytes_max } => {
                let values = [scope.string(identity), scope.number(key_bytes_max as f64)];
                let answer = self.emit(scope, event::ASK_SERVER_PSK, &values)?;
                let key = Bytes::of(scope, answer).map(|key| SecretBytes::new(key.copy(scope)));
                Ok(key.map(|key| Answer::Psk { identity: String::new(), key }))
            }
            Question::ClientPsk { hint, identity_bytes_max, key_bytes_max } => {
                let limits = [key_bytes_max, identity_bytes_max].map(|limit| scope.number(limit as f64));
                let answer =
                    self.emit(scope, event::ASK_CLIENT_PSK, &[optional(hint), limits[0], limits[1]])?;
                let Some(pair) = answer.as_object(scope) else { return Ok(None) };
                let identity = pair.property(scope, "identity")?.to_rust_string(scope)?;
                let key = Bytes::of(scope, pair.property(scope, "psk")?);
                let key = key.map(|key| SecretBytes::new(key.copy(scope)));
                Ok(key.map(|key| Answer::Psk { identity, key }))
            }
        }
    }

    /// Calls the listener; undefined: there is none any more.
    fn emit<'s>(&self, scope: &'s Scope, event: f64, values: &[Value<'_>]) -> Outcome<'s> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        let Some(listener) = listener.and_then(|listener| listener.as_function(scope)) else {
            return Ok(scope.undefined());
        };
        let mut arguments = vec![scope.number(event)];
        arguments.extend_from_slice(values);
        listener.call(scope, &arguments)
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
