//! Private directories of one package's scripts, and its jail. In: the package. Out: TMPDIR, HOME
//! and a directory of programs, which are removed when the scripts have ended; a jail that allows
//! writing there and in the package.

use std::fs::DirBuilder;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_jail::{HostGrants, HostPattern, Jail, NetworkGrant, Policy, system_addresses};
use rusk_npm::script_approvals::NetworkAccess;
use rusk_scripts::{Environment, Identity, Setting};

use crate::environment::passed_on;
use crate::granted_path::{GrantedPath, Missing, WritableDirs, path_of};
use crate::private_directory::PrivateDirectory;
use crate::problem;
use crate::runner::{Confinement, DependencyScripts, ScriptedPackage};

/// Where distributions and node's own archives have npm's node-gyp, relative to node's prefix.
const NODE_GYP: [&str; 2] =
    ["lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js", "share/nodejs/node-gyp/bin/node-gyp.js"];

/// resolv.conf(5): the jail lets a program connect to hosts by TCP only, to name servers too.
const NAMES_BY_TCP: &str = "use-vc";

/// The directories of one package's scripts.
pub struct Workplace {
    dir: PrivateDirectory,
}

impl Workplace {
    pub fn new(temporary: &Path) -> Result<Workplace> {
        let workplace = Workplace { dir: PrivateDirectory::new(temporary)? };
        for made in [workplace.temporary(), workplace.home(), workplace.programs()] {
            let created = DirBuilder::new().mode(0o700).create(&made);
            created.map_err(|error| problem::private_directory(&made, error))?;
        }
        Ok(workplace)
    }

