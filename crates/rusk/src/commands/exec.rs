//! `rusk exec`: replaces this process by a program of the project, of PATH, or in another root.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_scripts::Exit;

use super::context::{self, RunContext};
use super::sysroot;
use crate::flags::{Invocation, suggest};
use crate::problem;
use crate::screen::Screen;

/// Returns only an error.
pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    if let Some(inside) = sysroot::find(invocation, variables, screen)? {
        return Err(sysroot::replace(&inside));
    }
    let context = RunContext::find(invocation, "exec")?;
    let environment = context.environment();
    let name = invocation.operands.first().ok_or_else(|| problem::no_operand(invocation))?;
    // As in a shell, a name with a slash is a path.
    let file = match name.contains('/') {
        true => Some(context.current_dir.join(name.trim_start_matches("./"))),
        false => environment.find_program(name.as_ref()),
    };
    match file {
        Some(file) => Err(context.replace(environment, file, name, &invocation.arguments)),
        None => {
            let programs = context::programs(environment.local_directories());
            Err(problem::no_program(name, suggest::nearest(name, programs.iter().map(String::as_str))))
        }
    }
}
