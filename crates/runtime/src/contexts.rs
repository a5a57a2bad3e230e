//! Evaluation in a context of `node:vm`, or in the main one.

use rusk_jsc::{Context, Outcome, Root, Scope, Value};

/// Evaluates a script. `context`: an object of [`Context`], or `undefined` for the main one.
pub fn evaluate_in<'s>(
    scope: &'s Scope,
    context: Value<'s>,
    source: &str,
    name: &str,
    line: u32,
) -> Outcome<'s> {
    let Some(context) = context.as_object(scope) else {
        return scope.evaluate(source, name, line);
    };
    let context = context.as_native::<Context>(scope).expect("our own script passes a context");
    let outcome = scope.with_context(&context, |inner| {
        let root = |value| Root::new(inner, value);
        inner.evaluate(source, name, line).map(root).map_err(|thrown| root(thrown.value()))
    });
    match outcome {
        Ok(value) => Ok(value.value(scope)),
        Err(thrown) => Err(thrown.value(scope).into()),
    }
}
