//! Settings of a TLS stream before and during its handshake.

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_openssl::tls::{Connection, Session};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, string_argument};

use rusk_ext_crypto::throw;

use crate::context;
use crate::stream::find;

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(stream, wants, requires)`.
    add(scope, binding, "setVerifyMode", |scope, call| {
        let (wants, requires) =
            (call.argument(scope, 1).is_truthy(scope), call.argument(scope, 2).is_truthy(scope));
        change(scope, call, |connection| connection.set_verification(wants, requires))
    })?;
    add(scope, binding, "setServername", |scope, call| {
        let name = string_argument(scope, call, 1)?;
        change(scope, call, |connection| connection.set_server_name(&name))
    })?;
    add(scope, binding, "setALPNProtocols", |scope, call| {
        let list = bytes_or_utf8(scope, call.argument(scope, 1))?;
        change(scope, call, |connection| connection.set_protocols(&list))
    })?;
    add(scope, binding, "enableALPNCb", |scope, call| change(scope, call, Connection::ask_for_protocol))?;
    add(scope, binding, "enablePskCallback", |scope, call| change(scope, call, Connection::ask_for_psk))?;
    // True: the hint is set.
    add(scope, binding, "setPskIdentityHint", |scope, call| {
        let hint = string_argument(scope, call, 1)?;
        let is_set = find(scope, call)
            .and_then(|stream| stream.with_connection(|connection| connection.set_psk_hint(&hint)));
        Ok(scope.boolean(is_set == Some(true)))
    })?;
    add(scope, binding, "enableKeylogCallback", |scope, call| change(scope, call, Connection::report_keys))?;
    add(scope, binding, "enableSessionCallbacks", |scope, call| {
        change(scope, call, Connection::report_sessions)
    })?;
    add(scope, binding, "enableCertCb", |scope, call| {
        change(scope, call, Connection::pause_for_certificate)
    })?;
    add(scope, binding, "requestOCSP", |scope, call| change(scope, call, Connection::request_ocsp))?;
    add(scope, binding, "enableTrace", |scope, call| change(scope, call, Connection::trace))?;
    add(scope, binding, "setOCSPResponse", |scope, call| {
        let response = bytes_or_utf8(scope, call.argument(scope, 1))?;
        change(scope, call, |connection| connection.set_ocsp_response(response))
    })?;
    add(scope, binding, "setMaxSendFragment", |scope, call| {
        let bytes = i32_argument(scope, call, 1)?;
        let is_set = find(scope, call)
            .and_then(|stream| stream.with_connection(|connection| connection.set_max_send_fragment(bytes)));
        Ok(scope.number(f64::from(u8::from(is_set == Some(true)))))
    })?;
    add_sessions(scope, binding)?;
    add_handshake(scope, binding)
}

fn change<'s>(scope: &'s Scope, call: &Call<'s>, body: impl FnOnce(&mut Connection)) -> Outcome<'s> {
    if let Some(stream) = find(scope, call) {
        stream.with_connection(body);
    }
    Ok(scope.undefined())
}

fn add_sessions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(stream, DER)`: true, or false if the session is refused.
    add(scope, binding, "setSession", |scope, call| {
        let der = bytes_or_utf8(scope, call.argument(scope, 1))?;
        let Ok(session) = Session::of_der(&der) else { return Ok(scope.boolean(false)) };
        let is_set = find(scope, call)
            .and_then(|stream| stream.with_connection(|connection| connection.set_session(&session)));
        Ok(scope.boolean(is_set == Some(true)))
    })?;
    // `(stream, DER or undefined)`: the session that a server found.
    add(scope, binding, "loadSession", |scope, call| {
        let value = call.argument(scope, 1);
        let session = match value.is_truthy(scope) {
            true => Session::of_der(&bytes_or_utf8(scope, value)?).ok(),
            false => None,
        };
        change(scope, call, |connection| connection.offer_session(session))
    })?;
    add(scope, binding, "newSessionDone", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.release_output(scope).map(|()| scope.undefined())
    })
}

fn add_handshake<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "continueHello", |scope, call| {
        change(scope, call, Connection::continue_hello)?;
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.resume(scope).map(|()| scope.undefined())
    })?;
    // `(stream, context or undefined)`: continues with the certificate of another context.
    add(scope, binding, "continueCertificate", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        if let Some(context) = context::find(scope, call.argument(scope, 1)) {
            let context = context.0.borrow();
            let used = stream.with_connection(|connection| connection.use_context(&context));
            used.transpose().map_err(|failure| throw(scope, &failure))?;
        }
        stream.with_connection(Connection::continue_certificate);
        stream.resume(scope).map(|()| scope.undefined())
    })?;
    // `(stream, context)`: uses its certificate and key.
    add(scope, binding, "setKeyCert", |scope, call| {
        let (stream, context) = (find(scope, call), context::find(scope, call.argument(scope, 1)));
        if let (Some(stream), Some(context)) = (stream, context) {
            let used = stream.with_connection(|connection| connection.use_credentials(&context.0.borrow()));
            match used {
                Some(result) => drop(result.map_err(|failure| throw(scope, &failure))?),
                None => stream.use_credentials_later(context),
            }
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "renegotiate", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let started = stream.with_connection(Connection::renegotiate);
        started.transpose().map_err(|failure| throw(scope, &failure))?;
        stream.handshake(scope).map(|()| scope.undefined())
    })
}
