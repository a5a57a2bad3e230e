//! Histogram of durations in constant memory. In: nanoseconds. Out: percentiles. Each power of two
//! has four buckets, so a percentile is exact within an eighth; the maximum is exact.

/// Four for each power of two of a 64-bit integer.
const BUCKETS: usize = 252;

/// Only as many buckets as the longest duration needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    max: u64,
}

impl Histogram {
    pub fn add(&mut self, nanoseconds: u64) {
        let bucket = bucket_of(nanoseconds);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
        self.max = self.max.max(nanoseconds);
    }

    pub fn merge(&mut self, other: &Histogram) {
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (own, others) in self.buckets.iter_mut().zip(&other.buckets) {
            *own += others;
        }
        self.count += other.count;
        self.max = self.max.max(other.max);
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn max(&self) -> u64 {
        self.max
    }

    /// The duration that `percent` of a hundred did not exceed, within an eighth; 0 for an empty
    /// histogram.
    pub fn percentile(&self, percent: u64) -> u64 {
        let wanted = (self.count * percent).div_ceil(100).max(1);
        let mut stats = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            stats += count;
            if stats >= wanted {
                let (from, to) = bounds(bucket);
                return (from + (to - from) / 2).min(self.max);
            }
        }
        0
    }

    /// Counts by power of two, from 1 ns on; the first one is of durations below 2 ns.
    pub fn octaves(&self) -> Vec<u64> {
        let mut octaves = Vec::new();
        for (bucket, count) in self.buckets.iter().enumerate() {
            let octave = bounds(bucket).0.max(1).ilog2() as usize;
            if octaves.len() <= octave {
                octaves.resize(octave + 1, 0);
            }
            octaves[octave] += count;
        }
        octaves
    }
}

fn bucket_of(value: u64) -> usize {
    if value < 4 {
        return value as usize;
    }
    let octave = value.ilog2();
    let quarter = (value >> (octave - 2)) & 3;
    (4 * (octave as usize - 1) + quarter as usize).min(BUCKETS - 1)
}

/// The lowest and the highest value of a bucket.
fn bounds(bucket: usize) -> (u64, u64) {
    if bucket < 4 {
        return (bucket as u64, bucket as u64);
    }
    let (octave, quarter) = (bucket / 4 + 1, (bucket % 4) as u64);
    let width = 1_u64 << (octave - 2);
    let from = (4 + quarter) * width;
    (from, from + (width - 1))
}

#[cfg(test)]
mod tests;
