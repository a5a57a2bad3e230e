//! Provenance of a publication: a statement about the build (in-toto, SLSA), signed with a key that
//! lives for this statement only. Sigstore's authority (Fulcio) certifies the key for the identity
//! of the CI job, and its log (Rekor) records the signature. In: the package, the digest of its
//! tarball, the environment of the job. Out: a bundle of Sigstore, version 0.3. Absent: the
//! verification of certificates, which the registry does.

mod bundle;
mod fulcio;
mod key;
mod problem;
mod rekor;
mod statement;

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::json::text::string;
use rusk_registry::identity_token::{self, IdentityToken};
use rusk_registry::{ApiMethod, ApiRequest, ApiResponse, Client, Settings};

pub use bundle::Bundle;
pub use statement::{Service, Subject};

use bundle::Envelope;
use key::EphemeralKey;
use statement::Statement;

/// The public services, unless the environment names others.
const FULCIO: (&str, &str) = ("SIGSTORE_FULCIO_URL", "https://fulcio.sigstore.dev");
const REKOR: (&str, &str) = ("SIGSTORE_REKOR_URL", "https://rekor.sigstore.dev");

/// The audience that the authority asks of identity tokens.
const AUDIENCE: &str = "sigstore";
/// Where GitLab puts the token.
const TOKEN_VARIABLE: &str = "SIGSTORE_ID_TOKEN";

/// Whether the job can sign: it runs on a service that gives identity tokens, and may ask for one.
/// An error says what is missing.
pub fn service(environment: &BTreeMap<String, String>) -> Result<Service> {
    let service = Service::of(environment).ok_or_else(problem::no_service)?;
    let is_offered = identity_token::is_offered(environment, TOKEN_VARIABLE);
    if is_offered { Ok(service) } else { Err(problem::no_identity(service)) }
}

/// Whether a job that may sign also builds from a repository that everyone can read. Only then does
/// trusted publishing add provenance without being asked.
pub fn is_public_build(environment: &BTreeMap<String, String>, identity: &str) -> bool {
    let claim = |name: &str| fulcio::claim(identity, name).is_some_and(|value| value == "public");
    match service(environment) {
        Ok(Service::GitHub) => claim("repository_visibility"),
        Ok(Service::GitLab) => claim("project_visibility"),
        Err(_) => false,
    }
}

/// Signs a statement about this job and this package. `settings`: those of the registry; its
/// credentials are not used.
pub fn sign(
    settings: &Settings,
    environment: &BTreeMap<String, String>,
    subject: &Subject,
) -> Result<Bundle> {
    let service = service(environment)?;
    let identity = match identity_token::request(settings, environment, AUDIENCE, TOKEN_VARIABLE)? {
        IdentityToken::Token(token) => token,
        IdentityToken::NotOffered => return Err(problem::no_identity(service)),
        IdentityToken::Refused(reason) => return Err(problem::identity_refused(&reason)),
    };
    let statement = Statement::new(service, environment, subject);
    let services = Services::new(settings, environment)?;
    let key = EphemeralKey::generate()?;
    let certificate = fulcio::certify(&services, &identity, &key)?;
    let envelope = Envelope::sign(&statement.text, &key)?;
    let entry = rekor::record(&services, &envelope, &certificate)?;
    Ok(Bundle::new(&envelope, &certificate, &entry))
}

/// The services of Sigstore, and a client without the user's credentials.
struct Services {
    client: Client,
    fulcio: String,
    rekor: String,
}

impl Services {
    fn new(settings: &Settings, environment: &BTreeMap<String, String>) -> Result<Services> {
        let url = |(variable, default): (&str, &str)| {
            let named = environment.get(variable).filter(|url| !url.is_empty());
            named.map_or(default, String::as_str).trim_end_matches('/').to_owned()
        };
        let client = Client::start(Settings { credentials: Vec::new(), ..settings.clone() })?;
        Ok(Services { client, fulcio: url(FULCIO), rekor: url(REKOR) })
    }

    /// Posts JSON; another status than success is an error.
    fn post(&self, url: String, body: String, subject: &str) -> Result<ApiResponse> {
        let request = ApiRequest {
            method: ApiMethod::Post,
            url,
            body: Some(body.into_bytes()),
            headers: Vec::new(),
            subject: subject.to_owned(),
        };
        let response = self.client.call(request)?;
        match response.is_success() {
            true => Ok(response),
            false => Err(problem::service_refused(subject, response.status, &response.body)),
        }
    }
}

/// Members of a JSON object that are strings.
fn strings<'a>(members: &[(&'a str, &str)]) -> Vec<(&'a str, String)> {
    members.iter().map(|&(key, value)| (key, string(value))).collect()
}

#[cfg(test)]
mod tests;
