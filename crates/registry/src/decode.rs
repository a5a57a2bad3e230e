//! Packument decoding on threads of their own, so that the network thread only moves bytes. In:
//! response bodies. Out: packuments as arrivals, and in the cache.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Problem, Result};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{self, Packument, Source};

use crate::arrival_queue::{ArrivalQueue, InFlight};
use crate::body::{self, GunzipError};
use crate::cache::Cache;
use crate::client::{Arrival, packument_subject};
use crate::memory_budget::Body;
use crate::problem;

/// The largest known packument has 60 MB.
pub const PACKUMENT_BYTES_MAX: usize = 256 << 20;

/// Size of the buffer that a thread reuses: nearly all packuments are smaller.
const RETAINED_BYTES_MAX: usize = 16 << 20;

/// More threads than this outrun any network.
const THREADS_MAX: usize = 4;

/// Held while a larger body is decompressed and decoded: one at a time, so that all threads
/// together need little more memory than one.
static LARGE: Mutex<()> = Mutex::new(());

/// A response body to decode.
pub struct DecodeJob {
    pub name: PackageName,
    pub registry: String,
    pub body: Body,
    pub gzip: bool,
    pub etag: String,
    pub fetched_s: u64,
    pub fresh_until_s: u64,
    pub in_flight: InFlight,
}

/// Starts the threads; they end when the sender of their jobs is dropped.
pub fn start(
    receiver: Receiver<DecodeJob>,
    arrivals: &Arc<ArrivalQueue>,
    cache: &Arc<Cache>,
) -> std::io::Result<Vec<JoinHandle<()>>> {
    let receiver = Arc::new(Mutex::new(receiver));
    let count = std::thread::available_parallelism().map_or(1, |count| count.get()).min(THREADS_MAX);
    let mut threads = Vec::with_capacity(count);
    for _ in 0..count {
        let (receiver, arrivals, cache) = (Arc::clone(&receiver), Arc::clone(arrivals), Arc::clone(cache));
        let thread = std::thread::Builder::new().name("packuments".to_owned());
        let here = timeline::current();
        threads.push(thread.spawn(move || {
            let _lane = here.enter("packuments");
            decode_all(&receiver, &arrivals, &cache)
        })?);
    }
    Ok(threads)
}

fn decode_all(receiver: &Mutex<Receiver<DecodeJob>>, arrivals: &ArrivalQueue, cache: &Cache) {
    let mut buffer = Vec::new();
    loop {
        let jobs = receiver.lock().expect("no holder of this lock panics").recv();
        let Ok(jobs) = jobs else { return };
        let label = || jobs.name.to_string();
        let decoded = timeline::span(SpanKind::Decode, label, || {
            let mut alone = None;
            let decoded = decode(&jobs, &mut buffer, &mut alone).map(Arc::new);
            if buffer.len() > RETAINED_BYTES_MAX {
                buffer = Vec::new();
            }
            decoded
        });
        let (name, registry) = (jobs.name, jobs.registry);
        drop((jobs.in_flight, jobs.body));
        match decoded {
            Ok(packument) => {
                // The caller first, then the disk: only the next run needs the file.
                arrivals.push(Arrival::Packument {
                    name: name.clone(),
                    result: Ok(Some(Arc::clone(&packument))),
                });
                // Without a version it is most likely another program's answer, such as a proxy's.
                if packument.is_empty() {
                    continue;
                }
                let label = || name.to_string();
                timeline::span(SpanKind::CacheWrite, label, || {
                    cache.write(&registry, &name, packument.bytes())
                });
            }
            Err(problem) => arrivals.push(Arrival::Packument { name, result: Err(problem) }),
        }
    }
}

/// `buffer` holds the decompressed body; `alone` is locked for as long as it is large.
fn decode(
    jobs: &DecodeJob,
    buffer: &mut Vec<u8>,
    alone: &mut Option<MutexGuard<'static, ()>>,
) -> Result<Packument> {
    let bad = |cause: &str| problem::bad_packument(&packument_subject(&jobs.name), cause);
    let text = match jobs.gzip {
        true => gunzip(&jobs.body, buffer, alone).map_err(|deflated| match deflated {
            GunzipError::Corrupt => bad("its gzip stream is corrupt"),
            GunzipError::TooLarge => bad("it inflates to more than 256 MiB"),
        })?,
        false => &jobs.body,
    };
    let json = std::str::from_utf8(text)
        .map_err(|error| bad(&format!("byte {} is not UTF-8", error.valid_up_to())))?;
    let source = Source {
        name: jobs.name.as_str(),
        etag: &jobs.etag,
        fetched_s: jobs.fetched_s,
        fresh_until_s: jobs.fresh_until_s,
    };
    let bytes = packument::encode(json, &source).map_err(|error| -> Problem { bad(&error.to_string()) })?;
    Packument::open(Box::new(bytes)).ok_or_else(|| bad("its encoding is not readable"))
}

fn gunzip<'a>(
    bytes: &[u8],
    buffer: &'a mut Vec<u8>,
    alone: &mut Option<MutexGuard<'static, ()>>,
) -> Result<&'a [u8], GunzipError> {
    if body::claimed_bytes(bytes) <= RETAINED_BYTES_MAX {
        match body::gunzip(bytes, RETAINED_BYTES_MAX, buffer).map(<[u8]>::len) {
            // It has more than it claims.
            Err(GunzipError::TooLarge) => {}
            result => return result.map(|length| &buffer[..length]),
        }
    }
    *alone = Some(LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    body::gunzip(bytes, PACKUMENT_BYTES_MAX, buffer)
}
