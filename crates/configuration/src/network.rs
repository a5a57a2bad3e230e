//! Proxies, certificates and limits. In: the sources and the conventional environment variables.
//! Out: values for the HTTP client. npm's keys take precedence over `HTTPS_PROXY`, `NO_PROXY` and
//! `SSL_CERT_FILE`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::sources::Sources;
use rusk_registry::{CertificateVerification, Proxies, TlsOptions};

use super::{Limits, from_home};
use crate::request::HostEnvironment;

/// The value `false` turns a proxy off, whatever the environment variables are.
pub(super) fn proxies(sources: &Sources, host: &HostEnvironment) -> Proxies {
    let key = |name: &str| sources.highest(|layer| layer.one(name).map(str::to_owned));
    let configured_http = key("proxy").or_else(|| key("http-proxy"));
    let http = configured_http.clone().or_else(|| variable(host, "http_proxy"));
    let https = key("https-proxy")
        .or(configured_http)
        .or_else(|| variable(host, "https_proxy"))
        .or_else(|| variable(host, "http_proxy"));
    let exceptions = key("noproxy").or_else(|| key("no-proxy")).or_else(|| variable(host, "no_proxy"));
    let exceptions = exceptions.unwrap_or_default();
    let exceptions = exceptions.split([',', ' ']).map(str::trim).filter(|entry| !entry.is_empty());
    let on = |proxy: &String| !proxy.is_empty() && proxy != "false";
    Proxies {
        http: http.filter(on),
        https: https.filter(on),
        exceptions: exceptions.map(str::to_owned).collect(),
    }
}

/// The lower-case name first, as in curl, then the upper-case one.
fn variable(host: &HostEnvironment, name: &str) -> Option<String> {
    let value = host.environment.get(name).or_else(|| host.environment.get(&name.to_uppercase()));
    value.filter(|value| !value.is_empty()).cloned()
}

pub(super) fn tls_options(sources: &Sources, host: &HostEnvironment) -> TlsOptions {
    let texts = match (sources.environment.all("ca"), &sources.bunfig.ca) {
        (Some(texts), _) => texts,
        (None, Some(texts)) => texts.clone(),
        (None, None) => sources.highest(|layer| layer.all("ca")).unwrap_or_default(),
    };
    let is_text = |text: &String| !matches!(text.as_str(), "" | "null");
    let texts: Vec<String> =
        texts.into_iter().filter(is_text).map(|text| text.replace("\\n", "\n")).collect();
    let mut files: Vec<PathBuf> = cafile(sources, host).into_iter().collect();
    if files.is_empty() && texts.is_empty() {
        files.extend(variable(host, "SSL_CERT_FILE").map(PathBuf::from));
    }
    let system = files.is_empty() && texts.is_empty();
    files.extend(variable(host, "NODE_EXTRA_CA_CERTS").map(PathBuf::from));
    let strict = sources.highest(|layer| layer.truth("strict-ssl"));
    let checks =
        if strict == Some(false) { CertificateVerification::Off } else { CertificateVerification::Strict };
    TlsOptions { system_roots: system, ca_files: files, ca_pems: texts, verification: checks }
}

/// Relative paths are relative to the project; from the environment, to the current directory.
fn cafile(sources: &Sources, host: &HostEnvironment) -> Option<PathBuf> {
    let at = |dir: &Path, path: &str| dir.join(from_home(path, host));
    let files = || sources.files().into_iter().find_map(|layer| layer.one("cafile"));
    let configured = || sources.bunfig.cafile.as_deref().or_else(files);
    let environment = sources.environment.one("cafile").filter(|path| !path.is_empty());
    let environment = environment.map(|path| at(&host.current_dir, path));
    environment
        .or_else(|| configured().filter(|path| !path.is_empty()).map(|path| at(&sources.project_dir, path)))
}

pub(super) fn limits(sources: &Sources) -> Limits {
    let number = |key: &str| sources.highest(|layer| layer.number(key));
    let small = |key: &str| number(key).and_then(|number| u32::try_from(number).ok());
    Limits {
        retries: small("fetch-retries"),
        timeout: number("fetch-timeout").filter(|&timeout_ms| timeout_ms > 0).map(Duration::from_millis),
        requests_max: small("maxsockets").filter(|&sockets| sockets > 0),
    }
}
