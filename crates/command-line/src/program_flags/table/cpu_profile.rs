//! Flags of CPU profiles. In: nothing. Out: rows of the table.

use super::{Action, ProgramFlag};

pub(super) const CPU_PROFILE: ProgramFlag = ProgramFlag {
    names: &["--cpu-prof"],
    value_name: None,
    help: "Write a CPU profile at the exit",
    action: Action::Pass,
};

pub(super) const DIRECTORY: ProgramFlag = ProgramFlag {
    names: &["--cpu-prof-dir"],
    value_name: Some("DIR"),
    help: "Directory of CPU profiles",
    action: Action::With("--cpu-prof"),
};

pub(super) const NAME: ProgramFlag = ProgramFlag {
    names: &["--cpu-prof-name"],
    value_name: Some("NAME"),
    help: "Name of the CPU profile",
    action: Action::With("--cpu-prof"),
};

pub(super) const INTERVAL: ProgramFlag = ProgramFlag {
    names: &["--cpu-prof-interval"],
    value_name: Some("MICROSECONDS"),
    help: "Time between two samples of a CPU profile",
    action: Action::With("--cpu-prof"),
};

pub(super) const DIAGNOSTIC_DIRECTORY: ProgramFlag = ProgramFlag {
    names: &["--diagnostic-dir"],
    value_name: Some("DIR"),
    help: "Directory of CPU profiles and diagnostic reports",
    action: Action::Pass,
};
