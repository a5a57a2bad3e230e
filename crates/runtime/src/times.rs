//! When a program came how far, and how long its loop waited, for `performance`. In: moments as they pass. Out: milliseconds since the
//! runtime began. Absent: the program's own time.

use std::cell::Cell;
use std::time::{Duration, Instant};

pub(crate) struct Times {
    began: Instant,
    engine: Cell<Duration>,
    globals: Cell<Duration>,
    ready: Cell<Duration>,
    loop_began: Cell<Option<Duration>>,
    loop_ended: Cell<Option<Duration>>,
    waiting_since: Cell<Option<Instant>>,
    waited: Cell<Duration>,
    rounds: Cell<u64>,
    events: Cell<u64>,
}

impl Times {
    pub fn new(began: Instant) -> Times {
        Times {
            began,
            engine: Cell::default(),
            globals: Cell::default(),
            ready: Cell::default(),
            loop_began: Cell::default(),
            loop_ended: Cell::default(),
            waiting_since: Cell::default(),
            waited: Cell::default(),
            rounds: Cell::default(),
            events: Cell::default(),
        }
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    /// The engine is there.
    pub fn engine(&self, at: Instant) {
        self.engine.set(at.duration_since(self.began));
    }

    /// The global object is.
    pub fn globals(&self) {
        self.globals.set(self.began.elapsed());
    }

    /// The program begins.
    pub fn ready(&self) {
        self.ready.set(self.began.elapsed());
    }

    pub fn begin_loop(&self) {
        if self.loop_began.get().is_none() {
            self.loop_began.set(Some(self.began.elapsed()));
        }
    }

    pub fn end_loop(&self) {
        self.loop_ended.set(Some(self.began.elapsed()));
    }

    pub fn begin_wait(&self) {
        self.waiting_since.set(Some(Instant::now()));
    }

    /// `events`: what came.
    pub fn end_wait(&self, events: usize) {
        let since = self.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        self.waited.set(self.waited.get() + since);
        self.rounds.set(self.rounds.get() + 1);
        self.events.set(self.events.get() + events as u64);
    }

    /// Node's `nodeStart`, `v8Start`, `environment`, `bootstrapComplete`.
    pub fn milestones(&self) -> [f64; 4] {
        [Duration::ZERO, self.engine.get(), self.globals.get(), self.ready.get()].map(milliseconds)
    }

    /// Begin and end of the loop, -1 where they have not come; how long it waited; its rounds, its events.
    pub fn of_loop(&self) -> [f64; 5] {
        let moment = |at: Option<Duration>| at.map_or(-1.0, milliseconds);
        [
            moment(self.loop_began.get()),
            moment(self.loop_ended.get()),
            milliseconds(self.waited.get()),
            self.rounds.get() as f64,
            self.events.get() as f64,
        ]
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
