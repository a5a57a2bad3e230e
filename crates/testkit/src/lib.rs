//! What tests stand on: temporary projects, a registry on loopback. For tests alone; nothing that is shipped
//! depends on it.

pub mod project;
pub mod registry;
