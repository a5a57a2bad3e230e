//! Commands for streams.

use rusk_jsc::{Exception, Object, Scope};

use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{bytes_or_utf8, u32_argument};

use crate::commands::error_number;
use crate::{fields, find, numbers};

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(session, fields, whether the stream ends)`: the stream, or an error.
    add(scope, binding, "request", |scope, call| {
        let list = fields::argument(scope, call, 1)?;
        let ends_stream = call.argument(scope, 2).is_truthy(scope);
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let result = handle.session.borrow_mut().request(list, ends_stream, None);
        Ok(scope.number(result.map_or_else(|error| error.number().into(), f64::from)))
    })?;
    // `(session, parent, fields)`: the stream, or an error.
    add(scope, binding, "pushPromise", |scope, call| {
        let (parent, list) = (u32_argument(scope, call, 1)?, fields::argument(scope, call, 2)?);
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let result = handle.session.borrow_mut().push_promise(parent, &list);
        Ok(scope.number(result.map_or_else(|error| error.number().into(), f64::from)))
    })?;
    // `(session, stream, fields, whether the stream ends)`: 0 or an error.
    add(scope, binding, "respond", |scope, call| {
        let (stream, list) = (u32_argument(scope, call, 1)?, fields::argument(scope, call, 2)?);
        let ends_stream = call.argument(scope, 3).is_truthy(scope);
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        Ok(scope.number(error_number(handle.session.borrow_mut().respond(stream, &list, ends_stream))))
    })?;
    // `(session, stream, fields)`: 0 or an error.
    add(scope, binding, "inform", |scope, call| {
        let (stream, list) = (u32_argument(scope, call, 1)?, fields::argument(scope, call, 2)?);
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        Ok(scope.number(error_number(handle.session.borrow_mut().inform(stream, &list))))
    })?;
    add(scope, binding, "trailers", |scope, call| {
        let (stream, list) = (u32_argument(scope, call, 1)?, fields::argument(scope, call, 2)?);
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        Ok(scope.number(error_number(handle.session.borrow_mut().trailers(stream, &list))))
    })?;
    add_data(scope, binding)
}

fn add_data<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "endWithoutTrailers", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().end_without_trailers(stream);
        }
        Ok(scope.undefined())
    })?;
    // `(session, stream, bytes or string)`: 0 or an error.
    add(scope, binding, "write", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        let bytes = bytes_or_utf8(scope, call.argument(scope, 2))?;
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        Ok(scope.number(error_number(handle.session.borrow_mut().write(stream, bytes))))
    })?;
    // `(session, stream, whether trailers follow)`.
    add_fast(scope, binding, "end", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().end(stream, call.argument(scope, 2).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "reset", |scope, call| {
        let (stream, code) = (u32_argument(scope, call, 1)?, u32_argument(scope, call, 2)?);
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().reset_stream(stream, code);
        }
        Ok(scope.undefined())
    })?;
    // `(session, stream, whether data is read as it arrives)`.
    add_fast(scope, binding, "setReading", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().set_reading(stream, call.argument(scope, 2).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    // State, both halves, local window; undefined: the stream has ended.
    add(scope, binding, "streamState", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let Some(state) = handle.session.borrow().stream_state(stream) else { return Ok(scope.undefined()) };
        let (number, is_local_closed, is_remote_closed, window) = state;
        let list = [
            f64::from(number),
            u8::from(is_local_closed).into(),
            u8::from(is_remote_closed).into(),
            window.local_size as f64,
        ];
        numbers(scope, &list)
    })
}
