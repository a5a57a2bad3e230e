//! DNS messages, RFC 1035. In: a host name and a record type; the untrusted bytes of a query or a
//! response. Out: the bytes of a query, or of an answer with addresses; the parsed query or
//! response with its records. Names are in the presentation
//! format of master files (RFC 1035, 5.1): special characters are escaped. Absent: sending; the
//! authority and additional sections; classes other than IN.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The limits of RFC 1035, 2.3.4. That of a name includes the length bytes of its labels.
const LABEL_BYTES_MAX: usize = 63;
const NAME_BYTES_MAX: usize = 255;

const CLASS_IN: u16 = 1;
/// The RD flag.
const RECURSION_DESIRED: u16 = 0x100;

/// The QR and RA flags.
const RESPONSE: u16 = 0x8000;
const RECURSION_AVAILABLE: u16 = 0x80;

const HEADER_BYTES: u8 = 12;
/// Of one answer: more than programs try.
const ADDRESSES_MAX: usize = 32;

/// The two high bits of a compression pointer: RFC 1035, 4.1.4.
const POINTER: u8 = 0xc0;

/// TYPE values, and the QTYPE `ANY`.
pub mod record_type {
    pub const A: u16 = 1;
    pub const NS: u16 = 2;
    pub const CNAME: u16 = 5;
    pub const SOA: u16 = 6;
    pub const PTR: u16 = 12;
    pub const MX: u16 = 15;
    pub const TXT: u16 = 16;
    pub const AAAA: u16 = 28;
    pub const SRV: u16 = 33;
    pub const NAPTR: u16 = 35;
    pub const TLSA: u16 = 52;
    pub const ANY: u16 = 255;
    pub const CAA: u16 = 257;
}

/// A parsed response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub id: u16,
    /// RCODE; 0 is no error.
    pub rcode: u8,
    /// The TC flag: the message had no room for all records.
    pub is_truncated: bool,
    /// The name in the question section.
    pub host: String,
    /// The type in the question section.
    pub record_type: u16,
    pub records: Vec<Record>,
}

/// A resource record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub record_type: u16,
    pub ttl_s: u32,
    pub fields: Vec<Field>,
}

/// A field of a record's RDATA. Their order is that of RFC 1035 and of the RFC of the record type.
/// Records of unknown types have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    Number(u32),
    Address(IpAddr),
    Name(String),
    /// A `<character-string>`: any bytes.
    Text(Vec<u8>),
    Bytes(Vec<u8>),
}

/// A parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub id: u16,
    pub host: String,
    pub record_type: u16,
    /// The question section, as it was sent.
    question: Vec<u8>,
}

/// RCODE of a name that does not exist.
pub const NAME_ERROR: u8 = 3;

/// The bytes are not a valid message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Encodes a query. `None`: the host name is invalid.
pub fn encode_query(id: u16, host: &str, record_type: u16) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(host.len() + 18);
    for number in [id, RECURSION_DESIRED, 1, 0, 0, 0] {
        bytes.extend(number.to_be_bytes());
    }
    let name_start = bytes.len();
    let host = host.strip_suffix('.').unwrap_or(host);
    let labels = host.split('.').filter(|label| !(label.is_empty() && host.is_empty()));
    for label in labels {
        if label.is_empty() || label.len() > LABEL_BYTES_MAX {
            return None;
        }
        bytes.push(label.len() as u8);
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    if bytes.len() - name_start > NAME_BYTES_MAX {
        return None;
    }
    bytes.extend(record_type.to_be_bytes());
    bytes.extend(CLASS_IN.to_be_bytes());
    Some(bytes)
}

