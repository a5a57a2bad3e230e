//! Guarantees across threads: packets arrive in order, a close arrives after the packets sent
//! before, a waiting thread is woken, remote references are dropped by their owner.
//! docs/contributing/message-passing.md says how to run these tests under ThreadSanitizer.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use rusk_messages::{
    Attachment, BroadcastGroup, Destination, InlineLatin1, MessageString, NotificationQueue, Packet,
    PacketBytes, Port, PortStatus, RemoteRef,
};

/// An event loop of a thread. It waits by spinning on atomics, which ThreadSanitizer sees.
struct Loop {
    queue: NotificationQueue,
    bell: Arc<AtomicBool>,
}

impl Loop {
    fn new() -> Loop {
        let bell = Arc::<AtomicBool>::default();
        let theirs = Arc::clone(&bell);
        let wake = move || theirs.store(true, Ordering::SeqCst);
        Loop { queue: NotificationQueue::new(Box::new(wake)), bell }
    }

    /// The pending numbers, at least one.
    fn next(&self) -> Vec<u64> {
        let mut pending = Vec::new();
        while pending.is_empty() {
            if self.queue.begin_wait() {
                until(|| self.bell.swap(false, Ordering::SeqCst));
            }
            self.queue.end_wait();
            self.queue.take(&mut pending);
            self.queue.reclaim();
        }
        pending
    }

    /// Takes the numbers of all packets until the peer is closed.
    fn drain(&self, port: &Port) -> Vec<u64> {
        let mut got = Vec::new();
        port.attach(&self.queue.notifier(), 1);
        loop {
            self.next();
            let waiting = port.poll();
            got.extend((0..waiting.packets).map(|_| number_of(&port.take().expect("it was counted"))));
            if waiting.peer_is_closed {
                return got;
            }
        }
    }
}

fn until(condition: impl Fn() -> bool) {
    while !condition() {
        thread::yield_now();
    }
}

fn packet(number: u64) -> Packet {
    Packet { bytes: PacketBytes::from_parts(&number.to_le_bytes(), &[]), split: 8, ..Packet::default() }
}

fn number_of(packet: &Packet) -> u64 {
    u64::from_le_bytes(packet.bytes[..].try_into().expect("eight bytes"))
}

#[test]
fn packets_arrive_in_order_before_the_close() {
    let (near, far) = Port::pair();
    let receiver = thread::spawn(move || Loop::new().drain(&far));
    for number in 0..2000 {
        assert!(near.send(packet(number)));
    }
    drop(near);
    assert_eq!(receiver.join().unwrap(), (0..2000).collect::<Vec<_>>());
}

#[test]
fn two_threads_exchange_packets() {
    let (near, far) = Port::pair();
    let echo = thread::spawn(move || {
        let own = Loop::new();
        far.attach(&own.queue.notifier(), 7);
        let mut answered = 0;
        while answered < 500 {
            assert_eq!(own.next(), [7]);
            far.poll();
            while let Some(packet) = far.take() {
                assert!(far.send(packet));
                answered += 1;
            }
        }
    });
    let own = Loop::new();
    near.attach(&own.queue.notifier(), 3);
    for number in 0..500 {
        assert!(near.send(packet(number)));
        while near.poll().packets == 0 {
            own.next();
        }
        assert_eq!(number_of(&near.take().unwrap()), number);
    }
    echo.join().unwrap();
}

#[test]
fn a_port_is_sent_with_its_queue() {
    let (near, far) = Port::pair();
    let (inner, sent) = Port::pair();
    assert!(inner.send(packet(1)));
    sent.put_back(packet(0));
    assert!(near.send(Packet { attachments: vec![Attachment::Port(sent)], ..Packet::default() }));
    assert!(inner.send(packet(2)));
    let receiver = thread::spawn(move || {
        let Some(Attachment::Port(port)) = far.take().unwrap().attachments.pop() else {
            panic!("a port came")
        };
        Loop::new().drain(&port)
    });
    assert!(inner.send(packet(3)));
    drop(inner);
    assert_eq!(receiver.join().unwrap(), [0, 1, 2, 3]);
}

#[test]
fn polled_packets_are_sent_with_their_port() {
    let (near, far) = Port::pair();
    let (inner, sent) = Port::pair();
    for number in 0..3 {
        assert!(inner.send(packet(number)));
    }
    assert_eq!(sent.poll(), PortStatus { packets: 3, peer_is_closed: false });
    assert_eq!(number_of(&sent.take().expect("it was counted")), 0);
    assert!(inner.send(packet(3)));
    assert!(near.send(Packet { attachments: vec![Attachment::Port(sent)], ..Packet::default() }));
    drop(inner);
    let receiver = thread::spawn(move || match far.take().unwrap().attachments.pop() {
        Some(Attachment::Port(port)) => Loop::new().drain(&port),
        _ => panic!("a port came"),
    });
    assert_eq!(receiver.join().unwrap(), [1, 2, 3]);
}

#[test]
fn strings_of_any_length_are_copied() {
    for count in [0, 1, InlineLatin1::UNITS_MAX, InlineLatin1::UNITS_MAX + 1, 1000] {
        let units: Vec<u8> = (0..count).map(|index| index as u8).collect();
        let copy = Packet::from_string(MessageString::from_latin1(&units)).share().unwrap();
        let found = match copy.string.as_ref().unwrap() {
            MessageString::Inline(inline) => inline.units(),
            MessageString::Latin1(units) => units,
            _ => panic!("it is Latin-1"),
        };
        assert_eq!(found, units);
    }
}

