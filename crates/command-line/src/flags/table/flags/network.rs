//! Flags of the network and the registry.

use super::DEFAULT;
use crate::flags::table::{Flag, NETWORK_COMMANDS, REQUEST_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

/// More sockets would exceed the limit of 1,024 open files per process that many systems have.
const NETWORK_CONCURRENCY_MAX: u32 = 1000;

pub const NETWORK: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Offline,
        long: "offline",
        help: "Install from the cache only, never use the network",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        conflicts: &[Flag::PreferOffline, Flag::Force],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::PreferOffline,
        long: "prefer-offline",
        help: "Use cached metadata of any age; fetch only what is missing",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        conflicts: &[Flag::Force],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Registry,
        long: "registry",
        value: FlagValue::String("URL"),
        help: "URL of the default registry",
        group: FlagGroup::Network,
        commands: REQUEST_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NetworkConcurrency,
        long: "network-concurrency",
        value: FlagValue::Count { name: "N", max: NETWORK_CONCURRENCY_MAX },
        help: "Maximum number of concurrent requests",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
];
