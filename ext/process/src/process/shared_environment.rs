//! Environment variables that several threads share (`SHARE_ENV`): a part of
//! `internalBinding('process')`.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{text, texts};
use rusk_runtime::{RuntimeState, SharedEnvironment};

/// Adds the functions.
pub(crate) fn add_to<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "shareEnvironment", |scope, call| {
        let variables = variables(texts(scope, call.argument(scope, 0))?);
        *RuntimeState::current().environment.borrow_mut() = Some(Arc::new(SharedEnvironment::new(variables)));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "isEnvironmentShared", |scope, _| {
        Ok(scope.boolean(RuntimeState::current().environment.borrow().is_some()))
    })?;
    add(scope, natives, "sharedNames", |scope, _| {
        let names = shared(SharedEnvironment::names).unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, natives, "sharedVariable", |scope, call| {
        let name = text(scope, call, 0)?;
        let value = shared(|variables| variables.find(&name)).flatten();
        Ok(value.map_or(scope.undefined(), |value| scope.string(&value)))
    })?;
    add(scope, natives, "setSharedVariable", |scope, call| {
        let (name, value) = (text(scope, call, 0)?, call.argument(scope, 1));
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

/// Of a list of names and values by turns.
fn variables(words: Vec<String>) -> BTreeMap<String, String> {
    let mut words = words.into_iter();
    std::iter::from_fn(|| words.next().zip(words.next())).collect()
}
