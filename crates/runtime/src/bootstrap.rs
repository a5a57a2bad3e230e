//! What runs before anything else in a VM. In: a scope. Out: the queues, and `require` of our own
//! files. Absent: the program.

use std::rc::Rc;

use rusk_jsc::{Exception, Root, Scope};

use crate::clock::Clock;
use crate::code;
use crate::natives::{self, Host};
use crate::noted::Noted;
use crate::queues::Queues;

const BOOTSTRAP: &str = include_str!("../js/bootstrap.js");

/// The queues, where rejections are noted, and `require` of our own files. What is thrown is a
/// mistake of ours, and told with its place.
pub fn begin(scope: &Scope, clock: Clock, noted: &Rc<Noted>) -> Result<(Queues, Root), String> {
    set_up(scope, clock, noted).map_err(|thrown| shown(scope, thrown))
}

fn set_up<'s>(scope: &'s Scope, clock: Clock, noted: &Rc<Noted>) -> Result<(Queues, Root), Exception<'s>> {
    let rejections = Rc::clone(noted);
    scope.on_unhandled_rejection(move |scope, rejection| rejections.reject(rejection.root(scope)))?;
    let fatal = Rc::clone(noted);
    let queues =
        Queues::new(scope, clock, move |scope, thrown, kind| fatal.fail(scope, kind, thrown.into()))?;
    let compile = scope.function("compile", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        Host::current().builtins.compile(scope, &name)
    });
    let make = natives::maker(scope);
    let bootstrap = code::evaluate_own(scope, BOOTSTRAP, "node:internal/bootstrap")?;
    let bootstrap = bootstrap.as_function(scope).expect("the script is a function");
    let stacks = natives::translate_stacks(scope);
    let arguments = [compile.value(), make.value(), queues.functions(scope), stacks.value()];
    let require = bootstrap.call(scope, &arguments)?;
    noted.set_require(Root::new(scope, require));
    Ok((queues, Root::new(scope, require)))
}

fn shown(scope: &Scope, thrown: Exception<'_>) -> String {
    format!("{}\n{}", thrown.message(scope), thrown.stack(scope).unwrap_or_default())
}
