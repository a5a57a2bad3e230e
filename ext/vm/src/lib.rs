//! Contexts and scripts: `internalBinding('vm')`. In: source texts with the names that stack traces
//! have for them. Out: a context and its global object, the result of a script. Absent: the
//! registry of sandbox objects, which js/node/vm.js has.

use std::cell::Cell;
use std::time::Duration;

use rusk_base::sys::interrupt::SigintGuard;
use rusk_jsc::{Call, Context, Exception, ExecutionLimit, LimitReached, Object, Outcome, Root, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::contexts::evaluate_in;

rusk_runtime::shared_constants! {
    /// Why a limited execution has no result.
    mod limit: f64 {
        TIMED_OUT = 0.0,
        /// By SIGINT.
        INTERRUPTED = 1.0,
        /// It did not begin: this engine cannot limit an execution.
        UNSUPPORTED = 2.0,
    }
}

rusk_runtime::extension!("vm", [("vm", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "limit", limit::ALL)?;
    add(scope, binding, "makeContext", make_context)?;
    add(scope, binding, "evaluate", evaluate)?;
    add(scope, binding, "evaluateWithLimits", |scope, call| {
        let (source, name, line) = script_arguments(scope, call, 1)?;
        with_limits(scope, call, 4, |scope| evaluate_in(scope, call.argument(scope, 0), &source, &name, line))
    })?;
    add(scope, binding, "callWithLimits", |scope, call| {
        let callback = call.argument(scope, 0).as_function(scope).expect("our JavaScript passes a function");
        with_limits(scope, call, 1, |scope| callback.call(scope, &[]))
    })?;
    add_sigint_watchdog(scope, binding)?;
    add(scope, binding, "checkSyntax", |scope, call| {
        let (source, name, line) = script_arguments(scope, call, 0)?;
        scope.check_syntax(&source, &name, line).map(|()| scope.undefined())
    })?;
    add(scope, binding, "setSandboxBypassed", |scope, call| {
        let context =
            call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<Context>(scope));
        let context = context.expect("our JavaScript passes a context");
        scope.set_sandbox_bypassed(&context, call.argument(scope, 1).is_truthy(scope));
        Ok(scope.undefined())
    })?;
    // source, statements. Out: the source with these as its first statements; unchanged where it
    // has a syntax error.
    add(scope, binding, "prependStatements", |scope, call| {
        let source = call.argument(scope, 0).to_rust_string(scope)?;
        let statements = call.argument(scope, 1).to_rust_string(scope)?;
        let Some(offset) = rusk_transpile::first_statement(&source) else {
            return Ok(call.argument(scope, 0));
        };
        let (before, after) = source.split_at(offset);
        // A directive may end with its line, and a hashbang does.
        let end = if before.starts_with("#!") && !before.contains('\n') { "\n" } else { ";" };
        let end = if before.is_empty() { "" } else { end };
        Ok(scope.string(&format!("{before}{end}{statements}{after}")))
    })?;
    // context, id of a builtin. Out: its compiled function, in that context.
    add(scope, binding, "compileBuiltin", |scope, call| {
        let context =
            call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<Context>(scope));
        let context = context.expect("our JavaScript passes a context");
        let name = call.argument(scope, 1).to_rust_string(scope)?;
        let compiled = scope.with_context(&context, |inner| {
            let compiled = RuntimeState::current().builtins.compile(inner, &name);
            compiled.map(|value| Root::new(inner, value)).map_err(|thrown| Root::new(inner, thrown.value()))
        });
        compiled.map(|value| value.value(scope)).map_err(|thrown| thrown.value(scope).into())
    })?;
    // source. Out: names of its `var`s, functions, and lexical declarations.
    add(scope, binding, "globalDeclarations", |scope, call| {
        let source = call.argument(scope, 0).to_rust_string(scope)?;
        let declarations = rusk_transpile::global_declarations(&source);
        let strings = |names: &[String]| {
            let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
            scope.array(&names).map(Object::value)
        };
        let lists = [
            strings(&declarations.variables)?,
            strings(&declarations.functions)?,
            strings(&declarations.lexical)?,
        ];
        scope.array(&lists).map(Object::value)
    })?;
    Ok(binding)
}

