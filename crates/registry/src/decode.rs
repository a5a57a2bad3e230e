//! Bodies become packuments here, on threads of their own, so that the network thread only moves
//! bytes.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Problem, Result};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{self, Packument, Source};

use crate::body::{self, Deflated};
use crate::cache::Cache;
use crate::client::{Arrival, packument_subject};
use crate::inbox::{Inbox, UnderWay};
use crate::problem;
use crate::room::Body;

/// Packuments have no more: the largest known has 60 MB in full.
pub const PACKUMENT_BYTES_MAX: usize = 256 << 20;

/// Bytes of a buffer that a thread keeps for its next packument: nearly all have fewer.
const KEPT_BYTES_MAX: usize = 16 << 20;

/// Beyond this, decoding outruns any network.
const THREADS_MAX: usize = 4;

/// A registry's answer, still to be read.
pub struct Work {
    pub name: PackageName,
    pub registry: String,
    pub body: Body,
    pub gzip: bool,
    pub etag: String,
    pub fetched_s: u64,
    pub fresh_until_s: u64,
    pub under_way: UnderWay,
}

/// The threads; they end when the sender is dropped.
pub struct Decoders {
    pub work: Sender<Work>,
    pub threads: Vec<JoinHandle<()>>,
}

pub fn start(inbox: &Arc<Inbox>, cache: &Arc<Cache>) -> std::io::Result<Decoders> {
    let (work, receiver) = mpsc::channel();
    let receiver = Arc::new(Mutex::new(receiver));
    let count = std::thread::available_parallelism().map_or(1, |count| count.get()).min(THREADS_MAX);
    let mut threads = Vec::with_capacity(count);
    for _ in 0..count {
        let (receiver, inbox, cache) = (Arc::clone(&receiver), Arc::clone(inbox), Arc::clone(cache));
        let thread = std::thread::Builder::new().name("packuments".to_owned());
        let here = timeline::current();
        threads.push(thread.spawn(move || {
            let _lane = here.enter("packuments");
            decode_all(&receiver, &inbox, &cache)
        })?);
    }
    Ok(Decoders { work, threads })
}

fn decode_all(receiver: &Mutex<Receiver<Work>>, inbox: &Inbox, cache: &Cache) {
    let mut buffer = Vec::new();
    loop {
        let work = receiver.lock().expect("no holder of this lock panics").recv();
        let Ok(work) = work else { return };
        let label = || work.name.to_string();
        let decoded = timeline::span(SpanKind::Decode, label, || decode(&work, &mut buffer).map(Arc::new));
        if buffer.len() > KEPT_BYTES_MAX {
            buffer = Vec::new();
        }
        let (name, registry) = (work.name, work.registry);
        drop((work.under_way, work.body));
        match decoded {
            Ok(packument) => {
                // First the answer, then the disk: only the next run needs the file.
                inbox.push(Arrival::Packument {
                    name: name.clone(),
                    result: Ok(Some(Arc::clone(&packument))),
                });
                let label = || name.to_string();
                timeline::span(SpanKind::CacheWrite, label, || {
                    cache.write(&registry, &name, packument.bytes())
                });
            }
            Err(problem) => inbox.push(Arrival::Packument { name, result: Err(problem) }),
        }
    }
}

/// The buffer is for what is compressed.
fn decode(work: &Work, buffer: &mut Vec<u8>) -> Result<Packument> {
    let bad = |cause: &str| problem::bad_packument(&packument_subject(&work.name), cause);
    let text = match work.gzip {
        true => body::gunzip(&work.body, PACKUMENT_BYTES_MAX, buffer).map_err(|deflated| match deflated {
            Deflated::Damaged => bad("its gzip stream is damaged"),
            Deflated::TooLarge => bad("it inflates to more than 256 MiB"),
        })?,
        false => &work.body,
    };
    let json = std::str::from_utf8(text)
        .map_err(|error| bad(&format!("byte {} is not UTF-8", error.valid_up_to())))?;
    let source = Source {
        name: work.name.as_str(),
        etag: &work.etag,
        fetched_s: work.fetched_s,
        fresh_until_s: work.fresh_until_s,
    };
    let bytes = packument::encode(json, &source).map_err(|error| -> Problem { bad(&error.to_string()) })?;
    Packument::open(Box::new(bytes)).ok_or_else(|| bad("its encoding is not readable"))
}
