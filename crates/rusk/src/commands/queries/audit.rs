//! `rusk audit`: known vulnerabilities of the packages that the lockfile pins, and `rusk audit
//! fix`, which updates them within the ranges of their dependents.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::ManuallyDrop;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_configuration::request::{Edit, Goal};
use rusk_npm::advisories::{Advisory, Severity, parse_response, request_body};
use rusk_npm::graph::PackageId;
use rusk_npm::name::PackageName;
use rusk_query::audit::{Finding, audited_packages, findings};
use rusk_query::dependents::Dependents;
use rusk_query::members::members;
use rusk_query::record::{AdvisoryRequest, AuditRecord};
use rusk_registry::{ApiMethod, ApiRequest};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, ProjectFiles, omitted};
use super::query_record::RecordFile;
use super::{audit_signatures, problem};
use crate::commands::registry::problem as registry_problem;
use crate::commands::registry::session::{Session, refused};
use crate::commands::request;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};
use rusk_screen::style::{Highlight, OutputStyle};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let fixes = match invocation.operands.as_slice() {
        [] => false,
        [operand] if operand == "fix" => true,
        [operand] if operand == "signatures" => {
            let session = Session::open(invocation, environment, screen)?;
            return audit_signatures::run(&session, invocation, screen);
        }
        _ => return Err(problem::audit_usage()),
    };
    let session = Session::open(invocation, environment, screen)?;
    let files = ProjectFiles::read(invocation)?;
    let record = RecordFile::of("audit", &files, &session, invocation)?;
    let mut advisories = None;
    if let Some(known) = record.as_ref().and_then(recorded) {
        let found = fetch(&session, &known.requests, screen)?;
        if found.is_empty() {
            let text = match invocation.is_on(Flag::Json) {
                true => clean_json(known.audited),
                false => clean_text(known.audited),
            };
            return screen.page(&text).map(|()| Exit::DONE);
        }
        advisories = Some(found);
    }
    let audited = Audited::new(InstalledProject::parse(files, screen)?, &session, invocation, screen)?;
    if let Some(record) = record.filter(|_| audited.project.matches) {
        record.write(audited.record.render(&record.inputs));
    }
    // The process ends soon: freeing a graph takes longer than leaving it.
    let audit = ManuallyDrop::new(Audit::run(audited, advisories, &session, invocation, screen)?);
    if !fixes || audit.findings.is_empty() {
        return audit.print(invocation, FixHint::Shown, screen);
    }
    let vulnerable = audit.findings.iter().map(|finding| audit.project.graph.package_name(finding.package));
    let names: BTreeSet<String> = vulnerable.map(ToString::to_string).collect();
    let edit = Edit::UpdateAnywhere { names: names.into_iter().collect() };
    let (request, approve) = (request::with_edit(invocation, edit), request::approve(invocation));
    let summary = rusk_install::install(&audit.project.project.dir, &request, &session.host, screen)?;
    if !invocation.is_on(Flag::Json) {
        screen.summary(&summary, request.goal, approve)?;
    }
    if request.goal == Goal::DryRun {
        return audit.print(invocation, FixHint::Hidden, screen);
    }
    let fixed = Audited::new(InstalledProject::open(invocation, screen)?, &session, invocation, screen)?;
    Audit::run(fixed, None, &session, invocation, screen)?.print(invocation, FixHint::Hidden, screen)
}

/// What the last run with the same files asked.
fn recorded(record: &RecordFile) -> Option<AuditRecord> {
    AuditRecord::parse(&record.read()?, &record.inputs)
}

/// Whether the text names `rusk audit fix`, which was run already or not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FixHint {
    Shown,
    Hidden,
}

/// The packages to ask about.
struct Audited {
    project: InstalledProject,
    from: Vec<PackageId>,
    record: AuditRecord,
}

