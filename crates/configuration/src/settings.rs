//! Converts the configuration to settings of the registry client.

use std::time::Duration;

use rusk_registry::{Freshness, Settings};

use crate::Configuration;
use crate::request::{HostEnvironment, InstallRequest, Network};

/// Limit for attempts of one request: with the longest pauses these take five minutes.
const ATTEMPTS_MAX: u32 = 12;
/// Limit for the timeout of a response: no usable registry is slower.
const TIMEOUT_MAX: Duration = Duration::from_secs(3600);
/// Limit for concurrent requests, as for `--network-concurrency`; each may use a file descriptor.
const REQUESTS_MAX: u32 = 1000;

/// The client's settings for one install.
pub fn of(configuration: &Configuration, request: &InstallRequest, host: &HostEnvironment) -> Settings {
    let packuments = configuration.cache_dir.join("packuments");
    let mut settings = Settings::new(configuration.registry.as_str(), packuments, host.now_s);
    settings.scopes.clone_from(&configuration.scopes);
    settings.credentials.clone_from(&configuration.credentials);
    settings.encrypted_hosts.clone_from(&configuration.encrypted_hosts);
    settings.proxies = configuration.proxies.clone();
    settings.tls = configuration.tls.clone();
    settings.cache_partition.clone_from(&configuration.cache_partition);
    settings.freshness = match request.network {
        Network::Online => Freshness::Online,
        Network::PreferOffline => Freshness::PreferOffline,
        Network::Offline => Freshness::Offline,
    };
    let concurrency = request.network_concurrency.or(configuration.limits.requests_max);
    if let Some(concurrency) = concurrency {
        settings.concurrency = concurrency.clamp(1, REQUESTS_MAX) as usize;
    }
    settings.user_agent.clone_from(&host.user_agent);
    set_limits(&mut settings, configuration);
    settings
}

fn set_limits(settings: &mut Settings, configuration: &Configuration) {
    if let Some(retries) = configuration.limits.retries {
        settings.limits.attempts = retries.saturating_add(1).min(ATTEMPTS_MAX);
    }
    if let Some(timeout) = configuration.limits.timeout.filter(|timeout| *timeout > Duration::ZERO) {
        let timeout = timeout.min(TIMEOUT_MAX);
        settings.limits.first_byte = timeout;
        settings.limits.idle = timeout;
    }
}
