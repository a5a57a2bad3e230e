//! Package installer: resolve, plan, fetch, link, run the project's scripts. In: an
//! [`InstallRequest`] and a [`HostEnvironment`], both plain values. Out: a [`Summary`], and
//! [`InstallEvent`]s on the way. Absent: printing, exiting, reading the environment, a JavaScript
//! engine.

mod apply;
mod binary_lockfile;
pub mod closure_uses;
mod context;
mod decide;
pub mod dependency_scripts;
mod development_engines;
mod downloads;
mod edit;
mod edit_lock;
mod engines;
pub mod event;
pub mod exec_cache;
mod fetch;
pub mod foreign_node_modules;
mod install;
mod installable;
mod installed_scan;
pub mod layout;
mod link;
mod member_entries;
pub mod migrate;
mod package_provider;
pub mod patches;
mod plan;
mod platform;
mod problem;
pub mod project;
pub mod project_code;
pub mod prune;
mod release_age;
mod release_checks;
mod release_facts;
pub mod scripts;
pub mod security_scan;
pub mod selection;
mod shared;
mod signatures;
mod state;
pub mod store_keys;
pub mod stored;
pub mod summary;
mod unstated;
mod unverified;
mod up_to_date;
pub mod virtual_store;
pub mod workspaces;

pub use edit_lock::lock_for_edit;
pub use event::{InstallEvent, Reporter};
pub use install::{fetch_locked, install, install_configured, review_scripts};
pub use release_age::release_age;
pub use rusk_configuration::request::{HostEnvironment, InstallRequest};
pub use state::cache_prefix;
pub use summary::Summary;
