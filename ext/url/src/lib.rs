//! Binding of `URL`: the WHATWG URL parser. In: strings. Out: the serialized URL and the offsets of
//! its components, in one call; the result of a setter; domains. Absent: getters, which are slices
//! taken in JavaScript; `URLSearchParams`.

use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, Value};
use url::{Host as HostName, quirks};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::string_argument;
use rusk_url_parser::{OFFSET_COUNT, UrlRecord, parse as parse_url, parse_fast, parse_relative_fast};

rusk_runtime::extension!("url", [("url", make)]);

rusk_runtime::shared_constants! {
    /// Indexes of the offsets that `parse` and `set` write, in the order of `UrlRecord::write`.
    mod offset: usize {
        /// After the colon of the scheme.
        SCHEME_END = 0,
        USERNAME = 1,
        USERNAME_END = 2,
        PASSWORD_END = 3,
        HOST = 4,
        HOST_END = 5,
        PATH = 6,
        PATH_END = 7,
        QUERY_END = 8,
    }
}

const _: () = assert!(offset::ALL.len() == OFFSET_COUNT);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "offset", offset::ALL)?;
    add_fast(scope, binding, "parse", |scope, call| {
        if let Some((href, offsets)) = parse_on_fast_path(scope, call) {
            write_offsets(scope, call, 2, &offsets)?;
            return Ok(href);
        }
        let url = parse(scope, call)?;
        write_result(scope, call, 2, url)
    })?;
    add_fast(scope, binding, "canParse", |scope, call| {
        let is_valid = parse_on_fast_path(scope, call).is_some() || parse(scope, call)?.is_some();
        Ok(scope.boolean(is_valid))
    })?;
    add_fast(scope, binding, "set", |scope, call| {
        let (href, part) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        let value = string_argument(scope, call, 2)?;
        let url = parse_url(&href, None).and_then(|url| url.with(&part, &value));
        write_result(scope, call, 3, url)
    })?;
    add_fast(scope, binding, "domainToAscii", |scope, call| {
        let host = HostName::parse(&string_argument(scope, call, 0)?);
        Ok(scope.string(&host.map_or_else(|_| String::new(), |host| host.to_string())))
    })?;
    add_fast(scope, binding, "domainToUnicode", |scope, call| {
        Ok(scope.string(&quirks::domain_to_unicode(&string_argument(scope, call, 0)?)))
    })?;
    Ok(binding)
}

/// As [`parse`], for common ASCII URLs. Usually the result is the input itself.
fn parse_on_fast_path<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<(Value<'s>, [u32; OFFSET_COUNT])> {
    let (input, base) = (call.argument(scope, 0), call.argument(scope, 1));
    if base.is_undefined(scope) {
        let parse = |input: &[u8]| {
            let url = parse_fast(input)?;
            let written = if url.lacks_path { Some(url.write(input)?) } else { None };
            Some((written, url.offsets))
        };
        let (written, offsets) = with_ascii(scope, input, parse)?;
        return Some((written.map_or(input, |href| scope.string(&href)), offsets));
    }
    let base = with_ascii(scope, base, |base| Some(base.to_vec()))?;
    let (href, offsets) = with_ascii(scope, input, |input| parse_relative_fast(&base, input))?;
    Some((scope.string(&href), offsets))
}

/// The result of a function for the bytes of an ASCII string; `None` for other strings.
fn with_ascii<R: Send>(
    scope: &Scope,
    string: Value<'_>,
    read: impl FnOnce(&[u8]) -> Option<R> + Send,
) -> Option<R> {
    let read = |code_units: CodeUnits<'_>| match code_units {
        CodeUnits::Latin1(bytes) if bytes.is_ascii() => read(bytes),
        _ => None,
    };
    string.with_code_units(scope, read).flatten()
}

/// `(input, base)`; the base is optional.
fn parse<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<UrlRecord>, Exception<'s>> {
    let input = string_argument(scope, call, 0)?;
    let base = call.argument(scope, 1);
    if base.is_undefined(scope) {
        return Ok(parse_url(&input, None));
    }
    let base = parse_url(&base.to_rust_string(scope)?, None);
    Ok(base.and_then(|base| parse_url(&input, Some(&base))))
}

/// Returns the serialized URL and writes its offsets into the array at argument `at`; undefined:
/// the URL is invalid.
fn write_result<'s>(scope: &'s Scope, call: &Call<'s>, at: usize, url: Option<UrlRecord>) -> Outcome<'s> {
    let Some(url) = url else { return Ok(scope.undefined()) };
    let (href, offsets) = url.write();
    write_offsets(scope, call, at, &offsets)?;
    Ok(scope.string(&href))
}

fn write_offsets<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    at: usize,
    offsets: &[u32; OFFSET_COUNT],
) -> Result<(), Exception<'s>> {
    let array = Bytes::of(scope, call.argument(scope, at));
    let array =
        array.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument must be a Uint32Array"))?;
    array.with_bytes_mut(scope, |array| {
        array
            .chunks_exact_mut(4)
            .zip(offsets)
            .for_each(|(slot, offset)| slot.copy_from_slice(&offset.to_ne_bytes()));
    });
    Ok(())
}
