//! Native bindings: objects of Rust functions that our JavaScript requests by name
//! (`internalBinding('fs')`, as in Node). Each is made when it is first requested. Absent: what
//! programs see; that is JavaScript's.

use rusk_jsc::{Call, Exception, Function, Object, Outcome, Scope};

use crate::state::RuntimeState;

/// The binding of a name; `None`: no extension has one.
fn make<'s>(scope: &'s Scope, name: &str) -> Result<Option<Object<'s>>, Exception<'s>> {
    let state = RuntimeState::current();
    let core = crate::EXTENSION.bindings.iter();
    let mut all = core.chain(state.extensions.iter().flat_map(|one| one.bindings));
    let found = all.find(|(own, _)| *own == name);
    found.map(|(_, make)| make(scope, &state)).transpose()
}

/// A JavaScript function that returns the binding of a name, and `undefined` if there is none.
pub(crate) fn maker(scope: &Scope) -> Function<'_> {
    scope.function("makeBinding", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        make(scope, &name).map(|made| made.map_or(scope.undefined(), Object::value))
    })
}

/// An empty object without a prototype.
pub fn object(scope: &Scope) -> Result<Object<'_>, Exception<'_>> {
    Ok(scope
        .evaluate_static("({ __proto__: null })", "node:internal/native")?
        .as_object(scope)
        .expect("it is one"))
}

/// Adds a fast function: one that is short and does not block. A call costs a fraction of any
/// other.
pub fn add_fast<'s, F>(scope: &'s Scope, object: Object<'s>, name: &str, body: F) -> Result<(), Exception<'s>>
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    object.set_property(scope, name, scope.fast_function(name, body).value())
}

/// Adds a function.
pub fn add<'s, F>(scope: &'s Scope, object: Object<'s>, name: &str, body: F) -> Result<(), Exception<'s>>
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    object.set_property(scope, name, scope.function(name, body).value())
}
