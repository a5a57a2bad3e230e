//! Retries: which errors are retried, and which timeouts apply.

use std::collections::HashSet;
use std::os::fd::AsFd;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rusk_base::sys::socket::{self, SocketAddr};

use super::server::{Reply, Server};
use super::{LEFT, client, latest, name, packument, problem, uncached};
use crate::{Arrival, Limits, Settings};

/// The first reply is `first`, all others are valid. Returns the number of requests.
fn requests_after(first: impl Fn() -> Reply + Send + Sync + 'static) -> usize {
    let server = Server::start(move |received| if received.number == 0 { first() } else { Reply::ok(LEFT) });
    assert_eq!(latest(packument(uncached(&server.url()), "left")), "1.0.0");
    server.received().len()
}

/// Every reply is the same. Returns the error code and the number of requests.
fn always(reply: impl Fn() -> Reply + Send + Sync + 'static) -> (&'static str, usize) {
    let server = Server::start(move |_| reply());
    let problem = problem(packument(uncached(&server.url()), "left"));
    (problem.code(), server.received().len())
}

#[test]
fn transient_errors_are_retried() {
    assert_eq!(requests_after(|| Reply::new("500 Oops", &[], "")), 2);
    assert_eq!(requests_after(|| Reply::new("503 Busy", &[], "")), 2);
    assert_eq!(requests_after(|| Reply::new("429 Slow Down", &[("Retry-After", "0")], "")), 2);
    assert_eq!(requests_after(|| Reply::new("408 Timeout", &[], "")), 2);
    assert_eq!(requests_after(Reply::nothing), 2);
    assert_eq!(requests_after(|| Reply::ok(LEFT).short_by(1)), 2);
    assert_eq!(requests_after(|| Reply::ok(LEFT).short_by(LEFT.len())), 2);
    assert_eq!(
        requests_after(|| Reply::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"")),
        2
    );
}

#[test]
fn attempts_are_limited() {
    assert_eq!(always(|| Reply::new("503 Busy", &[], "")), ("busy", 3));
    assert_eq!(always(Reply::nothing), ("unreachable", 3));
    assert_eq!(always(|| Reply::ok(LEFT).short_by(1)), ("unreachable", 3));
}

#[test]
fn permanent_errors_are_not_retried() {
    assert_eq!(always(|| Reply::new("401 Unauthorized", &[], "")), ("no-access", 1));
    assert_eq!(always(|| Reply::new("403 Forbidden", &[], "")), ("no-access", 1));
    assert_eq!(always(|| Reply::new("418 Teapot", &[], "")), ("bad-answer", 1));
    assert_eq!(always(|| Reply::new("304 Not Modified", &[], "")), ("bad-answer", 1));
    assert_eq!(
        always(|| Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")),
        ("too-large", 1)
    );
}

#[test]
fn retry_after_is_obeyed_within_bounds() {
    let server = Server::start(|received| match received.number {
        0 => Reply::new("429 Slow Down", &[("Retry-After", "3600")], ""),
        _ => Reply::ok(LEFT),
    });
    let mut settings = uncached(&server.url());
    settings.limits.backoff_max = Duration::from_millis(120);
    let started = Instant::now();
    packument(settings, "left").expect("it is there");
    let waited = started.elapsed();
    assert!(waited >= Duration::from_millis(120) && waited < Duration::from_secs(5), "{waited:?}");
}

#[test]
fn each_timeout_names_its_phase() {
    let check = |reply: fn() -> Reply, limits: fn(Limits) -> Limits, expected: &str| {
        let server = Server::start(move |_| reply());
        let mut settings = uncached(&server.url());
        settings.limits = limits(Limits { attempts: 1, ..settings.limits });
        let problem = problem(packument(settings, "left"));
        assert_eq!(problem.code(), "timeout");
        assert!(problem.message().contains(expected), "{problem}");
    };
    let first_byte = |limits| Limits { first_byte: Duration::from_millis(60), ..limits };
    check(Reply::silence, first_byte, "waited 0.06 s for the first byte");
    let idle = |limits| Limits { idle: Duration::from_millis(60), ..limits };
    check(|| Reply::ok(LEFT).stuck_before(3), idle, "waited 0.06 s for the next bytes");
    let whole = |limits| Limits { whole: Duration::from_millis(60), ..limits };
    check(|| Reply::ok(LEFT).stuck_before(3), whole, "waited 0.06 s for the whole response");
}

#[test]
fn a_closed_port_is_unreachable() {
    // Bound, so that no other process gets the port, and no process listens.
    let silent = socket::open(socket::Family::Inet).expect("a socket");
    let address = SocketAddr::parse_ip("127.0.0.1", 0).expect("an address");
    socket::bind(silent.as_fd(), &address, socket::BindOptions::default()).expect("a free port");
    let Ok(SocketAddr::Inet(address)) = socket::local_addr(silent.as_fd()) else { panic!("it is bound") };
    let url = format!("http://{address}/");
    let problem = problem(packument(uncached(&url), "left"));
    assert_eq!(problem.code(), "unreachable");
    assert!(problem.to_string().contains("tried 3 times"), "{problem}");
}

#[test]
fn a_wait_names_its_subject() {
    let server = Server::start(|_| Reply::silence());
    let client = client(uncached(&server.url()));
    client.request_packument(&name("left"));
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        let Some(Arrival::Waiting { subject, waited }) = client.next() else { panic!("nothing can arrive") };
        assert!(waited < Duration::from_secs(60));
        if subject == "the packument of `left`" {
            return;
        }
    }
    panic!("it never said so");
}

#[test]
fn a_closed_idle_connection_costs_no_attempt() {
    let served = Mutex::new(HashSet::new());
    let server = Server::start(move |received| {
        match served.lock().expect("held briefly").insert(received.connection) {
            true => Reply::ok(LEFT),
            false => Reply::nothing(),
        }
    });
    let mut settings = Settings { concurrency: 1, ..uncached(&server.url()) };
    settings.limits.attempts = 1;
    let client = client(settings);
    for package in ["a", "b", "c", "d", "e", "f"] {
        client.request_packument(&name(package));
    }
    let mut arrived = 0;
    while let Some(arrival) = client.next() {
        if let Arrival::Packument { result, .. } = arrival {
            result.unwrap_or_else(|problem| panic!("{problem}"));
            arrived += 1;
        }
    }
    assert_eq!(arrived, 6);
}
