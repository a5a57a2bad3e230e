//! Frames of HTTP/2 (RFC 9113, section 4). In: nine octets. Out: length, type, flags, stream; the
//! same in the other direction.

pub const HEADER_BYTES: usize = 9;
/// The largest payload before SETTINGS, and the least that a peer can ask for.
pub const DEFAULT_PAYLOAD_BYTES: u32 = 16_384;
/// The largest payload that SETTINGS_MAX_FRAME_SIZE can allow.
pub const PAYLOAD_BYTES_MAX: u32 = 16_777_215;
/// What a client sends first (RFC 9113, section 3.4).
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub mod kind {
    pub const DATA: u8 = 0;
    pub const HEADERS: u8 = 1;
    pub const PRIORITY: u8 = 2;
    pub const RST_STREAM: u8 = 3;
    pub const SETTINGS: u8 = 4;
    pub const PUSH_PROMISE: u8 = 5;
    pub const PING: u8 = 6;
    pub const GOAWAY: u8 = 7;
    pub const WINDOW_UPDATE: u8 = 8;
    pub const CONTINUATION: u8 = 9;
    /// RFC 7838.
    pub const ALTSVC: u8 = 10;
    /// RFC 8336.
    pub const ORIGIN: u8 = 12;
}

pub mod flag {
    pub const END_STREAM: u8 = 0x1;
    pub const ACK: u8 = 0x1;
    pub const END_HEADERS: u8 = 0x4;
    pub const PADDED: u8 = 0x8;
    pub const PRIORITY: u8 = 0x20;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    pub payload_bytes: u32,
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
}

impl FrameHeader {
    pub fn parse(octets: &[u8; HEADER_BYTES]) -> FrameHeader {
        let [l0, l1, l2, kind, flags, s0, s1, s2, s3] = *octets;
        FrameHeader {
            payload_bytes: u32::from_be_bytes([0, l0, l1, l2]),
            kind,
            flags,
            // The first bit is reserved.
            stream: u32::from_be_bytes([s0, s1, s2, s3]) & 0x7fff_ffff,
        }
    }

    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.payload_bytes.to_be_bytes()[1..]);
        out.extend_from_slice(&[self.kind, self.flags]);
        out.extend_from_slice(&self.stream.to_be_bytes());
    }

    pub fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Appends a frame.
pub fn write_frame(out: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    FrameHeader { payload_bytes: payload.len() as u32, kind, flags, stream }.write(out);
    out.extend_from_slice(payload);
}

/// The 32 bits at an offset.
pub fn u32_at(payload: &[u8], offset: usize) -> Option<u32> {
    let bytes = payload.get(offset..offset + 4)?;
    Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}
