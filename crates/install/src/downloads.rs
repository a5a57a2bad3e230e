//! Downloads tarballs into the store: each is requested once, and unpacked by threads while others
//! arrive. In: keys, URLs and expected digests. Out: packages of the store. Absent: deciding which
//! packages are needed.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Problem, Result};
use rusk_configuration::request::Reuse;
use rusk_npm::integrity::Integrity;
use rusk_registry::{Body, Client, Delivery, Download};
use rusk_store::tarball::pieces::{Piece, Pieces};
use rusk_store::{Expected, Key, Package, Store};

use crate::problem;

/// Buffered tarballs that may wait, for each thread: enough to keep it busy, with little memory.
const QUEUED_PER_THREAD: usize = 4;

/// A tarball to download, and what it must be.
#[derive(Clone, Debug)]
pub struct DownloadRequest {
    pub key: Key,
    pub url: String,
    pub integrity: Option<Integrity>,
    /// Name and version that the package inside must have.
    pub identity: Option<(String, String)>,
    pub size_hint: Option<u64>,
}

/// Progress for display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DownloadProgress {
    pub requested: usize,
    pub received: usize,
    pub bytes: u64,
}

pub struct Downloads<'a> {
    store: Arc<Store>,
    threads: usize,
    reuse: Reuse,
    requests: Vec<DownloadRequest>,
    by_key: HashMap<Key, u32>,
    packages: HashMap<Key, Package>,
    /// Packages that the plan needs; the rest was prefetched, and may turn out not to be needed.
    needed: HashSet<Key>,
    /// Prefetches that failed.
    failed_prefetches: HashMap<Key, Problem>,
    tally: DownloadProgress,
    /// Requests without a result: neither a package nor an error.
    pending: usize,
    workers: Option<UnpackPool>,
    /// Called with each package that is available before all of them are.
    offer: &'a dyn Fn(&Package),
    /// Whether prefetched packages are offered, too.
    pub offers_prefetched: bool,
}

/// Result of looking a package up.
enum StoreLookup<'a> {
    /// In the store; this was the first lookup.
    InStore(&'a Package),
    /// Looked up before, and found or requested.
    Known,
    Missing,
}

struct UnpackPool {
    jobs: SyncSender<UnpackJob>,
    /// For threads that are still to be started.
    results: Sender<UnpackResult>,
    done: Receiver<UnpackResult>,
    threads: Vec<JoinHandle<()>>,
}

type UnpackResult = (Key, Result<Package>);

struct UnpackJob {
    request: DownloadRequest,
    tarball: Body,
    /// Whether to replace a package that the store has under the same key.
    replaces: bool,
}

impl<'a> Downloads<'a> {
    pub fn new(
        store: Arc<Store>,
        threads: usize,
        reuse: Reuse,
        offer: &'a dyn Fn(&Package),
    ) -> Downloads<'a> {
        Downloads {
            offer,
            offers_prefetched: true,
            reuse,
            store,
            threads: threads.max(1),
            requests: Vec::new(),
            by_key: HashMap::new(),
            packages: HashMap::new(),
            needed: HashSet::new(),
            failed_prefetches: HashMap::new(),
            tally: DownloadProgress::default(),
            pending: 0,
            workers: None,
        }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn tally(&self) -> DownloadProgress {
        self.tally
    }

    /// Marks a package as needed. Returns whether it is in the store or requested.
    pub fn require(&mut self, key: &Key) -> Result<bool> {
        if let Some(problem) = self.failed_prefetches.remove(key) {
            return Err(problem);
        }
        self.needed.insert(key.clone());
        Ok(!matches!(self.find(key)?, StoreLookup::Missing))
    }

    /// Requests a package that will most likely be needed, unless the store has it.
    pub fn prefetch(&mut self, client: &Client, request: DownloadRequest) -> Result<()> {
        if !self.find_prefetched(&request.key)? {
            self.request(client, request);
        }
        Ok(())
    }

