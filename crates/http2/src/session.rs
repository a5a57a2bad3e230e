//! One end of an HTTP/2 connection. In: untrusted bytes of the peer, commands of the program. Out:
//! events, in the order in which they happened; bytes to send. Frames that arrive: `receive`,
//! `control`, `header_blocks`; commands: `commands`, `requests`; data that is sent: `data`.

mod commands;
mod control;
mod data;
mod header_blocks;
mod options;
mod receive;
mod requests;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};

use crate::error::Http2Error;
use crate::flow::ReceiveWindow;
use crate::frame;
use crate::hpack::{HeaderField, HpackDecoder, HpackEncoder};
use crate::rate_limit::RateLimit;
use crate::settings::{DEFAULT_WINDOW_BYTES, Http2Settings};
use crate::stream::{Http2Stream, StreamPhase};
use header_blocks::HeaderBlock;
pub use options::{PaddingStrategy, SessionOptions, SessionRole};

/// Streams that we have reset recently, as numbers.
const RECENT_RESETS_MAX: usize = 128;

/// By nghttp2's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadersCategory {
    Request = 0,
    Response = 1,
    PushResponse = 2,
    /// Trailers, or headers after an informational response.
    Headers = 3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamPriority {
    pub parent: u32,
    pub weight: u16,
    pub is_exclusive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEvent {
    Headers {
        stream: u32,
        category: HeadersCategory,
        ends_stream: bool,
        fields: Vec<HeaderField>,
    },
    PushPromise {
        stream: u32,
        promised: u32,
        fields: Vec<HeaderField>,
    },
    Data {
        stream: u32,
        bytes: Vec<u8>,
    },
    /// The peer has ended its half.
    StreamEnded {
        stream: u32,
    },
    StreamClosed {
        stream: u32,
        code: u32,
    },
    /// So many chunks of the stream are in frames.
    Written {
        stream: u32,
        chunks: u32,
    },
    /// All data is sent; the command `trailers` or `end_without_trailers` must follow.
    TrailersWanted {
        stream: u32,
    },
    Priority {
        stream: u32,
        priority: StreamPriority,
    },
    /// All settings of the peer that are in force then.
    SettingsReceived(Http2Settings),
    SettingsAcknowledged,
    Ping([u8; 8]),
    PingAcknowledged([u8; 8]),
    GoAway {
        code: u32,
        last_stream: u32,
        opaque: Vec<u8>,
    },
    AltSvc {
        stream: u32,
        origin: Vec<u8>,
        value: Vec<u8>,
    },
    Origin(Vec<Vec<u8>>),
    /// A frame broke the protocol: the stream was reset, or the session is terminated.
    InvalidFrame {
        stream: u32,
        error: Http2Error,
    },
    FrameNotSent {
        stream: u32,
        kind: u8,
        error: Http2Error,
    },
    /// A GOAWAY frame with that code is in the output, and nothing is read any more.
    Terminated {
        code: u32,
    },
}

/// State for Node's `session.state` and `stream.state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowState {
    pub local_size: i64,
    pub received: i64,
    pub remote_size: i64,
}

/// What a session has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionStatistics {
    pub frames_received: u64,
    pub frames_sent: u64,
    pub bytes_received: u64,
    pub bytes_sent: u64,
    pub streams: u64,
    pub concurrent_streams_max: u64,
}

/// Why a frame is invalid, and what ends.
pub(crate) enum FrameFault {
    Stream(u32, Http2Error),
    Connection(Http2Error),
    /// The session ends with this code; it is no error of the protocol.
    Terminate(u32),
    /// Nothing can be sent any more.
    Fatal(Http2Error),
}

type FrameResult = Result<(), FrameFault>;

pub struct Http2Session {
    role: SessionRole,
    options: SessionOptions,
    /// The start of a frame that is not complete.
    input: Vec<u8>,
    preface_bytes_read: usize,
    has_received_settings: bool,
    header_block: Option<HeaderBlock>,
    output: Vec<u8>,
    /// Acknowledgements in the output.
    acks_unsent: usize,
    events: VecDeque<SessionEvent>,
    decoder: HpackDecoder,
    encoder: HpackEncoder,
    local: Http2Settings,
    remote: Http2Settings,
    /// Settings that the peer has not acknowledged.
    inflight_settings: VecDeque<Vec<(u16, u32)>>,
    streams: HashMap<u32, Http2Stream>,
    /// Streams with data that may be sent, in turn.
    ready: VecDeque<u32>,
    /// Streams with data for which the window of the connection is too small.
    blocked: Vec<u32>,
    waiting: VecDeque<u32>,
    recent_resets: VecDeque<u32>,
    has_forgotten_resets: bool,
    next_stream: u32,
    last_received_stream: u32,
    incoming_count: u32,
    outgoing_count: u32,
    reserved_count: u32,
    send_window: i64,
    receive_window: ReceiveWindow,
    resets: RateLimit,
    statistics: SessionStatistics,
    now_s: u64,
    invalid_frames: u32,
    rejected_streams: u32,
    is_terminated: bool,
    /// The last stream of a GOAWAY frame that was sent.
    goaway_sent: Option<u32>,
    goaway_received: Option<u32>,
    /// Set by the caller: new streams of the peer are refused.
    pub refuses_streams: bool,
}

