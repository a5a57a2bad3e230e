//! The entry point of the binary `rusk`; everything else is in the library beside it.

#![no_main]

rusk_base::begin_at!(rusk::STARTUP_VARIABLES, rusk::begin, rusk::run);
