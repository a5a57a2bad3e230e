//! tokio's Command on a current-thread runtime. It opens a pidfd for every child. The event loop
//! runs only while it waits.

use super::{Method, expect_success};
use crate::scenario::Scenario;
use std::io;
use std::process::Stdio;
use tokio::process::{Child, Command};
use tokio::runtime::{Builder, Runtime};

pub struct TokioCommand {
    program: String,
    pipes: bool,
    runtime: Runtime,
}

impl TokioCommand {
    pub fn new(scenario: &Scenario) -> io::Result<TokioCommand> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        Ok(TokioCommand { program: scenario.child.clone(), pipes: scenario.pipes, runtime })
    }
}

impl Method for TokioCommand {
    type Child = Child;

    fn start(&mut self) -> io::Result<Child> {
        let _inside = self.runtime.enter();
        let mut command = Command::new(&self.program);
        if self.pipes {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        command.spawn()
    }

    fn wait(&mut self, child: &mut Child) -> io::Result<()> {
        let status = self.runtime.block_on(child.wait())?;
        expect_success(status.success(), status)
    }
}
