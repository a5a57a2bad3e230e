//! `rusk exec`: a program of the project, else one of the user's, or one of another root, in our
//! place.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_scripts::Exit;

use super::ground::{self, Ground};
use super::sysroot;
use crate::flags::{Invocation, suggest};
use crate::problem;
use crate::screen::Screen;

/// Returns only why it could not be done.
pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    if let Some(inside) = sysroot::find(invocation, variables, screen)? {
        return Err(sysroot::replace(&inside));
    }
    let ground = Ground::find(invocation, "exec")?;
    let environment = ground.environment();
    let name = invocation.operands.first().ok_or_else(|| problem::no_operand(invocation))?;
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
