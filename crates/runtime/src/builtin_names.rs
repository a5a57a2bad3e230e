//! `internalBinding('builtins')`: names of the public builtins. In: an id. Out: whether the file
//! exists; the names that Node and bun have.

use rusk_jsc::{Exception, Object, Scope, Value};

use crate::bindings::{add, object};
use crate::state::RuntimeState;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "has", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.boolean(RuntimeState::current().builtins.has(&name)))
    })?;
    add(scope, binding, "plain", |scope, _| names(scope, rusk_modules::builtins::NODE))?;
    add(scope, binding, "bun", |scope, _| names(scope, rusk_modules::builtins::BUN))?;
    add(scope, binding, "schemed", |scope, _| names(scope, rusk_modules::builtins::SCHEME_ONLY))?;
    Ok(binding)
}

fn names<'s>(scope: &'s Scope, names: &[&str]) -> Result<Value<'s>, Exception<'s>> {
    let names: Vec<Value<'_>> = names.iter().map(|name| scope.string(name)).collect();
    scope.array(&names).map(Object::value)
}
