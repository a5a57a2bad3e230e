//! Reader of cached packuments for several threads at once. In: names. Out: the packuments that may
//! be used without a request. Absent: requests; a name that is not answered here is requested from
//! the client.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;

use crate::client::Client;

/// The names that are left to read; each thread that reads takes the next one.
pub struct FreshPackuments<'c> {
    client: &'c Client,
    names: Vec<PackageName>,
    next: AtomicUsize,
    fresh_until_s: AtomicU64,
}

impl<'c> FreshPackuments<'c> {
    pub fn new(client: &'c Client, names: Vec<PackageName>) -> FreshPackuments<'c> {
        FreshPackuments { client, names, next: AtomicUsize::new(0), fresh_until_s: AtomicU64::new(u64::MAX) }
    }

    /// How many names there are.
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// Reads until no name is left; returns what this thread has read.
    pub fn read(&self) -> Vec<(PackageName, Arc<Packument>)> {
        let mut read = Vec::new();
        while let Some(name) = self.names.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if let Some((packument, until_s)) = self.client.find_fresh(name) {
                self.fresh_until_s.fetch_min(until_s, Ordering::Relaxed);
                read.push((name.clone(), packument));
            }
        }
        read
    }

    /// When the first of the packuments that were read needs a request, in seconds since 1970.
    pub fn fresh_until_s(&self) -> u64 {
        self.fresh_until_s.load(Ordering::Relaxed)
    }
}
