//! DATA frames that are sent: streams in turn, a frame each, within the windows and a budget.

use super::{Http2Session, PaddingStrategy, SessionEvent};
use crate::frame::{FrameHeader, flag, kind};
use crate::stream::Http2Stream;

/// The largest padding, with its length octet.
const PADDING_BYTES_MAX: usize = 256;
const ALIGNMENT_BYTES: usize = 8;

impl Http2Session {
    /// The bytes to send now; DATA frames are added while they are fewer than `budget_bytes`.
    pub fn take_output(&mut self, budget_bytes: usize) -> Vec<u8> {
        while self.output.len() < budget_bytes
            && let Some(id) = self.ready.pop_front()
        {
            self.send_data(id, budget_bytes);
        }
        self.acks_unsent = 0;
        self.statistics.bytes_sent += self.output.len() as u64;
        std::mem::take(&mut self.output)
    }

    /// Bytes of control frames that are not taken yet.
    pub fn output_bytes(&self) -> usize {
        self.output.len()
    }

    pub(super) fn note_ready(&mut self, id: u32) {
        if let Some(stream) = self.streams.get_mut(&id)
            && !stream.is_ready
            && stream.can_send_data()
        {
            stream.is_ready = true;
            self.ready.push_back(id);
        }
    }

    pub(super) fn note_all_ready(&mut self) {
        let mut ids: Vec<u32> = self.streams.keys().copied().collect();
        ids.sort_unstable();
        ids.into_iter().for_each(|id| self.note_ready(id));
    }

    fn send_data(&mut self, id: u32, budget_bytes: usize) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if !stream.can_send_data() {
            stream.is_ready = false;
            return;
        }
        let window = stream.send_window.min(self.send_window).max(0) as usize;
        if stream.output_bytes > 0 && window == 0 {
            // The connection's window is used up; the turn of the stream comes again.
            self.ready.push_front(id);
            return self.wait_for_window(budget_bytes);
        }
        let frame_max = self.remote.frame_bytes_max as usize;
        let bytes = stream.output_bytes.min(window).min(frame_max);
        let padding = padding_bytes(self.options.padding, bytes, frame_max.min(window));
        let is_last = stream.is_output_ended && bytes == stream.output_bytes;
        let ends_stream = is_last && !stream.wants_trailers;
        if bytes > 0 || ends_stream {
            let flags =
                if ends_stream { flag::END_STREAM } else { 0 } | if padding > 0 { flag::PADDED } else { 0 };
            let payload_bytes = (bytes + padding) as u32;
            FrameHeader { payload_bytes, kind: kind::DATA, flags, stream: id }.write(&mut self.output);
            self.statistics.frames_sent += 1;
            if padding > 0 {
                self.output.push((padding - 1) as u8);
            }
            let chunks = stream.move_output(bytes, &mut self.output);
            self.output.resize(self.output.len() + padding.saturating_sub(1), 0);
            stream.send_window -= i64::from(payload_bytes);
            self.send_window -= i64::from(payload_bytes);
            if chunks > 0 {
                self.events.push_back(SessionEvent::Written { stream: id, chunks });
            }
        }
        stream.is_ready = false;
        if ends_stream {
            stream.is_local_closed = true;
            self.close_if_done(id);
        } else if is_last {
            stream.waits_for_trailers = true;
            self.events.push_back(SessionEvent::TrailersWanted { stream: id });
        } else {
            self.note_ready(id);
        }
    }

    /// Streams that only have to be ended need no window.
    fn wait_for_window(&mut self, budget_bytes: usize) {
        let waiting = std::mem::take(&mut self.ready);
        let has_data = |session: &Http2Session, id: &u32| {
            session.streams.get(id).is_some_and(|stream| stream.output_bytes > 0)
        };
        let (blocked, others): (Vec<u32>, Vec<u32>) = waiting.into_iter().partition(|id| has_data(self, id));
        for id in others {
            self.send_data(id, budget_bytes);
        }
        for id in blocked {
            if let Some(stream) = self.streams.get_mut(&id) {
                stream.is_ready = false;
                self.blocked.push(id);
            }
        }
    }

    /// The connection's window has grown.
    pub(super) fn resume_blocked(&mut self) {
        for id in std::mem::take(&mut self.blocked) {
            self.note_ready(id);
        }
    }
}

impl Http2Stream {
    /// Moves the next bytes of the queue. Returns how many chunks were finished.
    fn move_output(&mut self, mut bytes: usize, out: &mut Vec<u8>) -> u32 {
        self.output_bytes -= bytes;
        let mut chunks = 0;
        while let Some(chunk) = self.output.front() {
            let rest = &chunk[self.output_position..];
            if rest.len() > bytes {
                out.extend_from_slice(&rest[..bytes]);
                self.output_position += bytes;
                break;
            }
            out.extend_from_slice(rest);
            bytes -= rest.len();
            self.output_position = 0;
            self.output.pop_front();
            chunks += 1;
        }
        chunks
    }
}

/// Bytes of padding, with its length octet; 0: none.
fn padding_bytes(strategy: PaddingStrategy, content_bytes: usize, payload_max: usize) -> usize {
    let available = payload_max.saturating_sub(content_bytes).min(PADDING_BYTES_MAX);
    match strategy {
        PaddingStrategy::None => 0,
        PaddingStrategy::Max => available,
        PaddingStrategy::Aligned => {
            let frame_bytes = crate::frame::HEADER_BYTES + content_bytes;
            let missing = frame_bytes.next_multiple_of(ALIGNMENT_BYTES) - frame_bytes;
            missing.min(available)
        }
    }
}
