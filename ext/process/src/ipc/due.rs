//! What was sent and waits for the end of the callback that sent it. In: channels. Out: one call
//! each. It is sent before anything that ends the program, stops it or waits, too.

use std::cell::RefCell;
use std::rc::Rc;

use super::Channel;

thread_local! {
    static DUE: RefCell<Vec<Rc<Channel>>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn add(channel: &Rc<Channel>) {
    if !channel.is_due.replace(true) {
        DUE.with_borrow_mut(|due| due.push(Rc::clone(channel)));
    }
}

pub(crate) fn send_due() {
    if DUE.with_borrow(Vec::is_empty) {
        return;
    }
    for channel in DUE.take() {
        channel.is_due.set(false);
        if channel.is_open.get()
            && channel.writing.borrow().is_none()
            && let Err(error) = channel.send_now()
        {
            // An end that is gone is always ready, so this is told in the next round.
            channel.failed.set(Some(error));
            let _ = channel.watch_writing();
        }
    }
}
