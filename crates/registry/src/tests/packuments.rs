//! Packuments: headers, cache, freshness, invalid responses.

use rusk_testkit::project::Project;

use super::server::{Reply, Server};
use super::{LEFT, NOW_S, client, latest, name, packument, problem, settings, uncached};
use crate::{Arrival, Client, Freshness, Settings};

const OTHER: &str = r#"{"dist-tags":{"latest":"2.0.0"},"versions":{"2.0.0":{}}}"#;

/// Requests a packument with a server's first reply, and again `later_s` seconds later.
fn twice(
    headers: &'static [(&'static str, &'static str)],
    later_s: u64,
    freshness: Freshness,
) -> (usize, String) {
    let server = Server::start(move |received| match (received.number, received.header("if-none-match")) {
        (0, _) => Reply::new("200 OK", headers, LEFT),
        (_, Some("\"one\"")) => Reply::new("304 Not Modified", headers, ""),
        _ => Reply::new("200 OK", headers, OTHER),
    });
    let project = Project::new();
    let first = settings(&server.url(), &project);
    let second = Settings { now_s: NOW_S + later_s, freshness, ..first.clone() };
    assert_eq!(latest(packument(first, "left")), "1.0.0");
    let found = latest(packument(second, "left"));
    (server.received().len(), found)
}

#[test]
fn requests_have_accept_and_user_agent() {
    let server = Server::start(|_| Reply::ok(LEFT));
    let project = Project::new();
    let found =
        packument(settings(&server.url(), &project), "@scope/left").expect("it is there").expect("found");
    assert_eq!(found.name(), "@scope/left");
    let received = server.received();
    assert_eq!(received[0].line, "GET /@scope%2fleft");
    assert_eq!(received[0].header("host"), Some(server.authority().as_str()));
    assert!(
        received[0].header("accept").expect("sent").starts_with("application/vnd.npm.install-v1+json; q=1.0")
    );
    assert_eq!(received[0].header("accept-encoding"), Some("gzip"));
    assert!(received[0].header("user-agent").expect("sent").starts_with("rusk/"));
    assert_eq!(received[0].header("authorization"), None);
}

#[test]
fn a_scope_has_its_own_registry() {
    let (public, private) = (Server::start(|_| Reply::ok(LEFT)), Server::start(|_| Reply::ok(OTHER)));
    let project = Project::new();
    let mut settings = settings(&public.url(), &project);
    // Without a final slash, as many users write it.
    settings.scopes = vec![("@team".to_owned(), format!("{}npm", private.url()))];
    assert_eq!(latest(packument(settings.clone(), "@team/left")), "2.0.0");
    assert_eq!(latest(packument(settings, "@other/left")), "1.0.0");
    assert_eq!(private.received()[0].path(), "/npm/@team%2fleft");
}

#[test]
fn within_max_age_no_request_is_sent() {
    assert_eq!(
        twice(&[("Cache-Control", "public, max-age=300")], 250, Freshness::Online),
        (1, "1.0.0".into())
    );
    assert_eq!(
        twice(&[("Cache-Control", "public, max-age=300")], 320, Freshness::Online),
        (2, "2.0.0".into())
    );
}

#[test]
fn a_packument_without_lifetime_and_validator_is_used_for_some_minutes() {
    assert_eq!(twice(&[], 0, Freshness::Online), (1, "1.0.0".into()));
    assert_eq!(twice(&[], 320, Freshness::Online), (2, "2.0.0".into()));
}

#[test]
fn an_unchanged_packument_is_revalidated() {
    assert_eq!(twice(&[("ETag", "\"one\"")], 0, Freshness::Online), (2, "1.0.0".into()));
    assert_eq!(twice(&[("ETag", "\"two\"")], 0, Freshness::Online), (2, "2.0.0".into()));
}

#[test]
fn offline_the_cache_is_enough() {
    assert_eq!(twice(&[], 9_999_999, Freshness::Offline), (1, "1.0.0".into()));
    assert_eq!(twice(&[], 9_999_999, Freshness::PreferOffline), (1, "1.0.0".into()));
}

#[test]
fn a_304_makes_it_fresh_again() {
    let headers = [("ETag", "\"one\""), ("Cache-Control", "max-age=300")];
    let server = Server::start(move |received| match received.header("if-none-match") {
        None => Reply::new("200 OK", &headers, LEFT),
        Some(_) => Reply::new("304 Not Modified", &headers, ""),
    });
    let project = Project::new();
    for (later_s, requests) in [(0, 1), (400, 2), (600, 2), (720, 3)] {
        let settings = Settings { now_s: NOW_S + later_s, ..settings(&server.url(), &project) };
        assert_eq!(latest(packument(settings, "left")), "1.0.0");
        assert_eq!(server.received().len(), requests, "after {later_s} s");
    }
}

#[test]
fn a_copied_cache_is_not_fresher_than_it_was() {
    let headers = [("ETag", "\"one\""), ("Cache-Control", "max-age=300")];
    let server = Server::start(move |_| Reply::new("200 OK", &headers, LEFT));
    let project = Project::new();
    packument(settings(&server.url(), &project), "left").expect("it is there");
    let file = cached_file(&project);
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW_S + 5_000);
    std::fs::File::open(file).expect("it is there").set_modified(time).expect("ours");
    let settings = Settings { now_s: NOW_S + 4_800, ..settings(&server.url(), &project) };
    packument(settings, "left").expect("it is there");
    assert_eq!(server.received().len(), 2);
}

