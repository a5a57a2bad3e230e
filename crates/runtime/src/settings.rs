//! Settings of a runtime: values and callbacks. The embedder, which owns the process, fills them
//! in.

use rusk_jsc::{Options, Setting};

use crate::extension::Extension;
use crate::failure::Failure;
use crate::program::Program;

/// Settings of a runtime.
pub struct Settings {
    /// Options of the engine; those of the first runtime of a process count.
    pub engine: Options,
    /// Called when the program failed, before anything else of it runs. The embedder ends the
    /// process here; otherwise the engine would still run the microtasks that wait.
    pub on_failure: Box<dyn Fn(&Failure)>,
    /// Called when the program exits with a code. The embedder ends the process here; if it
    /// returns, the program runs on.
    pub on_exit: Box<dyn Fn(i32)>,
    /// Called once, when the first file of the program is compiled and nothing of it has run.
    pub on_begin: Box<dyn Fn()>,
    /// Called with the path of each file of the program, before it is read.
    pub on_read: Box<dyn Fn(&str)>,
    pub program: Program,
    /// Other programs run in this process after this one ([`crate::Runtime::renew`]).
    pub shares_process: bool,
    /// The features of the runtime; all runtimes of a process have the same ones.
    pub extensions: &'static [&'static Extension],
}

impl Default for Settings {
    fn default() -> Settings {
        let settings = vec![
            (c"useSharedArrayBuffer", Setting::Flag(true)),
            (c"useExplicitResourceManagement", Setting::Flag(true)),
            // Callers of tail calls stay in stack traces, as in V8.
            (c"useTailCalls", Setting::Flag(false)),
            // With the engine's default of 64,000 its last compiler takes half of the CPU time of a
            // program that runs for seconds, such as a type checker; a loop reaches either number
            // within milliseconds. See docs/contributing/engine.md.
            (c"thresholdForFTLOptimizeAfterWarmUp", Setting::Number(200_000)),
            // That of the compiler before it, instead of 170: what is inlined beyond takes a third
            // of the last compiler's time and does not make programs faster.
            (c"maximumFunctionForCallInlineCandidateBytecodeCostForFTL", Setting::Count(80)),
        ];
        Settings {
            engine: Options { settings, ..Options::default() },
            on_failure: Box::new(|_| {}),
            on_exit: Box::new(|_| {}),
            on_begin: Box::new(|| {}),
            on_read: Box::new(|_| {}),
            program: Program::default(),
            shares_process: false,
            extensions: &[],
        }
    }
}
