//! `bun:ffi`: C functions, callbacks and memory. In: addresses, signatures as codes of types,
//! arguments in slots that JavaScript writes. Out: results in a slot. Absent: conversions of values
//! to words, which generated JavaScript does (`js/internal/ffi/stubs.js`).

mod callbacks;
mod calls;
mod compiled;
mod direct;
mod libraries;
mod memory;
mod signature;
mod state;
mod stubs;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::{RuntimeState, constants};

rusk_runtime::extension!("ffi", [("ffi", make)], after_callback: callbacks::drop_closed, on_close: state::close);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    binding.set_property(scope, "slots", state::open(scope)?.value())?;
    constants::add_constants(scope, binding, "layout", state::layout::ALL)?;
    add(scope, binding, "open", libraries::open)?;
    add(scope, binding, "symbol", libraries::symbol)?;
    add(scope, binding, "close", libraries::close)?;
    add(scope, binding, "compile", compiled::compile)?;
    add(scope, binding, "compiledSymbol", compiled::symbol)?;
    add(scope, binding, "closeCompiled", compiled::close)?;
    add(scope, binding, "prepare", calls::prepare)?;
    add(scope, binding, "stub", stubs::make)?;
    add(scope, binding, "verifyDirect", direct::verify)?;
    add(scope, binding, "direct", direct::make)?;
    add(scope, binding, "rethrow", direct::rethrow)?;
    add(scope, binding, "release", calls::release)?;
    add_fast(scope, binding, "call", calls::call)?;
    add(scope, binding, "callback", callbacks::open)?;
    add(scope, binding, "closeCallback", callbacks::close)?;
    add_fast(scope, binding, "address", memory::address)?;
    add_fast(scope, binding, "read", memory::read)?;
    add_fast(scope, binding, "string", memory::string)?;
    add_fast(scope, binding, "stringLength", memory::string_length)?;
    if let Some(constructor) = scope.fast_constructor("CString", memory::c_string) {
        binding.set_property(scope, "CString", constructor.value())?;
    }
    add(scope, binding, "buffer", memory::buffer)?;
    Ok(binding)
}
