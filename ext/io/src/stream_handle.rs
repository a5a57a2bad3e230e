//! `internalBinding('stream_handle')`: descriptors whose bytes come and go by the loop: standard
//! streams, pipes to children, terminals. In: a number, or a descriptor of another native. Out: an
//! object whose function is called with what happened. Writes that the kernel does not take at once
//! wait here, in their order. Absent: how sockets are made and find each other
//! (`internalBinding('net')`); files, which never wait.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::fd::{self, FdKind};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};

use rusk_runtime::IoHandle;
use rusk_runtime::LoopHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes, errno, int, negative};

/// As much as a pipe holds, and as Node reads at once.
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

pub struct Pipe {
    handle: LoopHandle,
    fd: Rc<OwnedFd>,
    /// Nobody else has this opening, so it was made non-blocking.
    is_own: bool,
    is_kept: Cell<bool>,
    /// So many are read at once at most.
    bytes_max: Cell<usize>,
    listener: RefCell<Option<Root>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    /// What is to be written, and how much of the first was.
    waiting: RefCell<VecDeque<(Vec<u8>, usize)>>,
}

thread_local! {
    /// What is read lies here first: to clear so much room for each small piece, and for an end,
    /// takes longer than to copy it.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// What `read` reads: nothing at the end.
pub fn read_piece(read: impl FnOnce(&mut [u8]) -> sys::Result<usize>) -> sys::Result<Vec<u8>> {
    let mut buffer = BUFFER.take();
    buffer.resize(READ_BYTES, 0);
    let count = read(&mut buffer)?;
    Ok(piece(buffer, count))
}

/// What was read. The buffer is kept for the next, unless most of it is taken.
fn piece(mut buffer: Vec<u8>, count: usize) -> Vec<u8> {
    if count > READ_BYTES / 2 {
        buffer.truncate(count);
        return buffer;
    }
    let piece = buffer[..count].to_vec();
    BUFFER.set(buffer);
    piece
}

/// What JavaScript holds; closed, it is empty.
pub struct Slot(RefCell<Option<Rc<Pipe>>>);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_constants(scope, natives, "event", event::ALL)?;
    add(scope, natives, "kind", kind)?;
    add(scope, natives, "open", |scope, call| {
        let (number, is_shared) = (int(scope, call, 0)?, call.argument(scope, 1).is_truthy(scope));
        let fd = if is_shared { fd::duplicate(number) } else { fd::take_ownership(number) };
        match fd.and_then(|fd| Pipe::new(fd, !is_shared)) {
            Ok(pipe) => Ok(pipe.show(scope).value()),
            Err(error) => Ok(scope.number(negative(error))),
        }
    })?;
    add(scope, natives, "listen", |scope, call| {
        if let Some(pipe) = find(scope, call) {
            *pipe.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "number", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |pipe| fd::raw(&*pipe.fd).into())))
    })?;
    add(scope, natives, "readStart", |scope, call| {
        let bytes_max = call.argument(scope, 1).to_number(scope)? as usize;
        errno(scope, found(scope, call).and_then(|pipe| pipe.read_start(bytes_max)))
    })?;
    add(scope, natives, "readStop", |scope, call| {
        errno(scope, found(scope, call).map(|pipe| drop(pipe.reading.take())))
    })?;
    add(scope, natives, "write", |scope, call| {
        let bytes = bytes(scope, call.argument(scope, 1))?;
        Ok(scope.number(match found(scope, call).and_then(|pipe| pipe.write(bytes)) {
            Ok(is_done) => f64::from(u8::from(!is_done)),
            Err(error) => negative(error),
        }))
    })?;
    add(scope, natives, "writeSync", |scope, call| {
        let bytes = bytes(scope, call.argument(scope, 1))?;
        errno(scope, found(scope, call).and_then(|pipe| fd::write_all(pipe.fd.as_fd(), &bytes)))
    })?;
    add(scope, natives, "writeFd", |scope, call| {
        let bytes = bytes(scope, call.argument(scope, 1))?;
        errno(scope, fd::write_all_raw(int(scope, call, 0)?, &bytes))
    })?;
    add(scope, natives, "bytesWaiting", |scope, call| {
        let bytes = find(scope, call).map_or(0, |pipe| pipe.bytes_waiting());
        Ok(scope.number(bytes as f64))
    })?;
    add(scope, natives, "shutdown", |scope, call| {
        errno(scope, found(scope, call).and_then(|pipe| fd::shutdown_write(pipe.fd.as_fd())))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        if let Some(pipe) = find(scope, call) {
            pipe.set_kept(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "close", |scope, call| {
        if let Some(slot) = slot(scope, call) {
            let pipe = slot.0.take();
            pipe.inspect(|pipe| pipe.close());
        }
        Ok(scope.undefined())
    })?;
    Ok(natives)
}

/// What a number leads to, by libuv's names.
fn kind<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    Ok(match fd::kind(int(scope, call, 0)?) {
        Ok(FdKind::Terminal) => scope.string("TTY"),
        Ok(FdKind::File) => scope.string("FILE"),
        Ok(FdKind::Pipe | FdKind::UnixSocket) => scope.string("PIPE"),
        Ok(FdKind::Socket) => scope.string("TCP"),
        Ok(FdKind::DatagramSocket) => scope.string("UDP"),
        Ok(FdKind::Unknown) => scope.string("UNKNOWN"),
        Err(error) => scope.number(negative(error)),
    })
}

fn slot<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Slot>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// The pipe that is the first argument, if it is open.
pub fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Pipe>> {
    slot(scope, call)?.0.borrow().clone()
}

pub fn found<'s>(scope: &'s Scope, call: &Call<'s>) -> sys::Result<Rc<Pipe>> {
    find(scope, call).ok_or(Errno::BADF)
}

