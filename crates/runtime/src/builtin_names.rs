//! `internalBinding('builtins')`: names of the public builtins. In: an id. Out: whether the file
//! exists; the names that Node and bun have.

use rusk_jsc::{Exception, Object, Scope, Value};
use rusk_modules::builtins;

use crate::bindings::{add, object};
use crate::state::RuntimeState;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "has", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.boolean(RuntimeState::current().builtins.has(&name)))
    })?;
    add(scope, binding, "plain", |scope, _| names(scope, builtins::NODE))?;
    add(scope, binding, "bun", |scope, _| {
        let vitest = builtins::has_test_packages().then_some(builtins::VITEST);
        names(scope, &[builtins::BUN, vitest.as_slice()].concat())
    })?;
    add(scope, binding, "schemed", |scope, _| names(scope, builtins::SCHEME_ONLY))?;
    Ok(binding)
}

fn names<'s>(scope: &'s Scope, names: &[&str]) -> Result<Value<'s>, Exception<'s>> {
    let names: Vec<Value<'_>> = names.iter().map(|name| scope.string(name)).collect();
    scope.array(&names).map(Object::value)
}
