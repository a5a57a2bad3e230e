//! Runs test files for `rusk test`, in a worker process. In: requests of the process that
//! schedules and reports (`crates/test-runner`). Out: events. The tree of tests and `bun:test` are
//! JavaScript (`js/internal/test_files`).

mod coverage;
mod event_queue;
mod kept_builtins;
mod request;
mod reuse;
mod structures;
mod worker;

use std::time::Instant;

use rusk_base::sys::worker_process;
use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};

pub use rusk_test_runner::protocol::WORKER_VARIABLE;
pub use worker::{WorkerFailure, serve};

rusk_runtime::extension!("test_runner", [("test_runner", make)]);

thread_local! {
    static START: Instant = Instant::now();
}

/// The builtin with the entry point of a worker.
pub const MAIN: &str = "internal/test_files/main";

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "settings", |scope, _| Ok(scope.string(&request::current().settings)))?;
    // Number and path of each file in turn.
    add(scope, binding, "files", |scope, _| {
        let files = request::files();
        let parts = files.iter().flat_map(|file| [scope.number(file.index as f64), scope.string(&file.path)]);
        scope.array(&parts.collect::<Vec<_>>()).map(Object::value)
    })?;
    add(scope, binding, "finish", |scope, _| {
        request::finish();
        Ok(scope.undefined())
    })?;
    add(scope, binding, "isWatched", |scope, _| Ok(scope.boolean(request::is_watched())))?;
    add(scope, binding, "setReusable", |scope, call| {
        request::set_reusable(call.argument(scope, 0).is_truthy(scope));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "keptBuiltins", kept_builtins::ids)?;
    add(scope, binding, "keepBuiltins", kept_builtins::keep)?;
    structures::add_functions(scope, binding)?;
    add(scope, binding, "setLifecycleHooks", |scope, call| {
        if let Some(functions) = call.argument(scope, 0).as_object(scope) {
            RuntimeState::current().lifecycle.set(scope, functions);
        }
        Ok(scope.undefined())
    })?;
    // Milliseconds of a monotonic clock.
    add_fast(scope, binding, "now", |scope, _| {
        Ok(scope.number(START.with(Instant::elapsed).as_secs_f64() * 1000.0))
    })?;
    add(scope, binding, "hasOpenHandles", |scope, _| {
        Ok(scope.boolean(RuntimeState::current().is_loop_alive()))
    })?;
    // Child processes, and workers.
    add(scope, binding, "openCounts", |scope, _| {
        let children = if worker_process::has_children() { worker_process::children().len() } else { 0 };
        let counts = [children, RuntimeState::current().worker_count()];
        Ok(scope.array(&counts.map(|count| scope.number(count as f64)))?.value())
    })?;
    add(scope, binding, "send", |scope, call| {
        let lines = call.argument(scope, 0).to_rust_string(scope)?;
        request::current().send(&lines);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "post", |scope, call| {
        let lines = call.argument(scope, 0).to_rust_string(scope)?;
        request::current().post(&lines);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "startCoverage", |scope, call| {
        coverage::start(call.argument(scope, 0).to_rust_string(scope)?);
        Ok(scope.undefined())
    })?;
    // Path, name of the global array and length of each counted file in turn.
    add(scope, binding, "coveredFiles", |scope, _| {
        let files = coverage::files();
        let parts = files.iter().flat_map(|file| {
            [scope.string(&file.path), scope.string(&file.counters), scope.number(file.length as f64)]
        });
        scope.array(&parts.collect::<Vec<_>>()).map(Object::value)
    })?;
    // Kind, line and name of each counter in turn; undefined where the source has changed.
    add(scope, binding, "coveragePoints", |scope, call| {
        let path = call.argument(scope, 0).to_rust_string(scope)?;
        let length = call.argument(scope, 1).to_number(scope)? as usize;
        let Some(points) = coverage::points(&path).filter(|points| points.len() == length) else {
            return Ok(scope.undefined());
        };
        let parts = points.iter().flat_map(|point| {
            let (kind, line, name) = coverage::describe(point);
            [scope.string(kind), scope.number(f64::from(line)), scope.string(name)]
        });
        scope.array(&parts.collect::<Vec<_>>()).map(Object::value)
    })?;
    Ok(binding)
}
