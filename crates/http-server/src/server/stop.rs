//! The end of a server: at once, or when the requests that it has begun are answered. In: a call of
//! the program. Out: closed connections, GOAWAY frames, [`Event::Stopped`].

use super::{Event, Server};
use crate::connection::{Connection, Ending, Phase};

impl Server {
    /// Accepts no more connections. Those that are idle are closed, others after their response.
    pub fn stop(&mut self) {
        self.is_stopping = true;
        self.listener = None;
        self.close_idle();
        self.slots.numbers().into_iter().for_each(|slot| self.announce_end(slot));
        for slot in self.slots.numbers() {
            // An answer waits to be written.
            if let Some(connection) = self.slots.connection_mut(slot)
                && connection.phase == Phase::Head
                && connection.input.is_empty()
                && connection.carrier.is_none()
            {
                (connection.phase, connection.ending) = (Phase::Flush, Ending::Close);
            }
        }
        self.report_stop();
        self.flush();
    }

    /// Closes all connections, with a reset of requests that are not answered.
    pub fn stop_now(&mut self) {
        self.is_stopping = true;
        self.listener = None;
        self.slots.numbers().into_iter().for_each(|slot| self.fail(slot));
        self.report_stop();
        self.flush();
    }

    /// Closes connections without a request. Returns their number.
    pub fn close_idle(&mut self) -> usize {
        let numbers = self.slots.numbers().into_iter();
        let idle: Vec<u32> =
            numbers.filter(|slot| self.slots.connection(*slot).is_some_and(Connection::is_idle)).collect();
        for slot in &idle {
            match self.slots.connection(*slot).is_some_and(|connection| connection.carrier.is_some()) {
                true => self.announce_end(*slot),
                false => self.close(*slot),
            }
        }
        idle.len()
    }

    pub(super) fn report_stop(&mut self) {
        let is_reported = self.events.contains(&Event::Stopped);
        if self.is_stopping && self.slots.count() == 0 && !is_reported {
            self.events.push_back(Event::Stopped);
        }
    }
}
