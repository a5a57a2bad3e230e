//! Errors (`napi_throw_error`, `napi_create_error`, `napi_get_last_error_info`,
//! `napi_fatal_error` and others). In: codes and messages. Out: JavaScript's errors, Node's
//! messages of statuses, and the end of the process.

use std::ffi::{CStr, c_char};

use rusk_jsc::{Exception, Kind, Scope, Value};

use crate::abi::{EnvPointer, ExtendedError, Handle, List, Name, Out, Status, text};
use crate::env::{Cx, Env, Outcome};
use crate::instance::Operation;

/// Node's message of a status; null for success.
pub fn message(status: Status) -> *const c_char {
    const MESSAGES: [&CStr; 23] = [
        c"Invalid argument",
        c"An object was expected",
        c"A string was expected",
        c"A string or symbol was expected",
        c"A function was expected",
        c"A number was expected",
        c"A boolean was expected",
        c"An array was expected",
        c"Unknown failure",
        c"An exception is pending",
        c"The async work item was cancelled",
        c"napi_escape_handle already called on scope",
        c"Invalid handle scope usage",
        c"Invalid callback scope usage",
        c"Thread-safe function queue is full",
        c"Thread-safe function handle is closing",
        c"A bigint was expected",
        c"A date was expected",
        c"An arraybuffer was expected",
        c"A detachable arraybuffer was expected",
        c"Main thread would deadlock",
        c"External buffers are not allowed",
        c"Cannot run JavaScript",
    ];
    let found = (status as usize).checked_sub(1).and_then(|index| MESSAGES.get(index));
    found.map_or(std::ptr::null(), |message| message.as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_last_error_info(env: EnvPointer, result: Out<*const ExtendedError>) -> Status {
    let Some(env) = env.env() else { return Status::InvalidArg };
    match result.check() {
        Ok(result) => {
            result.set(env.last_error());
            Status::Ok
        }
        Err(status) => env.set_last(status),
    }
}

/// Numbers of the classes for the operation.
#[derive(Clone, Copy)]
enum ErrorClass {
    Error,
    Type,
    Range,
    Syntax,
}

fn make<'s>(
    cx: Cx<'s>,
    class: ErrorClass,
    code: Option<Value<'_>>,
    message: Value<'_>,
) -> Outcome<'s, Value<'s>> {
    let class = cx.scope.number(f64::from(class as u8));
    let code = code.map_or_else(|| cx.scope.undefined(), |code| cx.scope.root(code));
    Ok(cx.env.instance.call_js(cx.scope, Operation::CreateError, &[class, message, code])?)
}

/// What the engine of Node throws for a method with a receiver of another class.
pub fn illegal_invocation<'s>(env: &Env, scope: &'s Scope) -> Exception<'s> {
    let arguments = [scope.number(f64::from(ErrorClass::Type as u8)), scope.string("Illegal invocation")];
    let made = env.instance.call_js(scope, Operation::CreateError, &arguments);
    made.map_or_else(|thrown| thrown, Exception::from)
}

