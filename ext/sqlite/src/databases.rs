//! Databases: open, close, copy as bytes.

use std::path::Path;
use std::rc::Rc;

use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Outcome, Scope, Value};
use rusk_sqlite::{Connection, ControlArgument, OpenFlags, SqliteError};

use crate::state::{self, OpenDatabase};

fn done<'s, T>(scope: &'s Scope, result: Result<T, SqliteError>) -> Result<T, Exception<'s>> {
    result.map_err(|error| state::get().exception(scope, &error))
}

fn id(scope: &Scope, number: u32) -> Value<'_> {
    scope.number(number.into())
}

/// Arguments: a path, flags. Out: a number.
pub fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let flags = OpenFlags(call.argument(scope, 1).to_number(scope)? as i32);
    let connection = done(scope, Connection::open(Path::new(&path), flags))?;
    Ok(id(scope, state::get().add_database(connection)))
}

/// Arguments: bytes, whether nothing may change. Out: a number.
pub fn deserialize<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let bytes = Bytes::of(scope, call.argument(scope, 0))
        .ok_or_else(|| Exception::new(scope, ErrorKind::Type, "expected bytes"))?
        .copy(scope);
    let is_readonly = call.argument(scope, 1).is_truthy(scope);
    let connection = done(scope, Connection::deserialize(&bytes, is_readonly))?;
    Ok(id(scope, state::get().add_database(connection)))
}

/// Arguments: a database, a schema. Out: its bytes.
pub fn serialize<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let connection = state::get().database(scope, call)?;
    let schema = call.argument(scope, 1).to_rust_string(scope)?;
    let bytes = done(scope, connection.serialize(&schema))?;
    Bytes::from_vec(scope, bytes).map(|made| made.value())
}

/// Argument: a database, which its statements hold open from now on.
pub fn release<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let id = call.argument(scope, 0).to_number(scope)? as u32;
    let state = state::get();
    let before = {
        let mut databases = state.databases.borrow_mut();
        let closed = match databases.get(&id) {
            Some(OpenDatabase::Open(connection)) => OpenDatabase::Closed(Rc::downgrade(connection)),
            _ => return Ok(scope.undefined()),
        };
        databases.insert(id, closed)
    };
    drop(before);
    Ok(scope.undefined())
}

/// Argument: a database. Out: whether it is closed; a statement that runs holds it open.
pub fn finalize_all<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let id = call.argument(scope, 0).to_number(scope)? as u32;
    let state = state::get();
    let removed = state.databases.borrow_mut().remove(&id);
    let connection = match removed {
        Some(OpenDatabase::Open(connection)) => connection,
        Some(OpenDatabase::Closed(connection)) => match connection.upgrade() {
            Some(connection) => connection,
            None => return Ok(scope.boolean(true)),
        },
        None => return Ok(scope.boolean(true)),
    };
    let statements: Vec<_> = {
        let mut statements = state.statements.borrow_mut();
        let is_its = |statement: &state::OpenStatement| {
            statement.try_borrow().is_ok_and(|own| Rc::ptr_eq(own.connection(), &connection))
        };
        statements.extract_if(|_, statement| is_its(statement)).collect()
    };
    drop(statements);
    Ok(scope.boolean(Rc::strong_count(&connection) == 1))
}

/// Argument: a database.
pub fn in_transaction<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    Ok(scope.boolean(state::get().database(scope, call)?.is_in_transaction()))
}

/// Arguments: a database, a file, an entry point or `undefined`.
pub fn load_extension<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let connection = state::get().database(scope, call)?;
    let file = call.argument(scope, 1).to_rust_string(scope)?;
    let entry = call.argument(scope, 2);
    let entry = if entry.is_undefined(scope) { None } else { Some(entry.to_rust_string(scope)?) };
    connection
        .load_extension(&file, entry.as_deref())
        .map_err(|error| Exception::new(scope, ErrorKind::Error, &error.message))?;
    Ok(scope.undefined())
}

/// Arguments: a database, a schema or `null`, an operation, a number, bytes or `null`. Out: the
/// result code.
pub fn file_control<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let connection = state::get().database(scope, call)?;
    let schema = call.argument(scope, 1);
    let schema = if schema.kind(scope) == Kind::String { Some(schema.to_rust_string(scope)?) } else { None };
    let operation = call.argument(scope, 2).to_number(scope)? as i32;
    let argument = call.argument(scope, 3);
    let code = match Bytes::of(scope, argument) {
        Some(view) => {
            let mut bytes = view.copy(scope);
            let code =
                connection.file_control(schema.as_deref(), operation, ControlArgument::Bytes(&mut bytes));
            view.with_bytes_mut(scope, |own| own.copy_from_slice(&bytes));
            code
        }
        None if argument.kind(scope) == Kind::Number => {
            let argument = ControlArgument::Integer(argument.to_number(scope)? as i32);
            connection.file_control(schema.as_deref(), operation, argument)
        }
        None => connection.file_control(schema.as_deref(), operation, ControlArgument::None),
    };
    Ok(scope.number(done(scope, code)?.into()))
}
