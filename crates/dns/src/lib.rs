//! Messages of the domain name system (RFC 1035). In: the name of a host and the number of a kind
//! of records; bytes that a server sent, which may lie. Out: the bytes of a question; an answer
//! with its records, each of whose parts is known. Names come as master files write them: what is
//! no plain character is escaped. Absent: sending; sections behind the answers; classes other than
//! the internet's.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Of a part of a name, and of all of it with the lengths of its parts.
const LABEL_BYTES_MAX: usize = 63;
const NAME_BYTES_MAX: usize = 255;

const INTERNET: u16 = 1;
/// The server shall resolve recursively.
const RECURSION_DESIRED: u16 = 0x100;

/// The beginning of a pointer to the rest of a name.
const POINTER: u8 = 0xc0;

/// Numbers of kinds.
mod kinds {
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
    pub const CAA: u16 = 257;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub id: u16,
    /// 0: nothing is wrong.
    pub code: u8,
    /// There is more than had room in the message.
    pub is_cut: bool,
    /// What was asked for.
    pub host: String,
    pub kind: u16,
    pub records: Vec<Record>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: u16,
    pub ttl_s: u32,
    pub parts: Vec<Part>,
}

/// A part of a record. Which ones a kind has, and in which order, is RFC 1035's and its successors'
/// to say; what is of no known kind has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Number(u32),
    Address(IpAddr),
    Name(String),
    /// Any bytes, which are a text for most.
    Text(Vec<u8>),
    Bytes(Vec<u8>),
}

/// Bytes that are no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// `None`: no host can have this name.
pub fn question(id: u16, host: &str, kind: u16) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(host.len() + 18);
    for number in [id, RECURSION_DESIRED, 1, 0, 0, 0] {
        bytes.extend(number.to_be_bytes());
    }
    let begin = bytes.len();
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
    if bytes.len() - begin > NAME_BYTES_MAX {
        return None;
    }
    bytes.extend(kind.to_be_bytes());
    bytes.extend(INTERNET.to_be_bytes());
    Some(bytes)
}

pub fn answer(message: &[u8]) -> Result<Answer, Malformed> {
    let mut reader = Reader { message, at: 0, end: message.len() };
    let (id, flags) = (reader.number()?, reader.number()?);
    let is_answer = flags & 0x8000 != 0;
    let (questions, count) = (reader.number()?, reader.number()?);
    reader.bytes(4)?;
    if !is_answer || questions != 1 {
        return Err(Malformed);
    }
    let (host, kind, _class) = (reader.name()?, reader.number()?, reader.number()?);
    let is_cut = flags & 0x200 != 0;
    let mut records = Vec::new();
    for _ in 0..count {
        match reader.record() {
            Ok(record) => records.extend(record),
            // What was cut off is asked for again.
            Err(Malformed) if is_cut => break,
            Err(Malformed) => return Err(Malformed),
        }
    }
    Ok(Answer { id, code: (flags & 0xf) as u8, is_cut, host, kind, records })
}

struct Reader<'m> {
    message: &'m [u8],
    at: usize,
    end: usize,
}

impl<'m> Reader<'m> {
    fn bytes(&mut self, count: usize) -> Result<&'m [u8], Malformed> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.end).ok_or(Malformed)?;
        let bytes = &self.message[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Result<u16, Malformed> {
        self.bytes(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn wide(&mut self) -> Result<u32, Malformed> {
        self.bytes(4).map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn rest(&mut self) -> &'m [u8] {
        let bytes = &self.message[self.at..self.end];
        self.at = self.end;
        bytes
    }

    /// Each pointer leads to before where the part that it ends began, so there is an end.
    fn name(&mut self) -> Result<String, Malformed> {
        let mut name = String::new();
        let (mut at, mut begin) = (self.at, self.at);
        let (mut behind, mut bytes) = (None, 0);
        loop {
            // Behind a pointer it is anywhere in the message.
            let end = if behind.is_some() { self.message.len() } else { self.end };
            let length = *self.message.get(at).filter(|_| at < end).ok_or(Malformed)?;
            if length & POINTER == POINTER {
                let low = *self.message.get(at + 1).filter(|_| at + 1 < end).ok_or(Malformed)?;
                let target = usize::from(length & !POINTER) << 8 | usize::from(low);
                behind.get_or_insert(at + 2);
                if target >= begin {
                    return Err(Malformed);
                }
                (at, begin) = (target, target);
                continue;
            }
            let length = usize::from(length);
            bytes += length + 1;
            if length > LABEL_BYTES_MAX || bytes > NAME_BYTES_MAX {
                return Err(Malformed);
            }
            at += 1;
            if length == 0 {
                break;
            }
            let label = self.message.get(at..at + length).filter(|_| at + length <= end).ok_or(Malformed)?;
            if !name.is_empty() {
                name.push('.');
            }
            escape(label, &mut name);
            at += length;
        }
        self.at = behind.unwrap_or(at);
        Ok(name)
    }

    /// `None`: it is not of the internet's class.
    fn record(&mut self) -> Result<Option<Record>, Malformed> {
        let _host = self.name()?;
        let (kind, class, ttl_s) = (self.number()?, self.number()?, self.wide()?);
        let length = usize::from(self.number()?);
        let end = self.at.checked_add(length).filter(|end| *end <= self.end).ok_or(Malformed)?;
        let mut inside = Reader { message: self.message, at: self.at, end };
        self.at = end;
        if class != INTERNET {
            return Ok(None);
        }
        let parts = inside.parts(kind)?;
        if inside.at != end {
            return Err(Malformed);
        }
        Ok(Some(Record { kind, ttl_s, parts }))
    }

    fn parts(&mut self, kind: u16) -> Result<Vec<Part>, Malformed> {
        let short = |reader: &mut Self| reader.number().map(|number| Part::Number(number.into()));
        let tiny = |reader: &mut Self| reader.byte().map(|number| Part::Number(number.into()));
        let name = |reader: &mut Self| reader.name().map(Part::Name);
        let text = |reader: &mut Self| reader.text().map(Part::Text);
        Ok(match kind {
            kinds::A => vec![Part::Address(IpAddr::V4(Ipv4Addr::from(self.array::<4>()?)))],
            kinds::AAAA => vec![Part::Address(IpAddr::V6(Ipv6Addr::from(self.array::<16>()?)))],
            kinds::NS | kinds::CNAME | kinds::PTR => vec![name(self)?],
            kinds::MX => vec![short(self)?, name(self)?],
            kinds::SRV => vec![short(self)?, short(self)?, short(self)?, name(self)?],
            kinds::SOA => {
                let mut parts = vec![name(self)?, name(self)?];
                for _ in 0..5 {
                    parts.push(Part::Number(self.wide()?));
                }
                parts
            }
            kinds::TXT => {
                let mut parts = Vec::new();
                while self.at < self.end {
                    parts.push(text(self)?);
                }
                parts
            }
            kinds::NAPTR => {
                vec![short(self)?, short(self)?, text(self)?, text(self)?, text(self)?, name(self)?]
            }
            kinds::TLSA => {
                vec![tiny(self)?, tiny(self)?, tiny(self)?, Part::Bytes(self.rest().to_vec())]
            }
            kinds::CAA => vec![tiny(self)?, text(self)?, Part::Text(self.rest().to_vec())],
            _ => {
                self.rest();
                Vec::new()
            }
        })
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Malformed> {
        self.bytes(COUNT)?.try_into().map_err(|_| Malformed)
    }

    /// A byte says how many follow.
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
