//! Operations with asymmetric keys. In: handles, parameters, bytes. Out: bytes, whether a signature
//! is right; now, or on the thread pool.

use rusk_jsc::{Bytes, Exception, Object, Scope};
use rusk_openssl::{CryptoError, ErrorKind, Operation, Params, Pkey, Recover, der_to_p1363, p1363_to_der};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{string_argument, u32_argument};

use super::job::{JobOutput, run_job, throw};
use super::keys::pkey;
use super::{optional_text, params, secret_bytes};

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_signatures(scope, binding)?;
    // `(operation, handle, parameters, input, isImplicit, callback)`.
    add(scope, binding, "run", |scope, call| {
        let operation = match string_argument(scope, call, 0)?.as_str() {
            "encrypt" => Operation::Encrypt,
            "decrypt" => Operation::Decrypt,
            "recover" => Operation::Recover,
            _ => Operation::Sign,
        };
        let (key, params) = (pkey(scope, call, 1)?, params(scope, call.argument(scope, 2))?);
        let input = secret_bytes(scope, call, 3)?;
        let recover =
            if call.argument(scope, 4).is_truthy(scope) { Recover::Implicitly } else { Recover::NotAtAll };
        run_job(scope, call, 5, move || key.run(operation, &params, recover, &input).map(JobOutput::Secret))
    })?;
    // `(private key, public key, parameters, callback)`.
    add(scope, binding, "agree", |scope, call| {
        let (own, peer) = (pkey(scope, call, 0)?, pkey(scope, call, 1)?);
        let params = params(scope, call.argument(scope, 2))?;
        run_job(scope, call, 3, move || own.agree(&peer, &params).map(JobOutput::Secret))
    })?;
    // `(public key, parameters, callback)`: the shared secret and its encapsulation.
    add(scope, binding, "encapsulate", |scope, call| {
        let (key, params) = (pkey(scope, call, 0)?, params(scope, call.argument(scope, 1))?);
        run_job(scope, call, 2, move || {
            key.encapsulate(&params).map(|(secret, wrapped)| JobOutput::Pair(secret, wrapped))
        })
    })?;
    // `(private key, parameters, encapsulation, callback)`.
    add(scope, binding, "decapsulate", |scope, call| {
        let (key, params) = (pkey(scope, call, 0)?, params(scope, call.argument(scope, 1))?);
        let wrapped = secret_bytes(scope, call, 2)?;
        run_job(scope, call, 3, move || key.decapsulate(&params, &wrapped).map(JobOutput::Secret))
    })
}

fn add_signatures<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(handle, parameters, digest, bytes of a number or 0 for DER)`.
    add(scope, binding, "signDigest", |scope, call| {
        let (key, params) = (pkey(scope, call, 0)?, params(scope, call.argument(scope, 1))?);
        let (digest, count) = (secret_bytes(scope, call, 2)?, u32_argument(scope, call, 3)? as usize);
        run_job(scope, call, 4, move || {
            let signature = key.run(Operation::Sign, &params, Recover::NotAtAll, &digest)?;
            encode_signature(signature.to_vec(), count)
        })
    })?;
    // `(handle, parameters, digest, signature, bytes of a number or 0 for DER)`.
    add(scope, binding, "verifyDigest", |scope, call| {
        let (key, params) = (pkey(scope, call, 0)?, params(scope, call.argument(scope, 1))?);
        let (digest, signature) = (secret_bytes(scope, call, 2)?, secret_bytes(scope, call, 3)?);
        let count = u32_argument(scope, call, 4)? as usize;
        run_job(scope, call, 5, move || {
            verify_with(&signature, count, |signature| key.verify_digest(&params, &digest, signature))
        })
    })?;
    // `(handle, message, target)`: with the key's own digest, of a short message. Returns whether
    // the message could be read in place.
    add_fast(scope, binding, "signInto", |scope, call| {
        let key = pkey(scope, call, 0)?;
        let Some(message) = Bytes::of(scope, call.argument(scope, 1)) else {
            return Ok(scope.boolean(false));
        };
        let sign = |message: &mut [u8]| key.sign(None, &Params::new(), message);
        let signature = message.with_bytes_mut(scope, sign).map_err(|failure| throw(scope, &failure))?;
        crate::fill(scope, call.argument(scope, 2), &signature);
        Ok(scope.boolean(true))
    })?;
    // `(handle, digest name, parameters, message, bytes of a number, callback)`.
    add(scope, binding, "sign", |scope, call| {
        let (key, digest): (Pkey, _) = (pkey(scope, call, 0)?, optional_text(scope, call, 1)?);
        let params = params(scope, call.argument(scope, 2))?;
        let count = u32_argument(scope, call, 4)? as usize;
        let sign =
            move |message: &[u8]| encode_signature(key.sign(digest.as_deref(), &params, message)?, count);
        // Without a copy of the message, which may be large.
        if call.argument(scope, 5).is_undefined(scope)
            && let Some(message) = Bytes::of(scope, call.argument(scope, 3))
        {
            return super::finish(scope, message.with_bytes_mut(scope, |message| sign(message)));
        }
        let message = secret_bytes(scope, call, 3)?;
        run_job(scope, call, 5, move || sign(&message))
    })?;
    // `(handle, digest name, parameters, message, signature, bytes of a number, callback)`.
    add(scope, binding, "verify", |scope, call| {
        let (key, digest) = (pkey(scope, call, 0)?, optional_text(scope, call, 1)?);
        let params = params(scope, call.argument(scope, 2))?;
        let (signature, count) = (secret_bytes(scope, call, 4)?, u32_argument(scope, call, 5)? as usize);
        let verify = move |message: &[u8]| {
            verify_with(&signature, count, |signature| {
                key.verify(digest.as_deref(), &params, message, signature)
            })
        };
        if call.argument(scope, 6).is_undefined(scope)
            && let Some(message) = Bytes::of(scope, call.argument(scope, 3))
        {
            return super::finish(scope, message.with_bytes_mut(scope, |message| verify(message)));
        }
        let message = secret_bytes(scope, call, 3)?;
        run_job(scope, call, 6, move || verify(&message))
    })
}

fn encode_signature(signature: Vec<u8>, count: usize) -> Result<JobOutput, CryptoError> {
    if count == 0 {
        return Ok(JobOutput::Bytes(signature));
    }
    der_to_p1363(&signature, count).map(JobOutput::Bytes).ok_or_else(|| {
        CryptoError::coded(ErrorKind::Error, "ERR_CRYPTO_OPERATION_FAILED", "Malformed signature")
    })
}

/// A signature of the wrong length is a wrong one.
fn verify_with(
    signature: &[u8],
    count: usize,
    verify: impl FnOnce(&[u8]) -> Result<bool, CryptoError>,
) -> Result<JobOutput, CryptoError> {
    let is_right = match count {
        0 => verify(signature)?,
        count => match p1363_to_der(signature, count) {
            Some(der) => verify(&der)?,
            None => false,
        },
    };
    Ok(JobOutput::Boolean(is_right))
}
