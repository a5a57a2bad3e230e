//! Rules, and which addresses they mean.

use super::*;

fn address(text: &str) -> IpAddr {
    let family = if text.contains(':') { Family::V6 } else { Family::V4 };
    parse(text, family).expect("an address")
}

/// `a`, `a-b`, `a/8`.
fn rule(text: &str) -> Rule {
    if let Some((start, end)) = text.split_once('-') {
        return Rule::Range(address(start), address(end));
    }
    match text.split_once('/') {
        Some((network, prefix)) => Rule::Subnet(address(network), prefix.parse().expect("a number")),
        None => Rule::Address(address(text)),
    }
}

fn list(rules: &[&str]) -> BlockList {
    let list = BlockList::default();
    for text in rules {
        list.add(rule(text)).expect("it is not backwards");
    }
    list
}

#[track_caller]
fn check(rules: &[&str], refused: &[&str], welcome: &[&str]) {
    let list = list(rules);
    for text in refused {
        assert!(list.contains(address(text)), "{text} is in {rules:?}");
    }
    for text in welcome {
        assert!(!list.contains(address(text)), "{text} is not in {rules:?}");
    }
}

#[test]
fn an_address_is_refused_in_both_its_forms() {
    check(&["1.1.1.1"], &["1.1.1.1", "::ffff:1.1.1.1"], &["1.1.1.2", "::1.1.1.1", "::ffff:1.1.1.2"]);
    check(&["::ffff:1.1.1.2", "::1"], &["1.1.1.2", "::1"], &["0.0.0.1", "::ffff:0.0.0.1"]);
}

#[test]
fn both_ends_of_a_range_belong_to_it() {
    check(&["1.1.1.1-1.1.1.10"], &["1.1.1.1", "1.1.1.10", "::ffff:1.1.1.5"], &["1.1.1.0", "1.1.1.11", "::5"]);
    check(&["0.0.0.0-255.255.255.255"], &["0.0.0.0", "255.255.255.255"], &["::", "::1:0:0:0"]);
    let all = "::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
    check(&[all], &["::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "::ffff:1.2.3.4"], &["1.2.3.4"]);
}

#[test]
fn a_range_of_two_families_holds_what_both_can_be_compared_with() {
    check(&["1.1.1.1-::ffff:1.1.1.9"], &["1.1.1.5", "::ffff:1.1.1.5"], &["1.1.1.0", "1.1.1.10"]);
    check(&["1.1.1.1-::2:0:0:0"], &["::ffff:1.1.1.5"], &["1.1.1.5", "::1:0:0:0"]);
    check(&["1.1.1.1-::1"], &[], &["1.1.1.1", "::1", "::ffff:1.1.1.1"]);
}

#[test]
fn a_subnet_counts_its_bits() {
    check(&["10.0.0.0/27"], &["10.0.0.0", "10.0.0.31", "::ffff:10.0.0.31"], &["10.0.0.32", "9.255.255.255"]);
    check(&["1.2.3.4/0"], &["0.0.0.0", "255.255.255.255"], &["::", "::1.2.3.4"]);
    check(&["::/0"], &["::", "1.2.3.4"], &[]);
    check(&["::ffff:10.0.0.0/104"], &["10.1.1.1", "::ffff:10.1.1.1"], &["11.0.0.0"]);
    check(&["8592:757c:efaf::/51"], &["8592:757c:efaf:1fff::1"], &["8592:757c:efaf:2fff::"]);
    check(&["1.1.1.1/32", "::5/128"], &["1.1.1.1", "::5"], &["1.1.1.2", "::6"]);
}

#[test]
fn a_range_that_ends_before_it_begins_is_refused() {
    let list = BlockList::default();
    for text in ["1.1.1.2-1.1.1.1", "::2-::1", "1.1.1.2-::ffff:1.1.1.1", "::ffff:1.1.1.2-1.1.1.1"] {
        assert_eq!(list.add(rule(text)), Err(Backwards), "{text}");
    }
    assert!(list.rules().is_empty());
}

#[test]
fn rules_are_rendered_as_by_node_newest_first() {
    let rules =
        list(&["1.1.1.1", "1.1.1.1", "::ABCD-::ffff", "1.2.3.4/8", "::1.2.3.4", "1.1.1.1-::1"]).rules();
    assert_eq!(
        rules,
        [
            "Range: IPv4 1.1.1.1-::1",
            "Address: IPv6 ::1.2.3.4",
            "Subnet: IPv4 1.2.3.4/8",
            "Range: IPv6 ::abcd-::ffff",
            "Address: IPv4 1.1.1.1",
            "Address: IPv4 1.1.1.1",
        ]
    );
}

#[test]
fn addresses_are_read_as_the_c_library_reads_them() {
    for wrong in ["", "x", "01.1.1.1", "1.1.1", "1.1.1.1.1", "1.1.1.1 ", "::1", "256.1.1.1"] {
        assert_eq!(parse(wrong, Family::V4), None, "{wrong}");
    }
    for wrong in ["", "1.1.1.1", ":::", "1::2::3", "12345::", "[::1]"] {
        assert_eq!(parse(wrong, Family::V6), None, "{wrong}");
    }
    let six = |text| parse(text, Family::V6).map(render);
    assert_eq!(six("FE80:0:0::1%eth0").as_deref(), Some("fe80::1"));
    assert_eq!(six("::ffff:102:304").as_deref(), Some("::ffff:1.2.3.4"));
}

#[test]
fn spans_that_touch_are_one() {
    let mut spans = Spans::default();
    for (low, high) in [(10, 19), (30, 39), (20, 29), (50, 50), (0, 5), (4, 60)] {
        spans.add(Span { low, high });
    }
    assert_eq!(spans.count(), 1);
    assert!(spans.contains(0) && spans.contains(60) && !spans.contains(61));
    spans.add(Span { low: u128::MAX - 1, high: u128::MAX });
    spans.add(Span { low: u128::MAX, high: u128::MAX });
    assert_eq!(spans.count(), 2);
}

/// Against a list that is looked through rule by rule.
#[test]
fn many_rules_answer_as_each_of_them_would() {
    let mut seed = 1_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let list = BlockList::default();
    let mut spans = Vec::new();
    for _ in 0..2000 {
        let (low, length) = (next(100_000) as u32, next(30) as u32);
        let ends = [low, low + length].map(|bits| IpAddr::V4(bits.into()));
        list.add(Rule::Range(ends[0], ends[1])).expect("it is not backwards");
        spans.push(low..=low + length);
    }
    for bits in 0..100_100_u32 {
        let wanted = spans.iter().any(|span| span.contains(&bits));
        assert_eq!(list.contains(IpAddr::V4(bits.into())), wanted, "{bits}");
    }
}

#[test]
fn threads_share_a_list() {
    let list = std::sync::Arc::new(BlockList::default());
    let threads: Vec<_> = (0..4_u32)
        .map(|number| {
            let list = std::sync::Arc::clone(&list);
            std::thread::spawn(move || {
                for low in 0..500_u32 {
                    list.add(Rule::Address(IpAddr::V4((number * 1_000 + low).into()))).expect("an address");
                    assert!(list.contains(IpAddr::V4((number * 1_000 + low).into())));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("it ends well");
    }
    assert_eq!(list.rules().len(), 2000);
}
