//! From an [`Invocation`] to the work: one file for each command that has more to it than a page of
//! text.

mod add;
mod approve;
mod approve_record;
mod bin;
mod build;
mod cache;
mod ci;
mod config;
mod context;
mod create;
mod dedupe;
mod deploy;
pub mod env_files;
mod exec;
mod fetch;
mod global;
mod init;
mod install;
mod job;
mod lifecycle;
mod link;
mod members;
mod migrate;
mod pack;
mod patch;
mod pkg;
mod problem;
mod prune;
mod queries;
mod rebuild;
mod registry;
mod remove;
mod request;
mod run;
mod run_many;
mod run_tasks;
mod sysroot;
mod test;
mod trace;
pub mod unknown;
mod update;
mod update_interactive;
mod version;
mod x;

use std::collections::BTreeMap;
use std::time::Instant;

use rusk_base::Result;
use rusk_install::InstallRequest;
use rusk_scripts::Exit;

use rusk_command_line::flags::{Command, Flag, Invocation, completions, help, man, parse};
use rusk_screen::Screen;

/// What `--version` prints: rusk's version. Through a link named `node` it is Node's, as programs
/// that look for one expect.
fn version_line() -> String {
    match crate::is_called("node") {
        true => format!("v{}\n", rusk_runtime::NODE_VERSION),
        false => concat!(env!("CARGO_PKG_VERSION"), "\n").to_owned(),
    }
}

/// Does what the command line says; the exit is that of a script where one was run. `started`: when
/// the program was.
pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let page = if invocation.is_on(Flag::Help) {
        Some(help::text(invocation.command))
    } else if invocation.is_on(Flag::Version) {
        Some(version_line())
    } else {
        page(invocation)
    };
    if let Some(page) = page {
        return screen.page(&page).map(|()| Exit::DONE);
    }
    match invocation.is_on(Flag::Global) {
        true => global::run(invocation, environment, started, screen),
        false => run_command(invocation, environment, started, screen),
    }
}

fn run_command(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let request = match invocation.command {
        Some(Command::Run) => return run::run(invocation, screen),
        Some(Command::Exec) => return exec::run(invocation, environment, screen),
        Some(Command::Test) => return test::run(invocation, environment, screen),
        Some(Command::Build) => return build::run(invocation, environment, started, screen),
        Some(Command::Trace) => return trace::run(invocation, environment, screen),
        Some(Command::X) => return x::run(invocation, environment, screen),
        Some(Command::Init) => return init::run(invocation, screen),
        Some(Command::Create) => return create::run(invocation, environment, screen),
        Some(Command::Version) => return version::run(invocation, screen),
        Some(Command::Pkg) => return pkg::run(invocation, screen),
        Some(Command::Link) => return link::link(invocation, environment, started, screen),
        Some(Command::Unlink) => return link::unlink(invocation, environment, started, screen),
        Some(Command::Patch) => return patch::run(invocation, environment, started, screen),
        Some(Command::Deploy) => return deploy::run(invocation, environment, screen),
        Some(Command::Dedupe) => return dedupe::run(invocation, environment, screen),
        Some(Command::Fetch) => return fetch::run(invocation, environment, screen),
        Some(Command::Approve) => return approve::run(invocation, environment, started, screen),
        Some(Command::Rebuild) => return rebuild::run(invocation, environment, screen),
        Some(Command::Config) => return config::run(invocation, environment, screen),
        Some(Command::Prune) => prune::request(invocation),
        Some(Command::Pack) => return pack::run(invocation, screen),
        Some(Command::Publish) => return registry::publish::run(invocation, environment, screen),
        Some(Command::DistTag) => return registry::dist_tag::run(invocation, environment, screen),
        Some(Command::Deprecate) => return registry::deprecate::run(invocation, environment, screen),
        Some(Command::Login) => return registry::login::login(invocation, environment, screen),
        Some(Command::Logout) => return registry::login::logout(invocation, environment, screen),
        Some(Command::Whoami) => return registry::login::whoami(invocation, environment, screen),
        Some(Command::Migrate) => return migrate::run(invocation, environment, screen),
        Some(Command::List) => return queries::list::run(invocation, screen),
        Some(Command::Why) => return queries::explain::run(invocation, screen),
        Some(Command::Outdated) => return queries::outdated::run(invocation, environment, screen),
        Some(Command::Info) => return queries::info::run(invocation, environment, screen),
        Some(Command::Audit) => return queries::audit::run(invocation, environment, screen),
        Some(Command::Sbom) => return queries::sbom::run(invocation, environment, screen),
        Some(Command::Licenses) => return queries::licenses::run(invocation, screen),
        Some(Command::Bin | Command::Root) => return bin::run(invocation, screen),
        Some(Command::Cache) => return cache::run(invocation, environment, screen),
        Some(Command::Ci) => ci::request(invocation),
        Some(Command::Add) => add::request(invocation),
        Some(Command::Remove) => remove::request(invocation),
        Some(Command::Update) if invocation.is_on(Flag::Interactive) => {
            return update_interactive::run(invocation, environment, started, screen);
        }
        Some(Command::Update) => update::request(invocation),
        _ => install::request(invocation)?,
    };
    let request = InstallRequest { selection: members::selection(invocation)?, ..request };
    job::run(request, invocation, environment, started, screen).map(|()| Exit::DONE)
}

/// What commands print that do nothing else.
fn page(invocation: &Invocation) -> Option<String> {
    match invocation.command {
        Some(Command::Completions) => Some(completions::script(&invocation.operands[0])),
        Some(Command::Man) => Some(man::page()),
        Some(Command::Help) => {
            let about = invocation.operands.first().map(String::as_str);
            let command = about.and_then(parse::find_command).map(|row| row.command);
            Some(if about == Some("pm") { help::of_pm() } else { help::text(command) })
        }
        None => Some(help::text(None)),
        Some(_) => None,
    }
}
