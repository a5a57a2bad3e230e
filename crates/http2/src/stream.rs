//! State of one stream (RFC 9113, section 5.1): which halves are closed, its windows, its queue of
//! data. Absent: frames.

use std::collections::VecDeque;

use crate::flow::ReceiveWindow;
use crate::hpack::HeaderField;
use crate::message::MessageProgress;
use crate::session::StreamPriority;

/// What a stream waits for before it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPhase {
    /// A request of ours that waits until the peer allows one more stream.
    Waiting,
    ReservedLocal,
    ReservedRemote,
    Open,
}

pub struct Http2Stream {
    pub phase: StreamPhase,
    pub is_local_closed: bool,
    pub is_remote_closed: bool,
    /// It counts for the limit of concurrent streams.
    pub is_counted: bool,
    /// Negative after the peer has made its initial window smaller.
    pub send_window: i64,
    pub receive_window: ReceiveWindow,
    /// The limit of header lists when the stream began.
    pub header_list_bytes_max: u32,
    pub message: MessageProgress,
    pub output: VecDeque<Vec<u8>>,
    /// Bytes of the first chunk that were sent.
    pub output_position: usize,
    pub output_bytes: usize,
    pub is_output_ended: bool,
    pub has_sent_final_headers: bool,
    /// A response of 1xx has arrived.
    pub has_informational: bool,
    pub wants_trailers: bool,
    /// `WantTrailers` was reported.
    pub waits_for_trailers: bool,
    pub is_ready: bool,
    /// The program takes data as it arrives.
    pub is_reading: bool,
    /// Bytes that arrived while it did not.
    pub unread_bytes: usize,
    /// The header list of a request that waits.
    pub waiting_request: Option<(Vec<HeaderField>, bool)>,
    /// Sent with the request.
    pub priority: Option<StreamPriority>,
}

impl Http2Stream {
    pub fn new(phase: StreamPhase, send_window: u32, receive_window: u32) -> Http2Stream {
        Http2Stream {
            phase,
            is_local_closed: false,
            is_remote_closed: false,
            is_counted: false,
            send_window: send_window.into(),
            receive_window: ReceiveWindow::new(receive_window),
            header_list_bytes_max: u32::MAX,
            message: MessageProgress::default(),
            output: VecDeque::new(),
            output_position: 0,
            output_bytes: 0,
            is_output_ended: false,
            has_sent_final_headers: false,
            has_informational: false,
            wants_trailers: false,
            waits_for_trailers: false,
            is_ready: false,
            is_reading: false,
            unread_bytes: 0,
            waiting_request: None,
            priority: None,
        }
    }

    /// nghttp2's number of the state: idle, open, reserved, half-closed.
    pub fn state_number(&self) -> u32 {
        match self.phase {
            StreamPhase::Waiting => 1,
            StreamPhase::ReservedLocal => 3,
            StreamPhase::ReservedRemote => 4,
            StreamPhase::Open if self.is_local_closed && self.is_remote_closed => 7,
            StreamPhase::Open if self.is_local_closed => 5,
            StreamPhase::Open if self.is_remote_closed => 6,
            StreamPhase::Open => 2,
        }
    }

    pub fn can_send_data(&self) -> bool {
        self.phase == StreamPhase::Open
            && self.has_sent_final_headers
            && !self.is_local_closed
            && !self.waits_for_trailers
            && ((self.output_bytes > 0 && self.send_window > 0)
                || (self.output_bytes == 0 && self.is_output_ended))
    }
}
