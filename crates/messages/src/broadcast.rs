//! Broadcast channels across threads. In: a packet from one member of a name. Out: the same packet
//! in the queue of every other member, whose thread is notified of the member's number. A name
//! exists while it has members.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::sync::{Arc, Mutex};

use crate::{Notifier, Packet, TransferError, lock};

/// The channel names of a process.
#[derive(Default)]
pub struct BroadcastGroup {
    members: Mutex<BTreeMap<String, Vec<Arc<MemberQueue>>>>,
}

/// A member of a name, until it is dropped.
pub struct BroadcastMember {
    group: &'static BroadcastGroup,
    name: String,
    queue: Arc<MemberQueue>,
}

struct MemberQueue {
    notifier: Notifier,
    number: u64,
    state: Mutex<ChannelState>,
}

#[derive(Default)]
struct ChannelState {
    packets: VecDeque<Packet>,
    is_notified: bool,
}

impl BroadcastGroup {
    /// Adds a member to `name`; notifications carry `number`.
    pub fn join(&'static self, name: &str, notifier: Notifier, number: u64) -> BroadcastMember {
        let queue = Arc::new(MemberQueue { notifier, number, state: Mutex::default() });
        lock(&self.members).entry(name.to_owned()).or_default().push(Arc::clone(&queue));
        BroadcastMember { group: self, name: name.to_owned(), queue }
    }
}

impl BroadcastMember {
    /// Whether another thread has a member of this name.
    pub fn has_others(&self) -> bool {
        !self.others().is_empty()
    }

    /// Sends a packet to all other members.
    pub fn send(&self, packet: Packet) -> Result<(), TransferError> {
        let others = self.others();
        let Some((last, rest)) = others.split_last() else { return Ok(()) };
        for queue in rest {
            queue.add(packet.share()?);
        }
        packet.check(crate::Destination::Threads)?;
        last.add(packet);
        Ok(())
    }

    pub fn take(&self) -> Option<Packet> {
        lock(&self.queue.state).packets.pop_front()
    }

    /// The number of queued packets. The thread is notified again when more arrive.
    pub fn poll(&self) -> usize {
        let mut state = lock(&self.queue.state);
        state.is_notified = false;
        state.packets.len()
    }

    /// Without those of the own thread: its JavaScript delivers to them itself.
    fn others(&self) -> Vec<Arc<MemberQueue>> {
        let members = lock(&self.group.members);
        let all = members.get(&self.name).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(|queue| !queue.notifier.is_same(&self.queue.notifier)).cloned().collect()
    }
}

impl Drop for BroadcastMember {
    fn drop(&mut self) {
        let mut members = lock(&self.group.members);
        if let Some(all) = members.get_mut(&self.name) {
            all.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
            if all.is_empty() {
                members.remove(&self.name);
            }
        }
        drop(members);
        let packets = mem::take(&mut lock(&self.queue.state).packets);
        drop(packets);
    }
}

impl MemberQueue {
    fn add(&self, packet: Packet) {
        let mut state = lock(&self.state);
        state.packets.push_back(packet);
        let is_notified = mem::replace(&mut state.is_notified, true);
        drop(state);
        if !is_notified {
            self.notifier.notify(self.number);
        }
    }
}
