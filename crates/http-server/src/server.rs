//! Server: its connections, its epoll instance, and the order of events. In: a listening socket.
//! Out: events, one after another. The requests of a connection are handed out in order, the next
//! one when its predecessor is answered. Absent: responses (`respond.rs`).

mod accept;
mod receive;
mod stop;
mod streams;

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusk_base::sys;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::socket::{self, SocketAddr};
use rusk_base::sys::timer_fd::TimerFd;

use crate::connection::{Connection, Ending, Phase};
use crate::date::DateField;
use crate::limits::{LINGER_TIME, Limits, READ_BYTES};
use crate::output::Flushed;
use crate::request::RequestView;
use crate::router::RouteTable;
use crate::slots::Slots;
use crate::transport::TlsAcceptor;

/// Identifies a request until it is answered or aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId {
    pub slot: u32,
    pub generation: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A head has come. `handler`: of the route; `None`: no route matches.
    Request { id: RequestId, handler: Option<u32> },
    /// What the program waits for of the body is there.
    Body(RequestId),
    /// All output of a response in pieces is written.
    Drain(RequestId),
    /// The client has gone, or was refused.
    Aborted(RequestId),
    /// The server was stopped, and its last connection has ended.
    Stopped,
}

/// Which versions of HTTP a server speaks. Over TLS the client chooses among those that the
/// acceptor offers; without TLS it begins with the preface of HTTP/2 (RFC 9113, section 3.3).
#[derive(Clone, Copy, Debug)]
pub struct Protocols {
    pub http1: bool,
    pub http2: bool,
}

/// Tokens of the epoll instance; those of connections are their slots.
const LISTENER: u64 = u64::MAX;
const TIMER: u64 = u64::MAX - 1;

/// Descriptors that are ready in one poll of a server that has much to do.
const BUSY_COUNT: usize = 4;

/// Deadlines are exact to this time, so that moving them costs no system call.
const TIMER_STEP_MS: u64 = 100;

pub struct Server {
    epoll: Epoll,
    timer: TimerFd,
    listener: Option<OwnedFd>,
    /// TLS of new connections.
    acceptor: Option<Rc<TlsAcceptor>>,
    pub(crate) protocols: Protocols,
    /// A descriptor in reserve, for when the process has no more.
    spare: Option<sys::OwnedFd>,
    pub(crate) routes: Rc<RouteTable>,
    pub(crate) limits: Limits,
    pub(crate) slots: Slots,
    pub(crate) events: VecDeque<Event>,
    ready: Vec<ReadyEvent>,
    ready_at: usize,
    /// The connection whose requests are handed out now; its output is joined.
    pub(crate) current: Option<u32>,
    /// Connections with a request that was read already.
    runnable: VecDeque<u32>,
    /// Connections with output that was not yet tried to be written.
    dirty: Vec<u32>,
    buffer: Vec<u8>,
    /// A piece of a body that is streamed; its memory is used again.
    pub(crate) piece: Vec<u8>,
    pub(crate) date: DateField,
    epoch: Instant,
    pub(crate) now_ms: u64,
    /// When the timer is due; 0: it is not set.
    timer_ms: u64,
    pub(crate) in_flight: usize,
    pub(crate) is_stopping: bool,
}

impl Server {
    pub fn new(listener: OwnedFd, routes: RouteTable, limits: Limits) -> sys::Result<Server> {
        let (epoll, timer) = (Epoll::new()?, TimerFd::new()?);
        epoll.add(listener.as_fd(), LISTENER, EventFlags::IN)?;
        epoll.add(timer.as_fd(), TIMER, EventFlags::IN | EventFlags::ET)?;
        let mut server = Server {
            epoll,
            timer,
            listener: Some(listener),
            acceptor: None,
            protocols: Protocols { http1: true, http2: false },
            spare: None,
            routes: Rc::new(routes),
            limits,
            slots: Slots::default(),
            events: VecDeque::new(),
            ready: Vec::new(),
            ready_at: 0,
            current: None,
            runnable: VecDeque::new(),
            dirty: Vec::new(),
            buffer: vec![0; READ_BYTES],
            piece: Vec::new(),
            date: DateField::default(),
            epoch: Instant::now(),
            now_ms: 0,
            timer_ms: 0,
            in_flight: 0,
            is_stopping: false,
        };
        server.refill_spare();
        server.update_clocks();
        Ok(server)
    }

