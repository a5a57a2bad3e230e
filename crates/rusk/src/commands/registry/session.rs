//! A client of the registry with the user's configuration, and how its answers become errors.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_base::{Problem, Result};
use rusk_configuration::request::{Edit, HostEnvironment};
use rusk_configuration::settings;
use rusk_configuration::{Configuration, Flags};
use rusk_npm::credential::{Address, Credential};
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::name::PackageName;
use rusk_registry::trusted_publishing::{self, Exchange};
use rusk_registry::{ApiMethod, ApiRequest, ApiResponse, Client};

use super::one_time_password::OneTimePassword;
use super::problem;
use crate::commands::request;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

pub struct Session {
    pub client: Client,
    pub configuration: Configuration,
    pub host: HostEnvironment,
    otp: OneTimePassword,
}

impl Session {
    /// Reads the configuration of the current directory.
    pub fn open(
        invocation: &Invocation,
        environment: BTreeMap<String, String>,
        screen: &mut Screen,
    ) -> Result<Session> {
        Session::open_at(invocation, environment, None, None, screen)
    }

    /// Reads the configuration of `dir`. `registry`: the one that its package.json names.
    pub fn open_at(
        invocation: &Invocation,
        environment: BTreeMap<String, String>,
        dir: Option<&Path>,
        registry: Option<&str>,
        screen: &mut Screen,
    ) -> Result<Session> {
        let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
        let host = host::host(dir.map_or(current_dir, Path::to_owned), environment);
        let project = host::find_project(&host.current_dir).unwrap_or(&host.current_dir);
        let own = invocation.value(Flag::Registry).map(str::to_owned);
        let flags = Flags { registry: own, project_registry: registry.map(str::to_owned), cache_dir: None };
        let configuration = Configuration::load(project, &host, &flags)?;
        configuration.warnings.iter().for_each(|warning| screen.warning(warning));
        let request = request::with_edit(invocation, Edit::None);
        let client = Client::start(settings::of(&configuration, &request, &host))?;
        let otp = OneTimePassword::new(invocation.value(Flag::Otp));
        Ok(Session { client, configuration, host, otp })
    }

    /// The registry of a package, or the default one. It ends in `/`.
    pub fn registry(&self, name: Option<&PackageName>) -> &str {
        self.client.registry_of_scope(name.and_then(PackageName::scope))
    }

    /// Uses the token of a CI job in place of configured credentials, where the job and the
    /// registry offer that. Returns the job's identity token then.
    pub fn use_trusted_publishing(
        &mut self,
        package: &PackageName,
        invocation: &Invocation,
        screen: &mut Screen,
    ) -> Result<Option<String>> {
        let request = request::with_edit(invocation, Edit::None);
        let registry = self.registry(Some(package)).to_owned();
        let settings = settings::of(&self.configuration, &request, &self.host);
        match trusted_publishing::exchange(&settings, &registry, package, &self.host.environment)? {
            Exchange::NotOffered => Ok(None),
            Exchange::Refused(reason) => {
                // With other credentials the job may publish all the same.
                screen.warning(&format!("no trusted publishing: {reason}"));
                Ok(None)
            }
            Exchange::Token { token, identity } => {
                let Some(Address { prefix, .. }) = Address::parse(&registry) else { return Ok(None) };
                self.configuration.credentials.retain(|(known, _)| !known.starts_with(&prefix));
                self.configuration.credentials.push((prefix, Credential::Bearer(token)));
                self.client = Client::start(settings::of(&self.configuration, &request, &self.host))?;
                Ok(Some(identity))
            }
        }
    }

    /// Sends a request that must succeed. Asks for a one-time password if the registry wants one.
    pub fn call(&self, mut request: ApiRequest, screen: &mut Screen) -> Result<ApiResponse> {
        let headers = request.headers.clone();
        loop {
            request.headers = headers.clone();
            request.headers.extend(self.otp.header());
            let response = self.client.call(request.clone())?;
            if response.is_success() {
                return Ok(response);
            }
            if self.otp.is_required(&response) && self.otp.obtain(self, &request, &response, screen)? {
                continue;
            }
            let problem = refused(&request, &response);
            return Err(match self.otp.is_required(&response) {
                true => problem.hint("pass the one-time password with `--otp`"),
                false => problem,
            });
        }
    }

    /// The JSON text of a GET; `None` if the registry has nothing there.
    pub fn find(&self, url: String, subject: String) -> Result<Option<String>> {
        let request = ApiRequest::get(url, subject);
        let response = self.client.call(request.clone())?;
        match response.status {
            404 => Ok(None),
            _ if response.is_success() => Ok(Some(String::from_utf8_lossy(&response.body).into_owned())),
            _ => Err(refused(&request, &response)),
        }
    }

    /// The JSON text of a successful GET.
    pub fn get(&self, url: String, subject: String, screen: &mut Screen) -> Result<String> {
        let response = self.call(ApiRequest::get(url, subject), screen)?;
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }
}

/// The error for a status that is not a success, with what the registry says.
pub fn refused(request: &ApiRequest, response: &ApiResponse) -> Problem {
    let text = String::from_utf8_lossy(&response.body);
    let said = json::parse(&text, Dialect::Strict).ok().and_then(|root| {
        let member =
            ["error", "message", "reason"].into_iter().find_map(|key| root.find(key).and_then(Node::as_str));
        member.map(str::to_owned)
    });
    let is_write = request.method != ApiMethod::Get;
    problem::registry_refused(
        &request.subject,
        response.status,
        said.as_deref(),
        response.authorized,
        is_write,
    )
}
