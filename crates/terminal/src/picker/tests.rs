//! Tests of the selection list: keys, picks, and lines that fit the terminal.

use std::collections::BTreeMap;

use super::*;
use crate::style::{OutputContext, StreamTarget};

fn row(group: &str, name: &str, versions: [&str; 3]) -> PickerRow {
    let [current, target, latest] = versions.map(str::to_owned);
    PickerRow { group: group.to_owned(), name: name.to_owned(), current, target, latest }
}

fn picker() -> Picker {
    let rows = vec![
        row("dependencies", "left", ["1.0.0", "1.3.0", "2.1.0"]),
        row("dependencies", "right", ["1.0.0", "1.0.0", "2.0.0"]),
        row("devDependencies", "tool", ["1.0.0", "1.1.0", "1.1.0"]),
    ];
    Picker::new(rows, false)
}

fn press(picker: &mut Picker, bytes: &str) -> PickerState {
    let (keys, used) = parse_keys(bytes.as_bytes(), true);
    assert_eq!(used, bytes.len());
    keys.into_iter().map(|key| picker.press(key)).last().expect("a key")
}

fn frame(picker: &Picker, rows: usize, columns: usize) -> Vec<String> {
    let environment = BTreeMap::new();
    let context =
        OutputContext { environment: &environment, stdout: StreamTarget::Other, stderr: StreamTarget::Other };
    picker.frame(TerminalSize { rows, columns }, &OutputStyle::plain(context))
}

#[test]
fn keys_pick_versions() {
    let check = |keys: &str, expected: [Pick; 3], state: PickerState| {
        let mut picker = picker();
        assert_eq!((press(&mut picker, keys), picker.picks()), (state, &expected[..]), "{keys:?}");
    };
    use Pick::{Latest, Nothing, Target};
    check(" ", [Target, Nothing, Nothing], PickerState::Open);
    check("  ", [Nothing, Nothing, Nothing], PickerState::Open);
    check("j \r", [Nothing, Latest, Nothing], PickerState::Confirmed);
    check("\x1b[B\x1b[B \x1b[A ", [Nothing, Latest, Target], PickerState::Open);
    check("\x1bOA ", [Nothing, Nothing, Target], PickerState::Open);
    check("l", [Latest, Nothing, Nothing], PickerState::Open);
    check("ll", [Target, Nothing, Nothing], PickerState::Open);
    check("jll", [Nothing, Latest, Nothing], PickerState::Open);
    check("a", [Target, Latest, Target], PickerState::Open);
    check("aa", [Nothing; 3], PickerState::Open);
    check("G gx\x1b[15~ ", [Target, Nothing, Target], PickerState::Open);
    check(" \x1b", [Target, Nothing, Nothing], PickerState::Cancelled);
    check("q", [Nothing; 3], PickerState::Cancelled);
    check("\x03", [Nothing; 3], PickerState::Interrupted);
}

#[test]
fn a_sequence_may_arrive_in_pieces() {
    assert_eq!(parse_keys(b"j\x1b", false), (vec![PickerKey::Down], 1));
    assert_eq!(parse_keys(b"\x1b[", false), (vec![], 0));
    assert_eq!(parse_keys(b"\x1b[1;5", false), (vec![], 0));
    assert_eq!(parse_keys(b"\x1b[1;5A", false), (vec![PickerKey::Other], 6));
    assert_eq!(parse_keys(b"\x1b", true), (vec![PickerKey::Cancel], 1));
    assert_eq!(parse_keys(b"\xff\x00", true).0, [PickerKey::Other, PickerKey::Other]);
}

#[test]
fn the_list_has_groups_and_columns() {
    let mut picker = picker();
    press(&mut picker, " jjl");
    assert_eq!(
        frame(&picker, 24, 80),
        [
            "Choose updates (2 of 3)",
            "      dependencies     Current  Target   Latest",
            "  [x] left             1.0.0    1.3.0    2.1.0",
            "  [ ] right            1.0.0    1.0.0    2.0.0",
            "      devDependencies  Current  Target   Latest",
            "> [L] tool             1.0.0    1.1.0    1.1.0",
            "space pick  l latest  a all  enter update  q cancel",
        ]
    );
}

#[test]
fn lines_fit_the_terminal() {
    let version = "1.0.0-alpha.20261124101112+build.1";
    let rows = (0..40).map(|at| {
        row(
            "dependencies (@team/a-package)",
            &format!("@scope/{}{at}", "long".repeat(20)),
            [version, version, "2"],
        )
    });
    let mut picker = Picker::new(rows.collect(), true);
    for _ in 0..50 {
        picker.press(PickerKey::Down);
        let lines = frame(&picker, 10, 80);
        assert!(lines.len() < 10, "{lines:#?}");
        assert!(lines.iter().all(|line| columns(line) < 80), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with('>')), "{lines:#?}");
    }
}
