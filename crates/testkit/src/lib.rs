//! Support for tests and benchmarks: temporary projects, a registry on loopback, cases at the
//! command line and of module resolution; load, charts, programs with a time limit. Nothing that is
//! shipped depends on it.

pub mod addons;
pub mod attacks;
pub mod bar_chart;
pub mod bounded_process;
pub mod bundler_cases;
pub mod bundler_projects;
pub mod docs;
pub mod expected_output;
pub mod files;
pub mod image;
pub mod load_registry;
pub mod load_sockets;
pub mod process_tree;
pub mod project;
pub mod registry;
pub mod repository_server;
pub mod resolution;
pub mod server_process;
pub mod snapshot;
pub mod specs;
pub mod start;
pub mod tarball;
pub mod test_projects;
pub mod test_suites;
