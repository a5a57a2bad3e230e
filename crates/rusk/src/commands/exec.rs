//! `rusk exec`: a program of the project, else one of the user's, or one of another root, in our place.

use rusk_base::Result;
use rusk_scripts::Exit;

use super::ground::{self, Ground};
use super::sysroot;
use crate::flags::{Invocation, suggest};
use crate::problem;

/// Returns only why it could not be done.
pub fn run(invocation: &Invocation) -> Result<Exit> {
    if let Some(plan) = sysroot::plan(invocation)? {
        return Err(sysroot::replace(&plan, invocation));
    }
    let ground = Ground::find(invocation, "exec")?;
    let environment = ground.environment();
    let name = invocation.words[0].as_str();
    // As in a shell, a name with a slash is a path.
    let file = match name.contains('/') {
        true => Some(ground.current_dir.join(name.trim_start_matches("./"))),
        false => environment.find_program(name.as_ref()),
    };
    match file {
        Some(file) => Err(ground.replace(environment, file, name, &invocation.arguments)),
        None => {
            let programs = ground::programs(environment.local_folders());
            Err(problem::no_program(name, suggest::nearest(name, programs.iter().map(String::as_str))))
        }
    }
}
