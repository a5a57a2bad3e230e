//! The registry answered as npm's does, checked over a plain socket.

use super::*;
use std::io::{Read, Write};

fn server() -> Server {
    let left =
        Package::new("left").version("1.0.0", "{}").version("1.3.0", r#"{"dependencies":{"right":"^2"}}"#);
    let manifest = r##"{"scripts":{"install":"x"},"peerDependencies":{"left":"1"},"readme":"long",
        "+files":{"cli.js":"#!/bin/sh"}}"##;
    let ui = Package::new("@scope/ui").version("2.0.0", manifest);
    Server::start([left, ui])
}

/// Head and body of one answer; either end may close the connection first.
fn ask(server: &Server, path: &str, headers: &str) -> (String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    answer.split_once("\r\n\r\n").map(|(head, body)| (head.into(), body.into())).unwrap_or_default()
}

#[track_caller]
fn check(server: &Server, path: &str, headers: &str, status: u16) -> (String, String) {
    let (head, body) = ask(server, path, headers);
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {head}");
    (head, body)
}

#[test]
fn a_packument_names_versions_tags_and_tarballs() {
    let server = server();
    let (_, body) = check(&server, "/left", "", 200);
    let packument = json_of(&body);
    assert_eq!(packument.find("dist-tags").unwrap().find("latest").unwrap().as_str(), Some("1.3.0"));
    let dist = packument.find("versions").unwrap().find("1.3.0").unwrap().find("dist").unwrap();
    let tarball = dist.find("tarball").unwrap().as_str().unwrap();
    assert_eq!(tarball, format!("{}left/-/left-1.3.0.tgz", server.url()));
    assert_eq!(dist.find("integrity").unwrap().as_str().unwrap(), server.integrity("left", "1.3.0"));
    check(&server, "/left/-/left-1.3.0.tgz", "", 200);
    check(&server, "/left/-/left-9.0.0.tgz", "", 404);
    check(&server, "/nobody", "", 404);
}

#[test]
fn an_abbreviated_packument_says_less() {
    let server = server();
    let (_, full) = check(&server, "/@scope%2fui", "", 200);
    let (_, short) =
        check(&server, "/@scope%2Fui", &format!("accept: {}; q=1.0\r\n", package::ABBREVIATED), 200);
    assert!(full.contains("readme") && full.contains("\"time\"") && !full.contains("hasInstallScript"));
    assert!(
        !short.contains("readme")
            && !short.contains("\"time\"")
            && short.contains("\"hasInstallScript\":true")
    );
    assert_eq!(server.count("/@scope/ui"), 2);
}

#[test]
fn an_unchanged_packument_has_no_body() {
    let server = server();
    let (head, _) = check(&server, "/left", "", 200);
    let etag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let (_, body) = check(&server, "/left", &format!("If-None-Match: {etag}\r\n"), 304);
    assert_eq!(body, "");
    assert!(head.contains("cache-control: public, max-age=300"));
}

#[test]
fn faults_come_in_order_and_end() {
    let server = server();
    server.fail("/left", Fault::Status(500), 1);
    server.fail("/left", Fault::RetryAfter(2), 1);
    server.fail("/left", Fault::Close, 1);
    check(&server, "/left", "", 500);
    let (head, _) = check(&server, "/left", "", 429);
    assert!(head.contains("retry-after: 2"));
    assert_eq!(ask(&server, "/left", ""), Default::default());
    check(&server, "/left", "", 200);
}

#[test]
fn a_private_registry_wants_its_header() {
    let server = server();
    server.require_authorization("Bearer secret");
    check(&server, "/left", "", 401);
    check(&server, "/left", "authorization: Bearer other\r\n", 401);
    check(&server, "/left", "authorization: Bearer secret\r\n", 200);
}

#[test]
fn a_tarball_is_a_gzipped_tar_that_tar_reads() {
    let server = server();
    let tarball = server.shared.packages["@scope/ui"].tarball("2.0.0").unwrap();
    let mut tar = vec![0; 4096];
    let length = libdeflater::Decompressor::new().gzip_decompress(tarball, &mut tar).unwrap();
    let names: Vec<_> = tar[..length].chunks(512).filter(|block| &block[257..262] == b"ustar").collect();
    assert!(names[0].starts_with(b"package/package.json\0") && names[1].starts_with(b"package/cli.js\0"));
    assert_eq!(&names[1][100..107], b"0000755");
}

fn json_of(text: &str) -> rusk_npm::json::Node<'_> {
    rusk_npm::json::parse(text, rusk_npm::json::Dialect::Strict).unwrap()
}
