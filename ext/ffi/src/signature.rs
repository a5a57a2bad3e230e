//! Signatures as JavaScript passes them: a code of one character per type. In: a string. Out:
//! types.

use rusk_ffi::Type;
use rusk_jsc::{Exception, Scope, Value};

/// The codes of types, those of Python's `struct` where it has the type.
const CODES: [(char, Type); 12] = [
    ('v', Type::Void),
    ('b', Type::I8),
    ('B', Type::U8),
    ('h', Type::I16),
    ('H', Type::U16),
    ('i', Type::I32),
    ('I', Type::U32),
    ('q', Type::I64),
    ('Q', Type::U64),
    ('f', Type::F32),
    ('d', Type::F64),
    ('P', Type::Pointer),
];

/// The types of a string of codes; JavaScript passes only these.
pub fn types<'r>(scope: &'r Scope, codes: Value<'_>) -> Result<Vec<Type>, Exception<'r>> {
    let codes = codes.to_rust_string(scope)?;
    let find = |code: char| CODES.iter().find(|(own, _)| *own == code).map(|(_, kind)| *kind);
    Ok(codes.chars().filter_map(find).collect())
}

/// The type of one code.
pub fn of_code<'r>(scope: &'r Scope, code: Value<'_>) -> Result<Type, Exception<'r>> {
    Ok(types(scope, code)?.first().copied().unwrap_or(Type::Void))
}
