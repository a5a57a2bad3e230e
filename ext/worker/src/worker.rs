//! `internalBinding('worker')`: worker threads, as Node's `src/node_worker.cc`. In: a startup
//! packet (`js/internal/messaging/packets.js`), arguments and environment. Out: an object of the
//! worker, and one call when it exits; in a worker, its thread id and startup packet. Absent:
//! messages between the two (`js/internal/worker/io.js`).

use std::collections::BTreeMap;
use std::sync::Arc;

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope};

use crate::message_port::{packet_object, take_packet};
use rusk_runtime::Preload;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{negative_errno, string_argument, string_list, u32_argument};
use rusk_runtime::worker::{Worker, WorkerExit, WorkerOptions, next_id};

/// JavaScript object of a worker.
struct WorkerObject(Worker);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "allocateThreadId", |scope, _| Ok(scope.number(next_id().into())))?;
    add(scope, binding, "startThread", start)?;
    add(scope, binding, "stopThread", |scope, call| {
        with_worker(scope, call, Worker::terminate);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "hasEnded", |scope, call| {
        Ok(scope.boolean(with_worker(scope, call, Worker::has_ended).unwrap_or(true)))
    })?;
    add(scope, binding, "setRef", |scope, call| {
        let is_ref = call.argument(scope, 1).is_truthy(scope);
        with_worker(scope, call, |worker| worker.set_ref(is_ref));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "loopTimes", |scope, call| {
        let times = with_worker(scope, call, Worker::times).unwrap_or_default();
        Ok(scope.array(&times.map(|time| scope.number(time)))?.value())
    })?;
    add(scope, binding, "cpuUsage", |scope, call| {
        Ok(match with_worker(scope, call, Worker::cpu_times) {
            Some(Ok(times)) => scope.array(&times.map(|time| scope.number(time)))?.value(),
            Some(Err(_)) | None => scope.undefined(),
        })
    })?;
    add(scope, binding, "startup", startup)?;
    Ok(binding)
}

fn with_worker<R>(scope: &Scope, call: &Call<'_>, body: impl FnOnce(&Worker) -> R) -> Option<R> {
    let object = call.argument(scope, 0).as_object(scope)?.as_native::<WorkerObject>(scope)?;
    Some(body(&object.0))
}

/// In a worker, its thread id and its startup packet, once; undefined in the main thread.
fn startup<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let state = RuntimeState::current();
    let Some(worker) = &state.worker else { return Ok(scope.undefined()) };
    let packet = worker.packet.take().map_or(scope.null(), |packet| packet_object(scope, packet).value());
    Ok(scope.array(&[scope.number(worker.id.into()), packet])?.value())
}

/// Starts a worker. Arguments: thread id, startup packet, `argv`, `execArgv`, preloads (kinds and
/// specifiers alternating), conditions, environment (names and values alternating; undefined:
/// shared with this thread), name, stack size in bytes, whether unmanaged descriptors are closed,
/// and the exit callback: `(code, error message or undefined)`. Returns the worker, or a negative
/// errno.
fn start<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    rusk_ext_process::note_origin();
    let state = RuntimeState::current();
    let mut program = state.program.clone();
    program.arguments = string_list(scope, call.argument(scope, 2))?;
    // The defaults are those of this thread.
    if let Some(list) = optional_string_list(scope, call, 3)? {
        program.exec_arguments = list;
    }
    if let Some(list) = optional_string_list(scope, call, 4)? {
        program.preloads = Preload::list(&list);
    }
    if let Some(list) = optional_string_list(scope, call, 5)? {
        program.conditions = list;
    }
    program.current_dir.clone_from(&state.current_dir.borrow());
    let environment = match call.argument(scope, 6).as_object(scope) {
        Some(list) => {
            program.environment = environment(string_list(scope, list.value())?);
            None
        }
        None => state.environment.borrow().clone(),
    };
    let Some(packet) = take_packet(scope, call.argument(scope, 1)) else { return Ok(scope.undefined()) };
    let options = WorkerOptions {
        id: u32_argument(scope, call, 0)?,
        program,
        extensions: state.extensions,
        packet,
        bytecode: state.bytecode_cache.as_ref().map(|cache| Arc::clone(cache.builtins())),
        name: string_argument(scope, call, 7)?,
        stack_bytes: call.argument(scope, 8).to_number(scope)? as usize,
        environment,
        closes_files: call.argument(scope, 9).is_truthy(scope),
    };
    let on_exit = Root::new(scope, call.argument(scope, 10));
    let worker = state.handle.start_worker(options, move |scope, WorkerExit { code, error }| {
        let function = on_exit.value(scope).as_function(scope).expect("JavaScript passes one");
        let error = error.map_or(scope.undefined(), |error| scope.string(&error));
        function.call(scope, &[scope.number(code.into()), error]).map(|_| ())
    });
    Ok(match worker {
        Ok(worker) => scope.native(WorkerObject(worker)).value(),
        Err(errno) => scope.number(negative_errno(errno)),
    })
}

/// A list of strings, if the argument is one.
fn optional_string_list<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<Vec<String>>, Exception<'s>> {
    let list = call.argument(scope, index);
    list.as_object(scope).map(|_| string_list(scope, list)).transpose()
}

/// From a list of names and values alternating.
fn environment(entries: Vec<String>) -> BTreeMap<String, String> {
    let mut entries = entries.into_iter();
    std::iter::from_fn(|| entries.next().zip(entries.next())).collect()
}
