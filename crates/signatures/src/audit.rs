//! Audit of the signatures of packages. In: a client, packages of a lockfile. Out: a verdict about
//! each package whose registry has keys. Absent: attestations, which are not verified.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rusk_base::Problem;
use rusk_npm::integrity::Integrity;
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use rusk_registry::{ApiRequest, ApiResponse, Arrival, Client};

use crate::registry_keys::RegistryKeys;
use crate::report::Audited;
use crate::verdict::{expires, verify};
use crate::version_document::VersionDocument;

/// As many as npm; a registry limits what one client may ask for at once.
const REQUESTS_MAX: usize = 20;

/// A release in a lockfile.
#[derive(Clone, Debug)]
pub struct LockedRelease {
    pub name: PackageName,
    pub version: String,
    pub integrity: Option<Integrity>,
}

/// Why nothing can be said.
#[derive(Debug)]
pub enum AuditError {
    /// The status is not a success.
    Refused(Box<(ApiRequest, ApiResponse)>),
    /// What was asked for; the answer has another form.
    BadAnswer(String),
    Problem(Problem),
}

impl From<Problem> for AuditError {
    fn from(problem: Problem) -> AuditError {
        AuditError::Problem(problem)
    }
}

/// In the order of the packages; those of registries without keys are left out. `on_wait` gets what
/// is waited for, and for how long.
pub fn audit(
    client: &Client,
    packages: Vec<LockedRelease>,
    on_wait: &mut dyn FnMut(&str, Duration),
) -> Result<Vec<Audited>, AuditError> {
    let registry_of = |package: &LockedRelease| client.registry_of_scope(package.name.scope());
    let registries: BTreeSet<&str> = packages.iter().map(registry_of).collect();
    let mut keys: BTreeMap<&str, RegistryKeys> = BTreeMap::new();
    for registry in registries {
        keys.extend(fetch_keys(client, registry)?.map(|keys| (registry, keys)));
    }
    let packages: Vec<LockedRelease> =
        packages.iter().filter(|package| keys.contains_key(registry_of(package))).cloned().collect();
    let documents = fetch_documents(client, &packages)?;
    let expiring = packages.iter().zip(&documents);
    let expiring = expiring
        .filter_map(|(package, document)| Some((package, expires(document, &keys[registry_of(package)])?)));
    let times = publish_times(client, &expiring.collect::<Vec<_>>(), on_wait)?;
    let audited = packages.iter().zip(documents).map(|(package, document)| {
        let registry = registry_of(package);
        let label = format!("{}@{}", package.name, package.version);
        let published_s = times.get(&label).copied();
        let verdict = verify(&label, &document, package.integrity.as_ref(), &keys[registry], published_s);
        let (name, version) = (package.name.to_string(), package.version.clone());
        Audited { name, version, registry: registry.to_owned(), document, verdict }
    });
    Ok(audited.collect())
}

/// `None` for a registry that signs nothing: npm, too, takes these statuses so.
fn fetch_keys(client: &Client, registry: &str) -> Result<Option<RegistryKeys>, AuditError> {
    let request = ApiRequest::get(format!("{registry}-/npm/v1/keys"), "the public keys".to_owned());
    let response = client.call(request.clone())?;
    if matches!(response.status, 400 | 404) {
        return Ok(None);
    }
    if !response.is_success() {
        return Err(AuditError::Refused(Box::new((request, response))));
    }
    let keys = RegistryKeys::parse(&String::from_utf8_lossy(&response.body));
    let keys = keys.ok_or(AuditError::BadAnswer(request.subject))?;
    Ok((!keys.is_empty()).then_some(keys))
}

/// The document of each version, in the order of the packages.
fn fetch_documents(client: &Client, packages: &[LockedRelease]) -> Result<Vec<VersionDocument>, AuditError> {
    let next = AtomicUsize::new(0);
    let mut results = Vec::new();
    results.resize_with(packages.len(), || None);
    let results = Mutex::new(results);
    thread::scope(|scope| {
        for _ in 0..REQUESTS_MAX.min(packages.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(package) = packages.get(at) else { return };
                    let document = fetch_document(client, package);
                    results.lock().expect("no holder of this lock panics")[at] = Some(document);
                }
            });
        }
    });
    let results = results.into_inner().expect("no holder of this lock panics");
    results.into_iter().flatten().collect()
}

fn fetch_document(client: &Client, package: &LockedRelease) -> Result<VersionDocument, AuditError> {
    let LockedRelease { name, version, .. } = package;
    let url = client.package_url(name, &format!("/{version}"));
    let request = ApiRequest::get(url, format!("the document of `{name}@{version}`"));
    let response = client.call(request.clone())?;
    if !response.is_success() {
        return Err(AuditError::Refused(Box::new((request, response))));
    }
    let document = VersionDocument::parse(&String::from_utf8_lossy(&response.body));
    document.ok_or(AuditError::BadAnswer(request.subject))
}

/// When packages were published that are signed with a key that expires, by `name@version`. The
/// time of the last change is enough if the key expired after it; only otherwise the full
/// packument, which has the publish times, is fetched.
fn publish_times(
    client: &Client,
    expiring: &[(&LockedRelease, u64)],
    on_wait: &mut dyn FnMut(&str, Duration),
) -> Result<HashMap<String, u64>, AuditError> {
    let mut packages: BTreeMap<&PackageName, Vec<(&str, u64)>> = BTreeMap::new();
    for (package, expires_s) in expiring {
        packages.entry(&package.name).or_default().push((&package.version, *expires_s));
    }
    let mut times = HashMap::new();
    let mut in_full: BTreeSet<PackageName> = BTreeSet::new();
    let mut on_packument = |name: &PackageName, packument: Option<Arc<Packument>>| {
        let Some(packument) = packument else { return Ok(()) };
        for &(version, expires_s) in &packages[name] {
            let published_s = packument.find(version).and_then(|id| packument.published_s(id));
            let modified_s = packument.modified_s().filter(|modified_s| *modified_s < expires_s);
            match published_s.or(modified_s) {
                Some(time_s) => drop(times.insert(format!("{name}@{version}"), time_s)),
                None if in_full.insert(name.clone()) => return client.request_full_packument(name),
                None => {}
            }
        }
        Ok(())
    };
    for name in packages.keys() {
        if let Some(result) = client.request_packument(name) {
            on_packument(name, result?)?;
        }
    }
    while let Some(arrival) = client.next() {
        match arrival {
            Arrival::Packument { name, result } => on_packument(&name, result?)?,
            Arrival::Waiting { subject, waited } => on_wait(&subject, waited),
            _ => {}
        }
    }
    Ok(times)
}
