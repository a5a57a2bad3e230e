//! Keys: reading, writing, parameters, generation. In: handles, PEM, DER, numbers. Out: handles,
//! bytes, strings. A handle is one of `rusk_openssl`, which other threads may share.

use std::rc::Rc;
use std::sync::Arc;

use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope};
use rusk_openssl::{
    CryptoError, DerKind, ErrorKind, KeyHandle, KeyMaterial, KeyRead, Pkey, PrivateFormat, RawHalf,
    SecretBytes, Selection,
};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::string_argument;

use super::job::{JobOutput, run_job, throw};
use super::{finish, optional_bytes, optional_text, params, secret_bytes, text_or_undefined, wrong_handle};

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_reading(scope, binding)?;
    add_parts(scope, binding)?;
    add_writing(scope, binding)?;
    // `(algorithm, parameters, parameters of parameters or undefined, callback)`: a private key.
    add(scope, binding, "generate", |scope, call| {
        let algorithm = string_argument(scope, call, 0)?;
        let own = params(scope, call.argument(scope, 1))?;
        let group = match call.argument(scope, 2).is_undefined(scope) {
            true => None,
            false => Some(params(scope, call.argument(scope, 2))?),
        };
        run_job(scope, call, 3, move || {
            let key = match group {
                Some(group) => Pkey::generate_parameters(&algorithm, &group)?.generate_like(),
                None => Pkey::generate(&algorithm, &own),
            };
            key.map(|key| JobOutput::Key(KeyMaterial::Private(key)))
        })
    })?;
    // `(handle of parameters, callback)`.
    add(scope, binding, "generateLike", |scope, call| {
        let group = pkey(scope, call, 0)?;
        run_job(scope, call, 1, move || {
            group.generate_like().map(|key| JobOutput::Key(KeyMaterial::Private(key)))
        })
    })
}

pub fn handle<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Rc<KeyHandle>, Exception<'s>> {
    let object = call.argument(scope, index).as_object(scope);
    object.and_then(|object| object.as_native::<KeyHandle>(scope)).ok_or_else(|| wrong_handle(scope))
}

/// The asymmetric key of a handle.
pub fn pkey<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Pkey, Exception<'s>> {
    let handle = handle(scope, call, index)?;
    handle.0.pkey().cloned().ok_or_else(|| wrong_handle(scope))
}

fn wrap(scope: &Scope, key: KeyMaterial) -> Outcome<'_> {
    Ok(scope.native(KeyHandle(Arc::new(key))).value())
}

fn der_kind(name: &str) -> DerKind {
    match name {
        "pkcs1" => DerKind::Pkcs1,
        "sec1" => DerKind::Sec1,
        "spki" => DerKind::Spki,
        _ => DerKind::Pkcs8,
    }
}

fn half(name: &str) -> RawHalf {
    if name == "private" { RawHalf::Private } else { RawHalf::Public }
}

