//! Secure contexts. In: PEM, PKCS #12, names of ciphers and groups. Out: a handle.

use std::cell::RefCell;
use std::rc::Rc;

use rusk_jsc::{Bytes, Call, Exception, Kind, Object, Outcome, Scope, Value};
use rusk_openssl::tls::{Protocol, TlsContext, TrustStore, pem_certificates, tls_cipher_names};
use rusk_openssl::{Certificate, CryptoError, SecretBytes};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, map_array, string_argument};

use rusk_ext_crypto::throw;

pub struct ContextHandle(pub RefCell<TlsContext>);

struct TrustHandle(TrustStore);

pub fn find<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Rc<ContextHandle>> {
    value.as_object(scope)?.as_native(scope)
}

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(side, minVersion, maxVersion)`; side: 0 any, 1 client, 2 server.
    add(scope, binding, "context", |scope, call| {
        let protocol = match i32_argument(scope, call, 0)? {
            1 => Protocol::Client,
            2 => Protocol::Server,
            _ => Protocol::Any,
        };
        let versions = (i32_argument(scope, call, 1)?, i32_argument(scope, call, 2)?);
        match TlsContext::new(protocol, versions) {
            Ok(context) => Ok(scope.native(ContextHandle(RefCell::new(context))).value()),
            Err(failure) => Err(throw(scope, &failure)),
        }
    })?;
    add(scope, binding, "cipherNames", |scope, _| {
        let names = tls_cipher_names().map_err(|failure| throw(scope, &failure))?;
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    // OpenSSL's security level of a new context.
    add(scope, binding, "securityLevel", |scope, _| {
        let context = TlsContext::new(Protocol::Any, (0, 0)).map_err(|failure| throw(scope, &failure))?;
        Ok(scope.number(context.security_level().into()))
    })?;
    // `(PEM)`: the DER of each certificate.
    add(scope, binding, "pemCertificates", |scope, call| {
        let found = pem_certificates(&bytes_or_utf8(scope, call.argument(scope, 0))?);
        let found = found.map_err(|failure| throw(scope, &failure))?;
        certificates(scope, &found)
    })?;
    // `([PEM, ...])`: a store that contexts can share.
    add(scope, binding, "trustStore", |scope, call| {
        let texts = map_array(scope, call.argument(scope, 0), bytes_or_utf8)?;
        match trust_store(&texts) {
            Ok(store) => Ok(scope.native(TrustHandle(store)).value()),
            Err(failure) => Err(throw(scope, &failure)),
        }
    })?;
    add_settings(scope, binding)?;
    add_credentials(scope, binding)?;
    add_queries(scope, binding)
}

fn trust_store(texts: &[Vec<u8>]) -> Result<TrustStore, CryptoError> {
    let store = TrustStore::new()?;
    for text in texts {
        pem_certificates(text)?.iter().for_each(|certificate| store.add(certificate));
    }
    Ok(store)
}

/// An array of DER.
pub fn certificates<'s>(scope: &'s Scope, list: &[Certificate]) -> Outcome<'s> {
    let mut values = Vec::with_capacity(list.len());
    for certificate in list {
        values.push(certificate_value(scope, Some(certificate))?);
    }
    scope.array(&values).map(Object::value)
}

/// DER; undefined: there is no certificate.
pub fn certificate_value<'s>(scope: &'s Scope, certificate: Option<&Certificate>) -> Outcome<'s> {
    match certificate.map(Certificate::der) {
        Some(Ok(der)) => Bytes::from_vec(scope, der).map(Object::value),
        _ => Ok(scope.undefined()),
    }
}

/// Changes the context in the first argument.
fn change<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&mut TlsContext) -> Result<(), CryptoError>,
) -> Outcome<'s> {
    if let Some(handle) = find(scope, call.argument(scope, 0)) {
        body(&mut handle.0.borrow_mut()).map_err(|failure| throw(scope, &failure))?;
    }
    Ok(scope.undefined())
}

fn add_settings<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "setOptions", |scope, call| {
        let options = call.argument(scope, 1).to_number(scope)? as i64 as u64;
        change(scope, call, |context| {
            context.set_options(options);
            Ok(())
        })
    })?;
    add(scope, binding, "setMinProto", |scope, call| {
        let version = i32_argument(scope, call, 1)?;
        change(scope, call, |context| {
            context.set_min_version(version);
            Ok(())
        })
    })?;
    add(scope, binding, "setMaxProto", |scope, call| {
        let version = i32_argument(scope, call, 1)?;
        change(scope, call, |context| {
            context.set_max_version(version);
            Ok(())
        })
    })?;
    add(scope, binding, "setCiphers", |scope, call| {
        let list = string_argument(scope, call, 1)?;
        change(scope, call, |context| context.set_ciphers(&list))
    })?;
    add(scope, binding, "setCipherSuites", |scope, call| {
        let list = string_argument(scope, call, 1)?;
        change(scope, call, |context| context.set_cipher_suites(&list))
    })?;
    add(scope, binding, "setECDHCurve", |scope, call| {
        let list = string_argument(scope, call, 1)?;
        change(scope, call, |context| context.set_groups(&list))
    })?;
    add(scope, binding, "setSigalgs", |scope, call| {
        let list = string_argument(scope, call, 1)?;
        change(scope, call, |context| context.set_signature_algorithms(&list))
    })?;
    add(scope, binding, "setDHParam", set_dh_parameters)?;
    add(scope, binding, "setSessionIdContext", |scope, call| {
        let id = string_argument(scope, call, 1)?;
        change(scope, call, |context| context.set_session_id_context(id.as_bytes()))
    })?;
    add(scope, binding, "setSessionTimeout", |scope, call| {
        let seconds = i32_argument(scope, call, 1)?;
        change(scope, call, |context| {
            context.set_session_timeout(seconds);
            Ok(())
        })
    })?;
    add(scope, binding, "setTicketKeys", |scope, call| {
        let keys = SecretBytes::new(bytes_or_utf8(scope, call.argument(scope, 1))?);
        change(scope, call, |context| context.set_ticket_keys(&keys))
    })
}

/// `(context, true or PEM)`: undefined, or a warning.
fn set_dh_parameters<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (handle, value) = (find(scope, call.argument(scope, 0)), call.argument(scope, 1));
    let Some(handle) = handle else { return Ok(scope.undefined()) };
    if matches!(value.kind(scope), Kind::Boolean) {
        handle.0.borrow_mut().set_dh_auto();
        return Ok(scope.undefined());
    }
    let pem = bytes_or_utf8(scope, value)?;
    let warning = handle.0.borrow_mut().set_dh_parameters(&pem).map_err(|failure| throw(scope, &failure))?;
    Ok(warning.map_or(scope.undefined(), |warning| scope.string(warning)))
}

fn add_credentials<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "setCert", |scope, call| {
        let pem = bytes_or_utf8(scope, call.argument(scope, 1))?;
        change(scope, call, |context| context.add_certificate(&pem))
    })?;
    // `(context, PEM, passphrase)`.
    add(scope, binding, "setKey", |scope, call| {
        let pem = SecretBytes::new(bytes_or_utf8(scope, call.argument(scope, 1))?);
        let passphrase = optional_bytes(scope, call, 2)?;
        change(scope, call, |context| context.add_key(&pem, passphrase.as_deref()))
    })?;
    // `(context, PKCS #12, passphrase)`.
    add(scope, binding, "loadPKCS12", |scope, call| {
        let der = SecretBytes::new(bytes_or_utf8(scope, call.argument(scope, 1))?);
        let passphrase = optional_bytes(scope, call, 2)?;
        change(scope, call, |context| context.add_pkcs12(&der, passphrase.as_deref()))
    })?;
    add(scope, binding, "addCACert", |scope, call| {
        let pem = bytes_or_utf8(scope, call.argument(scope, 1))?;
        change(scope, call, |context| context.add_authorities(&pem))
    })?;
    add(scope, binding, "addCRL", |scope, call| {
        let pem = bytes_or_utf8(scope, call.argument(scope, 1))?;
        change(scope, call, |context| context.add_revocations(&pem))
    })?;
    add(scope, binding, "setAllowPartialTrustChain", |scope, call| {
        change(scope, call, |context| {
            context.allow_partial_chains();
            Ok(())
        })
    })?;
    // `(context, store, isOwn)`: shares a store; `isOwn`: it is this context's alone.
    add(scope, binding, "setTrustStore", |scope, call| {
        let store = call.argument(scope, 1).as_object(scope);
        let Some(store) = store.and_then(|store| store.as_native::<TrustHandle>(scope)) else {
            return Ok(scope.undefined());
        };
        let is_own = call.argument(scope, 2).is_truthy(scope);
        change(scope, call, |context| {
            if is_own {
                context.own_store(&store.0)
            } else {
                context.set_store(&store.0)
            }
            Ok(())
        })
    })
}

