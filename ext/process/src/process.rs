//! `internalBinding('process')`: start values, system calls and lifecycle of the process. In:
//! values that the program was started with; calls. Out: numbers and strings; errnos less than 0.
//! Absent: the API of `process` on top (`js/internal/process`).

mod clock_and_memory;
mod credentials;
mod shared_environment;

pub(crate) use clock_and_memory::available;
pub use clock_and_memory::note_origin;

use rusk_base::sys::{self, exec, fd};
use rusk_jsc::{Call, Engine, Exception, Gc, Object, Options, Outcome, Root, Scope};

use rusk_runtime::LoopCounters;
use rusk_runtime::RuntimeState;
use rusk_runtime::SignalHandle;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{
    errno_result, i32_argument, negative_errno, optional_string_argument, string_argument, string_list,
};

pub(crate) fn make<'s>(scope: &'s Scope, state: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    let start_values = Root::new(scope, start_values(scope, state)?.value());
    add(scope, binding, "start", move |scope, _| Ok(start_values.value(scope)))?;
    add(scope, binding, "environment", environment)?;
    add(scope, binding, "setLifecycleHooks", |scope, call| {
        if let Some(functions) = call.argument(scope, 0).as_object(scope) {
            RuntimeState::current().lifecycle.set(scope, functions);
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "cwd", cwd)?;
    add(scope, binding, "chdir", chdir)?;
    add(scope, binding, "umask", umask)?;
    add(scope, binding, "ppid", |scope, _| Ok(scope.number(sys::process::parent_id().into())))?;
    add(scope, binding, "kill", |scope, call| {
        crate::ipc::flush_all();
        errno_result(scope, sys::process::kill(i32_argument(scope, call, 0)?, i32_argument(scope, call, 1)?))
    })?;
    add(scope, binding, "exit", |scope, call| {
        let code = i32_argument(scope, call, 0)?;
        let state = RuntimeState::current();
        state.write_bytecode_cache(scope);
        state.exit(code);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "abort", |_, _| {
        crate::ipc::flush_all();
        sys::terminal::restore();
        sys::process::abort()
    })?;
    add(scope, binding, "writeError", |scope, call| {
        let message = string_argument(scope, call, 0)?;
        errno_result(scope, fd::write_all_raw(2, message.as_bytes()))
    })?;
    add(scope, binding, "setTitle", |scope, call| {
        sys::process::set_name(&string_argument(scope, call, 0)?);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "setTimeZone", |scope, call| {
        RuntimeState::current().change_process();
        sys::process::set_time_zone(optional_string_argument(scope, call, 0)?.as_deref());
        Ok(scope.undefined())
    })?;
    add(scope, binding, "execve", execve)?;
    add(scope, binding, "onSignal", on_signal)?;
    add(scope, binding, "closeSignalHandler", |scope, call| {
        let object = call.argument(scope, 0).as_object(scope);
        if let Some(handler) = object.and_then(|object| object.as_native::<SignalHandler>(scope)) {
            drop(handler.0.take());
        }
        Ok(scope.undefined())
    })?;
    // Numbers of timers, immediates, and requests in the thread pool.
    add(scope, binding, "activeCounts", |scope, _| {
        let state = RuntimeState::current();
        let (timers, immediates) = state.loop_counters.get().map_or((0, 0), LoopCounters::counts);
        let requests = state.handle.thread_pool().work_count() as f64;
        let counts = [timers.into(), immediates.into(), requests].map(|count| scope.number(count));
        Ok(scope.array(&counts)?.value())
    })?;
    add(scope, binding, "collect", |scope, _| {
        scope.collect(Gc::Now);
        Ok(scope.undefined())
    })?;
    clock_and_memory::add_to(scope, binding)?;
    credentials::add_to(scope, binding)?;
    shared_environment::add_to(scope, binding)?;
    Ok(binding)
}

/// The JavaScript object of a signal handler; empty once it is closed.
struct SignalHandler(std::cell::Cell<Option<SignalHandle>>);

/// Values that do not change during the run.
fn start_values<'s>(scope: &'s Scope, state: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let values = object(scope)?;
    let list = |strings: &[String]| {
        let values: Vec<_> = strings.iter().map(|string| scope.string(string)).collect();
        scope.array(&values).map(Object::value)
    };
    let program = &state.program;
    // As in bun: an executable with a program in it is called so.
    let name = match rusk_runtime::embedded_files() {
        Some(_) => "bun".to_owned(),
        None => program.exec_path.clone(),
    };
    let argv: Vec<String> = [name].into_iter().chain(program.arguments.clone()).collect();
    let engine = Engine::load(&Options::default()).map_or_else(
        |_| String::new(),
        |engine| {
            let version = engine.version();
            format!("{}.{}.{}", version.major, version.minor, version.micro)
        },
    );
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    values.set_property(scope, "argv", list(&argv)?)?;
    values.set_property(scope, "execArgv", list(&program.exec_arguments)?)?;
    values.set_property(scope, "configuredArgv", list(&program.configured_arguments)?)?;
    for (name, value) in [
        ("execPath", program.exec_path.as_str()),
        ("argv0", &program.argv0),
        ("arch", architecture),
        ("rusk", env!("CARGO_PKG_VERSION")),
        ("engine", &engine),
        ("node", rusk_runtime::NODE_VERSION),
    ] {
        values.set_property(scope, name, scope.string(value))?;
    }
    values.set_property(scope, "isWorker", scope.boolean(state.worker.is_some()))?;
    values.set_property(scope, "showsWarnings", scope.boolean(program.shows_warnings()))?;
    values.set_property(scope, "pid", scope.number(std::process::id().into()))?;
    Ok(values)
}

/// Names and values in turn.
fn environment<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let state = RuntimeState::current();
    let entries = state.program.environment.iter().flat_map(|(name, value)| [name, value]);
    let entries: Vec<_> = entries.map(|string| scope.string(string)).collect();
    scope.array(&entries).map(Object::value)
}

fn cwd<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    Ok(match sys::process::current_dir() {
        Ok(directory) => scope.string(&directory.to_string_lossy()),
        Err(error) => scope.number(negative_errno(error)),
    })
}

