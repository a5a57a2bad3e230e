//! Token bucket: events that may happen in a burst, and then so many a second. In: the time. Out:
//! whether one more is allowed.

pub struct RateLimit {
    burst: u64,
    per_second: u64,
    available: u64,
    last_s: u64,
}

impl RateLimit {
    pub fn new(burst: u64, per_second: u64) -> RateLimit {
        RateLimit { burst, per_second, available: burst, last_s: 0 }
    }

    pub fn take(&mut self, now_s: u64) -> bool {
        let added = now_s.saturating_sub(self.last_s).saturating_mul(self.per_second);
        self.last_s = self.last_s.max(now_s);
        self.available = self.available.saturating_add(added).min(self.burst);
        let is_allowed = self.available > 0;
        self.available = self.available.saturating_sub(1);
        is_allowed
    }
}