    /// Whether a package that will most likely be needed is in the store or requested.
    pub fn find_prefetched(&mut self, key: &Key) -> Result<bool> {
        let (offer, offers_prefetched) = (self.offer, self.offers_prefetched);
        Ok(match self.find(key)? {
            StoreLookup::InStore(package) => {
                if offers_prefetched {
                    offer(package);
                }
                true
            }
            StoreLookup::Known => true,
            StoreLookup::Missing => false,
        })
    }

    fn find(&mut self, key: &Key) -> Result<StoreLookup<'_>> {
        if self.by_key.contains_key(key) || self.packages.contains_key(key) {
            return Ok(StoreLookup::Known);
        }
        let package = match self.reuse {
            Reuse::Nothing => None,
            Reuse::InstalledFiles => self.store.find(key)?,
        };
        Ok(match package {
            Some(package) => StoreLookup::InStore(self.packages.entry(key.clone()).or_insert(package)),
            None => StoreLookup::Missing,
        })
    }

    /// Offers needed packages that were found, so that they are linked while the rest arrives.
    pub fn offer_found(&self) {
        let found = self.packages.iter().filter(|(key, _)| self.needed.contains(*key));
        found.for_each(|(_, package)| (self.offer)(package));
    }

    /// A package that is in the store, or has arrived.
    pub fn find_package(&mut self, key: &Key) -> Result<Option<Package>> {
        self.find(key)?;
        Ok(self.packages.get(key).cloned())
    }

    /// Requests a package that is known to be missing from the store.
    pub fn request(&mut self, client: &Client, request: DownloadRequest) {
        let id = u32::try_from(self.requests.len()).expect("fewer packages than 2^32");
        self.by_key.insert(request.key.clone(), id);
        self.pending += 1;
        self.tally.requested += 1;
        client.request_tarball(id, &request.url, request.size_hint, Delivery::Streamed);
        self.requests.push(request);
    }

    /// Passes a complete tarball to an unpacking thread.
    pub fn on_tarball(&mut self, id: u32, tarball: Result<Body>) -> Result<()> {
        let request = self.requests[id as usize].clone();
        self.tally.received += 1;
        let tarball = match tarball {
            Ok(tarball) => tarball,
            Err(problem) => {
                let problem = problem.note(format!("for {}", request.key.label()));
                return self.record(request.key, Err(problem));
            }
        };
        self.tally.bytes += tarball.len() as u64;
        let replaces = self.reuse == Reuse::Nothing;
        let workers = workers(&mut self.workers, &self.store, self.threads);
        let open = timeline::begin(SpanKind::Wait).label(|| "a thread to unpack".to_owned());
        workers
            .jobs
            .send(UnpackJob { request, tarball, replaces })
            .map_err(|_| problem::unpacking_stopped())?;
        open.end();
        self.collect()
    }

    /// Starts a thread for a tarball that has begun to arrive: the thread waits for the network
    /// most of the time.
    pub fn on_stream_start(&mut self, id: u32, mut download: Download) -> Result<()> {
        let request = self.requests[id as usize].clone();
        self.tally.bytes += download.bytes;
        let replaces = self.reuse == Reuse::Nothing;
        let store = Arc::clone(&self.store);
        let workers = workers(&mut self.workers, &self.store, self.threads);
        let (results, here) = (workers.results.clone(), timeline::current());
        workers.threads.push(std::thread::spawn(move || {
            let _lane = here.enter("unpack large");
            let package = add_streaming(&store, &request, &mut download, replaces);
            // The receiver is gone when the install has failed.
            let _ = results.send((request.key, package));
        }));
        Ok(())
    }

    /// The whole tarball has been passed to its thread.
    pub fn on_stream_end(&mut self) -> Result<()> {
        self.tally.received += 1;
        self.collect()
    }

    fn collect(&mut self) -> Result<()> {
        while let Some((key, package)) =
            self.workers.as_ref().and_then(|workers| workers.done.try_recv().ok())
        {
            self.record(key, package)?;
        }
        Ok(())
    }

    /// A failure matters only if the version is needed in the end.
    fn record(&mut self, key: Key, package: Result<Package>) -> Result<()> {
        self.pending = self.pending.saturating_sub(1);
        match package {
            Ok(package) => {
                if self.offers_prefetched || self.needed.contains(&key) {
                    (self.offer)(&package);
                }
                self.packages.insert(key, package);
            }
            Err(problem) if self.needed.contains(&key) => return Err(problem),
            Err(problem) => self.failed_prefetches.insert(key, problem).map_or((), drop),
        }
        Ok(())
    }

    /// Waits until every tarball that has arrived is unpacked; all must have arrived.
    pub fn receive_unpacked(&mut self) -> Result<()> {
        while self.pending > 0 {
            let result = self.workers.as_ref().and_then(|workers| workers.done.recv().ok());
            let (key, package) = result.ok_or_else(problem::unpacking_stopped)?;
            self.record(key, package)?;
        }
        Ok(())
    }

    /// Whether every requested tarball has arrived.
    pub fn is_complete(&self) -> bool {
        self.tally.received == self.tally.requested
    }

    /// Waits for the threads. Returns every package found or downloaded.
    pub fn finish(mut self) -> Result<HashMap<Key, Package>> {
        if let Some(workers) = self.workers.take() {
            drop((workers.jobs, workers.results));
            let _open = timeline::begin(SpanKind::Wait).label(|| "the threads that unpack".to_owned());
            for (key, package) in workers.done {
                self.record(key, package)?;
            }
            for thread in workers.threads {
                thread.join().map_err(|_| problem::unpacking_stopped())?;
            }
        }
        Ok(self.packages)
    }
}

