//! UDP socket in the event loop. In: messages and their destinations. Out: received messages, one
//! for each call; messages that the kernel does not accept at once are queued in order.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::fd;
use rusk_base::sys::socket;
use rusk_base::sys::udp::{self, UdpBindOptions};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Exception, Root, Scope, Value};

use super::render;
use rusk_ext_io::stream_handle::read_chunk;
use rusk_runtime::IoHandle;
use rusk_runtime::LoopHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::values::negative_errno;

rusk_runtime::shared_constants! {
    /// Events that a socket's listener is called with.
    pub mod event: f64 {
        /// With the sender's address, port and family.
        MESSAGE = 0.0,
        ERROR = 1.0,
        /// The first queued message was sent: its size, or a negative errno.
        SENT = 2.0,
        /// The kernel takes messages again, after `sendMany` has sent fewer than all.
        WRITABLE = 3.0,
    }
}

pub(super) struct UdpSocket {
    loop_handle: LoopHandle,
    is_ipv6: Cell<bool>,
    fd: RefCell<Option<Rc<OwnedFd>>>,
    is_ref: Cell<bool>,
    listener: RefCell<Option<Root>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    queue: RefCell<VecDeque<QueuedMessage>>,
    /// Whether `WRITABLE` is to be emitted.
    wants_writable: Cell<bool>,
}

struct QueuedMessage {
    message: Vec<u8>,
    to: Option<SocketAddr>,
}

impl UdpSocket {
    pub fn new(is_ipv6: bool) -> Rc<UdpSocket> {
        Rc::new(UdpSocket {
            loop_handle: RuntimeState::current().handle.clone(),
            is_ipv6: Cell::new(is_ipv6),
            fd: RefCell::default(),
            is_ref: Cell::new(true),
            listener: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            queue: RefCell::default(),
            wants_writable: Cell::new(false),
        })
    }

    pub fn listen(&self, listener: Root) {
        *self.listener.borrow_mut() = Some(listener);
    }

    pub fn set_ipv6(&self) {
        self.is_ipv6.set(true);
    }

    /// -1 before the socket is created.
    pub fn raw_fd(&self) -> i32 {
        self.fd.borrow().as_ref().map_or(-1, |fd| fd::raw(&**fd))
    }

    /// `EBADF` before the socket is created.
    pub fn fd(&self) -> sys::Result<Rc<OwnedFd>> {
        self.fd.borrow().clone().ok_or(Errno::BADF)
    }

    /// The file descriptor; creates the socket if needed.
    fn open_fd(&self, is_ipv6: bool) -> sys::Result<Rc<OwnedFd>> {
        if let Ok(fd) = self.fd() {
            return Ok(fd);
        }
        let fd = Rc::new(udp::open(is_ipv6)?);
        *self.fd.borrow_mut() = Some(Rc::clone(&fd));
        Ok(fd)
    }

    /// The file descriptor; creates and binds the socket to a port of the system's choice if
    /// needed.
    pub fn bound_fd(&self, is_ipv6: bool, options: UdpBindOptions) -> sys::Result<Rc<OwnedFd>> {
        if let Ok(fd) = self.fd() {
            return Ok(fd);
        }
        let fd = self.open_fd(is_ipv6)?;
        udp::bind(fd.as_fd(), &unspecified_address(is_ipv6), options)?;
        Ok(fd)
    }

    /// Takes ownership of an open socket. `EEXIST`: another handle of the event loop has it.
    pub fn open(self: &Rc<Self>, raw_fd: i32) -> sys::Result<()> {
        if self.fd.borrow().is_some() {
            return Err(Errno::BUSY);
        }
        let fd = Rc::new(fd::take_ownership(raw_fd)?);
        let result = self.register_read(Rc::clone(&fd)).and_then(|io_handle| {
            drop(io_handle);
            fd::set_nonblocking(fd.as_fd())
        });
        match result {
            Ok(()) => *self.fd.borrow_mut() = Some(fd),
            // The caller keeps ownership.
            Err(_) => drop(Rc::try_unwrap(fd).map(fd::into_raw)),
        }
        result
    }