fn optional_bytes<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<SecretBytes>, Exception<'s>> {
    let value = call.argument(scope, index);
    match value.kind(scope) {
        Kind::Undefined | Kind::Null => Ok(None),
        _ => bytes_or_utf8(scope, value).map(|bytes| Some(SecretBytes::new(bytes))),
    }
}

fn add_queries<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "getMinProto", |scope, call| {
        let handle = find(scope, call.argument(scope, 0));
        Ok(scope.number(handle.map_or(0, |handle| handle.0.borrow().min_version()).into()))
    })?;
    add(scope, binding, "getMaxProto", |scope, call| {
        let handle = find(scope, call.argument(scope, 0));
        Ok(scope.number(handle.map_or(0, |handle| handle.0.borrow().max_version()).into()))
    })?;
    add(scope, binding, "getTicketKeys", |scope, call| {
        let handle = find(scope, call.argument(scope, 0));
        let keys = handle.map_or(Vec::new(), |handle| handle.0.borrow().ticket_keys().to_vec());
        Bytes::from_vec(scope, keys).map(Object::value)
    })?;
    add(scope, binding, "contextCertificate", |scope, call| {
        let Some(handle) = find(scope, call.argument(scope, 0)) else { return Ok(scope.undefined()) };
        certificate_value(scope, handle.0.borrow().certificate())
    })?;
    add(scope, binding, "contextIssuer", |scope, call| {
        let Some(handle) = find(scope, call.argument(scope, 0)) else { return Ok(scope.undefined()) };
        certificate_value(scope, handle.0.borrow().issuer())
    })
}