    /// Another descriptor of the epoll instance: readable when [`Server::poll`] has something to
    /// do.
    pub fn poll_fd(&self) -> sys::Result<OwnedFd> {
        self.epoll.duplicate_fd()
    }

    /// Looks for what is ready; waits for it at most for `timeout`.
    pub fn poll(&mut self, timeout: Option<Duration>) -> sys::Result<()> {
        if self.ready_at < self.ready.len() {
            return Ok(());
        }
        self.ready_at = 0;
        self.epoll.wait(&mut self.ready, timeout)?;
        self.update_clocks();
        Ok(())
    }

    /// Whether the last poll has found so much that another one will find something at once.
    pub fn is_busy(&self) -> bool {
        self.ready.len() >= BUSY_COUNT
    }

    /// The next event; `None`: wait, and poll again.
    pub fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            if let Some(slot) = self.current {
                if let Some(event) = self.advance(slot) {
                    return Some(event);
                }
                self.current = None;
                self.flush_connection(slot);
                continue;
            }
            if let Some(slot) = self.runnable.pop_front() {
                self.current = Some(slot);
                continue;
            }
            let ready = *self.ready.get(self.ready_at)?;
            self.ready_at += 1;
            self.handle(ready);
        }
    }

    /// Writes what responses have left to write. Call it when the program has nothing more to do
    /// for now.
    pub fn flush(&mut self) {
        if !self.dirty.is_empty() {
            self.update_clocks();
        }
        // Streams are flushed into their connection, which is flushed after them.
        while !self.dirty.is_empty() {
            for slot in std::mem::take(&mut self.dirty) {
                if self.slots.connection(slot).is_some_and(|connection| connection.is_dirty) {
                    self.flush_connection(slot);
                }
            }
        }
        // The program has stopped taking events before there was none.
        if let Some(slot) = self.current {
            self.flush_connection(slot);
        }
        let has_more = self.current.is_some() || !self.events.is_empty() || !self.runnable.is_empty();
        if has_more || self.ready_at < self.ready.len() {
            self.wake();
        }
    }

    /// The local address; `None` after the server was stopped.
    pub fn local_addr(&self) -> Option<SocketAddr> {
        self.listener.as_ref().and_then(|listener| socket::local_addr(listener.as_fd()).ok())
    }

    pub fn listener(&self) -> Option<BorrowedFd<'_>> {
        self.listener.as_ref().map(AsFd::as_fd)
    }

    pub fn set_routes(&mut self, routes: RouteTable) {
        self.routes = Rc::new(routes);
    }

    /// Connections that are accepted from here on speak TLS.
    pub fn set_tls(&mut self, acceptor: TlsAcceptor) {
        self.acceptor = Some(Rc::new(acceptor));
    }

    pub fn protocols(&self) -> Protocols {
        self.protocols
    }

    /// Of connections that are accepted from here on.
    pub fn set_protocols(&mut self, protocols: Protocols) {
        self.protocols = protocols;
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Requests that are not answered completely.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    pub fn connection_count(&self) -> usize {
        self.slots.count()
    }

    /// The head of a request that is not answered yet.
    pub fn request(&self, id: RequestId) -> Option<RequestView<'_>> {
        self.find(id).map(Connection::view)
    }

    /// The parameters of its route, not decoded.
    pub fn parameters(&self, id: RequestId) -> Vec<&[u8]> {
        let Some(connection) = self.find(id) else { return Vec::new() };
        let path = connection.view().path();
        connection.parameters.iter().filter_map(|range| path.get(range.clone())).collect()
    }

    /// The address of the client.
    pub fn peer_addr(&self, id: RequestId) -> Option<SocketAddr> {
        self.find(id).and_then(|connection| socket::peer_addr(connection.transport.as_fd()).ok())
    }

    /// The idle timeout while this request lasts; zero: none.
    pub fn set_timeout(&mut self, id: RequestId, timeout: Duration) {
        let (now_ms, limits) = (self.now_ms, self.limits);
        if let Some(connection) = self.find_mut(id) {
            connection.timeout_ms = timeout.as_millis() as u64;
            connection.touch(now_ms, &limits);
            self.set_timer_for(id.slot);
        }
    }

    pub(crate) fn find(&self, id: RequestId) -> Option<&Connection> {
        let connection = self.slots.is_current(id).then(|| self.slots.connection(id.slot)).flatten()?;
        (connection.phase == Phase::Request).then_some(connection)
    }

    pub(crate) fn find_mut(&mut self, id: RequestId) -> Option<&mut Connection> {
        let connection = self.slots.is_current(id).then(|| self.slots.connection_mut(id.slot)).flatten()?;
        (connection.phase == Phase::Request).then_some(connection)
    }

    fn handle(&mut self, ready: ReadyEvent) {
        match ready.token {
            LISTENER => self.accept(),
            TIMER => self.expire(),
            token => {
                let slot = token as u32;
                let ended = EventFlags::ERR | EventFlags::HUP;
                if ready.flags.intersects(ended) && !ready.flags.contains(EventFlags::IN) {
                    return self.fail(slot);
                }
                if ready.flags.contains(EventFlags::OUT) {
                    self.flush_connection(slot);
                }
                if ready.flags.contains(EventFlags::IN) {
                    self.read(slot);
                }
            }
        }
    }

    /// The connection has read its next request already.
    pub(crate) fn runnable_later(&mut self, slot: u32) {
        self.runnable.push_back(slot);
    }

    /// Output will be written by the next [`Server::flush`], or when the connection is left.
    pub(crate) fn mark_dirty(&mut self, slot: u32) {
        let is_current = self.current == Some(slot);
        if let Some(connection) = self.slots.connection_mut(slot).filter(|connection| !connection.is_dirty)
            && !is_current
        {
            connection.is_dirty = true;
            self.dirty.push(slot);
        }
    }

    pub(crate) fn flush_connection(&mut self, slot: u32) {
        if self.slots.connection(slot).is_some_and(|connection| connection.link.is_some()) {
            return self.flush_stream(slot);
        }
        self.fill_from_session(slot);
        let (now_ms, limits) = (self.now_ms, self.limits);
        let id = self.slots.id(slot);
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        connection.is_dirty = false;
        let had_output = !connection.output.is_empty() || connection.transport.has_output();
        if had_output {
            match connection.output.flush(&mut connection.transport) {
                Ok(flushed) => connection.is_blocked = flushed == Flushed::Part,
                Err(_) => return self.fail(slot),
            }
            connection.touch(now_ms, &limits);
        } else {
            connection.is_blocked = false;
        }
        if !connection.is_blocked {
            if std::mem::take(&mut connection.wants_drain) && connection.phase == Phase::Request {
                self.events.push_back(Event::Drain(id));
            }
            self.after_flush(slot);
            if had_output && self.has_session_output(slot) {
                self.mark_dirty(slot);
            }
        }
        self.update_interest(slot);
        self.set_timer_for(slot);
    }

    /// All output is written: the connection waits for the next request, or ends.
    fn after_flush(&mut self, slot: u32) {
        let now_ms = self.now_ms;
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        if connection.phase != Phase::Flush {
            return;
        }
        match connection.ending {
            Ending::KeepAlive => {
                connection.phase = Phase::Head;
                if !connection.input.is_empty() {
                    self.runnable.push_back(slot);
                }
            }
            Ending::Close => {
                // The end of TLS, so that the client can tell it from an attack.
                if connection.transport.is_tls() {
                    let _ = connection.transport.shutdown();
                }
                self.close(slot);
            }
            Ending::Linger => {
                connection.phase = Phase::Linger;
                connection.input = Vec::new();
                connection.deadline_ms = now_ms + LINGER_TIME.as_millis() as u64;
                if connection.transport.shutdown().is_err() {
                    self.close(slot);
                }
            }
        }
    }

    pub(crate) fn update_interest(&mut self, slot: u32) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        if let Some(link) = connection.link {
            let wants_more = connection.body.wants_more();
            return self.credit_stream(link, wants_more);
        }
        let wanted = connection.wanted();
        if wanted != connection.interest {
            connection.interest = wanted;
            let changed = self.epoll.modify(connection.transport.as_fd(), slot.into(), wanted);
            if changed.is_err() {
                self.fail(slot);
            }
        }
    }

    /// Ends a connection that is broken, or that the client has left.
    pub(crate) fn fail(&mut self, slot: u32) {
        if self.slots.connection(slot).is_some_and(|connection| connection.phase == Phase::Request) {
            self.events.push_back(Event::Aborted(self.slots.id(slot)));
        }
        self.close(slot);
    }

    pub(crate) fn close(&mut self, slot: u32) {
        drop(self.take_connection(slot));
    }

    /// Removes a connection without closing it.
    pub(crate) fn take_connection(&mut self, slot: u32) -> Option<Box<Connection>> {
        self.close_streams(slot);
        let connection = self.slots.remove(slot)?;
        if connection.phase == Phase::Request {
            self.in_flight -= 1;
        }
        if self.current == Some(slot) {
            self.current = None;
        }
        self.runnable.retain(|other| *other != slot);
        match connection.link {
            Some(link) => self.unlink_stream(link),
            None => drop(self.epoll.remove(connection.transport.as_fd())),
        }
        self.report_stop();
        Some(connection)
    }

    /// Makes [`Server::poll_fd`] ready.
    fn wake(&mut self) {
        self.timer_ms = self.now_ms.max(1);
        // It only fails for arguments that are out of range.
        let _ = self.timer.set(Duration::from_nanos(1));
    }

    fn update_clocks(&mut self) {
        // From one second on, so that 0 can say that there is no deadline.
        self.now_ms = 1000 + self.epoch.elapsed().as_millis() as u64;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.date.update(since_1970.as_secs());
    }

    /// The timer is due no later than the connection's deadline.
    pub(crate) fn set_timer_for(&mut self, slot: u32) {
        let Some(deadline_ms) = self.slots.connection(slot).map(|connection| connection.deadline_ms) else {
            return;
        };
        if deadline_ms != 0 && (self.timer_ms == 0 || deadline_ms + TIMER_STEP_MS < self.timer_ms) {
            self.set_timer(deadline_ms);
        }
    }

    fn set_timer(&mut self, due_ms: u64) {
        let due_ms = due_ms.max(self.now_ms + TIMER_STEP_MS);
        self.timer_ms = due_ms;
        let _ = self.timer.set(Duration::from_millis(due_ms - self.now_ms));
    }

    /// Ends the connections whose time is over, and sets the timer for the next one.
    fn expire(&mut self) {
        self.timer_ms = 0;
        let mut next_ms = u64::MAX;
        for slot in self.slots.numbers() {
            let Some(connection) =
                self.slots.connection(slot).filter(|connection| connection.deadline_ms != 0)
            else {
                continue;
            };
            if connection.deadline_ms > self.now_ms {
                next_ms = next_ms.min(connection.deadline_ms);
            } else if connection.phase == Phase::Head && !connection.input.is_empty() {
                self.refuse(slot, 408);
            } else {
                self.fail(slot);
            }
        }
        if next_ms != u64::MAX {
            self.set_timer(next_ms);
        }
    }
}
