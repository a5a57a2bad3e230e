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

use super::written;
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
        /// The first message that waited was sent: its size, or an errno.
        SENT = 2.0,
    }
}

pub(super) struct Datagram {
    handle: LoopHandle,
    is_six: Cell<bool>,
    fd: RefCell<Option<Rc<OwnedFd>>>,
    is_ref: Cell<bool>,
    listener: RefCell<Option<Root>>,
    reading: RefCell<Option<IoHandle>>,
    writing: RefCell<Option<IoHandle>>,
    waiting: RefCell<VecDeque<Waiting>>,
}

struct Waiting {
    message: Vec<u8>,
    to: Option<SocketAddr>,
}

impl Datagram {
    pub fn new(is_six: bool) -> Rc<Datagram> {
        Rc::new(Datagram {
            handle: RuntimeState::current().handle.clone(),
            is_six: Cell::new(is_six),
            fd: RefCell::default(),
            is_ref: Cell::new(true),
            listener: RefCell::default(),
            reading: RefCell::default(),
            writing: RefCell::default(),
            waiting: RefCell::default(),
        })
    }

    pub fn listen(&self, listener: Root) {
        *self.listener.borrow_mut() = Some(listener);
    }

    pub fn set_six(&self) {
        self.is_six.set(true);
    }

    /// -1: there is no socket yet.
    pub fn number(&self) -> i32 {
        self.fd.borrow().as_ref().map_or(-1, |fd| fd::raw(&**fd))
    }

    /// The socket, if there is one: `EBADF`.
    pub fn fd(&self) -> sys::Result<Rc<OwnedFd>> {
        self.fd.borrow().clone().ok_or(Errno::BADF)
    }

    fn fd_of(&self, is_six: bool) -> sys::Result<Rc<OwnedFd>> {
        if let Ok(fd) = self.fd() {
            return Ok(fd);
        }
        let fd = Rc::new(udp::open(is_six)?);
        *self.fd.borrow_mut() = Some(Rc::clone(&fd));
        Ok(fd)
    }

    /// The socket, which is somewhere from now on if it was not: where the system likes.
    pub fn fd_somewhere(&self, is_six: bool, sharing: UdpBindOptions) -> sys::Result<Rc<OwnedFd>> {
        if let Ok(fd) = self.fd() {
            return Ok(fd);
        }
        let fd = self.fd_of(is_six)?;
        udp::bind(fd.as_fd(), &everywhere(is_six), sharing)?;
        Ok(fd)
    }

    /// Takes over a socket that the program has; `EEXIST`: another one in the loop has it.
    pub fn open(self: &Rc<Self>, number: i32) -> sys::Result<()> {
        if self.fd.borrow().is_some() {
            return Err(Errno::BUSY);
        }
        let fd = Rc::new(fd::take_ownership(number)?);
        let answer = self.watch_reading(Rc::clone(&fd)).and_then(|watch| {
            drop(watch);
            fd::set_nonblocking(fd.as_fd())
        });
        match answer {
            Ok(()) => *self.fd.borrow_mut() = Some(fd),
            // It stays who had it.
            Err(_) => drop(Rc::try_unwrap(fd).map(fd::into_raw)),
        }
        answer
    }

    pub fn bind(&self, address: SocketAddr, sharing: UdpBindOptions) -> sys::Result<()> {
        if address.is_ipv6() != self.is_six.get() || (sharing.is_ipv6_only && !self.is_six.get()) {
            return Err(Errno::INVAL);
        }
        let fd = self.fd_of(self.is_six.get())?;
        match udp::bind(fd.as_fd(), &address, sharing) {
            // The socket there is is of the other family.
            Err(Errno::AFNOSUPPORT) => Err(Errno::INVAL),
            answer => answer,
        }
    }

    pub fn connect(&self, address: SocketAddr) -> sys::Result<()> {
        if address.is_ipv6() != self.is_six.get() {
            return Err(Errno::INVAL);
        }
        udp::connect(self.fd_somewhere(self.is_six.get(), UdpBindOptions::default())?.as_fd(), &address)
    }

    pub fn disconnect(&self) -> sys::Result<()> {
        udp::disconnect(self.fd()?.as_fd())
    }

    pub fn local_addr(&self) -> sys::Result<SocketAddr> {
        internet(socket::local_addr(self.fd()?.as_fd())?)
    }

    pub fn peer_addr(&self) -> sys::Result<SocketAddr> {
        internet(socket::peer_addr(self.fd()?.as_fd())?)
    }

    /// How many bytes were sent; `None`: it has to wait.
    pub fn send_now(
        &self,
        scope: &Scope,
        message: Bytes<'_>,
        to: Option<&SocketAddr>,
    ) -> sys::Result<Option<usize>> {
        let fd = self.fd_to_send(to)?;
        if !self.waiting.borrow().is_empty() {
            return Ok(None);
        }
        let fd = fd.as_fd();
        match message.with_bytes_mut(scope, |bytes| udp::send(fd, bytes, to)) {
            Err(Errno::AGAIN) => Ok(None),
            sent => sent.map(Some),
        }
    }

    pub fn send_later(self: &Rc<Self>, message: Vec<u8>, to: Option<SocketAddr>) -> sys::Result<()> {
        self.fd_to_send(to.as_ref())?;
        if self.writing.borrow().is_none() {
            let own = Rc::clone(self);
            let fd = self.for_watch(&self.reading)?;
            let watch = self.handle.add_io(fd, Readiness::WRITE, move |scope, _| own.send_on(scope))?;
            self.keep(&self.writing, watch);
        }
        self.waiting.borrow_mut().push_back(Waiting { message, to });
        Ok(())
    }

