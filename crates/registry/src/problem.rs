//! Errors of the registry client. No token, password or query string of a URL appears here: URLs go
//! through [`redacted`].

use hyper::StatusCode;
use rusk_base::Problem;
use rusk_npm::problem::with_unset_variable;
use url::Url;

use crate::error::RequestError;

/// A URL without user, password, query and fragment.
pub fn redacted(url: &Url) -> String {
    let mut url = url.clone();
    // Fails only for URLs that cannot have a user.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

pub fn bad_setting(name: &str, found: &str, expected: &str) -> Problem {
    Problem::new("bad-setting", format!("`{name}` is `{}`, expected {expected}", without_user(found)))
}

/// Text before an `@` may be a password, even if the value is no URL.
fn without_user(text: &str) -> &str {
    text.rsplit_once('@').map_or(text, |(_, rest)| rest)
}

/// `prefix`: `//host/path/`.
pub fn bad_token(prefix: &str) -> Problem {
    Problem::new("bad-token", format!("the token that `{prefix}` gave is not one that can be saved or sent"))
        .note("it is empty, too long, or has characters that no token has; nothing is saved")
}

pub fn bad_npmrc_line(key: &str) -> Problem {
    Problem::new("bad-npmrc-line", format!("`{key}` and its value cannot be a line of .npmrc"))
        .note("the line would be read as another setting; nothing is saved")
}

/// `subject` of these functions is what was requested, such as "the packument of `left`".
pub fn offline(subject: &str) -> Problem {
    Problem::new("offline", format!("{subject} is not in the cache, and nothing is fetched offline"))
        .hint("run once without `--offline`")
}

pub fn no_thread(cause: std::io::Error) -> Problem {
    Problem::new("no-thread", "cannot start the network thread").cause(cause)
}

pub fn network_stopped() -> Problem {
    Problem::new("no-thread", "the network thread ended before its work was done")
}

pub fn bad_packument(subject: &str, cause: &str) -> Problem {
    Problem::new("bad-packument", format!("{subject} is not a valid registry response"))
        .note(cause.to_owned())
        .hint("is `registry` set to the URL of a package registry?")
}

/// The credentials of a request that was refused.
pub enum SentCredentials {
    None,
    Configured,
    /// `.npmrc` has `${NAME}`, and there is no such environment variable.
    UnsetVariable(String),
}

pub fn no_access(host: &str, subject: &str, status: StatusCode, credentials: SentCredentials) -> Problem {
    let problem = Problem::new("no-access", format!("the registry `{host}` refused {subject}: {status}"));
    match credentials {
        SentCredentials::Configured => {
            problem.hint("the credentials for this registry may have expired or lack read access")
        }
        SentCredentials::UnsetVariable(name) => with_unset_variable(problem, Some(name)),
        SentCredentials::None => {
            problem.hint("no credentials are configured for this URL: log in, or set `_authToken` in .npmrc")
        }
    }
}

pub fn no_tarball(subject: &str) -> Problem {
    Problem::new("no-tarball", format!("{subject} does not exist: the registry responded with 404"))
}

pub fn unexpected_status(subject: &str, status: StatusCode) -> Problem {
    Problem::new("bad-answer", format!("the registry responded with {status} for {subject}, expected 200"))
}

/// The error of the last attempt.
pub fn failed(subject: &str, failure: &RequestError, attempts: u32) -> Problem {
    let problem = match failure {
        RequestError::Unreachable { host, cause } => {
            Problem::new("unreachable", format!("`{host}` cannot be reached for {subject}"))
                .note(cause.clone())
        }
        RequestError::Broken { host, cause } => {
            Problem::new("unreachable", format!("`{host}` closed the connection while sending {subject}"))
                .note(cause.clone())
        }
        RequestError::Tls { host, cause } => {
            Problem::new("tls", format!("cannot establish a TLS connection to `{host}` for {subject}"))
                .note(cause.clone())
                .hint("with a company proxy, set `cafile` or `NODE_EXTRA_CA_CERTS` to its certificate")
        }
        RequestError::Proxy { proxy, cause } => {
            Problem::new("proxy", format!("the proxy `{proxy}` refused {subject}")).note(cause.clone())
        }
        RequestError::TimedOut { host, phase, limit } => Problem::new(
            "timeout",
            format!("waited {} s for {phase} from `{host}`, for {subject}", limit.as_secs_f32()),
        ),
        RequestError::Busy { status, .. } => {
            Problem::new("busy", format!("the registry responded with {status} for {subject}, expected 200"))
        }
        RequestError::TooLarge { bytes_max } => {
            Problem::new("too-large", format!("{subject} exceeds the limit of {bytes_max} bytes"))
        }
        RequestError::TooManyRedirects => Problem::new(
            "bad-redirect",
            format!("more than {} redirects for {subject}", crate::fetch::REDIRECTS_MAX),
        ),
        RequestError::Downgrade { target } => Problem::new(
            "bad-redirect",
            format!(
                "{subject} was requested with credentials over https and redirected to `{target}` without it"
            ),
        ),
        RequestError::BadAddress { address } => {
            Problem::new("bad-address", format!("`{address}` is not an http or https URL, for {subject}"))
        }
        RequestError::Certificates { cause } => {
            Problem::new("bad-certificates", "no usable CA certificates to verify registries")
                .note(cause.clone())
                .hint("install `ca-certificates`, or set `cafile` or `SSL_CERT_FILE` to a PEM file")
        }
    };
    match attempts {
        0 | 1 => problem,
        _ => problem.note(format!("tried {attempts} times")),
    }
}
