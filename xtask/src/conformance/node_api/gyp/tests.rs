//! Targets of small files.

use super::{GypTarget, targets};

#[test]
fn targets_have_sources_and_definitions() {
    let text = "{
      'targets': [
        { 'target_name': 'one', 'sources': [ 'one.c', \"more.h\", ] },
        # A comment: 'ignored'.
        { 'target_name': 'two', 'defines': [ 'A=1', 'B' ], 'sources': [ 'two.cc' ] },
      ] }";
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let target = |name: &str, sources: &[&str], defines: &[&str]| GypTarget {
        name: name.to_owned(),
        sources: list(sources),
        defines: list(defines),
    };
    let wanted = [target("one", &["one.c", "more.h"], &[]), target("two", &["two.cc"], &["A=1", "B"])];
    assert_eq!(targets(text), wanted);
}
