//! Hosts that a program may connect to, as a user writes them: `example.com`, `example.com:443`,
//! `*.example.com` (its subdomains), an IP address, `[::1]:80`. Without a port, every port.

use std::net::IpAddr;

/// Of a domain name: RFC 1035, 2.3.4.
const NAME_BYTES_MAX: usize = 253;

/// A host, or the subdomains of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    /// In lower case.
    name: String,
    has_subdomains: bool,
    port: Option<u16>,
}

impl HostPattern {
    /// `None`: it is no host.
    pub fn parse(text: &str) -> Option<HostPattern> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']')?;
                host.parse::<std::net::Ipv6Addr>().ok()?;
                (host, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
            }
            // More than one colon: an address without brackets.
            None if text.matches(':').count() > 1 => (text, None),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = match port {
            None => None,
            Some(text) => Some(text.parse::<u16>().ok().filter(|port| *port > 0)?),
        };
        let (name, has_subdomains) = host.strip_prefix("*.").map_or((host, false), |domain| (domain, true));
        let is_address = !has_subdomains && name.parse::<IpAddr>().is_ok();
        // A wildcard below a top-level domain would be most of the internet.
        let is_name = is_host_name(name) && (!has_subdomains || name.contains('.'));
        let name = name.to_ascii_lowercase();
        (is_address || is_name).then_some(HostPattern { name, has_subdomains, port })
    }

    /// The address, if the pattern is one.
    pub fn address(&self) -> Option<IpAddr> {
        if self.has_subdomains { None } else { self.name.parse().ok() }
    }

    /// The name, if the pattern is one name.
    pub fn name(&self) -> Option<&str> {
        (!self.has_subdomains && self.address().is_none()).then_some(&self.name)
    }

    /// `name`: in lower case, without a final dot.
    pub fn includes(&self, name: &str) -> bool {
        match self.has_subdomains {
            true => name.strip_suffix(&self.name).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            false => name == self.name,
        }
    }

    /// `None`: all.
    pub fn port(&self) -> Option<u16> {
        self.port
    }
}

/// ASCII alphanumeric bytes, hyphens and underscores, in labels.
pub fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.len() <= 63 && label.bytes().all(is_allowed)
    };
    name.len() <= NAME_BYTES_MAX && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests;
