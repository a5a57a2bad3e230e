//! Cache partition: where a project's own files choose how registries are reached (a proxy,
//! `strict-ssl`, `ca`, `cafile`), its author may have written what they answer. What only the
//! connection vouches for is then cached apart from what other projects use. In: the sources, the
//! merged values of the network. Out: the name of a partition, equal for equal values. Absent:
//! packages with an integrity, which all projects share.

use std::path::Path;

use rusk_base::files;
use rusk_registry::{Proxies, TlsOptions};
use sha2::{Digest, Sha256};

use super::interception;
use super::sources::{FILE_BYTES_MAX, Sources};

/// `None`: the user's own settings apply, or the user trusts the project's.
pub(super) fn find(sources: &Sources, proxies: &Proxies, tls: &TlsOptions) -> Option<String> {
    if !interception::chooses_network(sources) {
        return None;
    }
    let mut digest = Sha256::new();
    let mut add = |name: &str, value: &[u8]| {
        for part in [name.as_bytes(), value] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    };
    for (name, proxy) in [("http", &proxies.http), ("https", &proxies.https)] {
        proxy.iter().for_each(|proxy| add(name, proxy.as_bytes()));
    }
    proxies.exceptions.iter().for_each(|exception| add("exception", exception.as_bytes()));
    add("verification", format!("{:?} {}", tls.verification, tls.system_roots).as_bytes());
    tls.ca_pems.iter().for_each(|pem| add("ca", pem.as_bytes()));
    for file in &tls.ca_files {
        let (name, value) = certificates(file);
        add(name, &value);
    }
    Some(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The contents of a file: a project may change what is at its path. The path of one that cannot be
/// read, which the first connection reports.
fn certificates(file: &Path) -> (&'static str, Vec<u8>) {
    match files::find_bytes(file, FILE_BYTES_MAX) {
        Ok(Some(bytes)) => ("certificates", bytes),
        _ => ("cafile", file.as_os_str().as_encoded_bytes().to_vec()),
    }
}
