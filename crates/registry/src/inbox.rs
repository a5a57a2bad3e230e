//! Where answers wait to be taken, and what is still awaited.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rusk_base::timeline::{self, SpanKind};

use crate::client::Arrival;

#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    arrivals: VecDeque<Arrival>,
    /// Wanted, and not yet taken.
    outstanding: usize,
    /// Waking nobody would still cost a system call.
    sleepers: usize,
    under_way: BTreeMap<u64, (String, Instant)>,
    next_key: u64,
}

/// While it lives, something is under way.
pub struct UnderWay {
    inbox: Arc<Inbox>,
    key: u64,
}

impl Inbox {
    /// Announces one more arrival.
    pub fn expect(&self) {
        self.lock().outstanding += 1;
    }

    pub fn push(&self, arrival: Arrival) {
        let mut state = self.lock();
        state.arrivals.push_back(arrival);
        if state.sleepers > 0 {
            self.arrived.notify_one();
        }
    }

    /// Adds a note for the next who takes. Nobody is woken for it: an answer or the tick soon
    /// follows.
    pub fn note(&self, text: String) {
        self.lock().arrivals.push_back(Arrival::Note { text });
    }

    /// Waits for an arrival, at most `tick`; then says what is waited for.
    pub fn take(&self, tick: Duration) -> Option<Arrival> {
        let mut state = self.lock();
        let asked = Instant::now();
        loop {
            if let Some(arrival) = state.take() {
                return Some(arrival);
            }
            if state.outstanding == 0 {
                return None;
            }
            let left = tick.saturating_sub(asked.elapsed());
            if left.is_zero() {
                return Some(state.waiting(asked));
            }
            state.sleepers += 1;
            let _open = timeline::begin(SpanKind::Wait).label(|| "the network".to_owned());
            state = self.arrived.wait_timeout(state, left).expect("no holder of this lock panics").0;
            state.sleepers -= 1;
        }
    }

    /// Notes what is being fetched, until the answer's end.
    pub fn begin(self: &Arc<Inbox>, subject: String) -> UnderWay {
        let mut state = self.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.under_way.insert(key, (subject, Instant::now()));
        UnderWay { inbox: Arc::clone(self), key }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

impl State {
    fn take(&mut self) -> Option<Arrival> {
        let arrival = self.arrivals.pop_front()?;
        self.outstanding -= usize::from(!matches!(arrival, Arrival::Note { .. } | Arrival::Begun { .. }));
        Some(arrival)
    }

    /// The one that has taken longest.
    fn waiting(&self, asked: Instant) -> Arrival {
        match self.under_way.first_key_value() {
            Some((_, (subject, since))) => {
                Arrival::Waiting { subject: subject.clone(), waited: since.elapsed() }
            }
            None => Arrival::Waiting { subject: "a free connection".to_owned(), waited: asked.elapsed() },
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.inbox.lock().under_way.remove(&self.key);
    }
}
