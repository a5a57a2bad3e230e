//! Variables that many commands share. In: `NAME=value` strings. Out: an environment, packed.

use std::os::unix::ffi::OsStrExt;

use std::ffi::OsStr;

use spawn::Environment;

use crate::pointer::{Array, Text};

/// `rusk_environment`.
pub struct Variables {
    pub packed: Environment,
    /// Whether each has a name and a value.
    pub is_sound: bool,
}

#[unsafe(no_mangle)]
extern "C" fn rusk_environment_new(variables: Array<Text>) -> Option<Box<Variables>> {
    let variables = variables.read_to_null().ok()?;
    let pairs: Option<Vec<(&OsStr, &OsStr)>> = variables.iter().map(pair).collect();
    let is_sound = pairs.is_some();
    Some(Box::new(Variables { packed: Environment::pack(pairs.unwrap_or_default()), is_sound }))
}

fn pair(variable: &Text) -> Option<(&OsStr, &OsStr)> {
    let variable = variable.read().ok()?.as_bytes();
    let equals = variable.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
    Some((OsStr::from_bytes(&variable[..equals]), OsStr::from_bytes(&variable[equals + 1..])))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_environment_free(environment: Option<Box<Variables>>) {
    drop(environment);
}
