//! A parser that consumes what a stream handle or another source of bytes reads, so that a request
//! needs no buffer of the engine and one call. In: a parser, a handle or a source. Out: `onRequest`
//! for a chunk that is one request without a body, `onChunk` for any other. Absent: the end of the
//! connection and errors, which go to the listener; so do bytes while the parser does not consume.

use std::rc::{Rc, Weak};

use rusk_ext_io::byte_source;
use rusk_ext_io::stream_handle::{self, StreamEvent, StreamHandle};
use rusk_http::parser::{Head, METHODS, ParserEvent};
use rusk_jsc::{Bytes, Call, Exception, Outcome, Root, Scope, Value};
use rusk_runtime::values::negative_errno;

use crate::{ParserHandle, event_list, find, flags_of, parts_of, version_of};

struct Consumer {
    parser: Rc<ParserHandle>,
    /// Arguments: the index of the method, target; undefined for `/`, fields, version, flags, the
    /// size of the chunk.
    on_request: Root,
    /// Arguments: events, bytes.
    on_chunk: Root,
}

pub fn consume<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let Some(parser) = find(scope, call) else { return Ok(scope.undefined()) };
    parser.is_consuming.set(true);
    let consumer = Consumer {
        parser,
        on_request: Root::new(scope, call.argument(scope, 2)),
        on_chunk: Root::new(scope, call.argument(scope, 3)),
    };
    let input = call.argument(scope, 1);
    if let Some(stream) = stream_handle::find_value(scope, input) {
        let weak = Rc::downgrade(&stream);
        stream.set_consumer(Some(Rc::new(move |scope, event| consumer.receive(scope, &weak, event))));
    } else if let Some(source) = byte_source::find(scope, input) {
        source.set_consumer(Some(Rc::new(move |scope, bytes| match consumer.parser.is_consuming.get() {
            true => consumer.parse(scope, bytes).map(|()| None),
            false => Ok(Some(bytes)),
        })));
    }
    Ok(scope.undefined())
}

/// Ends it. Argument: what the parser consumes.
pub fn release<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let input = call.argument(scope, 0);
    if let Some(stream) = stream_handle::find_value(scope, input) {
        stream.set_consumer(None);
    } else if let Some(source) = byte_source::find(scope, input) {
        source.set_consumer(None);
    }
    Ok(scope.undefined())
}

impl Consumer {
    fn receive<'s>(
        &self,
        scope: &'s Scope,
        stream: &Weak<StreamHandle>,
        event: StreamEvent,
    ) -> Result<(), Exception<'s>> {
        let report =
            |event, value| stream.upgrade().map_or(Ok(()), |stream| stream.emit(scope, event, value));
        match event {
            StreamEvent::Data(bytes) if self.parser.is_consuming.get() => self.parse(scope, bytes),
            StreamEvent::Data(bytes) => {
                let bytes = Bytes::from_vec(scope, bytes)?;
                report(stream_handle::event::DATA, bytes.value())
            }
            StreamEvent::End => report(stream_handle::event::END, scope.undefined()),
            StreamEvent::ReadError(error) => {
                report(stream_handle::event::READ_ERROR, scope.number(negative_errno(error)))
            }
            // Only the listener's side writes.
            StreamEvent::Written(_) => Ok(()),
        }
    }

    fn parse<'s>(&self, scope: &'s Scope, bytes: Vec<u8>) -> Result<(), Exception<'s>> {
        let mut events = Vec::new();
        let (result, is_idle) = {
            let mut parser = self.parser.parser.borrow_mut();
            let result = parser.execute(&bytes, &mut events);
            (result, parser.is_idle())
        };
        if let ([ParserEvent::Head(head), ParserEvent::End { trailers }], Ok(read)) = (&events[..], &result)
            && *read == bytes.len()
            && trailers.is_empty()
            && !head.is_upgrade
            // The begin of another request would be a chunk with more in it.
            && is_idle
        {
            return self.request(scope, head, bytes.len());
        }
        let list = event_list(scope, result, is_idle, &events)?;
        let bytes = Bytes::from_vec(scope, bytes)?.value();
        call(scope, &self.on_chunk, &[list, bytes])
    }

    fn request<'s>(&self, scope: &'s Scope, head: &Head, bytes: usize) -> Result<(), Exception<'s>> {
        let [method, target, fields] = parts_of(head);
        let numbers = [version_of(head), flags_of(head, fields), bytes as f64];
        let method = match METHODS.iter().position(|known| *known == method) {
            Some(index) => scope.number(index as f64),
            None => scope.string(method),
        };
        // The most frequent one, which JavaScript has.
        let target = if target == "/" { scope.undefined() } else { scope.string(target) };
        let fields = scope.string(fields);
        let [version, flags, bytes] = numbers.map(|number| scope.number(number));
        call(scope, &self.on_request, &[method, target, fields, version, flags, bytes])
    }
}

fn call<'s>(scope: &'s Scope, function: &Root, arguments: &[Value<'s>]) -> Result<(), Exception<'s>> {
    match function.value(scope).as_function(scope) {
        Some(function) => function.call(scope, arguments).map(|_| ()),
        None => Ok(()),
    }
}
