//! `internalBinding('openssl')`: what needs the system's libcrypto. It is opened by the first
//! function that is called, so a program that only hashes does not load it. In: handles, names,
//! bytes, parameters as a flat array of name, kind, value. Out: handles, bytes. With a callback as
//! last argument the work runs on the thread pool. Absent: validation of arguments.

mod certificates;
mod ciphers;
mod classic_dh;
mod curves;
mod job;
mod keys;
mod operations;

use rusk_jsc::{Call, Exception, Object, Outcome, Scope, Value};
use rusk_openssl::{
    CryptoError, ErrorKind, Params, SecretBytes, SecureHeap, check_prime, derive_kdf, digest_size,
    generate_prime, mac, secure_heap_used, start_secure_heap, version,
};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{number_list, optional_string_argument, string_argument, u32_argument};

use crate::password::{Argon2Input, Costs, argon2};

pub use job::throw;
use job::{JobOutput, run_job};

pub fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "version", |scope, _| {
        let found = version().map_err(|failure| throw(scope, &failure))?;
        Ok(scope.string(&format!("{}.{}.{}", found.major, found.minor, found.patch)))
    })?;
    // `(library, reason)`: throws the error that the library would report.
    add(scope, binding, "throwReason", |scope, call| {
        let (library, reason) = (u32_argument(scope, call, 0)?, u32_argument(scope, call, 1)?);
        let failure = CryptoError::named(library, reason).unwrap_or_else(|failure| failure);
        Err(throw(scope, &failure))
    })?;
    // `(name)`: bytes of the digest; undefined: no such algorithm.
    add(scope, binding, "digestSize", |scope, call| {
        let size = digest_size(&string_argument(scope, call, 0)?);
        Ok(size.map_or(scope.undefined(), |size| scope.number(size as f64)))
    })?;
    add_secure_heap(scope, binding)?;
    ciphers::add_all(scope, binding)?;
    keys::add_all(scope, binding)?;
    operations::add_all(scope, binding)?;
    classic_dh::add_all(scope, binding)?;
    curves::add_all(scope, binding)?;
    certificates::add_all(scope, binding)?;
    add_primes(scope, binding)?;
    add_derivations(scope, binding)?;
    Ok(binding)
}

fn add_secure_heap<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(bytes, smallest part)`: what is wrong with the heap, or undefined.
    add(scope, binding, "startSecureHeap", |scope, call| {
        let (bytes, part) =
            (call.argument(scope, 0).to_number(scope)?, call.argument(scope, 1).to_number(scope)?);
        let heap =
            start_secure_heap(bytes as usize, part as usize).map_err(|failure| throw(scope, &failure))?;
        Ok(match heap {
            SecureHeap::Ready => scope.undefined(),
            SecureHeap::NotLocked => scope.string("Unable to memory map secure heap."),
            SecureHeap::Failed => scope.string("Unable to initialize openssl secure heap."),
        })
    })?;
    add(scope, binding, "secureHeapUsed", |scope, _| {
        let used = secure_heap_used().map_err(|failure| throw(scope, &failure))?;
        Ok(scope.number(used as f64))
    })
}

fn add_primes<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(bits, isSafe, add, remainder, callback)`.
    add(scope, binding, "generatePrime", |scope, call| {
        let (bits, is_safe) = (u32_argument(scope, call, 0)?, call.argument(scope, 1).is_truthy(scope));
        let (add, remainder) = (optional_bytes(scope, call, 2)?, optional_bytes(scope, call, 3)?);
        run_job(scope, call, 4, move || {
            let (add, remainder) = (add.as_deref(), remainder.as_deref());
            generate_prime(bits, is_safe, add, remainder).map(JobOutput::Secret)
        })
    })?;
    // `(candidate, checks, callback)`.
    add(scope, binding, "checkPrime", |scope, call| {
        let (candidate, checks) = (secret_bytes(scope, call, 0)?, u32_argument(scope, call, 1)?);
        run_job(scope, call, 2, move || check_prime(&candidate, checks).map(JobOutput::Boolean))
    })
}

