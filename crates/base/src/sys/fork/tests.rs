//! Tests of `fork`.

use super::*;

#[test]
fn a_line_of_fdinfo_is_a_registration() {
    let line = "tfd:        5 events: 8000001b data: fffffffffffffffe  pos:0 ino:3f sdev:10";
    assert_eq!(registration(line), Some(Registration { fd: 5, events: 0x8000_0003, token: u64::MAX - 1 }));
    assert_eq!(registration("pos:\t0"), None);
    assert_eq!(registration("tfd: x events: 1 data: 1"), None);
}

#[test]
fn a_process_with_several_threads_is_refused() {
    // The test harness has a thread of its own beside this one.
    assert!(thread_count() > 1);
    assert_eq!(fork(), Err(Errno::BUSY));
}

#[test]
fn a_plan_lists_event_descriptors_and_what_is_watched() {
    let epoll = crate::sys::epoll::Epoll::new().unwrap();
    let waker = crate::sys::epoll::waker().unwrap();
    use std::os::fd::{AsFd, AsRawFd};
    epoll.add(waker.as_fd(), 77, EventFlags::IN | EventFlags::ET).unwrap();
    let plan = ForkPlan::read();
    assert!(plan.events.contains(&waker.as_raw_fd()));
    let watched = plan.epolls.iter().flat_map(|(_, registrations)| registrations);
    let expected =
        Registration { fd: waker.as_raw_fd(), events: (EventFlags::IN | EventFlags::ET).bits(), token: 77 };
    assert!(watched.into_iter().any(|registration| *registration == expected));
}
