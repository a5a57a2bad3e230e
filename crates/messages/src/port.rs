//! Two ports, entangled across threads. In: packets into one. Out: packets from the other, in their
//! order; whoever owns that one is told of a number of its own. A port goes along with a packet as
//! any attachment, with all that waits in it. Dropped, it is closed, and the other one is told
//! behind what was sent before.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex};

use crate::{Address, Packet, lock};

/// Room for so many packets is kept when they were taken.
const KEPT_PACKETS_MAX: usize = 1024;

pub struct Port {
    channel: Arc<Channel>,
    side: usize,
    /// The oldest of its packets, taken from its side all at once: so whoever sends seldom meets
    /// whoever takes.
    taken: RefCell<VecDeque<Packet>>,
}

/// What a port has for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub packets: usize,
    /// The other port is closed: no more will come.
    pub is_ended: bool,
}

/// What is for either port. Nobody holds both locks.
#[derive(Default)]
struct Channel {
    sides: [Mutex<Side>; 2],
}

#[derive(Default)]
struct Side {
    packets: VecDeque<Packet>,
    /// Who is told, and of which number.
    owner: Option<(Address, u64)>,
    /// The owner was told and has not looked since.
    is_told: bool,
    is_closed: bool,
    /// The other port is closed.
    is_ended: bool,
}

impl Port {
    pub fn pair() -> (Port, Port) {
        let channel = Arc::<Channel>::default();
        (Port::new(Arc::clone(&channel), 0), Port::new(channel, 1))
    }

    fn new(channel: Arc<Channel>, side: usize) -> Port {
        Port { channel, side, taken: RefCell::default() }
    }

    /// False: one of both is closed, and the packet is gone.
    pub fn send(&self, packet: Packet) -> bool {
        let mut peer = lock(self.peer());
        if peer.is_closed || peer.is_ended {
            drop(peer);
            drop(packet);
            return false;
        }
        peer.packets.push_back(packet);
        let owner = peer.owner_to_tell();
        drop(peer);
        tell(owner);
        true
    }

    pub fn take(&self) -> Option<Packet> {
        let mut taken = self.taken.borrow_mut();
        if taken.is_empty() {
            lock(self.own()).give_all(&mut taken);
        }
        taken.pop_front()
    }

    /// A packet that was taken, or never sent, ahead of all that wait.
    pub fn put_back(&self, packet: Packet) {
        let mut own = lock(self.own());
        if own.is_closed {
            drop(own);
            drop(packet);
            return;
        }
        self.taken.borrow_mut().push_front(packet);
        let owner = own.owner_to_tell();
        drop(own);
        tell(owner);
    }

    /// From now on that thread is told of `number` when something comes, and at once if something
    /// is there.
    pub fn attach(&self, address: &Address, number: u64) {
        let mut own = lock(self.own());
        own.owner = Some((address.clone(), number));
        own.is_told = false;
        let is_any = own.is_ended || !own.packets.is_empty() || !self.taken.borrow().is_empty();
        let owner = if is_any { own.owner_to_tell() } else { None };
        drop(own);
        tell(owner);
    }

    /// Nobody is told any more; packets wait for the next owner.
    pub fn detach(&self) {
        let owner = lock(self.own()).owner.take();
        drop(owner);
    }

    /// What there is. The owner is told again when more comes.
    pub fn look(&self) -> Waiting {
        let mut taken = self.taken.borrow_mut();
        let mut own = lock(self.own());
        own.is_told = false;
        if taken.is_empty() {
            own.give_all(&mut taken);
        }
        Waiting { packets: taken.len() + own.packets.len(), is_ended: own.is_ended }
    }

    pub fn is_peer(&self, other: &Port) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel) && self.side != other.side
    }

    /// What was sent to it and not taken is gone; the other one still gets what was sent before.
    pub fn close(&self) {
        let mut own = lock(self.own());
        if own.is_closed {
            return;
        }
        own.is_closed = true;
        let gone = (mem::take(&mut own.packets), own.owner.take());
        drop(own);
        let mut peer = lock(self.peer());
        peer.is_ended = true;
        let owner = peer.owner_to_tell();
        drop(peer);
        drop((gone, self.taken.take()));
        tell(owner);
    }

    fn own(&self) -> &Mutex<Side> {
        &self.channel.sides[self.side]
    }

    fn peer(&self) -> &Mutex<Side> {
        &self.channel.sides[1 - self.side]
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.close();
    }
}

impl Side {
    /// Its owner, unless told already.
    fn owner_to_tell(&mut self) -> Option<(Address, u64)> {
        if self.is_told {
            return None;
        }
        let owner = self.owner.clone()?;
        self.is_told = true;
        Some(owner)
    }

    /// All its packets, for what is empty; that one's room is for the next.
    fn give_all(&mut self, taken: &mut VecDeque<Packet>) {
        mem::swap(&mut self.packets, taken);
        self.packets.shrink_to(KEPT_PACKETS_MAX);
    }
}

fn tell(owner: Option<(Address, u64)>) {
    if let Some((address, number)) = owner {
        address.tell(number);
    }
}
