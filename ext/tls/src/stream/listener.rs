//! Calls of a stream's listener. In: events and questions of the handshake. Out: calls of
//! JavaScript, and its answers.

use rusk_base::sys;
use rusk_jsc::{Bytes, Exception, Object, Outcome, Scope, Value};
use rusk_openssl::SecretBytes;
use rusk_openssl::tls::{Answer, Connection, Event, Question, Role};
use rusk_runtime::values::negative_errno;

use rusk_ext_crypto::throw;

use super::TlsStream;
use crate::event;

impl TlsStream {
    pub(super) fn emit_written<'s>(
        &self,
        scope: &'s Scope,
        result: sys::Result<()>,
    ) -> Result<(), Exception<'s>> {
        let status = result.map_or_else(negative_errno, |()| 0.0);
        self.emit(scope, event::WRITTEN, &[scope.number(status)]).map(drop)
    }

    pub(super) fn emit_events<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        while let Some(event) = self.with_connection(Connection::next_event).flatten() {
            self.emit_event(scope, event)?;
        }
        Ok(())
    }

    fn emit_event<'s>(&self, scope: &'s Scope, event: Event) -> Result<(), Exception<'s>> {
        self.settle(scope)?;
        if let Event::NewSession { der, .. } = &event {
            *self.reported_session.borrow_mut() = Some(der.clone());
        }
        let result = self.emit_values(scope, event);
        drop(self.reported_session.take());
        result
    }

    fn emit_values<'s>(&self, scope: &'s Scope, event: Event) -> Result<(), Exception<'s>> {
        let bytes = |bytes| Bytes::from_vec(scope, bytes).map(Object::value);
        let (kind, values) = match event {
            Event::HandshakeStarted => (event::HANDSHAKE_STARTED, vec![]),
            Event::HandshakeDone => (event::HANDSHAKE_DONE, vec![]),
            Event::KeyLog(line) => (event::KEY_LOG, vec![bytes(line)?]),
            Event::NewSession { id, der } => {
                self.holds_output.set(self.role == Role::Server);
                (event::NEW_SESSION, vec![bytes(id)?, bytes(der)?])
            }
            Event::OcspResponse(response) => {
                (event::OCSP_RESPONSE, vec![response.map_or(Ok(scope.null()), bytes)?])
            }
            Event::ClientHello { session_id, has_ticket } => {
                (event::CLIENT_HELLO, vec![bytes(session_id)?, scope.boolean(has_ticket)])
            }
            Event::CertificateNeeded { server_name, wants_ocsp } => {
                let name = server_name.map_or(scope.undefined(), |name| scope.string(&name));
                (event::CERTIFICATE_NEEDED, vec![name, scope.boolean(wants_ocsp)])
            }
        };
        self.emit(scope, kind, &values).map(drop)
    }

    /// Asks the listener. An error that it throws is no answer.
    pub(super) fn answer(&self, scope: &Scope, question: Question<'_>) -> Answer {
        self.ask_listener(scope, question).ok().flatten().unwrap_or(Answer::None)
    }

    fn ask_listener<'s>(
        &self,
        scope: &'s Scope,
        question: Question<'_>,
    ) -> Result<Option<Answer>, Exception<'s>> {
        let optional = |text: Option<&str>| text.map_or(scope.undefined(), |text| scope.string(text));
        match question {
            Question::Alpn { offer, server_name, credentials } => {
                let offer = Bytes::from_vec(scope, offer.to_vec())?.value();
                let answer =
                    self.emit(scope, event::ASK_PROTOCOL, &[offer, optional(server_name.as_deref())])?;
                if let Some(context) = self.late_context.take()
                    && let Err(failure) = credentials.replace(&context.0.borrow())
                {
                    return Err(throw(scope, &failure));
                }
                match answer.is_undefined(scope) {
                    true => Ok(None),
                    false => Ok(Some(Answer::Protocol(answer.to_number(scope)? as usize))),
                }
            }
            Question::ServerPsk { identity, key_bytes_max } => {
                let values = [scope.string(identity), scope.number(key_bytes_max as f64)];
                let answer = self.emit(scope, event::ASK_SERVER_PSK, &values)?;
                let key = Bytes::of(scope, answer).map(|key| SecretBytes::new(key.copy(scope)));
                Ok(key.map(|key| Answer::Psk { identity: String::new(), key }))
            }
            Question::ClientPsk { hint, identity_bytes_max, key_bytes_max } => {
                let limits = [key_bytes_max, identity_bytes_max].map(|limit| scope.number(limit as f64));
                let answer =
                    self.emit(scope, event::ASK_CLIENT_PSK, &[optional(hint), limits[0], limits[1]])?;
                let Some(pair) = answer.as_object(scope) else { return Ok(None) };
                let identity = pair.property(scope, "identity")?.to_rust_string(scope)?;
                let key = Bytes::of(scope, pair.property(scope, "psk")?);
                let key = key.map(|key| SecretBytes::new(key.copy(scope)));
                Ok(key.map(|key| Answer::Psk { identity, key }))
            }
        }
    }

    /// Calls the listener; undefined: there is none any more.
    pub(super) fn emit<'s>(&self, scope: &'s Scope, event: f64, values: &[Value<'_>]) -> Outcome<'s> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        let Some(listener) = listener.and_then(|listener| listener.as_function(scope)) else {
            return Ok(scope.undefined());
        };
        let mut arguments = vec![scope.number(event)];
        arguments.extend_from_slice(values);
        listener.call(scope, &arguments)
    }
}
