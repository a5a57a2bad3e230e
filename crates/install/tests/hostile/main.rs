//! Installs with hostile input: each ends with an error or leaves everything outside the project
//! unchanged. Offline, with a registry on loopback.

mod caches;
mod graphs;
mod projects;
mod registries;

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::Goal;
use rusk_install::event::NullReporter;
use rusk_install::{HostEnvironment, InstallRequest, Summary, install};
use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

/// Installs a project; its home, with the cache, is beside it.
fn run(project: &Project, server: &Server, goal: Goal) -> Result<Summary> {
    install(&project.path(), &InstallRequest::new(goal), &host(project, server), &mut NullReporter)
}

/// The environment of a project, with the server as the user's registry.
fn host(project: &Project, server: &Server) -> HostEnvironment {
    let registry = ("npm_config_registry".to_owned(), server.url().to_owned());
    HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(project.home()),
        environment: BTreeMap::from([registry]),
        processors: || 2,
        now_s: 1_800_000_000,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: rusk_base::sys::CWD,
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    }
}

/// The error of an install, as the user reads it.
#[track_caller]
fn problem(project: &Project, server: &Server) -> String {
    match run(project, server, Goal::Install) {
        Err(problem) => problem.to_string(),
        Ok(_) => panic!("installed; the project holds {:#?}", project.tree("")),
    }
}
