//! The line and what is left of it in a log.

use super::*;

fn at(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn resolving_and_downloading_share_the_line() {
    let mut progress = Progress::default();
    assert_eq!(progress.line(at(0)), "");
    progress.begin(Phase::Resolve, at(0));
    assert_eq!(progress.line(at(0)), "resolving");
    progress.resolving(312, 400);
    assert_eq!(progress.line(at(0)), "resolving 312/400");
    progress.downloading(at(0), 0, 10, 0);
    progress.downloading(at(1000), 4, 10, 4_200_000);
    assert_eq!(progress.line(at(1000)), "resolving 312/400  downloading 4/10, 4.2 MB, 4.2 MB/s");
    progress.begin(Phase::Link, at(2000));
    progress.downloading(at(2000), 10, 10, 9_000_000);
    progress.linking(3, 10);
    assert_eq!(progress.line(at(2000)), "linking 3/10");
}

#[test]
fn the_rate_is_that_of_the_last_two_seconds() {
    let mut progress = Progress::default();
    progress.begin(Phase::Fetch, at(0));
    for step in 0..200 {
        progress.downloading(at(step * 50), 1, 9, if step < 100 { step * 50_000 } else { 5_000_000 });
    }
    assert_eq!(progress.line(at(9_950)), "downloading 1/9, 5.0 MB, 0 B/s");
    assert!(progress.samples.len() <= SAMPLES_MAX);
}

#[test]
fn a_wait_is_shown_for_a_while() {
    let mut progress = Progress::default();
    progress.begin(Phase::Resolve, at(0));
    progress.wait(at(0), "waiting for registry.test (12 s)".to_owned());
    assert_eq!(progress.line(at(100)), "waiting for registry.test (12 s)  resolving");
    assert_eq!(progress.line(at(3000)), "resolving");
}

#[test]
fn a_phase_that_did_nothing_leaves_nothing() {
    let mut progress = Progress::default();
    assert_eq!(progress.ended(at(0)), None);
    progress.begin(Phase::Resolve, at(0));
    assert_eq!(progress.ended(at(5)), None);
    progress.begin(Phase::Resolve, at(0));
    progress.resolving(1, 1);
    assert_eq!(progress.ended(at(310)).as_deref(), Some("resolved 1 manifest [310ms]"));
    assert_eq!(progress.ended(at(310)), None);
}
