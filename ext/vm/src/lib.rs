//! Further global objects. In: strings and what stacks call them. Out: a context and its global
//! object, what a text gives. Absent: which properties a program's object lends to a global one;
//! js/node/vm.js knows.

use std::cell::Cell;
use std::time::Duration;

use rusk_base::sys::interrupt::SigintGuard;
use rusk_jsc::{Call, Context, Exception, ExecutionLimit, LimitReached, Object, Outcome, Root, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::contexts::evaluate_in;

rusk_runtime::extension!("vm", [("vm", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "makeContext", make_context)?;
    add(scope, natives, "evaluate", evaluate)?;
    add(scope, natives, "evaluateWithin", |scope, call| {
        let (source, name, line) = text(scope, call, 1)?;
        within(scope, call, 4, |scope| evaluate_in(scope, call.argument(scope, 0), &source, &name, line))
    })?;
    add(scope, natives, "callWithin", |scope, call| {
        let callback = call.argument(scope, 0).as_function(scope).expect("our own script passes one");
        within(scope, call, 1, |scope| callback.call(scope, &[]))
    })?;
    add_interrupts(scope, natives)?;
    add(scope, natives, "check", |scope, call| {
        let (source, name, line) = text(scope, call, 0)?;
        scope.check_syntax(&source, &name, line).map(|()| scope.undefined())
    })?;
    add(scope, natives, "setAlone", |scope, call| {
        let context =
            call.argument(scope, 0).as_object(scope).and_then(|own| own.as_native::<Context>(scope));
        let context = context.expect("our own script passes a context");
        scope.set_sandbox_bypassed(&context, call.argument(scope, 1).is_truthy(scope));
        Ok(scope.undefined())
    })?;
    // script, statements: it with them as its first ones; as it is where it does not parse.
    add(scope, natives, "beginWith", |scope, call| {
        let source = call.argument(scope, 0).to_rust_string(scope)?;
        let first = call.argument(scope, 1).to_rust_string(scope)?;
        let Some(place) = rusk_transpile::first_statement(&source) else {
            return Ok(call.argument(scope, 0));
        };
        let (before, behind) = source.split_at(place);
        // A directive may end with its line, and a line for the system does.
        let end = if before.starts_with("#!") && !before.contains('\n') { "\n" } else { ";" };
        Ok(scope.string(&format!("{before}{}{first}{behind}", if before.is_empty() { "" } else { end })))
    })?;
    // context, name of a file of ours: the function that it is the body of, in that context.
    add(scope, natives, "compileIn", |scope, call| {
        let context =
            call.argument(scope, 0).as_object(scope).and_then(|own| own.as_native::<Context>(scope));
        let context = context.expect("our own script passes a context");
        let name = call.argument(scope, 1).to_rust_string(scope)?;
        let compiled = scope.with_context(&context, |inner| {
            let compiled = RuntimeState::current().builtins.compile(inner, &name);
            compiled.map(|value| Root::new(inner, value)).map_err(|thrown| Root::new(inner, thrown.value()))
        });
        compiled.map(|value| value.value(scope)).map_err(|thrown| thrown.value(scope).into())
    })?;
    add(scope, natives, "declared", |scope, call| {
        let source = call.argument(scope, 0).to_rust_string(scope)?;
        let found = rusk_transpile::global_declarations(&source);
        let texts = |names: &[String]| {
            let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
            scope.array(&names).map(Object::value)
        };
        let all = [texts(&found.variables)?, texts(&found.functions)?, texts(&found.lexical)?];
        scope.array(&all).map(Object::value)
    })?;
    Ok(natives)
}

/// SIGINT as something to ask for: a job is begun, and ended with the answer.
fn add_interrupts<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "beginInterrupt", |scope, _| {
        Ok(scope.native(Cell::new(Some(SigintGuard::install()))).value())
    })?;
    add(scope, natives, "endInterrupt", |scope, call| {
        let held = call.argument(scope, 0).as_object(scope);
        let held = held.and_then(|held| held.as_native::<Cell<Option<SigintGuard>>>(scope));
        Ok(scope.boolean(held.and_then(|held| held.take()).is_some_and(SigintGuard::finish)))
    })?;
    add(scope, natives, "hasInterrupt", |scope, _| Ok(scope.boolean(SigintGuard::is_interrupted())))
}

/// Runs `body` within the limits that stand in the arguments from `first` on: milliseconds or
/// `undefined`, whether SIGINT ends it. What it gives, in an array; else how it ended: `late`,
/// `interrupted`; `endless`: it has not begun, for nothing could end it on this engine.
fn within<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    first: usize,
    body: impl FnOnce(&'s Scope) -> Outcome<'s>,
) -> Outcome<'s> {
    let time_ms = call.argument(scope, first);
    let time = match time_ms.is_undefined(scope) {
        true => None,
        false => Some(Duration::from_millis(time_ms.to_number(scope)? as u64)),
    };
    if time.is_some() && !scope.can_limit_execution() {
        return Ok(scope.string("endless"));
    }
    let interrupt = call.argument(scope, first + 1).is_truthy(scope).then(SigintGuard::install);
    let is_over = interrupt.as_ref().map(|_| SigintGuard::is_interrupted as fn() -> bool);
    let (outcome, ended) = scope
        .with_execution_limit(&ExecutionLimit { timeout: time, is_interrupted: is_over }, |_| body(scope));
    let is_interrupted = interrupt.is_some_and(SigintGuard::finish);
    match ended {
        Some(LimitReached::Timeout) => Ok(scope.string("late")),
        Some(LimitReached::Interrupt) => Ok(scope.string("interrupted")),
        None if is_interrupted => Ok(scope.string("interrupted")),
        None => scope.array(&[outcome?]).map(Object::value),
    }
}

/// An object to lend its properties, or `undefined`. [context, its global object]
fn make_context<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let context = match call.argument(scope, 0).as_object(scope) {
        Some(lent) => scope.contextify(lent),
        None => {
            let context = scope.create_context();
            // Elsewhere whoever replaces it hears the engine's own error.
            let _ = scope.make_global_prototype_mutable(&context);
            context
        }
    };
    let global = scope.with_context(&context, |inner| rusk_jsc::Root::new(inner, inner.global().value()));
    let native = scope.context_into_object(context);
    scope.array(&[native.value(), global.value(scope)]).map(Object::value)
}

/// context or `undefined`, text, name, line.
fn evaluate<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (source, name, line) = text(scope, call, 1)?;
    evaluate_in(scope, call.argument(scope, 0), &source, &name, line)
}

/// text, name, line.
fn text<'s>(scope: &'s Scope, call: &Call<'s>, first: usize) -> Result<(String, String, u32), Exception<'s>> {
    let source = call.argument(scope, first).to_rust_string(scope)?;
    let name = call.argument(scope, first + 1).to_rust_string(scope)?;
    let line = call.argument(scope, first + 2).to_number(scope)?;
    Ok((source, name, if line >= 1.0 { line as u32 } else { 1 }))
}
