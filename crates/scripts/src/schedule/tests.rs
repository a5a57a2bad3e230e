//! Tests of the order of tasks.

use super::*;

/// Starts everything that may start; running tasks end one after another, the oldest first. Each
/// line is what was started together.
fn check(waits: &[&[usize]], running_max: usize, expected: &[&[usize]]) {
    let mut schedule = Schedule::new(waits.iter().map(|waits| waits.to_vec()).collect(), running_max);
    let mut running = std::collections::VecDeque::new();
    let mut found: Vec<Vec<usize>> = Vec::new();
    loop {
        let started: Vec<usize> = std::iter::from_fn(|| schedule.start_next()).collect();
        running.extend(&started);
        if !started.is_empty() {
            found.push(started);
        }
        match running.pop_front() {
            Some(task) => schedule.end(task),
            None => break,
        }
    }
    assert_eq!(found, expected, "{waits:?}");
    assert_eq!(schedule.count(TaskState::Ended), waits.len());
}

#[test]
fn tasks_that_wait_for_nothing_start_together_up_to_the_limit() {
    check(&[&[], &[], &[]], 8, &[&[0, 1, 2]]);
    check(&[&[], &[], &[]], 2, &[&[0, 1], &[2]]);
    check(&[&[], &[], &[]], 1, &[&[0], &[1], &[2]]);
    check(&[], 4, &[]);
}

#[test]
fn a_task_starts_after_those_it_waits_for() {
    check(&[&[1], &[2], &[]], 8, &[&[2], &[1], &[0]]);
    check(&[&[], &[0], &[0], &[1, 2]], 8, &[&[0], &[1, 2], &[3]]);
    check(&[&[2], &[], &[]], 8, &[&[1, 2], &[0]]);
}

#[test]
fn tasks_in_a_cycle_run_all_the_same() {
    check(&[&[1], &[0]], 8, &[&[0], &[1]]);
    check(&[&[1], &[2], &[1], &[]], 8, &[&[3], &[0], &[1], &[2]]);
    check(&[&[0]], 8, &[&[0]]);
}

#[test]
fn what_a_task_waits_for_becomes_less() {
    let mut schedule = Schedule::new(vec![vec![], vec![], vec![0, 1]], 8);
    schedule.start_next();
    schedule.end(0);
    assert_eq!(schedule.pending(2).collect::<Vec<_>>(), [1]);
    assert_eq!(schedule.in_state(TaskState::Waiting).collect::<Vec<_>>(), [1, 2]);
}
