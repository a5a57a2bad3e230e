//! Environment variables that threads share (`SHARE_ENV` of workers): a part of
//! `internalBinding('process')`.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{string_argument, string_list};
use rusk_runtime::{RuntimeState, SharedEnvironment};

/// Adds the functions.
pub(crate) fn add_to<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "shareEnvironment", |scope, call| {
        let variables = variables(string_list(scope, call.argument(scope, 0))?);
        *RuntimeState::current().environment.borrow_mut() = Some(Arc::new(SharedEnvironment::new(variables)));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "isEnvironmentShared", |scope, _| {
        Ok(scope.boolean(RuntimeState::current().environment.borrow().is_some()))
    })?;
    add(scope, binding, "sharedNames", |scope, _| {
        let names = shared(SharedEnvironment::names).unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, binding, "sharedVariable", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let value = shared(|variables| variables.find(&name)).flatten();
        Ok(value.map_or(scope.undefined(), |value| scope.string(&value)))
    })?;
    add(scope, binding, "setSharedVariable", |scope, call| {
        let (name, value) = (string_argument(scope, call, 0)?, call.argument(scope, 1));
        let value = if value.is_undefined(scope) { None } else { Some(value.to_rust_string(scope)?) };
        shared(|variables| match value {
            Some(value) => variables.set(name, value),
            None => variables.remove(&name),
        });
        Ok(scope.undefined())
    })
}

fn shared<R>(body: impl FnOnce(&SharedEnvironment) -> R) -> Option<R> {
    RuntimeState::current().environment.borrow().as_deref().map(body)
}

/// From a list of names and values in turn.
fn variables(entries: Vec<String>) -> BTreeMap<String, String> {
    let mut entries = entries.into_iter();
    std::iter::from_fn(|| entries.next().zip(entries.next())).collect()
}