    fn fd_to_send(&self, to: Option<&SocketAddr>) -> sys::Result<Rc<OwnedFd>> {
        if to.is_some_and(|to| to.is_ipv6() != self.is_six.get()) {
            return Err(Errno::INVAL);
        }
        self.fd_somewhere(self.is_six.get(), UdpBindOptions::default())
    }

    /// Bytes and messages that wait.
    pub fn queue(&self) -> (usize, usize) {
        let waiting = self.waiting.borrow();
        (waiting.iter().map(|waiting| waiting.message.len()).sum(), waiting.len())
    }

    /// The socket is writable: sends one queued message, so that its event is emitted on its own.
    fn send_on<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Some(next) = self.waiting.borrow_mut().pop_front() else {
            drop(self.writing.take());
            return Ok(());
        };
        let sent = self.fd().and_then(|fd| udp::send(fd.as_fd(), &next.message, next.to.as_ref()));
        if sent == Err(Errno::AGAIN) {
            self.waiting.borrow_mut().push_front(next);
            return Ok(());
        }
        if self.waiting.borrow().is_empty() {
            drop(self.writing.take());
        } else {
            self.handle.call_again();
        }
        self.emit(scope, event::SENT, &[scope.number(sent.map_or_else(negative_errno, |sent| sent as f64))])
    }

    pub fn read_start(self: &Rc<Self>) -> sys::Result<()> {
        if self.reading.borrow().is_some() {
            return Ok(());
        }
        self.fd_somewhere(self.is_six.get(), UdpBindOptions::default())?;
        let watch = self.watch_reading(self.for_watch(&self.writing)?)?;
        self.keep(&self.reading, watch);
        Ok(())
    }

    pub fn read_stop(&self) {
        drop(self.reading.take());
    }

    fn watch_reading(self: &Rc<Self>, fd: Rc<OwnedFd>) -> sys::Result<IoHandle> {
        let own = Rc::clone(self);
        self.handle.add_io(fd, Readiness::READ, move |scope, _| own.read(scope))
    }

    /// One message a turn, so that what it leaves is done before the next.
    fn read<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Ok(fd) = self.fd() else { return Ok(()) };
        let mut sender = None;
        let message = read_chunk(|buffer| {
            let (count, from) = udp::receive(fd.as_fd(), buffer)?;
            sender = from;
            Ok(count)
        });
        match message {
            Ok(message) => {
                self.handle.call_again();
                let message = Bytes::from_vec(scope, message)?.value();
                match sender {
                    Some(sender) => {
                        let address = scope.string(&written(&sender));
                        let family = if sender.is_ipv4() { 4.0 } else { 6.0 };
                        let parts =
                            [message, address, scope.number(sender.port().into()), scope.number(family)];
                        self.emit(scope, event::MESSAGE, &parts)
                    }
                    // A socket that the program gave may be of another kind.
                    None => self.emit(scope, event::MESSAGE, &[message]),
                }
            }
            Err(Errno::AGAIN) => Ok(()),
            Err(error) => self.emit(scope, event::ERROR, &[scope.number(negative_errno(error))]),
        }
    }

    fn emit<'s>(&self, scope: &'s Scope, what: f64, values: &[Value<'s>]) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        let Some(listener) = listener.and_then(|listener| listener.as_function(scope)) else { return Ok(()) };
        let values: Vec<_> = [scope.number(what)].into_iter().chain(values.iter().copied()).collect();
        listener.call(scope, &values).map(|_| ())
    }

    /// The kernel's set has a descriptor once: who reads and writes has a second number for it.
    fn for_watch(&self, other: &RefCell<Option<IoHandle>>) -> sys::Result<Rc<OwnedFd>> {
        let fd = self.fd()?;
        match other.borrow().is_some() {
            true => fd::duplicate(fd::raw(&*fd)).map(Rc::new),
            false => Ok(fd),
        }
    }

    fn keep(&self, place: &RefCell<Option<IoHandle>>, watch: IoHandle) {
        if !self.is_ref.get() {
            watch.unref();
        }
        *place.borrow_mut() = Some(watch);
    }

    pub fn set_ref(&self, is_ref: bool) {
        self.is_ref.set(is_ref);
        for place in [&self.reading, &self.writing] {
            if let Some(watch) = &*place.borrow() {
                if is_ref { watch.r#ref() } else { watch.unref() }
            }
        }
    }

    pub fn close(&self) {
        let watches = (self.reading.take(), self.writing.take());
        drop((watches, self.listener.take(), self.waiting.take(), self.fd.take()));
    }
}

pub(super) fn everywhere(is_six: bool) -> SocketAddr {
    let address: IpAddr = match is_six {
        true => std::net::Ipv6Addr::UNSPECIFIED.into(),
        false => std::net::Ipv4Addr::UNSPECIFIED.into(),
    };
    SocketAddr::new(address, 0)
}

fn internet(place: socket::SocketAddr) -> sys::Result<SocketAddr> {
    match place {
        socket::SocketAddr::Inet(address) => Ok(address),
        socket::SocketAddr::Unix(_) => Err(Errno::INVAL),
    }
}

/// For one call.
pub(super) fn borrow<T>(
    fd: sys::Result<Rc<OwnedFd>>,
    body: impl FnOnce(BorrowedFd<'_>) -> sys::Result<T>,
) -> sys::Result<T> {
    body(fd?.as_fd())
}
