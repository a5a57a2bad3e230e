//! Bytes of the peer to frames, and frames of data. In: chunks that end anywhere. Out: events; a
//! GOAWAY or RST_STREAM frame for what is invalid.

use super::{FrameFault, FrameResult, Http2Session, SessionEvent, SessionRole};
use crate::error::Http2Error;
use crate::frame::{FrameHeader, HEADER_BYTES, PREFACE, flag, kind};
use crate::stream::StreamPhase;

impl Http2Session {
    /// `now_s`: seconds of any clock that does not go back. An error is the end of the session,
    /// without a word to the peer.
    pub fn receive(&mut self, bytes: &[u8], now_s: u64) -> Result<(), Http2Error> {
        self.now_s = now_s;
        self.statistics.bytes_received += bytes.len() as u64;
        if self.input.is_empty() {
            let read = self.read_frames(bytes)?;
            self.input.extend_from_slice(&bytes[read..]);
            return Ok(());
        }
        let mut input = std::mem::take(&mut self.input);
        input.extend_from_slice(bytes);
        let read = self.read_frames(&input)?;
        input.drain(..read);
        self.input = input;
        Ok(())
    }

    /// Returns how many bytes the complete frames have.
    fn read_frames(&mut self, bytes: &[u8]) -> Result<usize, Http2Error> {
        let mut position = self.read_preface(bytes)?;
        while !self.is_terminated
            && let Some(head) = bytes.get(position..).and_then(|rest| rest.first_chunk::<HEADER_BYTES>())
        {
            let header = FrameHeader::parse(head);
            if header.payload_bytes > self.local.frame_bytes_max {
                self.handle(&header, Err(FrameFault::Connection(Http2Error::FrameSize)))?;
                break;
            }
            let start = position + HEADER_BYTES;
            let Some(payload) = bytes.get(start..start + header.payload_bytes as usize) else { break };
            let outcome = self.receive_frame(header, payload);
            self.handle(&header, outcome)?;
            position = start + payload.len();
        }
        // What follows a GOAWAY of ours is not looked at.
        Ok(if self.is_terminated { bytes.len() } else { position })
    }

    fn read_preface(&mut self, bytes: &[u8]) -> Result<usize, Http2Error> {
        let expected = &PREFACE[self.preface_bytes_read..];
        let count = expected.len().min(bytes.len());
        if bytes[..count] != expected[..count] {
            return Err(Http2Error::BadClientMagic);
        }
        self.preface_bytes_read += count;
        Ok(count)
    }

    fn handle(&mut self, header: &FrameHeader, outcome: FrameResult) -> Result<(), Http2Error> {
        match outcome {
            Ok(()) => {}
            Err(FrameFault::Stream(stream, error)) => {
                self.count_invalid_frame()?;
                self.reset_stream(stream, error.code());
                self.events.push_back(SessionEvent::InvalidFrame { stream, error });
            }
            Err(FrameFault::Connection(error)) => {
                self.count_invalid_frame()?;
                self.terminate(error.code());
                self.events.push_back(SessionEvent::InvalidFrame { stream: header.stream, error });
            }
            Err(FrameFault::Terminate(code)) => self.terminate(code),
            Err(FrameFault::Fatal(error)) => return Err(error),
        }
        Ok(())
    }

    fn count_invalid_frame(&mut self) -> Result<(), Http2Error> {
        self.invalid_frames += 1;
        // Node compares before it counts.
        match self.invalid_frames - 1 > self.options.invalid_frames_max {
            true => Err(Http2Error::TooManyInvalidFrames),
            false => Ok(()),
        }
    }

