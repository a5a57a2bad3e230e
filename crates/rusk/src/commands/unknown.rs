//! Names that are no command, and that the nearest package.json has as a script: `rusk dev`. In: a
//! name. Out: whether it is a script.

use rusk_scripts::Package;

use crate::host;

/// Whether the nearest package.json has it. Whatever goes wrong while it is read is not reported:
/// the command line comes first.
pub fn is_script(name: &str) -> bool {
    let package = host::current_dir(None).and_then(|dir| Package::find(&dir)).ok().flatten();
    package.is_some_and(|package| package.scripts.find(name).is_ok_and(|script| script.is_some()))
}
