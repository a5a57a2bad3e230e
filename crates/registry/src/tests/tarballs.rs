//! Tarballs: bytes, order of requests, limits of connections and memory.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, mpsc};
use std::time::Duration;

use super::server::{Reply, Server};
use super::{LEFT, client, name, problem, tarball, uncached};
use rusk_base::Problem;

use crate::{Arrival, Delivery, DownloadChunk, Freshness, Settings};

#[test]
fn bytes_are_delivered_unchanged() {
    let bytes: Vec<u8> = (0..100_000u32).map(|n| n as u8).collect();
    let sent = bytes.clone();
    let server = Server::start(move |_| Reply::ok(&sent));
    let url = format!("{}left/-/left-1.0.0.tgz", server.url());
    assert_eq!(*tarball(uncached(&server.url()), &url).expect("it is there"), bytes);
    assert_eq!(server.received()[0].header("accept-encoding"), None);
}

#[test]
fn missing_tarballs_and_invalid_urls_are_errors() {
    let server = Server::start(|_| Reply::new("404 Not Found", &[], ""));
    let code = |url: &str| problem(tarball(uncached(&server.url()), url)).code();
    assert_eq!(code(&format!("{}gone.tgz", server.url())), "no-tarball");
    assert_eq!(code("file:///etc/passwd"), "bad-address");
    assert_eq!(code("left-1.0.0.tgz"), "bad-address");
    assert_eq!(code("data:,x"), "bad-address");
    let offline = Settings { freshness: Freshness::Offline, ..uncached(&server.url()) };
    assert_eq!(problem(tarball(offline, &server.url())).code(), "offline");
}

#[test]
fn a_tarball_of_unknown_length_is_streamed() {
    let server = Server::start(|_| Reply::raw("HTTP/1.1 200 OK\r\n\r\nbytes until the end"));
    let client = client(uncached(&server.url()));
    client.request_tarball(7, &server.url(), None, Delivery::Streamed);
    let mut received = Vec::new();
    while let Some(arrival) = client.next() {
        let Arrival::DownloadStarted { mut download, .. } = arrival else { continue };
        assert_eq!(download.bytes, 0);
        while let DownloadChunk::Bytes(bytes) = download.receive() {
            received.extend(bytes);
        }
    }
    assert_eq!(received, b"bytes until the end");
}

#[test]
fn bytes_that_trickle_are_not_waited_for() {
    let server = Server::start(|_| Reply::ok(vec![0; 4000]).trickling(Duration::from_millis(20)));
    let mut settings = uncached(&server.url());
    settings.limits.idle = Duration::from_millis(500);
    settings.limits.attempts = 1;
    let problem = problem(tarball(settings, &server.url()));
    assert_eq!(problem.code(), "timeout");
    assert!(problem.message().contains("more than some bytes"), "{problem}");
}

#[test]
fn packuments_go_first_then_the_largest_tarballs() {
    let (queued, all_queued) = mpsc::channel::<()>();
    let all_queued = Mutex::new(all_queued);
    let server = Server::start(move |received| {
        if received.number == 0 {
            all_queued.lock().expect("one at a time").recv().expect("the others are queued");
        }
        Reply::ok(LEFT)
    });
    let client = client(Settings { concurrency: 1, ..uncached(&server.url()) });
    client.request_packument(&name("first"));
    let url = |name: &str| format!("{}{name}", server.url());
    client.request_tarball(1, &url("small"), Some(10), Delivery::Whole);
    client.request_tarball(2, &url("large"), Some(1_000_000), Delivery::Whole);
    client.request_tarball(3, &url("unknown"), None, Delivery::Whole);
    client.request_packument(&name("second"));
    queued.send(()).expect("the server waits");
    while client.next().is_some() {}
    let order: Vec<_> = server.received().iter().map(|received| received.path().to_owned()).collect();
    assert_eq!(order, ["/first", "/second", "/large", "/unknown", "/small"]);
}

#[test]
fn connections_are_reused_and_limited() {
    let server = Server::start(|_| Reply::ok("x"));
    let client = client(Settings { concurrency: 4, ..uncached(&server.url()) });
    for id in 0..60 {
        client.request_tarball(id, &format!("{}{id}", server.url()), None, Delivery::Whole);
    }
    let mut ids = HashSet::new();
    while let Some(arrival) = client.next() {
        if let Arrival::Tarball { id, result } = arrival {
            assert_eq!(*result.expect("it is there"), *b"x");
            ids.insert(id);
        }
    }
    assert_eq!(ids.len(), 60);
    let connections: HashSet<_> = server.received().iter().map(|received| received.connection).collect();
    assert!(connections.len() <= 5, "{} connections", connections.len());
}

#[test]
fn dropping_the_client_cancels_requests() {
    let server = Server::start(|_| Reply::silence());
    let client = client(uncached(&server.url()));
    client.request_tarball(1, &server.url(), None, Delivery::Whole);
    client.next();
    drop(client);
}

