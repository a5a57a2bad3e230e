//! Starts and reaps children, with the time of each. In: a method and a count. Out: [`Samples`].

use crate::method::Method;
use crate::scenario::{Scenario, Watch};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// One sample for each child, measured from before its start.
#[derive(Default)]
pub struct Samples {
    /// Until the start's call returned.
    pub call: Vec<Duration>,
    /// Until the parent could know that the program runs; empty if that was not requested.
    pub exec: Vec<Duration>,
    pub reaped: Vec<Duration>,
}

/// Starts `count` children, with as many alive as the scenario requires; the oldest is reaped
/// before the next start.
pub fn run<M: Method>(method: &mut M, scenario: &Scenario, count: usize) -> io::Result<Samples> {
    let mut samples = Samples::default();
    let mut alive: VecDeque<(M::Child, Instant)> = VecDeque::with_capacity(scenario.flight);
    for _ in 0..count {
        if alive.len() == scenario.flight {
            reap(method, &mut alive, &mut samples)?;
        }
        let began = Instant::now();
        let mut child = method.start();
        samples.call.push(began.elapsed());
        if scenario.watches_start() {
            child = child.and_then(|mut child| method.wait_started(&mut child).map(|()| child));
            samples.exec.push(began.elapsed());
        }
        match child {
            Ok(_) if scenario.watch == Watch::Failure => {
                return Err(io::Error::other("what does not exist was started"));
            }
            Ok(child) => alive.push_back((child, began)),
            Err(error) if scenario.watch == Watch::Failure && error.kind() == io::ErrorKind::NotFound => {
                samples.reaped.push(began.elapsed());
            }
            Err(error) => return Err(error),
        }
    }
    while !alive.is_empty() {
        reap(method, &mut alive, &mut samples)?;
    }
    Ok(samples)
}

fn reap<M: Method>(
    method: &mut M,
    alive: &mut VecDeque<(M::Child, Instant)>,
    samples: &mut Samples,
) -> io::Result<()> {
    let Some((mut child, began)) = alive.pop_front() else { return Ok(()) };
    method.wait(&mut child)?;
    samples.reaped.push(began.elapsed());
    Ok(())
}
