//! The platforms an install is for: this host's, or those of flags and configuration.

use std::path::Path;

use rusk_base::files;
use rusk_configuration::request::PlatformFlags;
use rusk_npm::graph::{NameSet, Names, Platform};

/// The set of platforms. A flag counts more than the configuration.
pub fn of(flags: &PlatformFlags, configured: &PlatformFlags) -> Platform {
    let either = |flags: &[String], configured: &[String]| -> Vec<String> {
        if flags.is_empty() { configured.to_vec() } else { flags.to_vec() }
    };
    let flags = PlatformFlags {
        os: either(&flags.os, &configured.os),
        cpu: either(&flags.cpu, &configured.cpu),
        libc: either(&flags.libc, &configured.libc),
    };
    Platform { os: set(&flags.os, "linux"), cpu: set(&flags.cpu, cpu()), libc: set(&flags.libc, libc()) }
}

fn set<N: Names>(flags: &[String], own: &str) -> NameSet<N> {
    match flags {
        [] => NameSet::parse([own]),
        names if names.iter().any(|name| name == "*") => NameSet::all(),
        names => NameSet::parse(names.iter().map(|name| if name == "current" { own } else { name.as_str() })),
    }
}

/// Node's name for this host's processor architecture.
pub fn cpu() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        "powerpc64" => "ppc64",
        other => other,
    }
}

/// musl's loader exists where glibc's does not.
pub fn libc() -> &'static str {
    let loader = format!("/lib/ld-musl-{}.so.1", std::env::consts::ARCH);
    if files::exists(Path::new(&loader)) { "musl" } else { "glibc" }
}
