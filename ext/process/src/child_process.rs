//! `internalBinding('child_process')`: spawns, signals and waits for child processes. In: a
//! program, its arguments, its environment, its stdio (see `spawn_options.rs` for the order). Out:
//! an object for the child, its PID, and the parent's ends of its pipes; or an errno less than 0.
//! Absent: the meaning of Node's and Bun's options (`js/internal/child_process.js`,
//! `ext/bun/js/internal/bun/spawn.js`).

mod executable;
mod output_buffer;
mod resource_usage;
mod spawn_options;
mod spawn_sync;
mod terminal;

use std::cell::RefCell;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Once;

use rusk_base::sys::{self, Errno, fd};
use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_spawn::{Child, Exit};

use output_buffer::OutputBuffer;
use rusk_ext_io::stream_handle::{self, StreamHandle};
use rusk_runtime::ChildHandle;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{i32_argument, negative_errno};
use spawn_options::{ParentFd, SpawnMode, SpawnRequest, argument, fast_argument};

/// The JavaScript object of a child process.
struct ChildObject {
    pid: i32,
    handle: ChildHandle,
    /// The parent's end of its stdin, until the program uses it. Only after [`spawn_fast`].
    stdin: RefCell<Option<OwnedFd>>,
    /// Its stdout and stderr, until the program uses them. Only after [`spawn_fast`].
    outputs: [Option<Rc<OutputBuffer>>; 2],
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "stdio", spawn_options::stdio::ALL)?;
    add_constants(scope, binding, "flags", spawn_options::flags::ALL)?;
    add_constants(scope, binding, "usage", resource_usage::usage::ALL)?;
    add_constants(scope, binding, "syncResult", spawn_sync::sync_result::ALL)?;
    add_constants(scope, binding, "limits", output_buffer::limits::ALL)?;
    add(scope, binding, "spawn", spawn)?;
    add(scope, binding, "spawnSync", |scope, call| {
        crate::ipc::flush_all();
        spawn_sync::spawn(scope, call)
    })?;
    add(scope, binding, "spawnSyncFast", |scope, call| {
        crate::ipc::flush_all();
        spawn_sync::spawn_fast(scope, call)
    })?;
    add(scope, binding, "kill", |scope, call| {
        let signal = i32_argument(scope, call, 1)?;
        crate::ipc::flush_all();
        Ok(scope.number(match find(scope, call) {
            Some(child) => {
                child.handle.signal(signal).map_or_else(|error| f64::from(-error.errno()), |()| 0.0)
            }
            None => f64::from(-Errno::SRCH.raw_os_error()),
        }))
    })?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(child) = find(scope, call) {
            child.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "resourceUsage", |scope, call| {
        let usage = find(scope, call).and_then(|child| child.handle.usage());
        usage.map_or(Ok(scope.undefined()), |usage| resource_usage::to_array(scope, &usage))
    })?;
    add_fast_path(scope, binding)?;
    terminal::add_to(scope, binding)?;
    Ok(binding)
}

/// The fast path of `Bun.spawn` for children with default options: their streams become JavaScript
/// objects when the program first uses them.
fn add_fast_path<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "spawnFast", spawn_fast)?;
    add(scope, binding, "pid", |scope, call| {
        Ok(find(scope, call).map_or(scope.undefined(), |child| scope.number(child.pid.into())))
    })?;
    add(scope, binding, "takeStdin", |scope, call| {
        let fd = find(scope, call).and_then(|child| child.stdin.take());
        Ok(match fd {
            Some(fd) => to_value(scope, Some(ParentFd::Handle(fd))),
            None => stream_handle::closed_handle(scope).value(),
        })
    })?;
    add(scope, binding, "closeStdin", |scope, call| {
        drop(find(scope, call).and_then(|child| child.stdin.take()));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "takeOutput", |scope, call| {
        let index = i32_argument(scope, call, 1)?;
        match find(scope, call).as_ref().and_then(|child| child.outputs.get(index as usize)?.as_ref()) {
            Some(output) => output.take(scope),
            None => Ok(scope.undefined()),
        }
    })
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ChildObject>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

impl ChildObject {
    fn new(pid: i32, handle: ChildHandle) -> ChildObject {
        ChildObject { pid, handle, stdin: RefCell::default(), outputs: [None, None] }
    }

    fn set_ref(&self, is_ref: bool) {
        if is_ref {
            self.handle.r#ref()
        } else {
            self.handle.unref()
        }
        self.outputs.iter().flatten().for_each(|output| output.set_ref(is_ref));
    }
}

/// The arguments of [`spawn_options::read`], `onexit(code, signal)`, and a terminal or undefined.
/// Out: the child object, its PID, then for each stdio entry the parent's end: a stream handle, a
/// file descriptor or null.
fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    reserve_low_fd(&RuntimeState::current());
    let on_exit = Root::new(scope, call.argument(scope, argument::COUNT));
    let terminal = terminal::find(scope, call.argument(scope, argument::COUNT + 1));
    let request = spawn_options::read(scope, call, terminal.as_ref())?;
    let spawned = request.and_then(|mut request| {
        let mut child = start(&request)?;
        for (index, fd) in take_streams(&mut child).into_iter().enumerate() {
            let entry = request.parent_fds.get_mut(index);
            if let Some(entry) = entry.filter(|entry| entry.is_none() && terminal.is_none()) {
                *entry = fd.map(ParentFd::Handle);
            }
        }
        let pid = child.id();
        Ok((ChildObject::new(pid, wait(child, on_exit, None)?), request.parent_fds))
    });
    let (child, parent_fds) = match spawned {
        Ok(spawned) => spawned,
        Err(error) => return Ok(scope.number(negative_errno(error))),
    };
    let pid = scope.number(child.pid.into());
    let mut values = vec![scope.native(child).value(), pid];
    values.extend(parent_fds.into_iter().map(|fd| to_value(scope, fd)));
    scope.array(&values).map(Object::value)
}

