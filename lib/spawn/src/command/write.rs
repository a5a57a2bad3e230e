//! Writes a command as a plan. In: the command, its pipes. Out: arrays of actions in the order in
//! which the child runs them.

use std::os::fd::AsRawFd;

use super::{Command, WorkingDir};
use crate::kernel::{self, CloseRange, KernelFeatures};
use crate::plan::{NO_TARGET, Plan};
use crate::stdio::{Stdio, StreamEnds};
use crate::step::Step;
use crate::zygote::ParentState;

/// The search path without a PATH variable, as in libc.
const PATH_UNSET: &[u8] = b"/bin:/usr/bin";

impl Command {
    /// `mask` is this thread's signal mask before the start, if the start has changed it.
    pub(crate) fn write(&self, plan: &mut Plan, ends: &StreamEnds, mask: Option<u64>) {
        plan.clear();
        self.write_program(plan);
        self.write_actions(plan, ends, mask);
    }

    /// For a child that the zygote clones.
    pub(crate) fn write_for_zygote(&self, parent_state: &ParentState, plan: &mut Plan, ends: &StreamEnds) {
        plan.clear();
        self.write_program(plan);
        let dir = plan.source(parent_state.working_dir.as_raw_fd(), NO_TARGET);
        plan.action(Step::WorkingDirectory, dir, 0, 0);
        plan.action(Step::Umask, parent_state.umask as i32, 0, 0);
        self.write_actions(plan, ends, Some(kernel::signal_mask()));
    }

    fn write_program(&self, plan: &mut Plan) {
        self.write_arguments(plan);
        self.write_candidates(plan);
        plan.layout_mut().shell_fallback = self.shell_fallback;
        plan.layout_mut().inherits_fds = self.inherits_fds;
    }

    fn write_actions(&self, plan: &mut Plan, ends: &StreamEnds, mask: Option<u64>) {
        self.setup.write_identity(plan);
        self.write_working_dir(plan);
        self.setup.write_attributes(plan);
        self.write_fds(plan, ends);
        self.setup.write_confinement(plan);
        if !self.inherits_fds && KernelFeatures::detect().close_range == CloseRange::Plain {
            self.close_around(plan);
        }
        self.setup.write_signals(plan, mask);
    }

    fn write_arguments(&self, plan: &mut Plan) {
        let name = plan.string(&[self.argv0.as_deref().unwrap_or(&self.program)]);
        plan.push_pointer(name);
        plan.push_packed(&self.arguments);
        plan.layout_mut().envp_at = plan.end_array();
        self.variables.write(plan);
        plan.layout_mut().candidates_at = plan.end_array();
    }

    /// The program's path, or a path in each directory of PATH; an empty entry is the working
    /// directory.
    fn write_candidates(&self, plan: &mut Plan) {
        if self.program.is_empty() || self.program.contains(&b'/') {
            let path = plan.string(&[&self.program]);
            plan.push_pointer(path);
        } else {
            let dirs = self.variables.find(b"PATH");
            for dir in dirs.as_deref().unwrap_or(PATH_UNSET).split(|byte| *byte == b':') {
                let slash: &[u8] = if dir.is_empty() { b"" } else { b"/" };
                let path = plan.string(&[dir, slash, &self.program]);
                plan.push_pointer(path);
            }
        }
        plan.end_array();
    }

    fn write_working_dir(&self, plan: &mut Plan) {
        if let WorkingDir::Path(dir) = &self.working_dir {
            let path = plan.string(&[dir]);
            plan.action(Step::WorkingDirectory, -1, path, 0);
        } else if let Some(number) = self.working_dir_number() {
            let source = plan.source(number, NO_TARGET);
            plan.action(Step::WorkingDirectory, source, 0, 0);
        }
    }

    fn write_fds(&self, plan: &mut Plan, ends: &StreamEnds) {
        let mut terminal = None;
        for (index, stream) in self.streams.iter().enumerate() {
            if let Some(number) = ends.source(index, stream) {
                let source = plan.source(number, index as i32);
                terminal = terminal.or(matches!(stream, Stdio::Terminal(_)).then_some(source));
            }
        }
        for (fd, number) in &self.fds {
            plan.source(fd.as_raw_fd(), *number);
        }
        if let Some(source) = terminal {
            plan.action(Step::ControllingTerminal, source, 0, 0);
        }
        plan.action(Step::Place, 0, 0, 0);
        for (index, stream) in self.streams.iter().enumerate() {
            if let Stdio::Closed = stream {
                plan.action(Step::CloseOthers, index as i32, 0, 0);
            }
        }
    }

    /// Closes the fds between those that were placed, for kernels whose `close_range` cannot set
    /// close-on-exec. No later action refers to an fd.
    fn close_around(&self, plan: &mut Plan) {
        let mut numbers: Vec<u64> = self.fds.iter().map(|(_, number)| *number as u64).collect();
        numbers.sort_unstable();
        let mut first = 3;
        for number in numbers {
            if first < number {
                plan.action(Step::CloseOthers, NO_TARGET, first, number - 1);
            }
            first = number + 1;
        }
        plan.action(Step::CloseOthers, NO_TARGET, first, u64::from(u32::MAX));
    }
}
