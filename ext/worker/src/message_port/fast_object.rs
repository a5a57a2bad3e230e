//! Fast path of `postMessage` for an object of a known shape with primitive members only: one call,
//! whose arguments are the values. In: the shape's id, values. Out: a packet with fixed offsets,
//! which `decoder.js` decodes as one object literal. Absent: other members and long strings; they
//! are encoded by JavaScript.

use std::cell::RefCell;

use rusk_jsc::{Call, CodeUnits, Kind, Outcome, Scope, Value};
use rusk_messages::{MessageString, Packet, PacketBytes};

use super::format::layout::{self, MEMBER_WORDS};
use super::format::tag;
use super::{with_inbox, with_port};
use rusk_runtime::Inbox;

/// The packet's header, the tag and the shape.
const HEADER_WORDS: usize = layout::HEADER_WORDS + 2;
/// Of all strings together: an offset and a length share a word.
const CHARACTERS_MAX: usize = 256;
/// Shapes have at most this many members.
const MEMBERS_MAX: usize = 64;

struct FastObjectBuilder {
    ints: [u8; (HEADER_WORDS + MEMBER_WORDS * MEMBERS_MAX) * 4],
    int_bytes: usize,
    /// Filled from the end, as in other packets.
    numbers: [u8; MEMBERS_MAX * 8],
    number_count: usize,
    characters: [u8; CHARACTERS_MAX],
    character_count: usize,
}

thread_local! {
    /// Reused: clearing it would take longer than writing most objects.
    static BUILDER: RefCell<FastObjectBuilder> = const { RefCell::new(FastObjectBuilder::EMPTY) };
}

/// `(port, shape, ...values)`: whether it was sent; undefined: JavaScript must encode the object.
pub(super) fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let shape = call.argument(scope, 1).to_number(scope)? as i32;
    let values = call.arguments.get(2..).unwrap_or_default();
    let packet = BUILDER.with_borrow_mut(|builder| builder.build(scope, shape, values));
    let Some(packet) = packet else { return Ok(scope.undefined()) };
    with_inbox(Inbox::reclaim_if_large);
    Ok(scope.boolean(with_port(scope, call, |port| port.send(packet)).unwrap_or(false)))
}

impl FastObjectBuilder {
    const EMPTY: FastObjectBuilder = FastObjectBuilder {
        ints: [0; (HEADER_WORDS + MEMBER_WORDS * MEMBERS_MAX) * 4],
        int_bytes: 0,
        numbers: [0; MEMBERS_MAX * 8],
        number_count: 0,
        characters: [0; CHARACTERS_MAX],
        character_count: 0,
    };

    /// `None`: not a fast object.
    fn build(&mut self, scope: &Scope, shape: i32, values: &[Value<'_>]) -> Option<Packet> {
        if values.len() > MEMBERS_MAX {
            return None;
        }
        (self.int_bytes, self.number_count, self.character_count) = (0, 0, 0);
        [0, 0, 0, tag::FAST_OBJECT, shape].into_iter().for_each(|word| self.push(word));
        for value in values {
            let [tag, word] = self.encode_member(scope, *value)?;
            self.push(tag);
            self.push(word);
        }
        Some(self.to_packet())
    }

    fn push(&mut self, word: i32) {
        self.ints[self.int_bytes..self.int_bytes + 4].copy_from_slice(&word.to_ne_bytes());
        self.int_bytes += 4;
    }

    fn encode_member(&mut self, scope: &Scope, value: Value<'_>) -> Option<[i32; MEMBER_WORDS]> {
        Some(match value.kind(scope) {
            Kind::Undefined => [tag::UNDEFINED, 0],
            Kind::Null => [tag::NULL, 0],
            Kind::Boolean => [if value.is_truthy(scope) { tag::TRUE } else { tag::FALSE }, 0],
            Kind::Number => self.number(value.to_number(scope).ok()?),
            Kind::String => [tag::STRING, self.string(scope, value)?],
            Kind::Symbol | Kind::BigInt | Kind::Object => return None,
        })
    }

    fn number(&mut self, number: f64) -> [i32; MEMBER_WORDS] {
        let integer = number as i32;
        if f64::from(integer).to_bits() == number.to_bits() {
            return [tag::INT, integer];
        }
        let index = self.number_count;
        self.number_count += 1;
        let begin = self.numbers.len() - self.number_count * 8;
        self.numbers[begin..begin + 8].copy_from_slice(&number.to_ne_bytes());
        [tag::DOUBLE, index as i32]
    }

    fn string(&mut self, scope: &Scope, value: Value<'_>) -> Option<i32> {
        let begin = self.character_count;
        let room = &mut self.characters[begin..];
        let count = value.with_code_units(scope, |characters| match characters {
            CodeUnits::Latin1(characters) => {
                room.get_mut(..characters.len())?.copy_from_slice(characters);
                Some(characters.len())
            }
            CodeUnits::Utf16(_) => None,
        })??;
        self.character_count += count;
        Some((begin << 16 | count) as i32)
    }

    fn to_packet(&self) -> Packet {
        let begin = self.numbers.len() - self.number_count * 8;
        Packet {
            bytes: PacketBytes::from_parts(&self.ints[..self.int_bytes], &self.numbers[begin..]),
            split: self.int_bytes,
            string: Some(MessageString::from_latin1(&self.characters[..self.character_count])),
            attachments: Vec::new(),
        }
    }
}
