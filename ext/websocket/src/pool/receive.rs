//! Receiving: bytes become events. In: ready descriptors, bytes that JavaScript has read. Out: one
//! event at a time, so that the program may close a socket between two messages of one read.

use rusk_base::sys::Errno;
use rusk_base::sys::epoll::{EventFlags, ReadyEvent};
use rusk_websocket::{Opcode, WebSocketEvent};

use super::{NOTHING, READ_BYTES, Reading, SocketEvent, SocketPool, TIMER};
use crate::socket::{Carrier, SocketPhase};

impl SocketPool {
    /// The next event and the slot of its socket; `None`: wait, and poll again.
    pub fn next_event(&mut self) -> Option<(u32, SocketEvent)> {
        loop {
            if let Some((slot, event)) = self.events.pop_front() {
                if matches!(event, SocketEvent::Close { .. } | SocketEvent::End { .. }) {
                    self.release(slot);
                }
                return Some((slot, event));
            }
            if let Some(Reading { slot, .. }) = self.reading {
                match self.decode(slot) {
                    Some(event) => return Some((slot, event)),
                    None => continue,
                }
            }
            if let Some((slot, bytes)) = self.backlog.pop_front() {
                // The end of what JavaScript reads.
                if bytes.is_empty() {
                    self.fail(slot, "");
                    continue;
                }
                let end = bytes.len();
                self.buffer = bytes;
                self.reading = Some(Reading { slot, at: 0, end });
                continue;
            }
            let ready = *self.ready.get(self.ready_at)?;
            self.ready_at += 1;
            self.handle(ready);
        }
    }

    fn handle(&mut self, ready: ReadyEvent) {
        match ready.token {
            TIMER => self.expire(),
            NOTHING => {}
            token => {
                let slot = token as u32;
                if ready.flags.contains(EventFlags::OUT) {
                    self.flush_socket(slot);
                }
                if ready.flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) {
                    self.read(slot);
                }
            }
        }
    }

    /// One read; what is left is reported again.
    fn read(&mut self, slot: u32) {
        if self.buffer.len() < READ_BYTES {
            self.buffer = vec![0; READ_BYTES];
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let outcome = match self.socket(slot).map(|socket| &mut socket.carrier) {
            Some(Carrier::Socket(transport)) => transport.read(&mut buffer),
            _ => Err(Errno::AGAIN),
        };
        self.buffer = buffer;
        match outcome {
            Ok(0) => self.fail(slot, ""),
            Ok(count) => {
                if self.socket(slot).is_some_and(|socket| socket.phase != SocketPhase::Finishing) {
                    self.reading = Some(Reading { slot, at: 0, end: count });
                    self.touch(slot);
                }
            }
            Err(Errno::AGAIN) => self.flush_if_encrypted(slot),
            Err(_) => self.fail(slot, ""),
        }
    }

    /// TLS answers a message of its own.
    fn flush_if_encrypted(&mut self, slot: u32) {
        if let Some(Carrier::Socket(transport)) = self.socket(slot).map(|socket| &mut socket.carrier)
            && transport.has_output()
        {
            self.flush_socket(slot);
        }
    }

    /// The next event in the input; `None`: it is used up.
    fn decode(&mut self, slot: u32) -> Option<SocketEvent> {
        let reading = self.reading.as_mut()?;
        let socket = self.slots.get_mut(slot as usize).and_then(Option::as_deref_mut);
        let Some(socket) = socket.filter(|socket| socket.phase != SocketPhase::Finishing) else {
            self.reading = None;
            return None;
        };
        let mut input = &self.buffer[reading.at..reading.end];
        let outcome = socket.decoder.next_event(&mut input);
        reading.at = reading.end - input.len();
        match outcome {
            Ok(None) => {
                self.reading = None;
                None
            }
            Ok(Some(WebSocketEvent::Text(payload))) => Some(SocketEvent::Text(payload)),
            Ok(Some(WebSocketEvent::Binary(payload))) => Some(SocketEvent::Binary(payload)),
            Ok(Some(WebSocketEvent::Pong(payload))) => Some(SocketEvent::Pong(payload)),
            Ok(Some(WebSocketEvent::Ping(payload))) => {
                self.send(slot, Opcode::Pong, &payload, false);
                Some(SocketEvent::Ping(payload))
            }
            Ok(Some(WebSocketEvent::Close { code, reason })) => {
                if socket.phase == SocketPhase::Open {
                    socket.push_close(code, &reason);
                }
                self.finish(slot);
                self.release(slot);
                Some(SocketEvent::Close { code, reason })
            }
            Err(error) => {
                if socket.phase == SocketPhase::Open {
                    socket.push_close(Some(error.code as u16), error.reason);
                }
                self.finish(slot);
                self.release(slot);
                Some(SocketEvent::End { reason: error.reason })
            }
        }
    }
}
