//! Numbers between others, merged: no two spans touch. In: spans. Out: whether a number is in one.

use std::collections::BTreeMap;

/// Both ends belong to it, and the first is not behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub low: u128,
    pub high: u128,
}

/// The last number of each span by its first.
#[derive(Default)]
pub struct Spans(BTreeMap<u128, u128>);

impl Span {
    pub fn one(number: u128) -> Span {
        Span { low: number, high: number }
    }

    pub fn between(low: u128, high: u128) -> Option<Span> {
        (low <= high).then_some(Span { low, high })
    }

    /// All numbers of `bits` bits that begin with the same `prefix` bits as `number`.
    pub fn block(number: u128, bits: u32, prefix: u32) -> Span {
        let rest = bits - prefix.min(bits);
        let free = u128::MAX.checked_shr(128 - rest).unwrap_or(0);
        Span { low: number & !free, high: number | free }
    }

    pub fn within(self, low: u128, high: u128) -> Option<Span> {
        Span::between(self.low.max(low), self.high.min(high))
    }
}

impl Spans {
    /// Each span that is there goes away once at most, so many additions cost no more than a look
    /// each.
    pub fn add(&mut self, Span { mut low, mut high }: Span) {
        if let Some((&first, &last)) = self.0.range(..=low).next_back()
            && last.saturating_add(1) >= low
        {
            low = first;
            high = high.max(last);
        }
        while let Some((&first, &last)) = self.0.range(low..).next()
            && first <= high.saturating_add(1)
        {
            self.0.remove(&first);
            high = high.max(last);
        }
        self.0.insert(low, high);
    }

    pub fn contains(&self, number: u128) -> bool {
        self.0.range(..=number).next_back().is_some_and(|(_, last)| number <= *last)
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}