    pub fn bind(&self, address: SocketAddr, options: UdpBindOptions) -> sys::Result<()> {
        if address.is_ipv6() != self.is_ipv6.get() || (options.is_ipv6_only && !self.is_ipv6.get()) {
            return Err(Errno::INVAL);
        }
        let fd = self.open_fd(self.is_ipv6.get())?;
        match udp::bind(fd.as_fd(), &address, options) {
            // The socket exists already and has the other family.
            Err(Errno::AFNOSUPPORT) => Err(Errno::INVAL),
            result => result,
        }
    }

    pub fn connect(&self, address: SocketAddr) -> sys::Result<()> {
        if address.is_ipv6() != self.is_ipv6.get() {
            return Err(Errno::INVAL);
        }
        udp::connect(self.bound_fd(self.is_ipv6.get(), UdpBindOptions::default())?.as_fd(), &address)
    }

    pub fn disconnect(&self) -> sys::Result<()> {
        udp::disconnect(self.fd()?.as_fd())
    }

    pub fn local_addr(&self) -> sys::Result<SocketAddr> {
        inet_address(socket::local_addr(self.fd()?.as_fd())?)
    }

    pub fn peer_addr(&self) -> sys::Result<SocketAddr> {
        inet_address(socket::peer_addr(self.fd()?.as_fd())?)
    }

    /// The number of sent bytes. `None`: the message must be queued.
    pub fn try_send(
        &self,
        scope: &Scope,
        message: Bytes<'_>,
        to: Option<&SocketAddr>,
    ) -> sys::Result<Option<usize>> {
        let fd = self.fd_for_send(to)?;
        if !self.queue.borrow().is_empty() {
            return Ok(None);
        }
        let fd = fd.as_fd();
        match message.with_bytes_mut(scope, |bytes| udp::send(fd, bytes, to)) {
            Err(Errno::AGAIN) => Ok(None),
            sent => sent.map(Some),
        }
    }

    pub fn queue_message(self: &Rc<Self>, message: Vec<u8>, to: Option<SocketAddr>) -> sys::Result<()> {
        self.fd_for_send(to.as_ref())?;
        self.wait_for_write()?;
        self.queue.borrow_mut().push_back(QueuedMessage { message, to });
        Ok(())
    }

    fn wait_for_write(self: &Rc<Self>) -> sys::Result<()> {
        if self.writing.borrow().is_none() {
            let socket = Rc::clone(self);
            let fd = self.fd_for_io(&self.reading)?;
            let io_handle =
                self.loop_handle.add_io(fd, Readiness::WRITE, move |scope, _| socket.send_queued(scope))?;
            self.store(&self.writing, io_handle);
        }
        Ok(())
    }

    /// Sends messages until the kernel takes no more; none is queued. Returns how many were sent.
    pub fn send_many(self: &Rc<Self>, messages: &[udp::Datagram<'_>]) -> sys::Result<usize> {
        let mut fd = self.fd_for_send(None)?;
        for (_, to) in messages {
            fd = self.fd_for_send(to.as_ref())?;
        }
        let sent = match udp::send_many(fd.as_fd(), messages) {
            Err(Errno::AGAIN) => Ok(0),
            sent => sent,
        };
        if sent.is_ok_and(|sent| sent < messages.len()) {
            self.wants_writable.set(true);
            self.wait_for_write()?;
        }
        sent
    }

    fn fd_for_send(&self, to: Option<&SocketAddr>) -> sys::Result<Rc<OwnedFd>> {
        if to.is_some_and(|to| to.is_ipv6() != self.is_ipv6.get()) {
            return Err(Errno::INVAL);
        }
        self.bound_fd(self.is_ipv6.get(), UdpBindOptions::default())
    }

    /// The number of queued bytes and of queued messages.
    pub fn queue_size(&self) -> (usize, usize) {
        let queue = self.queue.borrow();
        (queue.iter().map(|queued| queued.message.len()).sum(), queue.len())
    }

    /// The socket is writable: sends one queued message, so that its event is emitted on its own.
    fn send_queued<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Some(next) = self.queue.borrow_mut().pop_front() else {
            drop(self.writing.take());
            return match self.wants_writable.take() {
                true => self.emit(scope, event::WRITABLE, &[]),
                false => Ok(()),
            };
        };
        let sent = self.fd().and_then(|fd| udp::send(fd.as_fd(), &next.message, next.to.as_ref()));
        if sent == Err(Errno::AGAIN) {
            self.queue.borrow_mut().push_front(next);
            return Ok(());
        }
        if self.queue.borrow().is_empty() && !self.wants_writable.get() {
            drop(self.writing.take());
        } else {
            self.loop_handle.call_again();
        }
        self.emit(scope, event::SENT, &[scope.number(sent.map_or_else(negative_errno, |sent| sent as f64))])
    }

