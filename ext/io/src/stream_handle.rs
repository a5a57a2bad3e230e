//! Stream handles: `internalBinding('stream_handle')`, as libuv's `uv_stream_t`. Reads and writes
//! the file descriptors of standard streams, pipes, sockets and terminals in the event loop. In: a
//! file descriptor. Out: an object whose listener is called with events. Writes that the kernel
//! does not accept at once are queued in order. Absent: creating and connecting sockets
//! (`internalBinding('net')`); regular files, which never block.

mod write_now;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::fd::{self, FdKind};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};

pub use write_now::{recycle_message, take_message};

use rusk_runtime::IoHandle;
use rusk_runtime::LoopHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::{add_constants, uv};
use rusk_runtime::values::{bytes_or_utf8, errno_result, i32_argument, negative_errno};

/// The size of a read: the suggested size of libuv.
const READ_BYTES: usize = 64 * 1024;

rusk_runtime::shared_constants! {
    /// Events that a handle's listener is called with.
    pub mod event: f64 {
        DATA = 0.0,
        END = 1.0,
        READ_ERROR = 2.0,
        WRITTEN = 3.0,
        /// Of a connecting socket: it is connected, or an errno.
        CONNECTED = 4.0,
        /// Of a listening socket: a connection was accepted, or an errno.
        CONNECTION = 5.0,
    }
}

/// What a handle reports to the Rust code that took it over ([`StreamHandle::set_consumer`]).
pub enum StreamEvent {
    Data(Vec<u8>),
    End,
    ReadError(Errno),
    /// The oldest of its writes that were queued is complete, or has failed.
    Written(sys::Result<()>),
}

pub type Consumer = dyn for<'s> Fn(&'s Scope, StreamEvent) -> Result<(), Exception<'s>>;

/// A write that the kernel has not accepted as a whole.
struct QueuedWrite {
    bytes: Vec<u8>,
    written: usize,
    is_of_consumer: bool,
}

pub struct StreamHandle {
    handle: LoopHandle,
    fd: Rc<OwnedFd>,
    /// No other process shares the open file description, so it was made non-blocking.
    is_exclusive: bool,
    is_ref: Cell<bool>,
    /// The largest number of bytes in one read.
    bytes_max: Cell<usize>,
    listener: RefCell<Option<Root>>,
    consumer: RefCell<Option<Rc<Consumer>>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    write_queue: RefCell<VecDeque<QueuedWrite>>,
}

thread_local! {
    /// The read buffer, reused: to allocate and clear one for each small read, and for the end of a
    /// stream, takes longer than to copy the bytes.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads a chunk with `read`. Empty at the end of the stream.
pub fn read_chunk(read: impl FnOnce(&mut [u8]) -> sys::Result<usize>) -> sys::Result<Vec<u8>> {
    let mut buffer = BUFFER.take();
    buffer.resize(READ_BYTES, 0);
    let count = read(&mut buffer)?;
    Ok(chunk(buffer, count))
}

/// Takes back a chunk whose bytes were used, so that the next large read needs no new memory, which
/// would have to be cleared.
pub fn recycle_chunk(chunk: Vec<u8>) {
    if chunk.capacity() >= READ_BYTES {
        BUFFER.set(chunk);
    }
}

/// The first `count` bytes. The buffer is reused unless most of it is filled.
fn chunk(mut buffer: Vec<u8>, count: usize) -> Vec<u8> {
    if count > READ_BYTES / 2 {
        buffer.truncate(count);
        return buffer;
    }
    let chunk = buffer[..count].to_vec();
    BUFFER.set(buffer);
    chunk
}

/// The native object that JavaScript holds; empty after close.
pub struct Slot(RefCell<Option<Rc<StreamHandle>>>);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "uv", uv::ALL)?;
    add(scope, binding, "kind", kind)?;
    add(scope, binding, "open", |scope, call| {
        let (number, is_shared) = (i32_argument(scope, call, 0)?, call.argument(scope, 1).is_truthy(scope));
        let fd = if is_shared { fd::duplicate(number) } else { fd::take_ownership(number) };
        match fd.and_then(|fd| StreamHandle::new(fd, !is_shared)) {
            Ok(handle) => Ok(handle.show(scope).value()),
            Err(error) => Ok(scope.number(negative_errno(error))),
        }
    })?;
    add(scope, binding, "listen", |scope, call| {
        if let Some(handle) = find(scope, call) {
            *handle.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "fd", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |handle| fd::raw(&*handle.fd).into())))
    })?;
    add(scope, binding, "readStart", |scope, call| {
        let bytes_max = call.argument(scope, 1).to_number(scope)? as usize;
        errno_result(scope, find_or_badf(scope, call).and_then(|handle| handle.read_start(bytes_max)))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).map(|handle| handle.read_stop()))
    })?;
    add(scope, binding, "write", |scope, call| {
        let bytes = bytes_or_utf8(scope, call.argument(scope, 1))?;
        Ok(scope.number(match find_or_badf(scope, call).and_then(|handle| handle.write(bytes)) {
            Ok(is_done) => f64::from(u8::from(!is_done)),
            Err(error) => negative_errno(error),
        }))
    })?;
    // Arguments: handle, a head in Latin-1, a body: string, bytes or undefined. Writes both as far
    // as the kernel accepts them now. Returns what is left as bytes, undefined if nothing is, or a
    // negative errno. Not called while writes are queued.
    add_fast(scope, binding, "writeNow", write_now::write_now)?;
    add(scope, binding, "writeSync", |scope, call| {
        let bytes = bytes_or_utf8(scope, call.argument(scope, 1))?;
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|handle| fd::write_all(handle.fd.as_fd(), &bytes)),
        )
    })?;
    add(scope, binding, "writeFd", |scope, call| {
        let bytes = bytes_or_utf8(scope, call.argument(scope, 1))?;
        errno_result(scope, fd::write_all_raw(i32_argument(scope, call, 0)?, &bytes))
    })?;
    add(scope, binding, "writeQueueSize", |scope, call| {
        let bytes = find(scope, call).map_or(0, |handle| handle.write_queue_size());
        Ok(scope.number(bytes as f64))
    })?;
    add(scope, binding, "shutdown", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).and_then(|handle| handle.shutdown()))
    })?;
    add_fast(scope, binding, "setRef", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(slot) = slot(scope, call) {
            let handle = slot.0.take();
            handle.inspect(|handle| handle.close());
        }
        Ok(scope.undefined())
    })?;
    Ok(binding)
}

