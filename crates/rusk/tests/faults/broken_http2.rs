//! A registry over HTTP/2 that resets streams, leaves them half closed, goes away, and lies about
//! lengths and frames: of the packument, and of the tarball. A fault that stays fails the install
//! with the project as it was; one that happens once is passed over by a second request. After each
//! the next install succeeds, and the store verifies.

use std::path::Path;
use std::time::Duration;

use rusk_testkit::project::Project;
use rusk_testkit::registry::secure::CERTIFICATE;
use rusk_testkit::registry::{Fault, Http2Fault, Package, Server};

use super::sweep::{ALONE, rusk, whole};

const PACKUMENT: &str = "/left";
const TARBALL: &str = "/left/-/left-1.0.0.tgz";
const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

/// More than the client asks.
const EACH_TIME: usize = 1_000;

const NO_ERROR: u32 = 0;
const INTERNAL_ERROR: u32 = 2;
const REFUSED_STREAM: u32 = 7;
const ENHANCE_YOUR_CALM: u32 = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Failure,
    Success,
    /// It depends on which frame the client reads first.
    Either,
}

/// What happens when the fault stays, and when it happens once.
fn faults() -> Vec<(Fault, Expected, Expected)> {
    use Expected::{Either, Failure, Success};
    use Http2Fault::*;
    let broken = [
        Reset(NO_ERROR),
        Reset(INTERNAL_ERROR),
        Reset(REFUSED_STREAM),
        Reset(ENHANCE_YOUR_CALM),
        ResetAfterHead(INTERNAL_ERROR),
        ResetInBody(NO_ERROR),
        ResetInBody(INTERNAL_ERROR),
        GoAwayBefore(NO_ERROR),
        GoAwayBefore(ENHANCE_YOUR_CALM),
        GoAwayInBody(NO_ERROR),
        GoAwayInBody(INTERNAL_ERROR),
        CutInData,
        HeadOnly,
        HalfBody,
        Unended,
        EndsWithHead,
        EndsInBody,
        Length(1),
        Length(1_000_000),
        Length(-1),
        LargeFrame,
        BadHeaderBlock,
    ];
    let broken = broken.map(|fault| (Fault::Http2(fault), Failure, Success));
    let passing = [
        (Fault::Http2(Slow(64, Duration::from_millis(1))), Success, Success),
        (Fault::Http2(DataAfterEnd), Either, Success),
        (Fault::Status(503), Failure, Success),
    ];
    broken.into_iter().chain(passing).collect()
}

#[test]
fn a_broken_http2_registry_changes_nothing() {
    let _alone = ALONE.lock();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/registry");
    let server = Server::start_secure(Package::read_directory_packages(&fixtures));
    check(&server, PACKUMENT, None, Expected::Success);
    for path in [PACKUMENT, TARBALL] {
        for (fault, stays, once) in faults() {
            check(&server, path, Some((&fault, EACH_TIME)), stays);
            check(&server, path, Some((&fault, 1)), once);
        }
        check(&server, path, Some((&Fault::WrongBytes, EACH_TIME)), Expected::Failure);
    }
}

fn check(server: &Server, path: &str, fault: Option<(&Fault, usize)>, expected: Expected) {
    let project = Project::in_memory();
    project.write("package.json", MANIFEST);
    project.write("ca.pem", CERTIFICATE);
    let settings =
        "fetch-retries=1\nfetch-retry-mintimeout=1\nfetch-retry-maxtimeout=1\nfetch-timeout=1000\n";
    let ca = project.path().join("ca.pem");
    project.write(".npmrc", format!("registry={}\ncafile={}\n{settings}", server.url(), ca.display()));
    if let Some((fault, times)) = fault {
        server.fail(path, fault.clone(), times);
    }
    let output = rusk(&project, &["install"]);
    server.forget_faults();
    let case = format!("{fault:?} of {path}: {}", String::from_utf8_lossy(&output.stderr));
    let code = output.status.code();
    match expected {
        Expected::Success => assert_eq!(code, Some(0), "{case}"),
        Expected::Failure => assert_eq!(code, Some(2), "{case}"),
        Expected::Either => assert!(matches!(code, Some(0 | 2)), "{case}"),
    }
    if code != Some(0) {
        for made in ["node_modules", "bun.lock", ".rusk-staging"] {
            assert!(!project.path().join(made).exists(), "{made}; {case}");
        }
    }
    whole(&project, &["left/index.js", "tool/cli.js"]).unwrap_or_else(|reason| panic!("{reason}; {case}"));
}
