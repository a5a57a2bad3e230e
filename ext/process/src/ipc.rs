//! `internalBinding('ipc')`: one end of an IPC channel between processes. In: a socket; messages as
//! bytes or strings, with file descriptors. Out: received messages, each passed to the listener
//! with its file descriptor. Messages sent within a millisecond are joined and sent after the
//! current callback, so a hundred messages cost two system calls. Absent: the serialization of
//! messages (`js/internal/ipc`).

mod flush;
mod received_fd;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rusk_base::sys::{self, Errno, fd, unix_socket};
use rusk_jsc::{Bytes, Call, CodeUnits, Exception, Object, Outcome, Root, Scope, Value};

pub(crate) use flush::flush_all;

use rusk_ext_io::stream_handle;
use rusk_ipc::{BUN_GREETING, Framing, MESSAGE_BYTES_MAX, Message, ProtocolError, Receiver, SendQueue};
use rusk_runtime::IoHandle;
use rusk_runtime::LoopHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, errno_result, i32_argument, negative_errno};

/// Buffer of one read.
const READ_BYTES: usize = 64 * 1024;

/// A message that follows the last write within this time is joined with the next ones.
const JOIN_WINDOW: Duration = Duration::from_millis(1);

/// More queued bytes than this are sent before the callback returns.
const DEFERRED_BYTES_MAX: usize = 64 * 1024;

/// Limit of the send queue, for a peer that does not read; a send then fails with `ENOBUFS`.
const QUEUED_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;

rusk_runtime::shared_constants! {
    /// Events that the listener is called with.
    mod event: f64 {
        /// A message, and the file descriptor that was sent with it or undefined.
        MESSAGE = 0.0,
        /// The other end has closed the channel.
        END = 1.0,
        /// The bytes are not a stream of messages: why.
        PROTOCOL_ERROR = 2.0,
        /// Sent completely: number of messages whose sender has a callback.
        SENT = 3.0,
        /// An errno less than 0.
        SEND_ERROR = 4.0,
        /// The other end is bun: its serialization format is used from here on.
        BUN_PEER = 5.0,
    }
}

rusk_runtime::shared_constants! {
    /// How messages are framed and serialized, for `open` and `adopt`.
    mod serialization: i32 {
        JSON = 0,
        /// V8's format, as Node writes it.
        ADVANCED = 1,
        /// JavaScriptCore's format, as bun writes it for `advanced`.
        BUN = 2,
    }
}

struct Channel {
    handle: LoopHandle,
    fd: Rc<OwnedFd>,
    framing: Cell<Framing>,
    is_ref: Cell<bool>,
    is_open: Cell<bool>,
    listener: RefCell<Option<Root>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    receiver: RefCell<Receiver>,
    send_queue: RefCell<SendQueue>,
    /// End offsets, in all bytes sent, of the messages whose sender has a callback.
    callback_offsets: RefCell<VecDeque<u64>>,
    sent_at: Cell<Option<Instant>>,
    /// An error of a deferred send, to report in the next loop iteration.
    pending_error: Cell<Option<Errno>>,
    /// The queue is sent after the current callback.
    is_flush_scheduled: Cell<bool>,
}

/// The JavaScript object of a channel; empty once it is closed.
struct ChannelObject(RefCell<Option<Rc<Channel>>>);

thread_local! {
    /// Read buffer, shared by all channels: one read ends before the next begins.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "serialization", serialization::ALL)?;
    // (fd, serialization): a channel and whether the peer is bun, or an errno less than 0.
    add(scope, binding, "open", |scope, call| {
        let framing = framing(scope, call)?;
        channel_object(
            scope,
            fd::take_ownership(i32_argument(scope, call, 0)?).and_then(|fd| Channel::new(fd, framing)),
        )
    })?;
    // (stream handle whose fd is moved into the channel, serialization): as `open`.
    add(scope, binding, "adopt", |scope, call| {
        let framing = framing(scope, call)?;
        let fd = stream_handle::take_fd(scope, call.argument(scope, 0)).ok_or(Errno::BADF);
        channel_object(scope, fd.and_then(|fd| Channel::new(fd, framing)))
    })?;
    add(scope, binding, "listen", |scope, call| {
        if let Some(channel) = find(scope, call) {
            *channel.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "fd", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |channel| fd::raw(&*channel.fd).into())))
    })?;
    add(scope, binding, "readStart", |scope, call| {
        errno_result(scope, find(scope, call).ok_or(Errno::BADF).and_then(|channel| channel.read_start()))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        drop(find(scope, call).map(|channel| channel.reading.take()));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "sendGreeting", |scope, call| {
        errno_result(scope, find(scope, call).ok_or(Errno::BADF).and_then(|channel| channel.send_greeting()))
    })?;
    add(scope, binding, "send", send)?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(channel) = find(scope, call) {
            channel.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        let channel = find_object(scope, call).and_then(|object| object.0.take());
        drop(channel.inspect(|channel| channel.close()));
        Ok(scope.undefined())
    })?;
    received_fd::add_to(scope, binding)?;
    Ok(binding)
}