fn create(env: EnvPointer, class: ErrorClass, code: Handle, message: Handle, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let message = message.value(cx.scope)?;
        let result = result.check()?;
        let code = if code.is_null() { None } else { Some(code.value(cx.scope)?) };
        let is_string = |value: Value<'_>| value.kind(cx.scope) == Kind::String;
        if !is_string(message) || code.is_some_and(|code| !is_string(code)) {
            return Err(Status::StringExpected.into());
        }
        let error = make(cx, class, code, message)?;
        cx.give(result, error)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_error(
    env: EnvPointer,
    code: Handle,
    message: Handle,
    result: Out<Handle>,
) -> Status {
    create(env, ErrorClass::Error, code, message, result)
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_type_error(
    env: EnvPointer,
    code: Handle,
    message: Handle,
    result: Out<Handle>,
) -> Status {
    create(env, ErrorClass::Type, code, message, result)
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_range_error(
    env: EnvPointer,
    code: Handle,
    message: Handle,
    result: Out<Handle>,
) -> Status {
    create(env, ErrorClass::Range, code, message, result)
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_syntax_error(
    env: EnvPointer,
    code: Handle,
    message: Handle,
    result: Out<Handle>,
) -> Status {
    create(env, ErrorClass::Syntax, code, message, result)
}

fn throw(env: EnvPointer, class: ErrorClass, code: Name<'_>, message: Name<'_>) -> Status {
    env.run(|cx| {
        let text = |name: Name<'_>| name.bytes().map(|bytes| cx.scope.string_from_utf8_lossy(bytes));
        let message = text(message).ok_or(Status::InvalidArg)?;
        let error = make(cx, class, text(code), message)?;
        cx.env.set_pending(cx.scope, error);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_throw_error(env: EnvPointer, code: Name<'_>, message: Name<'_>) -> Status {
    throw(env, ErrorClass::Error, code, message)
}

#[unsafe(no_mangle)]
extern "C" fn napi_throw_type_error(env: EnvPointer, code: Name<'_>, message: Name<'_>) -> Status {
    throw(env, ErrorClass::Type, code, message)
}

#[unsafe(no_mangle)]
extern "C" fn napi_throw_range_error(env: EnvPointer, code: Name<'_>, message: Name<'_>) -> Status {
    throw(env, ErrorClass::Range, code, message)
}

#[unsafe(no_mangle)]
extern "C" fn node_api_throw_syntax_error(env: EnvPointer, code: Name<'_>, message: Name<'_>) -> Status {
    throw(env, ErrorClass::Syntax, code, message)
}

#[unsafe(no_mangle)]
extern "C" fn napi_throw(env: EnvPointer, error: Handle) -> Status {
    env.run(|cx| {
        let error = error.value(cx.scope)?;
        cx.env.set_pending(cx.scope, error);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_exception_pending(env: EnvPointer, result: Out<bool>) -> Status {
    env.plain(|cx| {
        result.check()?.set(cx.env.has_pending());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_and_clear_last_exception(env: EnvPointer, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let thrown = cx.env.take_pending(cx.scope);
        cx.give(result, thrown.map_or_else(|| cx.scope.undefined(), |thrown| thrown.value()))
    })
}

/// Emits 'uncaughtException'.
#[unsafe(no_mangle)]
extern "C" fn napi_fatal_exception(env: EnvPointer, error: Handle) -> Status {
    env.run(|cx| {
        let error = error.value(cx.scope)?;
        cx.env.instance.call_js(cx.scope, Operation::Uncaught, &[error])?;
        Ok(())
    })
}

/// Ends the process, as Node does.
fn fatal(location: &[u8], message: &[u8]) -> ! {
    let (location, message) = (String::from_utf8_lossy(location), String::from_utf8_lossy(message));
    crate::write_error(&format!("FATAL ERROR: {location} {message}\n"));
    crate::fatal_report::write(&format!("{location} {message}"));
    // SAFETY: it ends the process.
    unsafe { libc::abort() }
}

#[unsafe(no_mangle)]
extern "C" fn napi_fatal_error(
    location: List<'_, u8>,
    location_length: usize,
    message: List<'_, u8>,
    message_length: usize,
) -> ! {
    fatal(text(location, location_length).unwrap_or(&[]), text(message, message_length).unwrap_or(&[]))
}

/// Node's end of a process whose finalizer uses the engine during a collection.
pub fn fatal_in_finalizer() -> ! {
    fatal(
        b"",
        b"Finalizer is calling a function that may affect GC state.\n\
          The finalizers are run directly from GC and must not affect GC state.\n\
          Use `node_api_post_finalizer` from inside of the finalizer to work around this issue.\n\
          It schedules the call as a new task in the event loop.",
    )
}
