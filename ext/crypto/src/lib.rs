//! `internalBinding('crypto')`: digests, random bytes, keys from passwords. In: names, bytes. Out:
//! states to be fed, bytes. Where a function is passed behind the arguments, the work is done on
//! another thread and the function called with what came of it. Absent: what names a program may
//! use beyond OpenSSL's own; checks of arguments.

mod algorithms;
mod keyed;
mod random;

use std::cell::RefCell;

use rusk_base::sys::process;
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Object, Outcome, Root, Scope, Value};

use algorithms::{Algorithm, State};
use keyed::Keyed;
use rusk_ext_buffer::codecs;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::values::{i32_argument, string_argument, u32_argument};

/// What JavaScript holds: a state to be fed; none any more once it has given its digest.
struct Held(RefCell<Option<Box<dyn State>>>);

rusk_runtime::extension!("crypto", [("crypto", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "names", |scope, _| {
        let names: Vec<_> = algorithms::names().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, natives, "has", |scope, call| {
        Ok(scope.boolean(Algorithm::find(&string_argument(scope, call, 0)?).is_some()))
    })?;
    add(scope, natives, "size", |scope, call| {
        let found = Algorithm::find(&string_argument(scope, call, 0)?);
        Ok(scope.number(found.map_or(0, |found| found.bytes) as f64))
    })?;
    add_fast(scope, natives, "begin", begin)?;
    add(scope, natives, "beginKeyed", |scope, call| {
        let Some(found) =
            Algorithm::find(&string_argument(scope, call, 0)?).filter(|found| !found.is_extendable)
        else {
            return Ok(scope.undefined());
        };
        Ok(show(scope, Box::new(Keyed::new(found, &bytes(scope, call, 1)?))))
    })?;
    add(scope, natives, "update", update)?;
    add_fast(scope, natives, "updateShort", update)?;
    add(scope, natives, "digest", |scope, call| {
        Bytes::from_vec(scope, digest(scope, call)).map(Object::value)
    })?;
    add_fast(scope, natives, "hashHex", hash_hex)?;
    add_fast(scope, natives, "digestHex", |scope, call| Ok(hex(scope, &digest(scope, call))))?;
    add(scope, natives, "copy", |scope, call| {
        let copy = held(scope, call).and_then(|held| held.0.borrow().as_ref().map(|state| state.copy()));
        let Some(mut copy) = copy else { return Ok(scope.undefined()) };
        copy.set_length(length(scope, call, 1)?);
        Ok(show(scope, copy))
    })?;
    add_fast(scope, natives, "equal", equal)?;
    add_random(scope, natives)?;
    add_derivations(scope, natives)?;
    Ok(natives)
}

/// name, bytes of the digest. Out: a state; `undefined`: no such digest; `null`: none of this
/// length.
fn begin<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let Some(found) = Algorithm::find(&string_argument(scope, call, 0)?) else {
        return Ok(scope.undefined());
    };
    let length = length(scope, call, 1)?;
    if !found.is_extendable && length.is_some_and(|length| length != found.bytes) {
        return Ok(scope.null());
    }
    let mut state = (found.begin)();
    state.set_length(length);
    Ok(show(scope, state))
}

/// state, bytes or a text.
fn update<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    if let Some(held) = held(scope, call)
        && let Some(state) = held.0.borrow_mut().as_mut()
    {
        feed(scope, &mut **state, call.argument(scope, 1))?;
    }
    Ok(scope.undefined())
}

/// name, bytes or a text. Out: the digest as digits; `undefined`: no such digest, or none of a
/// length of its own.
fn hash_hex<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let found = Algorithm::find(&string_argument(scope, call, 0)?).filter(|found| !found.is_extendable);
    let Some(found) = found else { return Ok(scope.undefined()) };
    let mut state = (found.begin)();
    feed(scope, &mut *state, call.argument(scope, 1))?;
    Ok(hex(scope, &state.finish()))
}

fn hex<'s>(scope: &'s Scope, bytes: &[u8]) -> Value<'s> {
    scope.string_with(bytes.len() * 2, |letters| codecs::write_hex_of(bytes, letters))
}

/// What the state comes to; nothing where it has been given before.
fn digest<'s>(scope: &'s Scope, call: &Call<'s>) -> Vec<u8> {
    let state = held(scope, call).and_then(|held| held.0.take());
    state.map(|state| state.finish()).unwrap_or_default()
}