fn framing<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Framing, Exception<'s>> {
    Ok(match i32_argument(scope, call, 1)? {
        serialization::JSON => Framing::Lines,
        serialization::ADVANCED => Framing::LengthPrefix,
        _ => Framing::TypeAndLengthPrefix,
    })
}

fn channel_object(scope: &Scope, channel: sys::Result<Rc<Channel>>) -> Result<Value<'_>, Exception<'_>> {
    Ok(match channel {
        Ok(channel) => {
            let is_bun = scope.boolean(channel.framing.get() == Framing::TypeAndLengthPrefix);
            scope.array(&[scope.native(ChannelObject(RefCell::new(Some(channel)))).value(), is_bun])?.value()
        }
        Err(error) => scope.number(negative_errno(error)),
    })
}

fn find_object<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ChannelObject>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Channel>> {
    find_object(scope, call)?.0.borrow().clone()
}

/// (channel, string or bytes, handle to send: a stream handle, a file descriptor or undefined,
/// whether the sender has a callback): number of queued bytes, or an errno less than 0.
fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (message, has_callback) = (call.argument(scope, 1), call.argument(scope, 3).is_truthy(scope));
    let Some(channel) = find(scope, call) else { return Ok(scope.number(negative_errno(Errno::BADF))) };
    let frame = encode(scope, message, channel.framing.get())?;
    let sent = match (frame, received_fd::duplicate(scope, call.argument(scope, 2))?) {
        (None, _) => Err(Errno::MSGSIZE),
        (_, Err(error)) => Err(error),
        (Some(frame), Ok(with)) => channel.send(frame, with, has_callback),
    };
    Ok(scope.number(sent.map_or_else(negative_errno, |queued| queued as f64)))
}

/// A message with its frame. ASCII strings and the bytes of views are copied only once.
fn encode<'s>(
    scope: &'s Scope,
    message: Value<'s>,
    framing: Framing,
) -> Result<Option<Vec<u8>>, Exception<'s>> {
    let ascii = message.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(bytes) if bytes.is_ascii() => Some(framing.encode(bytes)),
        _ => None,
    });
    if let Some(Some(frame)) = ascii {
        return Ok(frame);
    }
    match Bytes::of(scope, message) {
        Some(bytes) => Ok(bytes.with_bytes_mut(scope, |bytes| framing.encode(bytes))),
        None => bytes_or_utf8(scope, message).map(|bytes| framing.encode(&bytes)),
    }
}

impl Channel {
    /// A parent that is bun sends its greeting first. Where it is there already, bun's framing is
    /// used in place of Node's.
    fn new(fd: OwnedFd, requested: Framing) -> sys::Result<Rc<Channel>> {
        fd::set_nonblocking(fd.as_fd())?;
        let mut first = [0; BUN_GREETING.len()];
        let is_bun = requested == Framing::LengthPrefix
            && unix_socket::peek(fd.as_fd(), &mut first).is_ok_and(|count| count == first.len())
            && first == BUN_GREETING;
        let framing = if is_bun { Framing::TypeAndLengthPrefix } else { requested };
        Ok(Rc::new(Channel {
            handle: RuntimeState::current().handle.clone(),
            fd: Rc::new(fd),
            framing: Cell::new(framing),
            is_ref: Cell::new(true),
            is_open: Cell::new(true),
            listener: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            receiver: RefCell::new(Receiver::new(framing)),
            send_queue: RefCell::default(),
            callback_offsets: RefCell::default(),
            sent_at: Cell::default(),
            pending_error: Cell::default(),
            is_flush_scheduled: Cell::default(),
        }))
    }

