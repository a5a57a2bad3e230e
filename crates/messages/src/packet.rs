//! Packet: one message as bytes or a string, with attachments. In: the output of structured clone.
//! Out: the same at the receiver. A [`Destination`] limits which attachments are allowed: memory
//! and ports exist in this process only, and a stored message may outlive its sender. Absent: the
//! meaning of the bytes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{PacketBytes, Port, RemoteRef};

/// A message in transit.
#[derive(Default)]
pub struct Packet {
    pub bytes: PacketBytes,
    /// Offset in `bytes` at which the first part ends.
    pub split: usize,
    /// Set if the message is a single string; `bytes` is empty then.
    pub string: Option<MessageString>,
    pub attachments: Vec<Attachment>,
}

/// The code units of a JavaScript string.
pub enum MessageString {
    /// Short Latin-1, without an allocation.
    Inline(InlineLatin1),
    /// Latin-1.
    Latin1(Box<[u8]>),
    /// UTF-16.
    Utf16(Box<[u16]>),
    /// A string of the sending thread: read in place, dropped by its owner.
    Remote(RemoteRef),
}

/// Latin-1 code units inside the packet.
#[derive(Clone, Copy)]
pub struct InlineLatin1 {
    units: [u8; InlineLatin1::UNITS_MAX],
    count: u8,
}

/// A value that is passed beside the bytes.
pub enum Attachment {
    String(MessageString),
    /// A copy of the bytes of an `ArrayBuffer`; each receiver gets its own.
    Bytes(Vec<u8>),
    /// Transferred memory of an `ArrayBuffer`; the sender's buffer is detached.
    Memory(Box<dyn Any + Send>),
    /// Memory of a `SharedArrayBuffer`, shared by both.
    Shared(Arc<dyn Any + Send + Sync>),
    Port(Port),
    /// An immutable or synchronized native object: a blob's bytes, a block list.
    Native(Arc<dyn Any + Send + Sync>),
}

/// Where a value is sent. The farther it is, the fewer kinds of attachments are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// One thread of this process.
    Thread,
    /// Several threads of this process.
    Threads,
    /// Another process, or storage that any process may read.
    OutOfProcess,
}

/// An attachment that must not be sent to its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferError {
    pub what: &'static str,
    pub destination: Destination,
}

impl Packet {
    pub fn from_string(string: MessageString) -> Packet {
        Packet { string: Some(string), ..Packet::default() }
    }

    /// Fails with the first attachment that is not allowed.
    pub fn check(&self, destination: Destination) -> Result<(), TransferError> {
        match self.attachments.iter().find(|attachment| !attachment.can_go_to(destination)) {
            Some(attachment) => Err(TransferError { what: attachment.name(), destination }),
            None => Ok(()),
        }
    }

    /// A copy for another receiver. A [`RemoteRef`] has one receiver, so there must be none.
    pub fn share(&self) -> Result<Packet, TransferError> {
        self.check(Destination::Threads)?;
        let string = self.string.as_ref().map(MessageString::share).transpose()?;
        let attachments = self.attachments.iter().map(Attachment::share).collect::<Result<_, _>>()?;
        Ok(Packet { bytes: self.bytes.clone(), split: self.split, string, attachments })
    }
}

impl InlineLatin1 {
    /// The largest count that does not make a packet larger.
    pub const UNITS_MAX: usize = 30;

    pub fn units(&self) -> &[u8] {
        &self.units[..usize::from(self.count)]
    }
}

impl MessageString {
    /// Copies Latin-1 code units.
    pub fn from_latin1(units: &[u8]) -> MessageString {
        let mut inline = InlineLatin1 { units: [0; InlineLatin1::UNITS_MAX], count: units.len() as u8 };
        match inline.units.get_mut(..units.len()) {
            Some(room) => {
                room.copy_from_slice(units);
                MessageString::Inline(inline)
            }
            None => MessageString::Latin1(units.into()),
        }
    }

    fn share(&self) -> Result<MessageString, TransferError> {
        match self {
            MessageString::Inline(inline) => Ok(MessageString::Inline(*inline)),
            MessageString::Latin1(units) => Ok(MessageString::Latin1(units.clone())),
            MessageString::Utf16(units) => Ok(MessageString::Utf16(units.clone())),
            MessageString::Remote(_) => {
                Err(TransferError { what: "a string of another thread", destination: Destination::Threads })
            }
        }
    }
}

impl Attachment {
    pub fn name(&self) -> &'static str {
        match self {
            Attachment::String(_) => "a string",
            Attachment::Bytes(_) => "the bytes of an ArrayBuffer",
            Attachment::Memory(_) => "the memory of an ArrayBuffer",
            Attachment::Shared(_) => "the memory of a SharedArrayBuffer",
            Attachment::Port(_) => "a MessagePort",
            Attachment::Native(_) => "a native object",
        }
    }

    pub fn can_go_to(&self, destination: Destination) -> bool {
        match destination {
            Destination::Thread => true,
            Destination::Threads => !matches!(self, Attachment::Memory(_) | Attachment::Port(_)),
            Destination::OutOfProcess => matches!(self, Attachment::String(_)),
        }
    }

    fn share(&self) -> Result<Attachment, TransferError> {
        match self {
            Attachment::String(string) => string.share().map(Attachment::String),
            Attachment::Bytes(bytes) => Ok(Attachment::Bytes(bytes.clone())),
            Attachment::Shared(memory) => Ok(Attachment::Shared(Arc::clone(memory))),
            Attachment::Native(native) => Ok(Attachment::Native(Arc::clone(native))),
            Attachment::Memory(_) | Attachment::Port(_) => {
                Err(TransferError { what: self.name(), destination: Destination::Threads })
            }
        }
    }
}

impl fmt::Display for TransferError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let where_to = match self.destination {
            Destination::Thread => "another thread",
            Destination::Threads => "several threads",
            Destination::OutOfProcess => "another process or storage",
        };
        write!(formatter, "{} cannot go to {where_to}", self.what)
    }
}
