//! Provenance of a publication: whether it is wanted, and the signed statement.

use rusk_base::{Result, files};
use rusk_configuration::settings;
use rusk_npm::name::PackageName;
use rusk_pack::publish_document::Access;
use rusk_signatures::provenance::{self, Bundle, Subject};

use super::{PublishConfig, problem};
use crate::commands::pack::PackedPackage;
use crate::commands::registry::session::Session;
use crate::commands::request;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_configuration::request::Edit;
use rusk_npm::json::{self, Dialect, Node};
use rusk_screen::Screen;

/// The largest known bundle has some 30 KB.
const BUNDLE_BYTES_MAX: u64 = 4 << 20;

/// Whether a publication carries a statement.
pub enum ProvenanceRule {
    No,
    /// Only if the job may sign one, and job and package are public.
    IfPublic,
    Yes,
    /// One that is signed already.
    File(String),
}

impl ProvenanceRule {
    /// A flag wins over package.json, and that over the configuration.
    pub fn of(invocation: &Invocation, config: &PublishConfig, session: &Session) -> ProvenanceRule {
        if let Some(path) = invocation.value(Flag::ProvenanceFile) {
            return ProvenanceRule::File(path.to_owned());
        }
        if invocation.is_negated(Flag::Provenance) {
            return ProvenanceRule::No;
        }
        let configured = || config.provenance.or(session.configuration.provenance);
        match invocation.is_on(Flag::Provenance).then_some(true).or_else(configured) {
            Some(true) => ProvenanceRule::Yes,
            Some(false) => ProvenanceRule::No,
            None => ProvenanceRule::IfPublic,
        }
    }
}

/// Checks before anything is sent what can be checked. `access`: the one that is asked for.
/// `identity`: the identity token of trusted publishing.
pub fn obtain(
    rule: &ProvenanceRule,
    package: &PackedPackage,
    access: Option<Access>,
    identity: Option<&str>,
    session: &Session,
    invocation: &Invocation,
    screen: &mut Screen,
) -> Result<Option<Bundle>> {
    let (name, version) = package.fields.identity()?;
    let name = PackageName::parse(name).expect("it was checked before");
    let subject = Subject::new(&name, version, package.tarball.integrity.digest());
    let environment = &session.host.environment;
    match rule {
        ProvenanceRule::No => return Ok(None),
        ProvenanceRule::File(path) => {
            let file = host::current_dir(invocation.path(Flag::Cwd))?.join(path);
            let text = files::read_to_string(&file, BUNDLE_BYTES_MAX)?;
            return Bundle::read(path, &text, &subject).map(Some);
        }
        ProvenanceRule::IfPublic => {
            let is_public_build =
                identity.is_some_and(|identity| provenance::is_public_build(environment, identity));
            if !is_public_build || !is_public(session, &name, access)? {
                return Ok(None);
            }
        }
        ProvenanceRule::Yes => {
            provenance::service(environment)?;
            if !is_public(session, &name, access)? {
                return Err(problem::provenance_of_private(name.as_str()));
            }
        }
    }
    let request = request::with_edit(invocation, Edit::None);
    let settings = settings::of(&session.configuration, &request, &session.host);
    let bundle = provenance::sign(&settings, environment, &subject)?;
    let index = bundle.log_index.as_deref().unwrap_or("unknown");
    let service = provenance::service(environment)?.name();
    screen.report(&format!("provenance from {service} is signed: entry {index} of Sigstore's log\n"));
    Ok(Some(bundle))
}

/// A statement about a private package would tell the world of it.
fn is_public(session: &Session, name: &PackageName, access: Option<Access>) -> Result<bool> {
    if access == Some(Access::Public) {
        return Ok(true);
    }
    let registry = session.registry(Some(name));
    let url = format!("{registry}-/package/{}/visibility", name.as_str().replace('/', "%2f"));
    let visibility = session.find(url, format!("the visibility of {name}"))?;
    let root = visibility.as_deref().and_then(|text| json::parse(text, Dialect::Strict).ok());
    Ok(root.and_then(|root| root.find("public").and_then(Node::as_bool)) == Some(true))
}