/// The number of a pipe's descriptor.
pub fn number<'s>(scope: &'s Scope, value: Value<'s>) -> Option<i32> {
    let slot: Rc<Slot> = value.as_object(scope)?.as_native(scope)?;
    slot.0.borrow().as_ref().map(|pipe| fd::raw(&*pipe.fd))
}

/// The descriptor of a pipe, which is closed without it.
pub fn take<'s>(scope: &'s Scope, value: Value<'s>) -> Option<OwnedFd> {
    let slot: Rc<Slot> = value.as_object(scope)?.as_native(scope)?;
    let pipe = slot.0.take()?;
    pipe.close();
    let number = fd::raw(&*pipe.fd);
    match Rc::try_unwrap(pipe).map(|pipe| Rc::try_unwrap(pipe.fd)) {
        Ok(Ok(fd)) => Some(fd),
        _ => fd::duplicate(number).ok(),
    }
}

/// One that was closed before anybody saw it.
pub fn show_closed(scope: &Scope) -> Object<'_> {
    scope.native(Slot(RefCell::new(None)))
}

impl Pipe {
    /// `is_own`: nobody else has this opening.
    pub fn new(fd: OwnedFd, is_own: bool) -> sys::Result<Rc<Pipe>> {
        if is_own {
            fd::set_nonblocking(fd.as_fd())?;
        }
        Ok(Pipe::over(fd, is_own))
    }

    /// Of a descriptor that is ours alone and that no call waits for.
    pub fn of_socket(fd: OwnedFd) -> Rc<Pipe> {
        Pipe::over(fd, true)
    }

    fn over(fd: OwnedFd, is_own: bool) -> Rc<Pipe> {
        Rc::new(Pipe {
            handle: RuntimeState::current().handle.clone(),
            fd: Rc::new(fd),
            is_own,
            is_kept: Cell::new(true),
            bytes_max: Cell::new(READ_BYTES),
            listener: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            waiting: RefCell::default(),
        })
    }

    pub fn show(self: Rc<Self>, scope: &Scope) -> Object<'_> {
        scope.native(Slot(RefCell::new(Some(self))))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Calls `then` once, when it can be written: a socket that connects has done so, or never
    /// will.
    pub fn when_writable(
        self: &Rc<Self>,
        then: impl for<'s> Fn(&'s Scope, &Pipe) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<()> {
        let pipe = Rc::clone(self);
        let watch =
            self.handle.add_io(self.for_watch(&self.reading)?, Readiness::WRITE, move |scope, _| {
                drop(pipe.writing.take());
                then(scope, &pipe)
            })?;
        self.keep(&self.writing, watch);
        Ok(())
    }

    /// Calls `then` whenever it can be read, instead of reading.
    pub fn whenever_readable(
        self: &Rc<Self>,
        then: impl for<'s> Fn(&'s Scope, &Pipe) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<()> {
        let pipe = Rc::clone(self);
        let watch =
            self.handle.add_io(Rc::clone(&self.fd), Readiness::READ, move |scope, _| then(scope, &pipe))?;
        self.keep(&self.reading, watch);
        Ok(())
    }

