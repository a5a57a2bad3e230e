//! Header blocks that arrive: HEADERS, PUSH_PROMISE and CONTINUATION frames. A block is decoded
//! when it is complete, even if its stream is ignored: the tables of both ends must stay the same.

use super::control::{PRIORITY_BYTES, parse_priority};
use super::receive::without_padding;
use super::{FrameFault, FrameResult, HeadersCategory, Http2Session, SessionEvent, SessionRole};
use crate::error::{Http2Error, code};
use crate::frame::{FrameHeader, flag, kind, u32_at};
use crate::hpack::HeaderField;
use crate::message::{BlockKind, FieldChecker, FieldRules, FieldVerdict, MessageProgress};
use crate::settings::WINDOW_BYTES_MAX;
use crate::stream::{Http2Stream, StreamPhase};

const CONNECTION_ERROR: FrameFault = FrameFault::Connection(Http2Error::Proto);

/// A block whose last frame may be missing.
pub(super) struct HeaderBlock {
    pub stream: u32,
    /// The stream that a PUSH_PROMISE frame announces.
    promised: Option<u32>,
    ends_stream: bool,
    fragment: Vec<u8>,
    continuations: usize,
}

/// The fields of a block, and what is wrong with it.
struct CheckedBlock {
    fields: Vec<HeaderField>,
    is_malformed: bool,
    is_too_large: bool,
}

impl Http2Session {
    pub(super) fn receive_headers(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        if header.stream == 0 {
            return Err(CONNECTION_ERROR);
        }
        let mut fragment = without_padding(header, payload)?;
        if header.has(flag::PRIORITY) {
            parse_priority(header.stream, fragment)?;
            fragment = &fragment[PRIORITY_BYTES..];
        }
        self.start_block(header, None, fragment)
    }

    pub(super) fn receive_push_promise(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        let fragment = without_padding(header, payload)?;
        let promised =
            u32_at(fragment, 0).ok_or(FrameFault::Connection(Http2Error::FrameSize))? & WINDOW_BYTES_MAX;
        let is_new = promised.is_multiple_of(2) && promised > self.last_received_stream;
        let is_own = self.is_own(header.stream) && !self.is_idle(header.stream);
        if self.role == SessionRole::Server
            || !self.local.enable_push
            || header.stream == 0
            || !is_own
            || !is_new
        {
            return Err(CONNECTION_ERROR);
        }
        if self.streams.get(&header.stream).is_some_and(|stream| stream.is_remote_closed) {
            return Err(FrameFault::Connection(Http2Error::StreamClosed));
        }
        self.start_block(header, Some(promised), &fragment[4..])
    }

    fn start_block(&mut self, header: FrameHeader, promised: Option<u32>, fragment: &[u8]) -> FrameResult {
        let ends_stream = promised.is_none() && header.has(flag::END_STREAM);
        let fragment = fragment.to_vec();
        let block = HeaderBlock { stream: header.stream, promised, ends_stream, fragment, continuations: 0 };
        if header.has(flag::END_HEADERS) {
            return self.finish_block(block);
        }
        self.header_block = Some(block);
        Ok(())
    }

    pub(super) fn receive_continuation(&mut self, header: FrameHeader, payload: &[u8]) -> FrameResult {
        let Some(mut block) = self.header_block.take() else { return Err(CONNECTION_ERROR) };
        block.continuations += 1;
        if block.continuations > self.options.continuations_max {
            return Err(FrameFault::Fatal(Http2Error::TooManyContinuations));
        }
        block.fragment.extend_from_slice(payload);
        if header.has(flag::END_HEADERS) {
            return self.finish_block(block);
        }
        self.header_block = Some(block);
        Ok(())
    }

    fn finish_block(&mut self, block: HeaderBlock) -> FrameResult {
        if let Some(promised) = block.promised {
            return self.finish_push_promise(&block, promised);
        }
        match self.streams.get(&block.stream).map(|stream| (stream.phase, stream.is_remote_closed)) {
            Some((_, true)) => Err(FrameFault::Connection(Http2Error::StreamClosed)),
            Some((StreamPhase::ReservedLocal, _)) => Err(CONNECTION_ERROR),
            Some(_) => self.finish_headers(&block),
            None if !self.is_idle(block.stream) => self.ignore_block(&block),
            None if self.role == SessionRole::Client || self.is_own(block.stream) => Err(CONNECTION_ERROR),
            None => self.finish_request(&block),
        }
    }

    /// A block of a stream that has ended.
    fn ignore_block(&mut self, block: &HeaderBlock) -> FrameResult {
        if !self.may_be_late(block.stream) {
            return Err(FrameFault::Connection(Http2Error::StreamClosed));
        }
        self.decoder.decode(&block.fragment, drop).map_err(compression_error)
    }

    fn finish_request(&mut self, block: &HeaderBlock) -> FrameResult {
        let id = block.stream;
        self.last_received_stream = id;
        if self.goaway_sent.is_some_and(|last| id > last) {
            return self.decoder.decode(&block.fragment, drop).map_err(compression_error);
        }
        if self.incoming_count >= self.local.concurrent_streams_max {
            return Err(CONNECTION_ERROR);
        }
        let mut stream = self.new_stream(StreamPhase::Open);
        let checked = self.decode_block(block, BlockKind::Request, &mut stream.message)?;
        stream.is_counted = true;
        self.incoming_count += 1;
        self.insert_stream(id, stream);
        if self.incoming_count > self.pending_concurrent_streams_max() {
            return Err(FrameFault::Stream(id, Http2Error::RefusedStream));
        }
        if self.refuses_streams {
            self.rejected_streams += 1;
            if self.rejected_streams > self.options.rejected_streams_max {
                return Err(FrameFault::Fatal(Http2Error::TooManyInvalidFrames));
            }
        }
        if self.refuses_streams || checked.is_too_large {
            self.reset_stream(id, code::ENHANCE_YOUR_CALM);
            return Ok(());
        }
        self.report_headers(block, HeadersCategory::Request, checked)
    }

