//! One WebSocket: its decoder, its output, its limits. In: payloads to send. Out: bytes of frames.
//! Absent: reading, and the other sockets (pool.rs).

use rusk_base::sys::epoll::EventFlags;
use rusk_base::sys::{self, process};
use rusk_http_server::Transport;
use rusk_websocket::{
    DecoderOptions, DeflateParameters, Deflater, Endpoint, Inflater, MessageDecoder, Opcode, close_payload,
    encode_frame, encode_header,
};

/// Output that is joined until the callback has ended; more is written at once.
const JOINED_BYTES_MAX: usize = 64 * 1024;
/// Payloads from here on are written from where they are, if no output waits.
const DIRECT_BYTES_MIN: usize = 16 * 1024;
/// Memory that a socket keeps between messages.
const IDLE_BYTES_MAX: usize = 4 * 1024;

/// How bytes come and go.
pub enum Carrier {
    Socket(Transport),
    /// JavaScript passes what it reads, and takes what is to be written.
    Script,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketPhase {
    Open,
    /// A client has sent its close frame and waits for that of the server.
    CloseSent,
    /// The program has had the last event: output is written, then the peer closes.
    Finishing,
}

#[derive(Clone, Copy, Debug)]
pub struct SocketLimits {
    pub message_bytes_max: usize,
    /// Output that may wait; 0: no limit.
    pub waiting_bytes_max: usize,
    pub closes_on_limit: bool,
    pub sends_pings: bool,
    pub idle_ms: u64,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    Sent,
    /// It waits until the peer reads.
    Waiting,
    /// Too much waits already, or the socket has ended.
    Dropped,
    /// As dropped, and this ends the connection.
    OverLimit,
}

enum Compression {
    Absent,
    /// The one of the thread, without context.
    Shared,
    Own(Deflater),
}

pub struct PooledSocket {
    pub carrier: Carrier,
    pub phase: SocketPhase,
    pub decoder: MessageDecoder,
    endpoint: Endpoint,
    compression: Compression,
    pub limits: SocketLimits,
    output: Vec<u8>,
    written: usize,
    /// The kernel has refused bytes: it reports when it takes more.
    pub is_blocked: bool,
    pub is_dirty: bool,
    pub is_paused: bool,
    pub wants_drain: bool,
    /// The server's ping was not answered yet.
    pub has_pinged: bool,
    /// Whether the write side is shut down.
    pub is_shut: bool,
    /// 0: none.
    pub deadline_ms: u64,
    /// Topics by number.
    pub subscriptions: Vec<usize>,
    /// Whether the loop has to wait for it.
    pub is_counted: bool,
    /// The program makes no more calls for it.
    pub is_released: bool,
    pub interest: EventFlags,
}

impl PooledSocket {
    pub fn new(
        carrier: Carrier,
        endpoint: Endpoint,
        limits: SocketLimits,
        deflate: Option<DeflateParameters>,
    ) -> PooledSocket {
        let (mut inflater, mut compression) = (None, Compression::Absent);
        if let Some(parameters) = deflate {
            let (receives, sends, bits) = match endpoint {
                Endpoint::Server => (
                    parameters.client_keeps_context,
                    parameters.server_keeps_context,
                    parameters.server_window_bits,
                ),
                Endpoint::Client => (
                    parameters.server_keeps_context,
                    parameters.client_keeps_context,
                    parameters.client_window_bits,
                ),
            };
            inflater = Some(Inflater::new(receives));
            compression = match sends || bits < 15 {
                true => Compression::Own(Deflater::new(bits, sends)),
                false => Compression::Shared,
            };
        }
        let options = DecoderOptions { endpoint, message_bytes_max: limits.message_bytes_max, inflater };
        PooledSocket {
            carrier,
            phase: SocketPhase::Open,
            decoder: MessageDecoder::new(options),
            endpoint,
            compression,
            limits,
            output: Vec::new(),
            written: 0,
            is_blocked: false,
            is_dirty: false,
            is_paused: false,
            wants_drain: false,
            has_pinged: false,
            is_shut: false,
            deadline_ms: 0,
            subscriptions: Vec::new(),
            is_counted: true,
            is_released: false,
            interest: EventFlags::IN,
        }
    }

