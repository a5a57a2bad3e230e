//! The end of scripts by the engine's own watchdog, which asks from time to time whether it is to
//! end what runs. In: a VM. Out: it is asked of a [`Target`]. Absent: waits; scripts that end while
//! their callers go on, for the engine ends all that throws behind them in the same turn.

use std::ffi::c_void;
use std::ptr;

use super::Target;
use crate::engine::symbols;
use crate::symbols::{RawContext, RawGroup};

/// Processor time of a script until the next question.
const CHECK_INTERVAL_S: f64 = 0.02;

/// From the next turn on. `target` is kept for as long as the VM is there.
pub(super) fn install(group: RawGroup, target: &Target) {
    let about = ptr::from_ref(target).cast_mut().cast();
    // SAFETY: the group is alive; its thread asks while a script of it runs, and until then the VM
    // has the target.
    unsafe { (symbols().JSContextGroupSetExecutionTimeLimit)(group, CHECK_INTERVAL_S, Some(is_over), about) };
}

/// The engine asks once, for it takes a limit that has passed for one that its question has set; so
/// the question sets one.
unsafe extern "C" fn is_over(context: RawContext, target: *mut c_void) -> bool {
    // SAFETY: given above with the VM, which outlives its scripts.
    let target = unsafe { &*target.cast::<Target>() };
    let is_over = target.is_terminated();
    if !is_over {
        // SAFETY: the context of the script that runs.
        install(unsafe { (symbols().JSContextGetGroup)(context) }, target);
    }
    is_over
}
