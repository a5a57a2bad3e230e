//! HTTP/1 message parser: `internalBinding('http_parser')`, by `rusk-http`. In: bytes, in chunks
//! that may end anywhere. Out: one flat array for each chunk: the number of bytes read, then
//! events. Absent: connections; writing; `fetch`, which uses `internalBinding('fetch_client')`.

use std::cell::RefCell;
use std::rc::Rc;

use rusk_http::parser::{MessageKind, ParseError, Parser, ParserEvent, ParserOptions, RequestMethod};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope, Value};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{i32_argument, u32_argument};

rusk_runtime::shared_constants! {
    /// Events of the parser, with what follows each.
    mod event: f64 {
        /// head, status, version as two digits, flags
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
struct ParserHandle(RefCell<Parser>);

rusk_runtime::extension!("http", [("http_parser", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "flag", flag::ALL)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "requestMethod", request_method::ALL)?;
    // Arguments: whether it parses responses, the limit of a head in bytes, whether it is lenient.
    add(scope, binding, "create", |scope, call| {
        let options = ParserOptions {
            kind: if call.argument(scope, 0).is_truthy(scope) {
                MessageKind::Response
            } else {
                MessageKind::Request
            },
            head_bytes_max: u32_argument(scope, call, 1)? as usize,
            is_lenient: call.argument(scope, 2).is_truthy(scope),
        };
        Ok(scope.native(ParserHandle(RefCell::new(Parser::new(options)))).value())
    })?;
    add(scope, binding, "execute", |scope, call| {
        let (Some(handle), Some(bytes)) = (find(scope, call), Bytes::of(scope, call.argument(scope, 1)))
        else {
            return Ok(scope.undefined());
        };
        let mut parser = handle.0.borrow_mut();
        let parser = &mut *parser;
        let mut events = Vec::new();
        let result = bytes.with_bytes_mut(scope, |bytes| parser.execute(bytes, &mut events));
        event_list(scope, result, &events)
    })?;
    add(scope, binding, "finish", |scope, call| {
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let mut events = Vec::new();
        let result = handle.0.borrow_mut().finish(&mut events);
        event_list(scope, result.map(|()| 0), &events)
    })?;
    add(scope, binding, "resume", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.0.borrow_mut().resume();
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "setRequestMethod", |scope, call| {
        let method = match i32_argument(scope, call, 1)? {
            request_method::HEAD => RequestMethod::Head,
            request_method::CONNECT => RequestMethod::Connect,
            _ => RequestMethod::Other,
        };
        if let Some(handle) = find(scope, call) {
            handle.0.borrow_mut().set_request_method(method);
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "isIdle", |scope, call| {
        Ok(scope.boolean(find(scope, call).is_none_or(|handle| handle.0.borrow().is_idle())))
    })?;
    Ok(binding)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ParserHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn event_list<'s>(
    scope: &'s Scope,
    result: Result<usize, ParseError>,
    events: &[ParserEvent],
) -> Outcome<'s> {
    let read = result.unwrap_or_else(|error| error.bytes_read);
    let mut list: Vec<Value<'s>> = Vec::with_capacity(1 + events.len() * 5 + 4);
    list.push(scope.number(read as f64));
    for event in events {
        match event {
            ParserEvent::Head(head) => {
                let flags = f64::from(u8::from(head.should_keep_alive)) * flag::SHOULD_KEEP_ALIVE
                    + f64::from(u8::from(head.is_upgrade)) * flag::IS_UPGRADE;
                let version = f64::from(head.version.0 * 10 + head.version.1);
                list.extend([scope.number(event::HEAD), scope.string(&head.text)]);
                list.extend([head.status.into(), version, flags].map(|number| scope.number(number)));
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
