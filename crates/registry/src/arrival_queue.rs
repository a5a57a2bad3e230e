//! Queue of arrivals between the client's threads and its caller, and the list of running requests.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rusk_base::timeline::{self, SpanKind};

use crate::client::Arrival;

#[derive(Default)]
pub struct ArrivalQueue {
    state: Mutex<ArrivalState>,
    arrived: Condvar,
}

#[derive(Default)]
struct ArrivalState {
    arrivals: VecDeque<Arrival>,
    /// Requested, and not yet taken.
    outstanding: usize,
    /// Threads that wait in `take`: notifying none would still cost a system call.
    sleepers: usize,
    in_flight: BTreeMap<u64, (String, Instant)>,
    next_key: u64,
}

/// Marks a request as running until it is dropped.
pub struct InFlight {
    arrivals: Arc<ArrivalQueue>,
    key: u64,
}

impl ArrivalQueue {
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

    /// Adds a note for verbose output. It wakes no thread: a result or the tick follows soon.
    pub fn note(&self, text: String) {
        self.lock().arrivals.push_back(Arrival::Note { text });
    }

    /// Waits for an arrival, at most `tick`; then returns `Waiting`.
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

    /// Registers a running request until the returned guard is dropped.
    pub fn begin(self: &Arc<ArrivalQueue>, subject: String) -> InFlight {
        let mut state = self.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.in_flight.insert(key, (subject, Instant::now()));
        InFlight { arrivals: Arc::clone(self), key }
    }

    fn lock(&self) -> MutexGuard<'_, ArrivalState> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

impl ArrivalState {
    fn take(&mut self) -> Option<Arrival> {
        let arrival = self.arrivals.pop_front()?;
        self.outstanding -=
            usize::from(!matches!(arrival, Arrival::Note { .. } | Arrival::DownloadStarted { .. }));
        Some(arrival)
    }

    /// The oldest running request.
    fn waiting(&self, asked: Instant) -> Arrival {
        match self.in_flight.first_key_value() {
            Some((_, (subject, since))) => {
                Arrival::Waiting { subject: subject.clone(), waited: since.elapsed() }
            }
            None => Arrival::Waiting { subject: "a free connection".to_owned(), waited: asked.elapsed() },
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.arrivals.lock().in_flight.remove(&self.key);
    }
}
