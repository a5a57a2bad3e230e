//! Report of what the jail denied the scripts of a package: for the problem of one that failed, or
//! as events of one that went on. In: a script's output, hosts that the jail refused. Out: lines
//! that name what was denied, the line of package.json and the flags that grant it.

use std::path::{Component, Path, PathBuf};

use rusk_base::{Problem, files};
use rusk_npm::script_approvals::{GrantBase, NetworkAccess, ScriptGrants, rendered};
use rusk_scripts::quoted;

use crate::denials::{self, Denial, Surroundings};
use crate::runner::{DependencyScripts, ScriptEvent, ScriptedPackage};

/// What the scripts of a package were denied.
pub struct DenialReport<'a> {
    package: &'a ScriptedPackage,
    project: PathBuf,
    home: Option<PathBuf>,
    /// By the jail's own knowledge.
    seen: Vec<Denial>,
    /// By the script's output, which may say anything.
    claimed: Vec<Denial>,
}

impl<'a> DenialReport<'a> {
    pub fn new(
        package: &'a ScriptedPackage,
        output: &str,
        is_allowed: &dyn Fn(&Path) -> bool,
        refused_hosts: Vec<String>,
        context: &DependencyScripts<'_>,
    ) -> DenialReport<'a> {
        // Where some hosts are granted, the jail knows which others were refused.
        let is_network_known = package.network != NetworkAccess::None || !refused_hosts.is_empty();
        let surroundings = Surroundings { directory: &package.dir, is_allowed, is_network_known };
        let home = context.caller.variables.iter().find(|(name, _)| name == "HOME");
        let home = home.map(|(_, home)| PathBuf::from(home)).filter(|home| home.is_absolute());
        let mut report = DenialReport {
            package,
            project: context.project_dir.to_owned(),
            home,
            seen: refused_hosts.into_iter().map(Denial::Network).collect(),
            claimed: Vec::new(),
        };
        for denial in denials::find(output, &surroundings) {
            let denial = report.grantable(denial);
            if !report.claimed.contains(&denial) {
                report.claimed.push(denial);
            }
        }
        report
    }

    /// Adds what was denied to a script's problem, with the grant.
    pub fn explain(&self, problem: Problem) -> Problem {
        let seen = self.seen.iter().map(|denial| format!("the jail denied {}", self.described(denial)));
        let claimed = self.claimed.iter();
        let claimed =
            claimed.map(|denial| format!("the script says that it was denied {}", self.described(denial)));
        let problem = seen.chain(claimed).fold(problem, Problem::note);
        let all: Vec<Denial> = self.seen.iter().chain(&self.claimed).cloned().collect();
        let Some((flags, line)) = self.grant(&all) else { return problem };
        let problem = problem.note(format!("package.json, `rusk.approvedScripts`: {line}"));
        let missing = all.iter().filter_map(|denial| match denial {
            Denial::Write(path) if !files::exists(path) => Some(path),
            _ => None,
        });
        let problem = missing.fold(problem, |problem, path| {
            let path = self.written(path);
            problem.note(format!("`{path}` is missing: the grant makes a directory; make a file first"))
        });
        let name = &self.package.name;
        problem.hint(match self.claimed.is_empty() {
            true => format!("if it needs this, `rusk approve {name} {flags}` grants it"),
            false => format!(
                "what a script says may be false; if it needs this, `rusk approve {name} {flags}` grants it"
            ),
        })
    }

    /// Of scripts that succeeded.
    pub fn events(&self) -> Vec<ScriptEvent<'a>> {
        self.denied_network().into_iter().chain(self.denied_files()).collect()
    }

    /// Of hosts with names: other errors of a script that succeeds may be of its own making.
    fn denied_network(&self) -> Option<ScriptEvent<'a>> {
        let hosts = self.seen.iter().chain(&self.claimed).filter_map(|denial| match denial {
            Denial::Network(host) if !host.is_empty() => Some(host.clone()),
            _ => None,
        });
        let hosts: Vec<String> = hosts.collect();
        let flags = network_flags(&NetworkAccess::Hosts(hosts.clone())).join(" ");
        let package = self.package;
        (!hosts.is_empty()).then_some(ScriptEvent::DeniedNetwork { package, hosts, flags })
    }

    /// Of files that the project has outside of node_modules, such as the hooks of Git.
    fn denied_files(&self) -> Option<ScriptEvent<'a>> {
        let files = self.claimed.iter().filter(|denial| self.is_of_project(denial));
        let files: Vec<Denial> = files.cloned().collect();
        let (flags, _) = self.grant(&files)?;
        let what = files.iter().map(|denial| self.described(denial)).collect();
        Some(ScriptEvent::DeniedFiles { package: self.package, what, flags })
    }

    fn is_of_project(&self, denial: &Denial) -> bool {
        let (Denial::Read(path) | Denial::Write(path)) = denial else { return false };
        let is_grantable = files::exists(path) || path.parent() != Some(&self.project);
        is_grantable && self.inside_project(path).is_some_and(|inner| !inner.starts_with("node_modules"))
    }

    /// The path relative to the project, if it is below.
    fn inside_project<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        let inner = path.strip_prefix(&self.project).ok()?;
        let is_plain = inner.components().all(|part| part != Component::ParentDir);
        (is_plain && inner != Path::new("")).then_some(inner)
    }

    /// A file that is missing cannot have been read: what was denied is making it. In the project,
    /// a grant of its directory allows that; elsewhere, that would be too much.
    fn grantable(&self, denial: Denial) -> Denial {
        let path = match denial {
            Denial::Create(path) if files::exists(&path) => return Denial::Write(path),
            Denial::Read(path) | Denial::Create(path) if !files::exists(&path) => path,
            other => return other,
        };
        let dir = path.parent().filter(|dir| files::exists(dir) && self.inside_project(dir).is_some());
        Denial::Write(dir.map_or_else(|| path.clone(), Path::to_owned))
    }

    fn described(&self, denial: &Denial) -> String {
        match denial {
            Denial::Network(host) if host.is_empty() => "the network".to_owned(),
            Denial::Network(host) => format!("the network: `{host}`"),
            Denial::Socket(path) => format!("the Unix socket `{}`: no grant opens it", path.display()),
            Denial::Read(path) => format!("reading `{}`", self.written(path)),
            Denial::Write(path) | Denial::Create(path) => format!("writing `{}`", self.written(path)),
        }
    }

    /// A path as a grant has it.
    fn written(&self, path: &Path) -> String {
        GrantBase { project: &self.project, home: self.home.as_deref() }.written(path)
    }

    /// The flags of `rusk approve` and the line of package.json that allow what was denied.
    fn grant(&self, denied: &[Denial]) -> Option<(String, String)> {
        let is_granted = |denial: &&Denial| !matches!(denial, Denial::Socket(_));
        denied.iter().find(is_granted)?;
        let package = self.package;
        let hosts = denied.iter().filter_map(|denial| match denial {
            Denial::Network(host) => Some(host),
            _ => None,
        });
        let network = hosts.fold(NetworkAccess::None, |network, host| {
            network.and(match host.as_str() {
                "" => NetworkAccess::All,
                host => NetworkAccess::Hosts(vec![host.to_owned()]),
            })
        });
        let paths = |own: &[PathBuf], writes: bool| {
            let found = denied.iter().filter_map(|denial| match denial {
                Denial::Write(path) if writes => Some(path),
                Denial::Read(path) if !writes => Some(path),
                _ => None,
            });
            own.iter().chain(found).map(|path| self.written(path)).collect::<Vec<String>>()
        };
        let mut flags = network_flags(&network);
        let grants = ScriptGrants {
            network: package.network.clone().and(network),
            read: paths(&package.read, false),
            write: paths(&package.write, true),
        };
        flags.extend(grants.read.iter().map(|path| format!("--read {}", quoted(path))));
        flags.extend(grants.write.iter().map(|path| format!("--write {}", quoted(path))));
        let line = rendered(&package.label, &package.integrity, &grants);
        Some((flags.join(" "), line))
    }
}

fn network_flags(network: &NetworkAccess) -> Vec<String> {
    match network {
        NetworkAccess::None => Vec::new(),
        NetworkAccess::Hosts(hosts) => {
            hosts.iter().map(|host| format!("--connect {}", quoted(host))).collect()
        }
        NetworkAccess::All => vec!["--network".to_owned()],
    }
}
