//! Installs against a registry on loopback, in one program: each links the whole installer.

mod exec_cache;
mod frozen;
mod round_trip;
mod signatures;
mod up_to_date;
