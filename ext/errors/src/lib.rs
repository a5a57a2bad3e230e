//! Errors: Node's error classes and codes, argument validators, stack traces, source maps, and
//! messages of the engine's errors as V8 has them.

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_v8_messages::v8_message;

rusk_runtime::extension!("errors", [("stack", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    // A function that translates the stack of an engine's error. Out: whether this engine supports
    // it.
    add(scope, binding, "setStackTranslator", |scope, call| {
        let translate = call.argument(scope, 0).as_function(scope);
        Ok(scope
            .boolean(translate.is_some_and(|translate| scope.set_stack_translator(translate, v8_message))))
    })?;
    // V8's message for an engine's; undefined for one that is not the engine's.
    add(scope, binding, "v8Message", |scope, call| {
        let message = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(v8_message(&message).map_or(scope.undefined(), |found| scope.string(&found)))
    })?;
    Ok(binding)
}
