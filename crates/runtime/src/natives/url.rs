//! Addresses, as the standard of the web reads them. In: texts. Out: the address written out, and
//! where its parts begin and end, in one call; what a setter makes of it; domains. Absent: getters,
//! which are slices that JavaScript takes; searches as lists.

mod address;
mod encode;
mod machine;
mod quick;

use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, Value};
use url::{Host as HostName, quirks};

use super::{Host, add_short, object};
pub use address::Address;
pub use machine::parse as parse_address;
pub use quick::{read as read_address_quickly, read_behind as read_address_behind};

pub(crate) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_short(scope, natives, "parse", |scope, call| {
        if let Some((href, places)) = parse_quickly(scope, call) {
            tell_places(scope, call, 2, &places)?;
            return Ok(href);
        }
        let found = parse(scope, call)?;
        tell(scope, call, 2, found)
    })?;
    add_short(scope, natives, "canParse", |scope, call| {
        let is_one = parse_quickly(scope, call).is_some() || parse(scope, call)?.is_some();
        Ok(scope.boolean(is_one))
    })?;
    add_short(scope, natives, "set", |scope, call| {
        let (href, part) = (text(scope, call, 0)?, text(scope, call, 1)?);
        let value = text(scope, call, 2)?;
        let found = parse_address(&href, None).and_then(|address| address.with(&part, &value));
        tell(scope, call, 3, found)
    })?;
    add_short(scope, natives, "domainToAscii", |scope, call| {
        let host = HostName::parse(&text(scope, call, 0)?);
        Ok(scope.string(&host.map_or_else(|_| String::new(), |host| host.to_string())))
    })?;
    add_short(scope, natives, "domainToUnicode", |scope, call| {
        Ok(scope.string(&quirks::domain_to_unicode(&text(scope, call, 0)?)))
    })?;
    Ok(natives)
}

/// As [`parse`], where that needs no more than a look at the letters. Most often the address is the
/// text that was given.
fn parse_quickly<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<(Value<'s>, [u32; address::WORDS])> {
    let (input, base) = (call.argument(scope, 0), call.argument(scope, 1));
    if base.is_undefined(scope) {
        let found = |input: &[u8]| {
            let found = quick::read(input)?;
            let written = if found.lacks_path { Some(found.write(input)?) } else { None };
            Some((written, found.places))
        };
        let (written, places) = narrow(scope, input, found)?;
        return Some((written.map_or(input, |href| scope.string(&href)), places));
    }
    let base = narrow(scope, base, |base| Some(base.to_vec()))?;
    let (href, places) = narrow(scope, input, |input| quick::read_behind(&base, input))?;
    Some((scope.string(&href), places))
}

/// What a function says of a text's letters; nothing of a text that has others than ASCII's.
fn narrow<R: Send>(
    scope: &Scope,
    text: Value<'_>,
    read: impl FnOnce(&[u8]) -> Option<R> + Send,
) -> Option<R> {
    let read = |letters: CodeUnits<'_>| match letters {
        CodeUnits::Latin1(letters) if letters.is_ascii() => read(letters),
        _ => None,
    };
    text.with_code_units(scope, read).flatten()
}

/// `(text, base)`; the base may be left out.
fn parse<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Address>, Exception<'s>> {
    let input = text(scope, call, 0)?;
    let base = call.argument(scope, 1);
    if base.is_undefined(scope) {
        return Ok(parse_address(&input, None));
    }
    let base = parse_address(&base.to_rust_string(scope)?, None);
    Ok(base.and_then(|base| parse_address(&input, Some(&base))))
}

/// The address, the places of its parts in the array at `at`; undefined where there is none.
fn tell<'s>(scope: &'s Scope, call: &Call<'s>, at: usize, found: Option<Address>) -> Outcome<'s> {
    let Some(address) = found else { return Ok(scope.undefined()) };
    let (href, places) = address.write();
    tell_places(scope, call, at, &places)?;
    Ok(scope.string(&href))
}

fn tell_places<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    at: usize,
    places: &[u32; address::WORDS],
) -> Result<(), Exception<'s>> {
    let words = Bytes::of(scope, call.argument(scope, at));
    let words = words.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "an array of words is wanted"))?;
    words.with_bytes_mut(scope, |words| {
        words
            .chunks_exact_mut(4)
            .zip(places)
            .for_each(|(word, place)| word.copy_from_slice(&place.to_ne_bytes()));
    });
    Ok(())
}

fn text<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<String, Exception<'s>> {
    call.argument(scope, at).to_rust_string(scope)
}
