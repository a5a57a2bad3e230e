//! Tests of the choice of progress, colors and character set.

use super::*;

fn chosen(line: &str, environment: &[(&str, &str)], stream: StreamTarget) -> OutputStyle {
    let environment: BTreeMap<String, String> =
        environment.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let has = |flag: &str| line.split(' ').any(|word| word == flag);
    let flags = OutputFlags {
        verbosity: if has("--silent") { Verbosity::Silent } else { Verbosity::Normal },
        format: if has("--json") { Format::Json } else { Format::Text },
        color: line.split_once("--color=").map(|(_, when)| when),
    };
    OutputStyle::choose(flags, OutputContext { environment: &environment, stdout: stream, stderr: stream })
}

fn check_progress(line: &str, environment: &[(&str, &str)], stream: StreamTarget, expected: ProgressStyle) {
    assert_eq!(chosen(line, environment, stream).progress, expected, "{line} {environment:?} {stream:?}");
}

#[test]
fn progress_is_redrawn_only_on_a_terminal() {
    let term = ("TERM", "xterm");
    check_progress("i", &[term], StreamTarget::Terminal, ProgressStyle::Redraw);
    check_progress("i", &[term], StreamTarget::Other, ProgressStyle::Lines);
    check_progress("i", &[term, ("CI", "true")], StreamTarget::Terminal, ProgressStyle::Lines);
    check_progress("i", &[term, ("CI", "")], StreamTarget::Terminal, ProgressStyle::Redraw);
    check_progress("i", &[term, ("CI", "false")], StreamTarget::Terminal, ProgressStyle::Redraw);
    check_progress("i", &[("TERM", "dumb")], StreamTarget::Terminal, ProgressStyle::Lines);
    check_progress("i", &[], StreamTarget::Terminal, ProgressStyle::Lines);
    check_progress("i --silent", &[term], StreamTarget::Terminal, ProgressStyle::None);
    check_progress("i --json", &[term], StreamTarget::Terminal, ProgressStyle::None);
}

fn check_color(line: &str, environment: &[(&str, &str)], stream: StreamTarget, expected: ColorMode) {
    assert_eq!(chosen(line, environment, stream).stdout_color, expected, "{line} {environment:?} {stream:?}");
}

#[test]
fn color_is_for_terminals_unless_a_flag_says_otherwise() {
    let term = ("TERM", "xterm");
    check_color("i", &[term], StreamTarget::Terminal, ColorMode::Color);
    check_color("i", &[term], StreamTarget::Other, ColorMode::Plain);
    check_color("i", &[term, ("NO_COLOR", "1")], StreamTarget::Terminal, ColorMode::Plain);
    check_color("i", &[term, ("NO_COLOR", "")], StreamTarget::Terminal, ColorMode::Color);
    check_color("i", &[("TERM", "dumb")], StreamTarget::Terminal, ColorMode::Plain);
    check_color("i --color=always", &[("NO_COLOR", "1")], StreamTarget::Other, ColorMode::Color);
    check_color("i --color=never", &[term], StreamTarget::Terminal, ColorMode::Plain);
    check_color("i --color=auto", &[term], StreamTarget::Terminal, ColorMode::Color);
}

fn check_charset(environment: &[(&str, &str)], expected: Charset) {
    assert_eq!(chosen("i", environment, StreamTarget::Other).charset, expected, "{environment:?}");
}

#[test]
fn the_locale_decides_the_character_set() {
    check_charset(&[("LANG", "de_DE.UTF-8")], Charset::Unicode);
    check_charset(&[("LANG", "C.utf8")], Charset::Unicode);
    check_charset(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], Charset::Ascii);
    check_charset(&[("LC_ALL", ""), ("LANG", "C.UTF-8")], Charset::Unicode);
    check_charset(&[], Charset::Ascii);
}
