//! Operands and flags of the command line.

use super::super::parse::parse;
use super::*;

fn words(texts: &[&str]) -> Vec<OsString> {
    texts.iter().map(OsString::from).collect()
}

#[test]
fn a_name_that_looks_like_a_flag_is_an_operand() {
    let given = parse(words(&["approve", "--all", "--record", "-g"])).expect("a command line");
    for name in ["--no-jail", "-g", "left"] {
        let started = parse(arguments(name, &given).into_iter().skip(1)).expect("a command line");
        assert_eq!(started.operands, [name]);
        assert!(!started.is_on(Flag::NoJail), "{name}");
        assert!(started.is_on(Flag::Global) && started.is_on(Flag::Silent), "{name}");
    }
}
