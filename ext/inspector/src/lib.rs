//! `node:inspector`: sessions in the process, in Chrome's DevTools Protocol; CPU profiles, heap
//! snapshots. `internalBinding('profiler')`: the engine's sampling profiler and its snapshots.
//! Coverage is in [`block_coverage`]. Absent: everything else, which is written in JavaScript.

mod block_coverage;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};

rusk_runtime::extension!(
    "inspector",
    [("profiler", make), ("block_coverage", block_coverage::make)],
    on_close: on_close,
);

fn on_close(_: &RuntimeState) {
    block_coverage::clear();
}

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    // Whether the engine samples.
    add(scope, binding, "start", |scope, _| Ok(scope.boolean(scope.start_sampling())))?;
    // The engine's JSON of the samples since the last call, or undefined.
    add(scope, binding, "take", |scope, _| Ok(scope.take_samples().unwrap_or(scope.undefined())))?;
    // The engine's JSON of a heap snapshot, or undefined.
    add(scope, binding, "heapSnapshot", |scope, _| Ok(scope.heap_snapshot().unwrap_or(scope.undefined())))?;
    add(scope, binding, "stop", |scope, _| {
        scope.stop_sampling();
        Ok(scope.undefined())
    })?;
    Ok(binding)
}
