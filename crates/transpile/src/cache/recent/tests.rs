//! What is kept, and for how long.

use super::{BYTES_MAX, Recent};
use crate::options::{Language, Options};
use crate::script::Script;
use crate::transpile::transpile;

fn script(text: String) -> Script {
    let options = Options::new(Language::TypeScript, None);
    Script { text: Some(text), ..transpile("export {}", "/a.ts", &options).expect("it is valid") }
}

#[test]
fn a_script_is_kept_when_it_comes_again() {
    let mut recent = Recent::default();
    let own = script("a".to_owned());
    recent.add([1; 16], &own);
    assert!(recent.find(&[1; 16]).is_none());
    recent.add([1; 16], &own);
    assert_eq!(recent.find(&[1; 16]).expect("it came twice").text, own.text);
}

#[test]
fn kept_scripts_have_a_limit() {
    let mut recent = Recent::default();
    let half = script("a".repeat(BYTES_MAX / 2 + 1));
    for key in [[1; 16], [1; 16], [2; 16], [2; 16]] {
        recent.add(key, &half);
    }
    assert!(recent.find(&[1; 16]).is_none() && recent.find(&[2; 16]).is_some());
}
