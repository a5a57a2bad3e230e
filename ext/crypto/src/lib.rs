//! `internalBinding('crypto')`: hashes, HMAC, random bytes, key derivation. In: names, bytes. Out:
//! hash states, bytes. With a callback as last argument the work runs on the thread pool. Absent:
//! validation of arguments.

mod algorithms;
mod hmac;
mod library_digest;
mod md4;
mod openssl;
mod password;
mod password_binding;
mod random;

use std::cell::RefCell;

use rusk_base::sys::process;
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Object, Outcome, Root, Scope, Value};

use algorithms::{Algorithm, DigestState};
use hmac::Hmac;
pub use openssl::throw;
use rusk_ext_buffer::codecs;
use rusk_openssl::{KeyHandle, SecretBytes, are_equal};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::values::{i32_argument, string_argument, u32_argument};

/// JavaScript's handle of a hash state; `None` after `digest`.
struct StateHandle(RefCell<Option<Box<dyn DigestState>>>);

rusk_runtime::extension!("crypto", [("crypto", make), ("openssl", openssl::make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "names", |scope, _| {
        let names: Vec<_> = algorithms::names().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, binding, "has", |scope, call| {
        Ok(scope.boolean(Algorithm::find(&string_argument(scope, call, 0)?).is_some()))
    })?;
    // The name of an algorithm by any of its names; undefined: it is not one of these.
    add(scope, binding, "digestName", |scope, call| {
        let algorithm = Algorithm::find(&string_argument(scope, call, 0)?);
        Ok(algorithm.map_or(scope.undefined(), |algorithm| scope.string(algorithm.name)))
    })?;
    add(scope, binding, "size", |scope, call| {
        let algorithm = Algorithm::find(&string_argument(scope, call, 0)?);
        Ok(scope.number(algorithm.map_or(0, |algorithm| algorithm.bytes) as f64))
    })?;
    add_states(scope, binding)?;
    add_one_shots(scope, binding)?;
    add_fast(scope, binding, "timingSafeEqual", timing_safe_equal)?;
    add_random(scope, binding)?;
    add_derivations(scope, binding)?;
    password_binding::add_to(scope, binding)?;
    Ok(binding)
}

fn add_states<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "createHash", create_hash)?;
    // `(name or index, key)`; undefined: unknown algorithm, or one of variable length.
    add_fast(scope, binding, "createHmac", |scope, call| match fixed_algorithm(scope, call)? {
        Some(algorithm) => Ok(wrap(scope, Box::new(hmac(scope, algorithm, call.argument(scope, 1))?))),
        None => Ok(scope.undefined()),
    })?;
    add(scope, binding, "update", update)?;
    add_fast(scope, binding, "updateShort", update)?;
    add(scope, binding, "digest", |scope, call| {
        Bytes::from_vec(scope, digest(scope, call)).map(Object::value)
    })?;
    // `(state, target)`.
    add_fast(scope, binding, "digestInto", |scope, call| {
        fill(scope, call.argument(scope, 1), &digest(scope, call));
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "digestHex", |scope, call| Ok(hex(scope, &digest(scope, call))))?;
    add(scope, binding, "copy", |scope, call| {
        let copy =
            handle(scope, call).and_then(|handle| handle.0.borrow().as_ref().map(|state| state.copy()));
        let Some(mut copy) = copy else { return Ok(scope.undefined()) };
        copy.set_length(length(scope, call, 1)?);
        Ok(wrap(scope, copy))
    })
}

/// Digests of one chunk, without a state. Of algorithms of a fixed length.
fn add_one_shots<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Index and size of an algorithm; undefined: unknown, or one of variable length.
    add(scope, binding, "algorithm", |scope, call| {
        let Some(algorithm) = fixed_algorithm(scope, call)? else { return Ok(scope.undefined()) };
        let numbers = [algorithm.index(), algorithm.bytes].map(|number| scope.number(number as f64));
        scope.array(&numbers).map(Object::value)
    })?;
    // The same of an algorithm that only `Bun` has.
    add(scope, binding, "algorithmOfBun", |scope, call| {
        let Some(algorithm) = Algorithm::find_of_bun(&string_argument(scope, call, 0)?) else {
            return Ok(scope.undefined());
        };
        let numbers = [algorithm.index(), algorithm.bytes].map(|number| scope.number(number as f64));
        scope.array(&numbers).map(Object::value)
    })?;
    // `(index, key or undefined, bytes or string, target)`: its digest, or its HMAC.
    add_fast(scope, binding, "digestOf", |scope, call| {
        let digest = digest_of(scope, call)?;
        fill(scope, call.argument(scope, 3), &digest);
        Ok(scope.undefined())
    })?;
    // `(index, key or undefined, bytes or string)`: in hexadecimal.
    add_fast(scope, binding, "hexOf", |scope, call| Ok(hex(scope, &digest_of(scope, call)?)))
}

