//! Milestones of a start and idle time of the event loop, for `performance.nodeTiming` and
//! `eventLoopUtilization`. In: the moments as they pass. Out: milliseconds since the runtime began.
//! Absent: `performance.now`.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub struct Times {
    began: Instant,
    engine: Cell<Duration>,
    globals: Cell<Duration>,
    ready: Cell<Duration>,
    of_loop: Arc<LoopTimes>,
}

/// Times of the loop, which the thread that started a worker reads too. Nanoseconds since `began`.
pub struct LoopTimes {
    began: Instant,
    loop_began: AtomicU64,
    loop_ended: AtomicU64,
    /// [`NEVER`] while it runs callbacks.
    waiting_since: AtomicU64,
    waited: AtomicU64,
    iterations: AtomicU64,
    events: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl LoopTimes {
    pub fn new(began: Instant) -> Arc<LoopTimes> {
        Arc::new(LoopTimes {
            began,
            loop_began: AtomicU64::new(NEVER),
            loop_ended: AtomicU64::new(NEVER),
            waiting_since: AtomicU64::new(NEVER),
            waited: AtomicU64::new(0),
            iterations: AtomicU64::new(0),
            events: AtomicU64::new(0),
        })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(NEVER - 1)
    }

    fn begin_wait(&self) {
        self.waiting_since.store(self.now(), Ordering::Relaxed);
    }

    fn end_wait(&self, events: usize) -> Duration {
        let since = self.waiting_since.swap(NEVER, Ordering::Relaxed);
        let waited = if since == NEVER { 0 } else { self.now().saturating_sub(since) };
        self.waited.fetch_add(waited, Ordering::Relaxed);
        self.iterations.fetch_add(1, Ordering::Relaxed);
        self.events.fetch_add(events as u64, Ordering::Relaxed);
        Duration::from_nanos(waited)
    }

    /// Start and end of the loop, -1 if they have not come yet; idle time; iterations; events; and
    /// now. Milliseconds.
    pub fn read(&self) -> [f64; 6] {
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let moment = |number: &AtomicU64| match load(number) {
            NEVER => -1.0,
            at => milliseconds(Duration::from_nanos(at)),
        };
        let now = self.now();
        let waiting = match load(&self.waiting_since) {
            NEVER => 0,
            since => now.saturating_sub(since),
        };
        [
            moment(&self.loop_began),
            moment(&self.loop_ended),
            milliseconds(Duration::from_nanos(load(&self.waited) + waiting)),
            load(&self.iterations) as f64,
            load(&self.events) as f64,
            milliseconds(Duration::from_nanos(now)),
        ]
    }
}

impl Times {
    pub fn new(of_loop: Arc<LoopTimes>) -> Times {
        Times {
            began: of_loop.began,
            engine: Cell::default(),
            globals: Cell::default(),
            ready: Cell::default(),
            of_loop,
        }
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    /// The engine is loaded.
    pub fn engine(&self, at: Instant) {
        self.engine.set(at.duration_since(self.began));
    }

    /// The global object is ready.
    pub fn globals(&self) {
        self.globals.set(self.began.elapsed());
    }

    /// The program begins.
    pub fn ready(&self) {
        self.ready.set(self.began.elapsed());
    }

    pub fn begin_loop(&self) {
        let now = self.of_loop.now();
        let _ = self.of_loop.loop_began.compare_exchange(NEVER, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn end_loop(&self) {
        self.of_loop.loop_ended.store(self.of_loop.now(), Ordering::Relaxed);
    }

    pub fn begin_wait(&self) {
        self.of_loop.begin_wait();
    }

    /// `events`: number of events. Out: how long the wait was.
    pub fn end_wait(&self, events: usize) -> Duration {
        self.of_loop.end_wait(events)
    }

    /// Node's `nodeStart`, `v8Start`, `environment`, `bootstrapComplete`.
    pub fn milestones(&self) -> [f64; 4] {
        [Duration::ZERO, self.engine.get(), self.globals.get(), self.ready.get()].map(milliseconds)
    }

    /// See [`LoopTimes::read`].
    pub fn of_loop(&self) -> [f64; 6] {
        self.of_loop.read()
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
