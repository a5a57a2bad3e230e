//! Descriptors that messages bring along, as JavaScript holds them. In: one that came; what is to
//! go along. Out: what it leads to, a pipe over it, its number. It has one owner at any time: who
//! takes it has it, and what nobody takes is closed when it is collected.

use std::cell::Cell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::fd::{self, FdKind};
use rusk_base::sys::{self, Errno, socket};
use rusk_jsc::{Call, Exception, Kind, Object, Scope, Value};

use rusk_ext_io::stream_handle::{self as pipe, Pipe};
use rusk_runtime::bindings::add;
use rusk_runtime::values::negative;

/// Taken or closed, it is empty.
struct Held(Cell<Option<OwnedFd>>);

pub(super) fn add_to<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    // Whether a stream or a server of streams may stand over it.
    add(scope, natives, "isStream", |scope, call| {
        let fd = held(scope, call).and_then(|held| held.0.take());
        let leads = fd.as_ref().map(|fd| fd::kind(fd::raw(fd)));
        let is_stream = match leads {
            Some(Ok(FdKind::Pipe)) => true,
            Some(Ok(FdKind::UnixSocket | FdKind::Socket)) => {
                fd.as_ref().is_some_and(|fd| socket::is_stream(fd.as_fd()))
            }
            _ => false,
        };
        if let (Some(held), Some(fd)) = (held(scope, call), fd) {
            held.0.set(Some(fd));
        }
        Ok(scope.boolean(is_stream))
    })?;
    // Out: a pipe over it, or an errno less than 0.
    add(scope, natives, "takePipe", |scope, call| {
        let fd = held(scope, call).and_then(|held| held.0.take()).ok_or(Errno::BADF);
        Ok(match fd.and_then(|fd| Pipe::new(fd, true)) {
            Ok(pipe) => pipe.show(scope).value(),
            Err(error) => scope.number(negative(error)),
        })
    })?;
    // Out: its number, which the program closes from then on; or -1.
    add(scope, natives, "takeNumber", |scope, call| {
        let fd = held(scope, call).and_then(|held| held.0.take());
        Ok(scope.number(fd.map_or(-1.0, |fd| fd::into_raw(fd).into())))
    })?;
    add(scope, natives, "drop", |scope, call| {
        drop(held(scope, call).and_then(|held| held.0.take()));
        Ok(scope.undefined())
    })
}

pub(super) fn show(scope: &Scope, fd: OwnedFd) -> Value<'_> {
    scope.native(Held(Cell::new(Some(fd)))).value()
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// A copy that goes along: of a pipe, of a number. The original stays whose it was.
pub(super) fn copied<'s>(
    scope: &'s Scope,
    value: Value<'s>,
) -> Result<sys::Result<Option<OwnedFd>>, Exception<'s>> {
    let number = match value.kind(scope) {
        Kind::Undefined | Kind::Null => return Ok(Ok(None)),
        Kind::Number => value.to_number(scope)? as i32,
        _ => match pipe::number(scope, value) {
            Some(number) => number,
            None => return Ok(Err(Errno::BADF)),
        },
    };
    Ok(fd::duplicate(number).map(Some))
}
