//! Extension `bundler`: `Bun.build` and plugins of builds. In: options, plugins. Out: builds on
//! threads of their own, their requests to plugins, their outputs. Absent: the bundler
//! (`rusk_bundler`).

mod build;
mod events;
mod options;
mod output;

pub use build::plugins_of_server;

rusk_runtime::extension!("bundler", [("bundler", build::make)]);
