//! Numbers of workers.

use super::worker_share;

#[test]
fn a_share_of_the_processors_is_one_at_least() {
    let check = |text, processors, expected| assert_eq!(worker_share(text, processors), expected, "{text}");
    check("50%", 8, Some(4));
    check("50%", 1, Some(1));
    check("0%", 8, Some(1));
    check("1000000%", 8, Some(256));
    check("4", 8, None);
    check("%", 8, None);
    check("-1%", 8, None);
}
