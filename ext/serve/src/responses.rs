//! Responses: heads with rendered fields, bodies of strings, bytes and files, in pieces, upgrades.
//! In: a status, field lines, a body. Out: whether the request was still there. Absent: checking
//! fields; `Headers` has done it.

use std::path::PathBuf;

use rusk_base::sys::fd;
use rusk_http_server::{FileResponse, OpenFile, ResponseHead, Server, SliceMeaning, TransportSlot};
use rusk_jsc::{Bytes, Call, CodeUnits, Exception, Kind, Object, Outcome, Scope, Value};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::u32_argument;

use crate::flag;
use crate::routes::{file_flags, optional_number};
use crate::servers::with_request;

/// Of a body that is a string.
const TEXT_FIELDS: &[u8] = b"Content-Type: text/plain;charset=UTF-8\r\n";
/// Of `Response.json`.
const JSON_FIELDS: &[u8] = b"Content-Type: application/json\r\n";

/// Status, reason, fields and flags of a response, from a call's arguments 2 to 5.
pub struct HeadArguments {
    pub status: u16,
    pub reason: Vec<u8>,
    pub fields: Vec<u8>,
    pub flags: u32,
}

impl HeadArguments {
    pub fn of<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<HeadArguments, Exception<'s>> {
        Ok(HeadArguments {
            status: u32_argument(scope, call, 2)? as u16,
            reason: latin1(scope, call.argument(scope, 3)),
            fields: latin1(scope, call.argument(scope, 4)),
            flags: u32_argument(scope, call, 5)?,
        })
    }

    pub fn head(&self) -> ResponseHead<'_> {
        ResponseHead {
            status: self.status,
            reason: &self.reason,
            fields: &self.fields,
            has_date: self.flags & flag::HAS_DATE != 0,
            closes: self.flags & flag::CLOSES != 0,
            length_of_head: None,
        }
    }
}

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: server, request, body, whether it is JSON. A string with the usual type and
    // status.
    add_fast(scope, binding, "respondText", |scope, call| {
        let body = call.argument(scope, 2);
        let fields = if call.argument(scope, 3).is_truthy(scope) { JSON_FIELDS } else { TEXT_FIELDS };
        let head = ResponseHead { fields, ..ResponseHead::default() };
        let is_there = with_request(scope, call, |server, id| {
            let (bytes, write) =
                (body_bytes(scope, body), |output: &mut Vec<u8>| push_body(scope, body, output));
            server.respond_with(id, &head, bytes, write)
        });
        Ok(scope.boolean(is_there == Some(true)))
    })?;
    // Arguments: server, request, status, reason, fields, flags, body, length for HEAD.
    add_fast(scope, binding, "respond", |scope, call| {
        let arguments = HeadArguments::of(scope, call)?;
        let (body, length) = (call.argument(scope, 6), optional_number(scope, call, 7)?);
        let is_there = with_request(scope, call, |server, id| {
            let head = ResponseHead { length_of_head: length, ..arguments.head() };
            server.respond_with(id, &head, body_bytes(scope, body), |output| push_body(scope, body, output))
        });
        Ok(scope.boolean(is_there == Some(true)))
    })?;
    // Arguments: server, request, status, reason, fields, flags, length for HEAD.
    add_fast(scope, binding, "begin", |scope, call| {
        let arguments = HeadArguments::of(scope, call)?;
        let length = optional_number(scope, call, 6)?;
        let head = ResponseHead { length_of_head: length, ..arguments.head() };
        let is_there = with_request(scope, call, |server, id| server.begin(id, &head));
        Ok(scope.boolean(is_there == Some(true)))
    })?;
    add_streaming(scope, binding)?;
    // Arguments: server, request, status, reason, fields, flags, path or descriptor, start, end.
    // Returns whether there is such a file.
    add(scope, binding, "respondFile", respond_file)?;
    // Arguments: server, request, fields. Returns [connection, bytes], or undefined.
    add(scope, binding, "upgrade", |scope, call| {
        let fields = latin1(scope, call.argument(scope, 2));
        let upgraded = with_request(scope, call, |server, id| server.upgrade(id, &fields)).flatten();
        let Some(upgraded) = upgraded else { return Ok(scope.undefined()) };
        let connection = scope.native(TransportSlot::new(upgraded.transport)).value();
        let parts = [connection, Bytes::from_vec(scope, upgraded.head)?.value()];
        scope.array(&parts).map(Object::value)
    })
}

