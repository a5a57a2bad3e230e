//! An address of the web, in parts, and written out. In: parts that are encoded already. Out: the
//! text, where its parts lie, and what setters make of it (the URL standard, "URL serializing" and
//! "API"). Absent: reading one; that is [`crate::parser`].

use crate::parser::{self, State};
use crate::percent_encode::{self as encode, USERINFO};

/// Room for most addresses; longer ones grow.
const TEXT_BYTES: usize = 128;

/// Words of the array that JavaScript is given, see [`UrlRecord::write`].
pub const OFFSET_COUNT: usize = 9;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlRecord {
    pub scheme: String,
    pub username: String,
    pub password: String,
    pub host: Option<String>,
    pub port: Option<u16>,
    pub path: Path,
    pub query: Option<String>,
    pub fragment: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// Nothing in it separates.
    Opaque(String),
    List(Vec<String>),
}

impl Default for Path {
    fn default() -> Path {
        Path::List(Vec::new())
    }
}

impl UrlRecord {
    pub fn is_special(&self) -> bool {
        is_special(&self.scheme)
    }

    pub fn is_file(&self) -> bool {
        self.scheme == "file"
    }

    pub fn has_credentials(&self) -> bool {
        !self.username.is_empty() || !self.password.is_empty()
    }

    /// The text, and where in it, in bytes: the scheme with its colon ends; the username begins and
    /// ends, the password ends; the host begins and ends; the path begins and ends; the query ends.
    pub fn write(&self) -> (String, [u32; OFFSET_COUNT]) {
        let mut text = String::with_capacity(TEXT_BYTES);
        text.push_str(&self.scheme);
        text.push(':');
        let mut offsets = [text.len(); OFFSET_COUNT];
        if let Some(host) = &self.host {
            text.push_str("//");
            offsets[1] = text.len();
            text.push_str(&self.username);
            offsets[2] = text.len();
            if !self.password.is_empty() {
                text.push(':');
                text.push_str(&self.password);
            }
            offsets[3] = text.len();
            if self.has_credentials() {
                text.push('@');
            }
            offsets[4] = text.len();
            text.push_str(host);
            offsets[5] = text.len();
            if let Some(port) = self.port {
                text.push_str(&format!(":{port}"));
            }
        }
        match &self.path {
            Path::Opaque(path) => {
                offsets[6] = text.len();
                text.push_str(path);
            }
            Path::List(parts) => {
                // Without it the path would begin as a host does.
                if self.host.is_none() && parts.len() > 1 && parts[0].is_empty() {
                    text.push_str("/.");
                }
                offsets[6] = text.len();
                for part in parts {
                    text.push('/');
                    text.push_str(part);
                }
            }
        }
        offsets[7] = text.len();
        if let Some(query) = &self.query {
            text.push('?');
            text.push_str(query);
        }
        offsets[8] = text.len();
        if let Some(fragment) = &self.fragment {
            text.push('#');
            text.push_str(fragment);
        }
        (text, offsets.map(|place| u32::try_from(place).unwrap_or(u32::MAX)))
    }

    /// What a setter of the API does. `None`: nothing.
    pub fn with(&self, part: &str, value: &str) -> Option<UrlRecord> {
        let mut address = self.clone();
        let is_opaque = matches!(self.path, Path::Opaque(_));
        let has_no_user = self.host.as_deref().is_none_or(str::is_empty) || self.is_file();
        let is_set = match part {
            "protocol" => parser::reset(&mut address, &format!("{value}:"), State::SchemeStart),
            "username" | "password" | "port" if has_no_user => return None,
            "username" => {
                address.username = encode::all(value.as_bytes(), USERINFO);
                true
            }
            "password" => {
                address.password = encode::all(value.as_bytes(), USERINFO);
                true
            }
            "port" if value.is_empty() => {
                address.port = None;
                true
            }
            "port" => parser::reset(&mut address, value, State::Port),
            "host" | "hostname" | "pathname" if is_opaque => return None,
            "host" => {
                // A host stays when the port behind it is none.
                parser::reset(&mut address, value, State::Host);
                true
            }
            "hostname" => parser::reset(&mut address, value, State::Hostname),
            "pathname" => {
                address.path = Path::default();
                parser::reset(&mut address, value, State::PathStart)
            }
            "search" => {
                address.query = (!value.is_empty()).then(String::new);
                value.is_empty()
                    || parser::reset(&mut address, value.strip_prefix('?').unwrap_or(value), State::Query)
            }
            "hash" => {
                address.fragment = (!value.is_empty()).then(String::new);
                value.is_empty()
                    || parser::reset(&mut address, value.strip_prefix('#').unwrap_or(value), State::Fragment)
            }
            _ => return None,
        };
        is_set.then_some(address)
    }
}

pub fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

pub fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}
