//! Environment variables of a dependency's script. In: the user's variables. Out: those without
//! secrets. A list of what is passed on: tokens have any name.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// What programs need to run, and settings of compilers and builds.
const PASSED: [&str; 30] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "TERM",
    "TZ",
    "CI",
    "NODE",
    "NODE_ENV",
    "NO_COLOR",
    "FORCE_COLOR",
    "CC",
    "CXX",
    "AR",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "JOBS",
    "PYTHON",
    "PKG_CONFIG_PATH",
    "SOURCE_DATE_EPOCH",
    "NIX_CC",
    "NIX_LDFLAGS",
    "NIX_CFLAGS_COMPILE",
    "RUSTUP_TOOLCHAIN",
    "JAVA_HOME",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
];

/// npm's settings of builds; none of them is a URL, which may have credentials.
const PASSED_SETTINGS: [&str; 12] = [
    "npm_config_arch",
    "npm_config_target_arch",
    "npm_config_platform",
    "npm_config_target_platform",
    "npm_config_libc",
    "npm_config_target",
    "npm_config_runtime",
    "npm_config_build_from_source",
    "npm_config_python",
    "npm_config_jobs",
    "npm_config_nodedir",
    "npm_config_node_gyp",
];

/// Values of switches, such as `PUPPETEER_SKIP_DOWNLOAD=1`: whatever the name, they are no secret.
const SWITCHES: [&[u8]; 4] = [b"0", b"1", b"false", b"true"];

/// For scripts that may use the network.
const PROXIES: [&str; 6] = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/// The variables that a script gets of the user's.
pub fn passed_on(variables: &[(OsString, OsString)], has_network: bool) -> Vec<(OsString, OsString)> {
    let is_passed = |name: &OsStr, value: &OsStr| {
        let is_named = |names: &[&str]| names.iter().any(|known| name == *known);
        // A proxy with credentials is a secret.
        let is_proxy = has_network && is_named(&PROXIES) && !value.as_bytes().contains(&b'@');
        let is_switch = SWITCHES.contains(&value.as_bytes());
        let is_locale = name.as_bytes().starts_with(b"LC_");
        is_named(&PASSED) || is_named(&PASSED_SETTINGS) || is_locale || is_switch || is_proxy
    };
    variables.iter().filter(|(name, value)| is_passed(name, value)).cloned().collect()
}

#[cfg(test)]
mod tests;