fn add_reading<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "secretKey", |scope, call| {
        wrap(scope, KeyMaterial::Secret(SecretBytes::new(super::super::bytes(scope, call, 0)?)))
    })?;
    // `(PEM)`: a public key; undefined: there is none in it.
    add(scope, binding, "readPublicPem", |scope, call| {
        let key =
            Pkey::public_of_pem(&secret_bytes(scope, call, 0)?).map_err(|failure| throw(scope, &failure))?;
        key.map_or(Ok(scope.undefined()), |key| wrap(scope, KeyMaterial::Public(key)))
    })?;
    // `(DER, type)`.
    add(scope, binding, "readPublicDer", |scope, call| {
        let kind = der_kind(&string_argument(scope, call, 1)?);
        let key = Pkey::public_of_der(kind, &secret_bytes(scope, call, 0)?);
        finish(scope, key.map(|key| JobOutput::Key(KeyMaterial::Public(key))))
    })?;
    // `(bytes, type or undefined for PEM, passphrase)`: null: a passphrase is needed.
    add(scope, binding, "readPrivate", |scope, call| {
        let bytes = secret_bytes(scope, call, 0)?;
        let kind = optional_text(scope, call, 1)?;
        let passphrase = optional_bytes(scope, call, 2)?;
        let read = match kind {
            Some(kind) => Pkey::private_of_der(der_kind(&kind), &bytes, passphrase.as_deref()),
            None => Pkey::private_of_pem(&bytes, passphrase.as_deref()),
        };
        match read.map_err(|failure| throw(scope, &failure))? {
            KeyRead::Key(key) => wrap(scope, KeyMaterial::Private(key)),
            KeyRead::NeedsPassphrase => Ok(scope.null()),
        }
    })?;
    // `(algorithm, 'pair', 'public' or 'parameters', parameters)`.
    add(scope, binding, "keyOfParams", |scope, call| {
        let (algorithm, selection) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        let params = params(scope, call.argument(scope, 2))?;
        let (selection, is_private) = match selection.as_str() {
            "pair" => (Selection::KeyPair, true),
            "parameters" => (Selection::Parameters, false),
            _ => (Selection::PublicKey, false),
        };
        let key = Pkey::of_params(&algorithm, selection, &params);
        let wrap = |key| {
            JobOutput::Key(if is_private { KeyMaterial::Private(key) } else { KeyMaterial::Public(key) })
        };
        finish(scope, key.map(wrap))
    })?;
    // `(algorithm, 'public' or 'private', bytes)`.
    add(scope, binding, "keyOfRaw", |scope, call| {
        let (algorithm, half) = (string_argument(scope, call, 0)?, half(&string_argument(scope, call, 1)?));
        let key = Pkey::of_raw_bytes(&algorithm, half, &secret_bytes(scope, call, 2)?);
        let wrap = |key| {
            JobOutput::Key(if half == RawHalf::Private {
                KeyMaterial::Private(key)
            } else {
                KeyMaterial::Public(key)
            })
        };
        finish(scope, key.map(wrap))
    })
}

fn add_parts<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "isKey", |scope, call| {
        let object = call.argument(scope, 0).as_object(scope);
        Ok(scope.boolean(object.is_some_and(|object| object.as_native::<KeyHandle>(scope).is_some())))
    })?;
    add_fast(scope, binding, "keyType", |scope, call| {
        Ok(scope.string(match &*handle(scope, call, 0)?.0 {
            KeyMaterial::Secret(_) => "secret",
            KeyMaterial::Public(_) => "public",
            KeyMaterial::Private(_) => "private",
        }))
    })?;
    add(scope, binding, "publicOf", |scope, call| {
        let key = pkey(scope, call, 0)?;
        wrap(scope, KeyMaterial::Public(key))
    })?;
    add_fast(scope, binding, "secretLength", |scope, call| {
        Ok(scope.number(handle(scope, call, 0)?.0.secret().map_or(0, <[u8]>::len) as f64))
    })?;
    add(scope, binding, "secretBytes", |scope, call| {
        let bytes = handle(scope, call, 0)?.0.secret().unwrap_or_default().to_vec();
        Bytes::from_vec(scope, bytes).map(Object::value)
    })?;
    add(scope, binding, "keysEqual", |scope, call| {
        let (one, other) = (handle(scope, call, 0)?, handle(scope, call, 1)?);
        equal(scope, &one.0, &other.0)
    })?;
    add(scope, binding, "keyAlgorithm", |scope, call| Ok(scope.string(&pkey(scope, call, 0)?.algorithm())))?;
    add(scope, binding, "keyBits", |scope, call| Ok(scope.number(f64::from(pkey(scope, call, 0)?.bits()))))?;
    add(scope, binding, "keySignatureBytes", |scope, call| {
        Ok(scope.number(pkey(scope, call, 0)?.signature_bytes_max() as f64))
    })?;
    add(scope, binding, "keyNumber", |scope, call| {
        let number = pkey(scope, call, 0)?.number(&string_argument(scope, call, 1)?);
        number.map_or(Ok(scope.undefined()), |bytes| JobOutput::Secret(bytes).into_value(scope))
    })?;
    add(scope, binding, "keyOctets", |scope, call| {
        let octets = pkey(scope, call, 0)?.octets(&string_argument(scope, call, 1)?);
        octets.map_or(Ok(scope.undefined()), |bytes| JobOutput::Secret(bytes).into_value(scope))
    })?;
    add(scope, binding, "keyInteger", |scope, call| {
        let number = pkey(scope, call, 0)?.integer(&string_argument(scope, call, 1)?);
        Ok(number.map_or(scope.undefined(), |number| scope.number(f64::from(number))))
    })?;
    add(scope, binding, "keyText", |scope, call| {
        let text = pkey(scope, call, 0)?.text(&string_argument(scope, call, 1)?);
        Ok(text_or_undefined(scope, text))
    })?;
    add(scope, binding, "keyIsConsistent", |scope, call| {
        finish(scope, pkey(scope, call, 0)?.is_consistent().map(JobOutput::Boolean))
    })?;
    add(scope, binding, "keyIsPublicValid", |scope, call| {
        finish(scope, pkey(scope, call, 0)?.is_public_valid().map(JobOutput::Boolean))
    })
}