impl Audited {
    fn new(
        project: InstalledProject,
        session: &Session,
        invocation: &Invocation,
        screen: &mut Screen,
    ) -> Result<Audited> {
        let selected = project.selected(invocation, screen)?;
        let from = selected.unwrap_or_else(|| members(&project.graph));
        let packages = audited_packages(&project.graph, &from, omitted(invocation));
        let audited = packages.iter().map(|(_, versions)| versions.len()).sum();
        let record = AuditRecord { audited, requests: requests(session, &packages) };
        Ok(Audited { project, from, record })
    }
}

struct Audit {
    project: InstalledProject,
    findings: Vec<Finding>,
    /// How many packages were asked about.
    audited: usize,
}

impl Audit {
    /// `advisories`: the answers, if the registries were asked already.
    fn run(
        audited: Audited,
        advisories: Option<Vec<Advisory>>,
        session: &Session,
        invocation: &Invocation,
        screen: &mut Screen,
    ) -> Result<Audit> {
        let Audited { project, from, record } = audited;
        let mut advisories = match advisories {
            Some(advisories) => advisories,
            None => fetch(session, &record.requests, screen)?,
        };
        let level = invocation.value(Flag::AuditLevel).and_then(Severity::of_name);
        let ignored: Vec<&str> = invocation.values(Flag::Ignore).collect();
        advisories.retain(|advisory| {
            level.is_none_or(|level| advisory.severity >= level)
                && !ignored.iter().any(|identifier| advisory.is_named(identifier))
        });
        let findings = findings(&project.graph, &from, omitted(invocation), &advisories);
        Ok(Audit { project, findings, audited: record.audited })
    }

    /// The exit code is 1 if there are findings.
    fn print(&self, invocation: &Invocation, hint: FixHint, screen: &mut Screen) -> Result<Exit> {
        let text = match invocation.is_on(Flag::Json) {
            true => self.json(),
            false => self.text(screen.style(), hint),
        };
        screen.page(&text)?;
        Ok(if self.findings.is_empty() { Exit::DONE } else { Exit::Code(1) })
    }

    fn text(&self, style: &OutputStyle, hint: FixHint) -> String {
        if self.findings.is_empty() {
            return clean_text(self.audited);
        }
        let dependents = Dependents::of(&self.project.graph);
        let mut text = String::new();
        for finding in &self.findings {
            let label = self.project.label(finding.package);
            let path = self.path(finding, &dependents);
            let path = if path.is_empty() { "direct dependency".to_owned() } else { path.join(" > ") };
            text.push_str(&format!("{} {}\n", printable(&label), style.for_stdout(Highlight::Faint, &path)));
            for advisory in &finding.advisories {
                text.push_str(&advisory_line(advisory, style));
            }
            text.push('\n');
        }
        let counts = self.counts();
        let total: usize = counts.iter().map(|(_, count)| count).sum();
        let noun = if total == 1 { "vulnerability" } else { "vulnerabilities" };
        let parts = counts.iter().rev().filter(|(_, count)| *count > 0);
        let parts: Vec<String> =
            parts.map(|(severity, count)| format!("{count} {}", severity.name())).collect();
        text.push_str(&format!("{total} {noun} ({})\n", parts.join(", ")));
        if hint == FixHint::Shown {
            text.push_str("`rusk audit fix` updates within the ranges of package.json\n");
        }
        text
    }

    /// The packages from a direct dependency to the finding, which is not part of it.
    fn path(&self, finding: &Finding, dependents: &Dependents<'_>) -> Vec<String> {
        let path = dependents.shortest_path(finding.package).into_iter().rev();
        path.map(|id| self.project.graph.package_name(id).to_string()).collect()
    }

    fn counts(&self) -> Vec<(Severity, usize)> {
        counts(self.findings.iter().flat_map(|finding| &finding.advisories))
    }

