//! `internalBinding('worker')`: programs on threads of their own. In: a parcel
//! (internal/messaging/packets) and what the program is to find. Out: an object for the worker, and
//! how it ended, told once; in a worker its number and its parcel. Absent: what the two say to each
//! other.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope};

use crate::message_port::{give_parcel, take_parcel};
use rusk_runtime::Preload;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{negative_errno, string_argument, string_list, u32_argument};
use rusk_runtime::worker::{Worker, WorkerExit, WorkerOptions, next_id};

/// What JavaScript holds of a worker.
struct Held(Worker);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "nextId", |scope, _| Ok(scope.number(next_id().into())))?;
    add(scope, natives, "start", start)?;
    add(scope, natives, "end", |scope, call| {
        with(scope, call, Worker::terminate);
        Ok(scope.undefined())
    })?;
    add(scope, natives, "hasEnded", |scope, call| {
        Ok(scope.boolean(with(scope, call, Worker::has_ended).unwrap_or(true)))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        let is_ref = call.argument(scope, 1).is_truthy(scope);
        with(scope, call, |worker| worker.set_ref(is_ref));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "loop", |scope, call| {
        let times = with(scope, call, Worker::times).unwrap_or_default();
        Ok(scope.array(&times.map(|time| scope.number(time)))?.value())
    })?;
    add(scope, natives, "usage", |scope, call| {
        Ok(match with(scope, call, Worker::cpu_times) {
            Some(Ok(times)) => scope.array(&times.map(|time| scope.number(time)))?.value(),
            Some(Err(_)) | None => scope.undefined(),
        })
    })?;
    add(scope, natives, "own", own)?;
    Ok(natives)
}

fn with<R>(scope: &Scope, call: &Call<'_>, body: impl FnOnce(&Worker) -> R) -> Option<R> {
    let held = call.argument(scope, 0).as_object(scope)?.as_native::<Held>(scope)?;
    Some(body(&held.0))
}

/// What tells a worker's thread what it is: its number and its parcel, or undefined in the main
/// thread.
fn own<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let state = RuntimeState::current();
    let Some(seat) = &state.worker else { return Ok(scope.undefined()) };
    let parcel = seat.parcel.take().map_or(scope.null(), |packet| give_parcel(scope, packet).value());
    Ok(scope.array(&[scope.number(seat.id.into()), parcel])?.value())
}

/// number, parcel, words behind the program, flags before it, what to load first (ways and names by
/// turns), conditions, variables by turns or none to share ours, name, bytes of the stack, whether
/// files are closed, function for the end: a code, and what it could not tell otherwise. Out: the
/// worker, or an errno less than 0.
fn start<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    rusk_ext_process::note_origin();
    let state = RuntimeState::current();
    let mut program = state.program.clone();
    program.arguments = string_list(scope, call.argument(scope, 2))?;
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
    program.current_dir.clone_from(&state.current_dir.borrow());
    let environment = match call.argument(scope, 6).as_object(scope) {
        Some(list) => {
            program.environment = variables(string_list(scope, list.value())?);
            None
        }
        None => state.environment.borrow().clone(),
    };
    let Some(parcel) = take_parcel(scope, call.argument(scope, 1)) else { return Ok(scope.undefined()) };
    let options = WorkerOptions {
        id: u32_argument(scope, call, 0)?,
        program,
        extensions: state.extensions,
        parcel,
        bytecode: state.bytecode_cache.as_ref().map(|cache| Arc::clone(cache.builtins())),
        name: string_argument(scope, call, 7)?,
        stack_bytes: call.argument(scope, 8).to_number(scope)? as usize,
        environment,
        closes_files: call.argument(scope, 9).is_truthy(scope),
    };
    let ended = Root::new(scope, call.argument(scope, 10));
    let worker = state.handle.start_worker(options, move |scope, WorkerExit { code, error }| {
        let function = ended.value(scope).as_function(scope).expect("JavaScript passes one");
        let error = error.map_or(scope.undefined(), |error| scope.string(&error));
        function.call(scope, &[scope.number(code.into()), error]).map(|_| ())
    });
    Ok(match worker {
        Ok(worker) => scope.native(Held(worker)).value(),
        Err(errno) => scope.number(negative_errno(errno)),
    })
}

/// A list of strings, where one is given.
fn given_texts<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<Vec<String>>, Exception<'s>> {
    let given = call.argument(scope, index);
    given.as_object(scope).map(|_| string_list(scope, given)).transpose()
}

/// Of a list of names and values by turns.
fn variables(words: Vec<String>) -> BTreeMap<String, String> {
    let mut words = words.into_iter();
    std::iter::from_fn(|| words.next().zip(words.next())).collect()
}