fn show(scope: &Scope, state: Box<dyn State>) -> Value<'_> {
    scope.native(Held(RefCell::new(Some(state)))).value()
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<std::rc::Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn length<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Option<usize>, Exception<'s>> {
    match call.argument(scope, index).kind(scope) {
        Kind::Undefined => Ok(None),
        _ => u32_argument(scope, call, index).map(|length| Some(length as usize)),
    }
}

fn bytes<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Vec<u8>, Exception<'s>> {
    rusk_runtime::values::bytes_or_utf8(scope, call.argument(scope, index))
}

/// Bytes are read where they lie; a text is hashed as UTF-8.
fn feed<'s>(scope: &'s Scope, state: &mut dyn State, piece: Value<'s>) -> Result<(), Exception<'s>> {
    match Bytes::of(scope, piece) {
        Some(bytes) => bytes.with_bytes_mut(scope, |bytes| state.update(bytes)),
        None => state.update(piece.to_rust_string(scope)?.as_bytes()),
    }
    Ok(())
}

/// Whether two views of one length show the same, in a time that does not tell where they differ.
fn equal<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let views = [0, 1].map(|index| Bytes::of(scope, call.argument(scope, index)));
    let [Some(one), Some(other)] = views else { return Ok(scope.boolean(false)) };
    let difference = one.with_both(scope, other, |one, other| {
        let pairs = one.iter().zip(other);
        // The compiler may not see when it is known.
        pairs.fold(one.len() ^ other.len(), |seen, (one, other)| {
            std::hint::black_box(seen | usize::from(one ^ other))
        })
    });
    Ok(scope.boolean(difference == 0))
}

fn add_random<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    // view, offset, count.
    add_fast(scope, natives, "random", |scope, call| {
        let (offset, count) =
            (u32_argument(scope, call, 1)? as usize, u32_argument(scope, call, 2)? as usize);
        let Some(view) = Bytes::of(scope, call.argument(scope, 0)) else { return Ok(scope.undefined()) };
        let filled = view.with_bytes_mut(scope, |bytes| {
            let end = offset.saturating_add(count).min(bytes.len());
            random::fill(&mut bytes[offset.min(end)..end])
        });
        match filled {
            Ok(()) => Ok(scope.undefined()),
            Err(_) => Err(Exception::new(scope, ErrorKind::Error, "the kernel gave no random bytes")),
        }
    })?;
    add(scope, natives, "randomLater", |scope, call| {
        let count = u32_argument(scope, call, 0)? as usize;
        let then = call.argument(scope, 1);
        later(scope, then, move || {
            let mut bytes = vec![0; count];
            process::fill_random(&mut bytes).expect("the kernel gives random bytes once it runs");
            bytes
        })
    })
}

fn add_derivations<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "pbkdf2", |scope, call| {
        let found = Algorithm::find(&string_argument(scope, call, 0)?)
            .expect("JavaScript asked whether there is one");
        let (password, salt) = (bytes(scope, call, 1)?, bytes(scope, call, 2)?);
        let (rounds, count) = (u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)? as usize);
        now_or_later(scope, call, 5, move || keyed::pbkdf2(found, &password, &salt, rounds, count))
    })?;
    add(scope, natives, "hkdf", |scope, call| {
        let found = Algorithm::find(&string_argument(scope, call, 0)?)
            .expect("JavaScript asked whether there is one");
        let (key, salt, tag) = (bytes(scope, call, 1)?, bytes(scope, call, 2)?, bytes(scope, call, 3)?);
        let count = u32_argument(scope, call, 4)? as usize;
        now_or_later(scope, call, 5, move || keyed::hkdf(found, &key, &salt, &tag, count))
    })?;
    add(scope, natives, "scrypt", |scope, call| {
        let (password, salt) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?);
        let (cost, block, parallel) =
            (u32_argument(scope, call, 2)?, u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)?);
        let count = i32_argument(scope, call, 5)?.unsigned_abs() as usize;
        now_or_later(scope, call, 6, move || {
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

/// On another thread where a function stands at the index.
fn now_or_later<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
    job: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> Outcome<'s> {
    let then = call.argument(scope, index);
    match then.is_undefined(scope) {
        true => Bytes::from_vec(scope, job()).map(Object::value),
        false => later(scope, then, job),
    }
}

fn later<'s>(
    scope: &'s Scope,
    then: Value<'s>,
    job: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> Outcome<'s> {
    let then = Root::new(scope, then);
    RuntimeState::current().handle.queue_work(job, move |scope, bytes: Vec<u8>| {
        let array = Bytes::from_vec(scope, bytes)?;
        let function = then.value(scope).as_function(scope).expect("JavaScript passes one");
        function.call(scope, &[array.value()]).map(|_| ())
    });
    Ok(scope.undefined())
}