    /// `bytes_max`: so many at once at most; 0: as many as there is room for.
    fn read_start(self: &Rc<Self>, bytes_max: usize) -> sys::Result<()> {
        self.bytes_max.set(if bytes_max == 0 { READ_BYTES } else { bytes_max.min(READ_BYTES) });
        if self.reading.borrow().is_some() {
            return Ok(());
        }
        let pipe = Rc::clone(self);
        let watch =
            self.handle
                .add_io(self.for_watch(&self.writing)?, Readiness::READ, move |scope, _| pipe.read(scope))?;
        self.keep(&self.reading, watch);
        Ok(())
    }

    /// The kernel's set has a descriptor once: who reads and writes has a second number for it.
    fn for_watch(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*self.fd)).map(Rc::new),
            false => Ok(Rc::clone(&self.fd)),
        }
    }

    fn keep(&self, place: &RefCell<Option<IoHandle>>, watch: IoHandle) {
        if !self.is_kept.get() {
            watch.unref();
        }
        *place.borrow_mut() = Some(watch);
    }

    fn read<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let bytes_max = self.bytes_max.get();
        let piece = read_piece(|buffer| match self.is_own {
            true => sys::read(self.fd.as_fd(), &mut buffer[..bytes_max]),
            false => fd::try_read(self.fd.as_fd(), &mut buffer[..bytes_max]),
        });
        match piece {
            Ok(piece) if piece.is_empty() => {
                drop(self.reading.take());
                self.tell(scope, event::END, scope.undefined())
            }
            Ok(piece) => {
                let array = Bytes::from_vec(scope, piece)?;
                self.tell(scope, event::DATA, array.value())
            }
            Err(Errno::AGAIN) => Ok(()),
            Err(error) => {
                drop(self.reading.take());
                self.tell(scope, event::READ_ERROR, scope.number(negative(error)))
            }
        }
    }

    /// Whether all is written; what is not waits.
    fn write(self: &Rc<Self>, bytes: Vec<u8>) -> sys::Result<bool> {
        let mut written = 0;
        if self.waiting.borrow().is_empty() {
            if !self.is_own {
                return fd::write_all(self.fd.as_fd(), &bytes).map(|()| true);
            }
            written = self.write_some(&bytes, 0)?;
            if written == bytes.len() {
                return Ok(true);
            }
        }
        self.waiting.borrow_mut().push_back((bytes, written));
        if self.writing.borrow().is_none() {
            let pipe = Rc::clone(self);
            let fd = self.for_watch(&self.reading)?;
            let watch = self.handle.add_io(fd, Readiness::WRITE, move |scope, _| pipe.write_on(scope))?;
            self.keep(&self.writing, watch);
        }
        Ok(false)
    }

    fn bytes_waiting(&self) -> usize {
        self.waiting.borrow().iter().map(|(bytes, written)| bytes.len() - written).sum()
    }

    /// How far it is written when the kernel takes no more.
    fn write_some(&self, bytes: &[u8], mut written: usize) -> sys::Result<usize> {
        while written < bytes.len() {
            match fd::try_write(self.fd.as_fd(), &bytes[written..])? {
                0 => break,
                count => written += count,
            }
        }
        Ok(written)
    }

    /// The kernel takes more.
    fn write_on<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Some((bytes, written)) = self.waiting.borrow_mut().pop_front() else {
            drop(self.writing.take());
            return Ok(());
        };
        let outcome = self.write_some(&bytes, written);
        if let Ok(now) = outcome
            && now < bytes.len()
        {
            self.waiting.borrow_mut().push_front((bytes, now));
            return Ok(());
        }
        let lost = if outcome.is_err() { self.waiting.take().len() } else { 0 };
        if self.waiting.borrow().is_empty() {
            drop(self.writing.take());
        }
        let status = scope.number(outcome.map_or_else(negative, |_| 0.0));
        // What waited behind a write that failed fails with it.
        (0..=lost).try_for_each(|_| self.tell(scope, event::WRITTEN, status))
    }

    pub fn tell<'s>(&self, scope: &'s Scope, what: f64, value: Value<'_>) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => listener.call(scope, &[scope.number(what), value]).map(|_| ()),
            None => Ok(()),
        }
    }

    pub fn set_kept(&self, is_kept: bool) {
        self.is_kept.set(is_kept);
        for place in [&self.reading, &self.writing] {
            if let Some(watch) = &*place.borrow() {
                if is_kept { watch.r#ref() } else { watch.unref() }
            }
        }
    }

    fn close(&self) {
        let watches = (self.reading.take(), self.writing.take());
        drop((watches, self.listener.take(), self.waiting.take()));
    }
}
