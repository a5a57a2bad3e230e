//! Addresses, as the standard of the web reads them. In: strings. Out: the address written out, and
//! where its parts begin and end, in one call; what a setter makes of it; domains. Absent: getters,
//! which are slices that JavaScript takes; searches as lists.

use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, Value};
use url::{Host as HostName, quirks};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_url_parser::{OFFSET_COUNT, UrlRecord, parse as parse_url, parse_fast, parse_relative_fast};

rusk_runtime::extension!("url", [("url", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_fast(scope, natives, "parse", |scope, call| {
        if let Some((href, offsets)) = parse_quickly(scope, call) {
            write_offsets(scope, call, 2, &offsets)?;
            return Ok(href);
        }
        let found = parse(scope, call)?;
        tell(scope, call, 2, found)
    })?;
    add_fast(scope, natives, "canParse", |scope, call| {
        let is_one = parse_quickly(scope, call).is_some() || parse(scope, call)?.is_some();
        Ok(scope.boolean(is_one))
    })?;
    add_fast(scope, natives, "set", |scope, call| {
        let (href, part) = (text(scope, call, 0)?, text(scope, call, 1)?);
        let value = text(scope, call, 2)?;
        let found = parse_url(&href, None).and_then(|address| address.with(&part, &value));
        tell(scope, call, 3, found)
    })?;
    add_fast(scope, natives, "domainToAscii", |scope, call| {
        let state = HostName::parse(&text(scope, call, 0)?);
        Ok(scope.string(&state.map_or_else(|_| String::new(), |state| state.to_string())))
    })?;
    add_fast(scope, natives, "domainToUnicode", |scope, call| {
        Ok(scope.string(&quirks::domain_to_unicode(&text(scope, call, 0)?)))
    })?;
    Ok(natives)
}

/// As [`parse`], where that needs no more than a look at the characters. Most often the address is
/// the text that was given.
fn parse_quickly<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<(Value<'s>, [u32; OFFSET_COUNT])> {
    let (input, base) = (call.argument(scope, 0), call.argument(scope, 1));
    if base.is_undefined(scope) {
        let found = |input: &[u8]| {
            let found = parse_fast(input)?;
            let written = if found.lacks_path { Some(found.write(input)?) } else { None };
            Some((written, found.offsets))
        };
        let (written, offsets) = narrow(scope, input, found)?;
        return Some((written.map_or(input, |href| scope.string(&href)), offsets));
    }
    let base = narrow(scope, base, |base| Some(base.to_vec()))?;
    let (href, offsets) = narrow(scope, input, |input| parse_relative_fast(&base, input))?;
    Some((scope.string(&href), offsets))
}

/// What a function says of a text's characters; nothing of a text that has others than ASCII's.
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
fn parse<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<UrlRecord>, Exception<'s>> {
    let input = text(scope, call, 0)?;
    let base = call.argument(scope, 1);
    if base.is_undefined(scope) {
        return Ok(parse_url(&input, None));
    }
    let base = parse_url(&base.to_rust_string(scope)?, None);
    Ok(base.and_then(|base| parse_url(&input, Some(&base))))
}

/// The address, the offsets of its parts in the array at `at`; undefined where there is none.
fn tell<'s>(scope: &'s Scope, call: &Call<'s>, at: usize, found: Option<UrlRecord>) -> Outcome<'s> {
    let Some(address) = found else { return Ok(scope.undefined()) };
    let (href, offsets) = address.write();
    write_offsets(scope, call, at, &offsets)?;
    Ok(scope.string(&href))
}

fn write_offsets<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    at: usize,
    offsets: &[u32; OFFSET_COUNT],
) -> Result<(), Exception<'s>> {
    let words = Bytes::of(scope, call.argument(scope, at));
    let words = words.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "an array of words is wanted"))?;
    words.with_bytes_mut(scope, |words| {
        words
            .chunks_exact_mut(4)
            .zip(offsets)
            .for_each(|(word, place)| word.copy_from_slice(&place.to_ne_bytes()));
    });
    Ok(())
}

fn text<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<String, Exception<'s>> {
    call.argument(scope, at).to_rust_string(scope)
}
