//! A thread that wakes up each millisecond. Out: the delay of each tick. A tick that was missed
//! counts too.

use crate::sys;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(1);
/// Two minutes of ticks: a run is shorter.
const TICKS_MAX: usize = 120_000;

pub struct Timer {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Duration>>,
}

impl Timer {
    pub fn start() -> Timer {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        Timer { stop, thread: std::thread::spawn(move || tick(&stopped)) }
    }

    pub fn stop(self) -> Vec<Duration> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("a thread that sleeps does not panic")
    }
}

fn tick(stop: &AtomicBool) -> Vec<Duration> {
    sys::sharpen_timer();
    let mut late = Vec::with_capacity(TICKS_MAX);
    let mut next = sys::now() + TICK;
    while !stop.load(Ordering::Relaxed) && late.len() < TICKS_MAX {
        sys::sleep_until(next);
        late.push(sys::now().saturating_sub(next));
        next += TICK;
    }
    late
}