#[test]
fn a_dropped_packet_closes_its_ports() {
    let (near, far) = Port::pair();
    let (inner, sent) = Port::pair();
    assert!(near.send(Packet { attachments: vec![Attachment::Port(sent)], ..Packet::default() }));
    drop(far);
    assert_eq!(inner.poll(), PortStatus { packets: 0, peer_is_closed: true });
    assert!(!inner.send(packet(0)));
    assert!(!near.send(packet(0)));
}

#[test]
fn both_close_at_once() {
    for _ in 0..200 {
        let (near, far) = Port::pair();
        let other = thread::spawn(move || {
            far.send(packet(1));
            far.close();
        });
        near.send(packet(2));
        near.close();
        other.join().unwrap();
        assert!(near.take().is_none());
    }
}

#[test]
fn a_port_knows_its_peer() {
    let ((near, far), (other, _)) = (Port::pair(), Port::pair());
    assert!(near.is_peer(&far) && far.is_peer(&near));
    assert!(!near.is_peer(&near) && !near.is_peer(&other));
}

/// Records the thread that drops it.
struct DropRecorder(Arc<Mutex<Vec<ThreadId>>>);

impl Drop for DropRecorder {
    fn drop(&mut self) {
        self.0.lock().expect("no panic under it").push(thread::current().id());
    }
}

#[test]
fn remote_references_are_dropped_by_their_owner() {
    let dropped = Arc::<Mutex<Vec<ThreadId>>>::default();
    let owner = Loop::new();
    let remote =
        |weight| RemoteRef::new(Box::new(DropRecorder(Arc::clone(&dropped))), weight, owner.queue.notifier());
    let refs: Vec<RemoteRef> = (0..50).map(remote).collect();
    thread::spawn(move || drop(refs)).join().unwrap();
    assert!(dropped.lock().unwrap().is_empty());
    owner.queue.reclaim();
    assert_eq!(*dropped.lock().unwrap(), [thread::current().id(); 50]);
}

#[test]
fn the_owner_is_woken_for_large_values_and_not_needed_after_its_end() {
    let dropped = Arc::<Mutex<Vec<ThreadId>>>::default();
    let (owner, count) = (Loop::new(), Arc::new(AtomicUsize::new(0)));
    let [heavy, late] = [9 << 20, 1].map(|weight| {
        RemoteRef::new(Box::new(DropRecorder(Arc::clone(&dropped))), weight, owner.queue.notifier())
    });
    assert!(owner.queue.begin_wait());
    let away = {
        let count = Arc::clone(&count);
        thread::spawn(move || {
            drop(heavy);
            count.fetch_add(1, Ordering::SeqCst);
            late
        })
    };
    let late = away.join().unwrap();
    // It must not wait: something is reclaimable.
    assert!(!owner.queue.begin_wait());
    owner.queue.reclaim();
    assert_eq!(dropped.lock().unwrap().len(), 1);
    drop(owner);
    let dropping_thread = thread::spawn(move || {
        drop(late);
        thread::current().id()
    });
    let dropping_thread = dropping_thread.join().unwrap();
    assert_eq!(dropped.lock().unwrap()[1], dropping_thread);
}

#[test]
fn every_member_receives_from_all_others() {
    let group: &'static BroadcastGroup = Box::leak(Box::default());
    const THREADS: u64 = 4;
    const EACH: u64 = 100;
    let (ready, done) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
    let all = |count: &AtomicUsize| {
        count.fetch_add(1, Ordering::SeqCst);
        until(|| count.load(Ordering::SeqCst) == THREADS as usize);
    };
    let threads: Vec<_> = (0..THREADS)
        .map(|own| {
            let (ready, done) = (Arc::clone(&ready), Arc::clone(&done));
            thread::spawn(move || {
                let event_loop = Loop::new();
                let member = group.join("name", event_loop.queue.notifier(), own);
                all(&ready);
                (0..EACH).for_each(|number| member.send(packet(own << 32 | number)).unwrap());
                let mut got = Vec::new();
                while (got.len() as u64) < (THREADS - 1) * EACH {
                    event_loop.next();
                    member.poll();
                    got.extend(std::iter::from_fn(|| member.take()).map(|packet| number_of(&packet)));
                }
                // No thread leaves while another one still sends.
                all(&done);
                (own, got)
            })
        })
        .collect();
    for thread in threads {
        let (own, got) = thread.join().unwrap();
        for sender in (0..THREADS).filter(|sender| *sender != own) {
            let of_sender =
                got.iter().filter(|number| *number >> 32 == sender).map(|number| number & 0xffff_ffff);
            assert_eq!(of_sender.collect::<Vec<_>>(), (0..EACH).collect::<Vec<_>>());
        }
    }
}

#[test]
fn far_destinations_allow_fewer_attachments() {
    let with = |attachment| Packet { attachments: vec![attachment], ..Packet::default() };
    let string = || with(Attachment::String(MessageString::Latin1(Box::from(*b"string"))));
    let bytes = || with(Attachment::Bytes(vec![1, 2]));
    let memory = || with(Attachment::Memory(Box::new(vec![0_u8])));
    let shared = || with(Attachment::Shared(Arc::new(0)));
    let port = || with(Attachment::Port(Port::pair().0));
    for (make, thread, threads, out_of_process) in [
        (&string as &dyn Fn() -> Packet, true, true, true),
        (&bytes, true, true, false),
        (&memory, true, false, false),
        (&shared, true, true, false),
        (&port, true, false, false),
    ] {
        let packet = make();
        assert_eq!(packet.check(Destination::Thread).is_ok(), thread);
        assert_eq!(packet.check(Destination::Threads).is_ok(), threads);
        assert_eq!(packet.check(Destination::OutOfProcess).is_ok(), out_of_process);
        assert_eq!(packet.share().is_ok(), threads);
    }
    let refused = port().check(Destination::OutOfProcess).unwrap_err().to_string();
    assert_eq!(refused, "a MessagePort cannot go to another process or storage");
}
