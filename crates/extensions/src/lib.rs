//! Extensions of the runtime: the one list of all features. A new feature is a directory in `ext/`
//! and a line here.

pub use rusk_ext_test_runner as test_runner;
use rusk_runtime::{Extension, Settings};

pub static EXTENSIONS: &[&Extension] = &[
    &rusk_ext_addons::EXTENSION,
    &rusk_ext_async_hooks::EXTENSION,
    &rusk_ext_buffer::EXTENSION,
    &rusk_ext_bun::EXTENSION,
    &rusk_ext_bundler::EXTENSION,
    &rusk_ext_cluster::EXTENSION,
    &rusk_ext_compression::EXTENSION,
    &rusk_ext_console::EXTENSION,
    &rusk_ext_cookies::EXTENSION,
    &rusk_ext_crypto::EXTENSION,
    &rusk_ext_data_formats::EXTENSION,
    &rusk_ext_dev_server::EXTENSION,
    &rusk_ext_errors::EXTENSION,
    &rusk_ext_events::EXTENSION,
    &rusk_ext_expect::EXTENSION,
    &rusk_ext_fetch::EXTENSION,
    &rusk_ext_ffi::EXTENSION,
    &rusk_ext_fs::EXTENSION,
    &rusk_ext_globals::EXTENSION,
    &rusk_ext_html_rewriter::EXTENSION,
    &rusk_ext_http::EXTENSION,
    &rusk_ext_http2::EXTENSION,
    &rusk_ext_inspector::EXTENSION,
    &rusk_ext_io::EXTENSION,
    &rusk_ext_net::EXTENSION,
    &rusk_ext_path::EXTENSION,
    &rusk_ext_perf::EXTENSION,
    &rusk_ext_process::EXTENSION,
    &rusk_ext_serve::EXTENSION,
    &rusk_ext_sockets::EXTENSION,
    &rusk_ext_sqlite::EXTENSION,
    &rusk_ext_streams::EXTENSION,
    &rusk_ext_test::EXTENSION,
    &rusk_ext_test_runner::EXTENSION,
    &rusk_ext_timers::EXTENSION,
    &rusk_ext_tls::EXTENSION,
    &rusk_ext_url::EXTENSION,
    &rusk_ext_util::EXTENSION,
    &rusk_ext_vm::EXTENSION,
    &rusk_ext_websocket::EXTENSION,
    &rusk_ext_worker::EXTENSION,
];

/// Settings of a runtime with all extensions.
pub fn settings() -> Settings {
    Settings { extensions: EXTENSIONS, ..Settings::default() }
}
