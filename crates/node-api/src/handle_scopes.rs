//! Handle scopes: how long the values of an addon live. In: open and close. Out: the engine's scope
//! releases what was made in between. Values are rooted by the scope of the call that the addon is
//! in; a handle scope is a mark in it. Absent: the roots themselves ([`rusk_jsc::Scope`]).

use std::cell::RefCell;
use std::ptr;

use rusk_jsc::{ReservedSlot, Scope, ScopeMark};

use crate::abi::{EnvPointer, Handle, Out, Status};

/// The open handle scopes of an environment.
#[derive(Default)]
pub struct HandleScopes(RefCell<Vec<OpenScope>>);

struct OpenScope {
    /// The engine's scope that the mark is of.
    owner: *const Scope,
    /// `None`: its values are gone, because the scope around it was closed first.
    mark: Option<ScopeMark>,
    is_closed: bool,
    escape: Option<Escape>,
}

enum Escape {
    Possible(ReservedSlot),
    Done,
}

/// `napi_handle_scope`: its number from 1, as a pointer.
type ScopePointer = *mut u8;

impl HandleScopes {
    #[inline]
    pub fn depth(&self) -> usize {
        self.0.borrow().len()
    }

    /// Forgets scopes that a callback left open; their values end with the callback.
    pub fn leave(&self, depth: usize) {
        self.0.borrow_mut().truncate(depth);
    }

    fn open(&self, scope: &Scope, escape: Option<ReservedSlot>) -> ScopePointer {
        let mut open = self.0.borrow_mut();
        open.push(OpenScope {
            owner: scope,
            mark: Some(scope.mark()),
            is_closed: false,
            escape: escape.map(Escape::Possible),
        });
        ptr::without_provenance_mut(open.len())
    }

    fn close(&self, scope: &Scope, pointer: ScopePointer) -> Result<(), Status> {
        let mut open = self.0.borrow_mut();
        let number = pointer.addr();
        if open.is_empty() {
            return Err(Status::HandleScopeMismatch);
        }
        if number == 0 || number > open.len() {
            return Err(Status::InvalidArg);
        }
        let closed = &mut open[number - 1];
        if std::mem::replace(&mut closed.is_closed, true) {
            return Err(Status::InvalidArg);
        }
        let mark = closed.mark.filter(|_| ptr::eq(closed.owner, scope));
        // Those within it stay open, as in Node, but have no values any more.
        open[number - 1..].iter_mut().for_each(|inner| inner.mark = None);
        while open.last().is_some_and(|last| last.is_closed) {
            open.pop();
        }
        if let Some(mark) = mark {
            // SAFETY: the addon uses no value of a handle scope after it has closed it.
            unsafe { scope.release_to(mark) };
        }
        Ok(())
    }

    fn escape(&self, scope: &Scope, pointer: ScopePointer, value: Handle) -> Result<Handle, Status> {
        let mut open = self.0.borrow_mut();
        let found = pointer.addr().checked_sub(1).and_then(|index| open.get_mut(index));
        let found = found.ok_or(Status::InvalidArg)?;
        let value = value.value(scope)?;
        match found.escape {
            Some(Escape::Possible(slot)) => {
                found.escape = Some(Escape::Done);
                scope.fill(slot, value);
                Ok(Handle::of(value))
            }
            Some(Escape::Done) => Err(Status::EscapeCalledTwice),
            None => Err(Status::InvalidArg),
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_open_handle_scope(env: EnvPointer, result: Out<ScopePointer>) -> Status {
    env.plain(|cx| {
        result.check()?.set(cx.env.scopes.open(cx.scope, None));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_close_handle_scope(env: EnvPointer, scope: ScopePointer) -> Status {
    env.plain(|cx| {
        if scope.is_null() {
            return Err(Status::InvalidArg.into());
        }
        Ok(cx.env.scopes.close(cx.scope, scope)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_open_escapable_handle_scope(env: EnvPointer, result: Out<ScopePointer>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let slot = cx.scope.reserve();
        result.set(cx.env.scopes.open(cx.scope, Some(slot)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_close_escapable_handle_scope(env: EnvPointer, scope: ScopePointer) -> Status {
    napi_close_handle_scope(env, scope)
}

#[unsafe(no_mangle)]
extern "C" fn napi_escape_handle(
    env: EnvPointer,
    scope: ScopePointer,
    escapee: Handle,
    result: Out<Handle>,
) -> Status {
    env.plain(|cx| {
        if scope.is_null() || escapee.is_null() {
            return Err(Status::InvalidArg.into());
        }
        let result = result.check()?;
        result.set(cx.env.scopes.escape(cx.scope, scope, escapee)?);
        Ok(())
    })
}
