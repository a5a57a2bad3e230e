//! `rusk login`, `rusk logout` and `rusk whoami`: the user's token for a registry, in `~/.npmrc`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rusk_base::{Result, problem::printable};
use rusk_configuration::user_npmrc;
use rusk_install::HostEnvironment;
use rusk_npm::credential::{Address, Credential};
use rusk_npm::host;
use rusk_npm::json::{self, Dialect, Node};
use rusk_registry::{ApiMethod, ApiRequest, npmrc_file};
use rusk_scripts::Exit;

use super::problem;
use super::session::Session;
use super::{one_time_password, prompt};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{object, optional, string};

/// Logs in by a browser where the registry offers it, else by name and password.
pub fn login(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let session = Session::open(invocation, environment, screen)?;
    let file = npmrc_path(&session.host)?;
    let scope = invocation.value(Flag::Scope).map(|scope| format!("@{}", scope.trim_start_matches('@')));
    let registry = match &scope {
        Some(scope) if invocation.value(Flag::Registry).is_none() => {
            session.client.registry_of_scope(Some(scope))
        }
        _ => session.registry(None),
    }
    .to_owned();
    session.configuration.check_secret_channel(&registry)?;
    let prefix = prefix(&registry)?;
    let is_web = invocation.value(Flag::AuthType) != Some("legacy");
    let token = match is_web.then(|| login_page(&session, &registry)).transpose()?.flatten() {
        Some((page, done_url)) => {
            let origin = host::origin_of_url(&registry).unwrap_or_default();
            screen.report(&format!("Log in at {origin} with a browser:\n\n    {}\n\n", printable(&page)));
            one_time_password::wait_for_token(&session, &done_url)?
        }
        None => login_with_password(&session, &registry, screen)?,
    };
    npmrc_file::set_token(&file, &prefix, &token)?;
    if let Some(scope) = &scope {
        npmrc_file::set(&file, &format!("{scope}:registry"), Some(&registry))?;
    }
    let members = [("registry", string(&registry)), ("scope", optional(scope.as_deref()))];
    screen.outcome(&format!("logged in to {registry}\n"), &members)
}

/// Revokes the token and removes it from `~/.npmrc`.
pub fn logout(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let session = Session::open(invocation, environment, screen)?;
    let file = npmrc_path(&session.host)?;
    let registry = session.registry(None).to_owned();
    let prefix = prefix(&registry)?;
    let credentials = session.configuration.credentials.iter();
    let token =
        credentials.filter(|(known, _)| *known == prefix).find_map(|(_, credential)| match credential {
            Credential::Bearer(token) => Some(token.clone()),
            Credential::Basic(_) => None,
        });
    let token = token.ok_or_else(|| problem::not_logged_in(&registry))?;
    session.configuration.check_secret_channel(&registry)?;
    let request = ApiRequest {
        method: ApiMethod::Delete,
        url: format!("{registry}-/user/token/{}", percent_encoded(&token)),
        body: None,
        headers: Vec::new(),
        subject: "the logout".to_owned(),
    };
    // A token that the registry does not know any more is removed all the same.
    let revoked = session.client.call(request)?.is_success();
    npmrc_file::set(&file, &format!("{prefix}:_authToken"), None)?;
    if !revoked {
        screen.warning("the registry did not revoke the token; it is removed from .npmrc only");
    }
    let members = [("registry", string(&registry)), ("revoked", revoked.to_string())];
    screen.outcome(&format!("logged out of {registry}\n"), &members)
}

/// Prints the name of the user.
pub fn whoami(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let session = Session::open(invocation, environment, screen)?;
    let registry = session.registry(None).to_owned();
    let subject = "the name of the user".to_owned();
    let text = session.get(format!("{registry}-/whoami"), subject.clone(), screen)?;
    let root = json::parse(&text, Dialect::Strict).map_err(|_| problem::bad_registry_answer(&subject))?;
    let name =
        root.find("username").and_then(Node::as_str).ok_or_else(|| problem::not_logged_in(&registry))?;
    let members = [("username", string(name)), ("registry", string(&registry))];
    screen.answer(&format!("{}\n", printable(name)), &members)
}

/// The page where the user logs in, and where the token is collected; `None` when the registry has
/// no such page.
fn login_page(session: &Session, registry: &str) -> Result<Option<(String, String)>> {
    let request = ApiRequest {
        method: ApiMethod::Post,
        url: format!("{registry}-/v1/login"),
        body: Some(b"{}".to_vec()),
        headers: vec![("npm-auth-type", "web".to_owned())],
        subject: "the login".to_owned(),
    };
    let response = session.client.call(request)?;
    if !response.is_success() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&response.body);
    let root = json::parse(&text, Dialect::Strict).ok();
    let url = |key| Some(root.as_ref()?.find(key)?.as_str()?.to_owned());
    Ok(url("loginUrl").zip(url("doneUrl")))
}

fn login_with_password(session: &Session, registry: &str, screen: &mut Screen) -> Result<String> {
    let origin = host::origin_of_url(registry).unwrap_or_default();
    let name = prompt::line(&format!("Username for {origin}: "), screen)?;
    let password = prompt::password(&format!("Password for {origin}: "), screen)?;
    let id = format!("org.couchdb.user:{name}");
    let body = object(&[
        ("_id", string(&id)),
        ("name", string(&name)),
        ("password", string(&password)),
        ("type", string("user")),
        ("roles", "[]".to_owned()),
    ]);
    let request = ApiRequest {
        method: ApiMethod::Put,
        url: format!("{registry}-/user/{}", percent_encoded(&id)),
        body: Some(body.into_bytes()),
        headers: vec![("npm-auth-type", "legacy".to_owned())],
        subject: format!("the login of `{name}`"),
    };
    let response = session.call(request, screen)?;
    let text = String::from_utf8_lossy(&response.body);
    let root = json::parse(&text, Dialect::Strict).ok();
    let token = root.and_then(|root| Some(root.find("token")?.as_str()?.to_owned()));
    token.ok_or_else(|| problem::bad_registry_answer("the login"))
}

/// The user's own `.npmrc`.
pub fn npmrc_path(host: &HostEnvironment) -> Result<PathBuf> {
    user_npmrc(host).ok_or_else(problem::no_home)
}

fn prefix(registry: &str) -> Result<String> {
    Address::parse(registry)
        .map(|address| address.prefix)
        .ok_or_else(|| problem::bad_registry_answer("the registry"))
}

fn percent_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
