//! When the screen moves, colours, and keeps to ASCII.

use super::*;
use crate::flags::parse::parse;

fn chosen(line: &str, environment: &[(&str, &str)], sink: Sink) -> Manner {
    let environment: BTreeMap<String, String> =
        environment.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let invocation = parse(line.split(' ').map(Into::into)).expect(line);
    Manner::choose(&invocation, Surroundings { environment: &environment, results: sink, notices: sink })
}

fn check_motion(line: &str, environment: &[(&str, &str)], sink: Sink, expected: Motion) {
    assert_eq!(chosen(line, environment, sink).motion, expected, "{line} {environment:?} {sink:?}");
}

#[test]
fn the_line_moves_only_where_somebody_looks() {
    let term = ("TERM", "xterm");
    check_motion("i", &[term], Sink::Terminal, Motion::Live);
    check_motion("i", &[term], Sink::Other, Motion::Lines);
    check_motion("i", &[term, ("CI", "true")], Sink::Terminal, Motion::Lines);
    check_motion("i", &[term, ("CI", "")], Sink::Terminal, Motion::Live);
    check_motion("i", &[term, ("CI", "false")], Sink::Terminal, Motion::Live);
    check_motion("i", &[("TERM", "dumb")], Sink::Terminal, Motion::Lines);
    check_motion("i", &[], Sink::Terminal, Motion::Lines);
    check_motion("i --silent", &[term], Sink::Terminal, Motion::None);
    check_motion("i --json", &[term], Sink::Terminal, Motion::None);
}

fn check_ink(line: &str, environment: &[(&str, &str)], sink: Sink, expected: Ink) {
    assert_eq!(chosen(line, environment, sink).results_ink, expected, "{line} {environment:?} {sink:?}");
}

#[test]
fn colour_is_asked_for_or_for_a_terminal() {
    let term = ("TERM", "xterm");
    check_ink("i", &[term], Sink::Terminal, Ink::Coloured);
    check_ink("i", &[term], Sink::Other, Ink::Plain);
    check_ink("i", &[term, ("NO_COLOR", "1")], Sink::Terminal, Ink::Plain);
    check_ink("i", &[term, ("NO_COLOR", "")], Sink::Terminal, Ink::Coloured);
    check_ink("i", &[("TERM", "dumb")], Sink::Terminal, Ink::Plain);
    check_ink("i --color=always", &[("NO_COLOR", "1")], Sink::Other, Ink::Coloured);
    check_ink("i --color=never", &[term], Sink::Terminal, Ink::Plain);
    check_ink("i --color=auto", &[term], Sink::Terminal, Ink::Coloured);
}

fn check_letters(environment: &[(&str, &str)], expected: Letters) {
    assert_eq!(chosen("i", environment, Sink::Other).letters, expected, "{environment:?}");
}

#[test]
fn the_locale_decides_the_letters() {
    check_letters(&[("LANG", "de_DE.UTF-8")], Letters::Unicode);
    check_letters(&[("LANG", "C.utf8")], Letters::Unicode);
    check_letters(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], Letters::Ascii);
    check_letters(&[("LC_ALL", ""), ("LANG", "C.UTF-8")], Letters::Unicode);
    check_letters(&[], Letters::Ascii);
}
