//! Flags that are about V8. In: nothing. Out: rows of the table.

use super::{Action, ProgramFlag};

pub(super) const OPTIONS: ProgramFlag = ProgramFlag {
    names: &["--v8-options"],
    value_name: None,
    help: "Say that there are no options of V8, with exit code 0",
    action: Action::V8Options,
};

pub(super) const STACK_TRACE_LIMIT: ProgramFlag = ProgramFlag {
    names: &["--stack-trace-limit"],
    value_name: Some("COUNT"),
    help: "Maximum number of frames in a stack trace",
    action: Action::Pass,
};