/// The type of a file descriptor, by the names of libuv's `uv_guess_handle`.
fn kind<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    Ok(match fd::kind(i32_argument(scope, call, 0)?) {
        Ok(FdKind::Terminal) => scope.string("TTY"),
        Ok(FdKind::File) => scope.string("FILE"),
        Ok(FdKind::Pipe | FdKind::UnixSocket) => scope.string("PIPE"),
        Ok(FdKind::Socket) => scope.string("TCP"),
        Ok(FdKind::DatagramSocket) => scope.string("UDP"),
        Ok(FdKind::Unknown) => scope.string("UNKNOWN"),
        Err(error) => scope.number(negative_errno(error)),
    })
}

fn slot<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Slot>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// The stream handle in the first argument, if it is open.
pub fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<StreamHandle>> {
    slot(scope, call)?.0.borrow().clone()
}

/// The open stream handle that JavaScript holds as this value.
pub fn find_value<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Rc<StreamHandle>> {
    let slot: Rc<Slot> = value.as_object(scope)?.as_native(scope)?;
    slot.0.borrow().clone()
}

pub fn find_or_badf<'s>(scope: &'s Scope, call: &Call<'s>) -> sys::Result<Rc<StreamHandle>> {
    find(scope, call).ok_or(Errno::BADF)
}

/// The raw file descriptor of a handle.
pub fn raw_fd<'s>(scope: &'s Scope, value: Value<'s>) -> Option<i32> {
    let slot: Rc<Slot> = value.as_object(scope)?.as_native(scope)?;
    slot.0.borrow().as_ref().map(|handle| fd::raw(&*handle.fd))
}

/// Takes the file descriptor out of a handle, and closes the handle.
pub fn take_fd<'s>(scope: &'s Scope, value: Value<'s>) -> Option<OwnedFd> {
    let slot: Rc<Slot> = value.as_object(scope)?.as_native(scope)?;
    let handle = slot.0.take()?;
    handle.close();
    let number = fd::raw(&*handle.fd);
    match Rc::try_unwrap(handle).map(|handle| Rc::try_unwrap(handle.fd)) {
        Ok(Ok(fd)) => Some(fd),
        _ => fd::duplicate(number).ok(),
    }
}

/// A handle that is closed from the start.
pub fn closed_handle(scope: &Scope) -> Object<'_> {
    scope.native(Slot(RefCell::new(None)))
}

impl StreamHandle {
    /// `is_exclusive`: no other process shares the open file description.
    pub fn new(fd: OwnedFd, is_exclusive: bool) -> sys::Result<Rc<StreamHandle>> {
        if is_exclusive {
            fd::set_nonblocking(fd.as_fd())?;
        }
        Ok(StreamHandle::from_fd(fd, is_exclusive))
    }

