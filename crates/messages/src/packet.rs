//! What is sent: bytes, a text, and what goes along. In: what a serializer wrote. Out: the same on
//! the other side. How far it may go is said by a [`Reach`]: memory and ports are of this process,
//! and what is kept is read when their owners are gone. Absent: the meaning of the bytes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{Bytes, Lent, Port};

/// A message on its way.
#[derive(Default)]
pub struct Packet {
    pub bytes: Bytes,
    /// Where in `bytes` its first part ends.
    pub split: usize,
    /// A message that is a text alone has no bytes.
    pub text: Option<Text>,
    pub attachments: Vec<Attachment>,
}

/// Letters of a string.
pub enum Text {
    /// Latin-1, a few letters: nothing is allocated for them.
    Short(Short),
    /// Latin-1.
    Narrow(Box<[u8]>),
    /// UTF-16.
    Wide(Box<[u16]>),
    /// A string of the sender's, which is looked at where it lies and dropped at home.
    Lent(Lent),
}

/// Letters that lie in the packet itself.
#[derive(Clone, Copy)]
pub struct Short {
    letters: [u8; Short::LETTERS_MAX],
    count: u8,
}

/// What is handed over beside the bytes.
pub enum Attachment {
    Text(Text),
    /// A copy of the bytes of an `ArrayBuffer`; each receiver has one.
    Bytes(Vec<u8>),
    /// The memory of an `ArrayBuffer`; the sender has it no more.
    Memory(Box<dyn Any + Send>),
    /// The memory of a `SharedArrayBuffer`: both have it.
    Shared(Arc<dyn Any + Send + Sync>),
    Port(Port),
    /// What never changes or keeps its own order: a blob's bytes, a list of addresses.
    Native(Arc<dyn Any + Send + Sync>),
}

/// How far a value is to go. What may go along is less, the farther it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To one thread of this process.
    Thread,
    /// To several threads of this process.
    Threads,
    /// To another process, or to a file that any process may read.
    Elsewhere,
}

/// What may not go so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    pub what: &'static str,
    pub reach: Reach,
}

impl Packet {
    pub fn of_text(text: Text) -> Packet {
        Packet { text: Some(text), ..Packet::default() }
    }

    /// The first that may not go so far.
    pub fn check(&self, reach: Reach) -> Result<(), Refused> {
        match self.attachments.iter().find(|attachment| !attachment.reaches(reach)) {
            Some(attachment) => Err(Refused { what: attachment.name(), reach }),
            None => Ok(()),
        }
    }

    /// The same packet once more, for another thread; strings that are lent are of one receiver, so
    /// there must be none.
    pub fn share(&self) -> Result<Packet, Refused> {
        self.check(Reach::Threads)?;
        let text = self.text.as_ref().map(Text::share).transpose()?;
        let attachments = self.attachments.iter().map(Attachment::share).collect::<Result<_, _>>()?;
        Ok(Packet { bytes: self.bytes.clone(), split: self.split, text, attachments })
    }
}

impl Short {
    /// As many as make no packet larger.
    pub const LETTERS_MAX: usize = 30;

    pub fn letters(&self) -> &[u8] {
        &self.letters[..usize::from(self.count)]
    }
}

impl Text {
    /// A copy of letters of Latin-1.
    pub fn of_latin1(letters: &[u8]) -> Text {
        let mut short = Short { letters: [0; Short::LETTERS_MAX], count: letters.len() as u8 };
        match short.letters.get_mut(..letters.len()) {
            Some(room) => {
                room.copy_from_slice(letters);
                Text::Short(short)
            }
            None => Text::Narrow(letters.into()),
        }
    }

    fn share(&self) -> Result<Text, Refused> {
        match self {
            Text::Short(short) => Ok(Text::Short(*short)),
            Text::Narrow(letters) => Ok(Text::Narrow(letters.clone())),
            Text::Wide(units) => Ok(Text::Wide(units.clone())),
            Text::Lent(_) => Err(Refused { what: "a text that is lent", reach: Reach::Threads }),
        }
    }
}

impl Attachment {
    pub fn name(&self) -> &'static str {
        match self {
            Attachment::Text(_) => "a text",
            Attachment::Bytes(_) => "the bytes of an ArrayBuffer",
            Attachment::Memory(_) => "the memory of an ArrayBuffer",
            Attachment::Shared(_) => "the memory of a SharedArrayBuffer",
            Attachment::Port(_) => "a MessagePort",
            Attachment::Native(_) => "a native object",
        }
    }

    pub fn reaches(&self, reach: Reach) -> bool {
        match reach {
            Reach::Thread => true,
            Reach::Threads => !matches!(self, Attachment::Memory(_) | Attachment::Port(_)),
            Reach::Elsewhere => matches!(self, Attachment::Text(_)),
        }
    }

    fn share(&self) -> Result<Attachment, Refused> {
        match self {
            Attachment::Text(text) => text.share().map(Attachment::Text),
            Attachment::Bytes(bytes) => Ok(Attachment::Bytes(bytes.clone())),
            Attachment::Shared(memory) => Ok(Attachment::Shared(Arc::clone(memory))),
            Attachment::Native(native) => Ok(Attachment::Native(Arc::clone(native))),
            Attachment::Memory(_) | Attachment::Port(_) => {
                Err(Refused { what: self.name(), reach: Reach::Threads })
            }
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let where_to = match self.reach {
            Reach::Thread => "another thread",
            Reach::Threads => "several threads",
            Reach::Elsewhere => "another process or storage",
        };
        write!(formatter, "{} cannot go to {where_to}", self.what)
    }
}
