//! What is promised to threads: packets arrive in their order, an end is told behind what was sent
//! before, a thread that waits is woken, and what was lent is dropped at home.
//! docs/contributing/message-passing.md says how they run under ThreadSanitizer.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use rusk_messages::{Attachment, Bytes, Group, Lent, Mailbox, Packet, Port, Reach, Short, Text, Waiting};

/// A thread's loop: it waits until it is told. It waits busily, with nothing but atomics, which
/// ThreadSanitizer sees.
struct Loop {
    mailbox: Mailbox,
    bell: Arc<AtomicBool>,
}

impl Loop {
    fn new() -> Loop {
        let bell = Arc::<AtomicBool>::default();
        let theirs = Arc::clone(&bell);
        let wake = move || theirs.store(true, Ordering::SeqCst);
        Loop { mailbox: Mailbox::new(Box::new(wake)), bell }
    }

    /// The numbers that were told, at least one.
    fn next(&self) -> Vec<u64> {
        let mut told = Vec::new();
        while told.is_empty() {
            if self.mailbox.begin_wait() {
                until(|| self.bell.swap(false, Ordering::SeqCst));
            }
            self.mailbox.end_wait();
            self.mailbox.take(&mut told);
            self.mailbox.drop_returned();
        }
        told
    }

    /// Each packet of the port as a number, until the other one is closed.
    fn drain(&self, port: &Port) -> Vec<u64> {
        let mut got = Vec::new();
        port.attach(&self.mailbox.address(), 1);
        loop {
            self.next();
            let waiting = port.look();
            got.extend((0..waiting.packets).map(|_| number_of(&port.take().expect("it was counted"))));
            if waiting.is_ended {
                return got;
            }
        }
    }
}

fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        thread::yield_now();
    }
}

fn packet(number: u64) -> Packet {
    Packet { bytes: Bytes::of_parts(&number.to_le_bytes(), &[]), split: 8, ..Packet::default() }
}

fn number_of(packet: &Packet) -> u64 {
    u64::from_le_bytes(packet.bytes[..].try_into().expect("eight bytes"))
}

#[test]
fn packets_arrive_in_order_and_the_end_behind_them() {
    let (near, far) = Port::pair();
    let receiver = thread::spawn(move || Loop::new().drain(&far));
    for number in 0..2000 {
        assert!(near.send(packet(number)));
    }
    drop(near);
    assert_eq!(receiver.join().unwrap(), (0..2000).collect::<Vec<_>>());
}

#[test]
fn two_threads_answer_each_other() {
    let (near, far) = Port::pair();
    let echo = thread::spawn(move || {
        let own = Loop::new();
        far.attach(&own.mailbox.address(), 7);
        let mut answered = 0;
        while answered < 500 {
            assert_eq!(own.next(), [7]);
            far.look();
            while let Some(packet) = far.take() {
                assert!(far.send(packet));
                answered += 1;
            }
        }
    });
    let own = Loop::new();
    near.attach(&own.mailbox.address(), 3);
    for number in 0..500 {
        assert!(near.send(packet(number)));
        while near.look().packets == 0 {
            own.next();
        }
        assert_eq!(number_of(&near.take().unwrap()), number);
    }
    echo.join().unwrap();
}

