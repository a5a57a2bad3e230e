//! Certificates and SPKAC. In: PEM, DER, names to check. Out: a handle, fields as strings and
//! bytes.

use std::rc::Rc;

use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope};
use rusk_openssl::{Certificate, HostCheck, KeyMaterial, NameEntry, Spkac};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{i32_argument, string_argument, u32_argument};

use super::job::{JobOutput, throw};
use super::keys::pkey;
use super::{finish, secret_bytes, text_or_undefined, wrong_handle};

struct CertificateHandle(Certificate);

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "certificate", |scope, call| {
        match Certificate::parse(&secret_bytes(scope, call, 0)?) {
            Ok(certificate) => Ok(scope.native(CertificateHandle(certificate)).value()),
            Err(failure) => Err(throw(scope, &failure)),
        }
    })?;
    // `(handle, field)`.
    add(scope, binding, "certificateText", certificate_text)?;
    // `(handle, field)`.
    add(scope, binding, "certificateBytes", |scope, call| {
        let certificate = certificate(scope, call, 0)?;
        let bytes = match string_argument(scope, call, 1)?.as_str() {
            "pem" => certificate.0.pem(),
            "serial" => certificate.0.serial(),
            _ => certificate.0.der(),
        };
        finish(scope, bytes.map(JobOutput::Bytes))
    })?;
    // `(handle, isIssuer)`: names and values in turn.
    add(scope, binding, "certificateName", |scope, call| {
        let certificate = certificate(scope, call, 0)?;
        let is_issuer = call.argument(scope, 1).is_truthy(scope);
        let entries =
            if is_issuer { certificate.0.issuer_entries() } else { certificate.0.subject_entries() };
        let pair = |entry: &NameEntry| [scope.string(&entry.name), scope.string(&entry.value)];
        let flat: Vec<_> = entries.iter().flat_map(pair).collect();
        scope.array(&flat).map(Object::value)
    })?;
    // `(handle, number)`: the DER value; undefined: there is none.
    add(scope, binding, "certificateExtension", |scope, call| {
        let value = certificate(scope, call, 0)?.0.extension(i32_argument(scope, call, 1)?);
        value.map_or(Ok(scope.undefined()), |bytes| Bytes::from_vec(scope, bytes).map(Object::value))
    })?;
    add_checks(scope, binding)?;
    add_spkac(scope, binding)
}

fn certificate<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Rc<CertificateHandle>, Exception<'s>> {
    let object = call.argument(scope, index).as_object(scope);
    object.and_then(|object| object.as_native::<CertificateHandle>(scope)).ok_or_else(|| wrong_handle(scope))
}

fn certificate_text<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let certificate = certificate(scope, call, 0)?;
    let text = match string_argument(scope, call, 1)?.as_str() {
        "subject" => certificate.0.subject(),
        "issuer" => certificate.0.issuer(),
        "validFrom" => certificate.0.valid_from().map(Some),
        "validTo" => certificate.0.valid_to().map(Some),
        "signatureAlgorithm" => certificate.0.signature_algorithm().map(|(name, _)| name),
        _ => certificate.0.signature_algorithm().map(|(_, identifier)| identifier),
    };
    text.map(|text| text_or_undefined(scope, text)).map_err(|failure| throw(scope, &failure))
}

fn add_checks<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "certificateIsCa", |scope, call| {
        Ok(scope.boolean(certificate(scope, call, 0)?.0.is_ca()))
    })?;
    add(scope, binding, "certificateKey", |scope, call| {
        let key = certificate(scope, call, 0)?.0.public_key();
        finish(scope, key.map(|key| JobOutput::Key(KeyMaterial::Public(key))))
    })?;
    // `(handle, 'host', 'email' or 'ip', name, flags)`: what matched; undefined: nothing.
    add(scope, binding, "certificateCheck", |scope, call| {
        let (kind, name) = (string_argument(scope, call, 1)?, string_argument(scope, call, 2)?);
        let flags = u32_argument(scope, call, 3)?;
        let check = match kind.as_str() {
            "host" => HostCheck::Host(&name, flags),
            "email" => HostCheck::Email(&name, flags),
            _ => HostCheck::Ip(&name),
        };
        let matched = certificate(scope, call, 0)?.0.check(&check);
        matched.map(|name| text_or_undefined(scope, name)).map_err(|failure| throw(scope, &failure))
    })?;
    // `(handle, handle of the issuer)`.
    add(scope, binding, "certificateIsIssued", |scope, call| {
        let (own, issuer) = (certificate(scope, call, 0)?, certificate(scope, call, 1)?);
        Ok(scope.boolean(own.0.is_issued_by(&issuer.0)))
    })?;
    add(scope, binding, "certificateHasKey", |scope, call| {
        let (own, key) = (certificate(scope, call, 0)?, pkey(scope, call, 1)?);
        Ok(scope.boolean(own.0.has_private_key(&key)))
    })?;
    add(scope, binding, "certificateVerify", |scope, call| {
        let (own, key) = (certificate(scope, call, 0)?, pkey(scope, call, 1)?);
        Ok(scope.boolean(own.0.is_signed_by(&key)))
    })
}

fn add_spkac<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(base64, 'verify', 'key' or 'challenge')`: undefined: malformed.
    add(scope, binding, "spkac", |scope, call| {
        let (text, wanted) = (secret_bytes(scope, call, 0)?, string_argument(scope, call, 1)?);
        let read = || {
            let Some(spkac) = Spkac::of_base64(&text)? else { return Ok(JobOutput::Nothing) };
            match wanted.as_str() {
                "verify" => spkac.is_valid().map(JobOutput::Boolean),
                "key" => spkac.public_key().map(|key| JobOutput::Key(KeyMaterial::Public(key))),
                _ => spkac.challenge().map(JobOutput::Bytes),
            }
        };
        finish(scope, read())
    })
}