/// Decodes the header and the question section of a query with one question. Its name must not be
/// compressed: a pointer could lead only into the header, which is another one in the answer.
pub fn decode_query(message: &[u8]) -> Result<Query, Malformed> {
    let mut reader = MessageReader { message, offset: 0, end: message.len() };
    let (id, flags, questions) = (reader.u16()?, reader.u16()?, reader.u16()?);
    let is_standard_query = flags & 0xf800 == 0;
    reader.bytes(6)?;
    // Nothing is before the first byte of this reader, so it refuses every pointer.
    let message = reader.rest();
    let mut reader = MessageReader { message, offset: 0, end: message.len() };
    let (host, record_type, class) = (reader.name()?, reader.u16()?, reader.u16()?);
    if !is_standard_query || questions != 1 || class != CLASS_IN {
        return Err(Malformed);
    }
    Ok(Query { id, host, record_type, question: message[..reader.offset].to_vec() })
}

/// Encodes a response to a query: an RCODE, and the addresses of the type that was asked for.
pub fn encode_answer(query: &Query, rcode: u8, addresses: &[IpAddr], ttl_s: u32) -> Vec<u8> {
    let is_wanted = |address: &&IpAddr| match address {
        IpAddr::V4(_) => query.record_type == record_type::A,
        IpAddr::V6(_) => query.record_type == record_type::AAAA,
    };
    let addresses: Vec<&IpAddr> = addresses.iter().filter(is_wanted).take(ADDRESSES_MAX).collect();
    let flags = RESPONSE | RECURSION_DESIRED | RECURSION_AVAILABLE | u16::from(rcode & 0xf);
    let mut bytes = Vec::new();
    for number in [query.id, flags, 1, addresses.len() as u16, 0, 0] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend(&query.question);
    for address in addresses {
        let octets = match address {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets().to_vec(),
        };
        // The name of the question, after the header.
        bytes.extend([POINTER, HEADER_BYTES]);
        for number in [query.record_type, CLASS_IN] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(ttl_s.to_be_bytes());
        bytes.extend((octets.len() as u16).to_be_bytes());
        bytes.extend(octets);
    }
    bytes
}

/// Decodes the header, the question section and the answer section.
pub fn decode_response(message: &[u8]) -> Result<Response, Malformed> {
    let mut reader = MessageReader { message, offset: 0, end: message.len() };
    let (id, flags) = (reader.u16()?, reader.u16()?);
    let is_response = flags & 0x8000 != 0;
    let (questions, count) = (reader.u16()?, reader.u16()?);
    reader.bytes(4)?;
    if !is_response || questions != 1 {
        return Err(Malformed);
    }
    let (host, record_type, _class) = (reader.name()?, reader.u16()?, reader.u16()?);
    let is_truncated = flags & 0x200 != 0;
    let mut records = Vec::new();
    for _ in 0..count {
        match reader.record() {
            Ok(record) => records.extend(record),
            // The caller repeats a truncated query over TCP.
            Err(Malformed) if is_truncated => break,
            Err(Malformed) => return Err(Malformed),
        }
    }
    Ok(Response { id, rcode: (flags & 0xf) as u8, is_truncated, host, record_type, records })
}

struct MessageReader<'m> {
    message: &'m [u8],
    offset: usize,
    end: usize,
}

