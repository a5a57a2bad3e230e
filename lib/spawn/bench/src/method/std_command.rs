//! The standard library's Command, which calls posix_spawn. It has no stable way to a pidfd, so if
//! the scenario needs one it is opened afterwards, as in C.

use super::{Method, expect_success};
use crate::scenario::Scenario;
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

pub struct StdCommand {
    program: String,
    pipes: bool,
}

impl StdCommand {
    pub fn new(scenario: &Scenario) -> StdCommand {
        StdCommand { program: scenario.child.clone(), pipes: scenario.pipes }
    }
}

impl Method for StdCommand {
    type Child = (Child, Option<OwnedFd>);

    fn start(&mut self) -> io::Result<Self::Child> {
        let mut command = Command::new(&self.program);
        if self.pipes {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let child = command.spawn()?;
        let pidfd = if self.pipes { Some(sys::open_pidfd(child.id())?) } else { None };
        Ok((child, pidfd))
    }

    fn wait(&mut self, (child, _): &mut Self::Child) -> io::Result<()> {
        let status = child.wait()?;
        expect_success(status.success(), status)
    }
}
