//! `native('child_process')`: programs started, signalled, waited for. In: a program, its words, its variables, what becomes of its
//! descriptors. Out: an object for the child, its number, and our ends of its pipes; or an errno less than 0. Absent: what an option
//! means; js/internal/child_process.js and js/internal/bun/spawn.js know.

mod program;
mod request;
mod sync;
mod terminal;

use std::cell::RefCell;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Once;

use rusk_base::sys::{Errno, descriptor};
use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_spawn::{Child, Exit, Usage};

use super::pipe::Pipe;
use super::values::int;
use super::{Host, add, object, send_due};
use crate::children::Waited;
use request::End;

/// What JavaScript holds of a child that runs.
struct Held(RefCell<Option<Waited>>);

pub(super) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "spawn", spawn)?;
    add(scope, natives, "spawnSync", |scope, call| {
        send_due();
        sync::spawn(scope, call)
    })?;
    add(scope, natives, "kill", |scope, call| {
        let signal = int(scope, call, 1)?;
        send_due();
        let held = held(scope, call);
        let child = held.as_ref().map(|held| held.0.borrow());
        Ok(scope.number(match child.as_ref().and_then(|child| child.as_ref()) {
            Some(child) => child.signal(signal).map_or_else(|error| f64::from(-error.errno()), |()| 0.0),
            None => f64::from(-Errno::SRCH.raw_os_error()),
        }))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        let is_kept = call.argument(scope, 1).is_truthy(scope);
        let held = held(scope, call);
        if let Some(child) = held.as_ref().and_then(|held| held.0.borrow_mut().take()) {
            if is_kept {
                child.r#ref()
            } else {
                child.unref()
            }
            *held.expect("it was just there").0.borrow_mut() = Some(child);
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "usage", |scope, call| {
        let usage = held(scope, call).and_then(|held| held.0.borrow().as_ref().and_then(Waited::usage));
        usage.map_or(Ok(scope.undefined()), |usage| show_usage(scope, usage))
    })?;
    terminal::add_to(scope, natives)?;
    Ok(natives)
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// What a request says, a function for the end, and a terminal if there is one.
fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let host = Host::current();
    keep_place(&host);
    let terminal = terminal::of(scope, call.argument(scope, request::ARGUMENTS + 1));
    let request = match request::read(scope, call, terminal.as_ref())? {
        Ok(request) => request,
        Err(error) => return Ok(scope.number(f64::from(-error.raw_os_error()))),
    };
    let started = request.command.spawn().and_then(|mut child| {
        // What is not known to run is waited for until it does, so that an error is one of this call.
        if !request.is_sure {
            child.wait_started()?;
        }
        Ok(child)
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Ok(scope.number(f64::from(-error.errno()))),
    };
    let mut ends = request.ends;
    for (index, end) in take_streams(&mut child).into_iter().enumerate() {
        if let Some(place) = ends.get_mut(index).filter(|place| place.is_none() && terminal.is_none()) {
            *place = end.map(End::InLoop);
        }
    }
    let number = child.id();
    let ended = Root::new(scope, call.argument(scope, request::ARGUMENTS));
    let waited = host.handle.wait_for(child, move |scope, end| {
        let (code, signal) = match end {
            Ok(Exit::Status(status)) => (f64::from(status), 0.0),
            Ok(Exit::Signal { number, .. }) => (0.0, f64::from(number)),
            Err(error) => (f64::from(-error.errno()), 0.0),
        };
        let function = ended.value(scope).as_function(scope).expect("JavaScript passes one");
        function.call(scope, &[scope.number(code), scope.number(signal)]).map(|_| ())
    });
    let waited = match waited {
        Ok(waited) => waited,
        Err(error) => return Ok(scope.number(f64::from(-error.raw_os_error()))),
    };
    let mut told = vec![scope.native(Held(RefCell::new(Some(waited)))).value(), scope.number(number.into())];
    told.extend(ends.into_iter().map(|end| show(scope, end)));
    scope.array(&told).map(Object::value)
}

/// Starts stay cheap with thousands of descriptors open if a low number is kept for them. Where a program has used those up
/// before it first starts another, the loop gives up its own.
fn keep_place(host: &Host) {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        if matches!(rusk_spawn::reserve(1), Ok(0))
            && let Ok(place) = host.handle.inner().descriptors.give_up_number()
        {
            // Without a place all else stays the same.
            let _ = rusk_spawn::reserve_at(place);
        }
    });
}

fn show(scope: &Scope, end: Option<End>) -> Value<'_> {
    match end {
        Some(End::ByNumber(end)) => scope.number(descriptor::give(end).into()),
        Some(End::InLoop(end)) => Pipe::new(end, true).map_or(scope.null(), |pipe| pipe.show(scope).value()),
        None => scope.null(),
    }
}

/// Our ends of its three streams, where they are pipes.
fn take_streams(child: &mut Child) -> [Option<OwnedFd>; 3] {
    [
        child.stdin.take().map(OwnedFd::from),
        child.stdout.take().map(OwnedFd::from),
        child.stderr.take().map(OwnedFd::from),
    ]
}

/// Microseconds, bytes, counts; js/internal/bun/resource_usage.js names them in this order.
fn show_usage(scope: &Scope, usage: Usage) -> Outcome<'_> {
    let numbers = [
        usage.user.as_micros() as u64,
        usage.system.as_micros() as u64,
        usage.resident_bytes_max,
        usage.shared_bytes,
        usage.swaps,
        usage.blocks_in,
        usage.blocks_out,
        usage.messages_sent,
        usage.messages_received,
        usage.signals,
        usage.switches_voluntary,
        usage.switches_involuntary,
    ];
    let numbers = numbers.map(|number| scope.number(number as f64));
    scope.array(&numbers).map(Object::value)
}
