//! Command-line flags of external test suites. In: arguments. Out: flags, or an error.

use crate::peers;
use std::path::{Path, PathBuf};

pub struct ConformanceFlags {
    tests: Option<PathBuf>,
    pub rusk: PathBuf,
    pub node: Option<PathBuf>,
    pub bun: Option<PathBuf>,
    pub jobs: usize,
    /// Whether regressions are accepted.
    pub accept: bool,
    pub areas: Vec<String>,
    /// What distinguishes this machine, if results are stored beside those of the usual one.
    variant: Option<&'static str>,
}

/// Run with the libraries of Debian 13.
pub const OPENSSL_3_5: &str = "openssl-3.5";

impl ConformanceFlags {
    /// `name` is the suite's, for error messages.
    pub fn read(name: &str, arguments: &[String]) -> Result<ConformanceFlags, String> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let (mut tests, mut rusk, mut node, mut bun) = (None, None, None, None);
        let (mut jobs, mut accept, mut areas, mut variant) = (jobs, false, Vec::new(), None);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            // Programs and tests are used from other directories.
            let path =
                |text: &String| Path::new(text).canonicalize().map_err(|error| format!("{text}: {error}"));
            match argument.as_str() {
                "--tests" => tests = Some(path(value()?)?),
                "--rusk" => rusk = Some(path(value()?)?),
                "--node" => node = Some(path(value()?)?),
                "--bun" => bun = Some(path(value()?)?),
                "--jobs" => jobs = value()?.parse().map_err(|_| "expected a number after `--jobs`")?,
                "--accept" => accept = true,
                "--variant" if value()? == OPENSSL_3_5 => variant = Some(OPENSSL_3_5),
                "--variant" => return Err(format!("expected `{OPENSSL_3_5}` after `--variant`")),
                flag if flag.starts_with('-') => {
                    return Err(format!("expected a flag of `conformance {name}`, found `{flag}`"));
                }
                area => areas.push(area.to_owned()),
            }
        }
        let rusk = rusk.map_or_else(peers::rusk, Ok)?;
        Ok(ConformanceFlags { tests, rusk, node, bun, jobs: jobs.max(1), accept, areas, variant })
    }

    /// The name of a suite's results below `conformance`: of its directory or list, and of the file
    /// of its counts.
    pub fn results(&self, suite: &str) -> String {
        self.variant.map_or_else(|| suite.to_owned(), |variant| format!("{suite}-{variant}"))
    }

    /// The directory of the tests, for suites that need one.
    pub fn tests(&self) -> Result<&Path, String> {
        self.tests.as_deref().ok_or_else(|| "expected `--tests` with the directory of the tests".to_owned())
    }

    /// The programs by name.
    pub fn programs(&self) -> [(&'static str, Option<&PathBuf>); 3] {
        [("rusk", Some(&self.rusk)), ("node", self.node.as_ref()), ("bun", self.bun.as_ref())]
    }
}
