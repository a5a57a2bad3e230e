//! Worker of `rusk test`: this process runs test files, each in a runtime with a global object of
//! its own. In: settings of the runtime; requests, on a socket that the parent has opened. Out: the
//! exit code.

use rusk_base::{Result, sys};
use rusk_extensions::test_runner::{self, WorkerFailure};
use rusk_runtime::{EngineSetting, Runtime, Settings, Stop};
use rusk_scripts::Exit;

use super::fail;
use crate::problem;

/// With a worker on every processor, threads that compile or collect garbage beside the program
/// would only compete. A file's code is compiled again for each global object, which is worth it
/// later than the engine assumes: its own thresholds are 500, 100 and 1000 executions.
const ENGINE: [(&std::ffi::CStr, EngineSetting); 6] = [
    (c"useConcurrentJIT", EngineSetting::Flag(false)),
    (c"useConcurrentGC", EngineSetting::Flag(false)),
    (c"numberOfGCMarkers", EngineSetting::Count(1)),
    (c"thresholdForJITAfterWarmUp", EngineSetting::Number(5000)),
    (c"thresholdForJITSoon", EngineSetting::Number(1000)),
    (c"thresholdForOptimizeAfterWarmUp", EngineSetting::Number(20_000)),
];

/// Whether this process is a worker.
pub const VARIABLE: &str = test_runner::WORKER_VARIABLE;

pub fn run(mut settings: Settings) -> Result<Exit> {
    settings.engine.settings.extend(ENGINE);
    settings.on_exit = Box::new(|code| sys::process::exit_now(code));
    settings.shares_process = true;
    match test_runner::serve(Runtime::new(settings)?) {
        Ok(()) => sys::process::exit_now(0),
        Err(WorkerFailure::System(error)) => Err(problem::no_test_worker(error)),
        Err(WorkerFailure::Stopped(Stop::Failure(failure))) => fail(&failure),
        Err(WorkerFailure::Stopped(Stop::Problem(problem))) => Err(problem),
        Err(WorkerFailure::Stopped(Stop::Exited(code))) => sys::process::exit_now(code),
    }
}
