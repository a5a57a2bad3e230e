//! Large registries of `xtask bench load`, each in a process of its own: the kernel counts the
//! memory of a program's parent, up to the start of the program, as the program's peak. In: the
//! name of a case. Out: a URL.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::registry::{Fault, Package, Server};

/// Of each of the installs that run at once.
pub const PACKAGES_SHARED: usize = 200;
const VERSIONS: usize = 100_000;
pub const PACKAGES: usize = 20_000;
const ANSWER: Duration = Duration::from_secs(60);

/// What the registry of a case has; the word is its name at the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadCase {
    Shared,
    Versions,
    Packages,
    Slow,
}

impl LoadCase {
    const ALL: [LoadCase; 4] = [LoadCase::Shared, LoadCase::Versions, LoadCase::Packages, LoadCase::Slow];

    fn name(self) -> &'static str {
        match self {
            LoadCase::Shared => "shared",
            LoadCase::Versions => "versions",
            LoadCase::Packages => "packages",
            LoadCase::Slow => "slow",
        }
    }

    fn server(self) -> Server {
        match self {
            LoadCase::Shared => Server::start((0..PACKAGES_SHARED).map(package)),
            LoadCase::Versions => {
                let versions = (0..VERSIONS).map(|at| format!("1.{}.{}", at / 1000, at % 1000));
                let large = Package::new("package-0");
                Server::start([versions.fold(large, |package, version| package.version(&version, "{}"))])
            }
            LoadCase::Packages => Server::start((0..PACKAGES).map(package)),
            LoadCase::Slow => {
                let server = Server::start([package(0)]);
                server.fail("/package-0", Fault::Delay(ANSWER), 1);
                server
            }
        }
    }
}

/// `bench load-registry CASE`: prints the URL of a registry, and serves until its input ends.
#[allow(clippy::print_stdout, reason = "the URL is the output")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [name] = arguments else { return Err("expected the name of a case".to_owned()) };
    let case = LoadCase::ALL.into_iter().find(|case| case.name() == name);
    let server = case.ok_or_else(|| format!("expected the name of a case, found `{name}`"))?.server();
    println!("{}", server.url());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    Ok(())
}

/// A registry in a process of its own, which this program starts as `bench load-registry`; it ends
/// when this is dropped.
pub struct RegistryProcess {
    child: Child,
    url: String,
}

impl RegistryProcess {
    pub fn start(case: LoadCase) -> Result<RegistryProcess, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(["bench", "load-registry", case.name()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut url = String::new();
        let output = child.stdout.take().expect("it is a pipe");
        BufReader::new(output).read_line(&mut url).map_err(|error| error.to_string())?;
        Ok(RegistryProcess { child, url: url.trim_end().to_owned() })
    }
}

impl RegistryProcess {
    /// As [`Server::url`].
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for RegistryProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn package(number: usize) -> Package {
    Package::new(&format!("package-{number}")).version("1.0.0", "{}")
}