    /// From a non-blocking socket that no other process shares.
    pub fn from_socket(fd: OwnedFd) -> Rc<StreamHandle> {
        StreamHandle::from_fd(fd, true)
    }

    fn from_fd(fd: OwnedFd, is_exclusive: bool) -> Rc<StreamHandle> {
        Rc::new(StreamHandle {
            handle: RuntimeState::current().handle.clone(),
            fd: Rc::new(fd),
            is_exclusive,
            is_ref: Cell::new(true),
            bytes_max: Cell::new(READ_BYTES),
            listener: RefCell::default(),
            consumer: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            write_queue: RefCell::default(),
        })
    }

    pub fn show(self: Rc<Self>, scope: &Scope) -> Object<'_> {
        scope.native(Slot(RefCell::new(Some(self))))
    }

    /// Reports what is read to that function instead of the listener. Writes of the listener's side
    /// are still reported to it.
    pub fn set_consumer(&self, consumer: Option<Rc<Consumer>>) {
        *self.consumer.borrow_mut() = consumer;
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Calls `then` once, when the descriptor is writable: a connecting socket is connected or has
    /// failed.
    pub fn once_writable(
        self: &Rc<Self>,
        then: impl for<'s> Fn(&'s Scope, &StreamHandle) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<()> {
        let handle = Rc::clone(self);
        let io = self.handle.add_io(self.fd_for_io(&self.reading)?, Readiness::WRITE, move |scope, _| {
            drop(handle.writing.take());
            then(scope, &handle)
        })?;
        self.set_io(&self.writing, io);
        Ok(())
    }

    /// Calls `then` whenever the descriptor is readable, instead of reading. For listening sockets,
    /// which a program may call `listen` of again.
    pub fn on_readable(
        self: &Rc<Self>,
        then: impl for<'s> Fn(&'s Scope, &StreamHandle) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<()> {
        // An epoll instance accepts a descriptor only once.
        drop(self.reading.take());
        let handle = Rc::clone(self);
        let io =
            self.handle.add_io(Rc::clone(&self.fd), Readiness::READ, move |scope, _| then(scope, &handle))?;
        self.set_io(&self.reading, io);
        Ok(())
    }

    /// `bytes_max`: the largest number of bytes in one read; 0: the size of the read buffer.
    pub fn read_start(self: &Rc<Self>, bytes_max: usize) -> sys::Result<()> {
        self.bytes_max.set(if bytes_max == 0 { READ_BYTES } else { bytes_max.min(READ_BYTES) });
        if self.reading.borrow().is_some() {
            return Ok(());
        }
        let handle = Rc::clone(self);
        let io = self
            .handle
            .add_io(self.fd_for_io(&self.writing)?, Readiness::READ, move |scope, _| handle.read(scope))?;
        self.set_io(&self.reading, io);
        Ok(())
    }

    pub fn read_stop(&self) {
        drop(self.reading.take());
    }

    /// Shuts down the write side of a socket.
    pub fn shutdown(&self) -> sys::Result<()> {
        fd::shutdown_write(self.fd.as_fd())
    }

    /// The file descriptor to register. An epoll instance accepts a descriptor only once, so a
    /// handle that reads and writes registers a duplicate for one of them.
    fn fd_for_io(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*self.fd)).map(Rc::new),
            false => Ok(Rc::clone(&self.fd)),
        }
    }

    fn set_io(&self, slot: &RefCell<Option<IoHandle>>, io: IoHandle) {
        if !self.is_ref.get() {
            io.unref();
        }
        *slot.borrow_mut() = Some(io);
    }

    fn read<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let bytes_max = self.bytes_max.get();
        let chunk = read_chunk(|buffer| match self.is_exclusive {
            true => sys::read(self.fd.as_fd(), &mut buffer[..bytes_max]),
            false => fd::try_read(self.fd.as_fd(), &mut buffer[..bytes_max]),
        });
        match chunk {
            Ok(chunk) if chunk.is_empty() => {
                self.read_stop();
                self.report(scope, StreamEvent::End)
            }
            Ok(chunk) => self.report(scope, StreamEvent::Data(chunk)),
            Err(Errno::AGAIN) => Ok(()),
            Err(error) => {
                self.read_stop();
                self.report(scope, StreamEvent::ReadError(error))
            }
        }
    }

    fn report<'s>(&self, scope: &'s Scope, event: StreamEvent) -> Result<(), Exception<'s>> {
        let consumer = self.consumer.borrow().clone();
        if let Some(consumer) = consumer {
            return consumer(scope, event);
        }
        match event {
            StreamEvent::Data(bytes) => {
                let array = Bytes::from_vec(scope, bytes)?;
                self.emit(scope, event::DATA, array.value())
            }
            StreamEvent::End => self.emit(scope, event::END, scope.undefined()),
            StreamEvent::ReadError(error) => {
                self.emit(scope, event::READ_ERROR, scope.number(negative_errno(error)))
            }
            StreamEvent::Written(result) => self.report_written(scope, result),
        }
    }

    fn report_written<'s>(&self, scope: &'s Scope, result: sys::Result<()>) -> Result<(), Exception<'s>> {
        let status = result.map_or_else(negative_errno, |()| 0.0);
        self.emit(scope, event::WRITTEN, scope.number(status))
    }

    /// Writes as much as possible, and queues the rest. True: all was written.
    fn write(self: &Rc<Self>, mut bytes: Vec<u8>) -> sys::Result<bool> {
        self.write_or_queue(&mut bytes, false)
    }

    /// Writes for the consumer, as `write`. The bytes are cleared if all were written, so that the
    /// caller can use the memory again; else they are taken.
    pub fn write_for_consumer(self: &Rc<Self>, bytes: &mut Vec<u8>) -> sys::Result<bool> {
        self.write_or_queue(bytes, true)
    }

    fn write_or_queue(self: &Rc<Self>, bytes: &mut Vec<u8>, is_of_consumer: bool) -> sys::Result<bool> {
        let mut written = 0;
        if self.write_queue.borrow().is_empty() {
            if self.is_exclusive {
                written = self.write_some(bytes, 0)?;
            } else {
                fd::write_all(self.fd.as_fd(), bytes)?;
                written = bytes.len();
            }
            if written == bytes.len() {
                bytes.clear();
                return Ok(true);
            }
        }
        let bytes = std::mem::take(bytes);
        self.write_queue.borrow_mut().push_back(QueuedWrite { bytes, written, is_of_consumer });
        if self.writing.borrow().is_none() {
            let handle = Rc::clone(self);
            let fd = self.fd_for_io(&self.reading)?;
            let io = self.handle.add_io(fd, Readiness::WRITE, move |scope, _| handle.resume_write(scope))?;
            self.set_io(&self.writing, io);
        }
        Ok(false)
    }

    pub fn write_queue_size(&self) -> usize {
        self.write_queue.borrow().iter().map(|write| write.bytes.len() - write.written).sum()
    }

    /// Writes until the kernel accepts no more. Returns the number of bytes written so far.
    fn write_some(&self, bytes: &[u8], mut written: usize) -> sys::Result<usize> {
        while written < bytes.len() {
            match fd::try_write(self.fd.as_fd(), &bytes[written..])? {
                0 => break,
                count => written += count,
            }
        }
        Ok(written)
    }

    /// The descriptor is writable: continues the first queued write.
    fn resume_write<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Some(mut write) = self.write_queue.borrow_mut().pop_front() else {
            drop(self.writing.take());
            return Ok(());
        };
        let outcome = self.write_some(&write.bytes, write.written);
        if let Ok(now) = outcome
            && now < write.bytes.len()
        {
            write.written = now;
            self.write_queue.borrow_mut().push_front(write);
            return Ok(());
        }
        // Writes that were queued after a write that failed fail, too.
        let canceled = if outcome.is_err() { self.write_queue.take() } else { VecDeque::new() };
        if self.write_queue.borrow().is_empty() {
            drop(self.writing.take());
        }
        let result = outcome.map(|_| ());
        std::iter::once(write).chain(canceled).try_for_each(|write| match write.is_of_consumer {
            true => self.report(scope, StreamEvent::Written(result)),
            false => self.report_written(scope, result),
        })
    }

    pub fn emit<'s>(&self, scope: &'s Scope, event: f64, value: Value<'_>) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => listener.call(scope, &[scope.number(event), value]).map(|_| ()),
            None => Ok(()),
        }
    }

    pub fn set_ref(&self, is_ref: bool) {
        self.is_ref.set(is_ref);
        for slot in [&self.reading, &self.writing] {
            if let Some(io) = &*slot.borrow() {
                if is_ref { io.r#ref() } else { io.unref() }
            }
        }
    }

    fn close(&self) {
        let io_handles = (self.reading.take(), self.writing.take());
        drop((io_handles, self.listener.take(), self.consumer.take(), self.write_queue.take()));
    }
}
