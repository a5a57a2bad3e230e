//! Headers of Node-API for addons that are compiled: by scripts of dependencies, and by node-gyp on
//! rusk.

use std::path::{Path, PathBuf};

use rusk_node_api::headers::{self, HeaderSettings};

/// What node-gyp reads of `process.config`.
const CONFIG: &str = r#"{
  "target_defaults": {
    "cflags": [],
    "default_configuration": "Release",
    "defines": [],
    "include_dirs": [],
    "libraries": []
  },
  "variables": { "napi_build_version": "10" }
}"#;

/// Where all versions of the headers are.
pub fn directory(cache_dir: &Path) -> PathBuf {
    cache_dir.join("headers")
}

/// Returns the directory for node-gyp, below `cache_dir`; `None` if it cannot be written.
pub fn provide(cache_dir: &Path) -> Option<PathBuf> {
    let settings = HeaderSettings { node_version: rusk_runtime::NODE_VERSION, config: CONFIG };
    headers::provide(&directory(cache_dir), settings).ok()
}
