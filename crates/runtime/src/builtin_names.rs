//! Which builtins there are. In: names. Out: whether we have the file, and what Node has.

use rusk_jsc::{Exception, Object, Scope, Value};

use crate::bindings::{add, object};
use crate::state::RuntimeState;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "has", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.boolean(RuntimeState::current().builtins.has(&name)))
    })?;
    add(scope, natives, "plain", |scope, _| names(scope, rusk_modules::builtins::NODE))?;
    add(scope, natives, "bun", |scope, _| names(scope, rusk_modules::builtins::BUN))?;
    add(scope, natives, "schemed", |scope, _| names(scope, rusk_modules::builtins::SCHEME_ONLY))?;
    Ok(natives)
}

fn names<'s>(scope: &'s Scope, names: &[&str]) -> Result<Value<'s>, Exception<'s>> {
    let names: Vec<Value<'_>> = names.iter().map(|name| scope.string(name)).collect();
    scope.array(&names).map(Object::value)
}
