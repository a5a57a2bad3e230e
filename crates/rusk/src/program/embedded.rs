//! The program that is embedded in this executable. In: the arguments, all of which are the
//! program's. Out: its exit code. Absent: how it is embedded (`rusk_embedded`).

use std::collections::BTreeMap;
use std::ops::Range;

use rusk_base::Result;
use rusk_command_line::program_flags::{self, ProgramInvocation};
use rusk_scripts::Exit;

use super::run_in;
use crate::host;

/// `1`: the executable is rusk itself, as in bun.
const IS_RUSK: &str = "BUN_BE_BUN";

/// Where the program is in this executable; `None`: there is none, or it is not to be run.
pub fn location(environment: &BTreeMap<String, String>) -> Option<Range<u64>> {
    rusk_embedded::location().filter(|_| environment.get(IS_RUSK).is_none_or(|value| value != "1"))
}

/// Runs the program. `argv0`: the name that the executable was called by.
pub fn run(
    location: Range<u64>,
    arguments: Vec<String>,
    argv0: String,
    environment: BTreeMap<String, String>,
) -> Result<Exit> {
    let payload = rusk_embedded::open(&host::program()?, location)?;
    let plain = ProgramInvocation::file(&payload.entry, Vec::new());
    // Flags that this program knows take effect; all are shown to the program.
    let words = payload.exec_arguments.iter().chain([&payload.entry]).map(Into::into).collect::<Vec<_>>();
    let known = program_flags::parse(&words, || false).and_then(Result::ok);
    let mut invocation = known.filter(|known| known.entry_point == plain.entry_point).unwrap_or(plain);
    invocation.arguments = arguments;
    invocation.exec_arguments = payload.exec_arguments.clone();
    invocation.env_files.is_off |= !payload.reads_env;
    invocation.reads_bunfig &= payload.reads_bunfig;
    let current_dir = host::current_dir(None)?;
    run_in(invocation, argv0, environment, current_dir)
}
