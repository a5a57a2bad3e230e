//! SQL functions of the program. In: a name, a body. Out: SQLite calls the body with arguments, and
//! gets its result. An aggregate's calls have a number for each group.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use crate::connection::Connection;
use crate::error::{SqliteError, c_string};
use crate::library::symbols;
use crate::statement::transient;
use crate::symbols::{FunctionCallback, Raw, ResultCallback};
use crate::value::{Access, Value};

/// `SQLITE_UTF8`.
const UTF8: u8 = 1;
/// `SQLITE_DETERMINISTIC`, `SQLITE_DIRECTONLY`.
const DETERMINISTIC: c_int = 0x800;
const DIRECT_ONLY: c_int = 0x8_0000;
/// As many as there are.
const ANY_NUMBER: c_int = -1;

/// What a body is called for. The number of an aggregate's group is never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionCall {
    /// A function of one row.
    Scalar,
    /// The next row of a group.
    Step(u64),
    /// A row leaves a window.
    Inverse(u64),
    /// The result up to here.
    Value(u64),
    /// The result; 0: of a group without rows. The group is not used again.
    Final(u64),
}

/// The body; its result is passed to the last argument. An error is the message of the statement's
/// own.
pub type FunctionBody =
    Rc<dyn Fn(FunctionCall, &[Value<'_>], &mut dyn FnMut(Value<'_>)) -> Result<(), String>>;

#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionFlags {
    pub is_deterministic: bool,
    /// Not from triggers and views.
    pub is_direct_only: bool,
}

struct Registered {
    body: FunctionBody,
    next_group: std::cell::Cell<u64>,
}

impl Connection {
    /// Defines a function of one row. `arguments`: `None`: any number.
    pub fn define_scalar(
        &self,
        name: &str,
        arguments: Option<u8>,
        flags: FunctionFlags,
        body: FunctionBody,
    ) -> Result<(), SqliteError> {
        let name = c_string(name)?;
        let (data, count) = (register(body), arguments.map_or(ANY_NUMBER, c_int::from));
        // SAFETY: an open connection; the library calls `forget` with the data, also on failure.
        let code = unsafe {
            let create = symbols().sqlite3_create_function_v2;
            let call: FunctionCallback = Some(call_scalar);
            create(self.raw(), name.as_ptr(), count, encode(flags), data, call, None, None, Some(forget))
        };
        if code == 0 { Ok(()) } else { Err(SqliteError::of(self.raw(), code)) }
    }

    /// Defines an aggregate; one that can be inverted is a window function, too.
    pub fn define_aggregate(
        &self,
        name: &str,
        arguments: Option<u8>,
        flags: FunctionFlags,
        is_window: bool,
        body: FunctionBody,
    ) -> Result<(), SqliteError> {
        let name = c_string(name)?;
        let (data, count) = (register(body), arguments.map_or(ANY_NUMBER, c_int::from));
        let value: ResultCallback = if is_window { Some(call_value) } else { None };
        let inverse: FunctionCallback = if is_window { Some(call_inverse) } else { None };
        // SAFETY: as above.
        let code = unsafe {
            (symbols().sqlite3_create_window_function)(
                self.raw(),
                name.as_ptr(),
                count,
                encode(flags),
                data,
                Some(call_step),
                Some(call_final),
                value,
                inverse,
                Some(forget),
            )
        };
        if code == 0 { Ok(()) } else { Err(SqliteError::of(self.raw(), code)) }
    }
}

fn encode(flags: FunctionFlags) -> c_int {
    let deterministic = if flags.is_deterministic { DETERMINISTIC } else { 0 };
    let direct_only = if flags.is_direct_only { DIRECT_ONLY } else { 0 };
    c_int::from(UTF8) | deterministic | direct_only
}

fn register(body: FunctionBody) -> *mut c_void {
    Box::into_raw(Box::new(Registered { body, next_group: std::cell::Cell::new(1) })).cast()
}

unsafe extern "C" fn forget(data: *mut c_void) {
    // SAFETY: the box of `register`, which the library forgets now.
    drop(unsafe { Box::from_raw(data.cast::<Registered>()) });
}

