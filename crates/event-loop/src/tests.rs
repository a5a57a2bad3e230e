//! The loop's parts without an engine: a context whose callbacks get a list and may throw a string.

use std::cell::{Cell, RefCell};
use std::io::{Read, Write};

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys::Errno;
use rusk_spawn::Command;

use crate::{CALLS_IN_A_ROW_MAX, Context, EventLoop, LoopToken, Reactor, Readiness, Spin, ThreadPool};

/// It does nothing to a process that does not handle it.
const SIGWINCH: i32 = 28;
const PATIENCE: Duration = Duration::from_secs(10);

struct Log;

impl Context for Log {
    type Scope = RefCell<Vec<String>>;
    type Error<'s> = String;
}

fn event_loop() -> Rc<EventLoop<Log>> {
    let (reactor, pool) = (Reactor::new().unwrap(), ThreadPool::new().unwrap());
    reactor.add_waker(pool.waker(), LoopToken::THREAD_POOL).unwrap();
    EventLoop::new(reactor, pool)
}

/// One poll phase: waits and calls what is due.
fn poll(event_loop: &Rc<EventLoop<Log>>, log: &RefCell<Vec<String>>) -> Result<(), String> {
    let mut ready = Vec::new();
    event_loop.reactor.wait(&mut ready, Some(PATIENCE)).unwrap();
    for event in ready {
        match event.token {
            LoopToken::THREAD_POOL => {
                for (completion, result) in event_loop.thread_pool.take_completed() {
                    completion(log, result)?;
                }
            }
            LoopToken::SIGNALS => {
                for callback in event_loop.signals.take_pending().unwrap() {
                    callback(log)?;
                }
            }
            _ => {
                for _ in 0..CALLS_IN_A_ROW_MAX {
                    let Some((callback, readiness)) = event_loop.reactor.callback(event) else { break };
                    callback(log, readiness)?;
                    if !event_loop.reactor.take_call_again() {
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}

fn pair() -> (Rc<OwnedFd>, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (Rc::new(ours.into()), theirs)
}

fn push(log: &RefCell<Vec<String>>, line: impl Into<String>) -> Result<(), String> {
    log.borrow_mut().push(line.into());
    Ok(())
}

#[test]
fn a_handle_is_called_while_it_is_ready_and_registered() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let (fd, mut peer) = pair();
    let handle = event_loop
        .add(
            fd,
            Readiness::READ,
            Rc::new(|log: &RefCell<_>, ready: Readiness| push(log, format!("read {}", ready.read))),
        )
        .unwrap();
    assert!(event_loop.is_alive());
    peer.write_all(b"x").unwrap();
    poll(&event_loop, &log).unwrap();
    poll(&event_loop, &log).unwrap();
    assert_eq!(*log.borrow(), ["read true", "read true"]);
    drop(handle);
    assert!(!event_loop.is_alive());
}

#[test]
fn unref_lets_the_loop_end_and_ref_takes_it_back() {
    let event_loop = event_loop();
    let (fd, _peer) = pair();
    let handle = event_loop.add(fd, Readiness::READ, Rc::new(|_: &_, _| Ok(()))).unwrap();
    handle.unref();
    assert!(!event_loop.is_alive());
    handle.unref();
    handle.r#ref();
    assert!(event_loop.is_alive());
}

#[test]
fn a_handle_removed_by_an_earlier_callback_is_not_called() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let handles: Rc<RefCell<Vec<_>>> = Rc::default();
    let mut peers = Vec::new();
    for _ in 0..2 {
        let (fd, mut peer) = pair();
        peer.write_all(b"x").unwrap();
        peers.push(peer);
        let all = Rc::clone(&handles);
        let callback = Rc::new(move |log: &RefCell<_>, _| {
            all.borrow_mut().clear();
            push(log, "called")
        });
        handles.borrow_mut().push(event_loop.add(fd, Readiness::READ, callback).unwrap());
    }
    poll(&event_loop, &log).unwrap();
    assert_eq!(*log.borrow(), ["called"]);
}

#[test]
fn a_token_of_an_earlier_registration_is_invalid() {
    let event_loop = event_loop();
    let (fd, _peer) = pair();
    let callback = || Rc::new(|_: &RefCell<Vec<String>>, _: Readiness| Ok::<(), String>(()));
    let first = event_loop.reactor.add(Rc::clone(&fd), Readiness::READ, callback()).unwrap();
    event_loop.reactor.remove(first);
    let second = event_loop.reactor.add(fd, Readiness::READ, callback()).unwrap();
    assert_ne!(first, second);
    event_loop.reactor.remove(first);
    assert!(event_loop.reactor.is_alive());
    event_loop.reactor.remove(second);
    assert!(!event_loop.reactor.is_alive());
}

#[test]
fn low_priority_handles_are_called_after_the_others() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let (ends, mut end_peer) = pair();
    let (data, mut data_peer) = pair();
    end_peer.write_all(b"x").unwrap();
    data_peer.write_all(b"x").unwrap();
    let end = event_loop.add(ends, Readiness::READ, Rc::new(|log: &_, _| push(log, "end"))).unwrap();
    end.set_low_priority();
    let reader = RefCell::new(UnixStream::from(data.try_clone().unwrap()));
    let own = event_loop
        .add(
            data,
            Readiness::READ,
            Rc::new(move |log: &_, _| {
                let _ = reader.borrow_mut().read(&mut [0; 8]).unwrap();
                push(log, "data")
            }),
        )
        .unwrap();
    poll(&event_loop, &log).unwrap();
    poll(&event_loop, &log).unwrap();
    assert_eq!(*log.borrow(), ["data", "end"]);
    drop((own, end));
}

#[test]
fn a_handle_that_asks_for_it_is_called_again_but_not_for_ever() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let (fd, mut peer) = pair();
    peer.write_all(b"x").unwrap();
    let own = Rc::clone(&event_loop);
    let _handle = event_loop
        .add(
            fd,
            Readiness::READ,
            Rc::new(move |log: &_, _| {
                own.reactor.call_again();
                push(log, "called")
            }),
        )
        .unwrap();
    poll(&event_loop, &log).unwrap();
    assert_eq!(log.borrow().len(), CALLS_IN_A_ROW_MAX as usize);
}

#[test]
fn work_runs_on_another_thread_and_completes_on_the_loop() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let own = std::thread::current().id();
    event_loop.thread_pool.queue_work(
        Box::new(move || Box::new(std::thread::current().id() != own)),
        Box::new(|log: &_, result| push(log, format!("{}", result.downcast::<bool>().unwrap()))),
    );
    assert_eq!(event_loop.thread_pool.work_count(), 1);
    while event_loop.is_alive() {
        poll(&event_loop, &log).unwrap();
    }
    assert_eq!(*log.borrow(), ["true"]);
}