    pub fn is_server(&self) -> bool {
        self.endpoint == Endpoint::Server
    }

    /// Bytes that are not written yet.
    pub fn waiting_bytes(&self) -> usize {
        self.output.len() - self.written
    }

    /// Whether nothing is left to do for its connection.
    pub fn is_over(&self) -> bool {
        matches!(self.carrier, Carrier::Closed)
    }

    /// Whether output is to be written before the callback ends.
    pub fn is_full(&self) -> bool {
        self.waiting_bytes() >= JOINED_BYTES_MAX
    }

    /// Whether the message may be added.
    pub fn admit(&mut self) -> SendOutcome {
        let limit = self.limits.waiting_bytes_max;
        match self.phase {
            SocketPhase::Open if limit == 0 || self.waiting_bytes() <= limit => SendOutcome::Sent,
            SocketPhase::Open if self.limits.closes_on_limit => SendOutcome::OverLimit,
            _ => SendOutcome::Dropped,
        }
    }

    /// Appends a frame.
    pub fn push(&mut self, opcode: Opcode, payload: &[u8], compresses: bool, shared: &mut Option<Deflater>) {
        let mut compressed = Vec::new();
        let is_compressed = match (&mut self.compression, compresses) {
            (Compression::Absent, _) | (_, false) => false,
            (Compression::Shared, true) => {
                shared.get_or_insert_with(|| Deflater::new(15, false)).deflate(payload, &mut compressed);
                true
            }
            (Compression::Own(deflater), true) => {
                deflater.deflate(payload, &mut compressed);
                true
            }
        };
        let payload = if is_compressed { &compressed } else { payload };
        if payload.len() >= DIRECT_BYTES_MIN
            && self.is_server()
            && self.output.is_empty()
            && let Carrier::Socket(transport) = &mut self.carrier
        {
            encode_header(&mut self.output, opcode, payload.len(), is_compressed, None);
            let header_bytes = self.output.len();
            let written = transport.try_write_parts([&self.output, payload]);
            self.output.drain(..written.min(header_bytes));
            self.output.extend_from_slice(&payload[written.saturating_sub(header_bytes)..]);
            return;
        }
        let key = self.key();
        encode_frame(&mut self.output, opcode, payload, is_compressed, key);
    }

    /// Whether frames of the shared compressor are for this socket.
    pub fn shares_compression(&self) -> bool {
        matches!(self.compression, Compression::Shared)
    }

    pub fn has_own_compression(&self) -> bool {
        matches!(self.compression, Compression::Own(_))
    }

    /// Appends bytes of frames that were rendered for several sockets of a server.
    pub fn push_frame(&mut self, frame: &[u8]) {
        self.output.extend_from_slice(frame);
    }

    pub fn push_close(&mut self, code: Option<u16>, reason: &str) {
        let key = self.key();
        encode_frame(&mut self.output, Opcode::Close, &close_payload(code, reason), false, key);
    }

    /// The masking key of the next frame.
    fn key(&self) -> Option<[u8; 4]> {
        (self.endpoint == Endpoint::Client).then(|| {
            let mut key = [0; 4];
            process::fill_random(&mut key).expect("getrandom(2) does not fail without a signal");
            key
        })
    }

    /// Writes what the kernel takes.
    pub fn write(&mut self) -> sys::Result<()> {
        let Carrier::Socket(transport) = &mut self.carrier else { return Ok(()) };
        transport.write_encrypted()?;
        while self.written < self.output.len() {
            match transport.write(&self.output[self.written..])? {
                0 => {
                    self.is_blocked = true;
                    return Ok(());
                }
                count => self.written += count,
            }
        }
        self.is_blocked = transport.has_output();
        self.written = 0;
        self.output.clear();
        if self.output.capacity() > IDLE_BYTES_MAX {
            self.output = Vec::new();
        }
        Ok(())
    }

    /// What JavaScript has to write.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }
}
