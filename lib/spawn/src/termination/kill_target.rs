//! The processes that a termination signals, by the method that finds them. In: a child, and the
//! scope. Out: signals, waits, and survivors.

use std::time::Instant;

use super::group::Group;
use super::process_set::ProcessSet;
use super::process_tree::ProcessTree;
use super::{KillMethod, KillScope, proc_table};
use crate::kernel::Errno;
use crate::process::Child;

pub struct KillTarget {
    method: Method,
    /// All processes that were ever found.
    pub processes: ProcessSet,
}

enum Method {
    Process,
    Group(Group),
    Cgroup,
    ProcTree(ProcessTree),
}

impl KillTarget {
    pub fn of(child: &Child, scope: KillScope) -> KillTarget {
        let mut processes = ProcessSet::default();
        if child.ended.is_none()
            && let Some(entry) = proc_table::find(child.id())
        {
            processes.add(&entry);
        }
        let method = match scope {
            KillScope::Process => Method::Process,
            KillScope::Group => Group::led_by(child).map_or(Method::Process, Method::Group),
            KillScope::Tree if child.cgroup.is_some() => Method::Cgroup,
            KillScope::Tree => Method::ProcTree(ProcessTree::of(child)),
        };
        KillTarget { method, processes }
    }

    pub fn method_used(&self) -> KillMethod {
        match self.method {
            Method::Process => KillMethod::Process,
            Method::Group(_) => KillMethod::Group,
            Method::Cgroup => KillMethod::Cgroup,
            Method::ProcTree(_) => KillMethod::ProcTree,
        }
    }

    pub fn signal(&mut self, child: &Child, number: i32) -> Result<(), Errno> {
        match (&self.method, &child.cgroup) {
            (Method::Group(group), _) => return group.signal(child, number),
            (Method::Cgroup, Some(cgroup)) => cgroup.find(&mut self.processes)?,
            (Method::ProcTree(tree), _) => drop(tree.find(&mut self.processes)?),
            (Method::Process | Method::Cgroup, _) => {}
        }
        self.processes.signal_all(number)
    }

    /// Waits until all have exited, or until the deadline.
    pub fn wait_exited(&mut self, child: &Child, deadline: Option<Instant>) -> Result<bool, Errno> {
        match (&self.method, &child.cgroup) {
            (Method::Group(group), _) => group.wait_empty(child, &mut self.processes, deadline),
            (Method::Cgroup, Some(cgroup)) => cgroup.wait_empty(deadline),
            (Method::ProcTree(tree), _) => tree.wait_exited(&mut self.processes, deadline),
            (Method::Process | Method::Cgroup, _) => self.processes.wait(deadline),
        }
    }

    pub fn kill(&mut self, child: &Child, deadline: Instant) -> Result<(), Errno> {
        match (&self.method, &child.cgroup) {
            (Method::Group(group), _) => {
                group.find(child, &mut self.processes)?;
                group.signal(child, libc::SIGKILL)?;
                group.wait_empty(child, &mut self.processes, Some(deadline)).map(drop)
            }
            (Method::Cgroup, Some(cgroup)) => {
                cgroup.find(&mut self.processes)?;
                cgroup.kill(&mut self.processes)?;
                cgroup.wait_empty(Some(deadline)).map(drop)
            }
            (Method::ProcTree(tree), _) => tree.kill(&mut self.processes, deadline).map(drop),
            (Method::Process | Method::Cgroup, _) => self.processes.signal_all(libc::SIGKILL),
        }
    }

    /// Those that have not exited by the deadline.
    pub fn survivors(&self, deadline: Instant) -> Result<Vec<i32>, Errno> {
        self.processes.wait(Some(deadline))?;
        Ok(self.processes.running())
    }
}
