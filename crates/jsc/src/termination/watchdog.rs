//! Termination by the engine's public watchdog, a repeated callback that decides whether the
//! running script ends. In: a VM. Out: the callback reads a [`Target`]. Absent: `Atomics.wait`;
//! termination of one script whose caller continues, because the engine then ends every exception
//! of the same turn.

use std::ffi::c_void;
use std::ptr;

use super::Target;
use crate::engine::symbols;
use crate::symbols::{RawContext, RawGroup};

/// Processor time of a script between two checks.
const CHECK_INTERVAL_S: f64 = 0.02;

/// Takes effect from the next turn on. The VM keeps `target` alive.
pub(super) fn install(group: RawGroup, target: &Target) {
    let about = ptr::from_ref(target).cast_mut().cast();
    // SAFETY: the group is alive; its thread calls back while a script of it runs, and until then
    // the VM owns the target.
    unsafe { (symbols().JSContextGroupSetExecutionTimeLimit)(group, CHECK_INTERVAL_S, Some(is_over), about) };
}

/// The engine disarms the limit unless the callback sets one again.
unsafe extern "C" fn is_over(context: RawContext, target: *mut c_void) -> bool {
    // SAFETY: passed above, and owned by the VM, which outlives its scripts.
    let target = unsafe { &*target.cast::<Target>() };
    let is_over = target.is_terminated();
    if !is_over {
        // SAFETY: the context of the running script.
        install(unsafe { (symbols().JSContextGetGroup)(context) }, target);
    }
    is_over
}
