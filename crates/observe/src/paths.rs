//! Which paths were looked for, and how often in vain. In: a path, what for, the kernel's answer.
//! Out: counts by path, and those that come first. Bounded by whoever holds it: a path more is only
//! kept when it says so.

use std::collections::HashMap;

use crate::calls::Aim;

/// `errno` of what is not there.
const ENOENT: i64 = -2;
const ENOTDIR: i64 = -20;
/// `readlink(2)` of what is no link.
const EINVAL: i64 = -22;

/// What a look for a path brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Found,
    /// It is not there.
    Missed,
    /// `readlink` of what is no link: it is there, and the look was in vain.
    NoLink,
    /// Another error says nothing of what is there.
    Refused,
}

/// One path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Looks by aim: open, stat, readlink.
    pub looks: [u64; 3],
    /// Those in vain.
    pub missed: [u64; 3],
    /// Something was found there once.
    pub exists: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Paths {
    seen: HashMap<Box<str>, Seen>,
    /// Looks for paths that were not kept.
    pub left_out: u64,
}

/// A path and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    pub path: String,
    pub count: u64,
}

/// The three aims that are counted, in the order of [`Seen`].
pub const AIMS: [Aim; 3] = [Aim::Open, Aim::Stat, Aim::Readlink];

impl Outcome {
    pub fn of(aim: Aim, result: i64) -> Outcome {
        match result {
            0.. => Outcome::Found,
            ENOENT | ENOTDIR => Outcome::Missed,
            EINVAL if aim == Aim::Readlink => Outcome::NoLink,
            _ => Outcome::Refused,
        }
    }
}

impl Paths {
    /// Notes a look. `may_grow`: whether a path that is new may be kept. Tells whether one was.
    pub fn note(&mut self, path: &str, aim: Aim, outcome: Outcome, may_grow: bool) -> bool {
        let Some(index) = AIMS.iter().position(|known| *known == aim) else { return false };
        let is_new = !self.seen.contains_key(path);
        if is_new && !may_grow {
            self.left_out += 1;
            return false;
        }
        if is_new {
            self.seen.insert(path.into(), Seen::default());
        }
        let seen = self.seen.get_mut(path).expect("it is there by now");
        seen.looks[index] += 1;
        seen.missed[index] += u64::from(matches!(outcome, Outcome::Missed | Outcome::NoLink));
        seen.exists |= matches!(outcome, Outcome::Found | Outcome::NoLink);
        is_new
    }

    pub fn merge(&mut self, other: &Paths) {
        for (path, others) in &other.seen {
            let seen = self.seen.entry(path.clone()).or_default();
            for index in 0..AIMS.len() {
                seen.looks[index] += others.looks[index];
                seen.missed[index] += others.missed[index];
            }
            seen.exists |= others.exists;
        }
        self.left_out += other.left_out;
    }

    /// The paths looked for most often, the first `count` of them.
    pub fn top(&self, aim: Aim, count: usize) -> Vec<Count> {
        self.first(count, |seen| index(aim).map_or(0, |index| seen.looks[index]))
    }

    /// Those looked for in vain most often.
    pub fn top_misses(&self, aim: Aim, count: usize) -> Vec<Count> {
        self.first(count, |seen| index(aim).map_or(0, |index| seen.missed[index]))
    }

    /// Looks and looks in vain, of one aim.
    pub fn sums(&self, aim: Aim) -> (u64, u64) {
        let Some(index) = index(aim) else { return (0, 0) };
        self.seen
            .values()
            .fold((0, 0), |(looks, missed), seen| (looks + seen.looks[index], missed + seen.missed[index]))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Seen)> {
        self.seen.iter().map(|(path, seen)| (&**path, seen))
    }

    fn first(&self, count: usize, of: impl Fn(&Seen) -> u64) -> Vec<Count> {
        let mut all: Vec<Count> = self
            .iter()
            .map(|(path, seen)| Count { path: path.to_owned(), count: of(seen) })
            .filter(|found| found.count > 0)
            .collect();
        all.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.path.cmp(&right.path)));
        all.truncate(count);
        all
    }
}

fn index(aim: Aim) -> Option<usize> {
    AIMS.iter().position(|known| *known == aim)
}

#[cfg(test)]
mod tests;
