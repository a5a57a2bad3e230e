//! Steps of a start, in order. A step names a setup action of a child, and where a start failed.
//! Absent: the actions themselves (`child`).

use std::fmt;

/// The step at which a start failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Step {
    /// The command itself: a NUL byte in an argument, an fd that does not exist.
    Command = 1,
    /// Creating a pipe to the child.
    Pipe,
    /// Opening a pseudo-terminal for the child.
    Terminal,
    /// Memory for the child's stack.
    Stack,
    /// The zygote.
    Zygote,
    /// The clone itself.
    Clone,
    /// The child's own file descriptor table.
    Table,
    /// Receiving fds into the child's own table.
    Receive,
    /// The id maps of a user namespace; see `Command::namespaces`.
    IdMap,
    Session,
    ProcessGroup,
    WorkingDirectory,
    Umask,
    Nice,
    Affinity,
    ParentDeath,
    /// `/dev/null`, opened by the child.
    Null,
    ControllingTerminal,
    Foreground,
    /// Moving an fd to its number in the child.
    Place,
    /// Closing all other fds.
    CloseOthers,
    Groups,
    Group,
    User,
    Limit,
    NoNewPrivileges,
    Landlock,
    /// The caller's callback.
    Callback,
    SignalDisposition,
    SignalMask,
    Seccomp,
    Exec,
    /// Waiting for the child's exit.
    Wait,
    /// Signalling the child or its descendants.
    Kill,
    /// Watching the streams and exits of children.
    Watch,
    /// Reading the child's output.
    Read,
    /// Writing the child's input.
    Write,
    /// Becoming a subreaper.
    Adopt,
    /// Dropping capabilities, after `NoNewPrivileges`.
    Capabilities,
}

/// All steps, to convert a number from a child.
const STEPS: &[Step] = &[
    Step::Command,
    Step::Pipe,
    Step::Terminal,
    Step::Stack,
    Step::Zygote,
    Step::Clone,
    Step::Table,
    Step::Receive,
    Step::IdMap,
    Step::Session,
    Step::ProcessGroup,
    Step::WorkingDirectory,
    Step::Umask,
    Step::Nice,
    Step::Affinity,
    Step::ParentDeath,
    Step::Null,
    Step::ControllingTerminal,
    Step::Foreground,
    Step::Place,
    Step::CloseOthers,
    Step::Groups,
    Step::Group,
    Step::User,
    Step::Limit,
    Step::NoNewPrivileges,
    Step::Landlock,
    Step::Callback,
    Step::SignalDisposition,
    Step::SignalMask,
    Step::Seccomp,
    Step::Exec,
    Step::Wait,
    Step::Kill,
    Step::Watch,
    Step::Read,
    Step::Write,
    Step::Adopt,
    Step::Capabilities,
];

impl Step {
    /// The step with this number, as a child reports it.
    pub fn find(number: u32) -> Option<Step> {
        STEPS.iter().copied().find(|step| *step as u32 == number)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Step::Command => "reading the command",
            Step::Pipe => "creating a pipe",
            Step::Terminal => "opening a pseudo-terminal",
            Step::Stack => "allocating a stack",
            Step::Zygote => "sending a request to the zygote",
            Step::Clone => "cloning",
            Step::Table => "unsharing the file descriptor table",
            Step::Receive => "receiving file descriptors",
            Step::IdMap => "mapping users and groups",
            Step::Session => "creating a session",
            Step::ProcessGroup => "joining the process group",
            Step::WorkingDirectory => "entering the working directory",
            Step::Umask => "setting the umask",
            Step::Nice => "setting the nice value",
            Step::Affinity => "setting the CPU affinity",
            Step::ParentDeath => "setting the parent-death signal",
            Step::Null => "opening /dev/null",
            Step::ControllingTerminal => "taking the controlling terminal",
            Step::Foreground => "becoming the foreground group",
            Step::Place => "placing a file descriptor",
            Step::CloseOthers => "closing other file descriptors",
            Step::Groups => "setting supplementary groups",
            Step::Group => "setting the group",
            Step::User => "setting the user",
            Step::Limit => "setting a resource limit",
            Step::NoNewPrivileges => "setting no_new_privs",
            Step::Landlock => "entering the Landlock ruleset",
            Step::Callback => "running the callback",
            Step::SignalDisposition => "setting a signal's disposition",
            Step::SignalMask => "setting the signal mask",
            Step::Seccomp => "installing the seccomp program",
            Step::Exec => "exec",
            Step::Wait => "waiting",
            Step::Kill => "signalling",
            Step::Watch => "watching streams",
            Step::Read => "reading a stream",
            Step::Write => "writing a stream",
            Step::Adopt => "becoming a subreaper",
            Step::Capabilities => "dropping capabilities",
        })
    }
}
