//! Methods to start a process, and the programs that use them. The C programs are built by `cc`,
//! the Rust program by cargo, both into the target directory; the JavaScript program is run by bun,
//! node, deno and rusk.

use super::scenario::{Exec, Scenario, Watch};
use crate::bench::c;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is compared: libraries' ways to start a process, or runtimes.
#[derive(Clone, PartialEq, Eq)]
pub enum Comparison {
    Library,
    /// Explicit paths, if any.
    Runtimes {
        rusk: Option<PathBuf>,
        node: Option<PathBuf>,
    },
}

/// One method, as the tables name it.
pub struct Method {
    pub name: &'static str,
    /// Its first argument.
    argument: &'static str,
    program: ProgramKind,
    pub exec: Exec,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgramKind {
    C,
    Rust,
    Rusk,
    Bun,
    Node,
    Deno,
}

/// Rusk first: the others are compared with it.
const METHODS: &[Method] = &[
    Method { name: "rusk", argument: "rusk", program: ProgramKind::Rust, exec: Exec::Watched },
    Method { name: "rusk late", argument: "rusk_late", program: ProgramKind::Rust, exec: Exec::Watched },
    Method { name: "fork", argument: "fork", program: ProgramKind::C, exec: Exec::Watched },
    Method { name: "vfork", argument: "vfork", program: ProgramKind::C, exec: Exec::AtReturn },
    Method { name: "posix_spawn", argument: "posix_spawn", program: ProgramKind::C, exec: Exec::AtReturn },
    Method { name: "std", argument: "std", program: ProgramKind::Rust, exec: Exec::AtReturn },
    Method { name: "tokio", argument: "tokio", program: ProgramKind::Rust, exec: Exec::AtReturn },
    Method { name: "bun", argument: "async", program: ProgramKind::Bun, exec: Exec::Unknown },
    Method { name: "node", argument: "async", program: ProgramKind::Node, exec: Exec::Unknown },
    Method { name: "deno", argument: "async", program: ProgramKind::Deno, exec: Exec::Unknown },
    Method { name: "bun sync", argument: "sync", program: ProgramKind::Bun, exec: Exec::Unknown },
    Method { name: "node sync", argument: "sync", program: ProgramKind::Node, exec: Exec::Unknown },
    Method { name: "deno sync", argument: "sync", program: ProgramKind::Deno, exec: Exec::Unknown },
    Method { name: "nothing", argument: "nothing", program: ProgramKind::C, exec: Exec::Unknown },
];

/// Runtimes only, each by its own API; asynchronous and synchronous.
const RUNTIMES: &[Method] = &[
    Method { name: "rusk", argument: "async", program: ProgramKind::Rusk, exec: Exec::Unknown },
    Method { name: "bun", argument: "async", program: ProgramKind::Bun, exec: Exec::Unknown },
    Method { name: "node", argument: "async", program: ProgramKind::Node, exec: Exec::Unknown },
    Method { name: "deno", argument: "async", program: ProgramKind::Deno, exec: Exec::Unknown },
    Method { name: "rusk sync", argument: "sync", program: ProgramKind::Rusk, exec: Exec::Unknown },
    Method { name: "bun sync", argument: "sync", program: ProgramKind::Bun, exec: Exec::Unknown },
    Method { name: "node sync", argument: "sync", program: ProgramKind::Node, exec: Exec::Unknown },
    Method { name: "deno sync", argument: "sync", program: ProgramKind::Deno, exec: Exec::Unknown },
];

impl Method {
    /// Whether it applies. A synchronous method cannot have two children at a time, and the timer
    /// needs a thread.
    pub fn supports(&self, scenario: &Scenario) -> bool {
        let script = !matches!(self.program, ProgramKind::C | ProgramKind::Rust);
        match self.argument {
            "nothing" => scenario.watch == Watch::Timer,
            "rusk_late" => scenario.open > 0,
            "sync" => scenario.flight == 1 && scenario.watch != Watch::Timer,
            _ => !script || scenario.watch != Watch::Timer,
        }
    }
}

/// Paths of the programs; `None` if not installed.
pub struct Programs {
    pub c: PathBuf,
    pub static_child: PathBuf,
    pub rust: PathBuf,
    /// Only when runtimes are compared.
    pub rusk: Option<PathBuf>,
    pub bun: Option<PathBuf>,
    pub node: Option<PathBuf>,
    pub deno: Option<PathBuf>,
    script: PathBuf,
    home: PathBuf,
}

impl Programs {
    #[allow(clippy::print_stderr, reason = "a warning about what is left out")]
    pub fn build(line: &Comparison) -> Result<Programs, String> {
        let directory = files::target().join("bench");
        files::empty(&directory)?;
        let sources = files::root().join("lib/spawn/bench");
        let [c_peers, static_child] = ["peers", "exit"].map(|name| directory.join(name));
        c::compile(&sources.join("peers.c"), &c_peers, &["-O2", "-pthread"])?;
        c::compile(&sources.join("exit.c"), &static_child, c::BARE)?;
        let peers = peers::find();
        let find = |program: PathBuf| {
            let found = process::version(&program).is_some();
            if !found {
                eprintln!("{} is not there and is left out", program.display());
            }
            found.then_some(program)
        };
        Ok(Programs {
            c: c_peers,
            static_child,
            rust: peers::build("rusk-spawn-bench")?,
            rusk: match line {
                Comparison::Library => None,
                Comparison::Runtimes { rusk: Some(program), .. } => Some(program.clone()),
                Comparison::Runtimes { rusk: None, .. } => Some(peers::rusk()?),
            },
            bun: find(peers.join("bun")),
            node: find(match line {
                Comparison::Runtimes { node: Some(program), .. } => program.clone(),
                _ => "node".into(),
            }),
            deno: find(peers.join("deno")),
            script: sources.join("peers.mjs"),
            home: directory,
        })
    }

    /// The methods whose program is installed.
    pub fn methods(&self, line: &Comparison) -> Vec<Method> {
        let here = |method: &&Method| self.program(method.program).is_some();
        let all = if *line == Comparison::Library { METHODS } else { RUNTIMES };
        all.iter().filter(here).map(|method| Method { ..*method }).collect()
    }

    fn program(&self, program: ProgramKind) -> Option<&Path> {
        match program {
            ProgramKind::C => Some(&self.c),
            ProgramKind::Rust => Some(&self.rust),
            ProgramKind::Rusk => self.rusk.as_deref(),
            ProgramKind::Bun => self.bun.as_deref(),
            ProgramKind::Node => self.node.as_deref(),
            ProgramKind::Deno => self.deno.as_deref(),
        }
    }

    /// Runs a method with the maximal descriptor limit and a small environment.
    pub fn command(&self, method: &Method, scenario: &Scenario, watch: Watch) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n \"$(ulimit -H -n)\"; exec \"$@\"", "sh"]);
        command.arg(self.program(method.program).expect("only methods that are here are run"));
        match method.program {
            ProgramKind::C | ProgramKind::Rust => {}
            ProgramKind::Rusk | ProgramKind::Bun | ProgramKind::Node => drop(command.arg(&self.script)),
            ProgramKind::Deno => drop(command.args(["run", "--quiet", "--allow-all"]).arg(&self.script)),
        }
        command.arg(method.argument).args(scenario.arguments(watch, &self.static_child.to_string_lossy()));
        command.env_clear().env("HOME", &self.home).env("DENO_NO_UPDATE_CHECK", "1");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }
}
