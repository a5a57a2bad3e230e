//! An object whose members are primitives, sent in one call: its values are the call's arguments. In: the number of its shape, values. Out: the packet that js/internal/messaging/encoder.js
//! would have written of it. Absent: what is not flat, or has more letters than a packet takes along; JavaScript writes that.

use rusk_jsc::{Call, Kind, Letters, Outcome, Scope, Value};
use rusk_messages::{Packet, Text};

use super::{with_mail, with_port};
use crate::mail::Mail;

/// What a value is; js/internal/messaging/tags.js has the same numbers.
mod tag {
    pub const UNDEFINED: i32 = 0;
    pub const NULL: i32 = 1;
    pub const TRUE: i32 = 2;
    pub const FALSE: i32 = 3;
    pub const INT: i32 = 4;
    pub const DOUBLE: i32 = 5;
    pub const STRING: i32 = 6;
    pub const SHAPED: i32 = 12;
}

/// Nothing moves, nothing goes along, nothing is absent.
const HEADER: [i32; 3] = [0, 0, 0];
/// Of all strings together.
const LETTERS_MAX: usize = 256;
/// An object of a shape has no more members.
const MEMBERS_MAX: usize = 64;

/// A packet as far as it is written.
struct Written {
    ints: Vec<u8>,
    doubles: [f64; MEMBERS_MAX],
    double_count: usize,
    letters: [u8; LETTERS_MAX],
    letter_count: usize,
}

/// `(port, shape, ...values)`: whether it was sent; undefined: that is for JavaScript to write.
pub(super) fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let shape = call.argument(scope, 1).to_number(scope)? as i32;
    let values = call.arguments.get(2..).unwrap_or_default();
    let Some(packet) = written(scope, shape, values) else { return Ok(scope.undefined()) };
    with_mail(Mail::drop_much_returned);
    Ok(scope.boolean(with_port(scope, call, |port| port.send(packet)).unwrap_or(false)))
}

fn written(scope: &Scope, shape: i32, values: &[Value<'_>]) -> Option<Packet> {
    if values.len() > MEMBERS_MAX {
        return None;
    }
    let mut written = Written {
        ints: Vec::with_capacity((HEADER.len() + 2 + 2 * values.len()) * 4 + 8 * values.len()),
        doubles: [0.0; MEMBERS_MAX],
        double_count: 0,
        letters: [0; LETTERS_MAX],
        letter_count: 0,
    };
    HEADER.into_iter().chain([tag::SHAPED, shape]).for_each(|word| written.push(word));
    for value in values {
        written.add(scope, *value)?;
    }
    Some(written.into_packet())
}

impl Written {
    fn push(&mut self, word: i32) {
        self.ints.extend_from_slice(&word.to_ne_bytes());
    }

    /// `None`: it is not for here.
    fn add(&mut self, scope: &Scope, value: Value<'_>) -> Option<()> {
        match value.kind(scope) {
            Kind::Undefined => self.push(tag::UNDEFINED),
            Kind::Null => self.push(tag::NULL),
            Kind::Boolean => self.push(if value.is_truthy(scope) { tag::TRUE } else { tag::FALSE }),
            Kind::Number => self.add_number(value.to_number(scope).ok()?),
            Kind::String => self.add_text(scope, value)?,
            Kind::Symbol | Kind::BigInt | Kind::Object => return None,
        }
        Some(())
    }

    fn add_number(&mut self, number: f64) {
        let whole = number as i32;
        if f64::from(whole).to_bits() == number.to_bits() {
            self.push(tag::INT);
            self.push(whole);
        } else {
            self.push(tag::DOUBLE);
            self.doubles[self.double_count] = number;
            self.double_count += 1;
        }
    }

    fn add_text(&mut self, scope: &Scope, value: Value<'_>) -> Option<()> {
        let room = &mut self.letters[self.letter_count..];
        let count = value.letters(scope, |letters| match letters {
            Letters::Narrow(letters) => {
                room.get_mut(..letters.len())?.copy_from_slice(letters);
                Some(letters.len())
            }
            Letters::Wide(_) => None,
        })??;
        self.letter_count += count;
        self.push(tag::STRING);
        self.push(i32::try_from(count).ok()?);
        Some(())
    }

    /// Doubles stand behind, the first one last.
    fn into_packet(mut self) -> Packet {
        let split = self.ints.len();
        for number in self.doubles[..self.double_count].iter().rev() {
            self.ints.extend_from_slice(&number.to_ne_bytes());
        }
        let text = Some(Text::of_latin1(&self.letters[..self.letter_count]));
        Packet { bytes: self.ints, split, text, attachments: Vec::new() }
    }
}
