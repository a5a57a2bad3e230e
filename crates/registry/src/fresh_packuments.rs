//! Reader of cached packuments for several threads at once. In: names. Out: the packuments that may
//! be used without a request. Absent: requests; a name that is not answered here is requested from
//! the client.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;

use crate::client::Client;

/// The names that are left to read; each thread that reads takes the next one.
pub struct FreshPackuments<'c> {
    client: &'c Client,
    names: Vec<PackageName>,
    next: AtomicUsize,
}

impl<'c> FreshPackuments<'c> {
    pub fn new(client: &'c Client, names: Vec<PackageName>) -> FreshPackuments<'c> {
        FreshPackuments { client, names, next: AtomicUsize::new(0) }
    }

    /// Reads until no name is left; returns what this thread has read.
    pub fn read(&self) -> Vec<(PackageName, Arc<Packument>)> {
        let mut read = Vec::new();
        while let Some(name) = self.names.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            read.extend(self.client.find_fresh(name).map(|packument| (name.clone(), packument)));
        }
        read
    }
}
