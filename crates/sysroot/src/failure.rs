//! Failure to start a program inside a sysroot. In: the step, the errno, its subject. Out: a
//! problem; or bytes, for the parent process of a failed child.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rusk_base::Problem;
use rusk_base::sys::Errno;

use crate::plan::Plan;
use crate::problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    pub(crate) step: StartStep,
    pub(crate) errno: Errno,
    /// A path or a name.
    pub(crate) subject: OsString,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartStep {
    /// Creating namespaces.
    Namespaces,
    Scratch,
    Overlay,
    Root,
    /// Opening something of the host's that is mounted inside.
    Source,
    /// The mount point inside.
    MountPoint,
    ReadOnly,
    SetIds,
    Workdir,
    /// Finding a program by name.
    Program,
    /// The program's interpreter: the dynamic linker, or the program after `#!`.
    Interpreter,
    /// The program's machine type.
    Architecture,
    Exec,
}

const STEPS: [StartStep; 13] = [
    StartStep::Namespaces,
    StartStep::Scratch,
    StartStep::Overlay,
    StartStep::Root,
    StartStep::Source,
    StartStep::MountPoint,
    StartStep::ReadOnly,
    StartStep::SetIds,
    StartStep::Workdir,
    StartStep::Program,
    StartStep::Interpreter,
    StartStep::Architecture,
    StartStep::Exec,
];

/// Bytes before the subject: step and errno.
const HEADER_BYTES: usize = 5;

impl StartFailure {
    pub fn problem(&self, plan: &Plan) -> Problem {
        let StartFailure { step, errno, subject } = self;
        let (errno, path) = (*errno, subject.as_ref());
        match step {
            _ if errno == Errno::NOSYS => problem::old_kernel(errno),
            StartStep::Namespaces | StartStep::Scratch => problem::forbidden(errno),
            StartStep::Overlay => problem::no_overlay(errno),
            StartStep::Root => problem::no_root(plan.root(), errno),
            StartStep::Source => problem::no_source(path, errno),
            StartStep::MountPoint => problem::no_mount_point(path, plan.root(), errno),
            StartStep::ReadOnly => problem::no_read_only(path, errno),
            StartStep::SetIds => problem::no_change_of_user(plan.user.ids, errno),
            StartStep::Workdir => problem::no_workdir(path, errno),
            StartStep::Program => problem::no_program(subject, &plan.path(), plan.root()),
            StartStep::Interpreter => problem::no_interpreter(path, plan.root()),
            StartStep::Architecture => problem::other_architecture(subject),
            StartStep::Exec => problem::not_started(path, errno),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let step = STEPS.iter().position(|step| *step == self.step).unwrap_or_default() as u8;
        let errno = self.errno.raw_os_error().to_ne_bytes();
        [&[step], &errno[..], self.subject.as_bytes()].concat()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<StartFailure> {
        let (head, subject) = bytes.split_at_checked(HEADER_BYTES)?;
        let errno = i32::from_ne_bytes(head[1..].try_into().ok()?);
        Some(StartFailure {
            step: *STEPS.get(usize::from(head[0]))?,
            errno: Errno::from_raw_os_error(errno),
            subject: OsString::from_vec(subject.to_owned()),
        })
    }

    /// A failed execve(2).
    pub fn from_exec(file: &OsStr, errno: Errno) -> StartFailure {
        at(StartStep::Exec, file)(errno)
    }
}

/// Maps an errno to a failure of this step.
pub(crate) fn at(step: StartStep, subject: impl AsRef<OsStr>) -> impl FnOnce(Errno) -> StartFailure {
    move |errno| StartFailure { step, errno, subject: subject.as_ref().to_owned() }
}

#[cfg(test)]
mod tests;
