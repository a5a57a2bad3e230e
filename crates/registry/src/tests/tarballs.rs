//! Tarballs: bytes as they come, in a good order, over as many lines as were allowed.

use std::collections::HashSet;
use std::time::Duration;

use super::server::{Reply, Server};
use super::{LEFT, client, name, problem, tarball, uncached};
use rusk_base::Problem;

use crate::{Arrival, Delivery, Freshness, Piece, Settings};

#[test]
fn bytes_come_as_they_are() {
    let bytes: Vec<u8> = (0..100_000u32).map(|n| n as u8).collect();
    let sent = bytes.clone();
    let server = Server::start(move |_| Reply::ok(&sent));
    let url = format!("{}left/-/left-1.0.0.tgz", server.url());
    assert_eq!(*tarball(uncached(&server.url()), &url).expect("it is there"), bytes);
    assert_eq!(server.asked()[0].header("accept-encoding"), None);
}

#[test]
fn what_is_not_there_or_no_address_is_a_problem() {
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
fn packuments_go_first_then_the_largest_tarballs() {
    let server = Server::start(|asked| {
        if asked.number == 0 {
            // Time for the rest to be queued.
            std::thread::sleep(Duration::from_millis(100));
        }
        Reply::ok(LEFT)
    });
    let client = client(Settings { concurrency: 1, ..uncached(&server.url()) });
    client.want_packument(&name("first"));
    let url = |name: &str| format!("{}{name}", server.url());
    client.want_tarball(1, &url("small"), Some(10), Delivery::Whole);
    client.want_tarball(2, &url("large"), Some(1_000_000), Delivery::Whole);
    client.want_tarball(3, &url("unknown"), None, Delivery::Whole);
    client.want_packument(&name("second"));
    while client.next().is_some() {}
    let order: Vec<_> = server.asked().iter().map(|asked| asked.path().to_owned()).collect();
    assert_eq!(order, ["/first", "/second", "/large", "/unknown", "/small"]);
}

#[test]
fn lines_are_kept_and_bounded() {
    let server = Server::start(|_| Reply::ok("x"));
    let client = client(Settings { concurrency: 4, ..uncached(&server.url()) });
    for id in 0..60 {
        client.want_tarball(id, &format!("{}{id}", server.url()), None, Delivery::Whole);
    }
    let mut ids = HashSet::new();
    while let Some(arrival) = client.next() {
        if let Arrival::Tarball { id, result } = arrival {
            assert_eq!(*result.expect("it is there"), *b"x");
            ids.insert(id);
        }
    }
    assert_eq!(ids.len(), 60);
    let connections: HashSet<_> = server.asked().iter().map(|asked| asked.connection).collect();
    assert!(connections.len() <= 5, "{} connections", connections.len());
}

#[test]
fn dropping_the_client_ends_what_is_under_way() {
    let server = Server::start(|_| Reply::silence());
    let client = client(uncached(&server.url()));
    client.want_tarball(1, &server.url(), None, Delivery::Whole);
    client.next();
    drop(client);
}

/// Two of them are announced at 200 MB each: the second is let go of, and asked for again when
/// there is room.
#[test]
fn bodies_that_do_not_fit_beside_each_other_come_one_after_the_other() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 200000000\r\n\r\n";
    let server = Server::start(move |asked| match asked.path() {
        "/small" => Reply::ok("x"),
        _ => Reply::raw(head).stuck_before(0),
    });
    let mut settings = uncached(&server.url());
    (settings.limits.idle, settings.limits.attempts) = (Duration::from_millis(300), 1);
    let client = client(settings);
    for (id, path) in ["large", "other", "small"].into_iter().enumerate() {
        client.want_tarball(id as u32, &format!("{}{path}", server.url()), None, Delivery::Whole);
    }
    let mut outcomes = Vec::new();
    while let Some(arrival) = client.next() {
        if let Arrival::Tarball { id, result } = arrival {
            outcomes.push((id, result.is_ok()));
        }
    }
    outcomes.sort_unstable();
    assert_eq!(outcomes, [(0, false), (1, false), (2, true)]);
    let count = |path| server.asked().iter().filter(|asked| asked.path() == path).count();
    assert_eq!(count("/large") + count("/other"), 3);
}

