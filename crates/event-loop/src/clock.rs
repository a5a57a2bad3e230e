//! Clock of the loop (`uv_now`): whole milliseconds since it began, and how long until one of them.

use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    pub fn start() -> Clock {
        Clock(Instant::now())
    }

    /// Whole milliseconds, rounded down as Node's are.
    pub fn now_ms(self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Zero if that time is over.
    pub fn until(self, time_ms: u64) -> Duration {
        Duration::from_millis(time_ms).saturating_sub(self.0.elapsed())
    }
}
