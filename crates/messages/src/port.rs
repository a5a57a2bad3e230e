//! Two ports, entangled across threads. In: packets into one. Out: packets from the other, in their order; whoever owns that one is told of a number of its own. A port
//! goes along with a packet as any attachment, with all that waits in it. Dropped, it is closed, and the other one is told behind what was sent before.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex};

use crate::{Address, Packet, lock};

pub struct Port {
    channel: Arc<Channel>,
    side: usize,
}

/// What a port has for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub packets: usize,
    /// The other port is closed: no more will come.
    pub is_ended: bool,
}

#[derive(Default)]
struct Channel {
    sides: Mutex<[Side; 2]>,
}

#[derive(Default)]
struct Side {
    packets: VecDeque<Packet>,
    /// Who is told, and of which number.
    owner: Option<(Address, u64)>,
    /// The owner was told and has not looked since.
    is_told: bool,
    is_closed: bool,
}

impl Port {
    pub fn pair() -> (Port, Port) {
        let channel = Arc::<Channel>::default();
        (Port { channel: Arc::clone(&channel), side: 0 }, Port { channel, side: 1 })
    }

    /// False: one of both is closed, and the packet is gone.
    pub fn send(&self, packet: Packet) -> bool {
        let mut sides = lock(&self.channel.sides);
        if sides.iter().any(|side| side.is_closed) {
            drop(sides);
            drop(packet);
            return false;
        }
        let peer = &mut sides[1 - self.side];
        peer.packets.push_back(packet);
        let owner = peer.owner_to_tell();
        drop(sides);
        tell(owner);
        true
    }

    pub fn take(&self) -> Option<Packet> {
        lock(&self.channel.sides)[self.side].packets.pop_front()
    }

    /// A packet that was taken, or never sent, ahead of all that wait.
    pub fn put_back(&self, packet: Packet) {
        let mut sides = lock(&self.channel.sides);
        let side = &mut sides[self.side];
        if side.is_closed {
            drop(sides);
            drop(packet);
            return;
        }
        side.packets.push_front(packet);
        let owner = side.owner_to_tell();
        drop(sides);
        tell(owner);
    }

    /// From now on that thread is told of `number` when something comes, and at once if something is there.
    pub fn attach(&self, address: &Address, number: u64) {
        let mut sides = lock(&self.channel.sides);
        let is_ended = sides[1 - self.side].is_closed;
        let side = &mut sides[self.side];
        side.owner = Some((address.clone(), number));
        side.is_told = false;
        let owner = if is_ended || !side.packets.is_empty() { side.owner_to_tell() } else { None };
        drop(sides);
        tell(owner);
    }

    /// Nobody is told any more; packets wait for the next owner.
    pub fn detach(&self) {
        let owner = lock(&self.channel.sides)[self.side].owner.take();
        drop(owner);
    }

    /// What there is. The owner is told again when more comes.
    pub fn look(&self) -> Waiting {
        let mut sides = lock(&self.channel.sides);
        sides[self.side].is_told = false;
        Waiting { packets: sides[self.side].packets.len(), is_ended: sides[1 - self.side].is_closed }
    }

    pub fn is_peer(&self, other: &Port) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel) && self.side != other.side
    }

    /// What was sent to it and not taken is gone; the other one still gets what was sent before.
    pub fn close(&self) {
        let mut sides = lock(&self.channel.sides);
        let own = &mut sides[self.side];
        if own.is_closed {
            return;
        }
        own.is_closed = true;
        let (packets, own_owner) = (mem::take(&mut own.packets), own.owner.take());
        let owner = sides[1 - self.side].owner_to_tell();
        drop(sides);
        drop((packets, own_owner));
        tell(owner);
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
}

fn tell(owner: Option<(Address, u64)>) {
    if let Some((address, number)) = owner {
        address.tell(number);
    }
}