/// More than is kept in memory while it arrives.
fn large() -> Vec<u8> {
    (0..3_000_000u32).map(|number| (number >> 8) as u8).collect()
}

/// What comes of one tarball that is taken in pieces: its bytes, how often it began anew, how it
/// ended.
fn pieces(server: &Server) -> (Vec<u8>, usize, Result<(), Problem>) {
    let client = client(uncached(&server.url()));
    client.want_tarball(3, &server.url(), None, Delivery::InPieces);
    let (mut bytes, mut again) = (Vec::new(), 0);
    let mut end = None;
    while let Some(arrival) = client.next() {
        let mut download = match arrival {
            Arrival::Begun { id: 3, download } => download,
            Arrival::Ended { id: 3 } => return (bytes, again, end.expect("it began")),
            Arrival::Tarball { id: 3, result } => {
                return (result.as_ref().map_or(Vec::new(), |body| body.to_vec()), 0, result.map(drop));
            }
            Arrival::Waiting { .. } | Arrival::Note { .. } => continue,
            _ => panic!("nothing else was asked for"),
        };
        while end.is_none() {
            match download.receive() {
                Piece::Bytes(piece) => bytes.extend(piece),
                Piece::Again => (bytes, again) = (Vec::new(), again + 1),
                Piece::End => end = Some(Ok(())),
                Piece::Failed(problem) => end = Some(Err(problem)),
            }
        }
    }
    panic!("it is outstanding")
}

#[test]
fn a_large_tarball_is_handed_on_while_it_arrives() {
    let server = Server::start(|_| Reply::ok(large()));
    let (bytes, again, end) = pieces(&server);
    assert!(end.is_ok() && again == 0 && bytes == large());
}

#[test]
fn a_small_one_comes_as_a_whole() {
    let server = Server::start(|_| Reply::ok("small"));
    let (bytes, _, end) = pieces(&server);
    assert!(end.is_ok() && bytes == b"small");
}

#[test]
fn what_breaks_off_comes_again() {
    let server = Server::start(|asked| match asked.number {
        0 => Reply::ok(large()).short_by(1_000_000),
        _ => Reply::ok(large()),
    });
    let (bytes, again, end) = pieces(&server);
    assert!(end.is_ok() && again == 1 && bytes == large());
    let server = Server::start(|asked| match asked.number {
        0 => Reply::ok(large()).short_by(1_000_000),
        _ => Reply::new("404 Not Found", &[], ""),
    });
    assert_eq!(problem(pieces(&server).2).code(), "no-tarball");
    let server = Server::start(|_| Reply::ok(large()).short_by(1));
    assert_eq!(problem(pieces(&server).2).code(), "unreachable");
}

#[test]
fn what_nobody_takes_is_given_up() {
    let server = Server::start(|_| Reply::ok(large()));
    let client = client(uncached(&server.url()));
    client.want_tarball(1, &server.url(), None, Delivery::InPieces);
    let mut has_ended = false;
    while let Some(arrival) = client.next() {
        has_ended |= matches!(arrival, Arrival::Ended { .. });
    }
    assert!(has_ended);
}

#[test]
fn only_so_many_are_handed_on_at_a_time() {
    let server = Server::start(|_| Reply::ok(large()));
    let client = client(uncached(&server.url()));
    for id in 0..20 {
        client.want_tarball(id, &server.url(), None, Delivery::InPieces);
    }
    let (mut kept, mut whole) = (Vec::new(), 0);
    while whole < 4 {
        match client.next().expect("some are outstanding") {
            Arrival::Begun { download, .. } => kept.push(download),
            Arrival::Tarball { result, .. } => whole += usize::from(result.is_ok()),
            _ => {}
        }
    }
    assert_eq!(kept.len(), 16);
}