/// Node's SIGINT watchdog: from start to stop, SIGINT is recorded and does not end the program.
fn add_sigint_watchdog<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "startSigintWatchdog", |scope, _| {
        Ok(scope.native(Cell::new(Some(SigintGuard::install()))).value())
    })?;
    add(scope, binding, "stopSigintWatchdog", |scope, call| {
        let guard = call.argument(scope, 0).as_object(scope);
        let guard = guard.and_then(|guard| guard.as_native::<Cell<Option<SigintGuard>>>(scope));
        Ok(scope.boolean(guard.and_then(|guard| guard.take()).is_some_and(SigintGuard::finish)))
    })?;
    add(scope, binding, "watchdogHasPendingSigint", |scope, _| {
        Ok(scope.boolean(SigintGuard::is_interrupted()))
    })
}

/// Runs `body` with the limits in the arguments from `first` on: a timeout in milliseconds or
/// `undefined`, whether SIGINT ends it. Out: its result in an array; otherwise a number of `limit`.
fn with_limits<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    first: usize,
    body: impl FnOnce(&'s Scope) -> Outcome<'s>,
) -> Outcome<'s> {
    let timeout_ms = call.argument(scope, first);
    let timeout = match timeout_ms.is_undefined(scope) {
        true => None,
        false => Some(Duration::from_millis(timeout_ms.to_number(scope)? as u64)),
    };
    if timeout.is_some() && !scope.can_limit_execution() {
        return Ok(scope.number(limit::UNSUPPORTED));
    }
    let guard = call.argument(scope, first + 1).is_truthy(scope).then(SigintGuard::install);
    let is_interrupted = guard.as_ref().map(|_| SigintGuard::is_interrupted as fn() -> bool);
    let (outcome, reached) =
        scope.with_execution_limit(&ExecutionLimit { timeout, is_interrupted }, |_| body(scope));
    let is_interrupted = guard.is_some_and(SigintGuard::finish);
    match reached {
        Some(LimitReached::Timeout) => Ok(scope.number(limit::TIMED_OUT)),
        Some(LimitReached::Interrupt) => Ok(scope.number(limit::INTERRUPTED)),
        None if is_interrupted => Ok(scope.number(limit::INTERRUPTED)),
        None => scope.array(&[outcome?]).map(Object::value),
    }
}

/// sandbox object or `undefined`. Out: [context, its global object]
fn make_context<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let context = match call.argument(scope, 0).as_object(scope) {
        Some(sandbox) => scope.contextify(sandbox),
        None => scope.create_context(),
    };
    // Without it, to replace the prototype throws the engine's error.
    let _ = scope.make_global_prototype_mutable(&context);
    let global = scope.with_context(&context, |inner| rusk_jsc::Root::new(inner, inner.global().value()));
    let native = scope.context_into_object(context);
    scope.array(&[native.value(), global.value(scope)]).map(Object::value)
}

/// context or `undefined`, source, name, line.
fn evaluate<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (source, name, line) = script_arguments(scope, call, 1)?;
    evaluate_in(scope, call.argument(scope, 0), &source, &name, line)
}

/// source, name, line: the arguments from `first` on.
fn script_arguments<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    first: usize,
) -> Result<(String, String, u32), Exception<'s>> {
    let source = call.argument(scope, first).to_rust_string(scope)?;
    let name = call.argument(scope, first + 1).to_rust_string(scope)?;
    let line = call.argument(scope, first + 2).to_number(scope)?;
    Ok((source, name, if line >= 1.0 { line as u32 } else { 1 }))
}