/// Two bodies announce 200 MB each: the second request is cancelled, and repeated when the budget
/// allows.
#[test]
fn bodies_over_the_budget_are_fetched_one_after_the_other() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 200000000\r\n\r\n";
    // Both are announced at the same time; the third request comes when one of them is over.
    let (first_two, requests) = (Barrier::new(2), AtomicUsize::new(0));
    let server = Server::start(move |received| {
        if received.path() == "/small" {
            return Reply::ok("x");
        }
        if requests.fetch_add(1, Ordering::SeqCst) < 2 {
            first_two.wait();
        }
        Reply::raw(head).stuck_before(0)
    });
    let mut settings = uncached(&server.url());
    (settings.limits.idle, settings.limits.attempts) = (Duration::from_millis(500), 1);
    let client = client(settings);
    for (id, path) in ["large", "other", "small"].into_iter().enumerate() {
        client.request_tarball(id as u32, &format!("{}{path}", server.url()), None, Delivery::Whole);
    }
    let mut outcomes = Vec::new();
    while let Some(arrival) = client.next() {
        if let Arrival::Tarball { id, result } = arrival {
            outcomes.push((id, result.is_ok()));
        }
    }
    outcomes.sort_unstable();
    assert_eq!(outcomes, [(0, false), (1, false), (2, true)]);
    let count = |path| server.received().iter().filter(|received| received.path() == path).count();
    assert_eq!(count("/large") + count("/other"), 3);
}

/// More than a download buffers in memory.
fn large() -> Vec<u8> {
    (0..3_000_000u32).map(|number| (number >> 8) as u8).collect()
}

/// Streams one tarball: its bytes, the number of restarts, the result.
fn chunks(server: &Server) -> (Vec<u8>, usize, Result<(), Problem>) {
    let client = client(uncached(&server.url()));
    client.request_tarball(3, &server.url(), None, Delivery::Streamed);
    let (mut bytes, mut again) = (Vec::new(), 0);
    let mut end = None;
    while let Some(arrival) = client.next() {
        let mut download = match arrival {
            Arrival::DownloadStarted { id: 3, download } => download,
            Arrival::DownloadEnded { id: 3 } => return (bytes, again, end.expect("it began")),
            Arrival::Tarball { id: 3, result } => {
                return (result.as_ref().map_or(Vec::new(), |body| body.to_vec()), 0, result.map(drop));
            }
            Arrival::Waiting { .. } | Arrival::Note { .. } => continue,
            _ => panic!("nothing else was requested"),
        };
        while end.is_none() {
            match download.receive() {
                DownloadChunk::Bytes(chunk) => bytes.extend(chunk),
                DownloadChunk::Restart => (bytes, again) = (Vec::new(), again + 1),
                DownloadChunk::End => end = Some(Ok(())),
                DownloadChunk::Failed(problem) => end = Some(Err(problem)),
            }
        }
    }
    panic!("it is outstanding")
}

#[test]
fn a_large_tarball_is_streamed() {
    let server = Server::start(|_| Reply::ok(large()));
    let (bytes, again, end) = chunks(&server);
    assert!(end.is_ok() && again == 0 && bytes == large());
}

#[test]
fn a_small_tarball_is_delivered_whole() {
    let server = Server::start(|_| Reply::ok("small"));
    let (bytes, _, end) = chunks(&server);
    assert!(end.is_ok() && bytes == b"small");
}

#[test]
fn a_broken_stream_restarts() {
    let server = Server::start(|received| match received.number {
        0 => Reply::ok(large()).short_by(1_000_000),
        _ => Reply::ok(large()),
    });
    let (bytes, again, end) = chunks(&server);
    assert!(end.is_ok() && again == 1 && bytes == large());
    let server = Server::start(|received| match received.number {
        0 => Reply::ok(large()).short_by(1_000_000),
        _ => Reply::new("404 Not Found", &[], ""),
    });
    assert_eq!(problem(chunks(&server).2).code(), "no-tarball");
    let server = Server::start(|_| Reply::ok(large()).short_by(1));
    assert_eq!(problem(chunks(&server).2).code(), "unreachable");
}

#[test]
fn a_dropped_download_is_cancelled() {
    let server = Server::start(|_| Reply::ok(large()));
    let client = client(uncached(&server.url()));
    client.request_tarball(1, &server.url(), None, Delivery::Streamed);
    let mut has_ended = false;
    while let Some(arrival) = client.next() {
        has_ended |= matches!(arrival, Arrival::DownloadEnded { .. });
    }
    assert!(has_ended);
}

#[test]
fn streamed_downloads_are_limited() {
    let server = Server::start(|_| Reply::ok(large()));
    let client = client(uncached(&server.url()));
    for id in 0..20 {
        client.request_tarball(id, &server.url(), None, Delivery::Streamed);
    }
    let (mut kept, mut whole) = (Vec::new(), 0);
    while whole < 4 {
        match client.next().expect("some are outstanding") {
            Arrival::DownloadStarted { download, .. } => kept.push(download),
            Arrival::Tarball { result, .. } => whole += usize::from(result.is_ok()),
            _ => {}
        }
    }
    assert_eq!(kept.len(), 16);
}
