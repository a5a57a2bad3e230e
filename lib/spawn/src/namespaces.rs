//! Namespaces of a child. In: which ones, and the id map of a user namespace. Out: flags of the
//! clone, and actions that write the maps. Absent: maps of more than one user and group, which need
//! a privileged helper.

use crate::command::Command;
use crate::plan::Plan;
use crate::step::Step;

/// The namespaces that are created for the child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Namespaces {
    pub user: Option<UserMap>,
    pub mount: bool,
    pub pid: bool,
    pub network: bool,
    pub ipc: bool,
    pub uts: bool,
    pub cgroup: bool,
}

/// The child's ids inside and outside of its user namespace. Outside are those of the spawning
/// process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserMap {
    pub user_inside: u32,
    pub user_outside: u32,
    pub group_inside: u32,
    pub group_outside: u32,
}

impl Command {
    pub fn namespaces(&mut self, namespaces: Namespaces) -> &mut Command {
        self.setup.namespaces = namespaces;
        self
    }
}

impl Namespaces {
    /// `CLONE_NEW*`.
    pub(crate) fn flags(&self) -> u64 {
        let flags = [
            (self.user.is_some(), libc::CLONE_NEWUSER),
            (self.mount, libc::CLONE_NEWNS),
            (self.pid, libc::CLONE_NEWPID),
            (self.network, libc::CLONE_NEWNET),
            (self.ipc, libc::CLONE_NEWIPC),
            (self.uts, libc::CLONE_NEWUTS),
            (self.cgroup, libc::CLONE_NEWCGROUP),
        ];
        flags.iter().filter(|(wanted, _)| *wanted).fold(0, |all, (_, flag)| all | *flag as u64)
    }

    /// The parent has no pid in the child's PID namespace.
    pub(crate) fn hides_parent(&self) -> bool {
        self.pid
    }

    pub(crate) fn write(&self, plan: &mut Plan) {
        let Some(map) = self.user else { return };
        let users = format!("{} {} 1\n", map.user_inside, map.user_outside);
        let groups = format!("{} {} 1\n", map.group_inside, map.group_outside);
        write_file(plan, "/proc/self/uid_map", &users);
        // Otherwise the kernel does not allow a group map.
        write_file(plan, "/proc/self/setgroups", "deny");
        write_file(plan, "/proc/self/gid_map", &groups);
    }
}

fn write_file(plan: &mut Plan, path: &str, text: &str) {
    let at = plan.string(&[path.as_bytes()]);
    let text_at = path.len() as u64 + 1;
    plan.bytes(text.as_bytes());
    plan.action(Step::IdMap, 0, at, text_at << 32 | text.len() as u64);
}