    pub fn read_start(self: &Rc<Self>) -> sys::Result<()> {
        if self.reading.borrow().is_some() {
            return Ok(());
        }
        self.bound_fd(self.is_ipv6.get(), UdpBindOptions::default())?;
        let io_handle = self.register_read(self.fd_for_io(&self.writing)?)?;
        self.store(&self.reading, io_handle);
        Ok(())
    }

    pub fn read_stop(&self) {
        drop(self.reading.take());
    }

    fn register_read(self: &Rc<Self>, fd: Rc<OwnedFd>) -> sys::Result<IoHandle> {
        let socket = Rc::clone(self);
        self.loop_handle.add_io(fd, Readiness::READ, move |scope, _| socket.receive(scope))
    }

    /// Receives one message, so that its microtasks run before the next message is received.
    fn receive<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Ok(fd) = self.fd() else { return Ok(()) };
        let mut sender = None;
        let message = read_chunk(|buffer| {
            let (count, from) = udp::receive(fd.as_fd(), buffer)?;
            sender = from;
            Ok(count)
        });
        match message {
            Ok(message) => {
                self.loop_handle.call_again();
                let message = Bytes::from_vec(scope, message)?.value();
                match sender {
                    Some(sender) => {
                        let address = scope.string(&render(&sender));
                        let family = if sender.is_ipv4() { 4.0 } else { 6.0 };
                        let parts =
                            [message, address, scope.number(sender.port().into()), scope.number(family)];
                        self.emit(scope, event::MESSAGE, &parts)
                    }
                    // A socket from outside may have another family.
                    None => self.emit(scope, event::MESSAGE, &[message]),
                }
            }
            Err(Errno::AGAIN) => Ok(()),
            Err(error) => self.emit(scope, event::ERROR, &[scope.number(negative_errno(error))]),
        }
    }

    fn emit<'s>(&self, scope: &'s Scope, event: f64, values: &[Value<'s>]) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        let Some(listener) = listener.and_then(|listener| listener.as_function(scope)) else { return Ok(()) };
        let values: Vec<_> = [scope.number(event)].into_iter().chain(values.iter().copied()).collect();
        listener.call(scope, &values).map(|_| ())
    }

    /// The descriptor to register. It is duplicated if `other` has registered it already, because
    /// epoll accepts a descriptor only once.
    fn fd_for_io(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        let fd = self.fd()?;
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*fd)).map(Rc::new),
            false => Ok(fd),
        }
    }

    fn store(&self, slot: &RefCell<Option<IoHandle>>, io_handle: IoHandle) {
        if !self.is_ref.get() {
            io_handle.unref();
        }
        *slot.borrow_mut() = Some(io_handle);
    }

    pub fn set_ref(&self, is_ref: bool) {
        self.is_ref.set(is_ref);
        for slot in [&self.reading, &self.writing] {
            if let Some(io_handle) = &*slot.borrow() {
                if is_ref { io_handle.r#ref() } else { io_handle.unref() }
            }
        }
    }

    pub fn close(&self) {
        let io_handles = (self.reading.take(), self.writing.take());
        drop((io_handles, self.listener.take(), self.queue.take(), self.fd.take()));
    }
}

fn unspecified_address(is_ipv6: bool) -> SocketAddr {
    let address: IpAddr = match is_ipv6 {
        true => std::net::Ipv6Addr::UNSPECIFIED.into(),
        false => std::net::Ipv4Addr::UNSPECIFIED.into(),
    };
    SocketAddr::new(address, 0)
}

fn inet_address(address: socket::SocketAddr) -> sys::Result<SocketAddr> {
    match address {
        socket::SocketAddr::Inet(address) => Ok(address),
        socket::SocketAddr::Unix(_) => Err(Errno::INVAL),
    }
}

/// Calls `body` with the descriptor.
pub(super) fn borrow<T>(
    fd: sys::Result<Rc<OwnedFd>>,
    body: impl FnOnce(BorrowedFd<'_>) -> sys::Result<T>,
) -> sys::Result<T> {
    body(fd?.as_fd())
}
