//! Terminals: `internalBinding('tty')`. In: a file descriptor. Out: whether it is a terminal, its
//! size, its mode; negative errnos.

use rusk_base::sys::{Errno, terminal};
use rusk_jsc::{Exception, Object, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno_result, i32_argument, negative_errno};

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "isTerminal", |scope, call| {
        Ok(scope.boolean(terminal::is_terminal(i32_argument(scope, call, 0)?)))
    })?;
    // The error of uv_tty_init for a descriptor that is no terminal.
    add(scope, binding, "check", |scope, call| {
        let is_terminal = terminal::is_terminal(i32_argument(scope, call, 0)?);
        errno_result(scope, if is_terminal { Ok(()) } else { Err(Errno::INVAL) })
    })?;
    add(scope, binding, "size", |scope, call| {
        Ok(match terminal::size(i32_argument(scope, call, 0)?) {
            Ok((columns, rows)) => {
                scope.array(&[scope.number(columns.into()), scope.number(rows.into())])?.value()
            }
            Err(error) => scope.number(negative_errno(error)),
        })
    })?;
    add(scope, binding, "setRaw", |scope, call| {
        let is_raw = call.argument(scope, 1).is_truthy(scope);
        errno_result(scope, terminal::set_raw(i32_argument(scope, call, 0)?, is_raw))
    })?;
    Ok(binding)
}
