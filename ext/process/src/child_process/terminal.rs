//! Pseudo-terminals (pty(7)): `Bun.Terminal`, and `Bun.spawn`'s `terminal`. In: a size. Out: an
//! object for the terminal, and a stream handle over its controlling side; errnos less than 0.
//! Absent: reading and writing (`ext/io/src/stream_handle.rs`).

use std::cell::RefCell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::terminal::{self, SavedMode};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope, Value};
use rusk_spawn::{Pty, Size};

use rusk_ext_io::stream_handle::StreamHandle;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno_result, i32_argument, negative_errno};

struct Terminal {
    pty: Pty,
    /// Held open so that the terminal survives the end of a program.
    _program_side: Option<OwnedFd>,
    /// The mode before raw mode; present while the terminal is in raw mode.
    mode_before_raw: Option<SavedMode>,
}

/// The JavaScript object of a terminal; empty once it is closed.
struct TerminalObject(RefCell<Option<Terminal>>);

pub(super) fn add_to<'s>(scope: &'s Scope, parent: Object<'s>) -> Result<(), Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "open", open)?;
    add(scope, binding, "resize", |scope, call| {
        let size = size(scope, call, 1)?;
        errno_result(scope, with(scope, call, |terminal| terminal.pty.resize(size).map_err(to_errno)))
    })?;
    add(scope, binding, "modes", |scope, call| {
        Ok(match with(scope, call, |terminal| terminal::modes(terminal.pty.as_fd())) {
            Ok(modes) => scope.array(&modes.map(|flags| scope.number(flags.into())))?.value(),
            Err(error) => scope.number(negative_errno(error)),
        })
    })?;
    add(scope, binding, "setModes", |scope, call| {
        let (index, flags) =
            (i32_argument(scope, call, 1)?, call.argument(scope, 2).to_number(scope)? as i64 as u32);
        errno_result(
            scope,
            with(scope, call, |terminal| {
                let mut modes = terminal::modes(terminal.pty.as_fd())?;
                *modes.get_mut(index as usize).ok_or(Errno::INVAL)? = flags;
                terminal::set_modes(terminal.pty.as_fd(), modes)
            }),
        )
    })?;
    add(scope, binding, "setRaw", |scope, call| {
        let is_raw = call.argument(scope, 1).is_truthy(scope);
        errno_result(scope, with(scope, call, |terminal| terminal.set_raw(is_raw)))
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(object) = find_object(scope, call.argument(scope, 0)) {
            object.0.take();
        }
        Ok(scope.undefined())
    })?;
    parent.set_property(scope, "terminal", binding.value())
}

/// Another handle to the terminal of a terminal object.
pub(super) fn find<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Pty> {
    find_object(scope, value)?.0.borrow().as_ref().map(|terminal| terminal.pty.clone())
}

/// (columns, rows, whether the terminal survives the end of its programs): the terminal object and
/// a stream handle, or an errno less than 0.
fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (size, is_persistent) = (size(scope, call, 0)?, call.argument(scope, 2).is_truthy(scope));
    let opened = Pty::open(size).map_err(to_errno).and_then(|pty| {
        terminal::set_emulator_defaults(pty.as_fd())?;
        let program_side = if is_persistent { Some(pty.program_side().map_err(to_errno)?) } else { None };
        let fd = sys::fd::duplicate(sys::fd::raw(&pty))?;
        Ok((
            Terminal { pty, _program_side: program_side, mode_before_raw: None },
            StreamHandle::new(fd, true)?,
        ))
    });
    match opened {
        Ok((terminal, handle)) => {
            let object = scope.native(TerminalObject(RefCell::new(Some(terminal))));
            scope.array(&[object.value(), handle.show(scope).value()]).map(Object::value)
        }
        Err(error) => Ok(scope.number(negative_errno(error))),
    }
}

fn size<'s>(scope: &'s Scope, call: &Call<'s>, first: usize) -> Result<Size, Exception<'s>> {
    Ok(Size {
        columns: i32_argument(scope, call, first)? as u16,
        rows: i32_argument(scope, call, first + 1)? as u16,
    })
}

fn find_object<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Rc<TerminalObject>> {
    value.as_object(scope)?.as_native(scope)
}

fn with<'s, T>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&mut Terminal) -> sys::Result<T>,
) -> sys::Result<T> {
    let object = find_object(scope, call.argument(scope, 0)).ok_or(Errno::BADF)?;
    let mut terminal = object.0.borrow_mut();
    body(terminal.as_mut().ok_or(Errno::BADF)?)
}

fn to_errno(error: rusk_spawn::Error) -> Errno {
    Errno::from_raw_os_error(error.errno())
}

impl Terminal {
    fn set_raw(&mut self, is_raw: bool) -> sys::Result<()> {
        let pty = self.pty.as_fd();
        match (is_raw, self.mode_before_raw.take()) {
            (true, None) => self.mode_before_raw = Some(terminal::make_raw(pty)?),
            (false, Some(before)) => terminal::restore_mode(pty, &before)?,
            (_, before) => self.mode_before_raw = before,
        }
        Ok(())
    }
}
