//! Commands for a session, and its state.

use rusk_http2::{Http2Error, Http2Settings, StreamPriority};
use rusk_jsc::{Bytes, Exception, Object, Scope};

use rusk_runtime::bindings::add;
use rusk_runtime::values::{bytes_or_utf8, map_array, u32_argument};

use crate::{find, numbers};

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(session, [id, value, ...])`: 0 or an error.
    add(scope, binding, "settings", |scope, call| {
        let list = map_array(scope, call.argument(scope, 1), |scope, value| value.to_number(scope))?;
        let pairs: Vec<(u16, u32)> =
            list.chunks_exact(2).map(|pair| (pair[0] as u16, pair[1] as u32)).collect();
        let result = find(scope, call).map_or(Ok(()), |handle| handle.session.borrow_mut().settings(&pairs));
        Ok(scope.number(error_number(result)))
    })?;
    // `(session, 8 bytes)`.
    add(scope, binding, "ping", |scope, call| {
        let opaque = Bytes::of(scope, call.argument(scope, 1)).map(|bytes| bytes.copy(scope));
        if let (Some(handle), Some(Ok(opaque))) = (find(scope, call), opaque.map(<[u8; 8]>::try_from)) {
            handle.session.borrow_mut().ping(opaque);
        }
        Ok(scope.undefined())
    })?;
    // `(session, code, last stream, bytes)`.
    add(scope, binding, "goaway", |scope, call| {
        let (code, last) = (u32_argument(scope, call, 1)?, u32_argument(scope, call, 2)?);
        let opaque =
            Bytes::of(scope, call.argument(scope, 3)).map(|bytes| bytes.copy(scope)).unwrap_or_default();
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().goaway(code, last, &opaque);
        }
        Ok(scope.undefined())
    })?;
    // `(session, stream, origin, value)`.
    add(scope, binding, "altsvc", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        let origin = bytes_or_utf8(scope, call.argument(scope, 2))?;
        let value = bytes_or_utf8(scope, call.argument(scope, 3))?;
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().altsvc(stream, &origin, &value);
        }
        Ok(scope.undefined())
    })?;
    // `(session, [origin, ...])`.
    add(scope, binding, "origin", |scope, call| {
        let origins = map_array(scope, call.argument(scope, 1), |scope, value| value.to_rust_string(scope))?;
        let origins: Vec<&[u8]> = origins.iter().map(String::as_bytes).collect();
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().origin(&origins);
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "setNextStream", |scope, call| {
        let id = u32_argument(scope, call, 1)?;
        let result =
            find(scope, call).map_or(Ok(()), |handle| handle.session.borrow_mut().set_next_stream(id));
        Ok(scope.number(error_number(result)))
    })?;
    add(scope, binding, "setLocalWindow", |scope, call| {
        let size = u32_argument(scope, call, 1)?;
        let result =
            find(scope, call).map_or(Ok(()), |handle| handle.session.borrow_mut().set_local_window(size));
        Ok(scope.number(error_number(result)))
    })?;
    // `(session, whether new streams are refused)`.
    add(scope, binding, "refuseStreams", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.session.borrow_mut().refuses_streams = call.argument(scope, 1).is_truthy(scope);
        }
        Ok(scope.undefined())
    })?;
    // `(session, stream, parent, weight, exclusive)`.
    add(scope, binding, "priority", |scope, call| {
        let stream = u32_argument(scope, call, 1)?;
        let (parent, weight) = (u32_argument(scope, call, 2)?, u32_argument(scope, call, 3)? as u16);
        let priority =
            StreamPriority { parent, weight, is_exclusive: call.argument(scope, 4).is_truthy(scope) };
        let result =
            find(scope, call).map_or(Ok(()), |handle| handle.session.borrow_mut().priority(stream, priority));
        Ok(scope.number(error_number(result)))
    })?;
    add_state(scope, binding)
}

fn add_state<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "localSettings", |scope, call| {
        let settings = find(scope, call).map(|handle| handle.session.borrow().local_settings().clone());
        numbers(scope, &settings_numbers(&settings.unwrap_or_default()))
    })?;
    add(scope, binding, "remoteSettings", |scope, call| {
        let settings = find(scope, call).map(|handle| handle.session.borrow().remote_settings().clone());
        numbers(scope, &settings_numbers(&settings.unwrap_or_default()))
    })?;
    // Local window, what was received of it, next stream, last received stream, remote window,
    // queued bytes, both table sizes.
    add(scope, binding, "state", |scope, call| {
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let session = handle.session.borrow();
        let (window, tables) = (session.window(), session.table_bytes());
        let list = [
            window.local_size as f64,
            window.received as f64,
            session.next_stream().into(),
            session.last_received_stream().into(),
            window.remote_size as f64,
            session.queued_bytes() as f64,
            tables.0 as f64,
            tables.1 as f64,
        ];
        numbers(scope, &list)
    })?;
    // Frames and bytes received and sent, streams, the most at one time.
    add(scope, binding, "statistics", |scope, call| {
        let statistics = find(scope, call).map(|handle| handle.session.borrow().statistics());
        let statistics = statistics.unwrap_or_default();
        let list = [
            statistics.frames_received,
            statistics.frames_sent,
            statistics.bytes_received,
            statistics.bytes_sent,
            statistics.streams,
            statistics.concurrent_streams_max,
        ];
        numbers(scope, &list.map(|number| number as f64))
    })?;
    add(scope, binding, "hasOutput", |scope, call| {
        Ok(scope.boolean(find(scope, call).is_some_and(|handle| handle.session.borrow().has_output())))
    })
}

/// In the order of their identifiers, then pairs of additional ones.
pub fn settings_numbers(settings: &Http2Settings) -> Vec<f64> {
    let mut list = vec![
        f64::from(settings.header_table_bytes),
        u8::from(settings.enable_push).into(),
        settings.concurrent_streams_max.into(),
        settings.initial_window_bytes.into(),
        settings.frame_bytes_max.into(),
        settings.header_list_bytes_max.into(),
        u8::from(settings.enable_connect_protocol).into(),
    ];
    list.extend(settings.additional.iter().flat_map(|(id, value)| [f64::from(*id), f64::from(*value)]));
    list
}

/// 0, or nghttp2's number of the error.
pub fn error_number(result: Result<(), Http2Error>) -> f64 {
    result.map_or_else(|error| f64::from(error.number()), |()| 0.0)
}
