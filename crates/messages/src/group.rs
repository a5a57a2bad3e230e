//! All who listen to one name, in any thread. In: a packet from one of them. Out: the same packet
//! at every other one, as at a port; each has a thread and a number that is told. A name is there
//! while somebody listens.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::sync::{Arc, Mutex};

use crate::{Address, Packet, Refused, lock};

/// The names of a process.
#[derive(Default)]
pub struct Group {
    members: Mutex<BTreeMap<String, Vec<Arc<Inbox>>>>,
}

/// One who listens, until it is dropped.
pub struct Member {
    group: &'static Group,
    name: String,
    inbox: Arc<Inbox>,
}

struct Inbox {
    address: Address,
    number: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    packets: VecDeque<Packet>,
    is_told: bool,
}

impl Group {
    /// One more who listens to `name`; its thread is told of `number`.
    pub fn join(&'static self, name: &str, address: Address, number: u64) -> Member {
        let inbox = Arc::new(Inbox { address, number, state: Mutex::default() });
        lock(&self.members).entry(name.to_owned()).or_default().push(Arc::clone(&inbox));
        Member { group: self, name: name.to_owned(), inbox }
    }
}

impl Member {
    /// Whether somebody of another thread listens.
    pub fn has_others(&self) -> bool {
        !self.others().is_empty()
    }

    /// Sends a packet to all others.
    pub fn send(&self, packet: Packet) -> Result<(), Refused> {
        let others = self.others();
        let Some((last, rest)) = others.split_last() else { return Ok(()) };
        for inbox in rest {
            inbox.add(packet.share()?);
        }
        packet.check(crate::Reach::Threads)?;
        last.add(packet);
        Ok(())
    }

    pub fn take(&self) -> Option<Packet> {
        lock(&self.inbox.state).packets.pop_front()
    }

    /// How many packets wait. Its thread is told again when more come.
    pub fn look(&self) -> usize {
        let mut state = lock(&self.inbox.state);
        state.is_told = false;
        state.packets.len()
    }

    /// Those of the own thread are not among them: its JavaScript reaches them by itself.
    fn others(&self) -> Vec<Arc<Inbox>> {
        let members = lock(&self.group.members);
        let all = members.get(&self.name).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(|inbox| !inbox.address.is_same(&self.inbox.address)).cloned().collect()
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut members = lock(&self.group.members);
        if let Some(all) = members.get_mut(&self.name) {
            all.retain(|inbox| !Arc::ptr_eq(inbox, &self.inbox));
            if all.is_empty() {
                members.remove(&self.name);
            }
        }
        drop(members);
        let packets = mem::take(&mut lock(&self.inbox.state).packets);
        drop(packets);
    }
}

impl Inbox {
    fn add(&self, packet: Packet) {
        let mut state = lock(&self.state);
        state.packets.push_back(packet);
        let is_told = mem::replace(&mut state.is_told, true);
        drop(state);
        if !is_told {
            self.address.tell(self.number);
        }
    }
}
