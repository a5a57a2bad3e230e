//! A VM for a test, on the test's own thread.
#![allow(dead_code)]

use rusk_jsc::{Engine, Options, Scope, Setting, Vm};

pub fn options() -> Options {
    Options { settings: vec![(c"useSharedArrayBuffer", Setting::Flag(true))], ..Options::default() }
}

/// `.ci/set-up` installs the engine; without it every test here fails with a line that says so.
pub fn vm_with(options: &Options) -> Vm {
    Vm::new(Engine::load(options).unwrap_or_else(|unusable| panic!("{unusable}; run .ci/set-up")))
}

pub fn vm() -> Vm {
    vm_with(&options())
}

/// The completion value of a script as a string; or its exception, after `thrown: `.
pub fn text_of(scope: &Scope, source: &str) -> String {
    match scope.evaluate(source, "test.js", 1).and_then(|value| value.to_rust_string(scope)) {
        Ok(text) => text,
        Err(exception) => format!("thrown: {}", exception.message(scope)),
    }
}
