//! Bootstrap of a VM: runs js/bootstrap.js before anything else. In: a scope. Out: the queues, and
//! `require` of our builtins. Absent: the program.

use std::rc::Rc;

use rusk_jsc::{Exception, Root, Scope};

use crate::bindings;
use crate::queues::Queues;
use crate::state::RuntimeState;
use crate::unhandled_errors::UnhandledErrors;
use rusk_event_loop::Clock;

const BOOTSTRAP: &str = include_str!("../js/bootstrap.js");

/// Creates the queues and `require` of our builtins. An exception is a bug of ours; the error has
/// its stack trace.
pub fn begin(scope: &Scope, clock: Clock, errors: &Rc<UnhandledErrors>) -> Result<(Queues, Root), String> {
    set_up(scope, clock, errors).map_err(|thrown| shown(scope, thrown))
}

fn set_up<'s>(
    scope: &'s Scope,
    clock: Clock,
    errors: &Rc<UnhandledErrors>,
) -> Result<(Queues, Root), Exception<'s>> {
    let rejections = Rc::clone(errors);
    scope.on_unhandled_rejection(move |scope, rejection| rejections.reject(rejection.root(scope)))?;
    let fatal = Rc::clone(errors);
    let queues =
        Queues::new(scope, clock, move |scope, thrown, kind| fatal.fail(scope, kind, thrown.into()))?;
    let compile = scope.function("compile", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        RuntimeState::current().builtins.compile(scope, &name)
    });
    let make = bindings::maker(scope);
    let builtins = &RuntimeState::current().builtins;
    let bootstrap = builtins.core_script(scope, BOOTSTRAP, "node:internal/bootstrap")?;
    let bootstrap = bootstrap.as_function(scope).expect("the script is a function");
    let realm = scope.global().value();
    let arguments = [compile.value(), make.value(), queues.functions(scope), realm];
    let require = bootstrap.call(scope, &arguments)?;
    errors.set_require(Root::new(scope, require));
    Ok((queues, Root::new(scope, require)))
}

fn shown(scope: &Scope, thrown: Exception<'_>) -> String {
    format!("{}\n{}", thrown.message(scope), thrown.stack(scope).unwrap_or_default())
}