#[test]
fn a_port_goes_along_with_what_waits_in_it() {
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
fn what_was_counted_goes_along_too() {
    let (near, far) = Port::pair();
    let (inner, sent) = Port::pair();
    for number in 0..3 {
        assert!(inner.send(packet(number)));
    }
    assert_eq!(sent.look(), Waiting { packets: 3, is_ended: false });
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
fn texts_of_any_length_are_shared_by_a_copy() {
    for count in [0, 1, Short::LETTERS_MAX, Short::LETTERS_MAX + 1, 1000] {
        let letters: Vec<u8> = (0..count).map(|index| index as u8).collect();
        let copy = Packet::of_text(Text::of_latin1(&letters)).share().unwrap();
        let found = match copy.text.as_ref().unwrap() {
            Text::Short(short) => short.letters(),
            Text::Narrow(letters) => letters,
            _ => panic!("it is Latin-1"),
        };
        assert_eq!(found, letters);
    }
}

#[test]
fn a_packet_that_nobody_takes_closes_the_port_in_it() {
    let (near, far) = Port::pair();
    let (inner, sent) = Port::pair();
    assert!(near.send(Packet { attachments: vec![Attachment::Port(sent)], ..Packet::default() }));
    drop(far);
    assert_eq!(inner.look(), Waiting { packets: 0, is_ended: true });
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

/// Says on which thread it was dropped.
struct Homing(Arc<Mutex<Vec<ThreadId>>>);

impl Drop for Homing {
    fn drop(&mut self) {
        self.0.lock().expect("no panic under it").push(thread::current().id());
    }
}

#[test]
fn what_is_lent_is_dropped_at_home() {
    let dropped = Arc::<Mutex<Vec<ThreadId>>>::default();
    let home = Loop::new();
    let lent = |weight| Lent::new(Box::new(Homing(Arc::clone(&dropped))), weight, home.mailbox.address());
    let things: Vec<Lent> = (0..50).map(lent).collect();
    thread::spawn(move || drop(things)).join().unwrap();
    assert!(dropped.lock().unwrap().is_empty());
    home.mailbox.drop_returned();
    assert_eq!(*dropped.lock().unwrap(), [thread::current().id(); 50]);
}

#[test]
fn home_is_woken_for_what_is_heavy_and_needed_no_more_when_it_is_gone() {
    let dropped = Arc::<Mutex<Vec<ThreadId>>>::default();
    let (home, count) = (Loop::new(), Arc::new(AtomicUsize::new(0)));
    let [heavy, late] = [9 << 20, 1]
        .map(|weight| Lent::new(Box::new(Homing(Arc::clone(&dropped))), weight, home.mailbox.address()));
    assert!(home.mailbox.begin_wait());
    let away = {
        let count = Arc::clone(&count);
        thread::spawn(move || {
            drop(heavy);
            count.fetch_add(1, Ordering::SeqCst);
            late
        })
    };
    let late = away.join().unwrap();
    // It is not to wait: there is something to look at.
    assert!(!home.mailbox.begin_wait());
    home.mailbox.drop_returned();
    assert_eq!(dropped.lock().unwrap().len(), 1);
    drop(home);
    let elsewhere = thread::spawn(move || {
        drop(late);
        thread::current().id()
    });
    let elsewhere = elsewhere.join().unwrap();
    assert_eq!(dropped.lock().unwrap()[1], elsewhere);
}

#[test]
fn all_threads_of_a_name_hear_all_others() {
    let group: &'static Group = Box::leak(Box::default());
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
                let mailbox = Loop::new();
                let member = group.join("name", mailbox.mailbox.address(), own);
                all(&ready);
                (0..EACH).for_each(|number| member.send(packet(own << 32 | number)).unwrap());
                let mut got = Vec::new();
                while (got.len() as u64) < (THREADS - 1) * EACH {
                    mailbox.next();
                    member.look();
                    got.extend(std::iter::from_fn(|| member.take()).map(|packet| number_of(&packet)));
                }
                // Nobody leaves while another one still sends.
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
fn what_goes_far_takes_less_along() {
    let with = |attachment| Packet { attachments: vec![attachment], ..Packet::default() };
    let text = || with(Attachment::Text(Text::Narrow(Box::from(*b"text"))));
    let bytes = || with(Attachment::Bytes(vec![1, 2]));
    let memory = || with(Attachment::Memory(Box::new(vec![0_u8])));
    let shared = || with(Attachment::Shared(Arc::new(0)));
    let port = || with(Attachment::Port(Port::pair().0));
    for (make, thread, threads, elsewhere) in [
        (&text as &dyn Fn() -> Packet, true, true, true),
        (&bytes, true, true, false),
        (&memory, true, false, false),
        (&shared, true, true, false),
        (&port, true, false, false),
    ] {
        let packet = make();
        assert_eq!(packet.check(Reach::Thread).is_ok(), thread);
        assert_eq!(packet.check(Reach::Threads).is_ok(), threads);
        assert_eq!(packet.check(Reach::Elsewhere).is_ok(), elsewhere);
        assert_eq!(packet.share().is_ok(), threads);
    }
    let refused = port().check(Reach::Elsewhere).unwrap_err().to_string();
    assert_eq!(refused, "a MessagePort cannot go to another process or storage");
}
