//! All WebSockets of a thread: one epoll instance, one read buffer, one timer. In: descriptors of
//! connections. Out: events, one after another; what was sent is written when the callback ends.
//! Absent: topics (topics.rs), frames (socket.rs).

mod receive;

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rusk_base::sys;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::timer_fd::TimerFd;
use rusk_websocket::{Deflater, Opcode};

use crate::socket::{Carrier, PooledSocket, SendOutcome, SocketPhase};
use crate::topics::TopicTable;

/// The token of the timer in the epoll instance; those of sockets are their slots.
const TIMER: u64 = u64::MAX;
/// Of a socket that has ended meanwhile.
const NOTHING: u64 = u64::MAX - 1;
/// Size of a read: one for most messages.
const READ_BYTES: usize = 256 * 1024;
/// Descriptors that are ready in one poll of a server that has much to do.
const BUSY_COUNT: usize = 4;
/// Deadlines are exact to this time.
const TICK: Duration = Duration::from_secs(1);
/// How long a peer may take to close after the close frames.
const LINGER_MS: u64 = 3000;
/// uWebSockets' margins between the ping and the timeout.
const PING_MARGIN_MS_MIN: u64 = 4000;
const PING_MARGIN_MS_MAX: u64 = 16_000;

#[derive(Debug, PartialEq, Eq)]
pub enum SocketEvent {
    Text(Vec<u8>),
    Binary(Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close { code: Option<u16>, reason: String },
    End { reason: &'static str },
    Drain,
}

/// Input that is decoded now.
struct Reading {
    slot: u32,
    at: usize,
    end: usize,
}

pub struct SocketPool {
    epoll: Epoll,
    timer: TimerFd,
    is_timer_set: bool,
    epoch: Instant,
    now_ms: u64,
    slots: Vec<Option<Box<PooledSocket>>>,
    free: Vec<u32>,
    ready: Vec<ReadyEvent>,
    ready_at: usize,
    buffer: Vec<u8>,
    reading: Option<Reading>,
    /// Input that JavaScript has passed.
    backlog: VecDeque<(u32, Vec<u8>)>,
    events: VecDeque<(u32, SocketEvent)>,
    dirty: Vec<u32>,
    pub shared: Option<Deflater>,
    pub topics: TopicTable,
    /// Sockets that the loop waits for.
    pub counted: usize,
}

impl SocketPool {
    pub fn new() -> sys::Result<SocketPool> {
        let (epoll, timer) = (Epoll::new()?, TimerFd::new()?);
        epoll.add(timer.as_fd(), TIMER, EventFlags::IN | EventFlags::ET)?;
        Ok(SocketPool {
            epoll,
            timer,
            is_timer_set: false,
            epoch: Instant::now(),
            now_ms: 1,
            slots: Vec::new(),
            free: Vec::new(),
            ready: Vec::new(),
            ready_at: 0,
            buffer: Vec::new(),
            reading: None,
            backlog: VecDeque::new(),
            events: VecDeque::new(),
            dirty: Vec::new(),
            shared: None,
            topics: TopicTable::default(),
            counted: 0,
        })
    }

    pub fn poll_fd(&self) -> sys::Result<OwnedFd> {
        self.epoll.duplicate_fd()
    }

    /// Returns the slot of the socket. `input`: what was read already.
    pub fn add(&mut self, socket: PooledSocket, input: Vec<u8>) -> sys::Result<u32> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        if let Carrier::Socket(transport) = &socket.carrier
            && let Err(errno) = self.epoll.add(transport.as_fd(), slot.into(), EventFlags::IN)
        {
            self.free.push(slot);
            return Err(errno);
        }
        self.slots[slot as usize] = Some(Box::new(socket));
        self.counted += 1;
        self.touch(slot);
        // TLS may have something to write already.
        self.mark_dirty(slot);
        if !input.is_empty() {
            self.backlog.push_back((slot, input));
        }
        Ok(slot)
    }

    pub fn socket(&mut self, slot: u32) -> Option<&mut PooledSocket> {
        self.slots.get_mut(slot as usize)?.as_deref_mut()
    }

    /// Bytes that JavaScript has read for the socket; none: the connection has ended.
    pub fn receive(&mut self, slot: u32, bytes: Vec<u8>) {
        self.backlog.push_back((slot, bytes));
    }

    /// Sends one frame.
    pub fn send(&mut self, slot: u32, opcode: Opcode, payload: &[u8], compresses: bool) -> SendOutcome {
        let mut shared = self.shared.take();
        let Some(socket) = self.socket(slot) else { return SendOutcome::Dropped };
        let outcome = match socket.admit() {
            SendOutcome::Sent => {
                socket.push(opcode, payload, compresses, &mut shared);
                None
            }
            refused => Some(refused),
        };
        self.shared = shared;
        match outcome {
            None => self.after_push(slot),
            Some(refused) => self.refuse(slot, refused),
        }
    }

    /// A message was not admitted.
    pub fn refuse(&mut self, slot: u32, outcome: SendOutcome) -> SendOutcome {
        if outcome == SendOutcome::OverLimit {
            self.fail(slot, "");
        }
        outcome
    }

    /// A frame was appended: it is written when the callback ends, or now if it is long.
    pub fn after_push(&mut self, slot: u32) -> SendOutcome {
        let Some(socket) = self.socket(slot) else { return SendOutcome::Dropped };
        if socket.is_blocked {
            socket.wants_drain = true;
            return SendOutcome::Waiting;
        }
        if !socket.is_full() {
            self.mark_dirty(slot);
            return SendOutcome::Sent;
        }
        self.flush_socket(slot);
        match self.socket(slot) {
            Some(socket) if socket.is_blocked => {
                socket.wants_drain = true;
                SendOutcome::Waiting
            }
            Some(_) => SendOutcome::Sent,
            None => SendOutcome::Dropped,
        }
    }

    /// Sends a close frame. A server's socket has ended for the program by this; a client's gets
    /// its last event when the server answers.
    pub fn close(&mut self, slot: u32, code: Option<u16>, reason: &str) {
        let Some(socket) = self.socket(slot).filter(|socket| socket.phase == SocketPhase::Open) else {
            return;
        };
        socket.push_close(code, reason);
        if socket.is_server() {
            self.finish(slot);
            self.release(slot);
        } else {
            socket.phase = SocketPhase::CloseSent;
            self.mark_dirty(slot);
        }
    }

    /// Ends the connection without a close frame, after what is to be written.
    pub fn terminate(&mut self, slot: u32) {
        if self.socket(slot).is_some_and(|socket| socket.phase != SocketPhase::Finishing) {
            self.finish(slot);
        }
        self.release(slot);
    }

    /// The program makes no more calls for the slot.
    pub fn release(&mut self, slot: u32) {
        let Some(socket) = self.socket(slot) else { return };
        socket.is_released = true;
        if socket.is_over() {
            self.remove(slot);
        }
    }

    pub fn pause(&mut self, slot: u32, is_paused: bool) {
        let Some(socket) = self.socket(slot) else { return };
        socket.is_paused = is_paused;
        self.touch(slot);
        self.update_interest(slot);
    }

    /// Looks for what is ready, without waiting.
    pub fn poll(&mut self) {
        if self.ready_at < self.ready.len() {
            return;
        }
        self.ready_at = 0;
        // It only fails for arguments that are out of range.
        let _ = self.epoll.wait(&mut self.ready, Some(Duration::ZERO));
        // From one on, so that 0 can say that there is no deadline.
        self.now_ms = 1 + self.epoch.elapsed().as_millis() as u64;
    }

    /// Whether the last poll has found so much that another one will find something at once.
    pub fn is_busy(&self) -> bool {
        self.ready.len() >= BUSY_COUNT
    }

    /// Writes the output of all sockets. Call it when a callback has ended.
    pub fn flush(&mut self) {
        for slot in std::mem::take(&mut self.dirty) {
            if self.socket(slot).is_some_and(|socket| socket.is_dirty) {
                self.flush_socket(slot);
            }
        }
        let has_more = self.reading.is_some() || !self.backlog.is_empty() || !self.events.is_empty();
        if has_more || self.ready_at < self.ready.len() {
            self.is_timer_set = true;
            let _ = self.timer.set(Duration::from_nanos(1));
        }
    }

    /// The last event of a socket: its connection is lost.
    fn fail(&mut self, slot: u32, reason: &'static str) {
        let Some(socket) = self.socket(slot) else { return };
        let had_ended = socket.phase == SocketPhase::Finishing;
        socket.carrier = Carrier::Closed;
        self.finish(slot);
        match had_ended {
            // The program knows already, or has an event to take.
            true if self.socket(slot).is_some_and(|socket| socket.is_released) => self.remove(slot),
            true => {}
            false => self.events.push_back((slot, SocketEvent::End { reason })),
        }
    }

    /// From here on output is written, then the peer closes.
    fn finish(&mut self, slot: u32) {
        let deadline_ms = self.now_ms + LINGER_MS;
        let Some(socket) = self.socket(slot) else { return };
        socket.phase = SocketPhase::Finishing;
        socket.deadline_ms = deadline_ms;
        socket.is_paused = false;
        for number in std::mem::take(&mut socket.subscriptions) {
            self.topics.unsubscribe(number, slot);
        }
        self.mark_dirty(slot);
        self.set_timer();
    }

    fn mark_dirty(&mut self, slot: u32) {
        if let Some(socket) = self.slots.get_mut(slot as usize).and_then(Option::as_mut)
            && !socket.is_dirty
        {
            socket.is_dirty = true;
            self.dirty.push(slot);
        }
    }

    fn flush_socket(&mut self, slot: u32) {
        let Some(socket) = self.socket(slot) else { return };
        socket.is_dirty = false;
        let had_waited = socket.is_blocked;
        if socket.write().is_err() {
            return self.fail(slot, "");
        }
        if had_waited && !socket.is_blocked && std::mem::take(&mut socket.wants_drain) {
            self.events.push_back((slot, SocketEvent::Drain));
        }
        let linger_ms = self.now_ms + LINGER_MS;
        let Some(socket) = self.socket(slot) else { return };
        if socket.phase != SocketPhase::Finishing {
            self.touch(slot);
        } else if !socket.is_blocked {
            if std::mem::take(&mut socket.is_counted) {
                self.counted -= 1;
            }
            self.shut(slot);
        } else {
            socket.deadline_ms = linger_ms;
        }
        self.update_interest(slot);
    }

    /// All output of a socket that has ended is written.
    fn shut(&mut self, slot: u32) {
        let Some(socket) = self.socket(slot).filter(|socket| !socket.is_shut) else { return };
        let Carrier::Socket(transport) = &mut socket.carrier else { return };
        let is_shut = transport.shutdown().is_ok();
        socket.is_shut = true;
        if !is_shut {
            self.end_carrier(slot);
        }
    }

    /// The connection of a socket that has ended is over.
    fn end_carrier(&mut self, slot: u32) {
        let Some(socket) = self.socket(slot) else { return };
        socket.carrier = Carrier::Closed;
        if socket.is_released {
            self.remove(slot);
        }
    }

    fn remove(&mut self, slot: u32) {
        let Some(socket) = self.slots.get_mut(slot as usize).and_then(Option::take) else { return };
        self.counted -= usize::from(socket.is_counted);
        for number in &socket.subscriptions {
            self.topics.unsubscribe(*number, slot);
        }
        self.events.retain(|(of, _)| *of != slot);
        self.backlog.retain(|(of, _)| *of != slot);
        if self.reading.as_ref().is_some_and(|reading| reading.slot == slot) {
            self.reading = None;
        }
        for ready in &mut self.ready[self.ready_at..] {
            if ready.token == u64::from(slot) {
                ready.token = NOTHING;
            }
        }
        self.free.push(slot);
    }

    fn update_interest(&mut self, slot: u32) {
        let Some(socket) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else { return };
        let Carrier::Socket(transport) = &socket.carrier else { return };
        let mut wanted = EventFlags::empty();
        wanted.set(EventFlags::IN, !socket.is_paused);
        wanted.set(EventFlags::OUT, socket.is_blocked);
        if wanted != socket.interest {
            socket.interest = wanted;
            let _ = self.epoll.modify(transport.as_fd(), slot.into(), wanted);
        }
    }

    /// Bytes went in either direction: the timeout begins again.
    fn touch(&mut self, slot: u32) {
        let now_ms = self.now_ms;
        let Some(socket) = self.socket(slot) else { return };
        let limits = socket.limits;
        if socket.phase == SocketPhase::Finishing {
            return;
        }
        socket.has_pinged = false;
        socket.deadline_ms = match (limits.idle_ms, socket.is_paused) {
            (0, _) | (_, true) => 0,
            (idle_ms, false) if limits.sends_pings => now_ms + idle_ms - ping_margin_ms(idle_ms),
            (idle_ms, false) => now_ms + idle_ms,
        };
        if socket.deadline_ms != 0 {
            self.set_timer();
        }
    }

    fn set_timer(&mut self) {
        if !self.is_timer_set {
            self.is_timer_set = true;
            let _ = self.timer.set(TICK);
        }
    }

    /// A tick: pings, and ends of sockets whose time is over.
    fn expire(&mut self) {
        self.is_timer_set = false;
        let now_ms = self.now_ms;
        let mut has_deadlines = false;
        for slot in 0..self.slots.len() as u32 {
            let Some(socket) = self.socket(slot).filter(|socket| socket.deadline_ms != 0) else { continue };
            has_deadlines = true;
            if socket.deadline_ms > now_ms {
                continue;
            }
            match socket.phase {
                SocketPhase::Finishing => {
                    socket.deadline_ms = 0;
                    self.end_carrier(slot);
                }
                _ if socket.limits.sends_pings && !socket.has_pinged => {
                    self.send(slot, Opcode::Ping, b"", false);
                    self.flush_socket(slot);
                    if let Some(socket) = self.socket(slot) {
                        socket.has_pinged = true;
                        socket.deadline_ms = now_ms + ping_margin_ms(socket.limits.idle_ms);
                    }
                }
                _ => self.fail(slot, "WebSocket timed out from inactivity"),
            }
        }
        if has_deadlines {
            self.set_timer();
        }
    }
}

/// 4, 8 or 16 seconds.
fn ping_margin_ms(idle_ms: u64) -> u64 {
    let mut margin_ms = PING_MARGIN_MS_MIN;
    while margin_ms < PING_MARGIN_MS_MAX && idle_ms >= margin_ms * 4 {
        margin_ms *= 2;
    }
    margin_ms
}

#[cfg(test)]
mod tests;
