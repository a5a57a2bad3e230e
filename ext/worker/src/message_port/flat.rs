//! An object whose members are primitives, sent in one call: its values are the call's arguments.
//! In: the number of its shape, values. Out: a packet of a form of its own, in which each member
//! has its place, so that js/internal/messaging/decoder.js reads it in any order. Absent: what is
//! not flat, or has more characters than a packet takes along; JavaScript writes that.

use std::cell::RefCell;

use rusk_jsc::{Call, CodeUnits, Kind, Outcome, Scope, Value};
use rusk_messages::{MessageString, Packet, PacketBytes};

use super::{with_inbox, with_port};
use rusk_runtime::Inbox;

rusk_runtime::shared_constants! {
    /// Tags of values in a packet that this file writes too; JavaScript has more of them.
    pub mod tag: i32 {
        UNDEFINED = 0,
        NULL = 1,
        TRUE = 2,
        FALSE = 3,
        INT = 4,
        DOUBLE = 5,
        STRING = 6,
        FLAT = 29,
    }
}

/// Nothing moves, nothing goes along, nothing is absent; the tag and the shape.
const FIRST_WORDS: usize = 5;
/// Of a member: what it is, and the number, the number's place, or where a text begins and how long
/// it is.
const MEMBER_WORDS: usize = 2;
/// Of all strings together, so that a place and a length are half a word each.
const LETTERS_MAX: usize = 256;
/// An object of a shape has no more members.
const MEMBERS_MAX: usize = 64;

/// A packet as far as it is written.
struct Written {
    ints: [u8; (FIRST_WORDS + MEMBER_WORDS * MEMBERS_MAX) * 4],
    int_bytes: usize,
    /// Filled from the end, the first one last, as the arena has them.
    numbers: [u8; MEMBERS_MAX * 8],
    number_count: usize,
    letters: [u8; LETTERS_MAX],
    letter_count: usize,
}

thread_local! {
    /// Used again and again: to clear it would take longer than to write most objects.
    static WRITTEN: RefCell<Written> = const { RefCell::new(Written::EMPTY) };
}

/// `(port, shape, ...values)`: whether it was sent; undefined: that is for JavaScript to write.
pub(super) fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let shape = call.argument(scope, 1).to_number(scope)? as i32;
    let values = call.arguments.get(2..).unwrap_or_default();
    let packet = WRITTEN.with_borrow_mut(|written| written.packet(scope, shape, values));
    let Some(packet) = packet else { return Ok(scope.undefined()) };
    with_inbox(Inbox::reclaim_if_large);
    Ok(scope.boolean(with_port(scope, call, |port| port.send(packet)).unwrap_or(false)))
}

impl Written {
    const EMPTY: Written = Written {
        ints: [0; (FIRST_WORDS + MEMBER_WORDS * MEMBERS_MAX) * 4],
        int_bytes: 0,
        numbers: [0; MEMBERS_MAX * 8],
        number_count: 0,
        letters: [0; LETTERS_MAX],
        letter_count: 0,
    };

    /// `None`: it is not for here.
    fn packet(&mut self, scope: &Scope, shape: i32, values: &[Value<'_>]) -> Option<Packet> {
        if values.len() > MEMBERS_MAX {
            return None;
        }
        (self.int_bytes, self.number_count, self.letter_count) = (0, 0, 0);
        [0, 0, 0, tag::FLAT, shape].into_iter().for_each(|word| self.push(word));
        for value in values {
            let [tag, word] = self.member(scope, *value)?;
            self.push(tag);
            self.push(word);
        }
        Some(self.to_packet())
    }

    fn push(&mut self, word: i32) {
        self.ints[self.int_bytes..self.int_bytes + 4].copy_from_slice(&word.to_ne_bytes());
        self.int_bytes += 4;
    }

    fn member(&mut self, scope: &Scope, value: Value<'_>) -> Option<[i32; MEMBER_WORDS]> {
        Some(match value.kind(scope) {
            Kind::Undefined => [tag::UNDEFINED, 0],
            Kind::Null => [tag::NULL, 0],
            Kind::Boolean => [if value.is_truthy(scope) { tag::TRUE } else { tag::FALSE }, 0],
            Kind::Number => self.number(value.to_number(scope).ok()?),
            Kind::String => [tag::STRING, self.text(scope, value)?],
            Kind::Symbol | Kind::BigInt | Kind::Object => return None,
        })
    }

    fn number(&mut self, number: f64) -> [i32; MEMBER_WORDS] {
        let whole = number as i32;
        if f64::from(whole).to_bits() == number.to_bits() {
            return [tag::INT, whole];
        }
        let place = self.number_count;
        self.number_count += 1;
        let begin = self.numbers.len() - self.number_count * 8;
        self.numbers[begin..begin + 8].copy_from_slice(&number.to_ne_bytes());
        [tag::DOUBLE, place as i32]
    }

    fn text(&mut self, scope: &Scope, value: Value<'_>) -> Option<i32> {
        let begin = self.letter_count;
        let room = &mut self.letters[begin..];
        let count = value.with_code_units(scope, |letters| match letters {
            CodeUnits::Latin1(letters) => {
                room.get_mut(..letters.len())?.copy_from_slice(letters);
                Some(letters.len())
            }
            CodeUnits::Utf16(_) => None,
        })??;
        self.letter_count += count;
        Some((begin << 16 | count) as i32)
    }

    fn to_packet(&self) -> Packet {
        let begin = self.numbers.len() - self.number_count * 8;
        Packet {
            bytes: PacketBytes::from_parts(&self.ints[..self.int_bytes], &self.numbers[begin..]),
            split: self.int_bytes,
            string: Some(MessageString::from_latin1(&self.letters[..self.letter_count])),
            attachments: Vec::new(),
        }
    }
}
