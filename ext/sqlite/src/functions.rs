//! Functions and hooks of the program, called by SQLite while a statement runs. What they throw is
//! thrown by that statement.

use std::rc::Rc;

use rusk_jsc::{Call, Exception, Outcome, Root, Scope, Value, with_vm_of_thread};
use rusk_sqlite::{FunctionBody, FunctionCall, FunctionFlags, RowChange, Value as SqlValue};

use crate::state::{self, SqliteState};
use crate::values::{OwnedValue, Reading};

/// The message for SQLite; the program gets what was thrown.
const THREW: &str = "a function of the program has thrown";

/// Arguments: a database, a name, the number of arguments (-1: any), whether it is deterministic,
/// whether it is called directly only, 0 for a function, 1 for an aggregate, 2 for a window
/// function; what is called with the kind of the call, the group, and the arguments; whether
/// integers are BigInts.
pub fn define<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    const WINDOW: f64 = 2.0;
    let state = state::get();
    let connection = state.database(scope, call)?;
    let name = call.argument(scope, 1).to_rust_string(scope)?;
    let count = u8::try_from(call.argument(scope, 2).to_number(scope)? as i32).ok();
    let flags = FunctionFlags {
        is_deterministic: call.argument(scope, 3).is_truthy(scope),
        is_direct_only: call.argument(scope, 4).is_truthy(scope),
    };
    let kind = call.argument(scope, 5).to_number(scope)?;
    let dispatch = Root::new(scope, call.argument(scope, 6));
    let reading = Reading { safe_integers: call.argument(scope, 7).is_truthy(scope), raw: false };
    let body: FunctionBody = Rc::new(move |what, arguments, give| {
        let called = with_vm_of_thread(|scope| {
            let state = state::get();
            let result = dispatch_call(scope, &state, &dispatch, (what, arguments), reading);
            match result.and_then(|value| OwnedValue::of(scope, value)) {
                Ok(value) => {
                    give(value.borrow());
                    Ok(())
                }
                Err(thrown) => {
                    keep(scope, &state, thrown);
                    Err(THREW.to_owned())
                }
            }
        });
        called.unwrap_or_else(|| Err(THREW.to_owned()))
    });
    let defined = match kind {
        0.0 => connection.define_scalar(&name, count, flags, body),
        kind => connection.define_aggregate(&name, count, flags, kind == WINDOW, body),
    };
    defined.map_err(|error| state.exception(scope, &error))?;
    Ok(scope.undefined())
}

fn dispatch_call<'s>(
    scope: &'s Scope,
    state: &SqliteState,
    dispatch: &Root,
    (what, arguments): (FunctionCall, &[SqlValue<'_>]),
    reading: Reading,
) -> Result<Value<'s>, Exception<'s>> {
    let (kind, group) = match what {
        FunctionCall::Scalar => ("scalar", 0),
        FunctionCall::Step(group) => ("step", group),
        FunctionCall::Inverse(group) => ("inverse", group),
        FunctionCall::Value(group) => ("value", group),
        FunctionCall::Final(group) => ("final", group),
    };
    let mut values = Vec::with_capacity(arguments.len());
    for argument in arguments {
        values.push(reading.value(scope, state, *argument)?);
    }
    let arguments = [scope.string(kind), scope.number(group as f64), scope.array(&values)?.value()];
    let dispatch = dispatch.value(scope).as_function(scope).expect("a function was given");
    dispatch.call(scope, &arguments)
}

/// The first exception is the one that the program sees.
fn keep(scope: &Scope, state: &SqliteState, thrown: Exception<'_>) {
    state.thrown.borrow_mut().get_or_insert_with(|| Root::new(scope, thrown.value()));
}

/// Arguments: a database; what is called with a change, a table, a row and a schema, or `null`;
/// whether rows are BigInts.
pub fn set_hook<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let connection = state::get().database(scope, call)?;
    let hook = call.argument(scope, 1);
    if hook.as_function(scope).is_none() {
        connection.set_update_hook(None);
        return Ok(scope.undefined());
    }
    let hook = Root::new(scope, hook);
    let reading = Reading { safe_integers: call.argument(scope, 2).is_truthy(scope), raw: false };
    connection.set_update_hook(Some(Rc::new(move |change, schema, table, row| {
        let change = match change {
            RowChange::Insert => "insert",
            RowChange::Update => "update",
            RowChange::Delete => "delete",
        };
        with_vm_of_thread(|scope| {
            let state = state::get();
            let called = reading.value(scope, &state, SqlValue::Integer(row)).and_then(|row| {
                let arguments = [scope.string(change), scope.string(table), row, scope.string(schema)];
                let hook = hook.value(scope).as_function(scope).expect("a function was given");
                hook.call(scope, &arguments)
            });
            if let Err(thrown) = called {
                keep(scope, &state, thrown);
            }
        });
    })));
    Ok(scope.undefined())
}
