//! Request queue. Packuments come before tarballs, since resolution waits for them and finds more
//! to fetch; the largest tarballs come first, so that none of them is left over at the end.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use hyper::header::HeaderValue;
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use url::Url;

use crate::api::ApiJob;

/// For a tarball of unknown size: a typical one.
const SIZE_UNKNOWN_BYTES: u64 = 64 * 1024;

/// Of four concurrent requests, the number that may be tarballs while packuments are requested,
/// too.
const TARBALLS_PER_FOUR: usize = 3;

pub enum Job {
    Packument(PackumentJob),
    Tarball(TarballJob),
    Api(Box<ApiJob>),
    /// Only resolve the host name and open a connection.
    Connect(Url),
}

pub struct PackumentJob {
    pub name: PackageName,
    pub registry: String,
    pub url: Url,
    pub document: Document,
    /// The cached packument that a `304` would confirm, and its ETag.
    pub known: Option<(Arc<Packument>, HeaderValue)>,
    /// Time of the request to the client, if a timeline is recorded.
    pub wanted: Option<Instant>,
}

/// The form of a packument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Document {
    /// What an install needs, several times smaller.
    Abbreviated,
    /// With the publish times of versions.
    Full,
}

pub struct TarballJob {
    pub id: u32,
    pub url: Url,
    pub size_hint: Option<u64>,
    pub delivery: Delivery,
    /// Time of the request to the client, if a timeline is recorded.
    pub wanted: Option<Instant>,
}

/// How a tarball is delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    Whole,
    /// A large one in chunks while it arrives.
    Streamed,
}

/// The number of running requests.
#[derive(Clone, Copy, Default)]
pub struct Running {
    pub packuments: usize,
    pub tarballs: usize,
}

pub struct Queue {
    concurrency: usize,
    packuments: VecDeque<PackumentJob>,
    packuments_seen: bool,
    tarballs: BinaryHeap<Ranked>,
    arrived: u64,
}

impl Queue {
    pub fn new(concurrency: usize) -> Queue {
        Queue {
            concurrency: concurrency.max(1),
            packuments: VecDeque::new(),
            packuments_seen: false,
            tarballs: BinaryHeap::new(),
            arrived: 0,
        }
    }

    pub fn push_packument(&mut self, job: PackumentJob) {
        self.packuments_seen = true;
        self.packuments.push_back(job);
    }

    pub fn push_tarball(&mut self, job: TarballJob) {
        self.arrived += 1;
        let rank = (job.size_hint.unwrap_or(SIZE_UNKNOWN_BYTES), Reverse(self.arrived));
        self.tarballs.push(Ranked { rank, job });
    }

    pub fn next_packument(&mut self, running: Running) -> Option<PackumentJob> {
        match running.packuments + running.tarballs < self.concurrency {
            true => self.packuments.pop_front(),
            false => None,
        }
    }

    /// Call it when `next_packument` returns none.
    pub fn next_tarball(&mut self, running: Running) -> Option<TarballJob> {
        let share = match self.packuments_seen {
            true => (self.concurrency * TARBALLS_PER_FOUR / 4).max(1),
            false => self.concurrency,
        };
        let free = running.packuments + running.tarballs < self.concurrency && running.tarballs < share;
        if !free {
            return None;
        }
        self.tarballs.pop().map(|ranked| ranked.job)
    }
}

struct Ranked {
    rank: (u64, Reverse<u64>),
    job: TarballJob,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Ranked {}
