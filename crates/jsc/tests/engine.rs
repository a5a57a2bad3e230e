//! The engine through its safe types, one VM a test.

mod machine;
mod engine {
    mod buffers;
    mod callbacks;
    mod exceptions;
    mod guards;
    mod halting;
    mod handles;
    mod kept;
    mod kinds;
    mod promises;
    mod texts;
    mod threads;
    mod timers;
    mod values;
}