    /// The limit that was sent, even if it is not acknowledged.
    fn pending_concurrent_streams_max(&self) -> u32 {
        let mut sent = self.inflight_settings.iter().flatten();
        let last = sent.rfind(|(id, _)| *id == crate::settings::id::MAX_CONCURRENT_STREAMS);
        last.map_or(self.local.concurrent_streams_max, |(_, value)| *value)
    }

    /// A response, trailers, or headers of a stream that the peer has promised.
    fn finish_headers(&mut self, block: &HeaderBlock) -> FrameResult {
        let id = block.stream;
        let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
        let mut message = std::mem::take(&mut stream.message);
        let is_pushed = stream.phase == StreamPhase::ReservedRemote;
        let is_first = !message.has_final_headers && !stream.has_informational;
        let kind = if message.has_final_headers { BlockKind::Trailers } else { BlockKind::Response };
        let checked = self.decode_block(block, kind, &mut message)?;
        let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
        stream.has_informational |= !message.has_final_headers;
        stream.message = message;
        if is_pushed {
            stream.phase = StreamPhase::Open;
            stream.is_local_closed = true;
            stream.is_counted = true;
            self.reserved_count -= 1;
            self.incoming_count += 1;
        }
        if checked.is_too_large {
            self.reset_stream(id, code::ENHANCE_YOUR_CALM);
            return Ok(());
        }
        let category = match (is_pushed, is_first) {
            (true, _) => HeadersCategory::PushResponse,
            (false, true) => HeadersCategory::Response,
            (false, false) => HeadersCategory::Headers,
        };
        self.report_headers(block, category, checked)
    }

    fn report_headers(
        &mut self,
        block: &HeaderBlock,
        category: HeadersCategory,
        checked: CheckedBlock,
    ) -> FrameResult {
        let stream = block.stream;
        let is_short = |stream: &Http2Stream| block.ends_stream && !stream.message.is_complete();
        if checked.is_malformed || self.streams.get(&stream).is_some_and(is_short) {
            return Err(FrameFault::Stream(stream, Http2Error::HttpHeader));
        }
        let (fields, ends_stream) = (checked.fields, block.ends_stream);
        self.events.push_back(SessionEvent::Headers { stream, category, ends_stream, fields });
        if ends_stream { self.end_remote(stream) } else { Ok(()) }
    }

    fn finish_push_promise(&mut self, block: &HeaderBlock, promised: u32) -> FrameResult {
        self.last_received_stream = promised;
        let mut stream = self.new_stream(StreamPhase::ReservedRemote);
        let mut request = MessageProgress::default();
        let checked = self.decode_block(block, BlockKind::Request, &mut request)?;
        let is_parent_open = self.streams.contains_key(&block.stream);
        if !is_parent_open || self.reserved_count >= self.options.reserved_streams_max || checked.is_too_large
        {
            self.note_reset(promised);
            self.write_frame(kind::RST_STREAM, 0, promised, &code::CANCEL.to_be_bytes());
            return Ok(());
        }
        let is_head = checked.fields.iter().any(|field| field.name == b":method" && field.value == b"HEAD");
        stream.message.is_head = is_head;
        self.reserved_count += 1;
        self.insert_stream(promised, stream);
        if checked.is_malformed {
            return Err(FrameFault::Stream(promised, Http2Error::HttpHeader));
        }
        let (stream, fields) = (block.stream, checked.fields);
        self.events.push_back(SessionEvent::PushPromise { stream, promised, fields });
        Ok(())
    }

    pub(super) fn new_stream(&self, phase: StreamPhase) -> Http2Stream {
        let (send, receive) = (self.remote.initial_window_bytes, self.local.initial_window_bytes);
        let mut stream = Http2Stream::new(phase, send, receive);
        stream.header_list_bytes_max = self.local.header_list_bytes_max;
        stream
    }

    fn decode_block(
        &mut self,
        block: &HeaderBlock,
        kind: BlockKind,
        message: &mut MessageProgress,
    ) -> Result<CheckedBlock, FrameFault> {
        let mut checked = CheckedBlock { fields: Vec::new(), is_malformed: false, is_too_large: false };
        let rules = FieldRules {
            is_extended_connect_allowed: self.local.enable_connect_protocol,
            is_whitespace_strict: self.options.is_whitespace_strict,
        };
        let mut checker = FieldChecker::new(kind, rules, message);
        let mut list_bytes = 0;
        let list_bytes_max = match self.options.header_list_bytes_max {
            0 => {
                let own = self.streams.get(&block.stream).map(|stream| stream.header_list_bytes_max);
                own.unwrap_or(self.local.header_list_bytes_max) as usize
            }
            max => max,
        };
        let pairs_max = self.options.header_pairs_max;
        let decoded = self.decoder.decode(&block.fragment, |field| {
            list_bytes += field.list_bytes();
            checked.is_too_large |= list_bytes > list_bytes_max || checked.fields.len() >= pairs_max;
            if checked.is_too_large {
                return;
            }
            match checker.check(&field) {
                FieldVerdict::Keep => checked.fields.push(field),
                FieldVerdict::Ignore => {}
                FieldVerdict::Malformed => checked.is_malformed = true,
            }
        });
        decoded.map_err(compression_error)?;
        checked.is_malformed |= !checker.finish(block.ends_stream) && !checked.is_too_large;
        Ok(checked)
    }
}

fn compression_error(_: crate::hpack::HpackError) -> FrameFault {
    FrameFault::Connection(Http2Error::HeaderCompression)
}
