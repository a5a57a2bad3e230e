//! The steps of a start, in the order in which they are taken. A step names what a child acts out,
//! and where a start went wrong. Absent: how a step is taken (`child`).

use std::fmt;

/// What was being done when a start went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Step {
    /// The command itself: a NUL byte in a word, a descriptor that does not exist.
    Command = 1,
    /// A pipe to the child.
    Pipe,
    /// A pseudo-terminal for the child.
    Terminal,
    /// Memory for the child's stack.
    Stack,
    /// The process that starts others, where one is needed.
    Zygote,
    /// The clone itself.
    Clone,
    /// The child's own descriptor table.
    Table,
    /// Descriptors on their way into the child's own table.
    Receive,
    /// A user namespace's maps of users and groups; see `Command::namespaces`.
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
    /// A descriptor to its number in the child.
    Place,
    /// All other descriptors.
    CloseOthers,
    Groups,
    Group,
    User,
    Limit,
    NoNewPrivileges,
    Landlock,
    /// The caller's own function.
    Callback,
    SignalDisposition,
    SignalMask,
    Seccomp,
    Exec,
    /// Waiting for the child's end.
    Wait,
    /// Signalling the child, or what it started.
    Kill,
    /// Watching the streams and ends of children.
    Watch,
    /// Reading what a child writes.
    Read,
    /// Writing what a child reads.
    Write,
    /// Becoming the parent of orphans.
    Adopt,
}

/// All steps, so that a number from a child can be read back.
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
            Step::Pipe => "making a pipe",
            Step::Terminal => "making a pseudo-terminal",
            Step::Stack => "making a stack",
            Step::Zygote => "asking the zygote",
            Step::Clone => "cloning",
            Step::Table => "unsharing the descriptor table",
            Step::Receive => "receiving descriptors",
            Step::IdMap => "mapping users and groups",
            Step::Session => "making a session",
            Step::ProcessGroup => "joining the process group",
            Step::WorkingDirectory => "entering the working directory",
            Step::Umask => "setting the umask",
            Step::Nice => "setting the nice value",
            Step::Affinity => "setting the processors",
            Step::ParentDeath => "asking for a signal at the parent's death",
            Step::Null => "opening /dev/null",
            Step::ControllingTerminal => "taking the controlling terminal",
            Step::Foreground => "becoming the foreground group",
            Step::Place => "placing a descriptor",
            Step::CloseOthers => "closing other descriptors",
            Step::Groups => "setting supplementary groups",
            Step::Group => "setting the group",
            Step::User => "setting the user",
            Step::Limit => "setting a resource limit",
            Step::NoNewPrivileges => "giving up new privileges",
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
            Step::Adopt => "becoming the parent of orphans",
        })
    }
}
