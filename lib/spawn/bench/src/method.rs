//! Methods of starting a process. In: a scenario. Out: children, timed by the caller. Each builds a
//! new command for each child, as programs do.

pub mod rusk;
pub mod std_command;
pub mod tokio_command;

use std::io;

pub trait Method {
    type Child;

    fn start(&mut self) -> io::Result<Self::Child>;

    /// Waits until the program runs, if [`Method::start`] does not. Returns an error for a program
    /// that does not exist.
    fn wait_started(&mut self, _child: &mut Self::Child) -> io::Result<()> {
        Ok(())
    }

    /// Waits for the exit, which must be a success.
    fn wait(&mut self, child: &mut Self::Child) -> io::Result<()>;
}

/// An error for any other exit.
fn expect_success(is_success: bool, ended: impl std::fmt::Debug) -> io::Result<()> {
    if is_success { Ok(()) } else { Err(io::Error::other(format!("ended with {ended:?}"))) }
}
