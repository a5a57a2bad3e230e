//! What counts as growth.

use super::*;

#[test]
fn what_happens_while_it_warms_up_does_not_count() {
    let sizes: Vec<f64> = (0..600).map(|at| if at < 100 { at as f64 } else { 100.0 }).collect();
    assert_eq!(growth(&sizes).most, 0.0);
}

#[test]
fn garbage_that_comes_and_goes_is_no_growth() {
    let sizes: Vec<f64> = (0..600).map(|at| 100.0 + f64::from(at % 40)).collect();
    assert!(growth(&sizes).most <= GROWTH_MAX);
}

#[test]
fn what_grows_is_seen() {
    let sizes: Vec<f64> = (0..600).map(|at| 100.0 + f64::from(at) / 20.0).collect();
    assert!(growth(&sizes).most > GROWTH_MAX);
    assert!(growth(&[]).most > GROWTH_MAX, "nothing was seen");
}

#[test]
fn minutes_are_a_number() {
    let arguments = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(minutes(&arguments("--minutes 1.5 --no-keep")).unwrap(), (1.5, arguments("--no-keep")));
    assert!(minutes(&arguments("--minutes")).is_err());
    assert!(minutes(&arguments("--minutes 0")).is_err());
    assert!(minutes(&[]).is_err());
}
