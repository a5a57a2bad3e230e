//! `rusk approve`: shows the install scripts of dependencies, records approvals in package.json,
//! and runs an install with them.

use std::collections::BTreeMap;
use std::time::Instant;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_configuration::request::Edit;
use rusk_install::dependency_scripts::{ReviewedPackage, approve};
use rusk_install::review_scripts;
use rusk_npm::credential::without_credentials;
use rusk_npm::script_approvals::{ApprovalState, NetworkAccess, ScriptGrants};
use rusk_scripts::Exit;

use super::context::lock_project;
use super::request::{self, ProjectRequest};
use super::{approve_record, job, problem};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let ProjectRequest { host, dir, request } =
        request::in_project(invocation, environment.clone(), Edit::None)?;
    let grants = grants(invocation);
    let names = &invocation.operands;
    if names.is_empty() && !invocation.is_on(Flag::All) {
        if grants != ScriptGrants::default() || invocation.is_on(Flag::Record) {
            return Err(problem::grants_without_names());
        }
        let review = review_scripts(&dir, &request, &host, screen)?;
        let text = match invocation.is_on(Flag::Json) {
            true => json_text(&review.packages),
            false => list_text(&review.packages, request::approve(invocation)),
        };
        return screen.page(&text).map(|()| Exit::DONE);
    }
    let review = review_scripts(&dir, &request, &host, screen)?;
    let mut chosen: Vec<&ReviewedPackage> = Vec::new();
    for name in names {
        let found = review.named(name);
        if found.is_empty() {
            return Err(problem::no_scripts_of(name));
        }
        let is_new = |package: &&ReviewedPackage| chosen.iter().all(|other| other.label() != package.label());
        let found: Vec<&ReviewedPackage> = found.into_iter().filter(is_new).collect();
        chosen.extend(found);
    }
    if names.is_empty() {
        chosen = review.packages.iter().filter(|package| is_open(&package.verdict)).collect();
    }
    if let Some(refused) = chosen.iter().find(|package| package.verdict == ApprovalState::Refused) {
        return Err(problem::refused_scripts(&refused.name));
    }
    let lock = lock_project(&review.dir, invocation, screen)?;
    approve(&review.dir, &chosen, &grants)?;
    drop(lock);
    for package in &chosen {
        if !invocation.is_on(Flag::Silent) {
            screen.notice(&format!("approved {}", printable(&package.shown())));
            commands(package).chain(granted(package, &grants)).for_each(|line| screen.notice(&line));
        }
    }
    let is_said = !chosen.is_empty() && !invocation.is_on(Flag::Silent);
    if is_said && request::ignores_scripts(&request, &review.dir, &host)? {
        screen.notice(problem::SCRIPTS_IGNORED);
    }
    if invocation.is_on(Flag::Record) {
        // A dry run is of all versions of a package.
        let mut networks: BTreeMap<&str, NetworkAccess> = BTreeMap::new();
        for package in &chosen {
            let before = match &package.verdict {
                ApprovalState::Approved(before) => before.network.clone(),
                _ => NetworkAccess::None,
            };
            let network = networks.entry(&package.name).or_default();
            *network = std::mem::take(network).and(before).and(grants.network.clone());
        }
        return approve_record::run(&review.dir, &networks, invocation, screen);
    }
    let request = request::with_edit(invocation, Edit::None);
    job::run(request, invocation, environment, started, screen).map(|()| Exit::DONE)
}

/// Whether an approval is wanted.
fn is_open(verdict: &ApprovalState) -> bool {
    matches!(verdict, ApprovalState::Undecided | ApprovalState::Changed)
}

fn grants(invocation: &Invocation) -> ScriptGrants {
    let paths = |flag| invocation.values(flag).map(str::to_owned).collect::<Vec<String>>();
    let hosts = match paths(Flag::GrantConnect) {
        hosts if hosts.is_empty() => NetworkAccess::None,
        hosts => NetworkAccess::Hosts(hosts),
    };
    let whole = if invocation.is_on(Flag::GrantNetwork) { NetworkAccess::All } else { NetworkAccess::None };
    ScriptGrants { network: whole.and(hosts), read: paths(Flag::GrantRead), write: paths(Flag::GrantWrite) }
}

/// Packages that are not approved, with what they would run; then those that are.
fn list_text(packages: &[ReviewedPackage], approve: &str) -> String {
    let (approved, others): (Vec<_>, Vec<_>) = packages.iter().partition(|package| package.is_approved());
    let mut text = String::new();
    let headings = [(others, "not approved"), (approved, "approved")];
    for (group, heading) in headings.iter().filter(|(group, _)| !group.is_empty()) {
        text += &format!("{heading}:\n");
        for package in group {
            let reason = match package.verdict {
                ApprovalState::Changed => " (another tarball or patch of this version was approved)",
                ApprovalState::Refused => " (the project refuses it)",
                _ => "",
            };
            text += &format!("  {}{reason}\n", printable(&package.shown()));
            let lines = commands(package).chain(granted(package, &ScriptGrants::default()));
            lines.for_each(|line| text += &format!("  {line}\n"));
        }
    }
    if packages.is_empty() {
        text += "no installed package has install scripts\n";
    } else if packages.iter().any(|package| is_open(&package.verdict)) {
        text += &format!("approve them with `{approve} NAME` or `{approve} --all`\n");
    }
    text
}

fn commands(package: &ReviewedPackage) -> impl Iterator<Item = String> {
    package.scripts.iter().map(|script| format!("  {}: {}", script.name, printable(&script.command)))
}

/// What an approval grants besides, for those who review a project that they have not written.
fn granted(package: &ReviewedPackage, added: &ScriptGrants) -> Vec<String> {
    let lines = package.grants_with(added).lines();
    lines.iter().map(|line| format!("  {}", printable(line))).collect()
}

/// As package.json has them.
fn grants_json(grants: &ScriptGrants) -> String {
    let list = |all: &[String]| array(all.iter().map(|one| string(one)));
    let network = match &grants.network {
        NetworkAccess::None => "false".to_owned(),
        NetworkAccess::All => "true".to_owned(),
        NetworkAccess::Hosts(hosts) => list(hosts),
    };
    object(&[("network", network), ("read", list(&grants.read)), ("write", list(&grants.write))])
}

fn json_text(packages: &[ReviewedPackage]) -> String {
    let package = |package: &ReviewedPackage| {
        let state = match package.verdict {
            ApprovalState::Approved(_) => "approved",
            ApprovalState::Changed => "changed",
            ApprovalState::Refused => "refused",
            ApprovalState::Undecided => "undecided",
        };
        let scripts: Vec<(&str, String)> =
            package.scripts.iter().map(|script| (script.name, string(&script.command))).collect();
        let mut members = vec![
            ("name", string(&package.name)),
            ("version", string(&without_credentials(&package.version))),
            ("integrity", string(&package.integrity)),
            ("state", string(state)),
            ("scripts", object(&scripts)),
        ];
        if let ApprovalState::Approved(grants) = &package.verdict {
            members.push(("grants", grants_json(grants)));
        }
        object(&members)
    };
    line(&[("packages", array(packages.iter().map(package)))])
}
