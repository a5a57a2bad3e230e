//! Why a program could not be started inside. In: a step, the kernel's answer, what it was about.
//! Out: a problem; or bytes, for whoever waits for a child that failed. Absent: what was tried
//! instead.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rusk_base::Problem;
use rusk_base::sys::Errno;

use crate::plan::Plan;
use crate::problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub(crate) step: Step,
    pub(crate) errno: Errno,
    /// A path, or a word.
    pub(crate) subject: OsString,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Making namespaces.
    Users,
    Scratch,
    Overlay,
    Root,
    /// Something of the system's that is to be seen inside.
    Source,
    /// Where it is to be seen.
    Place,
    ReadOnly,
    Become,
    Workdir,
    /// Finding a program by its name.
    Program,
    /// The program that a program asks for: its loader, or what follows `#!`.
    Loader,
    /// The processor that a program is for.
    Machine,
    Exec,
}

const STEPS: [Step; 13] = [
    Step::Users,
    Step::Scratch,
    Step::Overlay,
    Step::Root,
    Step::Source,
    Step::Place,
    Step::ReadOnly,
    Step::Become,
    Step::Workdir,
    Step::Program,
    Step::Loader,
    Step::Machine,
    Step::Exec,
];

/// Bytes in front of the subject: the step, and the errno.
const HEAD_BYTES: usize = 5;

impl Failure {
    pub fn problem(&self, plan: &Plan) -> Problem {
        let Failure { step, errno, subject } = self;
        let (errno, path) = (*errno, subject.as_ref());
        match step {
            _ if errno == Errno::NOSYS => problem::old_kernel(errno),
            Step::Users | Step::Scratch => problem::forbidden(errno),
            Step::Overlay => problem::no_overlay(errno),
            Step::Root => problem::no_root(plan.root(), errno),
            Step::Source => problem::no_source(path, errno),
            Step::Place => problem::no_place(path, plan.root(), errno),
            Step::ReadOnly => problem::no_read_only(path, errno),
            Step::Become => problem::no_change_of_user(plan.user.ids, errno),
            Step::Workdir => problem::no_workdir(path, errno),
            Step::Program => problem::no_program(subject, &plan.path(), plan.root()),
            Step::Loader => problem::no_loader(path, plan.root()),
            Step::Machine => problem::other_machine(subject),
            Step::Exec => problem::not_started(path, errno),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let step = STEPS.iter().position(|step| *step == self.step).unwrap_or_default() as u8;
        let errno = self.errno.raw_os_error().to_ne_bytes();
        [&[step], &errno[..], self.subject.as_bytes()].concat()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Failure> {
        let (head, subject) = bytes.split_at_checked(HEAD_BYTES)?;
        let errno = i32::from_ne_bytes(head[1..].try_into().ok()?);
        Some(Failure {
            step: *STEPS.get(usize::from(head[0]))?,
            errno: Errno::from_raw_os_error(errno),
            subject: OsString::from_vec(subject.to_owned()),
        })
    }

    /// A program that the kernel did not start.
    pub fn of_exec(file: &OsStr, errno: Errno) -> Failure {
        at(Step::Exec, file)(errno)
    }
}

/// What to say of a call that is refused.
pub(crate) fn at(step: Step, subject: impl AsRef<OsStr>) -> impl FnOnce(Errno) -> Failure {
    move |errno| Failure { step, errno, subject: subject.as_ref().to_owned() }
}

#[cfg(test)]
mod tests;
