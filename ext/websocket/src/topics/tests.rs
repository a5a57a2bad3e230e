//! Tests of `topics`.

use super::*;

#[test]
fn subscribers_come_and_go() {
    let mut topics = TopicTable::default();
    let (first, second) = (topics.make_group(), topics.make_group());
    let number = topics.subscribe(first, "news", 1).unwrap();
    assert_eq!(topics.subscribe(first, "news", 1), None);
    for slot in [2, 3] {
        assert_eq!(topics.subscribe(first, "news", slot), Some(number));
    }
    assert_eq!(topics.find(second, "news"), None);
    assert!(topics.unsubscribe(number, 1));
    assert!(!topics.unsubscribe(number, 1));
    assert_eq!(topics.subscribers(number), [3, 2]);
    assert!(topics.is_subscribed(number, 3) && !topics.is_subscribed(number, 1));
    assert!(topics.unsubscribe(number, 3) && topics.unsubscribe(number, 2));
    assert_eq!((topics.find(first, "news"), topics.name(number)), (None, None));
    assert_eq!(topics.subscribe(second, "other", 5), Some(number));
    assert_eq!(topics.name(number), Some("other"));
}
