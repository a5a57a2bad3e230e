//! Header lists as one string: the name, NUL, the value, NUL, flags; each. In: such a string, whose
//! characters are octets. Out: fields; the same in the other direction, without flags. One string
//! is passed much faster than a list of them.

use rusk_http2::HeaderField;
use rusk_jsc::{Call, CodeUnits, Exception, Scope, Value};

const SENSITIVE: u8 = 1;

pub fn argument<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Vec<HeaderField>, Exception<'s>> {
    let octets = call.argument(scope, index).with_code_units(scope, |units| match units {
        CodeUnits::Latin1(bytes) => bytes.to_vec(),
        CodeUnits::Utf16(units) => units.iter().map(|unit| *unit as u8).collect(),
    });
    Ok(parse(&octets.unwrap_or_default()))
}

fn parse(octets: &[u8]) -> Vec<HeaderField> {
    let mut fields = Vec::new();
    let mut rest = octets;
    while let Some((name, after)) = cut(rest)
        && let Some((value, after)) = cut(after)
        && let Some((flags, after)) = after.split_first()
    {
        let (name, value) = (name.to_vec(), value.to_vec());
        fields.push(HeaderField { name, value, is_sensitive: flags & SENSITIVE != 0 });
        rest = after;
    }
    fields
}

/// What is before the next NUL, and what is after it.
fn cut(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = octets.iter().position(|octet| *octet == 0)?;
    Some((&octets[..end], &octets[end + 1..]))
}

/// `name\0value\0`, each; a sensitive name begins with a tab.
pub fn show<'s>(scope: &'s Scope, fields: &[HeaderField]) -> Value<'s> {
    let mut octets = Vec::new();
    for field in fields {
        if field.is_sensitive {
            octets.push(b'\t');
        }
        octets.extend_from_slice(&field.name);
        octets.push(0);
        octets.extend_from_slice(&field.value);
        octets.push(0);
    }
    latin1(scope, &octets)
}

/// A string whose characters are these octets.
pub fn latin1<'s>(scope: &'s Scope, octets: &[u8]) -> Value<'s> {
    scope.string_with(octets.len(), |units| units.copy_from_slice(octets))
}
