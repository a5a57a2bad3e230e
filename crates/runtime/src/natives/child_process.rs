//! `native('child_process')`: programs started, signalled, waited for. In: a program, its words, its variables, what becomes of its
//! descriptors. Out: an object for the child, its number, and our ends of its pipes; or an errno less than 0. Absent: what an option
//! means; js/internal/child_process.js knows.

mod sync;

use std::cell::RefCell;
use std::os::fd::{AsFd, OwnedFd};

use rusk_base::sys::{Errno, descriptor, identity};
use rusk_jsc::{Call, Exception, Kind, Object, Outcome, Root, Scope, Value};
use rusk_spawn::{Child, Command, Credentials, Environment, Exit, Stdio};

use super::pipe::Pipe;
use super::values::{int, numbers, text, text_if_any, texts};
use super::{Host, add, object};
use crate::children::Waited;

/// What becomes of a descriptor of the child; numbers from 0 are descriptors of ours.
const IGNORE: i32 = -1;
const PIPE: i32 = -2;
/// A connection of both ways, wherever it stands.
const CHANNEL: i32 = -3;

/// What JavaScript holds of a child that runs.
struct Held(RefCell<Option<Waited>>);

/// A child's descriptors before it is started: our ends.
type Ends = Vec<Option<OwnedFd>>;

pub(super) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "spawn", spawn)?;
    add(scope, natives, "spawnSync", sync::spawn)?;
    add(scope, natives, "kill", |scope, call| {
        let signal = int(scope, call, 1)?;
        let held = call.argument(scope, 0).as_object(scope).and_then(|held| held.as_native::<Held>(scope));
        let child = held.as_ref().map(|held| held.0.borrow());
        Ok(scope.number(match child.as_ref().and_then(|child| child.as_ref()) {
            Some(child) => child.signal(signal).map_or_else(|error| f64::from(-error.errno()), |()| 0.0),
            None => f64::from(-Errno::SRCH.raw_os_error()),
        }))
    })?;
    add(scope, natives, "setRef", |scope, call| {
        let is_kept = call.argument(scope, 1).is_truthy(scope);
        let held = call.argument(scope, 0).as_object(scope).and_then(|held| held.as_native::<Held>(scope));
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
    Ok(natives)
}

/// file, words, `NAME=value` texts, folder, descriptors, detached, user, group, function for the end.
fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let descriptors: Vec<i32> =
        numbers(scope, call.argument(scope, 4))?.into_iter().map(|number| number as i32).collect();
    let mut command = command(scope, call)?;
    let started = match open(&mut command, &descriptors) {
        Ok(ends) => command.spawn().and_then(|mut child| child.wait_started().map(|()| (child, ends))),
        Err(error) => return Ok(scope.number(f64::from(-error.raw_os_error()))),
    };
    let (mut child, mut ends) = match started {
        Ok(started) => started,
        Err(error) => return Ok(scope.number(f64::from(-error.errno()))),
    };
    for (index, end) in take_streams(&mut child).into_iter().enumerate() {
        if let Some(place) = ends.get_mut(index).filter(|place| place.is_none()) {
            *place = end;
        }
    }
    let number = child.id();
    let ended = Root::new(scope, call.argument(scope, 8));
    let waited = Host::current().handle.wait_for(child, move |scope, end| {
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
    for end in ends {
        told.push(show(scope, end));
    }
    scope.array(&told).map(Object::value)
}

fn show(scope: &Scope, end: Option<OwnedFd>) -> Value<'_> {
    match end.and_then(|end| Pipe::new(end, true).ok()) {
        Some(pipe) => pipe.show(scope).value(),
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

/// The first four arguments and what stands behind the descriptors.
fn command<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Command, Exception<'s>> {
    let mut command = Command::new(text(scope, call, 0)?);
    let words = texts(scope, call.argument(scope, 1))?;
    let mut words = words.iter();
    if let Some(first) = words.next() {
        command.arg0(first);
    }
    command.args(words);
    let variables = texts(scope, call.argument(scope, 2))?;
    let pairs = variables.iter().filter_map(|variable| variable.split_once('='));
    command.environment(Environment::pack(pairs.filter(|(name, _)| !name.is_empty())));
    if let Some(folder) = text_if_any(scope, call, 3)? {
        command.current_dir(folder);
    }
    if call.argument(scope, 5).is_truthy(scope) {
        command.new_session();
    }
    // A script without a first line that says who reads it is a shell's, as `execvp(3)` has it.
    command.shell_fallback(true);
    let id = |index| -> Result<Option<u32>, Exception<'s>> {
        let value = call.argument(scope, index);
        match value.kind(scope) {
            Kind::Number => value.to_number(scope).map(|number| Some(number as i64 as u32)),
            _ => Ok(None),
        }
    };
    let (user, group) = (id(6)?, id(7)?);
    if user.is_some() || group.is_some() {
        // Groups of ours are none of another user's; only root may leave them.
        let groups = (identity::ids()[1] == 0).then(Vec::new);
        command.credentials(Credentials { user, group, groups });
    }
    Ok(command)
}

/// Gives the command its descriptors. Out: our ends of those that are connections.
fn open(command: &mut Command, descriptors: &[i32]) -> Result<Ends, Errno> {
    let mut ends: Ends = Vec::new();
    for (index, wanted) in descriptors.iter().enumerate() {
        let mut end = None;
        let mut pair = || {
            let (ours, theirs) = descriptor::pair()?;
            end = Some(ours);
            Ok::<_, Errno>(theirs)
        };
        if index < 3 {
            let stream = match *wanted {
                IGNORE => Stdio::Null,
                PIPE => Stdio::Pipe,
                CHANNEL => Stdio::from(pair()?),
                number if number as usize == index => Stdio::Inherit,
                number => {
                    let copy = descriptor::copy(number)?;
                    // Programs do not expect their streams to be impatient, as ends of ours are.
                    descriptor::block(copy.as_fd())?;
                    Stdio::from(copy)
                }
            };
            match index {
                0 => command.stdin(stream),
                1 => command.stdout(stream),
                _ => command.stderr(stream),
            };
        } else if let Ok(target) = i32::try_from(index) {
            match *wanted {
                IGNORE => {}
                PIPE | CHANNEL => {
                    command.descriptor(pair()?, target);
                }
                number => {
                    command.descriptor(descriptor::copy(number)?, target);
                }
            }
        }
        ends.push(end);
    }
    Ok(ends)
}
