//! Message ports: a pair of entangled ends, usable from different threads. In: packets sent into
//! one end. Out: the packets at the other end, in their order; the thread that owns that end is
//! notified of the number it chose. A port may be an attachment of a packet and moves with its
//! queue. Dropping a port closes it; the peer learns of that after the packets sent before.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex};

use crate::{Notifier, Packet, lock};

/// Capacity that an emptied queue retains.
const RETAINED_PACKETS_MAX: usize = 1024;

pub struct Port {
    channel: Arc<Channel>,
    side: usize,
    /// The oldest packets, taken from the shared queue in one step, so that sender and receiver
    /// rarely contend for the lock.
    drained: RefCell<VecDeque<Packet>>,
}

/// State of a port for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortStatus {
    pub packets: usize,
    /// The peer is closed: no more packets will arrive.
    pub peer_is_closed: bool,
}

/// The shared queues of both ends. No thread holds both locks.
#[derive(Default)]
struct Channel {
    queues: [Mutex<PortQueue>; 2],
}

#[derive(Default)]
struct PortQueue {
    packets: VecDeque<Packet>,
    /// The notifier of the receiver, and the id to pass.
    owner: Option<(Notifier, u64)>,
    /// The owner was notified and has not polled since.
    is_notified: bool,
    is_closed: bool,
    /// The other end is closed.
    peer_is_closed: bool,
}

impl Port {
    pub fn pair() -> (Port, Port) {
        let channel = Arc::<Channel>::default();
        (Port::new(Arc::clone(&channel), 0), Port::new(channel, 1))
    }

    fn new(channel: Arc<Channel>, side: usize) -> Port {
        Port { channel, side, drained: RefCell::default() }
    }

    /// False: one end is closed, and the packet is dropped.
    pub fn send(&self, packet: Packet) -> bool {
        let mut peer = lock(self.peer());
        if peer.is_closed || peer.peer_is_closed {
            drop(peer);
            drop(packet);
            return false;
        }
        peer.packets.push_back(packet);
        let owner = peer.owner_to_notify();
        drop(peer);
        notify(owner);
        true
    }

    pub fn take(&self) -> Option<Packet> {
        let mut drained = self.drained.borrow_mut();
        if drained.is_empty() {
            lock(self.own()).drain_into(&mut drained);
        }
        drained.pop_front()
    }

    /// Inserts a packet before all queued ones: one that was taken, or that could not be sent.
    pub fn put_back(&self, packet: Packet) {
        let mut own = lock(self.own());
        if own.is_closed {
            drop(own);
            drop(packet);
            return;
        }
        self.drained.borrow_mut().push_front(packet);
        let owner = own.owner_to_notify();
        drop(own);
        notify(owner);
    }

    /// From now on `notifier` is notified of `number` when a packet arrives; at once if there is
    /// one already.
    pub fn attach(&self, notifier: &Notifier, number: u64) {
        let mut own = lock(self.own());
        own.owner = Some((notifier.clone(), number));
        own.is_notified = false;
        let is_any = own.peer_is_closed || !own.packets.is_empty() || !self.drained.borrow().is_empty();
        let owner = if is_any { own.owner_to_notify() } else { None };
        drop(own);
        notify(owner);
    }

    /// Stops notifications; packets wait for the next owner.
    pub fn detach(&self) {
        let owner = lock(self.own()).owner.take();
        drop(owner);
    }

    /// The current state. The owner is notified again when more packets arrive.
    pub fn poll(&self) -> PortStatus {
        let mut drained = self.drained.borrow_mut();
        let mut own = lock(self.own());
        own.is_notified = false;
        if drained.is_empty() {
            own.drain_into(&mut drained);
        }
        PortStatus { packets: drained.len() + own.packets.len(), peer_is_closed: own.peer_is_closed }
    }

    pub fn is_peer(&self, other: &Port) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel) && self.side != other.side
    }

    /// Discards packets that were not taken. The peer still receives what was sent before.
    pub fn close(&self) {
        let mut own = lock(self.own());
        if own.is_closed {
            return;
        }
        own.is_closed = true;
        let gone = (mem::take(&mut own.packets), own.owner.take());
        drop(own);
        let mut peer = lock(self.peer());
        peer.peer_is_closed = true;
        let owner = peer.owner_to_notify();
        drop(peer);
        drop((gone, self.drained.take()));
        notify(owner);
    }

    fn own(&self) -> &Mutex<PortQueue> {
        &self.channel.queues[self.side]
    }

    fn peer(&self) -> &Mutex<PortQueue> {
        &self.channel.queues[1 - self.side]
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.close();
    }
}

impl PortQueue {
    /// The owner, unless it is notified already.
    fn owner_to_notify(&mut self) -> Option<(Notifier, u64)> {
        if self.is_notified {
            return None;
        }
        let owner = self.owner.clone()?;
        self.is_notified = true;
        Some(owner)
    }

    /// Swaps all packets into the empty `drained`, whose capacity the queue reuses.
    fn drain_into(&mut self, drained: &mut VecDeque<Packet>) {
        mem::swap(&mut self.packets, drained);
        self.packets.shrink_to(RETAINED_PACKETS_MAX);
    }
}

fn notify(owner: Option<(Notifier, u64)>) {
    if let Some((notifier, number)) = owner {
        notifier.notify(number);
    }
}
