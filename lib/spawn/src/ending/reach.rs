//! Those whom an ending concerns, by whichever means they are reached. In: a child, and whom it is
//! to concern. Out: signals, waits, and who is left.

use std::time::Instant;

use super::group::Group;
use super::kin::Kin;
use super::members::Members;
use super::{Means, Whom, table};
use crate::kernel::Errno;
use crate::process::Child;

pub struct Reach {
    way: Way,
    /// All that were found at any time.
    pub members: Members,
}

enum Way {
    Process,
    Group(Group),
    Cgroup,
    Walk(Kin),
}

impl Reach {
    pub fn of(child: &Child, whom: Whom) -> Reach {
        let mut members = Members::default();
        if child.ended.is_none()
            && let Some(entry) = table::find(child.id())
        {
            members.add(&entry);
        }
        let way = match whom {
            Whom::Process => Way::Process,
            Whom::Group => Group::led_by(child).map_or(Way::Process, Way::Group),
            Whom::Everything if child.cgroup.is_some() => Way::Cgroup,
            Whom::Everything => Way::Walk(Kin::of(child)),
        };
        Reach { way, members }
    }

    pub fn means(&self) -> Means {
        match self.way {
            Way::Process => Means::Process,
            Way::Group(_) => Means::Group,
            Way::Cgroup => Means::Cgroup,
            Way::Walk(_) => Means::Walk,
        }
    }

    pub fn signal(&mut self, child: &Child, number: i32) -> Result<(), Errno> {
        match (&self.way, &child.cgroup) {
            (Way::Group(group), _) => return group.signal(child, number),
            (Way::Cgroup, Some(cgroup)) => cgroup.find(&mut self.members)?,
            (Way::Walk(kin), _) => drop(kin.find(&mut self.members)?),
            (Way::Process | Way::Cgroup, _) => {}
        }
        self.members.signal_all(number)
    }

    /// Until all have ended, or the time has come.
    pub fn wait_gone(&mut self, child: &Child, end: Option<Instant>) -> Result<bool, Errno> {
        match (&self.way, &child.cgroup) {
            (Way::Group(group), _) => group.wait_empty(child, &mut self.members, end),
            (Way::Cgroup, Some(cgroup)) => cgroup.wait_empty(end),
            (Way::Walk(kin), _) => kin.wait_gone(&mut self.members, end),
            (Way::Process | Way::Cgroup, _) => self.members.wait(end),
        }
    }

    pub fn kill(&mut self, child: &Child, end: Instant) -> Result<(), Errno> {
        match (&self.way, &child.cgroup) {
            (Way::Group(group), _) => {
                group.find(child, &mut self.members)?;
                group.signal(child, libc::SIGKILL)?;
                group.wait_empty(child, &mut self.members, Some(end)).map(drop)
            }
            (Way::Cgroup, Some(cgroup)) => {
                cgroup.find(&mut self.members)?;
                cgroup.kill(&mut self.members)?;
                cgroup.wait_empty(Some(end)).map(drop)
            }
            (Way::Walk(kin), _) => kin.kill(&mut self.members, end).map(drop),
            (Way::Process | Way::Cgroup, _) => self.members.signal_all(libc::SIGKILL),
        }
    }

    /// Those who have not ended at that time.
    pub fn left(&self, end: Instant) -> Result<Vec<i32>, Errno> {
        self.members.wait(Some(end))?;
        Ok(self.members.alive())
    }
}
