//! The ways to start a process. In: a scenario. Out: children, timed by the caller. Each builds its
//! command anew for each child, as programs do.

pub mod rusk;
pub mod std_command;
pub mod tokio_command;

use std::io;

pub trait Method {
    type Child;

    fn start(&mut self) -> io::Result<Self::Child>;

    /// Waits until the program runs, where [`Method::start`] does not. An error is the program's
    /// that is not there.
    fn wait_started(&mut self, _child: &mut Self::Child) -> io::Result<()> {
        Ok(())
    }

    /// Waits for the end, which must be a success.
    fn wait(&mut self, child: &mut Self::Child) -> io::Result<()>;
}

/// An error for whatever is not a success.
fn expect_success(is_success: bool, ended: impl std::fmt::Debug) -> io::Result<()> {
    if is_success { Ok(()) } else { Err(io::Error::other(format!("ended with {ended:?}"))) }
}
