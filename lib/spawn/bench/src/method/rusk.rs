//! rusk-spawn: the call returns once the child is cloned; with a pidfd if the others have one too.

use super::{Method, expect_success};
use crate::scenario::Scenario;
use rusk_spawn::{Child, Command, Stdio};
use std::io;

pub struct Rusk {
    program: String,
    pipes: bool,
}

impl Rusk {
    pub fn new(scenario: &Scenario) -> Rusk {
        Rusk { program: scenario.child.clone(), pipes: scenario.pipes }
    }
}

impl Method for Rusk {
    type Child = Child;

    fn start(&mut self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        if self.pipes {
            command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
        } else {
            command.without_pidfd();
        }
        Ok(command.spawn()?)
    }

    fn wait_started(&mut self, child: &mut Child) -> io::Result<()> {
        Ok(child.wait_started()?)
    }

    fn wait(&mut self, child: &mut Child) -> io::Result<()> {
        let exit = child.wait()?;
        expect_success(exit.is_success(), exit)
    }
}