#[test]
fn a_corrupt_cache_counts_as_absent() {
    let server = Server::start(|_| Reply::new("200 OK", &[("Cache-Control", "max-age=300")], LEFT));
    let project = Project::new();
    let settings = settings(&server.url(), &project);
    packument(settings.clone(), "left").expect("it is there");
    let file = cached_file(&project);
    let whole = std::fs::read(&file).expect("it was written");
    for damaged in [&whole[..whole.len() - 1], &whole[..40], b"", &[0; 500]] {
        std::fs::write(&file, damaged).expect("ours");
        let before = server.received().len();
        assert_eq!(latest(packument(settings.clone(), "left")), "1.0.0");
        assert_eq!(server.received().len(), before + 1);
        assert_eq!(std::fs::read(&file).expect("written again"), whole);
    }
}

#[test]
fn a_name_is_fetched_once() {
    let server = Server::start(|_| Reply::ok(LEFT));
    let project = Project::new();
    let client = client(settings(&server.url(), &project));
    for _ in 0..3 {
        client.request_packument(&name("left"));
    }
    let mut arrivals = 0;
    while let Some(arrival) = client.next() {
        arrivals += usize::from(matches!(arrival, Arrival::Packument { .. }));
    }
    assert_eq!((arrivals, server.received().len()), (1, 1));
    assert!(client.next().is_none());
}

#[test]
fn an_unknown_package_is_no_problem() {
    let server = Server::start(|_| Reply::new("404 Not Found", &[], "{}"));
    let project = Project::new();
    assert!(packument(settings(&server.url(), &project), "nowhere").expect("a response").is_none());
    assert_eq!(server.received().len(), 1);
}

#[test]
fn offline_without_a_cache_is_a_problem() {
    let project = Project::new();
    let settings = Settings { freshness: Freshness::Offline, ..settings("http://registry.test", &project) };
    assert_eq!(problem(packument(settings, "left")).code(), "offline");
}

#[test]
fn invalid_packuments_are_errors() {
    let bad = |headers: &'static [(&'static str, &'static str)], body: &'static [u8]| {
        let server = Server::start(move |_| Reply::new("200 OK", headers, body));
        let problem = problem(packument(uncached(&server.url()), "left"));
        assert_eq!(server.received().len(), 1, "the same again is no better");
        assert_eq!(problem.code(), "bad-packument", "{problem}");
    };
    bad(&[], b"<html>log in first</html>");
    bad(&[], b"{\"versions\":");
    bad(&[], b"{\"name\":\"\xff\"}");
    bad(&[("Content-Encoding", "gzip")], b"not gzip, but longer than a header");
    bad(&[("Content-Encoding", "br")], b"x");
}

#[test]
fn gzip_is_inflated() {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut body = vec![0; compressor.gzip_compress_bound(LEFT.len())];
    let length = compressor.gzip_compress(LEFT.as_bytes(), &mut body).expect("there is space");
    body.truncate(length);
    let mut bomb = body.clone();
    let size_at = bomb.len() - 4;
    bomb[size_at..].copy_from_slice(&u32::MAX.to_le_bytes());
    let server = Server::start(move |received| {
        let body = if received.path() == "/left" { &body } else { &bomb };
        Reply::new("200 OK", &[("Content-Encoding", "gzip")], body)
    });
    let project = Project::new();
    assert_eq!(latest(packument(settings(&server.url(), &project), "left")), "1.0.0");
    assert_eq!(problem(packument(settings(&server.url(), &project), "bomb")).code(), "bad-packument");
}

#[test]
fn settings_are_checked_at_the_start() {
    let check = |registry: &str| {
        let problem = problem(Client::start(Settings::new(registry, "/nowhere", NOW_S)));
        assert_eq!(problem.code(), "bad-setting");
        assert!(!problem.to_string().contains("secret"), "{problem}");
    };
    check("registry.test");
    check("ftp://registry.test/");
    check("file:///registry");
    check("user:secret@registry.test");
}

/// The only file in the cache.
fn cached_file(project: &Project) -> std::path::PathBuf {
    let only = |dir: std::path::PathBuf| {
        let mut entries = std::fs::read_dir(dir).expect("it is there");
        let first = entries.next().expect("not empty").expect("readable").path();
        assert!(entries.next().is_none(), "more than one");
        first
    };
    only(only(project.home().join("cache")))
}

#[test]
fn the_full_document_is_fetched_on_request_and_confirmed_in_full() {
    const FULL: &str = r#"{"versions":{"1.0.0":{}},"time":{"1.0.0":"2020-01-01T00:00:00.000Z"}}"#;
    let server = Server::start(|received| {
        let is_full = received.header("accept") == Some("application/json");
        match (is_full, received.header("if-none-match")) {
            (true, Some("\"full\"")) => Reply::new("304 Not Modified", &[("ETag", "\"full\"")], ""),
            (true, _) => Reply::new("200 OK", &[("ETag", "\"full\"")], FULL),
            (false, _) => Reply::new("200 OK", &[("ETag", "\"short\"")], LEFT),
        }
    });
    let project = Project::new();
    let settings = settings(&server.url(), &project);
    let short = packument(settings.clone(), "left").expect("it is there").expect("found");
    assert!(!short.has_publish_times());
    let full = {
        let client = client(settings.clone());
        client.request_full_packument(&name("left")).expect("the network is on");
        loop {
            if let Some(Arrival::Packument { result, .. }) = client.next() {
                break result.expect("it is there").expect("found");
            }
        }
    };
    assert!(full.has_publish_times());
    // From the cache, which the full document has replaced.
    let again = packument(settings.clone(), "left").expect("it is there").expect("found");
    assert!(again.has_publish_times());
    assert_eq!(server.received().len(), 3);
    let offline = Settings { freshness: Freshness::Offline, ..settings };
    assert!(client(offline).request_full_packument(&name("left")).is_err());
}
