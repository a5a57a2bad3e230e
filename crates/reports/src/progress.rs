//! How far an install has come, as one line. Holds numbers only; when to draw is the screen's
//! matter.

use std::collections::VecDeque;
use std::time::Duration;

use rusk_install::event::Phase;

use crate::text::{bytes_text, counted, duration};

/// The rate is that of the last moments: long enough to be calm, short enough to show a stall.
const RATE_WINDOW: Duration = Duration::from_secs(2);

/// More samples than this within the window are not needed for a rate.
const SAMPLES_MAX: usize = 64;

/// A wait that is not reported again is over.
const WAIT_SHOWN: Duration = Duration::from_secs(3);

#[derive(Default)]
pub struct Progress {
    phase: Option<(Phase, Duration)>,
    resolved: Count,
    downloaded: Count,
    linked: Count,
    bytes: u64,
    samples: VecDeque<(Duration, u64)>,
    wait: Option<(Duration, String)>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    done: usize,
    total: usize,
}

impl Progress {
    pub fn begin(&mut self, phase: Phase, now: Duration) {
        self.phase = Some((phase, now));
        self.wait = None;
    }

    pub fn resolving(&mut self, done: usize, total: usize) {
        self.resolved = Count { done, total };
    }

    pub fn downloading(&mut self, now: Duration, done: usize, total: usize, bytes: u64) {
        self.downloaded = Count { done, total };
        self.bytes = bytes;
        while self.samples.front().is_some_and(|(time, _)| now.saturating_sub(*time) > RATE_WINDOW) {
            self.samples.pop_front();
        }
        let crowded = self.samples.len() >= SAMPLES_MAX;
        let interval = RATE_WINDOW / SAMPLES_MAX as u32;
        if !crowded && self.samples.back().is_none_or(|(time, _)| now.saturating_sub(*time) >= interval) {
            self.samples.push_back((now, bytes));
        }
    }

    pub fn linking(&mut self, done: usize, total: usize) {
        self.linked = Count { done, total };
    }

    /// A wait to show for a while beside the rest.
    pub fn wait(&mut self, now: Duration, text: String) {
        self.wait = Some((now, text));
    }

    /// The progress line; may be empty.
    pub fn line(&self, now: Duration) -> String {
        let Some((phase, _)) = self.phase else {
            return String::new();
        };
        let mut parts: Vec<String> = Vec::new();
        if let Some((since, text)) = &self.wait
            && now.saturating_sub(*since) < WAIT_SHOWN
        {
            // First, because it is what explains the rest and must not be cut off.
            parts.push(text.clone());
        }
        match phase {
            Phase::Resolve => {
                parts.push(self.resolved.beside("resolving"));
                parts.extend(self.download(now));
            }
            Phase::Fetch => parts.push(self.download(now).unwrap_or_else(|| "downloading".to_owned())),
            Phase::Link => {
                parts.extend(self.download(now).filter(|_| self.downloaded.is_open()));
                parts.push(self.linked.beside("linking"));
            }
            Phase::Scripts => {}
        }
        parts.join("  ")
    }

    /// The line that the phase under way leaves in a log, and its end.
    pub fn ended(&mut self, now: Duration) -> Option<String> {
        let (phase, began) = self.phase.take()?;
        let text = match phase {
            Phase::Resolve if self.resolved.done > 0 => {
                format!("resolved {}", counted(self.resolved.done, "manifest"))
            }
            Phase::Fetch if self.downloaded.done > 0 => {
                format!("downloaded {}, {}", counted(self.downloaded.done, "tarball"), bytes_text(self.bytes))
            }
            Phase::Link if self.linked.done > 0 => {
                format!("linked {}", counted(self.linked.done, "package"))
            }
            _ => return None,
        };
        Some(format!("{text} [{}]", duration(now.saturating_sub(began))))
    }

    /// `downloading 12/300, 4.2 MB, 8.0 MB/s`, once there is something to download.
    fn download(&self, now: Duration) -> Option<String> {
        if self.downloaded.total == 0 {
            return None;
        }
        let mut text = format!("{}, {}", self.downloaded.beside("downloading"), bytes_text(self.bytes));
        if let Some(rate) = self.rate(now) {
            text.push_str(&format!(", {}/s", bytes_text(rate)));
        }
        Some(text)
    }

    /// Bytes in a second over the window; unknown until a moment of it has passed.
    fn rate(&self, now: Duration) -> Option<u64> {
        let (since, bytes) = self.samples.front()?;
        let passed = now.saturating_sub(*since);
        if !self.downloaded.is_open() || passed < RATE_WINDOW / 8 {
            return None;
        }
        Some((self.bytes.saturating_sub(*bytes) as f64 / passed.as_secs_f64()) as u64)
    }
}

impl Count {
    fn is_open(self) -> bool {
        self.done < self.total
    }

    fn beside(self, verb: &str) -> String {
        match self.total {
            0 => verb.to_owned(),
            total => format!("{verb} {}/{total}", self.done),
        }
    }
}

#[cfg(test)]
mod tests;
