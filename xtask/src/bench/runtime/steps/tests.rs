//! Steps parsed from the output for people.

use super::read;

const OUTPUT: &str = "step                                                  from       took      share
before main, in CPU time                                      1.59 ms
make streams safe                                   541 ns      10 µs       0.0%
open the engine                                     233 µs    5.79 ms      43.5%
make a VM                                          5.82 ms     160 µs      12.0%
run our own scripts                                7.42 ms    2.08 ms      15.6%
load the program                                   9.51 ms     1.1 s       28.6%
between                                                        218 µs       0.2%
since main                                                     13.3 ms
";

#[test]
fn each_step_has_what_it_took() {
    let found: Vec<f64> = read(OUTPUT).expect("all are reported").into_iter().map(|(_, took)| took).collect();
    assert_eq!(found, [1.59, 5.79, 0.16, 2.08, 1100.0, 13.3]);
}

#[test]
fn a_step_that_is_not_reported_is_an_error() {
    let message = OUTPUT.replace("make a VM", "make tea");
    assert_eq!(read(&message), Err("`make a VM` is not reported".to_owned()));
}
