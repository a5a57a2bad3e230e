//! SQLite by the distribution's library. In: paths, SQL, values. Out: rows, errors with SQLite's
//! codes. Values of a thread stay on it. Absent: JavaScript (ext/sqlite).
#![allow(unsafe_code)]

mod connection;
mod error;
mod functions;
mod library;
mod statement;
mod symbols;
#[cfg(test)]
mod tests;
mod value;

pub use connection::{Connection, ControlArgument, OpenFlags, RowChange};
pub use error::SqliteError;
pub use functions::{FunctionBody, FunctionCall, FunctionFlags};
pub use statement::{Prepared, Statement, StepResult};
pub use value::Value;
