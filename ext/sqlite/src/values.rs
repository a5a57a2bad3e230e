//! Values between JavaScript and SQLite.

use rusk_jsc::{ArrayBuffer, Bytes, ErrorKind, Exception, Kind, Scope, Value};
use rusk_sqlite::Value as SqlValue;

use crate::state::SqliteState;

const EXPECTED: &str = "Binding expected string, TypedArray, boolean, number, bigint or null";

/// Whole numbers up to here are integers in SQLite: `Number.MAX_SAFE_INTEGER`.
const SAFE_INTEGER_MAX: f64 = 9_007_199_254_740_991.0;

/// A value of JavaScript, copied.
pub enum OwnedValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl OwnedValue {
    pub fn of<'s>(scope: &'s Scope, value: Value<'s>) -> Result<OwnedValue, Exception<'s>> {
        match value.kind(scope) {
            Kind::Undefined | Kind::Null => Ok(OwnedValue::Null),
            Kind::Boolean => Ok(OwnedValue::Integer(value.is_truthy(scope).into())),
            Kind::Number => Ok(number(value.to_number(scope)?)),
            Kind::String => Ok(OwnedValue::Text(value.to_rust_string(scope)?)),
            // Programs' larger ones were cut to 64 bits before.
            Kind::BigInt => match value.to_rust_string(scope)?.parse() {
                Ok(value) => Ok(OwnedValue::Integer(value)),
                Err(_) => Err(Exception::new(scope, ErrorKind::Range, "a BigInt of more than 64 bits")),
            },
            Kind::Object => blob(scope, value).ok_or_else(|| refused(scope)),
            Kind::Symbol => Err(refused(scope)),
        }
    }

    pub fn borrow(&self) -> SqlValue<'_> {
        match self {
            OwnedValue::Null => SqlValue::Null,
            OwnedValue::Integer(value) => SqlValue::Integer(*value),
            OwnedValue::Real(value) => SqlValue::Real(*value),
            OwnedValue::Text(text) => SqlValue::Text(text.as_bytes()),
            OwnedValue::Blob(bytes) => SqlValue::Blob(bytes),
        }
    }
}

fn refused(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, EXPECTED)
}

fn number(value: f64) -> OwnedValue {
    match value.trunc() == value && value.abs() <= SAFE_INTEGER_MAX {
        true => OwnedValue::Integer(value as i64),
        false => OwnedValue::Real(value),
    }
}

fn blob<'s>(scope: &'s Scope, value: Value<'s>) -> Option<OwnedValue> {
    if let Some(view) = Bytes::of(scope, value) {
        return Some(OwnedValue::Blob(view.copy(scope)));
    }
    let buffer = ArrayBuffer::of(scope, value)?;
    buffer.with_bytes_mut(scope, |bytes| bytes.to_vec()).map(OwnedValue::Blob)
}

/// How values of SQLite become values of JavaScript.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Integers become BigInts.
    pub safe_integers: bool,
    /// Everything becomes its bytes.
    pub raw: bool,
}

impl Reading {
    /// Two arguments: whether integers are BigInts, whether all are bytes.
    pub fn of(scope: &Scope, [safe_integers, raw]: [Value<'_>; 2]) -> Reading {
        Reading { safe_integers: safe_integers.is_truthy(scope), raw: raw.is_truthy(scope) }
    }

    pub fn value<'s>(
        self,
        scope: &'s Scope,
        state: &SqliteState,
        value: SqlValue<'_>,
    ) -> Result<Value<'s>, Exception<'s>> {
        let bytes = |bytes: &[u8]| Bytes::from_vec(scope, bytes.to_vec()).map(|made| made.value());
        match value {
            SqlValue::Null => Ok(scope.null()),
            SqlValue::Integer(value) if self.raw => bytes(&value.to_le_bytes()),
            SqlValue::Real(value) if self.raw => bytes(&value.to_le_bytes()),
            SqlValue::Integer(value) if self.safe_integers => state.bigint(scope, value),
            SqlValue::Integer(value) => Ok(scope.number(value as f64)),
            SqlValue::Real(value) => Ok(scope.number(value)),
            SqlValue::Text(text) if !self.raw => Ok(scope.string_from_utf8_lossy(text)),
            SqlValue::Text(content) | SqlValue::Blob(content) => bytes(content),
        }
    }
}
