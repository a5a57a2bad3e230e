//! Frames of the connection that arrive: settings, pings, resets, windows, GOAWAY, priorities,
//! alternative services and origins.

use super::{FrameFault, FrameResult, Http2Session, SessionEvent, SessionRole, StreamPriority};
use crate::error::{Http2Error, code};
use crate::frame::{FrameHeader, flag, kind, u32_at};
use crate::settings::{WINDOW_BYTES_MAX, id as setting};

const CONNECTION_ERROR: FrameFault = FrameFault::Connection(Http2Error::Proto);
const SIZE_ERROR: FrameFault = FrameFault::Connection(Http2Error::FrameSize);
const SETTING_BYTES: usize = 6;
pub(super) const PRIORITY_BYTES: usize = 5;

impl Http2Session {
    pub(super) fn receive_settings(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        if header.stream != 0 {
            return Err(CONNECTION_ERROR);
        }
        if header.has(flag::ACK) {
            return if payload.is_empty() { self.settings_acknowledged() } else { Err(SIZE_ERROR) };
        }
        let (entries, rest) = payload.as_chunks::<SETTING_BYTES>();
        if !rest.is_empty() {
            return Err(SIZE_ERROR);
        }
        if entries.len() > self.options.settings_entries_max {
            return Err(FrameFault::Connection(Http2Error::TooManySettings));
        }
        let is_first = !std::mem::replace(&mut self.has_received_settings, true);
        if is_first {
            // The assumption of options is replaced by what the peer says.
            self.remote.concurrent_streams_max = u32::MAX;
        }
        for [i0, i1, v0, v1, v2, v3] in entries {
            let (id, value) = (u16::from_be_bytes([*i0, *i1]), u32::from_be_bytes([*v0, *v1, *v2, *v3]));
            self.apply_remote(id, value)?;
        }
        self.write_frame(kind::SETTINGS, flag::ACK, 0, &[]);
        self.count_ack()?;
        self.events.push_back(SessionEvent::SettingsReceived(self.remote.clone()));
        self.start_waiting_requests();
        Ok(())
    }

    fn apply_remote(&mut self, id: u16, value: u32) -> FrameResult {
        let window_before = i64::from(self.remote.initial_window_bytes);
        // A server may not enable push (RFC 9113, section 6.5.2).
        if id == setting::ENABLE_PUSH && value != 0 && self.role == SessionRole::Client {
            return Err(CONNECTION_ERROR);
        }
        self.remote.apply(id, value).map_err(FrameFault::Connection)?;
        match id {
            setting::HEADER_TABLE_SIZE => self.encoder.set_peer_limit(value as usize),
            setting::INITIAL_WINDOW_SIZE => {
                let change = i64::from(value) - window_before;
                for stream in self.streams.values_mut() {
                    stream.send_window += change;
                    if stream.send_window > WINDOW_BYTES_MAX.into() {
                        return Err(FrameFault::Connection(Http2Error::FlowControl));
                    }
                }
                self.note_all_ready();
            }
            _ => {}
        }
        Ok(())
    }

    /// Settings are in force when the peer has acknowledged them.
    fn settings_acknowledged(&mut self) -> FrameResult {
        let settings = self.inflight_settings.pop_front().ok_or(CONNECTION_ERROR)?;
        for (id, value) in settings {
            let window_before = i64::from(self.local.initial_window_bytes);
            // The command `settings` has checked the values.
            let _checked = self.local.apply(id, value);
            match id {
                setting::HEADER_TABLE_SIZE => self.decoder.set_size_limit(value as usize),
                setting::INITIAL_WINDOW_SIZE => {
                    let change = i64::from(value) - window_before;
                    self.streams.values_mut().for_each(|stream| stream.receive_window.size += change);
                }
                _ => {}
            }
        }
        self.events.push_back(SessionEvent::SettingsAcknowledged);
        Ok(())
    }

    /// A peer that sends pings or settings and does not read would fill our memory.
    fn count_ack(&mut self) -> FrameResult {
        self.acks_unsent += 1;
        if self.acks_unsent > self.options.unsent_acks_max {
            return Err(FrameFault::Fatal(Http2Error::Flooded));
        }
        Ok(())
    }

    pub(super) fn receive_ping(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        let opaque: [u8; 8] = payload.try_into().map_err(|_| SIZE_ERROR)?;
        if header.stream != 0 {
            return Err(CONNECTION_ERROR);
        }
        if header.has(flag::ACK) {
            self.events.push_back(SessionEvent::PingAcknowledged(opaque));
            return Ok(());
        }
        self.write_frame(kind::PING, flag::ACK, 0, &opaque);
        self.count_ack()?;
        self.events.push_back(SessionEvent::Ping(opaque));
        Ok(())
    }

