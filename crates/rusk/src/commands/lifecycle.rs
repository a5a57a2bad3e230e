//! Lifecycle scripts around a command: `prepack`, `postpack`, `version`. A script that package.json
//! does not have is skipped. Their standard output is our standard error: our standard output has
//! only our result.

use std::path::Path;

use rusk_base::Result;
use rusk_base::sys::signal_relay::SignalRelay;
use rusk_scripts::{Environment, Exit, Job, Package, Script, Streams, problem};

use rusk_screen::Screen;

/// Runs scripts in order until one fails.
pub fn run(
    names: &[&str],
    package: &Package,
    environment: &mut Environment,
    screen: &mut Screen,
) -> Result<()> {
    for name in names {
        let Some(command) = package.scripts.find(name)? else { continue };
        screen.command(command);
        let script = Script { name, command, arguments: &[] };
        let streams = Streams::Into(rustix::stdio::stderr());
        let job = Job::script(script, environment, &package.dir, streams);
        let exit = run_child(&job, name, &package.dir)?;
        if exit != Exit::DONE {
            return Err(problem::script_failed(name, command, &package.dir, exit));
        }
    }
    Ok(())
}

/// Runs a child process and forwards signals to it.
pub fn run_child(job: &Job<'_>, name: &str, dir: &Path) -> Result<Exit> {
    let relay = SignalRelay::install();
    let failed = |error| problem::script_start(name, dir, error);
    let child = job.child().map_err(failed)?;
    relay.forward_to(child.id());
    relay.wait_for_end();
    let exit = child.wait().map_err(failed)?;
    // After a signal to rusk the next script must not run.
    match (exit, relay.last_sent()) {
        (Exit::DONE, Some(signal)) => Ok(Exit::Signal(signal)),
        _ => Ok(exit),
    }
}
