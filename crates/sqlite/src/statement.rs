//! Prepared statements. In: SQL, values of parameters. Out: rows. A statement keeps its connection
//! open.

use std::ffi::{c_int, c_uint};
use std::ptr;
use std::rc::Rc;

use crate::connection::Connection;
use crate::error::{SqliteError, lossy};
use crate::library::symbols;
use crate::symbols::{Destructor, Raw};
use crate::value::{Access, Value};

const OK: c_int = 0;
const ROW: c_int = 100;
const DONE: c_int = 101;
/// `SQLITE_UTF8`.
const UTF8: u8 = 1;
/// `SQLITE_LIMIT_LENGTH` at its highest.
const SQL_BYTES_MAX: usize = i32::MAX as usize;

/// A prepared statement.
pub struct Statement {
    raw: Raw,
    connection: Rc<Connection>,
}

/// The first statement of some SQL.
pub struct Prepared {
    /// `None`: there are only comments and spaces.
    pub statement: Option<Statement>,
    /// Bytes of the SQL up to the next statement.
    pub consumed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResult {
    Row,
    Done,
}

impl Statement {
    /// Prepares the first statement. `flags`: `SQLITE_PREPARE_*`.
    pub fn prepare(connection: &Rc<Connection>, sql: &str, flags: u32) -> Result<Prepared, SqliteError> {
        if sql.len() > SQL_BYTES_MAX {
            return Err(SqliteError::misuse("SQL of 2 GiB"));
        }
        let (mut raw, mut tail) = (ptr::null_mut(), ptr::null());
        // SAFETY: an open connection; the text has that many bytes.
        let code = unsafe {
            let prepare = symbols().sqlite3_prepare_v3;
            let first = sql.as_ptr().cast();
            prepare(connection.raw(), first, sql.len() as c_int, flags as c_uint, &raw mut raw, &raw mut tail)
        };
        if code != OK {
            return Err(connection.error_with_offset(code));
        }
        let consumed = if tail.is_null() { sql.len() } else { tail.addr() - sql.as_ptr().addr() };
        let statement = (!raw.is_null()).then(|| Statement { raw, connection: Rc::clone(connection) });
        Ok(Prepared { statement, consumed: consumed.min(sql.len()) })
    }

    pub fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    /// Binds a value to a parameter, from 1.
    pub fn bind(&mut self, index: u32, value: Value<'_>) -> Result<(), SqliteError> {
        let (library, index) = (symbols(), index as c_int);
        // SAFETY: a statement; strings and blobs have that many bytes, which SQLite copies.
        let code = unsafe {
            match value {
                Value::Null => (library.sqlite3_bind_null)(self.raw, index),
                Value::Integer(value) => (library.sqlite3_bind_int64)(self.raw, index, value),
                Value::Real(value) => (library.sqlite3_bind_double)(self.raw, index, value),
                Value::Text(text) => {
                    let (first, length) = (text.as_ptr().cast(), text.len() as u64);
                    (library.sqlite3_bind_text64)(self.raw, index, first, length, transient(), UTF8)
                }
                Value::Blob(bytes) => {
                    let (first, length) = (bytes.as_ptr().cast(), bytes.len() as u64);
                    (library.sqlite3_bind_blob64)(self.raw, index, first, length, transient())
                }
            }
        };
        if code == OK { Ok(()) } else { Err(SqliteError::of(self.connection.raw(), code)) }
    }

    /// Makes every parameter NULL.
    pub fn clear_bindings(&mut self) {
        // SAFETY: a statement.
        unsafe { (symbols().sqlite3_clear_bindings)(self.raw) };
    }

    /// Runs to the next row.
    pub fn step(&mut self) -> Result<StepResult, SqliteError> {
        // SAFETY: a statement, which does not run: it is borrowed here.
        let code = unsafe { (symbols().sqlite3_step)(self.raw) };
        match code {
            ROW => Ok(StepResult::Row),
            DONE => Ok(StepResult::Done),
            code => Err(SqliteError::of(self.connection.raw(), code)),
        }
    }

    /// Makes it ready to run from the beginning; parameters stay bound.
    pub fn reset(&mut self) {
        // SAFETY: a statement. The result repeats the error of the last step.
        unsafe { (symbols().sqlite3_reset)(self.raw) };
    }

    /// A column of the current row, or NULL without one.
    pub fn column(&self, index: u32) -> Value<'_> {
        let (library, raw, index) = (symbols(), self.raw, index as c_int);
        // SAFETY: a statement; an index beyond its columns reads as NULL. What a row has stays
        // until the statement is stepped or reset, which needs `&mut`. A kind is read once, so
        // nothing is converted in place.
        unsafe {
            let access = Access {
                integer: || (library.sqlite3_column_int64)(raw, index),
                real: || (library.sqlite3_column_double)(raw, index),
                text: || (library.sqlite3_column_text)(raw, index),
                blob: || (library.sqlite3_column_blob)(raw, index),
                length: || (library.sqlite3_column_bytes)(raw, index),
            };
            access.read((library.sqlite3_column_type)(raw, index))
        }
    }

    /// Columns of its rows; 0: it returns none.
    pub fn column_count(&self) -> u32 {
        // SAFETY: a statement.
        unsafe { (symbols().sqlite3_column_count)(self.raw) as u32 }
    }

    pub fn column_name(&self, index: u32) -> String {
        // SAFETY: a statement; the name is copied at once.
        unsafe { lossy((symbols().sqlite3_column_name)(self.raw, index as c_int)) }
    }

    /// The type in `CREATE TABLE`; `None`: the column is an expression.
    pub fn declared_type(&self, index: u32) -> Option<String> {
        // SAFETY: as above.
        unsafe {
            let text = (symbols().sqlite3_column_decltype)(self.raw, index as c_int);
            (!text.is_null()).then(|| lossy(text))
        }
    }

    pub fn parameter_count(&self) -> u32 {
        // SAFETY: a statement.
        unsafe { (symbols().sqlite3_bind_parameter_count)(self.raw) as u32 }
    }

    /// With its prefix; `None`: it has a number only.
    pub fn parameter_name(&self, index: u32) -> Option<String> {
        // SAFETY: a statement; the name is copied at once.
        unsafe {
            let text = (symbols().sqlite3_bind_parameter_name)(self.raw, index as c_int);
            (!text.is_null()).then(|| lossy(text))
        }
    }

    /// Whether it changes nothing.
    pub fn is_readonly(&self) -> bool {
        // SAFETY: a statement.
        unsafe { (symbols().sqlite3_stmt_readonly)(self.raw) != 0 }
    }

    /// Its SQL with the values of its parameters.
    pub fn expanded_sql(&self) -> String {
        // SAFETY: a statement; the text is copied, then freed as the library asks.
        unsafe {
            let text = (symbols().sqlite3_expanded_sql)(self.raw);
            let copy = lossy(text);
            (symbols().sqlite3_free)(text.cast());
            copy
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: made by `prepare`, finalized once; it does not run, because its runner holds it.
        unsafe { (symbols().sqlite3_finalize)(self.raw) };
    }
}

/// `SQLITE_TRANSIENT`: the library copies.
pub(crate) fn transient() -> Destructor {
    // SAFETY: the library compares the pointer and never calls it.
    unsafe { std::mem::transmute::<isize, Destructor>(-1) }
}
