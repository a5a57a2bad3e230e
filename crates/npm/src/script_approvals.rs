//! Approvals of dependencies' install scripts in a project's package.json. In: its members. Out:
//! whether the scripts of a package may run, and what they may do besides. Absent:
//! pnpm-workspace.yaml, whose approvals are read as members of package.json.
//!
//! `rusk.approvedScripts` pins a name, a version and the integrity of the tarball:
//! `"esbuild@0.25.0": "sha512-…"`, or an object with `integrity`, `network` (`true`, or hosts),
//! `read` and `write`.
//! Other approvals name packages: `trustedDependencies` (bun), `pnpm.onlyBuiltDependencies` and
//! `pnpm.allowBuilds`, `allowScripts` (npm), `dependenciesMeta` (Yarn). They may name exact
//! versions: `a@1.0.0 || 1.0.1`. What is in no registry answers to no name that it says of itself:
//! see [`subject`].

mod subject;

use std::path::Path;

use rusk_base::Result;

use crate::json::text::string;
use crate::json::{Member, Node};
use crate::manifest::fields::Fields;

pub use subject::{ApprovalSubject, DirectKeys, SubjectKind};

/// The member of package.json with settings of our own, and the approvals in it.
pub const RUSK: &str = "rusk";
pub const APPROVED: &str = "approvedScripts";

/// What package.json says about the scripts of its dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptApprovals {
    pinned: Vec<PinnedApproval>,
    named: Vec<NamedApproval>,
}

/// An approval of one tarball.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PinnedApproval {
    /// `name@version`
    package: String,
    integrity: String,
    grants: ScriptGrants,
}

/// An approval or a refusal by name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedApproval {
    name: String,
    /// Empty: all.
    versions: Vec<String>,
    is_approved: bool,
}

/// What a script may do besides reading its surroundings and writing to its own package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptGrants {
    pub network: NetworkAccess,
    /// Paths as written: absolute, from `~/`, or relative to the project.
    pub read: Vec<String>,
    pub write: Vec<String>,
}

/// Where the paths of grants lead from.
pub struct GrantBase<'a> {
    pub project: &'a Path,
    pub home: Option<&'a Path>,
}

impl GrantBase<'_> {
    /// An absolute path as a grant has it, which is the same for everybody who has the project.
    pub fn written(&self, path: &Path) -> String {
        if path == self.project {
            return ".".to_owned();
        }
        let inside = |dir: &Path| {
            let rest = path.strip_prefix(dir).ok().filter(|rest| *rest != Path::new(""))?;
            // A grant that begins so would be of the home.
            (!rest.starts_with("~")).then_some(rest)
        };
        let in_home = || self.home.and_then(inside).map(|rest| format!("~/{}", rest.display()));
        let in_project = inside(self.project).map(|rest| rest.display().to_string());
        in_project.or_else(in_home).unwrap_or_else(|| path.display().to_string())
    }
}

/// What a script may connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NetworkAccess {
    #[default]
    None,
    /// As written: `example.com`, `example.com:443`, `*.example.com`.
    Hosts(Vec<String>),
    All,
}

/// Whether the scripts of a package may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalState {
    Approved(ScriptGrants),
    /// Another tarball of this version was approved.
    Changed,
    /// `false` in package.json.
    Refused,
    Undecided,
}

impl ScriptApprovals {
    pub(crate) fn read(fields: &Fields<'_>) -> Result<ScriptApprovals> {
        let mut approvals = ScriptApprovals::default();
        let own = fields.find(RUSK).and_then(|node| node.find(APPROVED));
        if let Some(node) = own {
            if !node.is_object() {
                return Err(fields.wrong_kind(&format!("{RUSK}.{APPROVED}"), node, "an object of packages"));
            }
            for member in node.members() {
                approvals.pinned.push(pinned(fields, member)?);
            }
        }
        let pnpm = fields.find("pnpm");
        let lists =
            [fields.find("trustedDependencies"), pnpm.and_then(|pnpm| pnpm.find("onlyBuiltDependencies"))];
        for name in lists.into_iter().flatten().flat_map(Node::elements).filter_map(Node::as_str) {
            approvals.named.push(NamedApproval::parse(name, true));
        }
        let refused = ["neverBuiltDependencies", "ignoredBuiltDependencies"];
        let refused = refused.iter().filter_map(|key| pnpm?.find(key)).flat_map(Node::elements);
        for name in refused.filter_map(Node::as_str) {
            approvals.named.push(NamedApproval::parse(name, false));
        }
        let maps = [fields.find("allowScripts"), pnpm.and_then(|pnpm| pnpm.find("allowBuilds"))];
        for member in maps.into_iter().flatten().flat_map(Node::members) {
            if let Some(is_approved) = member.node.as_bool() {
                approvals.named.push(NamedApproval::parse(&member.key, is_approved));
            }
        }
        for member in fields.find("dependenciesMeta").map_or(&[][..], Node::members) {
            if let Some(is_approved) = member.node.find("built").and_then(Node::as_bool) {
                // Yarn's keys may be descriptors.
                let package = member.key.replace("@npm:", "@");
                approvals.named.push(NamedApproval::parse(&package, is_approved));
            }
        }
        Ok(approvals)
    }

