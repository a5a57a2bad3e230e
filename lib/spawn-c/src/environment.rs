//! Environments that several commands share, for C. In: `NAME=value` strings. Out: a packed
//! environment.

use std::os::unix::ffi::OsStrExt;

use std::ffi::OsStr;

use spawn::Environment;

use crate::pointer::{Array, CStrPtr};

/// `rusk_environment`.
pub struct Variables {
    pub packed: Environment,
    /// Whether each string has a name and a value.
    pub is_valid: bool,
}

#[unsafe(no_mangle)]
extern "C" fn rusk_environment_new(variables: Array<CStrPtr>) -> Option<Box<Variables>> {
    let variables = variables.read_to_null().ok()?;
    let pairs: Option<Vec<(&OsStr, &OsStr)>> = variables.iter().map(pair).collect();
    let is_valid = pairs.is_some();
    Some(Box::new(Variables { packed: Environment::pack(pairs.unwrap_or_default()), is_valid }))
}

fn pair(variable: &CStrPtr) -> Option<(&OsStr, &OsStr)> {
    let variable = variable.read().ok()?.as_bytes();
    let equals = variable.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
    Some((OsStr::from_bytes(&variable[..equals]), OsStr::from_bytes(&variable[equals + 1..])))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_environment_free(environment: Option<Box<Variables>>) {
    drop(environment);
}
