//! The engine's scavenger, a thread that returns free memory to the kernel. It starts with the
//! engine, so a process that forks must end it first. In: the engine. Out: whether it has ended.
//! Absent: the engine's other threads, which options disable.

use std::ffi::{CStr, c_void};

use crate::engine::engine;
use crate::vm::Vm;

/// `WTF::fastDisableScavenger()`.
const DISABLE: &CStr = c"_ZN3WTF20fastDisableScavengerEv";

impl Vm {
    /// Ends the scavenger and waits for its thread's end; free memory then stays with the process.
    /// `false`: the engine does not have the function.
    pub fn stop_scavenger(&self) -> bool {
        let address = engine().find(DISABLE);
        if address.is_null() {
            return false;
        }
        // SAFETY: the mangled name has no arguments, and the engine is initialized: there is a VM.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(address)() };
        true
    }
}
