//! Commands for messages: requests, responses, pushed requests, trailers, data. In: header lists,
//! bytes. Out: frames in the output; requests above the peer's limit wait.

use super::commands::priority_payload;
use super::{Http2Session, SessionEvent, SessionRole, StreamPriority};
use crate::error::{Http2Error, code};
use crate::frame::{flag, kind};
use crate::hpack::HeaderField;
use crate::settings::WINDOW_BYTES_MAX;
use crate::stream::StreamPhase;

impl Http2Session {
    /// Returns the number of the stream.
    pub fn request(
        &mut self,
        fields: Vec<HeaderField>,
        ends_stream: bool,
        priority: Option<StreamPriority>,
    ) -> Result<u32, Http2Error> {
        let id = self.next_stream;
        if id > WINDOW_BYTES_MAX || self.role == SessionRole::Server {
            return Err(Http2Error::StreamIdNotAvailable);
        }
        if priority.is_some_and(|priority| priority.parent == id) {
            return Err(Http2Error::InvalidArgument);
        }
        self.next_stream = id + 2;
        let mut stream = self.new_stream(StreamPhase::Waiting);
        let method = fields.iter().find(|field| field.name == b":method").map(|field| &field.value[..]);
        stream.message.is_head = method == Some(b"HEAD");
        stream.message.is_connect = method == Some(b"CONNECT");
        stream.waiting_request = Some((fields, ends_stream));
        stream.priority = priority;
        self.insert_stream(id, stream);
        self.waiting.push_back(id);
        self.start_waiting_requests();
        Ok(id)
    }

    pub(super) fn start_waiting_requests(&mut self) {
        while self.outgoing_count < self.remote.concurrent_streams_max
            && let Some(id) = self.waiting.pop_front()
        {
            self.start_request(id);
        }
    }

    fn start_request(&mut self, id: u32) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let Some((fields, ends_stream)) = stream.waiting_request.take() else { return };
        if !self.is_block_allowed(id, &fields) {
            self.close_stream(id, code::REFUSED_STREAM);
            return;
        }
        let mut block = Vec::new();
        self.encoder.encode(&fields, &mut block);
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.phase = StreamPhase::Open;
        stream.has_sent_final_headers = true;
        stream.is_local_closed = ends_stream;
        stream.is_counted = true;
        let priority = stream.priority.map(priority_payload);
        self.outgoing_count += 1;
        let flags = if ends_stream { flag::END_STREAM } else { 0 };
        match priority {
            Some(prefix) => self.write_block(kind::HEADERS, flags | flag::PRIORITY, id, &prefix, &block),
            None => self.write_block(kind::HEADERS, flags, id, &[], &block),
        }
        self.note_ready(id);
    }

    /// A header list that is too large is not sent; the caller resets the stream.
    fn is_block_allowed(&mut self, stream: u32, fields: &[HeaderField]) -> bool {
        let bytes: usize = fields.iter().map(HeaderField::list_bytes).sum();
        let is_allowed = bytes <= self.options.send_header_block_bytes_max;
        if !is_allowed {
            let (kind, error) = (kind::HEADERS, Http2Error::FrameSize);
            self.events.push_back(SessionEvent::FrameNotSent { stream, kind, error });
        }
        is_allowed
    }

    /// The final response of a stream.
    pub fn respond(&mut self, id: u32, fields: &[HeaderField], ends_stream: bool) -> Result<(), Http2Error> {
        let stream = self.streams.get_mut(&id).ok_or(Http2Error::StreamClosed)?;
        if stream.has_sent_final_headers || stream.is_local_closed {
            return Err(Http2Error::DataExists);
        }
        stream.has_sent_final_headers = true;
        let is_pushed = stream.phase == StreamPhase::ReservedLocal;
        if is_pushed {
            stream.phase = StreamPhase::Open;
            stream.is_remote_closed = true;
            stream.is_counted = true;
            self.outgoing_count += 1;
        }
        if !self.write_headers(id, fields, ends_stream) {
            return Ok(());
        }
        if ends_stream {
            self.end_local(id);
        } else {
            self.note_ready(id);
        }
        Ok(())
    }

    /// An informational response.
    pub fn inform(&mut self, id: u32, fields: &[HeaderField]) -> Result<(), Http2Error> {
        let stream = self.streams.get(&id).ok_or(Http2Error::StreamClosed)?;
        if stream.has_sent_final_headers || stream.is_local_closed {
            return Err(Http2Error::InvalidStreamState);
        }
        self.write_headers(id, fields, false);
        Ok(())
    }

    /// Trailers; they end the stream.
    pub fn trailers(&mut self, id: u32, fields: &[HeaderField]) -> Result<(), Http2Error> {
        let stream = self.streams.get(&id).ok_or(Http2Error::StreamClosed)?;
        if !stream.has_sent_final_headers || stream.is_local_closed {
            return Err(Http2Error::InvalidStreamState);
        }
        if !self.write_headers(id, fields, true) {
            return Ok(());
        }
        self.end_local(id);
        Ok(())
    }

    /// Ends a stream that waits for trailers, without any.
    pub fn end_without_trailers(&mut self, id: u32) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        if stream.waits_for_trailers && !stream.is_local_closed {
            self.write_frame(kind::DATA, flag::END_STREAM, id, &[]);
            self.end_local(id);
        }
    }

    fn end_local(&mut self, id: u32) {
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.is_local_closed = true;
        }
        self.close_if_done(id);
    }

    fn write_headers(&mut self, id: u32, fields: &[HeaderField], ends_stream: bool) -> bool {
        if !self.is_block_allowed(id, fields) {
            return false;
        }
        let mut block = Vec::new();
        self.encoder.encode(fields, &mut block);
        self.write_block(kind::HEADERS, if ends_stream { flag::END_STREAM } else { 0 }, id, &[], &block);
        true
    }

    /// Announces a pushed response. Returns the number of its stream.
    pub fn push_promise(&mut self, parent: u32, fields: &[HeaderField]) -> Result<u32, Http2Error> {
        if !self.remote.enable_push {
            return Err(Http2Error::PushDisabled);
        }
        let promised = self.next_stream;
        if promised > WINDOW_BYTES_MAX {
            return Err(Http2Error::StreamIdNotAvailable);
        }
        if !self.streams.contains_key(&parent) {
            return Err(Http2Error::StreamClosed);
        }
        self.next_stream += 2;
        let mut block = Vec::new();
        self.encoder.encode(fields, &mut block);
        self.write_block(kind::PUSH_PROMISE, 0, parent, &promised.to_be_bytes(), &block);
        let stream = self.new_stream(StreamPhase::ReservedLocal);
        self.insert_stream(promised, stream);
        Ok(promised)
    }

    /// Queues data.
    pub fn write(&mut self, id: u32, bytes: Vec<u8>) -> Result<(), Http2Error> {
        let stream = self.streams.get_mut(&id).ok_or(Http2Error::StreamClosed)?;
        if stream.is_output_ended || stream.is_local_closed {
            return Err(Http2Error::StreamClosed);
        }
        stream.output_bytes += bytes.len();
        if bytes.is_empty() && stream.output.is_empty() {
            self.events.push_back(SessionEvent::Written { stream: id, chunks: 1 });
            return Ok(());
        }
        stream.output.push_back(bytes);
        self.note_ready(id);
        Ok(())
    }

    /// The end of the data. `wants_trailers`: `TrailersWanted` follows.
    pub fn end(&mut self, id: u32, wants_trailers: bool) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.is_output_ended = true;
        stream.wants_trailers = wants_trailers;
        self.note_ready(id);
    }
}
