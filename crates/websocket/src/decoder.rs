//! Decoder of messages (RFC 6455, 5 and 7; RFC 7692, 6.2). In: bytes as they arrive, however they
//! are cut. Out: one event at a time, or the error that ends the connection. Payloads grow as their
//! bytes arrive, whatever length a header announces. Absent: answers to pings and close frames.

use crate::close::{CloseCode, parse_close};
use crate::deflate::Inflater;
use crate::encoder::CONTROL_BYTES_MAX;
use crate::frame::{Endpoint, FrameHeader, HeaderBuffer, Opcode};
use crate::mask::apply_mask;
use crate::utf8::Utf8Check;

/// Up to this size memory is reserved for what a header announces.
const RESERVED_BYTES_MAX: usize = 64 << 10;

pub struct DecoderOptions {
    pub endpoint: Endpoint,
    /// The largest message, after decompression.
    pub message_bytes_max: usize,
    /// `Some`: permessage-deflate was negotiated.
    pub inflater: Option<Inflater>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebSocketEvent {
    /// The payload is valid UTF-8.
    Text(Vec<u8>),
    Binary(Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    /// The last event.
    Close {
        code: Option<u16>,
        reason: String,
    },
}

/// What ends the connection: a close frame with the code is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    pub code: CloseCode,
    /// As bun sends it.
    pub reason: &'static str,
}

pub struct MessageDecoder {
    options: DecoderOptions,
    header: HeaderBuffer,
    frame: Option<CurrentFrame>,
    /// The message whose frames arrive; `None` between messages.
    message: Option<Message>,
    /// The payload of the current control frame.
    control: Vec<u8>,
    has_ended: bool,
}

#[derive(Clone, Copy)]
struct CurrentFrame {
    opcode: Opcode,
    is_final: bool,
    key: Option<[u8; 4]>,
    payload_bytes: u64,
    received_bytes: u64,
}

#[derive(Default)]
struct Message {
    is_text: bool,
    is_compressed: bool,
    payload: Vec<u8>,
    utf8: Utf8Check,
}

impl MessageDecoder {
    pub fn new(options: DecoderOptions) -> MessageDecoder {
        let control = Vec::new();
        let header = HeaderBuffer::default();
        MessageDecoder { options, header, frame: None, message: None, control, has_ended: false }
    }

    /// Takes bytes from the input up to the next event. `None`: the input is used up. After a close
    /// frame and after an error all input is ignored.
    pub fn next_event(&mut self, input: &mut &[u8]) -> Result<Option<WebSocketEvent>, ProtocolError> {
        let outcome = self.step(input);
        self.has_ended |= matches!(outcome, Err(_) | Ok(Some(WebSocketEvent::Close { .. })));
        outcome
    }

    fn step(&mut self, input: &mut &[u8]) -> Result<Option<WebSocketEvent>, ProtocolError> {
        while !self.has_ended {
            let frame = match self.frame {
                Some(frame) => frame,
                None => {
                    let Some(header) = self.header.take(input) else { return Ok(None) };
                    self.begin_frame(&header)?
                }
            };
            let frame = self.receive_payload(frame, input)?;
            if frame.received_bytes < frame.payload_bytes {
                self.frame = Some(frame);
                return Ok(None);
            }
            self.frame = None;
            if let Some(event) = self.end_frame(frame)? {
                return Ok(Some(event));
            }
        }
        *input = &[];
        Ok(None)
    }

    fn begin_frame(&mut self, header: &FrameHeader) -> Result<CurrentFrame, ProtocolError> {
        let fail = |reason| Err(ProtocolError::protocol(reason));
        let Some(opcode) = header.opcode else { return fail("Received invalid opcode") };
        if header.has_reserved_bits {
            return fail("Received unexpected RSV2 or RSV3 bit");
        }
        match (self.options.endpoint, header.key) {
            (Endpoint::Server, None) => return fail("Received an incorrectly masked frame"),
            (Endpoint::Client, Some(_)) => return fail("Received an incorrectly masked frame"),
            _ => {}
        }
        if opcode.is_control() {
            if header.is_compressed {
                return fail("Received unexpected RSV1 bit");
            }
            if !header.is_final {
                return fail("Received fragmented control frame");
            }
            if header.payload_bytes > CONTROL_BYTES_MAX as u64 {
                return fail("Received too big control frame");
            }
        } else {
            self.begin_data(opcode, header)?;
        }
        let FrameHeader { is_final, key, payload_bytes, .. } = *header;
        Ok(CurrentFrame { opcode, is_final, key, payload_bytes, received_bytes: 0 })
    }

