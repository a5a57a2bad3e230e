//! `rusk trace`: a report of `rusk-observe` as what a user reads. In: a report. Out: JSON, a page;
//! and what a stored report said. Absent: the table, which `rusk-observe` writes itself, and how
//! calls are seen.

pub mod json;
pub mod page;
pub mod read;
