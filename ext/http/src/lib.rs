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
        /// start and end of a piece of the body
        BODY = 1.0,
        /// trailer section
        END = 2.0,
        /// code, reason, bytes that were read before
        ERROR = 3.0,
    }
}

rusk_runtime::shared_constants! {
    /// Flags of a head.
    mod flag: f64 {
        KEEPS_ALIVE = 1.0,
        IS_UPGRADE = 2.0,
    }
}

/// What JavaScript holds.
struct Held(RefCell<Parser>);

rusk_runtime::extension!("http", [("http_parser", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "flag", flag::ALL)?;
    add_constants(scope, binding, "event", event::ALL)?;
    // Whether it reads responses, how many bytes a head may have, whether it is lenient.
    add(scope, binding, "make", |scope, call| {
        let options = ParserOptions {
            kind: if call.argument(scope, 0).is_truthy(scope) {
                MessageKind::Response
            } else {
                MessageKind::Request
            },
            head_bytes_max: u32_argument(scope, call, 1)? as usize,
            is_lenient: call.argument(scope, 2).is_truthy(scope),
        };
        Ok(scope.native(Held(RefCell::new(Parser::new(options)))).value())
    })?;
    add(scope, binding, "feed", |scope, call| {
        let (Some(held), Some(bytes)) = (held(scope, call), Bytes::of(scope, call.argument(scope, 1))) else {
            return Ok(scope.undefined());
        };
        let mut parser = held.0.borrow_mut();
        let parser = &mut *parser;
        let mut events = Vec::new();
        let outcome = bytes.with_bytes_mut(scope, |bytes| parser.execute(bytes, &mut events));
        show(scope, outcome, &events)
    })?;
    add(scope, binding, "finish", |scope, call| {
        let Some(held) = held(scope, call) else { return Ok(scope.undefined()) };
        let mut events = Vec::new();
        let outcome = held.0.borrow_mut().finish(&mut events);
        show(scope, outcome.map(|()| 0), &events)
    })?;
    add(scope, binding, "proceed", |scope, call| {
        if let Some(held) = held(scope, call) {
            held.0.borrow_mut().resume();
        }
        Ok(scope.undefined())
    })?;
    // 1: HEAD, 2: CONNECT, 0: anything else.
    add(scope, binding, "setAnswers", |scope, call| {
        let answers = match i32_argument(scope, call, 1)? {
            1 => RequestMethod::Head,
            2 => RequestMethod::Connect,
            _ => RequestMethod::Other,
        };
        if let Some(held) = held(scope, call) {
            held.0.borrow_mut().set_request_method(answers);
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "isBetween", |scope, call| {
        Ok(scope.boolean(held(scope, call).is_none_or(|held| held.0.borrow().is_idle())))
    })?;
    Ok(binding)
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn show<'s>(scope: &'s Scope, outcome: Result<usize, ParseError>, events: &[ParserEvent]) -> Outcome<'s> {
    let read = outcome.unwrap_or_else(|fault| fault.bytes_read);
    let mut list: Vec<Value<'s>> = Vec::with_capacity(1 + events.len() * 5 + 4);
    list.push(scope.number(read as f64));
    for event in events {
        match event {
            ParserEvent::Head(head) => {
                let flags = f64::from(u8::from(head.should_keep_alive)) * flag::KEEPS_ALIVE
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
    if let Err(fault) = outcome {
        list.extend([
            scope.number(event::ERROR),
            scope.string(fault.code.name()),
            scope.string(fault.reason),
            scope.number(fault.bytes_read as f64),
        ]);
    }
    scope.array(&list).map(Object::value)
}