/// The first argument: the index of an algorithm or its name. `None`: unknown, or of variable
/// length.
fn fixed_algorithm<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
) -> Result<Option<&'static Algorithm>, Exception<'s>> {
    let algorithm = match call.argument(scope, 0).kind(scope) {
        Kind::Number => Algorithm::at(u32_argument(scope, call, 0)? as usize),
        _ => Algorithm::find(&string_argument(scope, call, 0)?),
    };
    Ok(algorithm.filter(|algorithm| !algorithm.is_extendable))
}

fn hmac<'s>(scope: &'s Scope, algorithm: &Algorithm, key: Value<'s>) -> Result<Hmac, Exception<'s>> {
    Ok(Hmac::new(algorithm, &SecretBytes::new(bytes_of(scope, key)?)))
}

/// `(index, key or undefined, bytes or string)`.
fn digest_of<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Vec<u8>, Exception<'s>> {
    let algorithm = fixed_algorithm(scope, call)?.expect("JavaScript passes an index");
    let (key, input) = (call.argument(scope, 1), call.argument(scope, 2));
    let mut state: Box<dyn DigestState> = match key.is_undefined(scope) {
        true => (algorithm.create)(),
        false => Box::new(hmac(scope, algorithm, key)?),
    };
    update_with(scope, &mut *state, input)?;
    Ok(state.finish())
}

/// Copies bytes into a view of their length.
fn fill<'s>(scope: &'s Scope, target: Value<'s>, bytes: &[u8]) {
    if let Some(target) = Bytes::of(scope, target) {
        target.with_bytes_mut(scope, |target| {
            let count = target.len().min(bytes.len());
            target[..count].copy_from_slice(&bytes[..count]);
        });
    }
}

/// `(name or index, length)`: a state; undefined: unknown algorithm; null: it does not have this
/// length.
fn create_hash<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    if matches!(call.argument(scope, 0).kind(scope), Kind::Number) {
        let algorithm = fixed_algorithm(scope, call)?.expect("JavaScript passes an index");
        return Ok(wrap(scope, (algorithm.create)()));
    }
    let name = string_argument(scope, call, 0)?;
    let length = length(scope, call, 1)?;
    let Some(algorithm) = Algorithm::find(&name) else {
        return Ok(
            library_digest::create(&name, length).map_or(scope.undefined(), |state| wrap(scope, state))
        );
    };
    if !algorithm.is_extendable && length.is_some_and(|length| length != algorithm.bytes) {
        return Ok(scope.null());
    }
    let mut state = (algorithm.create)();
    state.set_length(length);
    Ok(wrap(scope, state))
}

/// `(state, bytes or string)`.
fn update<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    if let Some(handle) = handle(scope, call)
        && let Some(state) = handle.0.borrow_mut().as_mut()
    {
        update_with(scope, &mut **state, call.argument(scope, 1))?;
    }
    Ok(scope.undefined())
}

fn hex<'s>(scope: &'s Scope, bytes: &[u8]) -> Value<'s> {
    scope.string_with(bytes.len() * 2, |characters| codecs::encode_hex_into(bytes, characters))
}

/// The digest; empty if it was taken before.
fn digest<'s>(scope: &'s Scope, call: &Call<'s>) -> Vec<u8> {
    let state = handle(scope, call).and_then(|handle| handle.0.take());
    state.map(|state| state.finish()).unwrap_or_default()
}

fn wrap(scope: &Scope, state: Box<dyn DigestState>) -> Value<'_> {
    scope.native(StateHandle(RefCell::new(Some(state)))).value()
}

fn handle<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<std::rc::Rc<StateHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn length<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Option<usize>, Exception<'s>> {
    match call.argument(scope, index).kind(scope) {
        Kind::Undefined => Ok(None),
        _ => u32_argument(scope, call, index).map(|length| Some(length as usize)),
    }
}

fn bytes<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Vec<u8>, Exception<'s>> {
    bytes_of(scope, call.argument(scope, index))
}

/// A copy of bytes, of a secret key, or of a string as UTF-8.
fn bytes_of<'s>(scope: &'s Scope, value: Value<'s>) -> Result<Vec<u8>, Exception<'s>> {
    if let Some(object) = value.as_object(scope)
        && let Some(handle) = object.as_native::<KeyHandle>(scope)
    {
        return Ok(handle.0.secret().unwrap_or_default().to_vec());
    }
    rusk_runtime::values::bytes_or_utf8(scope, value)
}

