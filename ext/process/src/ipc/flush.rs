//! Deferred flush: channels whose queue is sent after the current callback. In: channels. Out: one
//! sendmsg(2) call for each. The flush also runs before anything that ends, stops or blocks the
//! process.

use std::cell::RefCell;
use std::rc::Rc;

use super::Channel;

thread_local! {
    static SCHEDULED: RefCell<Vec<Rc<Channel>>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn schedule(channel: &Rc<Channel>) {
    if !channel.is_flush_scheduled.replace(true) {
        SCHEDULED.with_borrow_mut(|scheduled| scheduled.push(Rc::clone(channel)));
    }
}

pub(crate) fn flush_all() {
    if SCHEDULED.with_borrow(Vec::is_empty) {
        return;
    }
    for channel in SCHEDULED.take() {
        channel.is_flush_scheduled.set(false);
        if channel.is_open.get()
            && channel.writing.borrow().is_none()
            && let Err(error) = channel.send_now()
        {
            // A socket whose peer is gone is always writable, so this is reported in the next loop
            // iteration.
            channel.pending_error.set(Some(error));
            let _ = channel.wait_for_writable();
        }
    }
}