impl Http2Session {
    /// A client's output begins with the preface; the caller sends SETTINGS.
    pub fn new(role: SessionRole, options: SessionOptions) -> Http2Session {
        let is_client = role == SessionRole::Client;
        let remote = Http2Settings {
            concurrent_streams_max: options.peer_concurrent_streams_max,
            ..Http2Settings::default()
        };
        Http2Session {
            role,
            input: Vec::new(),
            preface_bytes_read: if is_client { frame::PREFACE.len() } else { 0 },
            has_received_settings: false,
            header_block: None,
            output: if is_client { frame::PREFACE.to_vec() } else { Vec::new() },
            acks_unsent: 0,
            events: VecDeque::new(),
            decoder: HpackDecoder::new(crate::hpack::DEFAULT_TABLE_BYTES),
            encoder: HpackEncoder::new(options.encoder_table_bytes_max),
            local: Http2Settings::default(),
            remote,
            inflight_settings: VecDeque::new(),
            streams: HashMap::new(),
            ready: VecDeque::new(),
            blocked: Vec::new(),
            waiting: VecDeque::new(),
            recent_resets: VecDeque::new(),
            has_forgotten_resets: false,
            next_stream: if is_client { 1 } else { 2 },
            last_received_stream: 0,
            incoming_count: 0,
            outgoing_count: 0,
            reserved_count: 0,
            send_window: DEFAULT_WINDOW_BYTES.into(),
            receive_window: ReceiveWindow::new(DEFAULT_WINDOW_BYTES),
            resets: RateLimit::new(options.reset_burst, options.resets_per_second),
            statistics: SessionStatistics::default(),
            now_s: 0,
            invalid_frames: 0,
            rejected_streams: 0,
            is_terminated: false,
            goaway_sent: None,
            goaway_received: None,
            refuses_streams: false,
            options,
        }
    }

    pub fn next_event(&mut self) -> Option<SessionEvent> {
        self.events.pop_front()
    }

    /// Whether something is to be sent, without looking at windows.
    pub fn has_output(&self) -> bool {
        !self.output.is_empty() || !self.ready.is_empty()
    }

    pub fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    pub fn local_settings(&self) -> &Http2Settings {
        &self.local
    }

    pub fn remote_settings(&self) -> &Http2Settings {
        &self.remote
    }

    pub fn next_stream(&self) -> u32 {
        self.next_stream
    }

    pub fn last_received_stream(&self) -> u32 {
        self.last_received_stream
    }

    /// Sizes of both dynamic tables: the encoder's and the decoder's.
    pub fn table_bytes(&self) -> (usize, usize) {
        (self.encoder.table_size(), self.decoder.table_size())
    }

    pub fn window(&self) -> WindowState {
        window_state(&self.receive_window, self.send_window)
    }

    /// nghttp2's number of the state, whether each half is closed, the window.
    pub fn stream_state(&self, stream: u32) -> Option<(u32, bool, bool, WindowState)> {
        let found = self.streams.get(&stream)?;
        let window = window_state(&found.receive_window, found.send_window);
        Some((found.state_number(), found.is_local_closed, found.is_remote_closed, window))
    }

    /// Bytes of a stream's data that wait to be put into frames. `None`: the stream has ended.
    pub fn stream_queued_bytes(&self, stream: u32) -> Option<usize> {
        self.streams.get(&stream).map(|stream| stream.output_bytes)
    }

    /// Whether a request waits until the peer allows one more stream.
    pub fn is_waiting(&self, stream: u32) -> bool {
        self.streams.get(&stream).is_some_and(|stream| stream.phase == StreamPhase::Waiting)
    }

    /// Bytes that wait to be sent: in frames, and as data of streams.
    pub fn queued_bytes(&self) -> usize {
        self.output.len() + self.streams.values().map(|stream| stream.output_bytes).sum::<usize>()
    }

    pub fn statistics(&self) -> SessionStatistics {
        self.statistics
    }

    fn insert_stream(&mut self, id: u32, stream: Http2Stream) {
        self.streams.insert(id, stream);
        self.statistics.streams += 1;
        let count = self.streams.len() as u64;
        self.statistics.concurrent_streams_max = self.statistics.concurrent_streams_max.max(count);
    }

    fn is_own(&self, stream: u32) -> bool {
        (stream % 2 == 1) == (self.role == SessionRole::Client)
    }

    /// A stream that neither side has used yet.
    fn is_idle(&self, stream: u32) -> bool {
        if self.is_own(stream) { stream >= self.next_stream } else { stream > self.last_received_stream }
    }

    fn write_frame(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        self.statistics.frames_sent += 1;
        frame::write_frame(&mut self.output, kind, flags, stream, payload);
    }

    /// Ends a stream: events of it do not follow.
    fn close_stream(&mut self, id: u32, code: u32) {
        let Some(stream) = self.streams.remove(&id) else { return };
        if stream.is_counted {
            let count = if self.is_own(id) { &mut self.outgoing_count } else { &mut self.incoming_count };
            *count -= 1;
        }
        if stream.phase == StreamPhase::ReservedRemote {
            self.reserved_count -= 1;
        }
        self.events.push_back(SessionEvent::StreamClosed { stream: id, code });
        self.start_waiting_requests();
    }

    /// The peer may send frames of this stream until it knows that we have reset it.
    fn note_reset(&mut self, id: u32) {
        if self.recent_resets.len() == RECENT_RESETS_MAX {
            self.recent_resets.pop_front();
            self.has_forgotten_resets = true;
        }
        self.recent_resets.push_back(id);
    }

    /// Whether a frame of a stream that has ended is no error.
    fn may_be_late(&self, id: u32) -> bool {
        self.recent_resets.contains(&id) || self.has_forgotten_resets || self.goaway_sent.is_some()
    }

    fn close_if_done(&mut self, id: u32) {
        if self.streams.get(&id).is_some_and(|stream| stream.is_local_closed && stream.is_remote_closed) {
            self.close_stream(id, 0);
        }
    }
}

fn window_state(receive: &ReceiveWindow, remote_size: i64) -> WindowState {
    WindowState { local_size: receive.size, received: receive.received, remote_size }
}