    /// `integrity`: of the tarball that is installed.
    pub fn state(&self, subject: &ApprovalSubject<'_>, integrity: &str) -> ApprovalState {
        let of_package = |approval: &&NamedApproval| approval.includes(subject);
        let named: Vec<bool> =
            self.named.iter().filter(of_package).map(|approval| approval.is_approved).collect();
        if named.contains(&false) {
            return ApprovalState::Refused;
        }
        let package = format!("{}@{}", subject.name, subject.version);
        let pinned = self.pinned.iter().find(|approval| approval.package == package);
        match pinned {
            Some(pinned) if pinned.integrity == integrity => ApprovalState::Approved(pinned.grants.clone()),
            Some(_) => ApprovalState::Changed,
            None if named.is_empty() => ApprovalState::Undecided,
            None => ApprovalState::Approved(ScriptGrants::default()),
        }
    }

    /// Whether the package may have approved scripts, in this version or another one.
    pub fn may_approve(&self, subject: &ApprovalSubject<'_>) -> bool {
        self.names().any(|name| subject.is_called(name))
    }

    /// Whether a package of this name may have approved scripts in some version.
    pub fn mentions(&self, name: &str) -> bool {
        let is_pinned = |approval: &PinnedApproval| package_name(&approval.package) == name;
        self.pinned.iter().any(is_pinned)
            || self.named.iter().any(|approval| approval.is_approved && approval.name == name)
    }

    /// The same of what a user names: also `name@version`.
    pub fn mentions_package(&self, text: &str) -> bool {
        self.mentions(text) || self.mentions(package_name(text))
    }

    /// Names of packages that may have approved scripts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let named = self.named.iter().filter(|approval| approval.is_approved);
        let pinned = self.pinned.iter().map(|approval| package_name(&approval.package));
        named.map(|approval| approval.name.as_str()).chain(pinned)
    }

    /// What may have approved scripts, as package.json writes it, and with which grants.
    pub fn approved(&self) -> impl Iterator<Item = (String, ScriptGrants)> {
        let named = self.named.iter().filter(|approval| approval.is_approved);
        let named = named.map(|approval| (approval.written(), ScriptGrants::default()));
        named.chain(self.pinned.iter().map(|approval| (approval.package.clone(), approval.grants.clone())))
    }

    /// Whether nothing is approved.
    pub fn is_empty(&self) -> bool {
        self.names().next().is_none()
    }
}

impl ScriptGrants {
    /// One line for each grant. The paths and hosts are as written, not printable.
    pub fn lines(&self) -> Vec<String> {
        let hosts = match &self.network {
            NetworkAccess::None => Vec::new(),
            NetworkAccess::Hosts(hosts) => hosts.clone(),
            NetworkAccess::All => vec!["the internet, and this computer".to_owned()],
        };
        let groups = [("network", &hosts), ("read", &self.read), ("write", &self.write)];
        let lines = groups.into_iter().flat_map(|(kind, all)| all.iter().map(move |one| (kind, one)));
        lines.map(|(kind, one)| format!("granted {kind}: {one}")).collect()
    }

    /// Whether these allow all that the others do.
    pub fn cover(&self, inner: &ScriptGrants) -> bool {
        let all = |outer: &[String], inner: &[String]| inner.iter().all(|path| outer.contains(path));
        self.network.clone().and(inner.network.clone()) == self.network
            && all(&self.read, &inner.read)
            && all(&self.write, &inner.write)
    }
}

