//! Commands for the connection: settings, pings, GOAWAY, resets, windows, and the frames of
//! extensions. Each appends to the output.

use super::{Http2Session, SessionEvent, StreamPriority};
use crate::error::Http2Error;
use crate::frame::{PAYLOAD_BYTES_MAX, flag, kind};
use crate::settings::{Http2Settings, WINDOW_BYTES_MAX};

impl Http2Session {
    /// Values in force are those that the peer acknowledges.
    pub fn settings(&mut self, settings: &[(u16, u32)]) -> Result<(), Http2Error> {
        let mut checked = Http2Settings::default();
        for (id, value) in settings {
            checked.apply(*id, *value).map_err(|_| Http2Error::InvalidArgument)?;
        }
        let mut payload = Vec::with_capacity(settings.len() * 6);
        for (id, value) in settings {
            payload.extend_from_slice(&id.to_be_bytes());
            payload.extend_from_slice(&value.to_be_bytes());
        }
        self.write_frame(kind::SETTINGS, 0, 0, &payload);
        self.inflight_settings.push_back(settings.to_vec());
        Ok(())
    }

    pub fn ping(&mut self, opaque: [u8; 8]) {
        self.write_frame(kind::PING, 0, 0, &opaque);
    }

    /// `last_stream` 0: the last stream that was received. A second GOAWAY may not raise it.
    pub fn goaway(&mut self, code: u32, last_stream: u32, opaque: &[u8]) {
        let wanted = if last_stream == 0 { self.last_received_stream } else { last_stream };
        let last = self.goaway_sent.map_or(wanted, |before| before.min(wanted));
        self.goaway_sent = Some(last);
        let mut payload = Vec::with_capacity(8 + opaque.len());
        payload.extend_from_slice(&last.to_be_bytes());
        payload.extend_from_slice(&code.to_be_bytes());
        payload.extend_from_slice(&opaque[..opaque.len().min(PAYLOAD_BYTES_MAX as usize - 8)]);
        self.write_frame(kind::GOAWAY, 0, 0, &payload);
    }

    /// Says why to the peer, and reads nothing any more.
    pub fn terminate(&mut self, code: u32) {
        if self.is_terminated {
            return;
        }
        self.is_terminated = true;
        self.header_block = None;
        self.goaway(code, 0, &[]);
        self.events.push_back(SessionEvent::Terminated { code });
    }

    /// Sends RST_STREAM and ends the stream.
    pub fn reset_stream(&mut self, stream: u32, code: u32) {
        let Some(found) = self.streams.get_mut(&stream) else { return };
        // The peer does not know of a request that waits.
        if found.waiting_request.take().is_none() {
            self.write_frame(kind::RST_STREAM, 0, stream, &code.to_be_bytes());
            self.note_reset(stream);
        }
        self.close_stream(stream, code);
    }

    pub fn priority(&mut self, stream: u32, priority: StreamPriority) -> Result<(), Http2Error> {
        if priority.parent == stream {
            return Err(Http2Error::InvalidArgument);
        }
        self.write_frame(kind::PRIORITY, 0, stream, &priority_payload(priority));
        Ok(())
    }

    /// The size of the connection's window for what is received.
    pub fn set_local_window(&mut self, size: u32) -> Result<(), Http2Error> {
        if size > WINDOW_BYTES_MAX {
            return Err(Http2Error::InvalidArgument);
        }
        if let Some(increment) = self.receive_window.resize(size) {
            self.write_frame(kind::WINDOW_UPDATE, 0, 0, &increment.to_be_bytes());
        }
        Ok(())
    }

    /// Whether the program takes data of a stream as it arrives. If it does, what it had not taken
    /// is credited to the peer.
    pub fn set_reading(&mut self, id: u32, is_reading: bool) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.is_reading = is_reading;
        if is_reading {
            let unread = std::mem::take(&mut stream.unread_bytes);
            if unread > 0 {
                self.consume_stream(id, unread);
            }
        }
    }

    /// The program has taken so many bytes of a stream that it does not read as they arrive: they
    /// are credited to the peer.
    pub fn consume(&mut self, id: u32, bytes: usize) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let taken = bytes.min(stream.unread_bytes);
        stream.unread_bytes -= taken;
        self.consume_stream(id, taken);
    }

    /// Of the connection, or of an open stream.
    pub fn altsvc(&mut self, stream: u32, origin: &[u8], value: &[u8]) {
        if stream != 0 && !self.streams.contains_key(&stream) {
            return;
        }
        let mut payload = (origin.len() as u16).to_be_bytes().to_vec();
        payload.extend_from_slice(origin);
        payload.extend_from_slice(value);
        self.write_frame(kind::ALTSVC, 0, stream, &payload);
    }

    pub fn origin(&mut self, origins: &[&[u8]]) {
        let mut payload = Vec::new();
        for origin in origins {
            payload.extend_from_slice(&(origin.len() as u16).to_be_bytes());
            payload.extend_from_slice(origin);
        }
        self.write_frame(kind::ORIGIN, 0, 0, &payload);
    }

    pub fn set_next_stream(&mut self, id: u32) -> Result<(), Http2Error> {
        if id > WINDOW_BYTES_MAX || id < self.next_stream || !self.is_own(id) || id == 0 {
            return Err(Http2Error::InvalidArgument);
        }
        self.next_stream = id;
        Ok(())
    }

    /// Appends a header block, split into frames. `prefix` is before the block in the first frame.
    pub(super) fn write_block(&mut self, kind: u8, flags: u8, stream: u32, prefix: &[u8], block: &[u8]) {
        let frame_max = self.remote.frame_bytes_max as usize;
        let (first, mut rest) = block.split_at(block.len().min(frame_max - prefix.len()));
        let last = |rest: &[u8]| if rest.is_empty() { flag::END_HEADERS } else { 0 };
        self.write_frame(kind, flags | last(rest), stream, &[prefix, first].concat());
        while !rest.is_empty() {
            let (next, after) = rest.split_at(rest.len().min(frame_max));
            rest = after;
            self.write_frame(kind::CONTINUATION, last(rest), stream, next);
        }
    }
}

pub(super) fn priority_payload(priority: StreamPriority) -> [u8; 5] {
    let dependency = priority.parent | if priority.is_exclusive { 1 << 31 } else { 0 };
    let [d0, d1, d2, d3] = dependency.to_be_bytes();
    [d0, d1, d2, d3, priority.weight.clamp(1, 256).wrapping_sub(1) as u8]
}