/// Functions for responses in pieces.
fn add_streaming<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: server, request, bytes or string. Returns how many bytes wait; -1: it is over.
    add_fast(scope, binding, "write", |scope, call| {
        let piece = call.argument(scope, 2);
        let count = body_bytes(scope, piece) as usize;
        let bytes = Bytes::of(scope, piece);
        let waiting = with_request(scope, call, |server, id| match bytes {
            Some(bytes) => {
                server.write_borrowed(id, count, |take| bytes.with_bytes_mut(scope, |bytes| take(bytes)))
            }
            None => server.write_with(id, count, |output| push_body(scope, piece, output)),
        });
        let waiting = waiting.flatten();
        Ok(scope.number(waiting.map_or(-1.0, |waiting| waiting as f64)))
    })?;
    add_fast(scope, binding, "waitForDrain", |scope, call| {
        with_request(scope, call, Server::wait_for_drain);
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "end", |scope, call| {
        let is_there = with_request(scope, call, Server::end);
        Ok(scope.boolean(is_there == Some(true)))
    })?;
    add_fast(scope, binding, "abort", |scope, call| {
        with_request(scope, call, Server::abort);
        Ok(scope.undefined())
    })
}

fn respond_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = HeadArguments::of(scope, call)?;
    let target = call.argument(scope, 6);
    let opened = match target.kind(scope) {
        Kind::Number => fd::duplicate(target.to_number(scope)? as i32).and_then(|fd| OpenFile::of(fd.into())),
        _ => OpenFile::open(&PathBuf::from(target.to_rust_string(scope)?)),
    };
    let Ok(file) = opened else { return Ok(scope.boolean(false)) };
    let response = FileResponse {
        path: PathBuf::new(),
        status: arguments.status,
        sets: file_flags(arguments.flags),
        reason: arguments.reason,
        fields: arguments.fields,
        start: optional_number(scope, call, 7)?.unwrap_or(0),
        end: optional_number(scope, call, 8)?,
        slice: SliceMeaning::Part,
    };
    with_request(scope, call, |server, id| server.respond_file(id, &response, file));
    Ok(scope.boolean(true))
}

/// The number of bytes of a body in memory.
fn body_bytes<'s>(scope: &'s Scope, body: Value<'s>) -> u64 {
    let of_string = body.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(units) => units.len() + units.iter().filter(|unit| **unit >= 0x80).count(),
        CodeUnits::Utf16(units) => char::decode_utf16(units.iter().copied())
            .map(|unit| unit.map_or(char::REPLACEMENT_CHARACTER.len_utf8(), char::len_utf8))
            .sum(),
    });
    let bytes = of_string.or_else(|| Bytes::of(scope, body).map(|bytes| bytes.len(scope)));
    bytes.unwrap_or(0) as u64
}

/// Appends a string in UTF-8, or bytes.
pub fn push_body<'s>(scope: &'s Scope, body: Value<'s>, output: &mut Vec<u8>) {
    let is_string = body.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(units) if units.is_ascii() => output.extend_from_slice(units),
        CodeUnits::Latin1(units) => {
            let text: String = units.iter().map(|unit| char::from(*unit)).collect();
            output.extend_from_slice(text.as_bytes());
        }
        CodeUnits::Utf16(units) => output.extend_from_slice(String::from_utf16_lossy(units).as_bytes()),
    });
    if is_string.is_none()
        && let Some(bytes) = Bytes::of(scope, body)
    {
        bytes.with_bytes_mut(scope, |bytes| output.extend_from_slice(bytes));
    }
}

/// The code units of a string of Latin-1; others become `?`.
pub fn latin1<'s>(scope: &'s Scope, text: Value<'s>) -> Vec<u8> {
    let copied = text.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(units) => units.to_vec(),
        CodeUnits::Utf16(units) => units.iter().map(|unit| u8::try_from(*unit).unwrap_or(b'?')).collect(),
    });
    copied.unwrap_or_default()
}
