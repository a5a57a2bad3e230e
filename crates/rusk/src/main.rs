//! The entry point of the binary `rusk`; everything else is in the library beside it.

#![no_main]

rusk_base::entry_point!(rusk::STARTUP_VARIABLES, rusk::begin, rusk::run);