    pub(super) fn receive_reset(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        if payload.len() != 4 {
            return Err(SIZE_ERROR);
        }
        if header.stream == 0 || self.is_idle(header.stream) {
            return Err(CONNECTION_ERROR);
        }
        let code = u32_at(payload, 0).unwrap_or(code::PROTOCOL_ERROR);
        self.close_stream(header.stream, code);
        if self.role == SessionRole::Server && !self.resets.take(self.now_s) {
            return Err(FrameFault::Terminate(code::INTERNAL_ERROR));
        }
        Ok(())
    }

    pub(super) fn receive_window_update(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        if payload.len() != 4 {
            return Err(SIZE_ERROR);
        }
        let increment = i64::from(u32_at(payload, 0).unwrap_or(0) & WINDOW_BYTES_MAX);
        let id = header.stream;
        if id == 0 {
            self.send_window += increment;
            return match increment {
                0 => Err(CONNECTION_ERROR),
                _ if self.send_window > WINDOW_BYTES_MAX.into() => {
                    Err(FrameFault::Connection(Http2Error::FlowControl))
                }
                _ => {
                    self.resume_blocked();
                    Ok(())
                }
            };
        }
        if self.is_idle(id) {
            return Err(CONNECTION_ERROR);
        }
        let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
        if increment == 0 {
            return Err(FrameFault::Stream(id, Http2Error::Proto));
        }
        stream.send_window += increment;
        if stream.send_window > WINDOW_BYTES_MAX.into() {
            return Err(FrameFault::Stream(id, Http2Error::FlowControl));
        }
        self.note_ready(id);
        Ok(())
    }

    pub(super) fn receive_goaway(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        let (Some(last_stream), Some(code)) = (u32_at(payload, 0), u32_at(payload, 4)) else {
            return Err(SIZE_ERROR);
        };
        if header.stream != 0 {
            return Err(CONNECTION_ERROR);
        }
        let last_stream = last_stream & WINDOW_BYTES_MAX;
        let is_raised = self.goaway_received.is_some_and(|before| last_stream > before);
        if is_raised || (last_stream > 0 && !self.is_own(last_stream) && last_stream != WINDOW_BYTES_MAX) {
            return Err(CONNECTION_ERROR);
        }
        self.goaway_received = Some(last_stream);
        let opaque = payload[8..].to_vec();
        self.events.push_back(SessionEvent::GoAway { code, last_stream, opaque });
        // The peer will not process these (RFC 9113, section 6.8).
        let mut refused: Vec<u32> =
            self.streams.keys().copied().filter(|id| self.is_own(*id) && *id > last_stream).collect();
        refused.sort_unstable();
        refused.into_iter().for_each(|id| self.close_stream(id, code::REFUSED_STREAM));
        Ok(())
    }

    pub(super) fn receive_priority(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        if header.stream == 0 {
            return Err(CONNECTION_ERROR);
        }
        if payload.len() != PRIORITY_BYTES {
            return Err(SIZE_ERROR);
        }
        let priority = parse_priority(header.stream, payload)?;
        self.events.push_back(SessionEvent::Priority { stream: header.stream, priority });
        Ok(())
    }

    /// An invalid one is ignored (RFC 7838, section 4).
    pub(super) fn receive_altsvc(&mut self, header: FrameHeader, payload: &[u8]) {
        let Some((length, rest)) = payload.split_first_chunk::<2>() else { return };
        let Some((origin, value)) = rest.split_at_checked(u16::from_be_bytes(*length).into()) else { return };
        if origin.is_empty() != (header.stream == 0) {
            let (stream, origin, value) = (header.stream, origin.to_vec(), value.to_vec());
            self.events.push_back(SessionEvent::AltSvc { stream, origin, value });
        }
    }

    /// An invalid one is ignored (RFC 8336, section 2.1).
    pub(super) fn receive_origin(&mut self, header: FrameHeader, payload: &[u8]) {
        let mut origins = Vec::new();
        let mut rest = payload;
        while !rest.is_empty() {
            let Some((length, after)) = rest.split_first_chunk::<2>() else { return };
            let Some((origin, after)) = after.split_at_checked(u16::from_be_bytes(*length).into()) else {
                return;
            };
            origins.push(origin.to_vec());
            rest = after;
        }
        if header.stream == 0 {
            self.events.push_back(SessionEvent::Origin(origins));
        }
    }
}

/// The fields of a PRIORITY frame, and of a HEADERS frame with that flag.
pub(super) fn parse_priority(stream: u32, payload: &[u8]) -> Result<StreamPriority, FrameFault> {
    let (Some(dependency), Some(weight)) = (u32_at(payload, 0), payload.get(4)) else {
        return Err(SIZE_ERROR);
    };
    let parent = dependency & WINDOW_BYTES_MAX;
    if parent == stream {
        return Err(CONNECTION_ERROR);
    }
    Ok(StreamPriority { parent, weight: u16::from(*weight) + 1, is_exclusive: dependency != parent })
}
