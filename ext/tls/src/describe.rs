//! What a TLS stream negotiated, for JavaScript.

use rusk_jsc::{Bytes, Call, Exception, Kind, Object, Outcome, Scope, Value};
use rusk_openssl::tls::{Connection, EphemeralKey, Session};
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{bytes_or_utf8, string_argument, u32_argument};

use rusk_ext_crypto::throw;

use crate::context::{certificate_value, certificates};
use crate::stream::find;

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "getProtocol", |scope, call| {
        text(scope, query(scope, call, Connection::protocol_version))
    })?;
    add(scope, binding, "getServername", |scope, call| {
        text(scope, query(scope, call, Connection::server_name).flatten())
    })?;
    // Bytes; undefined: none was negotiated.
    add(scope, binding, "selectedProtocol", |scope, call| {
        bytes(scope, query(scope, call, Connection::selected_protocol).flatten())
    })?;
    add(scope, binding, "isEstablished", |scope, call| {
        Ok(scope.boolean(query(scope, call, Connection::is_established) == Some(true)))
    })?;
    add(scope, binding, "isSessionReused", |scope, call| {
        Ok(scope.boolean(query(scope, call, Connection::is_resumed) == Some(true)))
    })?;
    add(scope, binding, "getSession", |scope, call| {
        let reported = find(scope, call).and_then(|stream| stream.reported_session());
        bytes(scope, reported.or_else(|| query(scope, call, Connection::session).flatten()))
    })?;
    add(scope, binding, "getTLSTicket", |scope, call| {
        let reported = find(scope, call).and_then(|stream| stream.reported_session());
        let ticket = reported.and_then(|der| Session::of_der(&der).ok()?.ticket());
        bytes(scope, ticket.or_else(|| query(scope, call, Connection::session_ticket).flatten()))
    })?;
    // `(stream, ofPeer)`.
    add(scope, binding, "getFinished", |scope, call| {
        let of_peer = call.argument(scope, 1).is_truthy(scope);
        let message = query(scope, call, |connection| connection.finished(of_peer));
        bytes(scope, message.filter(|message| !message.is_empty()))
    })?;
    // `[name, standardName, version]`.
    add(scope, binding, "getCipher", |scope, call| {
        let Some(cipher) = query(scope, call, Connection::cipher).flatten() else {
            return Ok(scope.undefined());
        };
        let parts = [&cipher.name, &cipher.standard_name, &cipher.version].map(|part| scope.string(part));
        scope.array(&parts).map(Object::value)
    })?;
    add(scope, binding, "getSharedSigalgs", |scope, call| {
        let names = query(scope, call, Connection::shared_signature_algorithms).unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, binding, "getEphemeralKeyInfo", ephemeral_key)?;
    // 0: the server's key is not of a finite field.
    add(scope, binding, "ephemeralDhBits", |scope, call| {
        let bits = query(scope, call, Connection::ephemeral_dh_bits).flatten();
        Ok(scope.number(bits.unwrap_or(0).into()))
    })?;
    // `[code, message]`; undefined: the certificate is accepted.
    add(scope, binding, "verifyError", |scope, call| {
        let failure = query(scope, call, Connection::verify_failure).flatten();
        let Some(failure) = failure else { return Ok(scope.undefined()) };
        let parts = [scope.string(failure.code), scope.string(&failure.message)];
        scope.array(&parts).map(Object::value)
    })?;
    // DER of the peer's certificates, its own first.
    add(scope, binding, "peerChain", |scope, call| {
        certificates(scope, &query(scope, call, Connection::peer_chain).unwrap_or_default())
    })?;
    add(scope, binding, "peerCertificate", |scope, call| {
        certificate_value(scope, query(scope, call, Connection::peer_certificate).flatten().as_ref())
    })?;
    add(scope, binding, "ownCertificate", |scope, call| {
        certificate_value(scope, query(scope, call, Connection::own_certificate).flatten().as_ref())
    })?;
    add(scope, binding, "exportKeyingMaterial", export_key)
}

fn query<'s, R>(scope: &'s Scope, call: &Call<'s>, body: impl FnOnce(&Connection) -> R) -> Option<R> {
    find(scope, call)?.with_connection(|connection| body(connection))
}

fn text(scope: &Scope, text: Option<String>) -> Outcome<'_> {
    Ok(text.map_or(scope.undefined(), |text| scope.string(&text)))
}

fn bytes(scope: &Scope, bytes: Option<Vec<u8>>) -> Outcome<'_> {
    bytes.map_or(Ok(scope.undefined()), |bytes| Bytes::from_vec(scope, bytes).map(Object::value))
}

fn ephemeral_key<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let key = object(scope)?;
    let set = |name: &str, value: Value<'_>| key.set_property(scope, name, value);
    match query(scope, call, Connection::ephemeral_key).flatten() {
        Some(EphemeralKey::Dh { bits }) => {
            set("type", scope.string("DH"))?;
            set("size", scope.number(bits.into()))?;
        }
        Some(EphemeralKey::Ecdh { name, bits }) => {
            set("type", scope.string("ECDH"))?;
            set("name", scope.string(&name))?;
            set("size", scope.number(bits.into()))?;
        }
        None => {}
    }
    Ok(key.value())
}

/// `(stream, length, label, context)`.
fn export_key<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (count, label) = (u32_argument(scope, call, 1)? as usize, string_argument(scope, call, 2)?);
    let value = call.argument(scope, 3);
    let context = match value.kind(scope) {
        Kind::Undefined => None,
        _ => Some(bytes_or_utf8(scope, value)?),
    };
    let key = query(scope, call, |connection| connection.export_key(count, &label, context.as_deref()));
    bytes(scope, key.transpose().map_err(|failure| throw(scope, &failure))?)
}
