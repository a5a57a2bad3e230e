//! WebSocket protocol: RFC 6455, and permessage-deflate of RFC 7692. In: untrusted bytes of a
//! connection, messages to send. Out: messages, control frames and the error that ends the
//! connection; bytes of frames. Absent: sockets, the HTTP handshake but for the negotiation of its
//! extension, random numbers (the caller passes masking keys).

mod close;
mod decoder;
mod deflate;
mod encoder;
mod extension;
mod frame;
mod mask;
#[cfg(test)]
mod tests;
mod utf8;

pub use close::{CloseCode, close_payload, is_valid_close_code};
pub use decoder::{DecoderOptions, MessageDecoder, ProtocolError, WebSocketEvent};
pub use deflate::{Deflater, Inflater};
pub use encoder::{CONTROL_BYTES_MAX, HEADER_BYTES_MAX, encode_frame, encode_header};
pub use extension::{DeflateParameters, DeflateSupport, accept_offer, accept_response};
pub use frame::{Endpoint, Opcode};
pub use mask::apply_mask;
