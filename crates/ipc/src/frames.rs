//! Messages cut from a stream of bytes. In: bytes as they come, which may be hostile. Out: each
//! message once, in order. What is not whole yet is kept, up to a limit; a length that promises
//! more than came has no memory of its own. Absent: what a message says.

use std::fmt;

/// How the end of a message is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line each: JSON, as Node and bun write it.
    Lines,
    /// Behind four bytes of its length, the greatest first: values in V8's form, as Node writes
    /// them.
    Lengths,
    /// Behind a byte for its kind and four of its length, the smallest first: values in the
    /// engine's own form, as bun writes them.
    Kinds,
}

/// No text of Node's is longer, and a message is in memory two or three times while it is read.
pub const MESSAGE_BYTES_MAX: usize = 512 << 20;

/// Memory that is kept for the next message that comes in pieces.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// What bun sends first: a kind, and the number of its form.
const GREETING: u8 = 1;
const VALUE: u8 = 2;
/// Between programs of bun's own making, which no program sees.
const INTERNAL: u8 = 3;
/// The second of its forms, which bun has had since 1.3.
pub const BUN_GREETING: [u8; 5] = [GREETING, 2, 0, 0, 0];

/// Why bytes are no messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    TooLong,
    /// No kind that there is.
    UnknownKind(u8),
    /// What bun says first, where Node's form is spoken.
    Foreign,
}

/// After `Channel closed: the other end`.
impl fmt::Display for Flaw {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::TooLong => write!(to, "began a message of more than {MESSAGE_BYTES_MAX} bytes"),
            Flaw::UnknownKind(kind) => write!(to, "sent a message of the unknown kind {kind}"),
            Flaw::Foreign => to.write_str("speaks bun's form of `serialization: 'advanced'`, this one Node's; `json` is the same for both"),
        }
    }
}

/// A stream of them.
pub struct Frames {
    form: Form,
    /// A message that is not whole, with what stands before it.
    rest: Vec<u8>,
}

/// Where the message ends whose first byte comes next.
enum End {
    /// Not among these bytes.
    Later,
    /// The message within the bytes, and where the next one begins; `None`: nothing for anybody.
    At { message: Option<(usize, usize)>, next: usize },
}

impl Frames {
    pub fn new(form: Form) -> Frames {
        Frames { form, rest: Vec::new() }
    }

    /// Calls `each` with every message that is whole now, and whether it ends where `bytes` end.
    pub fn cut(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8], bool)) -> Result<(), Flaw> {
        let mut left = bytes;
        while !self.rest.is_empty() && !left.is_empty() {
            let taken = self.wanted(left);
            self.rest.extend_from_slice(&left[..taken]);
            left = &left[taken..];
            if let End::At { message, .. } = self.end(&self.rest, self.rest.len() - taken)? {
                if let Some((from, to)) = message {
                    each(&self.rest[from..to], left.is_empty());
                }
                self.forget();
            }
        }
        while !left.is_empty() {
            match self.end(left, 0)? {
                End::Later => {
                    self.rest.extend_from_slice(left);
                    return Ok(());
                }
                End::At { message, next } => {
                    if let Some((from, to)) = message {
                        each(&left[from..to], next == left.len());
                    }
                    left = &left[next..];
                }
            }
        }
        Ok(())
    }

    /// Whether a message has begun and is not whole.
    pub fn is_within(&self) -> bool {
        !self.rest.is_empty()
    }

    fn forget(&mut self) {
        self.rest.clear();
        self.rest.shrink_to(KEPT_BYTES_MAX);
    }

    /// How many of these bytes belong to the message that is not whole, at most; one at least.
    fn wanted(&self, left: &[u8]) -> usize {
        let wanted = match self.form {
            Form::Lines => memchr::memchr(b'\n', left).map_or(left.len(), |at| at + 1),
            Form::Lengths | Form::Kinds => {
                let head = self.form.head_bytes();
                let all = self.form.body_bytes(&self.rest).map_or(head, |body| head + body);
                all - self.rest.len()
            }
        };
        wanted.min(left.len())
    }

    /// Bytes before `searched` were looked through.
    fn end(&self, bytes: &[u8], searched: usize) -> Result<End, Flaw> {
        match self.form {
            Form::Lines => match memchr::memchr(b'\n', &bytes[searched..]) {
                Some(at) => {
                    let at = searched + at;
                    check(at)?;
                    Ok(End::At { message: Some((0, at)), next: at + 1 })
                }
                None => check(bytes.len()).map(|()| End::Later),
            },
            Form::Lengths | Form::Kinds => self.end_by_length(bytes),
        }
    }

    fn end_by_length(&self, bytes: &[u8]) -> Result<End, Flaw> {
        let Some(body) = self.form.body_bytes(bytes) else { return Ok(End::Later) };
        // bun's greeting would be a length of sixteen million; what V8 writes begins with 255.
        if self.form == Form::Lengths && bytes.starts_with(&BUN_GREETING) {
            return Err(Flaw::Foreign);
        }
        check(body)?;
        let (head, all) = (self.form.head_bytes(), self.form.head_bytes() + body);
        if self.form == Form::Kinds && !(GREETING..=INTERNAL).contains(&bytes[0]) {
            return Err(Flaw::UnknownKind(bytes[0]));
        }
        if bytes.len() < all {
            return Ok(End::Later);
        }
        let is_shown = self.form == Form::Lengths || bytes[0] == VALUE;
        Ok(End::At { message: is_shown.then_some((head, all)), next: all })
    }
}

fn check(length: usize) -> Result<(), Flaw> {
    if length > MESSAGE_BYTES_MAX { Err(Flaw::TooLong) } else { Ok(()) }
}

impl Form {
    fn head_bytes(self) -> usize {
        match self {
            Form::Lines => 0,
            Form::Lengths => 4,
            Form::Kinds => 5,
        }
    }

    /// What stands behind the head; `None`: the head is not whole.
    fn body_bytes(self, bytes: &[u8]) -> Option<usize> {
        let length = match self {
            Form::Lines => return None,
            Form::Lengths => u32::from_be_bytes(*bytes.first_chunk()?),
            // A greeting has a number where others have their length.
            Form::Kinds if *bytes.first()? == GREETING => bytes.get(1..5).map(|_| 0)?,
            Form::Kinds => u32::from_le_bytes(*bytes.get(1..)?.first_chunk()?),
        };
        Some(length as usize)
    }

    /// A message as it is sent. `None`: no other end takes one as long.
    pub fn framed(self, message: &[u8]) -> Option<Vec<u8>> {
        let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= MESSAGE_BYTES_MAX)?;
        let mut framed = Vec::with_capacity(message.len() + 5);
        match self {
            Form::Lines => {}
            Form::Lengths => framed.extend(length.to_be_bytes()),
            Form::Kinds => {
                framed.push(VALUE);
                framed.extend(length.to_le_bytes());
            }
        }
        framed.extend_from_slice(message);
        if self == Form::Lines {
            framed.push(b'\n');
        }
        Some(framed)
    }
}

#[cfg(test)]
mod tests;