    fn receive_frame(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        self.statistics.frames_received += 1;
        if let Some(block) = &self.header_block
            && (header.kind != kind::CONTINUATION || header.stream != block.stream)
        {
            return Err(FrameFault::Connection(Http2Error::Proto));
        }
        let is_settings = header.kind == kind::SETTINGS && !header.has(flag::ACK);
        if !self.has_received_settings && !is_settings {
            return Err(FrameFault::Connection(Http2Error::SettingsExpected));
        }
        match header.kind {
            kind::DATA => self.receive_data(header, payload),
            kind::HEADERS => self.receive_headers(header, payload),
            kind::PRIORITY => self.receive_priority(header, payload),
            kind::RST_STREAM => self.receive_reset(header, payload),
            kind::SETTINGS => self.receive_settings(header, payload),
            kind::PUSH_PROMISE => self.receive_push_promise(header, payload),
            kind::PING => self.receive_ping(header, payload),
            kind::GOAWAY => self.receive_goaway(header, payload),
            kind::WINDOW_UPDATE => self.receive_window_update(header, payload),
            kind::CONTINUATION => self.receive_continuation(header, payload),
            kind::ALTSVC if self.role == SessionRole::Client => {
                self.receive_altsvc(header, payload);
                Ok(())
            }
            kind::ORIGIN if self.role == SessionRole::Client => {
                self.receive_origin(header, payload);
                Ok(())
            }
            // Frames of other types are ignored (RFC 9113, section 5.5).
            _ => Ok(()),
        }
    }

    fn receive_data(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        let id = header.stream;
        if id == 0 || self.is_idle(id) {
            return Err(FrameFault::Connection(Http2Error::Proto));
        }
        let content = without_padding(header, payload)?;
        // Frames that cost nothing to send (CVE-2019-9518).
        if payload.is_empty() && !header.has(flag::END_STREAM) {
            self.count_invalid_frame().map_err(FrameFault::Fatal)?;
        }
        self.receive_window.receive(payload.len()).map_err(FrameFault::Connection)?;
        self.consume_connection(payload.len());
        let Some(stream) = self.streams.get_mut(&id) else {
            return match self.may_be_late(id) {
                true => Ok(()),
                false => Err(FrameFault::Connection(Http2Error::StreamClosed)),
            };
        };
        if stream.is_remote_closed {
            return Err(FrameFault::Connection(Http2Error::StreamClosed));
        }
        if matches!(stream.phase, StreamPhase::ReservedLocal | StreamPhase::ReservedRemote) {
            return Err(FrameFault::Connection(Http2Error::Proto));
        }
        stream.receive_window.receive(payload.len()).map_err(|error| FrameFault::Stream(id, error))?;
        if !stream.message.receive(content.len()) {
            return Err(FrameFault::Stream(id, Http2Error::HttpMessaging));
        }
        let consumed = if stream.is_reading { payload.len() } else { payload.len() - content.len() };
        stream.unread_bytes += payload.len() - consumed;
        let ends_stream = header.has(flag::END_STREAM);
        if !ends_stream {
            self.consume_stream(id, consumed);
        }
        if !content.is_empty() {
            self.events.push_back(SessionEvent::Data { stream: id, bytes: content.to_vec() });
        }
        if ends_stream { self.end_remote(id) } else { Ok(()) }
    }

    /// The peer has ended its half of a stream.
    pub(super) fn end_remote(&mut self, id: u32) -> FrameResult {
        let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
        stream.is_remote_closed = true;
        if !stream.message.is_complete() {
            return Err(FrameFault::Stream(id, Http2Error::HttpMessaging));
        }
        self.events.push_back(SessionEvent::StreamEnded { stream: id });
        self.close_if_done(id);
        Ok(())
    }

    pub(super) fn consume_connection(&mut self, bytes: usize) {
        if let Some(increment) = self.receive_window.consume(bytes) {
            self.write_frame(kind::WINDOW_UPDATE, 0, 0, &increment.to_be_bytes());
        }
    }

    pub(super) fn consume_stream(&mut self, id: u32, bytes: usize) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if !stream.is_remote_closed
            && let Some(increment) = stream.receive_window.consume(bytes)
        {
            self.write_frame(kind::WINDOW_UPDATE, 0, id, &increment.to_be_bytes());
        }
    }
}

/// The payload without the padding of DATA, HEADERS and PUSH_PROMISE.
pub(super) fn without_padding(header: FrameHeader, payload: &[u8]) -> Result<&[u8], FrameFault> {
    if !header.has(flag::PADDED) {
        return Ok(payload);
    }
    let (&padding, rest) = payload.split_first().ok_or(FrameFault::Connection(Http2Error::FrameSize))?;
    let content_bytes =
        rest.len().checked_sub(padding.into()).ok_or(FrameFault::Connection(Http2Error::Proto))?;
    Ok(&rest[..content_bytes])
}
