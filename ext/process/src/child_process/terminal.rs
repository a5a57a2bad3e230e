//! Pseudo-terminals: `Bun.Terminal`, and `Bun.spawn`'s `terminal`. In: a size. Out: an object for
//! the terminal, and a pipe over the side on which a user would sit; errnos less than 0. Absent:
//! reading and writing, which are the pipe's.

use std::cell::RefCell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::terminal::{self, SavedMode};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope, Value};
use rusk_spawn::{Pty, Size};

use rusk_ext_io::stream_handle::Pipe;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno, int, negative};

struct Terminal {
    pty: Pty,
    /// Held where programs come and go.
    _program_side: Option<OwnedFd>,
    /// Present while it is raw.
    before: Option<SavedMode>,
}

/// What JavaScript holds; closed, it is empty.
struct Slot(RefCell<Option<Terminal>>);

pub(super) fn add_to<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    let own = object(scope)?;
    add(scope, own, "open", open)?;
    add(scope, own, "resize", |scope, call| {
        let size = size(scope, call, 1)?;
        errno(scope, with(scope, call, |terminal| terminal.pty.resize(size).map_err(of_start)))
    })?;
    add(scope, own, "modes", |scope, call| {
        Ok(match with(scope, call, |terminal| terminal::modes(terminal.pty.as_fd())) {
            Ok(modes) => scope.array(&modes.map(|flags| scope.number(flags.into())))?.value(),
            Err(error) => scope.number(negative(error)),
        })
    })?;
    add(scope, own, "setModes", |scope, call| {
        let (index, flags) = (int(scope, call, 1)?, call.argument(scope, 2).to_number(scope)? as i64 as u32);
        errno(
            scope,
            with(scope, call, |terminal| {
                let mut modes = terminal::modes(terminal.pty.as_fd())?;
                *modes.get_mut(index as usize).ok_or(Errno::INVAL)? = flags;
                terminal::set_modes(terminal.pty.as_fd(), modes)
            }),
        )
    })?;
    add(scope, own, "setRaw", |scope, call| {
        let is_raw = call.argument(scope, 1).is_truthy(scope);
        errno(scope, with(scope, call, |terminal| terminal.set_raw(is_raw)))
    })?;
    add(scope, own, "close", |scope, call| {
        if let Some(slot) = slot(scope, call.argument(scope, 0)) {
            slot.0.take();
        }
        Ok(scope.undefined())
    })?;
    natives.set_property(scope, "terminal", own.value())
}

/// The terminal that a value stands for, another name for it.
pub(super) fn of<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Pty> {
    slot(scope, value)?.0.borrow().as_ref().map(|terminal| terminal.pty.clone())
}

/// columns, rows, whether it is to outlast its programs.
fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (size, outlasts) = (size(scope, call, 0)?, call.argument(scope, 2).is_truthy(scope));
    let made = Pty::open(size).map_err(of_start).and_then(|pty| {
        terminal::set_emulator_defaults(pty.as_fd())?;
        let program_side = if outlasts { Some(pty.program_side().map_err(of_start)?) } else { None };
        let copy = sys::fd::duplicate(sys::fd::raw(&pty))?;
        Ok((Terminal { pty, _program_side: program_side, before: None }, Pipe::new(copy, true)?))
    });
    match made {
        Ok((terminal, pipe)) => {
            let own = scope.native(Slot(RefCell::new(Some(terminal))));
            scope.array(&[own.value(), pipe.show(scope).value()]).map(Object::value)
        }
        Err(error) => Ok(scope.number(negative(error))),
    }
}

fn size<'s>(scope: &'s Scope, call: &Call<'s>, first: usize) -> Result<Size, Exception<'s>> {
    Ok(Size { columns: int(scope, call, first)? as u16, rows: int(scope, call, first + 1)? as u16 })
}

fn slot<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Rc<Slot>> {
    value.as_object(scope)?.as_native(scope)
}

fn with<'s, T>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&mut Terminal) -> sys::Result<T>,
) -> sys::Result<T> {
    let slot = slot(scope, call.argument(scope, 0)).ok_or(Errno::BADF)?;
    let mut terminal = slot.0.borrow_mut();
    body(terminal.as_mut().ok_or(Errno::BADF)?)
}

fn of_start(error: rusk_spawn::Error) -> Errno {
    Errno::from_raw_os_error(error.errno())
}

impl Terminal {
    fn set_raw(&mut self, is_raw: bool) -> sys::Result<()> {
        let pty = self.pty.as_fd();
        match (is_raw, self.before.take()) {
            (true, None) => self.before = Some(terminal::make_raw(pty)?),
            (false, Some(before)) => terminal::restore_mode(pty, &before)?,
            (_, before) => self.before = before,
        }
        Ok(())
    }
}