    fn read_start(self: &Rc<Self>) -> sys::Result<()> {
        if self.reading.borrow().is_none() {
            let channel = Rc::clone(self);
            let fd = self.registration_fd(&self.writing)?;
            let io = self.handle.add_io(fd, Readiness::READ, move |scope, _| channel.read(scope))?;
            if !self.is_ref.get() {
                io.unref();
            }
            *self.reading.borrow_mut() = Some(io);
        }
        Ok(())
    }

    /// An epoll instance registers a file descriptor once, so the second direction registers a
    /// duplicate.
    fn registration_fd(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*self.fd)).map(Rc::new),
            false => Ok(Rc::clone(&self.fd)),
        }
    }

    fn read<'s>(self: &Rc<Self>, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let (mut buffer, mut descriptors) = (BUFFER.take(), Vec::new());
        buffer.resize(READ_BYTES, 0);
        let outcome = match receive(self.fd.as_fd(), &mut buffer, &mut descriptors) {
            Err(Errno::AGAIN) => Ok(()),
            // A peer that closed without reading our messages (`ECONNRESET`) has ended, too.
            Ok(0) | Err(_) => {
                drop(self.reading.take());
                self.notify(scope, event::END, scope.undefined(), scope.undefined())
            }
            Ok(count) => self.deliver(scope, &buffer[..count], descriptors),
        };
        BUFFER.set(buffer);
        outcome
    }

    fn deliver<'s>(
        self: &Rc<Self>,
        scope: &'s Scope,
        bytes: &[u8],
        descriptors: Vec<OwnedFd>,
    ) -> Result<(), Exception<'s>> {
        let mut thrown = None;
        let received = self.receiver.borrow_mut().receive(bytes, descriptors, |message| {
            if self.is_open.get() && thrown.is_none() {
                thrown = scope.with_nested_scope(|scope| {
                    let outcome = self.emit_message(scope, message);
                    outcome.err().map(|thrown| Root::new(scope, thrown.value()))
                });
            }
        });
        if let Some(thrown) = thrown {
            return Err(Exception::from(thrown.value(scope)));
        }
        match received {
            Ok(()) => Ok(()),
            Err(_) if !self.is_open.get() => Ok(()),
            Err(ProtocolError::BunGreeting)
                if bytes.starts_with(&BUN_GREETING) && self.has_sent_nothing() =>
            {
                self.switch_to_bun(scope)?;
                self.deliver(scope, bytes, Vec::new())
            }
            Err(error) => {
                drop(self.reading.take());
                self.notify(scope, event::PROTOCOL_ERROR, scope.string(&error.to_string()), scope.undefined())
            }
        }
    }

    fn emit_message<'s>(&self, scope: &'s Scope, message: Message<'_>) -> Result<(), Exception<'s>> {
        let value = match self.framing.get() {
            Framing::Lines => scope.string(&String::from_utf8_lossy(message.bytes)),
            Framing::LengthPrefix | Framing::TypeAndLengthPrefix => {
                Bytes::from_vec(scope, message.bytes.to_vec())?.value()
            }
        };
        let with = message.descriptor.map_or(scope.undefined(), |with| received_fd::to_object(scope, with));
        self.notify(scope, event::MESSAGE, value, with)
    }

    fn has_sent_nothing(&self) -> bool {
        let queue = self.send_queue.borrow();
        queue.sent_bytes() == 0 && queue.queued_bytes() == 0
    }

    /// Switches to bun's framing.
    fn switch_to_bun<'s>(self: &Rc<Self>, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.framing.set(Framing::TypeAndLengthPrefix);
        self.receiver.replace(Receiver::new(Framing::TypeAndLengthPrefix));
        self.notify(scope, event::BUN_PEER, scope.undefined(), scope.undefined())
    }

    /// Sends bun's greeting, which bun waits for.
    fn send_greeting(self: &Rc<Self>) -> sys::Result<()> {
        self.send(BUN_GREETING.to_vec(), None, false).map(|_| ())
    }

    /// Queues a frame, and sends it now or after the callback. Returns the number of queued bytes.
    fn send(
        self: &Rc<Self>,
        frame: Vec<u8>,
        with: Option<OwnedFd>,
        has_callback: bool,
    ) -> sys::Result<usize> {
        let has_descriptor = with.is_some();
        if self.send_queue.borrow().queued_bytes() + frame.len() > QUEUED_BYTES_MAX {
            return Err(Errno::NOBUFS);
        }
        self.send_queue.borrow_mut().push(frame, with);
        // While the socket's buffer is full, the event loop waits for it.
        if self.writing.borrow().is_none() {
            let is_large = self.send_queue.borrow().queued_bytes() >= DEFERRED_BYTES_MAX;
            let is_first = self.sent_at.get().is_none_or(|sent| sent.elapsed() > JOIN_WINDOW);
            match has_callback || has_descriptor || is_large || is_first {
                true => self.send_now()?,
                false => flush::schedule(self),
            }
        }
        let queued = self.send_queue.borrow().queued_bytes();
        if has_callback && queued > 0 {
            let end = self.send_queue.borrow().sent_bytes() + queued as u64;
            self.callback_offsets.borrow_mut().push_back(end);
        }
        Ok(queued)
    }

    fn send_now(self: &Rc<Self>) -> sys::Result<()> {
        self.send_queue.borrow_mut().send(self.fd.as_fd())?;
        self.sent_at.set(Some(Instant::now()));
        match self.send_queue.borrow().queued_bytes() {
            0 => Ok(()),
            _ => self.wait_for_writable(),
        }
    }

    /// Queued bytes keep the event loop alive, even where the channel is unref'd.
    fn wait_for_writable(self: &Rc<Self>) -> sys::Result<()> {
        if self.writing.borrow().is_none() {
            let channel = Rc::clone(self);
            let fd = self.registration_fd(&self.reading)?;
            let io = self.handle.add_io(fd, Readiness::WRITE, move |scope, _| channel.on_writable(scope))?;
            *self.writing.borrow_mut() = Some(io);
        }
        Ok(())
    }

    /// The socket is writable, or a deferred send has failed.
    fn on_writable<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let outcome = match self.pending_error.take() {
            Some(error) => Err(error),
            None => self.send_queue.borrow_mut().send(self.fd.as_fd()),
        };
        if self.send_queue.borrow().queued_bytes() == 0 {
            drop(self.writing.take());
        }
        let sent = self.send_queue.borrow().sent_bytes();
        let mut offsets = self.callback_offsets.borrow_mut();
        if let Err(error) = outcome {
            offsets.clear();
            drop(offsets);
            return self.notify(
                scope,
                event::SEND_ERROR,
                scope.number(negative_errno(error)),
                scope.undefined(),
            );
        }
        let before = offsets.len();
        offsets.retain(|end| *end > sent);
        let count = before - offsets.len();
        drop(offsets);
        match count {
            0 => Ok(()),
            _ => self.notify(scope, event::SENT, scope.number(count as f64), scope.undefined()),
        }
    }

    fn notify<'s>(
        &self,
        scope: &'s Scope,
        event: f64,
        value: Value<'_>,
        with: Value<'_>,
    ) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => listener.call(scope, &[scope.number(event), value, with]).map(|_| ()),
            None => Ok(()),
        }
    }

    fn set_ref(&self, is_ref: bool) {
        self.is_ref.set(is_ref);
        if let Some(io) = &*self.reading.borrow() {
            if is_ref { io.r#ref() } else { io.unref() }
        }
    }

    /// Sends what the socket takes of the queue, and closes the channel.
    fn close(self: &Rc<Self>) {
        let _ = self.send_queue.borrow_mut().send(self.fd.as_fd());
        self.is_open.set(false);
        drop((self.reading.take(), self.writing.take(), self.listener.take()));
        self.send_queue.borrow_mut().clear();
    }
}

/// A channel is a socket in most cases; the parent process may have made it a pipe.
fn receive(from: BorrowedFd<'_>, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> sys::Result<usize> {
    match unix_socket::receive(from, buffer, descriptors) {
        Err(Errno::NOTSOCK) => sys::read(from, buffer),
        result => result,
    }
}