    fn json(&self) -> String {
        let graph = &self.project.graph;
        let dependents = Dependents::of(graph);
        let packages = self.findings.iter().map(|finding| {
            let path = self.path(finding, &dependents);
            object(&[
                ("name", string(graph.package_name(finding.package).as_str())),
                ("version", string(&graph.package(finding.package).source.text())),
                ("via", array(path.iter().map(|name| string(name)))),
                ("advisories", array(finding.advisories.iter().map(|advisory| advisory.text.clone()))),
            ])
        });
        json_document(array(packages), &self.counts(), self.audited)
    }
}

/// What is printed without findings.
fn clean_text(audited: usize) -> String {
    let noun = if audited == 1 { "package" } else { "packages" };
    format!("no vulnerabilities found in {audited} {noun}\n")
}

fn clean_json(audited: usize) -> String {
    json_document(array(std::iter::empty()), &counts(std::iter::empty()), audited)
}

fn counts<'a>(advisories: impl Iterator<Item = &'a Advisory>) -> Vec<(Severity, usize)> {
    let severities: Vec<Severity> = advisories.map(|advisory| advisory.severity).collect();
    let count = |severity| severities.iter().filter(|other| **other == severity).count();
    Severity::ALL.into_iter().map(|severity| (severity, count(severity))).collect()
}

fn json_document(packages: String, counts: &[(Severity, usize)], audited: usize) -> String {
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let counts = counts.iter().map(|(severity, count)| (severity.name(), count.to_string()));
    let counts: Vec<_> = counts.chain([("total", total.to_string())]).collect();
    let metadata = object(&[("vulnerabilities", object(&counts)), ("dependencies", audited.to_string())]);
    line(&[("packages", packages), ("metadata", metadata)])
}

fn advisory_line(advisory: &Advisory, style: &OutputStyle) -> String {
    let highlight = match advisory.severity {
        Severity::Critical | Severity::High => Highlight::Error,
        _ => Highlight::Warning,
    };
    let severity = style.for_stdout(highlight, advisory.severity.name());
    let url = if advisory.url.is_empty() { String::new() } else { format!(" - {}", advisory.url) };
    let rest = format!("{} ({}){url}", advisory.title, advisory.vulnerable_versions);
    format!("  {severity}: {}\n", printable(&rest))
}

/// Each registry is asked about its own packages only: names of a private registry are not sent to
/// another one.
fn requests(session: &Session, packages: &[(PackageName, Vec<String>)]) -> Vec<AdvisoryRequest> {
    let mut by_registry: BTreeMap<&str, Vec<(&str, &[String])>> = BTreeMap::new();
    for (name, versions) in packages {
        by_registry.entry(session.registry(Some(name))).or_default().push((name.as_str(), versions));
    }
    let request = |(registry, packages): (&str, Vec<(&str, &[String])>)| AdvisoryRequest {
        registry: registry.to_owned(),
        names: packages.len(),
        body: request_body(packages.into_iter()),
    };
    by_registry.into_iter().map(request).collect()
}

fn fetch(session: &Session, requests: &[AdvisoryRequest], screen: &mut Screen) -> Result<Vec<Advisory>> {
    let mut advisories = Vec::new();
    for AdvisoryRequest { registry, names, body } in requests {
        let request = ApiRequest {
            method: ApiMethod::Post,
            url: format!("{registry}-/npm/v1/security/advisories/bulk"),
            body: Some(body.clone().into_bytes()),
            headers: Vec::new(),
            subject: "the security advisories".to_owned(),
        };
        let response = session.client.call(request.clone())?;
        if !response.is_success() {
            // Private registries often have no such API.
            if *registry != session.configuration.registry {
                screen.warning(&format!("`{registry}` has no advisories: {names} packages are not audited"));
                continue;
            }
            return Err(refused(&request, &response));
        }
        let text = String::from_utf8_lossy(&response.body);
        let parsed = parse_response(&text).ok().flatten();
        advisories.extend(parsed.ok_or_else(|| registry_problem::bad_registry_answer(&request.subject))?);
    }
    Ok(advisories)
}
