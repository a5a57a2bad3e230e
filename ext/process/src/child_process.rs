//! `internalBinding('child_process')`: programs started, signalled, waited for. In: a program, its
//! words, its variables, what becomes of its descriptors. Out: an object for the child, its number,
//! and our ends of its pipes; or an errno less than 0. Absent: what an option means;
//! js/internal/child_process.js and js/internal/bun/spawn.js know.

mod ahead;
mod program;
mod request;
mod sync;
mod terminal;
mod usage;

use std::cell::RefCell;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Once;

use rusk_base::sys::{self, Errno, fd};
use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_spawn::{Child, Exit};

use ahead::Ahead;
use request::{End, Request, Until};
use rusk_ext_io::stream_handle::{self as pipe, Pipe};
use rusk_runtime::ChildHandle;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{int, negative};

/// What JavaScript holds of a child that runs.
struct Held {
    number: i32,
    waited: ChildHandle,
    /// Ends of its streams that nobody has asked for.
    input: RefCell<Option<OwnedFd>>,
    outputs: [Option<Rc<Ahead>>; 2],
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "spawn", spawn)?;
    add(scope, natives, "spawnSync", |scope, call| {
        crate::ipc::send_due();
        sync::spawn(scope, call)
    })?;
    add(scope, natives, "spawnSyncPlain", |scope, call| {
        crate::ipc::send_due();
        sync::spawn_plain(scope, call)
    })?;
    add(scope, natives, "kill", |scope, call| {
        let signal = int(scope, call, 1)?;
        crate::ipc::send_due();
        Ok(scope.number(match held(scope, call) {
            Some(held) => held.waited.signal(signal).map_or_else(|error| f64::from(-error.errno()), |()| 0.0),
            None => f64::from(-Errno::SRCH.raw_os_error()),
        }))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        if let Some(held) = held(scope, call) {
            held.set_kept(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "usage", |scope, call| {
        let usage = held(scope, call).and_then(|held| held.waited.usage());
        usage.map_or(Ok(scope.undefined()), |usage| usage::show(scope, &usage))
    })?;
    add_plain(scope, natives)?;
    terminal::add_to(scope, natives)?;
    Ok(natives)
}

/// Children of which nothing was said but their words and their three streams: their ends are shown
/// when they are asked for.
fn add_plain<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "spawnPlain", spawn_plain)?;
    add(scope, natives, "pid", |scope, call| {
        Ok(held(scope, call).map_or(scope.undefined(), |held| scope.number(held.number.into())))
    })?;
    add(scope, natives, "takeInput", |scope, call| {
        let end = held(scope, call).and_then(|held| held.input.take());
        Ok(match end {
            Some(end) => show(scope, Some(End::InLoop(end))),
            None => pipe::show_closed(scope).value(),
        })
    })?;
    add(scope, natives, "closeInput", |scope, call| {
        drop(held(scope, call).and_then(|held| held.input.take()));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "takeOutput", |scope, call| {
        let index = int(scope, call, 1)?;
        match held(scope, call).as_ref().and_then(|held| held.outputs.get(index as usize)?.as_ref()) {
            Some(ahead) => ahead.take(scope),
            None => Ok(scope.undefined()),
        }
    })
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

impl Held {
    fn new(number: i32, waited: ChildHandle) -> Held {
        Held { number, waited, input: RefCell::default(), outputs: [None, None] }
    }

    fn set_kept(&self, is_kept: bool) {
        if is_kept {
            self.waited.r#ref()
        } else {
            self.waited.unref()
        }
        self.outputs.iter().flatten().for_each(|output| output.set_kept(is_kept));
    }
}

/// What a request says, a function for the end, and a terminal if there is one.
fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    keep_place(&RuntimeState::current());
    let terminal = terminal::of(scope, call.argument(scope, request::ARGUMENTS + 1));
    let ended = Root::new(scope, call.argument(scope, request::ARGUMENTS));
    let request = request::read(scope, call, terminal.as_ref())?;
    let begun = request.and_then(|mut request| {
        let mut child = begin(&request)?;
        for (index, end) in take_streams(&mut child).into_iter().enumerate() {
            if let Some(place) =
                request.ends.get_mut(index).filter(|place| place.is_none() && terminal.is_none())
            {
                *place = end.map(End::InLoop);
            }
        }
        let number = child.id();
        Ok((Held::new(number, wait(child, ended, None)?), request.ends))
    });
    let (held, ends) = match begun {
        Ok(begun) => begun,
        Err(error) => return Ok(scope.number(negative(error))),
    };
    let number = scope.number(held.number.into());
    let mut told = vec![scope.native(held).value(), number];
    told.extend(ends.into_iter().map(|end| show(scope, end)));
    scope.array(&told).map(Object::value)
}

/// What a plain request says, an object, and a function for the end, which is called with the
/// object.
fn spawn_plain<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    keep_place(&RuntimeState::current());
    let child = Root::new(scope, call.argument(scope, request::PLAIN_ARGUMENTS));
    let ended = Root::new(scope, call.argument(scope, request::PLAIN_ARGUMENTS + 1));
    let request = request::read_plain(scope, call, Until::Start)?;
    let begun = request.and_then(|request| {
        let mut begun = begin(&request)?;
        let [input, output, errors] = take_streams(&mut begun);
        let mut held = Held::new(begun.id(), wait(begun, ended, Some(child))?);
        held.input = RefCell::new(input);
        for (place, end) in held.outputs.iter_mut().zip([output, errors]) {
            *place = end.map(Ahead::begin).transpose()?;
        }
        Ok(held)
    });
    Ok(match begun {
        Ok(held) => scope.native(held).value(),
        Err(error) => scope.number(negative(error)),
    })
}

fn begin(request: &Request) -> sys::Result<Child> {
    let started = request.command.spawn().and_then(|mut child| {
        // What is not known to run is waited for until it does, so that an error is one of this
        // call.
        if !request.is_sure
            && let Err(error) = child.wait_started()
        {
            // At its last line: nobody else hears of its end.
            let _ = child.wait();
            return Err(error);
        }
        Ok(child)
    });
    started.map_err(|error| Errno::from_raw_os_error(error.errno()))
}

/// `ended` is called with `of`, if there is one, and with a code and a signal.
fn wait(child: Child, ended: Root, of: Option<Root>) -> sys::Result<ChildHandle> {
    RuntimeState::current().handle.wait_for_child(child, move |scope, end| {
        let (code, signal) = match end {
            Ok(Exit::Status(status)) => (f64::from(status), 0.0),
            Ok(Exit::Signal { number, .. }) => (0.0, f64::from(number)),
            Err(error) => (f64::from(-error.errno()), 0.0),
        };
        let function = ended.value(scope).as_function(scope).expect("JavaScript passes one");
        let (code, signal) = (scope.number(code), scope.number(signal));
        let result = match of {
            Some(of) => function.call(scope, &[of.value(scope), code, signal]),
            None => function.call(scope, &[code, signal]),
        };
        result.map(|_| ())
    })
}

/// Starts stay cheap with thousands of descriptors open if a low number is kept for them. Where a
/// program has used those up before it first starts another, the loop gives up its own.
fn keep_place(state: &RuntimeState) {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        if matches!(rusk_spawn::reserve(1), Ok(0))
            && let Ok(place) = state.handle.give_up_epoll_fd_number()
        {
            // Without a place all else stays the same.
            let _ = rusk_spawn::reserve_at(place);
        }
    });
}

fn show(scope: &Scope, end: Option<End>) -> Value<'_> {
    match end {
        Some(End::ByNumber(end)) => scope.number(fd::into_raw(end).into()),
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
