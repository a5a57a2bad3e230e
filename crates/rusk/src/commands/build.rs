//! `rusk build`. In: flags, the environment. Out: the output files, all or none, and a summary; or
//! all errors and exit code 1. The work is in `rusk-bundler`.

mod options;
mod report;

use std::collections::BTreeMap;
use std::time::Instant;

use rusk_base::Result;
use rusk_bundler::{Bundle, Destination};
use rusk_command_line::flags::Invocation;
use rusk_scripts::Exit;

use crate::screen::Screen;

/// Exit code of a build with errors.
const FAILED: u8 = 1;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let options = options::options(invocation, &environment)?;
    let bundle = match rusk_bundler::bundle(&options) {
        Ok(bundle) => bundle,
        Err(errors) => {
            errors.iter().for_each(|error| screen.problem(&error.to_problem()));
            return Ok(Exit::Code(FAILED));
        }
    };
    for warning in &bundle.warnings {
        screen.warn(warning.problem.message());
    }
    match &options.destination {
        Destination::Text => print(&bundle, screen)?,
        Destination::File(file) => {
            let directory = file.parent().unwrap_or(&options.current_dir);
            rusk_bundler::write(&bundle, directory)?;
            screen.report(&report::summary(&bundle, started.elapsed()));
        }
        Destination::Directory(directory) => {
            rusk_bundler::write(&bundle, directory)?;
            screen.report(&report::summary(&bundle, started.elapsed()));
        }
    }
    Ok(Exit::DONE)
}

/// Prints the only output.
fn print(bundle: &Bundle, screen: &mut Screen) -> Result<()> {
    if bundle.files.len() > 1 {
        return Err(crate::problem::build_needs_outdir(bundle.files.len()));
    }
    let code = bundle.files.first();
    let text = code.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default();
    screen.page(&text)
}
