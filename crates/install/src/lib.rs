//! Installing: resolve, plan, fetch, link, run the project's scripts. In: a [`Request`] and a
//! [`Host`], both plain values. Out: a [`Summary`], and [`Event`]s on the way. Absent: printing,
//! exits, the environment, a JavaScript engine.

mod apply;
pub mod brought;
pub mod configuration;
mod decide;
mod downloads;
mod edit;
mod effective;
mod engines;
pub mod event;
mod fetch;
pub mod hoist;
mod install;
pub mod isolate;
pub mod layout;
mod link;
mod look;
mod plan;
mod platform;
mod problem;
pub mod project;
pub mod prune;
pub mod repository;
pub mod request;
pub mod resolve;
pub mod scripts;
mod settings;
mod shared;
mod shop;
mod site;
mod source;
mod state;
mod still;
pub mod summary;
pub mod transient;
mod uses;
pub mod workspaces;

pub use event::{Event, Events};
pub use install::install;
pub use request::{Host, Request};
pub use summary::Summary;