/// A new umask, or `undefined`: the one before.
fn umask<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let mask = u32::try_from(i32_argument(scope, call, 0)?).ok();
    if mask.is_some() {
        RuntimeState::current().change_process();
    }
    Ok(scope.number(sys::process::umask(mask).into()))
}

fn chdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let directory = string_argument(scope, call, 0)?;
    let changed = sys::chdir(directory.as_str()).and_then(|()| sys::process::current_dir());
    errno_result(
        scope,
        changed.map(|directory| {
            let directory = directory.to_string_lossy().into_owned();
            *RuntimeState::current().current_dir.borrow_mut() = directory.into();
        }),
    )
}

/// (file, argv, names and values of the environment in turn): an errno less than 0; returns only on
/// failure.
fn execve<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    crate::ipc::flush_all();
    let file = string_argument(scope, call, 0)?;
    let argv = string_list(scope, call.argument(scope, 1))?;
    let env = string_list(scope, call.argument(scope, 2))?;
    let argv: Vec<_> = argv.into_iter().map(Into::into).collect();
    let env: Vec<_> =
        env.chunks_exact(2).map(|pair| (pair[0].clone().into(), pair[1].clone().into())).collect();
    Ok(scope.number(negative_errno(exec::exec(file.as_ref(), &argv, &env))))
}

/// (signal number, callback): an object for `closeSignalHandler`, or an errno less than 0.
fn on_signal<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let signal = i32_argument(scope, call, 0)?;
    let callback = Root::new(scope, call.argument(scope, 1));
    let handler = RuntimeState::current().handle.on_signal(signal, move |scope| {
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes one");
        function.call(scope, &[]).map(|_| ())
    });
    Ok(match handler {
        Ok(handler) => scope.native(SignalHandler(std::cell::Cell::new(Some(handler)))).value(),
        Err(error) => scope.number(negative_errno(error)),
    })
}
