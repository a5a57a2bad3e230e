//! The class `DiffieHellman`. In: primes, generators, keys. Out: a handle, keys, secrets.

use std::cell::RefCell;
use std::rc::Rc;

use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope};
use rusk_openssl::{DhContext, DhParameters, named_prime};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{string_argument, u32_argument};

use super::job::{JobOutput, throw};
use super::{finish, secret_bytes, wrong_handle};

struct DhHandle(RefCell<DhContext>);

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(group)`: its prime; undefined: no such group.
    add(scope, binding, "dhGroup", |scope, call| {
        let prime = named_prime(&string_argument(scope, call, 0)?);
        finish(scope, prime.map(|prime| prime.map_or(JobOutput::Nothing, JobOutput::Bytes)))
    })?;
    // `(bits, generator)`.
    add(scope, binding, "dhOfBits", |scope, call| {
        let (bits, generator) = (u32_argument(scope, call, 0)?, u32_argument(scope, call, 1)?);
        wrap(scope, &DhParameters::Bits { bits, generator })
    })?;
    // `(prime, generator)`.
    add(scope, binding, "dhOfNumbers", |scope, call| {
        let (prime, generator) = (secret_bytes(scope, call, 0)?, secret_bytes(scope, call, 1)?);
        wrap(scope, &DhParameters::Numbers { prime: &prime, generator: &generator })
    })?;
    add(scope, binding, "dhCheck", |scope, call| {
        Ok(scope.number(f64::from(context(scope, call)?.0.borrow().check())))
    })?;
    add(scope, binding, "dhPrime", |scope, call| {
        let bytes = context(scope, call)?.0.borrow().prime();
        Bytes::from_vec(scope, bytes).map(Object::value)
    })?;
    add(scope, binding, "dhGenerator", |scope, call| {
        let bytes = context(scope, call)?.0.borrow().generator();
        Bytes::from_vec(scope, bytes).map(Object::value)
    })?;
    add(scope, binding, "dhGenerate", |scope, call| {
        let public = context(scope, call)?.0.borrow_mut().generate();
        finish(scope, public.map(JobOutput::Bytes))
    })?;
    add(scope, binding, "dhPublic", |scope, call| {
        let key = context(scope, call)?.0.borrow().public_key();
        finish(scope, Ok(key.map_or(JobOutput::Nothing, JobOutput::Bytes)))
    })?;
    add(scope, binding, "dhPrivate", |scope, call| {
        let key = context(scope, call)?.0.borrow().private_key();
        finish(scope, Ok(key.map_or(JobOutput::Nothing, JobOutput::Secret)))
    })?;
    add(scope, binding, "dhSetPublic", |scope, call| {
        let key = secret_bytes(scope, call, 1)?;
        let set = context(scope, call)?.0.borrow_mut().set_public_key(&key);
        finish(scope, set.map(|()| JobOutput::Nothing))
    })?;
    add(scope, binding, "dhSetPrivate", |scope, call| {
        let key = secret_bytes(scope, call, 1)?;
        let set = context(scope, call)?.0.borrow_mut().set_private_key(&key);
        finish(scope, set.map(|()| JobOutput::Nothing))
    })?;
    add(scope, binding, "dhSecret", |scope, call| {
        let peer = secret_bytes(scope, call, 1)?;
        let secret = context(scope, call)?.0.borrow().compute_secret(&peer);
        finish(scope, secret.map(JobOutput::Secret))
    })
}

fn wrap<'s>(scope: &'s Scope, parameters: &DhParameters<'_>) -> Outcome<'s> {
    match DhContext::new(parameters) {
        Ok(context) => Ok(scope.native(DhHandle(RefCell::new(context))).value()),
        Err(failure) => Err(throw(scope, &failure)),
    }
}

fn context<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Rc<DhHandle>, Exception<'s>> {
    let object = call.argument(scope, 0).as_object(scope);
    object.and_then(|object| object.as_native::<DhHandle>(scope)).ok_or_else(|| wrong_handle(scope))
}