impl NetworkAccess {
    /// What both allow.
    pub fn and(self, other: NetworkAccess) -> NetworkAccess {
        match (self, other) {
            (NetworkAccess::All, _) | (_, NetworkAccess::All) => NetworkAccess::All,
            (NetworkAccess::None, other) | (other, NetworkAccess::None) => other,
            (NetworkAccess::Hosts(mut hosts), NetworkAccess::Hosts(more)) => {
                hosts.extend(more);
                hosts.sort();
                hosts.dedup();
                NetworkAccess::Hosts(hosts)
            }
        }
    }
}

impl NamedApproval {
    fn parse(text: &str, is_approved: bool) -> NamedApproval {
        let name = package_name(text);
        let versions = text[name.len()..].trim_start_matches('@').split("||").map(str::trim);
        let versions = versions.filter(|version| !version.is_empty()).map(str::to_owned).collect();
        NamedApproval { name: name.to_owned(), versions, is_approved }
    }

    fn written(&self) -> String {
        match self.versions.as_slice() {
            [] => self.name.clone(),
            versions => format!("{}@{}", self.name, versions.join(" || ")),
        }
    }

    /// A name refuses whatever has it. It approves what answers to it, or states its source.
    fn includes(&self, subject: &ApprovalSubject<'_>) -> bool {
        let is_stated = self.versions.contains(&subject.version);
        // The version of a release is no source.
        let states_source = is_stated && subject.kind != SubjectKind::OtherTarball;
        let is_meant = match self.is_approved && !states_source {
            true => subject.answers_to(&self.name),
            false => subject.is_called(&self.name),
        };
        is_meant && (self.versions.is_empty() || is_stated)
    }
}

/// An approval as a member of `rusk.approvedScripts`, on one line.
pub fn rendered(package: &str, integrity: &str, grants: &ScriptGrants) -> String {
    format!("{}: {}", string(package), rendered_value(integrity, grants))
}

/// The value of an approval, as JSON.
pub fn rendered_value(integrity: &str, grants: &ScriptGrants) -> String {
    let mut members = vec![format!("\"integrity\": {}", string(integrity))];
    let hosts = match &grants.network {
        NetworkAccess::Hosts(hosts) => hosts.as_slice(),
        NetworkAccess::None | NetworkAccess::All => &[],
    };
    if grants.network == NetworkAccess::All {
        members.push("\"network\": true".to_owned());
    }
    for (key, paths) in [("network", hosts), ("read", &grants.read), ("write", &grants.write)] {
        let paths: Vec<String> = paths.iter().map(|path| string(path)).collect();
        if !paths.is_empty() {
            members.push(format!("\"{key}\": [{}]", paths.join(", ")));
        }
    }
    match members.len() {
        1 => string(integrity),
        _ => format!("{{ {} }}", members.join(", ")),
    }
}

/// The name before the version.
fn package_name(text: &str) -> &str {
    // The first byte is that of a scope.
    let at = text.bytes().skip(1).position(|byte| byte == b'@').map_or(text.len(), |at| at + 1);
    &text[..at]
}

fn pinned(fields: &Fields<'_>, member: &Member<'_>) -> Result<PinnedApproval> {
    let key = format!("{RUSK}.{APPROVED}.{}", member.key);
    let expected = "an integrity, or an object with `integrity`, `network`, `read` and `write`";
    let wrong = || fields.wrong_kind(&key, &member.node, expected);
    let integrity = member.node.as_str().or_else(|| member.node.find("integrity")?.as_str());
    let mut grants = ScriptGrants::default();
    if let Some(node) = member.node.find("network") {
        grants.network = match node.as_bool() {
            Some(true) => NetworkAccess::All,
            Some(false) => NetworkAccess::None,
            None => NetworkAccess::Hosts(fields.names(&format!("{key}.network"), node)?),
        };
    }
    for (name, paths) in [("read", &mut grants.read), ("write", &mut grants.write)] {
        if let Some(node) = member.node.find(name) {
            *paths = fields.names(&format!("{key}.{name}"), node)?;
        }
    }
    let integrity = integrity.ok_or_else(wrong)?.to_owned();
    Ok(PinnedApproval { package: member.key.to_string(), integrity, grants })
}

#[cfg(test)]
mod tests;
