//! Output of `rusk trace`. In: a report of `rusk-observe`. Out: JSON, an HTML page; also stored
//! reports, read for a comparison. Absent: the table, which `rusk-observe` writes itself, and how
//! calls are seen.

pub mod json;
pub mod page;
pub mod stored_report;
