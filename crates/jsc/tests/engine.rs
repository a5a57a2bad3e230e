//! The engine through its safe types, with one VM per test.

mod support;
mod engine {
    mod buffers;
    mod callbacks;
    mod code_cache;
    mod exceptions;
    mod execution_limits;
    mod handles;
    mod kept_scripts;
    mod object_kinds;
    mod promises;
    mod strings;
    mod termination;
    mod threads;
    mod timers;
    mod values;
}
