//! The client against scripted servers on loopback.

mod packuments;
mod redirects;
mod retries;
mod secure;
mod server;
mod tarballs;

use std::sync::Arc;
use std::time::Duration;

use rusk_base::{Problem, Result};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use rusk_testkit::project::Project;

use crate::Body;
use crate::{Arrival, Client, Delivery, Limits, Settings};

/// Current time in all tests.
const NOW_S: u64 = 1_800_000_000;

/// A packument with one version.
const LEFT: &str = r#"{"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"dependencies":{"right":"^2"}}}}"#;

/// Settings for a server, with a cache in `project` and short limits.
pub fn settings(registry: &str, project: &Project) -> Settings {
    let limits = Limits {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_secs(5),
        idle: Duration::from_secs(5),
        whole: Duration::from_secs(20),
        attempts: 3,
        backoff_first: Duration::from_millis(2),
        backoff_max: Duration::from_millis(20),
        tick: Duration::from_millis(20),
    };
    Settings { limits, ..Settings::new(registry, project.home().join("cache"), NOW_S) }
}

/// Settings without a cache: its directory cannot be created.
fn uncached(registry: &str) -> Settings {
    Settings { cache_dir: "/dev/null/cache".into(), ..settings(registry, &Project::new()) }
}

pub fn client(settings: Settings) -> Client {
    Client::start(settings).expect("the settings are in order")
}

pub fn name(text: &str) -> PackageName {
    PackageName::parse(text).expect(text)
}

/// Requests one packument and returns the result.
fn packument(settings: Settings, package: &str) -> Result<Option<Arc<Packument>>> {
    let client = client(settings);
    if let Some(known) = client.request_packument(&name(package)) {
        assert!(client.next().is_none(), "the result was returned at once");
        return known;
    }
    loop {
        match client.next().expect("one is outstanding") {
            Arrival::Packument { name: arrived, result } => {
                assert_eq!(arrived.as_str(), package);
                assert!(client.next().is_none(), "only one was requested");
                return result;
            }
            Arrival::Waiting { .. } | Arrival::Note { .. } => {}
            _ => panic!("no tarball was requested"),
        }
    }
}

/// Requests one tarball and returns the result.
fn tarball(settings: Settings, url: &str) -> Result<Body> {
    let client = client(settings);
    client.request_tarball(7, url, None, Delivery::Whole);
    loop {
        match client.next().expect("one is outstanding") {
            Arrival::Tarball { id, result } => {
                assert_eq!(id, 7);
                return result;
            }
            Arrival::Waiting { .. } | Arrival::Note { .. } => {}
            _ => panic!("nothing else was requested"),
        }
    }
}

fn latest(result: Result<Option<Arc<Packument>>>) -> String {
    let packument = result.unwrap_or_else(|problem| panic!("{problem}")).expect("there is such a package");
    packument.dist_tag("latest").expect("it has a latest").to_owned()
}

fn problem<T>(result: Result<T>) -> Problem {
    match result {
        Ok(_) => panic!("expected a problem"),
        Err(problem) => problem,
    }
}
