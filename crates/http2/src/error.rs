//! Errors of HTTP/2: codes on the wire (RFC 9113, section 7), and nghttp2's numbers, which Node
//! shows to programs as the `errno` of an error.

pub mod code {
    pub const NO_ERROR: u32 = 0;
    pub const PROTOCOL_ERROR: u32 = 1;
    pub const INTERNAL_ERROR: u32 = 2;
    pub const FLOW_CONTROL_ERROR: u32 = 3;
    pub const SETTINGS_TIMEOUT: u32 = 4;
    pub const STREAM_CLOSED: u32 = 5;
    pub const FRAME_SIZE_ERROR: u32 = 6;
    pub const REFUSED_STREAM: u32 = 7;
    pub const CANCEL: u32 = 8;
    pub const COMPRESSION_ERROR: u32 = 9;
    pub const CONNECT_ERROR: u32 = 10;
    pub const ENHANCE_YOUR_CALM: u32 = 11;
    pub const INADEQUATE_SECURITY: u32 = 12;
    pub const HTTP_1_1_REQUIRED: u32 = 13;
}

/// By nghttp2's name, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Http2Error {
    InvalidArgument = -501,
    Proto = -505,
    StreamIdNotAvailable = -509,
    StreamClosed = -510,
    InvalidStreamId = -513,
    InvalidStreamState = -514,
    DataExists = -529,
    FrameSize = -522,
    HeaderCompression = -523,
    FlowControl = -524,
    PushDisabled = -528,
    SessionClosing = -530,
    HttpHeader = -531,
    HttpMessaging = -532,
    RefusedStream = -533,
    SettingsExpected = -536,
    TooManySettings = -537,
    /// nghttp2 has no number for these limits of Node: the session callback failed.
    TooManyInvalidFrames = -902,
    BadClientMagic = -903,
    Flooded = -904,
    TooManyContinuations = -905,
}

impl Http2Error {
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The code of the GOAWAY or RST_STREAM frame that reports it.
    pub fn code(self) -> u32 {
        match self {
            Http2Error::StreamClosed => code::STREAM_CLOSED,
            Http2Error::HeaderCompression => code::COMPRESSION_ERROR,
            Http2Error::FrameSize => code::FRAME_SIZE_ERROR,
            Http2Error::FlowControl => code::FLOW_CONTROL_ERROR,
            Http2Error::RefusedStream => code::REFUSED_STREAM,
            Http2Error::TooManySettings | Http2Error::Flooded | Http2Error::TooManyContinuations => {
                code::ENHANCE_YOUR_CALM
            }
            _ => code::PROTOCOL_ERROR,
        }
    }
}
