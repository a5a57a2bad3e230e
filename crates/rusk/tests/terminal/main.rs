//! Commands on a terminal: what they draw, the keyboard, Ctrl-C.

mod install;
mod pseudo_terminal;
mod run;
