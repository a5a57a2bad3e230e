//! Tests of `protocol`.

use super::*;

#[test]
fn commands_and_notices_are_read_as_written() {
    for command in [
        WorkerCommand::Settings { token: "0123", settings: "{\"a\":1}" },
        WorkerCommand::Run { slot: 3, forks: true, request: "{\"files\":[]}" },
        WorkerCommand::Run { slot: 0, forks: false, request: "{}" },
        WorkerCommand::Kill { slot: 12 },
    ] {
        assert_eq!(WorkerCommand::parse(command.line().trim_end()), Some(command));
    }
    for notice in [
        Notice::Ended { slot: 1, end: RequestEnd::Code(7) },
        Notice::Ended { slot: 1, end: RequestEnd::Signal(11) },
        Notice::CannotFork { slot: 0 },
    ] {
        assert_eq!(Notice::parse(notice.line().trim_end()), Some(notice));
    }
}

#[test]
fn lines_of_another_form_are_refused() {
    for line in ["", "run", "run x {}", "kill", "kill -1", "ended 1 code", "fork 1"] {
        assert_eq!(WorkerCommand::parse(line).map(|_| ()), None, "{line}");
        assert_eq!(Notice::parse(line), None, "{line}");
    }
}

#[test]
fn each_slot_has_a_descriptor() {
    assert!(slot_fd(0) > CONTROL_FD);
    assert_eq!(slot_fd(1), slot_fd(0) + 1);
}
