//! How a runtime is to be. Values and what is to be called; whoever has the process fills them in.

use rusk_jsc::{Options, Setting};

use crate::extension::Extension;
use crate::failure::Failure;
use crate::program::Program;

/// How a runtime is to be.
pub struct Settings {
    /// The engine's; the first runtime of a process decides.
    pub engine: Options,
    /// Called when the program failed, before anything else of it runs: microtasks that wait would,
    /// for the engine runs them whatever happened. Who has the process ends it here.
    pub on_failure: Box<dyn Fn(&Failure)>,
    /// Called when the program is to end with a code, now; who has the process ends it here. Where
    /// it goes on, so does the program.
    pub on_exit: Box<dyn Fn(i32)>,
    /// Called once, when the first file of the program is compiled and nothing of it has run.
    pub on_begin: Box<dyn Fn()>,
    /// Called with the path of each file that the program is made of, before it is read.
    pub on_read: Box<dyn Fn(&str)>,
    pub program: Program,
    /// The features of the runtime; all runtimes of a process have the same ones.
    pub extensions: &'static [&'static Extension],
}

impl Default for Settings {
    fn default() -> Settings {
        let settings = vec![
            (c"useSharedArrayBuffer", Setting::Flag(true)),
            (c"useExplicitResourceManagement", Setting::Flag(true)),
            // Callers that return a call stay in stacks, as in V8.
            (c"useTailCalls", Setting::Flag(false)),
            // The engine's own 64,000 lets its last compiler take half of the processor time of a
            // program that runs for seconds, such as a type checker; a loop gets there within
            // milliseconds at either. See docs/contributing/engine.md.
            (c"thresholdForFTLOptimizeAfterWarmUp", Setting::Number(200_000)),
        ];
        Settings {
            engine: Options { settings, ..Options::default() },
            on_failure: Box::new(|_| {}),
            on_exit: Box::new(|_| {}),
            on_begin: Box::new(|| {}),
            on_read: Box::new(|_| {}),
            program: Program::default(),
            extensions: &[],
        }
    }
}
