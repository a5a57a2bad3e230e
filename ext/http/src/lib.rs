//! HTTP/1 message parser: `internalBinding('http_parser')`, by `rusk-http`. In: bytes, in chunks
//! that may end anywhere. Out: one flat array for each chunk: the number of bytes read, whether the
//! parser is between two messages, then events. Absent: connections; writing; `fetch`, which uses
//! `internalBinding('fetch_client')`.

mod consume;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rusk_http::parser::{
    Head, METHODS, MessageKind, ParseError, Parser, ParserEvent, ParserOptions, RequestMethod,
};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope, Value};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{i32_argument, u32_argument};

rusk_runtime::shared_constants! {
    /// Events of the parser, with what follows each.
    mod event: f64 {
        /// method or reason phrase, target, fields, status, version as two digits, flags
        HEAD = 0.0,
        /// start and end of a chunk of the body
        BODY = 1.0,
        /// trailer section
        END = 2.0,
        /// code, reason, bytes that were parsed before
        ERROR = 3.0,
    }
}

rusk_runtime::shared_constants! {
    /// Flags of a head.
    mod flag: f64 {
        SHOULD_KEEP_ALIVE = 1.0,
        IS_UPGRADE = 2.0,
        HAS_HOST = 4.0,
        HAS_EXPECT = 8.0,
    }
}

rusk_runtime::shared_constants! {
    /// The methods whose responses have no body.
    mod request_method: i32 {
        OTHER = 0,
        HEAD = 1,
        CONNECT = 2,
    }
}

/// The native object that JavaScript holds.
struct ParserHandle {
    parser: RefCell<Parser>,
    /// Whether the bytes of its stream handle go to the parser (`consume`).
    is_consuming: Cell<bool>,
}

rusk_runtime::extension!("http", [("http_parser", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "flag", flag::ALL)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "requestMethod", request_method::ALL)?;
    let methods: Vec<_> = METHODS.iter().map(|method| scope.string(method)).collect();
    binding.set_property(scope, "methods", scope.array(&methods)?.value())?;
    add_parsers(scope, binding)?;
    add_fast(scope, binding, "execute", |scope, call| {
        let (Some(handle), Some(bytes)) = (find(scope, call), Bytes::of(scope, call.argument(scope, 1)))
        else {
            return Ok(scope.undefined());
        };
        let mut parser = handle.parser.borrow_mut();
        let parser = &mut *parser;
        let mut events = Vec::new();
        let result = bytes.with_bytes_mut(scope, |bytes| parser.execute(bytes, &mut events));
        event_list(scope, result, parser.is_idle(), &events)
    })?;
    add(scope, binding, "finish", |scope, call| {
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let mut events = Vec::new();
        let result = handle.parser.borrow_mut().finish(&mut events);
        event_list(scope, result.map(|()| 0), true, &events)
    })?;
    add(scope, binding, "resume", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.parser.borrow_mut().resume();
        }
        Ok(scope.undefined())
    })?;
    // Arguments: parser, stream handle or source of bytes, `onRequest`, `onChunk`.
    add(scope, binding, "consume", consume::consume)?;
    add(scope, binding, "release", consume::release)?;
    // Arguments: parser, whether it consumes; else the handle's listener gets the bytes.
    add_fast(scope, binding, "setConsuming", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.is_consuming.set(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "isIdle", |scope, call| {
        Ok(scope.boolean(find(scope, call).is_none_or(|handle| handle.parser.borrow().is_idle())))
    })?;
    Ok(binding)
}

fn add_parsers<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: see `new_parser`.
    add_fast(scope, binding, "create", |scope, call| {
        let parser = RefCell::new(new_parser(scope, call, 0)?);
        Ok(scope.native(ParserHandle { parser, is_consuming: Cell::new(false) }).value())
    })?;
    // The same, of a parser that is not used any more.
    add_fast(scope, binding, "renew", |scope, call| {
        let parser = new_parser(scope, call, 1)?;
        if let Some(handle) = find(scope, call) {
            *handle.parser.borrow_mut() = parser;
        }
        Ok(scope.undefined())
    })
}

/// Arguments: whether it parses responses, the limit of a head in bytes, whether it is lenient, the
/// method of the request that the response belongs to.
fn new_parser<'s>(scope: &'s Scope, call: &Call<'s>, first: usize) -> Result<Parser, Exception<'s>> {
    let is_response = call.argument(scope, first).is_truthy(scope);
    let mut parser = Parser::new(ParserOptions {
        kind: if is_response { MessageKind::Response } else { MessageKind::Request },
        head_bytes_max: u32_argument(scope, call, first + 1)? as usize,
        is_lenient: call.argument(scope, first + 2).is_truthy(scope),
    });
    parser.set_request_method(match i32_argument(scope, call, first + 3)? {
        request_method::HEAD => RequestMethod::Head,
        request_method::CONNECT => RequestMethod::Connect,
        _ => RequestMethod::Other,
    });
    Ok(parser)
}

/// As two digits.
fn version_of(head: &Head) -> f64 {
    f64::from(head.version.0 * 10 + head.version.1)
}

/// The method or reason phrase, the target, the fields.
fn parts_of(head: &Head) -> [&str; 3] {
    let mut lines = head.text.splitn(3, '\n');
    std::array::from_fn(|_| lines.next().unwrap_or_default())
}

/// `fields`: names and values in turn, each with its line end.
fn flags_of(head: &Head, fields: &str) -> f64 {
    let has = |name: &str| fields.lines().step_by(2).any(|field| field.eq_ignore_ascii_case(name));
    let flags = [
        (head.should_keep_alive, flag::SHOULD_KEEP_ALIVE),
        (head.is_upgrade, flag::IS_UPGRADE),
        (has("host"), flag::HAS_HOST),
        (has("expect"), flag::HAS_EXPECT),
    ];
    flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum()
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ParserHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn event_list<'s>(
    scope: &'s Scope,
    result: Result<usize, ParseError>,
    is_idle: bool,
    events: &[ParserEvent],
) -> Outcome<'s> {
    let read = result.unwrap_or_else(|error| error.bytes_read);
    let mut list: Vec<Value<'s>> = Vec::with_capacity(2 + events.len() * 7 + 4);
    list.extend([scope.number(read as f64), scope.boolean(is_idle)]);
    for event in events {
        match event {
            ParserEvent::Head(head) => {
                let [first, target, fields] = parts_of(head);
                list.push(scope.number(event::HEAD));
                list.extend([first, target, fields].map(|text| scope.string(text)));
                let numbers = [head.status.into(), version_of(head), flags_of(head, fields)];
                list.extend(numbers.map(|number| scope.number(number)));
            }
            ParserEvent::Body(range) => {
                let numbers = [event::BODY, range.start as f64, range.end as f64];
                list.extend(numbers.map(|number| scope.number(number)));
            }
            ParserEvent::End { trailers } => list.extend([scope.number(event::END), scope.string(trailers)]),
        }
    }
    if let Err(error) = result {
        list.extend([
            scope.number(event::ERROR),
            scope.string(error.code.name()),
            scope.string(error.reason),
            scope.number(error.bytes_read as f64),
        ]);
    }
    scope.array(&list).map(Object::value)
}
