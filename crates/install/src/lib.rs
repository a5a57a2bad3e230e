//! Installing: resolve, plan, fetch, link, run the project's scripts.
//! In: a [`Request`] and a [`Host`], both plain values. Out: a [`Summary`], and [`Event`]s on the way.
//! Absent: printing, exits, the environment, a JavaScript engine.

pub mod configuration;
pub mod event;
mod problem;
pub mod request;
pub mod scripts;
pub mod summary;
pub mod workspaces;

pub use configuration::Configuration;
pub use event::{Event, Events};
pub use request::{Host, Request};
pub use summary::Summary;
