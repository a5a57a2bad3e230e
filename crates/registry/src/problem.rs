//! All that can go wrong between us and a registry, as the user reads it. No token, password or
//! query string of an address appears here: addresses come in through [`shown`].

use hyper::StatusCode;
use rusk_base::Problem;
use url::Url;

use crate::failure::Failure;

/// An address without user, password, query and fragment.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Refused only for addresses that have no user anyway.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

pub fn bad_setting(name: &str, found: &str, expected: &str) -> Problem {
    Problem::new("bad-setting", format!("`{name}` is `{}`, expected {expected}", without_user(found)))
}

/// What stands before an `@` may be a password, even in text that is no address.
fn without_user(text: &str) -> &str {
    text.rsplit_once('@').map_or(text, |(_, rest)| rest)
}

/// Constructors name what was wanted: the packument of `left`, the tarball at an address.
pub fn offline(subject: &str) -> Problem {
    Problem::new("offline", format!("{subject} is not in the cache, and nothing is fetched offline"))
        .hint("run once without `--offline`")
}

pub fn no_thread(cause: std::io::Error) -> Problem {
    Problem::new("no-thread", "the system gave no thread for the network").cause(cause)
}

pub fn network_stopped() -> Problem {
    Problem::new("no-thread", "the thread for the network ended before its work was done")
}

pub fn bad_packument(subject: &str, cause: &str) -> Problem {
    Problem::new("bad-packument", format!("{subject} is not what a registry should answer"))
        .note(cause.to_owned())
        .hint("is `registry` set to the address of a package registry?")
}

pub fn no_access(subject: &str, status: StatusCode, with_credentials: bool) -> Problem {
    let problem = Problem::new("no-access", format!("the registry refused {subject}: {status}"));
    match with_credentials {
        true => {
            problem.hint("the credentials for this registry may be expired, or lack the right to read it")
        }
        false => problem
            .hint("no credentials are configured for this address: log in, or set `_authToken` in .npmrc"),
    }
}

pub fn no_tarball(subject: &str) -> Problem {
    Problem::new("no-tarball", format!("{subject} is not there: the registry answered 404"))
}

pub fn unexpected_status(subject: &str, status: StatusCode) -> Problem {
    Problem::new("bad-answer", format!("the registry answered {status} for {subject}, expected 200"))
}

/// The last of all tries.
pub fn failed(subject: &str, failure: &Failure, attempts: u32) -> Problem {
    let problem = match failure {
        Failure::Unreachable { host, cause } => {
            Problem::new("unreachable", format!("`{host}` cannot be reached for {subject}"))
                .note(cause.clone())
        }
        Failure::Broken { host, cause } => {
            Problem::new("unreachable", format!("`{host}` broke off while sending {subject}"))
                .note(cause.clone())
        }
        Failure::Tls { host, cause } => {
            Problem::new("tls", format!("no secure connection to `{host}` for {subject}"))
                .note(cause.clone())
                .hint("behind a company proxy, set `cafile` or `NODE_EXTRA_CA_CERTS` to its certificate")
        }
        Failure::Proxy { proxy, cause } => {
            Problem::new("proxy", format!("the proxy `{proxy}` refused {subject}")).note(cause.clone())
        }
        Failure::TimedOut { host, wait, limit } => Problem::new(
            "timeout",
            format!("waited {} s for {wait} from `{host}`, for {subject}", limit.as_secs_f32()),
        ),
        Failure::Busy { status, .. } => {
            Problem::new("busy", format!("the registry answered {status} for {subject}, expected 200"))
        }
        Failure::TooLarge { bytes_max } => {
            Problem::new("too-large", format!("{subject} has more than the {bytes_max} bytes allowed"))
        }
        Failure::TooManyRedirects => Problem::new(
            "bad-redirect",
            format!("more than {} redirects for {subject}", crate::fetch::REDIRECTS_MAX),
        ),
        Failure::Downgrade { target } => Problem::new(
            "bad-redirect",
            format!(
                "{subject} was requested with credentials over https and redirected to `{target}` without it"
            ),
        ),
        Failure::BadAddress { address } => {
            Problem::new("bad-address", format!("`{address}` is not an http or https address, for {subject}"))
        }
        Failure::Certificates { cause } => {
            Problem::new("bad-certificates", "there is no usable certificate to check registries with")
                .note(cause.clone())
                .hint("install `ca-certificates`, or set `cafile` or `SSL_CERT_FILE` to a file of PEM text")
        }
    };
    match attempts {
        0 | 1 => problem,
        _ => problem.note(format!("tried {attempts} times")),
    }
}
