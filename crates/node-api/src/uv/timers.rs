//! Timers of addons (`uv_timer_t`) in milliseconds. In: handles with a delay and an interval. Out:
//! calls, those that are due first, then in the order in which they were started. Absent: the time
//! as an iteration of the loop began; `uv_now` is the time now.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::time::Duration;

use rusk_jsc::Scope;

use super::poller::Poller;
use super::threads::uv_hrtime;
use super::{HandleCallback, HandleKind, HandlePointer, HandleSource, UvLoop, activate, init, invalid, stop};
use crate::env::with_scope;
use crate::instance::Instance;

const NS_PER_MS: u64 = 1_000_000;

/// When a timer is due, in milliseconds, and how many were started before it.
type Due = (u64, u64);

/// The active timers of a runtime.
#[derive(Default)]
pub struct Timers {
    by_due: RefCell<BTreeMap<Due, HandlePointer>>,
    started: Cell<u64>,
}

/// What a timer has.
#[derive(Clone, Copy, Default)]
pub struct TimerState {
    due: Due,
    /// Zero: it is called once.
    repeat_ms: u64,
}

impl Timers {
    pub fn remove(&self, timer: &TimerState) {
        self.by_due.borrow_mut().remove(&timer.due);
    }

    fn add(&self, due_ms: u64, handle: HandlePointer) -> Due {
        let due = (due_ms, self.started.get());
        self.started.set(due.1 + 1);
        self.by_due.borrow_mut().insert(due, handle);
        due
    }

    /// Has the poller wait for the first.
    fn arm(&self, poller: &Poller) {
        let first = self.by_due.borrow().first_key_value().map(|((due_ms, _), _)| *due_ms);
        let now = Duration::from_nanos(uv_hrtime());
        poller.set_timer(first.map(|due_ms| Duration::from_millis(due_ms).saturating_sub(now)));
    }
}

/// Calls the timers that are due. Those that are started meanwhile wait for the next time.
pub fn run(scope: &Scope, instance: &Instance, poller: &Poller) {
    let now_ms = now_ms();
    let timers = &instance.uv.timers;
    let due: Vec<Due> = timers.by_due.borrow().range(..=(now_ms, u64::MAX)).map(|(due, _)| *due).collect();
    for due in due {
        // One of the others may have stopped it.
        let Some(handle) = timers.by_due.borrow().get(&due).copied() else { continue };
        stop(handle);
        uv_timer_again(handle);
        let callback = instance.uv.change(handle, |part| part.callback);
        if let Some(Some(callback)) = callback {
            // SAFETY: the addon's own function and handle, which is open.
            with_scope(scope, || unsafe { callback(handle) });
        }
    }
    timers.arm(poller);
}

fn now_ms() -> u64 {
    uv_hrtime() / NS_PER_MS
}

/// Reads or changes an open timer.
fn change<R>(handle: HandlePointer, change: impl FnOnce(&mut TimerState, bool) -> R) -> Option<R> {
    let instance = Instance::current()?;
    let changed = instance.uv.change(handle, |part| {
        let is_active = part.is_active();
        match &mut part.source {
            HandleSource::Timer(timer) => Some(change(timer, is_active)),
            _ => None,
        }
    });
    changed.flatten()
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_init(owner: *const UvLoop, handle: HandlePointer) -> c_int {
    init(owner, handle, HandleKind::Timer, HandleSource::Timer(TimerState::default()), None)
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_start(
    handle: HandlePointer,
    callback: Option<HandleCallback>,
    delay_ms: u64,
    repeat_ms: u64,
) -> c_int {
    let (Some(instance), Some(_)) = (Instance::current(), callback) else { return invalid() };
    if change(handle, |_, _| ()).is_none() {
        return invalid();
    }
    let Ok(poller) = Poller::of(&instance) else { return invalid() };
    stop(handle);
    let due = instance.uv.timers.add(now_ms().saturating_add(delay_ms), handle);
    instance.uv.change(handle, |part| {
        part.callback = callback;
        part.source = HandleSource::Timer(TimerState { due, repeat_ms });
    });
    activate(&instance, handle);
    instance.uv.timers.arm(&poller);
    0
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_stop(handle: HandlePointer) -> c_int {
    stop(handle)
}

/// Starts a timer again with its interval, if it has one. `EINVAL`: it was never started.
#[unsafe(no_mangle)]
extern "C" fn uv_timer_again(handle: HandlePointer) -> c_int {
    let callback = Instance::current().and_then(|instance| instance.uv.change(handle, |part| part.callback));
    let (Some(Some(callback)), Some(repeat_ms)) = (callback, change(handle, |timer, _| timer.repeat_ms))
    else {
        return invalid();
    };
    match repeat_ms {
        0 => 0,
        _ => uv_timer_start(handle, Some(callback), repeat_ms, repeat_ms),
    }
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_set_repeat(handle: HandlePointer, repeat_ms: u64) {
    change(handle, |timer, _| timer.repeat_ms = repeat_ms);
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_get_repeat(handle: HandlePointer) -> u64 {
    change(handle, |timer, _| timer.repeat_ms).unwrap_or(0)
}

#[unsafe(no_mangle)]
extern "C" fn uv_timer_get_due_in(handle: HandlePointer) -> u64 {
    change(handle, |timer, is_active| if is_active { timer.due.0.saturating_sub(now_ms()) } else { 0 })
        .unwrap_or(0)
}

#[unsafe(no_mangle)]
extern "C" fn uv_now(_owner: *const UvLoop) -> u64 {
    now_ms()
}

/// The time is always up to date.
#[unsafe(no_mangle)]
extern "C" fn uv_update_time(_owner: *const UvLoop) {}