/// The arguments of [`spawn_options::read_fast`], a subprocess, and `onexit(subprocess, code,
/// signal)`. Out: the child object, or an errno less than 0.
fn spawn_fast<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    reserve_low_fd(&RuntimeState::current());
    let subprocess = Root::new(scope, call.argument(scope, fast_argument::COUNT));
    let on_exit = Root::new(scope, call.argument(scope, fast_argument::COUNT + 1));
    let request = spawn_options::read_fast(scope, call, SpawnMode::Async)?;
    let spawned = request.and_then(|request| {
        let mut child = start(&request)?;
        let [stdin, stdout, stderr] = take_streams(&mut child);
        let mut object = ChildObject::new(child.id(), wait(child, on_exit, Some(subprocess))?);
        object.stdin = RefCell::new(stdin);
        for (output, fd) in object.outputs.iter_mut().zip([stdout, stderr]) {
            *output = fd.map(OutputBuffer::start).transpose()?;
        }
        Ok(object)
    });
    Ok(match spawned {
        Ok(object) => scope.native(object).value(),
        Err(error) => scope.number(negative_errno(error)),
    })
}

fn start(request: &SpawnRequest) -> sys::Result<Child> {
    let started = request.command.spawn().and_then(|mut child| {
        // Where exec may fail, this call waits for it, so that the error is an error of this call.
        if !request.exec_is_certain
            && let Err(error) = child.wait_started()
        {
            // Reaps the child, which exits at once; no other code waits for it.
            let _ = child.wait();
            return Err(error);
        }
        Ok(child)
    });
    started.map_err(|error| Errno::from_raw_os_error(error.errno()))
}

/// Calls `on_exit` at the child's end with `subprocess`, if any, exit code and signal.
fn wait(child: Child, on_exit: Root, subprocess: Option<Root>) -> sys::Result<ChildHandle> {
    RuntimeState::current().handle.wait_for_child(child, move |scope, end| {
        let (code, signal) = match end {
            Ok(Exit::Status(status)) => (f64::from(status), 0.0),
            Ok(Exit::Signal { number, .. }) => (0.0, f64::from(number)),
            Err(error) => (f64::from(-error.errno()), 0.0),
        };
        let function = on_exit.value(scope).as_function(scope).expect("JavaScript passes one");
        let (code, signal) = (scope.number(code), scope.number(signal));
        let result = match subprocess {
            Some(subprocess) => function.call(scope, &[subprocess.value(scope), code, signal]),
            None => function.call(scope, &[code, signal]),
        };
        result.map(|_| ())
    })
}

/// Reserves a low file descriptor number: with one, spawning stays cheap when thousands of
/// descriptors are open. Where the program has used up the low numbers before its first spawn, the
/// event loop gives up the number of its epoll instance.
fn reserve_low_fd(state: &RuntimeState) {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        if matches!(rusk_spawn::reserve(1), Ok(0))
            && let Ok(number) = state.handle.give_up_epoll_fd_number()
        {
            // Spawning also works without the reservation.
            let _ = rusk_spawn::reserve_at(number);
        }
    });
}

fn to_value(scope: &Scope, fd: Option<ParentFd>) -> Value<'_> {
    match fd {
        Some(ParentFd::Raw(fd)) => scope.number(fd::into_raw(fd).into()),
        Some(ParentFd::Handle(fd)) => {
            StreamHandle::new(fd, true).map_or(scope.null(), |handle| handle.show(scope).value())
        }
        None => scope.null(),
    }
}

/// The parent's ends of stdin, stdout and stderr, where they are pipes.
fn take_streams(child: &mut Child) -> [Option<OwnedFd>; 3] {
    [
        child.stdin.take().map(OwnedFd::from),
        child.stdout.take().map(OwnedFd::from),
        child.stderr.take().map(OwnedFd::from),
    ]
}