/// Compares secrets in constant time.
fn equal<'s>(scope: &'s Scope, one: &KeyMaterial, other: &KeyMaterial) -> Outcome<'s> {
    match (one, other) {
        (KeyMaterial::Secret(one), KeyMaterial::Secret(other)) => {
            let difference =
                one.iter().zip(other.iter()).fold(one.len() ^ other.len(), |difference, (one, other)| {
                    // `black_box` keeps the compiler from ending the loop early.
                    std::hint::black_box(difference | usize::from(one ^ other))
                });
            Ok(scope.boolean(difference == 0))
        }
        (KeyMaterial::Public(one), KeyMaterial::Public(other))
        | (KeyMaterial::Private(one), KeyMaterial::Private(other)) => {
            Ok(scope.boolean(one.equals(other).unwrap_or(false)))
        }
        _ => Ok(scope.boolean(false)),
    }
}

fn add_writing<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(handle, type, isPem)`.
    add(scope, binding, "exportPublic", |scope, call| {
        let (key, kind) = (pkey(scope, call, 0)?, der_kind(&string_argument(scope, call, 1)?));
        let is_pem = call.argument(scope, 2).is_truthy(scope);
        let bytes = if is_pem { key.public_pem(kind) } else { key.public_der(kind) };
        finish(scope, bytes.map(JobOutput::Bytes))
    })?;
    // `(handle, type, isPem, cipher, passphrase)`.
    add(scope, binding, "exportPrivate", |scope, call| {
        let handle = handle(scope, call, 0)?;
        if !handle.0.is_private() {
            return Err(wrong_handle(scope));
        }
        let (key, kind) = (pkey(scope, call, 0)?, der_kind(&string_argument(scope, call, 1)?));
        let is_pem = call.argument(scope, 2).is_truthy(scope);
        let (cipher, passphrase) = (optional_text(scope, call, 3)?, optional_bytes(scope, call, 4)?);
        if let Some(name) = &cipher
            && !matches!(rusk_openssl::Cipher::find(name), Ok(Some(_)))
        {
            let message = "Unknown cipher";
            return Err(throw(
                scope,
                &CryptoError::coded(ErrorKind::Error, "ERR_CRYPTO_UNKNOWN_CIPHER", message),
            ));
        }
        let encryption = cipher.as_deref().map(|cipher| (cipher, passphrase.as_deref().unwrap_or_default()));
        finish(scope, key.private_bytes(&PrivateFormat { kind, is_pem, encryption }).map(JobOutput::Secret))
    })?;
    // `(handle, 'public' or 'private')`.
    add(scope, binding, "exportRaw", |scope, call| {
        let (key, half) = (pkey(scope, call, 0)?, half(&string_argument(scope, call, 1)?));
        finish(scope, key.raw_bytes(half).map(JobOutput::Secret))
    })
}
