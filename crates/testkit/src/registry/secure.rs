//! TLS of the registry, with HTTP/2 as the one protocol that it offers. In: a connection. Out: the
//! same answers as over HTTP/1.1, spoiled by faults that only frames can have.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rusk_http2::frame::{DEFAULT_PAYLOAD_BYTES, FrameHeader, HEADER_BYTES, PREFACE, flag, kind, write_frame};
use rusk_http2::hpack::{DEFAULT_TABLE_BYTES, HpackDecoder};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::SharedRegistry;
use super::http::{Request, decoded};
use super::http2_fault::Http2Answer;

/// Valid for 127.0.0.1, localhost and registry.test until 2126; a test certificate without a
/// secret. Both in PEM.
pub const CERTIFICATE: &str = include_str!("certificate.pem");
pub const KEY: &str = include_str!("key.pem");

/// Longer blocks of header fields are no request of a registry's client.
const HEADER_BLOCK_BYTES_MAX: usize = 64 << 10;
const BODY_BYTES_MAX: usize = 1 << 20;

/// A TLS server with this certificate that offers these protocols (ALPN).
pub fn tls_config(protocols: &[&[u8]]) -> ServerConfig {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).expect("ours");
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).expect("ours");
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring serves both")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they belong together");
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    config
}

/// Answers the requests of one connection, one after the other, until the client or a fault ends
/// it.
pub(super) fn serve(stream: &TcpStream, config: &Arc<ServerConfig>, shared: &SharedRegistry) -> Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(Error::other)?;
    let mut tls = StreamOwned::new(connection, stream);
    let mut preface = [0; PREFACE.len()];
    tls.read_exact(&mut preface)?;
    if preface != PREFACE {
        return Err(Error::from(ErrorKind::InvalidData));
    }
    write_one(&mut tls, kind::SETTINGS, 0, 0, &[])?;
    let mut requests = Requests { decoder: HpackDecoder::new(DEFAULT_TABLE_BYTES), open: Vec::new() };
    loop {
        let (header, payload) = read_frame(&mut tls)?;
        match header.kind {
            kind::SETTINGS if !header.has(flag::ACK) => {
                write_one(&mut tls, kind::SETTINGS, flag::ACK, 0, &[])?
            }
            kind::PING if !header.has(flag::ACK) => write_one(&mut tls, kind::PING, flag::ACK, 0, &payload)?,
            kind::GOAWAY => return Ok(()),
            _ => {}
        }
        if let Some(request) = requests.take(header, payload)? {
            let fault = shared.state().faults.take(&request.path);
            let answer = shared.answer(&request);
            Http2Answer { stream: header.stream, answer }.write(fault, &mut tls)?;
        }
    }
}

/// What is sent is on its way to the client when this returns.
pub fn write_one(out: &mut impl Write, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Result<()> {
    let mut frame = Vec::with_capacity(HEADER_BYTES + payload.len());
    write_frame(&mut frame, kind, flags, stream, payload);
    out.write_all(&frame)?;
    out.flush()
}

fn read_frame(tls: &mut impl Read) -> Result<(FrameHeader, Vec<u8>)> {
    let mut octets = [0; HEADER_BYTES];
    tls.read_exact(&mut octets)?;
    let header = FrameHeader::parse(&octets);
    if header.payload_bytes > DEFAULT_PAYLOAD_BYTES {
        return Err(Error::from(ErrorKind::InvalidData));
    }
    let mut payload = vec![0; header.payload_bytes as usize];
    tls.read_exact(&mut payload)?;
    Ok((header, payload))
}

/// Streams on which a request is not complete.
struct Requests {
    decoder: HpackDecoder,
    open: Vec<PartialRequest>,
}

struct PartialRequest {
    stream: u32,
    block: Vec<u8>,
    body: Vec<u8>,
}

impl Requests {
    /// The request that this frame completes.
    fn take(&mut self, header: FrameHeader, payload: Vec<u8>) -> Result<Option<Request>> {
        let stream = header.stream;
        match header.kind {
            kind::HEADERS => {
                let block = without_padding(header, &payload)?.to_vec();
                self.open.push(PartialRequest { stream, block, body: Vec::new() });
            }
            kind::CONTINUATION | kind::DATA => {
                let Some(open) = self.open.iter_mut().find(|open| open.stream == stream) else {
                    return Ok(None);
                };
                match header.kind {
                    kind::DATA => open.body.extend_from_slice(without_padding(header, &payload)?),
                    _ => open.block.extend_from_slice(&payload),
                }
                if open.body.len() > BODY_BYTES_MAX || open.block.len() > HEADER_BLOCK_BYTES_MAX {
                    return Err(Error::from(ErrorKind::InvalidData));
                }
            }
            kind::RST_STREAM => self.open.retain(|open| open.stream != stream),
            _ => return Ok(None),
        }
        // The client sends short blocks, so that END_STREAM is never before CONTINUATION.
        if !header.has(flag::END_STREAM) || !matches!(header.kind, kind::HEADERS | kind::DATA) {
            return Ok(None);
        }
        let place = self.open.iter().position(|open| open.stream == stream);
        let Some(place) = place else { return Ok(None) };
        let PartialRequest { block, body, .. } = self.open.remove(place);
        self.request(&block, body).map(Some)
    }

    fn request(&mut self, block: &[u8], body: Vec<u8>) -> Result<Request> {
        let mut fields = Vec::new();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let decode = self.decoder.decode(block, |field| fields.push((text(field.name), text(field.value))));
        decode.map_err(|error| Error::other(format!("{error:?}")))?;
        let find = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let (Some(method), Some(target)) = (find(":method"), find(":path")) else {
            return Err(Error::from(ErrorKind::InvalidData));
        };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let (path, query) = (decoded(path), query.to_owned());
        Ok(Request { method, path, query, headers: fields, body })
    }
}

/// The content of HEADERS or DATA (RFC 9113, 6.1 and 6.2).
fn without_padding(header: FrameHeader, payload: &[u8]) -> Result<&[u8]> {
    let invalid = || Error::from(ErrorKind::InvalidData);
    let mut rest = payload;
    let mut padding = 0;
    if header.has(flag::PADDED) {
        let (&length, behind) = rest.split_first().ok_or_else(invalid)?;
        (padding, rest) = (usize::from(length), behind);
    }
    if header.kind == kind::HEADERS && header.has(flag::PRIORITY) {
        rest = rest.get(5..).ok_or_else(invalid)?;
    }
    let end = rest.len().checked_sub(padding).ok_or_else(invalid)?;
    Ok(&rest[..end])
}