/// Hashes bytes without a copy, a string as UTF-8.
fn update_with<'s>(
    scope: &'s Scope,
    state: &mut dyn DigestState,
    input: Value<'s>,
) -> Result<(), Exception<'s>> {
    match Bytes::of(scope, input) {
        Some(bytes) => bytes.with_bytes_mut(scope, |bytes| state.update(bytes)),
        None => state.update(input.to_rust_string(scope)?.as_bytes()),
    }
    Ok(())
}

/// Constant-time comparison of two views of one length.
fn timing_safe_equal<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let views = [0, 1].map(|index| Bytes::of(scope, call.argument(scope, index)));
    let [Some(one), Some(other)] = views else { return Ok(scope.boolean(false)) };
    Ok(scope.boolean(one.with_both(scope, other, are_equal)))
}

fn add_random<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(view, offset, count)`.
    add_fast(scope, binding, "random", |scope, call| {
        let (offset, count) =
            (u32_argument(scope, call, 1)? as usize, u32_argument(scope, call, 2)? as usize);
        let Some(view) = Bytes::of(scope, call.argument(scope, 0)) else { return Ok(scope.undefined()) };
        let filled = view.with_bytes_mut(scope, |bytes| {
            let end = offset.saturating_add(count).min(bytes.len());
            random::fill(&mut bytes[offset.min(end)..end])
        });
        match filled {
            Ok(()) => Ok(scope.undefined()),
            Err(_) => Err(Exception::new(scope, ErrorKind::Error, "the kernel returned no random bytes")),
        }
    })?;
    add(scope, binding, "randomAsync", |scope, call| {
        let count = u32_argument(scope, call, 0)? as usize;
        let callback = call.argument(scope, 1);
        run_async(scope, callback, move || {
            let mut bytes = vec![0; count];
            process::fill_random(&mut bytes).expect("getrandom(2) does not fail without a signal");
            bytes
        })
    })
}

fn add_derivations<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "pbkdf2", |scope, call| {
        let algorithm =
            Algorithm::find(&string_argument(scope, call, 0)?).expect("JavaScript has checked the name");
        let (password, salt) = (bytes(scope, call, 1)?, bytes(scope, call, 2)?);
        let (iterations, count) = (u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)? as usize);
        run_sync_or_async(scope, call, 5, move || {
            hmac::pbkdf2(algorithm, &password, &salt, iterations, count)
        })
    })?;
    add(scope, binding, "hkdf", |scope, call| {
        let algorithm =
            Algorithm::find(&string_argument(scope, call, 0)?).expect("JavaScript has checked the name");
        let (key, salt, info) = (bytes(scope, call, 1)?, bytes(scope, call, 2)?, bytes(scope, call, 3)?);
        let count = u32_argument(scope, call, 4)? as usize;
        run_sync_or_async(scope, call, 5, move || hmac::hkdf(algorithm, &key, &salt, &info, count))
    })?;
    add(scope, binding, "scrypt", |scope, call| {
        let (password, salt) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?);
        let (cost, block, parallel) =
            (u32_argument(scope, call, 2)?, u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)?);
        let count = i32_argument(scope, call, 5)?.unsigned_abs() as usize;
        run_sync_or_async(scope, call, 6, move || {
            let mut key = vec![0; count];
            let log = cost.trailing_zeros() as u8;
            let terms = scrypt::Params::new(log, block, parallel).expect("JavaScript checked the costs");
            if count > 0 {
                scrypt::scrypt(&password, &salt, &terms, &mut key).expect("there is a length");
            }
            key
        })
    })
}

/// On the thread pool if there is a callback at `index`.
fn run_sync_or_async<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
    job: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> Outcome<'s> {
    let callback = call.argument(scope, index);
    match callback.is_undefined(scope) {
        true => Bytes::from_vec(scope, job()).map(Object::value),
        false => run_async(scope, callback, job),
    }
}

fn run_async<'s>(
    scope: &'s Scope,
    callback: Value<'s>,
    job: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> Outcome<'s> {
    let callback = Root::new(scope, callback);
    RuntimeState::current().handle.queue_work(job, move |scope, bytes: Vec<u8>| {
        let array = Bytes::from_vec(scope, bytes)?;
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes a function");
        function.call(scope, &[array.value()]).map(|_| ())
    });
    Ok(scope.undefined())
}
