//! A registry that breaks connections, lies about lengths and bytes, is busy, or sends in circles.
//! The install fails with the project as it was, and the next one succeeds; or it succeeds.

use std::time::Duration;

use rusk_testkit::registry::{Fault, Server};

use super::sweep::{ALONE, registry, rusk, whole};
use rusk_testkit::project::Project;

const PACKUMENT: &str = "/left";
const TARBALL: &str = "/left/-/left-1.0.0.tgz";
const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

/// More than the client asks.
const EACH_TIME: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Failure,
    Success,
}

fn faults(server: &Server, path: &str) -> Vec<(Fault, Expected)> {
    let fails = [
        Fault::Status(403),
        Fault::Status(404),
        Fault::Status(429),
        Fault::Status(500),
        Fault::Status(503),
        Fault::RetryAfter(0),
        Fault::Redirect(format!("{}{}", server.url(), path.trim_start_matches('/'))),
        Fault::Close,
        Fault::HalfBody,
        // In the status line, in a header, after the head, within and before the end of the body.
        Fault::Cut(1),
        Fault::Cut(9),
        Fault::Cut(20),
        Fault::Cut(60),
        Fault::Cut(-1),
        Fault::Cut(-100),
        Fault::Length(1),
        Fault::Length(1_000_000),
        Fault::Length(-1),
        Fault::Body(Vec::new()),
        Fault::Body(b"{}".to_vec()),
        Fault::Body(b"<html>".to_vec()),
    ];
    let succeeds = [Fault::Delay(Duration::from_millis(50)), Fault::Slow(64, Duration::from_millis(1))];
    let wrong = (path == TARBALL).then_some(Fault::WrongBytes);
    let fails = fails.into_iter().chain(wrong).map(|fault| (fault, Expected::Failure));
    fails.chain(succeeds.map(|fault| (fault, Expected::Success))).collect()
}

#[test]
fn a_broken_registry_changes_nothing() {
    let _alone = ALONE.lock();
    let server = registry();
    for path in [PACKUMENT, TARBALL] {
        for (fault, expected) in faults(&server, path) {
            check(&server, path, &fault, expected);
        }
    }
}

fn check(server: &Server, path: &str, fault: &Fault, expected: Expected) {
    let project = Project::in_memory();
    project.write("package.json", MANIFEST);
    let settings =
        "fetch-retries=1\nfetch-retry-mintimeout=1\nfetch-retry-maxtimeout=1\nfetch-timeout=5000\n";
    project.write(".npmrc", format!("registry={}\n{settings}", server.url()));
    server.fail(path, fault.clone(), EACH_TIME);
    let output = rusk(&project, &["install"]);
    server.forget_faults();
    let case = format!("{fault:?} of {path}: {}", String::from_utf8_lossy(&output.stderr));
    match expected {
        Expected::Success => assert_eq!(output.status.code(), Some(0), "{case}"),
        Expected::Failure => {
            assert_eq!(output.status.code(), Some(2), "{case}");
            for made in ["node_modules", "bun.lock", ".rusk-staging"] {
                assert!(!project.path().join(made).exists(), "{made}; {case}");
            }
        }
    }
    whole(&project, &["left/index.js", "tool/cli.js"]).unwrap_or_else(|reason| panic!("{reason}; {case}"));
}
