//! `native('worker')`: programs on threads of their own. In: a parcel (internal/messaging/packets)
//! and what the program is to find. Out: an object for the worker, and how it ended, told once; in
//! a worker its number and its parcel. Absent: what the two say to each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope};

use super::messages::{give_parcel, take_parcel};
use super::values::{id, negative, text, texts};
use super::{Host, add, object};
use crate::environment::SharedEnvironment;
use crate::program::Preload;
use crate::worker::{Ended, Start, Worker, next_id};

/// What JavaScript holds of a worker.
struct Held(Worker);

pub(super) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "nextId", |scope, _| Ok(scope.number(next_id().into())))?;
    add(scope, natives, "start", start)?;
    add(scope, natives, "end", |scope, call| {
        with(scope, call, Worker::end);
        Ok(scope.undefined())
    })?;
    add(scope, natives, "hasEnded", |scope, call| {
        Ok(scope.boolean(with(scope, call, Worker::has_ended).unwrap_or(true)))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        let is_kept = call.argument(scope, 1).is_truthy(scope);
        with(scope, call, |worker| worker.set_kept(is_kept));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "loop", |scope, call| {
        let times = with(scope, call, Worker::times).unwrap_or_default();
        Ok(scope.array(&times.map(|time| scope.number(time)))?.value())
    })?;
    add(scope, natives, "usage", |scope, call| {
        Ok(match with(scope, call, Worker::processor_times) {
            Some(Ok(times)) => scope.array(&times.map(|time| scope.number(time)))?.value(),
            Some(Err(_)) | None => scope.undefined(),
        })
    })?;
    add(scope, natives, "own", own)?;
    add(scope, natives, "onOddFile", |scope, call| {
        Host::current().files.listen(Root::new(scope, call.argument(scope, 0)));
        Ok(scope.undefined())
    })?;
    Ok(natives)
}

fn with<R>(scope: &Scope, call: &Call<'_>, body: impl FnOnce(&Worker) -> R) -> Option<R> {
    let held = call.argument(scope, 0).as_object(scope)?.as_native::<Held>(scope)?;
    Some(body(&held.0))
}

/// What tells a worker's thread what it is: its number and its parcel, or undefined in the main
/// thread.
fn own<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let host = Host::current();
    let Some(seat) = &host.seat else { return Ok(scope.undefined()) };
    let parcel = seat.parcel.take().map_or(scope.null(), |packet| give_parcel(scope, packet).value());
    Ok(scope.array(&[scope.number(seat.id.into()), parcel])?.value())
}

/// number, parcel, words behind the program, flags before it, what to load first (ways and names by
/// turns), conditions, variables by turns or none to share ours, name, bytes of the stack, whether
/// files are closed, function for the end: a code, and what it could not tell otherwise. Out: the
/// worker, or an errno less than 0.
fn start<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    super::process::note_origin();
    let host = Host::current();
    let mut program = host.program.clone();
    program.arguments = texts(scope, call.argument(scope, 2))?;
    // Those that are not given are as in this thread.
    if let Some(words) = given_texts(scope, call, 3)? {
        program.exec_arguments = words;
    }
    if let Some(words) = given_texts(scope, call, 4)? {
        program.preloads = Preload::list(&words);
    }
    if let Some(words) = given_texts(scope, call, 5)? {
        program.conditions = words;
    }
    program.current_dir.clone_from(&host.current_dir.borrow());
    let environment = match call.argument(scope, 6).as_object(scope) {
        Some(list) => {
            program.environment = variables(texts(scope, list.value())?);
            None
        }
        None => host.environment.borrow().clone(),
    };
    let Some(parcel) = take_parcel(scope, call.argument(scope, 1)) else { return Ok(scope.undefined()) };
    let start = Start {
        id: id(scope, call, 0)?,
        program,
        parcel,
        codes: host.codes.as_ref().map(|codes| Arc::clone(codes.own())),
        name: text(scope, call, 7)?,
        stack_bytes: call.argument(scope, 8).to_number(scope)? as usize,
        environment,
        closes_files: call.argument(scope, 9).is_truthy(scope),
    };
    let ended = Root::new(scope, call.argument(scope, 10));
    let worker = host.handle.start_worker(start, move |scope, Ended { code, said }| {
        let function = ended.value(scope).as_function(scope).expect("JavaScript passes one");
        let said = said.map_or(scope.undefined(), |said| scope.string(&said));
        function.call(scope, &[scope.number(code.into()), said]).map(|_| ())
    });
    Ok(match worker {
        Ok(worker) => scope.native(Held(worker)).value(),
        Err(errno) => scope.number(negative(errno)),
    })
}

/// A list of texts, where one is given.
fn given_texts<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<Vec<String>>, Exception<'s>> {
    let given = call.argument(scope, index);
    given.as_object(scope).map(|_| texts(scope, given)).transpose()
}

/// Of a list of names and values by turns.
fn variables(words: Vec<String>) -> BTreeMap<String, String> {
    let mut words = words.into_iter();
    std::iter::from_fn(|| words.next().zip(words.next())).collect()
}

/// The part of `native('process')` about variables that several threads see.
pub(super) fn add_environment<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "shareEnvironment", |scope, call| {
        let variables = variables(texts(scope, call.argument(scope, 0))?);
        *Host::current().environment.borrow_mut() = Some(Arc::new(SharedEnvironment::new(variables)));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "isEnvironmentShared", |scope, _| {
        Ok(scope.boolean(Host::current().environment.borrow().is_some()))
    })?;
    add(scope, natives, "sharedNames", |scope, _| {
        let names = shared(SharedEnvironment::names).unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, natives, "sharedVariable", |scope, call| {
        let name = text(scope, call, 0)?;
        let value = shared(|variables| variables.find(&name)).flatten();
        Ok(value.map_or(scope.undefined(), |value| scope.string(&value)))
    })?;
    add(scope, natives, "setSharedVariable", |scope, call| {
        let (name, value) = (text(scope, call, 0)?, call.argument(scope, 1));
        let value = if value.is_undefined(scope) { None } else { Some(value.to_rust_string(scope)?) };
        shared(|variables| match value {
            Some(value) => variables.set(name, value),
            None => variables.remove(&name),
        });
        Ok(scope.undefined())
    })
}

fn shared<R>(body: impl FnOnce(&SharedEnvironment) -> R) -> Option<R> {
    Host::current().environment.borrow().as_deref().map(body)
}