    fn temporary(&self) -> PathBuf {
        self.dir.path().join("tmp")
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn programs(&self) -> PathBuf {
        self.dir.path().join("bin")
    }

    /// The jail of a package with this directory, unless scripts are not confined. `dirs`: where
    /// scripts may have made links.
    pub fn jail(
        &self,
        package: &ScriptedPackage,
        dir: BorrowedFd<'_>,
        dirs: &WritableDirs,
        context: &DependencyScripts<'_>,
    ) -> Result<Option<Jail>> {
        let Confinement::Jail(shared) = context.confinement else { return Ok(None) };
        let mut writable = Vec::new();
        for path in &package.write {
            let mut granted = GrantedPath::open(path, dirs, Missing::Made)?;
            granted.make_own(path)?;
            writable.push(granted);
        }
        if let Some(entry) = &package.entry {
            writable.push(GrantedPath::open(entry, dirs, Missing::Refused)?);
        }
        let own = own_readable(package, context);
        // What does not exist cannot be read.
        let own = own.iter().filter(|path| files::exists(path));
        let readable = own.map(|path| GrantedPath::open(path, dirs, Missing::Refused));
        let readable = readable.collect::<Result<Vec<GrantedPath>>>()?;
        // What was opened, whatever has its name by now.
        let paths = |granted: &[GrantedPath]| granted.iter().map(GrantedPath::path).collect::<Vec<_>>();
        let given = context.readable.iter().filter(|path| files::exists(path));
        let policy = Policy {
            readable: paths(&readable).into_iter().chain(given.cloned()).collect(),
            writable: paths(&writable)
                .into_iter()
                .chain([self.dir.path().to_owned(), path_of(dir)])
                .collect(),
            network: network(access(package, context))?,
        };
        Jail::new(shared, &policy).map(Some)
    }

    /// Whether a path is readable and writable: what is denied there is not denied by the jail.
    pub fn may_write(&self, package: &ScriptedPackage, path: &Path) -> bool {
        path.starts_with(self.dir.path()) || writable(package).any(|allowed| path.starts_with(allowed))
    }

    pub fn environment(&self, package: &ScriptedPackage, context: &DependencyScripts<'_>) -> Environment {
        let mut caller = context.caller.clone();
        caller.variables = passed_on(&caller.variables, package.network == NetworkAccess::All);
        let mut environment = Environment::of(&Setting {
            project_dir: context.project_dir,
            package_dir: &package.dir,
            identity: Some(Identity {
                name: Some(&package.name),
                version: package.version.as_deref(),
                config: &[],
            }),
            caller: &caller,
        });
        for (name, dir) in [("TMPDIR", self.temporary()), ("HOME", self.home())] {
            environment.set(name, &dir.to_string_lossy());
        }
        if let NetworkAccess::Hosts(_) = access(package, context) {
            environment.set("RES_OPTIONS", NAMES_BY_TCP);
        }
        if let Some(prefix) = node_prefix(&environment) {
            offer_headers(&mut environment, &prefix, package, context);
            self.offer_node_gyp(&mut environment, &prefix);
        }
        environment
    }

    /// npm brings its own node-gyp, which packages rely on.
    fn offer_node_gyp(&self, environment: &mut Environment, prefix: &Path) {
        if environment.find_program("node-gyp".as_ref()).is_some() {
            return;
        }
        let program = NODE_GYP.iter().map(|path| prefix.join(path)).find(|path| files::is_file(path));
        if let Some(program) = program
            && symlink(program, self.programs().join("node-gyp")).is_ok()
        {
            environment.prepend_path(self.programs());
        }
    }
}

/// Which hosts are refused is known only where some may be granted.
fn access<'a>(package: &'a ScriptedPackage, context: &DependencyScripts<'_>) -> &'a NetworkAccess {
    const NO_HOST: &NetworkAccess = &NetworkAccess::Hosts(Vec::new());
    match &package.network {
        NetworkAccess::None if context.refused_hosts.is_some() => NO_HOST,
        access => access,
    }
}

fn network(access: &NetworkAccess) -> Result<NetworkGrant> {
    Ok(match access {
        NetworkAccess::None => NetworkGrant::None,
        NetworkAccess::All => NetworkGrant::All,
        NetworkAccess::Hosts(hosts) => {
            let pattern = |host: &String| HostPattern::parse(host).ok_or_else(|| problem::no_host(host));
            let hosts = hosts.iter().map(pattern).collect::<Result<Vec<HostPattern>>>()?;
            NetworkGrant::Hosts(HostGrants { hosts, resolve: system_addresses })
        }
    })
}

/// Otherwise node-gyp downloads the headers of this version. Without them, and without the network,
/// an addon can be built for Node-API only.
fn offer_headers(
    environment: &mut Environment,
    prefix: &Path,
    package: &ScriptedPackage,
    context: &DependencyScripts<'_>,
) {
    let directory = match files::is_file(&prefix.join("include/node/node.h")) {
        true => Some(prefix),
        false if package.network != NetworkAccess::None => None,
        false => context.headers,
    };
    if let Some(directory) = directory.and_then(Path::to_str) {
        environment.set_default("npm_config_nodedir", directory);
    }
}

fn writable(package: &ScriptedPackage) -> impl Iterator<Item = &PathBuf> {
    [&package.dir].into_iter().chain(&package.entry).chain(&package.write)
}

/// The packages around it, the project's package.json, and what it was granted.
fn own_readable(package: &ScriptedPackage, context: &DependencyScripts<'_>) -> Vec<PathBuf> {
    let inside = package.dir.ancestors().skip(1).take_while(|dir| dir.starts_with(context.project_dir));
    let node_modules = inside.filter(|dir| dir.ends_with("node_modules")).map(Path::to_owned);
    let manifest = context.project_dir.join("package.json");
    node_modules.chain([manifest]).chain(package.read.iter().cloned()).collect()
}

/// The directory that has `bin/node`, without symbolic links.
fn node_prefix(environment: &Environment) -> Option<PathBuf> {
    let node = environment.find_program("node".as_ref())?.canonicalize().ok()?;
    Some(node.parent()?.parent()?.to_owned())
}
