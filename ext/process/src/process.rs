//! `internalBinding('process')`: what `process` knows and does. In: values that the program was
//! started with; calls. Out: numbers, texts, errnos less than 0. Absent: what is told to programs
//! and how; js/internal/process has that.

mod identity;
mod shared_environment;
mod usage;

pub(crate) use usage::available;
pub use usage::note_origin;

use rusk_base::sys::{self, exec, fd};
use rusk_jsc::{Call, Engine, Exception, Gc, Object, Options, Outcome, Root, Scope};

use rusk_runtime::LoopCounters;
use rusk_runtime::RuntimeState;
use rusk_runtime::SignalHandle;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno, int, negative, text, text_if_any, texts};

pub(crate) fn make<'s>(scope: &'s Scope, state: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    let started = Root::new(scope, start(scope, state)?.value());
    add(scope, natives, "start", move |scope, _| Ok(started.value(scope)))?;
    add(scope, natives, "environment", environment)?;
    add(scope, natives, "setLifecycleHooks", |scope, call| {
        if let Some(functions) = call.argument(scope, 0).as_object(scope) {
            RuntimeState::current().lifecycle.set(scope, functions);
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "cwd", cwd)?;
    add(scope, natives, "chdir", chdir)?;
    add(scope, natives, "umask", |scope, call| {
        let mask = u32::try_from(int(scope, call, 0)?).ok();
        Ok(scope.number(sys::process::umask(mask).into()))
    })?;
    add(scope, natives, "parent", |scope, _| Ok(scope.number(sys::process::parent_id().into())))?;
    add(scope, natives, "kill", |scope, call| {
        crate::ipc::flush_all();
        errno(scope, sys::process::kill(int(scope, call, 0)?, int(scope, call, 1)?))
    })?;
    add(scope, natives, "exit", |scope, call| {
        let code = int(scope, call, 0)?;
        let state = RuntimeState::current();
        state.write_bytecode_cache(scope);
        state.exit(code);
        Ok(scope.undefined())
    })?;
    add(scope, natives, "abort", |_, _| {
        crate::ipc::flush_all();
        sys::terminal::restore();
        sys::process::abort()
    })?;
    add(scope, natives, "writeError", |scope, call| {
        let text = text(scope, call, 0)?;
        errno(scope, fd::write_all_raw(2, text.as_bytes()))
    })?;
    add(scope, natives, "setTitle", |scope, call| {
        sys::process::set_name(&text(scope, call, 0)?);
        Ok(scope.undefined())
    })?;
    add(scope, natives, "setTimeZone", |scope, call| {
        sys::process::set_time_zone(text_if_any(scope, call, 0)?.as_deref());
        Ok(scope.undefined())
    })?;
    add(scope, natives, "execve", execve)?;
    add(scope, natives, "listen", listen)?;
    add(scope, natives, "unlisten", |scope, call| {
        let listener = call.argument(scope, 0).as_object(scope);
        if let Some(held) = listener.and_then(|listener| listener.as_native::<Held>(scope)) {
            drop(held.0.take());
        }
        Ok(scope.undefined())
    })?;
    add(scope, natives, "kept", |scope, _| {
        let state = RuntimeState::current();
        let (timers, immediates) = state.loop_counters.get().map_or((0, 0), LoopCounters::counts);
        let requests = state.handle.thread_pool().work_count() as f64;
        let counts = [timers.into(), immediates.into(), requests].map(|count| scope.number(count));
        Ok(scope.array(&counts)?.value())
    })?;
    add(scope, natives, "collect", |scope, _| {
        scope.collect(Gc::Now);
        Ok(scope.undefined())
    })?;
    usage::add_to(scope, natives)?;
    identity::add_to(scope, natives)?;
    shared_environment::add_to(scope, natives)?;
    Ok(natives)
}

/// A listener that can be let go before it is collected.
struct Held(std::cell::Cell<Option<SignalHandle>>);

/// What is known from the beginning.
fn start<'s>(scope: &'s Scope, state: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let found = object(scope)?;
    let list = |texts: &[String]| {
        let values: Vec<_> = texts.iter().map(|text| scope.string(text)).collect();
        scope.array(&values).map(Object::value)
    };
    let program = &state.program;
    let words: Vec<String> =
        [program.exec_path.clone()].into_iter().chain(program.arguments.clone()).collect();
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
    found.set_property(scope, "argv", list(&words)?)?;
    found.set_property(scope, "execArgv", list(&program.exec_arguments)?)?;
    for (name, value) in [
        ("execPath", program.exec_path.as_str()),
        ("argv0", &program.argv0),
        ("arch", architecture),
        ("rusk", env!("CARGO_PKG_VERSION")),
        ("engine", &engine),
    ] {
        found.set_property(scope, name, scope.string(value))?;
    }
    found.set_property(scope, "isWorker", scope.boolean(state.worker.is_some()))?;
    found.set_property(scope, "showsWarnings", scope.boolean(program.shows_warnings()))?;
    found.set_property(scope, "pid", scope.number(std::process::id().into()))?;
    Ok(found)
}

/// Name and value by turns.
fn environment<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let state = RuntimeState::current();
    let words = state.program.environment.iter().flat_map(|(name, value)| [name, value]);
    let words: Vec<_> = words.map(|word| scope.string(word)).collect();
    scope.array(&words).map(Object::value)
}

fn cwd<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    Ok(match sys::process::current_dir() {
        Ok(folder) => scope.string(&folder.to_string_lossy()),
        Err(error) => scope.number(negative(error)),
    })
}

fn chdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let folder = text(scope, call, 0)?;
    let changed = sys::chdir(folder.as_str()).and_then(|()| sys::process::current_dir());
    errno(
        scope,
        changed.map(|folder| {
            let folder = folder.to_string_lossy().into_owned();
            *RuntimeState::current().current_dir.borrow_mut() = folder.into();
        }),
    )
}

/// file, words, variables by turns. Out: why it could not be done.
fn execve<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    crate::ipc::flush_all();
    let file = text(scope, call, 0)?;
    let words = texts(scope, call.argument(scope, 1))?;
    let variables = texts(scope, call.argument(scope, 2))?;
    let words: Vec<_> = words.into_iter().map(Into::into).collect();
    let variables: Vec<_> =
        variables.chunks_exact(2).map(|pair| (pair[0].clone().into(), pair[1].clone().into())).collect();
    Ok(scope.number(negative(exec::exec(file.as_ref(), &words, &variables))))
}

/// number of a signal, function. Out: what to give to `unlisten`, or an errno.
fn listen<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let signal = int(scope, call, 0)?;
    let callback = Root::new(scope, call.argument(scope, 1));
    let listener = RuntimeState::current().handle.on_signal(signal, move |scope| {
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes one");
        function.call(scope, &[]).map(|_| ())
    });
    Ok(match listener {
        Ok(listener) => scope.native(Held(std::cell::Cell::new(Some(listener)))).value(),
        Err(error) => scope.number(negative(error)),
    })
}
