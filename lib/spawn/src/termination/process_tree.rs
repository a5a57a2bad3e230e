//! Process tree below a child, found by walks over the process table. In: the child, its mark. Out:
//! its processes, which are stopped during the walks: a stopped process cannot fork, and keeps its
//! children. So a walk that finds no new process, and all stopped, has found all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use super::proc_table::{self, ProcEntry};
use super::process_set::ProcessSet;
use super::tracking::{Mark, VARIABLE};
use crate::kernel::Errno;
use crate::process::Child;

pub struct ProcessTree {
    /// The child, as long as it is not reaped: its pid is not reused.
    root: Option<i32>,
    mark: Option<Mark>,
    /// Processes without the mark, by pid and start time. They cannot get it later: it is only
    /// inherited.
    unmarked: RefCell<BTreeSet<(i32, u64)>>,
}

/// Walks that try to catch up with forking processes. Each takes a millisecond or two.
const WALKS_MAX: u32 = 200;
/// Walks without changes after which no process is missed: one may have passed a process that was
/// just being forked.
const QUIET_WALKS: u32 = 2;

impl ProcessTree {
    pub fn of(child: &Child) -> ProcessTree {
        let root = child.ended.is_none().then_some(child.id());
        ProcessTree { root, mark: child.mark.clone(), unmarked: RefCell::default() }
    }

    /// One walk. Returns the new processes, and whether all are stopped.
    pub fn find(&self, processes: &mut ProcessSet) -> Result<(Vec<i32>, bool), Errno> {
        let entries = proc_table::list()?;
        let tree = self.descendants(&entries, processes);
        let is_stopped = entries.iter().filter(|entry| tree.contains(&entry.pid)).all(ProcEntry::is_stopped);
        let found = entries.iter().filter(|entry| tree.contains(&entry.pid) && processes.add(entry));
        Ok((found.map(|entry| entry.pid).collect(), is_stopped))
    }

    /// Stops all, then kills them. Returns whether all have exited in time.
    pub fn kill(&self, processes: &mut ProcessSet, deadline: Instant) -> Result<bool, Errno> {
        processes.signal_all(libc::SIGSTOP)?;
        loop {
            let mut quiet = 0;
            for _ in 0..WALKS_MAX {
                let (found, is_stopped) = self.find(processes)?;
                for pid in &found {
                    processes.signal(*pid, libc::SIGSTOP)?;
                }
                quiet = if found.is_empty() && is_stopped { quiet + 1 } else { 0 };
                if quiet == QUIET_WALKS {
                    break;
                }
                std::thread::yield_now();
            }
            processes.signal_all(libc::SIGKILL)?;
            let have_exited = processes.wait(Some(deadline))?;
            let (found, _) = self.find(processes)?;
            if !have_exited || found.is_empty() || Instant::now() >= deadline {
                return Ok(have_exited && processes.running().is_empty());
            }
        }
    }

    /// Waits until all have exited by themselves.
    pub fn wait_exited(&self, processes: &mut ProcessSet, deadline: Option<Instant>) -> Result<bool, Errno> {
        loop {
            self.find(processes)?;
            if processes.running().is_empty() {
                return Ok(true);
            }
            if !processes.wait(deadline)? {
                return Ok(false);
            }
        }
    }

    /// The child, the known processes, and those with the mark; their descendants, and the sessions
    /// that they lead; and the child's own group. Neither this process nor pid 1.
    fn descendants(&self, entries: &[ProcEntry], processes: &ProcessSet) -> BTreeSet<i32> {
        let own = std::process::id() as i32;
        let is_other = |entry: &&ProcEntry| entry.pid != own && entry.pid != 1;
        let mut below = BTreeMap::<i32, Vec<i32>>::new();
        let mut sessions = BTreeMap::<i32, Vec<i32>>::new();
        let mut queue = VecDeque::new();
        for entry in entries.iter().filter(is_other) {
            below.entry(entry.parent).or_default().push(entry.pid);
            sessions.entry(entry.session).or_default().push(entry.pid);
            if processes.contains(entry) || self.is_root_process(entry, own) {
                queue.push_back(entry.pid);
            }
        }
        let mut tree = BTreeSet::new();
        while let Some(pid) = queue.pop_front() {
            if tree.insert(pid) {
                queue.extend([&below, &sessions].into_iter().filter_map(|map| map.get(&pid)).flatten());
            }
        }
        tree
    }

    /// Another child of this process may have joined the group: its owner terminates it.
    fn is_root_process(&self, entry: &ProcEntry, own: i32) -> bool {
        let is_root = self.root == Some(entry.pid);
        let in_group = self.root == Some(entry.group) && entry.parent != own;
        is_root || in_group || self.is_marked(entry)
    }

    fn is_marked(&self, entry: &ProcEntry) -> bool {
        let Some(mark) = &self.mark else { return false };
        let name = (entry.pid, entry.started);
        if self.unmarked.borrow().contains(&name) {
            return false;
        }
        let marked = proc_table::has_mark(entry.pid, VARIABLE, &mark.0);
        if marked == Some(false) {
            self.unmarked.borrow_mut().insert(name);
        }
        marked == Some(true)
    }
}
