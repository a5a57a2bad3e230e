//! Flags of bun for what servers, the console and `fetch` do by default. In: nothing. Out: rows of
//! the table. JavaScript reads them.

use super::{Action, ProgramFlag};

pub(super) const PORT: ProgramFlag = ProgramFlag {
    names: &["--port"],
    value_name: Some("PORT"),
    help: "Default port of `Bun.serve`",
    action: Action::Pass,
};

pub(super) const CONSOLE_DEPTH: ProgramFlag = ProgramFlag {
    names: &["--console-depth"],
    value_name: Some("DEPTH"),
    help: "Levels of nested objects that `console.log` prints",
    action: Action::Pass,
};

pub(super) const USER_AGENT: ProgramFlag = ProgramFlag {
    names: &["--user-agent"],
    value_name: Some("TEXT"),
    help: "Header field `User-Agent` of `fetch`, unless the program sets it",
    action: Action::Pass,
};
