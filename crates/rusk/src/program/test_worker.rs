//! Worker of `rusk test`: this process prepares a runtime, and children that it forks run test
//! files. In: settings of the runtime; requests, on a socket that the parent has opened. Out: the
//! exit code.

use rusk_base::{Result, sys};
use rusk_extensions::test_runner::{self, WorkerStep};
use rusk_runtime::{EngineSetting, Main, Runtime, Settings, Stop};
use rusk_scripts::Exit;

use super::fail;
use crate::problem;

/// A process that forks has one thread, so the engine has none of its own: nothing compiles or
/// collects garbage beside the program. With a child on every processor they would only compete.
const ENGINE: [(&std::ffi::CStr, EngineSetting); 4] = [
    (c"useConcurrentJIT", EngineSetting::Flag(false)),
    (c"useConcurrentGC", EngineSetting::Flag(false)),
    (c"numberOfGCMarkers", EngineSetting::Count(1)),
    // The first collection is due after this many bytes, in most files never.
    (c"smallHeapSize", EngineSetting::Count(32 << 20)),
];

/// Whether this process is a worker.
pub const VARIABLE: &str = test_runner::WORKER_VARIABLE;

pub fn run(mut settings: Settings) -> Result<Exit> {
    settings.engine.settings.extend(ENGINE);
    // What a file leaves open is closed by the kernel.
    settings.on_exit = Box::new(|code| sys::process::exit_now(code));
    let runtime = Runtime::new(settings)?;
    let prepared = test_runner::prepare(&runtime);
    let step = match prepared {
        Ok(()) => test_runner::serve(&runtime).map_err(problem::no_test_worker)?,
        Err(stop) => return end(stop),
    };
    if step == WorkerStep::End {
        sys::process::exit_now(0);
    }
    match runtime.run_main(&Main::Builtin { id: test_runner::MAIN, function: "run" }) {
        Ok(()) => sys::process::exit_now(0),
        Err(stop) => end(stop),
    }
}

fn end(stop: Stop) -> Result<Exit> {
    match stop {
        Stop::Failure(failure) => fail(&failure),
        Stop::Problem(problem) => Err(problem),
        Stop::Exited(code) => sys::process::exit_now(code),
    }
}