unsafe extern "C" fn call_scalar(context: Raw, count: c_int, arguments: *mut Raw) {
    // SAFETY: called by the library with a call of a function of `register`.
    unsafe { call(context, |_| FunctionCall::Scalar, count, arguments) }
}

unsafe extern "C" fn call_step(context: Raw, count: c_int, arguments: *mut Raw) {
    // SAFETY: as above.
    unsafe { call(context, |own| FunctionCall::Step(group(context, own, true)), count, arguments) }
}

unsafe extern "C" fn call_inverse(context: Raw, count: c_int, arguments: *mut Raw) {
    // SAFETY: as above.
    unsafe { call(context, |own| FunctionCall::Inverse(group(context, own, true)), count, arguments) }
}

unsafe extern "C" fn call_value(context: Raw) {
    // SAFETY: as above; without arguments.
    unsafe {
        let value = |own: &Registered| FunctionCall::Value(group(context, own, true));
        call(context, value, 0, std::ptr::null_mut());
    }
}

unsafe extern "C" fn call_final(context: Raw) {
    // SAFETY: as above.
    unsafe {
        let end = |own: &Registered| FunctionCall::Final(group(context, own, false));
        call(context, end, 0, std::ptr::null_mut());
    }
}

/// The number of the group that a call belongs to, in the library's memory for it.
///
/// # Safety
/// A call of an aggregate.
unsafe fn group(context: Raw, own: &Registered, may_begin: bool) -> u64 {
    let size = if may_begin { size_of::<u64>() as c_int } else { 0 };
    // SAFETY: guaranteed by the caller; the memory is zeroed at first and aligned for a word.
    unsafe {
        let place = (symbols().sqlite3_aggregate_context)(context, size).cast::<u64>();
        if place.is_null() {
            return 0;
        }
        if *place == 0 && may_begin {
            *place = own.next_group.replace(own.next_group.get() + 1);
        }
        *place
    }
}

/// # Safety
/// Called by the library, with a call of a function of `register`.
unsafe fn call(
    context: Raw,
    what: impl FnOnce(&Registered) -> FunctionCall,
    count: c_int,
    arguments: *mut Raw,
) {
    let library = symbols();
    // SAFETY: guaranteed by the caller. A body may define its function anew, so it is kept.
    let (body, what) = unsafe {
        let own = &*(library.sqlite3_user_data)(context).cast::<Registered>();
        (Rc::clone(&own.body), what(own))
    };
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: that many arguments, alive during the call.
    let arguments: Vec<Value<'_>> =
        (0..count).map(|index| unsafe { argument(*arguments.add(index)) }).collect();
    let mut give = |value: Value<'_>| {
        // SAFETY: a call; strings and blobs have that many bytes, which the library copies.
        unsafe {
            match value {
                Value::Null => (library.sqlite3_result_null)(context),
                Value::Integer(value) => (library.sqlite3_result_int64)(context, value),
                Value::Real(value) => (library.sqlite3_result_double)(context, value),
                Value::Text(text) => {
                    let (first, length) = (text.as_ptr().cast(), text.len() as u64);
                    (library.sqlite3_result_text64)(context, first, length, transient(), UTF8);
                }
                Value::Blob(bytes) => {
                    let (first, length) = (bytes.as_ptr().cast(), bytes.len() as u64);
                    (library.sqlite3_result_blob64)(context, first, length, transient());
                }
            }
        }
    };
    if let Err(message) = body(what, &arguments, &mut give) {
        let length = c_int::try_from(message.len()).unwrap_or(c_int::MAX);
        // SAFETY: a text of that length, which the library copies.
        unsafe { (library.sqlite3_result_error)(context, message.as_ptr().cast(), length) };
    }
}

/// # Safety
/// An argument of a call that runs.
unsafe fn argument<'a>(raw: Raw) -> Value<'a> {
    let library = symbols();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let access = Access {
            integer: || (library.sqlite3_value_int64)(raw),
            real: || (library.sqlite3_value_double)(raw),
            text: || (library.sqlite3_value_text)(raw),
            blob: || (library.sqlite3_value_blob)(raw),
            length: || (library.sqlite3_value_bytes)(raw),
        };
        access.read((library.sqlite3_value_type)(raw))
    }
}