    fn begin_data(&mut self, opcode: Opcode, header: &FrameHeader) -> Result<(), ProtocolError> {
        let fail = |reason| Err(ProtocolError::protocol(reason));
        let starts = opcode != Opcode::Continuation;
        match (&self.message, starts) {
            (None, false) => return fail("Received continuation frame outside a fragmented message"),
            (Some(_), true) => return fail("Received new message inside a fragmented message"),
            _ => {}
        }
        if header.is_compressed && (!starts || self.options.inflater.is_none()) {
            return fail("Received unexpected RSV1 bit");
        }
        if starts {
            let is_text = opcode == Opcode::Text;
            self.message =
                Some(Message { is_text, is_compressed: header.is_compressed, ..Message::default() });
        }
        let message = self.message.as_mut().expect("there is one");
        let total_bytes = header.payload_bytes.saturating_add(message.payload.len() as u64);
        if total_bytes > self.options.message_bytes_max as u64 {
            return Err(ProtocolError::TOO_BIG);
        }
        message.payload.reserve((header.payload_bytes as usize).min(RESERVED_BYTES_MAX));
        Ok(())
    }

    /// Takes what has arrived of the payload.
    fn receive_payload(
        &mut self,
        mut frame: CurrentFrame,
        input: &mut &[u8],
    ) -> Result<CurrentFrame, ProtocolError> {
        let left = frame.payload_bytes - frame.received_bytes;
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
        let (piece, rest) = input.split_at(count);
        *input = rest;
        let payload = match (&mut self.message, frame.opcode.is_control()) {
            (Some(message), false) => &mut message.payload,
            _ => &mut self.control,
        };
        let start = payload.len();
        payload.extend_from_slice(piece);
        if let Some(key) = frame.key {
            apply_mask(&mut payload[start..], key, frame.received_bytes);
        }
        frame.received_bytes += count as u64;
        if let (Some(message), false) = (&mut self.message, frame.opcode.is_control()) {
            let is_plain_text = message.is_text && !message.is_compressed;
            if is_plain_text && !message.utf8.push(&message.payload[start..]) {
                return Err(ProtocolError::NOT_UTF8);
            }
        }
        Ok(frame)
    }

    fn end_frame(&mut self, frame: CurrentFrame) -> Result<Option<WebSocketEvent>, ProtocolError> {
        let payload = match frame.opcode.is_control() {
            true => std::mem::take(&mut self.control),
            false => return if frame.is_final { self.end_message().map(Some) } else { Ok(None) },
        };
        match frame.opcode {
            Opcode::Ping => Ok(Some(WebSocketEvent::Ping(payload))),
            Opcode::Pong => Ok(Some(WebSocketEvent::Pong(payload))),
            _ => parse_close(&payload).map(|(code, reason)| Some(WebSocketEvent::Close { code, reason })),
        }
    }

    fn end_message(&mut self) -> Result<WebSocketEvent, ProtocolError> {
        let mut message = self.message.take().expect("a data frame has one");
        if message.is_compressed {
            let inflater = self.options.inflater.as_mut().expect("begin_data checks it");
            message.payload = inflater.inflate(&message.payload, self.options.message_bytes_max)?;
            if message.is_text && !message.utf8.push(&message.payload) {
                return Err(ProtocolError::NOT_UTF8);
            }
        }
        match message.is_text {
            true if !message.utf8.is_complete() => Err(ProtocolError::NOT_UTF8),
            true => Ok(WebSocketEvent::Text(message.payload)),
            false => Ok(WebSocketEvent::Binary(message.payload)),
        }
    }
}

impl ProtocolError {
    pub(crate) const NOT_UTF8: ProtocolError = ProtocolError::invalid_text("Received invalid UTF-8");
    pub(crate) const TOO_BIG: ProtocolError =
        ProtocolError { code: CloseCode::MessageTooBig, reason: "Received too big message" };

    pub(crate) const fn protocol(reason: &'static str) -> ProtocolError {
        ProtocolError { code: CloseCode::ProtocolError, reason }
    }

    pub(crate) const fn invalid_text(reason: &'static str) -> ProtocolError {
        ProtocolError { code: CloseCode::InvalidPayload, reason }
    }
}