fn add_derivations<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(name, key, parameters, message, count, callback)`.
    add(scope, binding, "mac", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let (key, params) = (secret_bytes(scope, call, 1)?, params(scope, call.argument(scope, 2))?);
        let (message, count) = (secret_bytes(scope, call, 3)?, u32_argument(scope, call, 4)? as usize);
        run_job(scope, call, 5, move || mac(&name, &key, &params, &message, count).map(JobOutput::Bytes))
    })?;
    // `(name, costs, message, nonce, secret, associated data, count, callback)`, without the
    // library.
    add(scope, binding, "argon2", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let costs = number_list(scope, call.argument(scope, 1))?;
        let bytes = [2, 3, 4, 5].map(|index| secret_bytes(scope, call, index));
        let [message, nonce, secret, associated_data] = bytes;
        let (message, nonce, secret, associated_data) = (message?, nonce?, secret?, associated_data?);
        let count = u32_argument(scope, call, 6)? as usize;
        run_job(scope, call, 7, move || {
            let [memory_kib, passes, lanes] = [0, 1, 2].map(|index| costs[index] as u32);
            let variant = name.parse().expect("JavaScript has checked the name");
            let input = Argon2Input {
                message: &message,
                nonce: &nonce,
                secret: &secret,
                associated_data: &associated_data,
            };
            let hash = argon2(variant, Costs { memory_kib, passes, lanes }, input, count);
            hash.map(JobOutput::Secret).map_err(|failure| {
                let message = format!("Argon2 failed: {}", failure.name());
                CryptoError::coded(ErrorKind::Error, "ERR_CRYPTO_OPERATION_FAILED", message)
            })
        })
    })?;
    // `(name, parameters, count, callback)`.
    add(scope, binding, "kdf", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let (params, count) =
            (params(scope, call.argument(scope, 1))?, u32_argument(scope, call, 2)? as usize);
        run_job(scope, call, 3, move || derive_kdf(&name, &params, count).map(JobOutput::Secret))
    })
}

/// A copy of bytes, of a string as UTF-8, or of a secret key.
fn secret_bytes<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<SecretBytes, Exception<'s>> {
    super::bytes(scope, call, index).map(SecretBytes::new)
}

fn optional_bytes<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<SecretBytes>, Exception<'s>> {
    let value = call.argument(scope, index);
    match value.is_undefined(scope) || matches!(value.kind(scope), rusk_jsc::Kind::Null) {
        true => Ok(None),
        false => secret_bytes(scope, call, index).map(Some),
    }
}

/// Parameters from a flat array of name, kind and value. Kinds: `i` integer, `u` unsigned, `s`
/// string, `b` bytes, `n` a number in bytes.
fn params<'s>(scope: &'s Scope, list: Value<'s>) -> Result<Params, Exception<'s>> {
    let mut params = Params::new();
    let Some(list) = list.as_object(scope) else { return Ok(params) };
    let count = list.property(scope, "length")?.to_number(scope)? as u32;
    for index in (0..count).step_by(3) {
        let name = list.element(scope, index)?.to_rust_string(scope)?;
        let kind = list.element(scope, index + 1)?.to_rust_string(scope)?;
        let value = list.element(scope, index + 2)?;
        match kind.as_str() {
            "i" => params.integer(&name, value.to_number(scope)? as i64),
            "u" => params.unsigned(&name, value.to_number(scope)? as u64),
            "s" => params.text(&name, &value.to_rust_string(scope)?),
            "b" => params.octets(&name, &SecretBytes::new(super::bytes_of(scope, value)?)),
            "n" => params.big_number(&name, &SecretBytes::new(super::bytes_of(scope, value)?)),
            _ => unreachable!("our JavaScript passes these kinds"),
        }
    }
    Ok(params)
}

/// The error of a wrong handle, which only our own JavaScript could pass.
fn wrong_handle<'s>(scope: &'s Scope) -> Exception<'s> {
    throw(
        scope,
        &CryptoError::coded(ErrorKind::Type, "ERR_INVALID_THIS", "Value of \"this\" has another type"),
    )
}

fn text_or_undefined(scope: &Scope, text: Option<String>) -> Value<'_> {
    text.map_or(scope.undefined(), |text| scope.string(&text))
}

fn optional_text<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<String>, Exception<'s>> {
    optional_string_argument(scope, call, index)
}

/// The outcome of synchronous work.
fn finish<'s>(scope: &'s Scope, result: Result<JobOutput, CryptoError>) -> Outcome<'s> {
    match result {
        Ok(output) => output.into_value(scope),
        Err(failure) => Err(throw(scope, &failure)),
    }
}
