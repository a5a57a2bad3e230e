//! Global object: which builtin defines each global of a program. This extension is written in
//! JavaScript alone.

rusk_runtime::extension!("globals", []);