impl UnpackPool {
    fn start(store: &Arc<Store>, count: usize) -> UnpackPool {
        let (jobs, queue) = sync_channel(count * QUEUED_PER_THREAD);
        let (results, done) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let threads = (0..count)
            .map(|_| {
                let (store, queue, results) = (Arc::clone(store), Arc::clone(&queue), results.clone());
                let here = timeline::current();
                std::thread::spawn(move || {
                    let _lane = here.enter("unpack");
                    unpack(&store, &queue, &results)
                })
            })
            .collect();
        UnpackPool { jobs, results, done, threads }
    }
}

fn workers<'a>(slot: &'a mut Option<UnpackPool>, store: &Arc<Store>, threads: usize) -> &'a mut UnpackPool {
    slot.get_or_insert_with(|| UnpackPool::start(store, threads))
}

fn unpack(store: &Store, queue: &Mutex<Receiver<UnpackJob>>, results: &Sender<(Key, Result<Package>)>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let package = add(store, &job);
        if results.send((job.request.key, package)).is_err() {
            return;
        }
    }
}

fn add(store: &Store, UnpackJob { request, tarball, replaces }: &UnpackJob) -> Result<Package> {
    match replaces {
        true => store.replace(&request.key, tarball, &expected(request)),
        false => store.add(&request.key, tarball, &expected(request)),
    }
}

fn add_streaming(
    store: &Store,
    request: &DownloadRequest,
    download: &mut Download,
    replaces: bool,
) -> Result<Package> {
    let bytes = download.bytes;
    let mut next = || match download.receive() {
        rusk_registry::DownloadChunk::Bytes(bytes) => Ok(Piece::Bytes(bytes)),
        rusk_registry::DownloadChunk::Restart => Ok(Piece::Again),
        rusk_registry::DownloadChunk::End => Ok(Piece::End),
        rusk_registry::DownloadChunk::Failed(problem) => {
            Err(problem.note(format!("for {}", request.key.label())))
        }
    };
    let mut pieces = Pieces { bytes, next: &mut next };
    match replaces {
        true => store.replace_arriving(&request.key, &mut pieces, &expected(request)),
        false => store.add_arriving(&request.key, &mut pieces, &expected(request)),
    }
}

fn expected(request: &DownloadRequest) -> Expected<'_> {
    let identity = request.identity.as_ref();
    Expected {
        integrity: request.integrity.as_ref(),
        name: identity.map(|(name, _)| name.as_str()),
        version: identity.map(|(_, version)| version.as_str()),
    }
}
