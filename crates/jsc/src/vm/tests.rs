//! Creation of global objects.

use super::Vm;
use crate::engine::{Engine, Options};
use crate::symbols::RawGlobal;

#[test]
fn no_global_object_captures_native_stacks() {
    let engine = Engine::load(&Options::default()).unwrap();
    let address = engine.find(c"JSGlobalContextGetIncludesNativeCallStackWhenReportingExceptions");
    assert!(!address.is_null());
    // SAFETY: the C API has a function of this name, with a context, that returns a flag (WebKit's
    // `JSContextRefPrivate.h`).
    let is_noted: unsafe extern "C" fn(RawGlobal) -> bool = unsafe { std::mem::transmute(address) };
    let vm = Vm::new(engine);
    let context = vm.context();
    for global in [vm.shared().global(), vm.turn(|scope| context.raw(scope))] {
        // SAFETY: both are alive.
        assert!(!unsafe { is_noted(global) });
    }
}