impl<'m> MessageReader<'m> {
    fn bytes(&mut self, count: usize) -> Result<&'m [u8], Malformed> {
        let end = self.offset.checked_add(count).filter(|end| *end <= self.end).ok_or(Malformed)?;
        let bytes = &self.message[self.offset..end];
        self.offset = end;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Result<u16, Malformed> {
        self.bytes(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        self.bytes(4).map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn rest(&mut self) -> &'m [u8] {
        let bytes = &self.message[self.offset..self.end];
        self.offset = self.end;
        bytes
    }

    /// Each pointer must lead to before the start of the labels that it ends, so the loop ends.
    fn name(&mut self) -> Result<String, Malformed> {
        let mut name = String::new();
        let (mut offset, mut start) = (self.offset, self.offset);
        let (mut end_of_name, mut bytes) = (None, 0);
        loop {
            // The target of a pointer may be anywhere in the message.
            let end = if end_of_name.is_some() { self.message.len() } else { self.end };
            let length = *self.message.get(offset).filter(|_| offset < end).ok_or(Malformed)?;
            if length & POINTER == POINTER {
                let low = *self.message.get(offset + 1).filter(|_| offset + 1 < end).ok_or(Malformed)?;
                let target = usize::from(length & !POINTER) << 8 | usize::from(low);
                end_of_name.get_or_insert(offset + 2);
                if target >= start {
                    return Err(Malformed);
                }
                (offset, start) = (target, target);
                continue;
            }
            let length = usize::from(length);
            bytes += length + 1;
            if length > LABEL_BYTES_MAX || bytes > NAME_BYTES_MAX {
                return Err(Malformed);
            }
            offset += 1;
            if length == 0 {
                break;
            }
            let label = self
                .message
                .get(offset..offset + length)
                .filter(|_| offset + length <= end)
                .ok_or(Malformed)?;
            if !name.is_empty() {
                name.push('.');
            }
            escape(label, &mut name);
            offset += length;
        }
        self.offset = end_of_name.unwrap_or(offset);
        Ok(name)
    }

    /// `None`: its class is not IN.
    fn record(&mut self) -> Result<Option<Record>, Malformed> {
        let _host = self.name()?;
        let (record_type, class, ttl_s) = (self.u16()?, self.u16()?, self.u32()?);
        let length = usize::from(self.u16()?);
        let end = self.offset.checked_add(length).filter(|end| *end <= self.end).ok_or(Malformed)?;
        let mut rdata = MessageReader { message: self.message, offset: self.offset, end };
        self.offset = end;
        if class != CLASS_IN {
            return Ok(None);
        }
        let fields = rdata.fields(record_type)?;
        if rdata.offset != end {
            return Err(Malformed);
        }
        Ok(Some(Record { record_type, ttl_s, fields }))
    }

    fn fields(&mut self, record_type: u16) -> Result<Vec<Field>, Malformed> {
        let short = |reader: &mut Self| reader.u16().map(|number| Field::Number(number.into()));
        let byte = |reader: &mut Self| reader.byte().map(|number| Field::Number(number.into()));
        let name = |reader: &mut Self| reader.name().map(Field::Name);
        let text = |reader: &mut Self| reader.text().map(Field::Text);
        Ok(match record_type {
            record_type::A => vec![Field::Address(IpAddr::V4(Ipv4Addr::from(self.array::<4>()?)))],
            record_type::AAAA => vec![Field::Address(IpAddr::V6(Ipv6Addr::from(self.array::<16>()?)))],
            record_type::NS | record_type::CNAME | record_type::PTR => vec![name(self)?],
            record_type::MX => vec![short(self)?, name(self)?],
            record_type::SRV => vec![short(self)?, short(self)?, short(self)?, name(self)?],
            record_type::SOA => {
                let mut fields = vec![name(self)?, name(self)?];
                for _ in 0..5 {
                    fields.push(Field::Number(self.u32()?));
                }
                fields
            }
            record_type::TXT => {
                let mut fields = Vec::new();
                while self.offset < self.end {
                    fields.push(text(self)?);
                }
                fields
            }
            record_type::NAPTR => {
                vec![short(self)?, short(self)?, text(self)?, text(self)?, text(self)?, name(self)?]
            }
            record_type::TLSA => {
                vec![byte(self)?, byte(self)?, byte(self)?, Field::Bytes(self.rest().to_vec())]
            }
            record_type::CAA => vec![byte(self)?, text(self)?, Field::Text(self.rest().to_vec())],
            _ => {
                self.rest();
                Vec::new()
            }
        })
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Malformed> {
        self.bytes(COUNT)?.try_into().map_err(|_| Malformed)
    }

    /// A length byte and that many bytes.
    fn text(&mut self) -> Result<Vec<u8>, Malformed> {
        let length = self.byte()?.into();
        self.bytes(length).map(<[u8]>::to_vec)
    }
}

fn escape(label: &[u8], name: &mut String) {
    for byte in label {
        match byte {
            b'"' | b'.' | b';' | b'\\' | b'(' | b')' | b'@' | b'$' => {
                name.push('\\');
                name.push(char::from(*byte));
            }
            0x21..=0x7e => name.push(char::from(*byte)),
            _ => {
                let _ = write!(name, "\\{byte:03}");
            }
        }
    }
}

#[cfg(test)]
mod tests;