#[test]
fn a_pending_result_keeps_the_loop_alive_until_it_is_sent_or_cancelled() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let pool = &event_loop.thread_pool;
    let (pending, completer) = pool.pending(Box::new(|log: &_, _| push(log, "sent")));
    pool.set_ref(&pending, false);
    assert!(!event_loop.is_alive());
    pool.set_ref(&pending, true);
    std::thread::spawn(move || completer.send(Box::new(()))).join().unwrap();
    poll(&event_loop, &log).unwrap();
    assert_eq!(*log.borrow(), ["sent"]);
    let (pending, _completer) = pool.pending(Box::new(|log: &_, _| push(log, "never")));
    assert!(event_loop.is_alive());
    pool.cancel(pending);
    assert!(!event_loop.is_alive());
}

#[test]
fn what_a_completion_throws_reaches_the_caller() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let (_, completer) = event_loop.thread_pool.pending(Box::new(|_: &_, _| Err("thrown".to_owned())));
    completer.send(Box::new(()));
    assert_eq!(poll(&event_loop, &log), Err("thrown".to_owned()));
}

#[test]
fn one_handler_a_signal() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let handle = event_loop.on_signal(SIGWINCH, Rc::new(|log: &_| push(log, "resized"))).unwrap();
    let second = event_loop.on_signal(SIGWINCH, Rc::new(|_: &_| Ok(())));
    assert_eq!(second.err(), Some(Errno::BUSY));
    rusk_base::sys::process::kill(std::process::id().cast_signed(), SIGWINCH).unwrap();
    poll(&event_loop, &log).unwrap();
    assert_eq!(*log.borrow(), ["resized"]);
    assert!(!event_loop.is_alive());
    drop(handle);
}

#[test]
fn the_end_of_a_child_is_reported_once() {
    let (event_loop, log) = (event_loop(), RefCell::default());
    let child = Command::new("/bin/sh").args(["-c", "exit 3"]).spawn().unwrap();
    let handle =
        event_loop.wait_for_child(child, |log: &_, exit| push(log, format!("{:?}", exit.unwrap()))).unwrap();
    while event_loop.is_alive() {
        poll(&event_loop, &log).unwrap();
    }
    assert_eq!(*log.borrow(), ["Status(3)"]);
    assert!(handle.usage().is_some());
    assert!(handle.signal(9).is_ok());
}

#[test]
fn spinning_begins_with_short_waits_and_backs_off() {
    let spin = Spin::default();
    assert!(!spin.is_worthwhile());
    spin.record_wait(Duration::ZERO);
    let found = Cell::new(0);
    spin.spin(|| {
        found.set(found.get() + 1);
        found.get() == 3
    });
    assert_eq!(found.get(), 3);
    spin.spin(|| false);
    assert!(!spin.is_worthwhile(), "a spin in vain is followed by sleeps");
}
