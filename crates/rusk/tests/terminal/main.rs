//! Commands on a terminal: what they draw, the keyboard, Ctrl-C.

mod create;
mod init;
mod install;
mod pseudo_terminal;
mod run;
mod update;
