//! The ways to start a process, and the programs that do it. The C ones are built by `cc`, the Rust
//! one by cargo, both into the build folder; the JavaScript one is run by bun, node and deno, and
//! by rusk as the runtime that it is.

use super::scenario::{Exec, Scenario, Watch};
use crate::bench::c;
use crate::{peers, place, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is compared: ways of libraries, or runtimes with each other.
#[derive(Clone, PartialEq, Eq)]
pub enum Line {
    Library,
    /// Where they are, if not where they are looked for.
    Runtimes {
        rusk: Option<PathBuf>,
        node: Option<PathBuf>,
    },
}

/// One way, as the tables call it.
pub struct Method {
    pub name: &'static str,
    /// Its first argument.
    word: &'static str,
    program: Program,
    pub exec: Exec,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    C,
    Rust,
    Rusk,
    Bun,
    Node,
    Deno,
}

/// Rusk first: the others are compared with it.
const METHODS: &[Method] = &[
    Method { name: "rusk", word: "rusk", program: Program::Rust, exec: Exec::Watched },
    Method { name: "rusk late", word: "rusk_late", program: Program::Rust, exec: Exec::Watched },
    Method { name: "fork", word: "fork", program: Program::C, exec: Exec::Watched },
    Method { name: "vfork", word: "vfork", program: Program::C, exec: Exec::AtReturn },
    Method { name: "posix_spawn", word: "posix_spawn", program: Program::C, exec: Exec::AtReturn },
    Method { name: "std", word: "std", program: Program::Rust, exec: Exec::AtReturn },
    Method { name: "tokio", word: "tokio", program: Program::Rust, exec: Exec::AtReturn },
    Method { name: "bun", word: "async", program: Program::Bun, exec: Exec::Unknown },
    Method { name: "node", word: "async", program: Program::Node, exec: Exec::Unknown },
    Method { name: "deno", word: "async", program: Program::Deno, exec: Exec::Unknown },
    Method { name: "bun sync", word: "sync", program: Program::Bun, exec: Exec::Unknown },
    Method { name: "node sync", word: "sync", program: Program::Node, exec: Exec::Unknown },
    Method { name: "deno sync", word: "sync", program: Program::Deno, exec: Exec::Unknown },
    Method { name: "nothing", word: "nothing", program: Program::C, exec: Exec::Unknown },
];

/// Of runtimes alone, each by what it has itself; asynchronously and waited for.
const RUNTIMES: &[Method] = &[
    Method { name: "rusk", word: "async", program: Program::Rusk, exec: Exec::Unknown },
    Method { name: "bun", word: "async", program: Program::Bun, exec: Exec::Unknown },
    Method { name: "node", word: "async", program: Program::Node, exec: Exec::Unknown },
    Method { name: "deno", word: "async", program: Program::Deno, exec: Exec::Unknown },
    Method { name: "rusk sync", word: "sync", program: Program::Rusk, exec: Exec::Unknown },
    Method { name: "bun sync", word: "sync", program: Program::Bun, exec: Exec::Unknown },
    Method { name: "node sync", word: "sync", program: Program::Node, exec: Exec::Unknown },
    Method { name: "deno sync", word: "sync", program: Program::Deno, exec: Exec::Unknown },
];

impl Method {
    /// Whether it has a meaning there. What waits for its child cannot have two of them, and the
    /// timer is a thread's.
    pub fn can(&self, scenario: &Scenario) -> bool {
        let script = !matches!(self.program, Program::C | Program::Rust);
        match self.word {
            "nothing" => scenario.watch == Watch::Timer,
            "rusk_late" => scenario.open > 0,
            "sync" => scenario.flight == 1 && scenario.watch != Watch::Timer,
            _ => !script || scenario.watch != Watch::Timer,
        }
    }
}

/// Where the programs are; what is not on this machine is `None`.
pub struct Programs {
    pub c: PathBuf,
    pub static_child: PathBuf,
    pub rust: PathBuf,
    /// Where runtimes are compared.
    pub rusk: Option<PathBuf>,
    pub bun: Option<PathBuf>,
    pub node: Option<PathBuf>,
    pub deno: Option<PathBuf>,
    script: PathBuf,
    home: PathBuf,
}

impl Programs {
    #[allow(clippy::print_stderr, reason = "what is left out is said")]
    pub fn build(line: &Line) -> Result<Programs, String> {
        let folder = place::target().join("bench");
        place::empty(&folder)?;
        let sources = place::root().join("lib/spawn/bench");
        let [c_peers, static_child] = ["peers", "exit"].map(|name| folder.join(name));
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
                Line::Library => None,
                Line::Runtimes { rusk: Some(program), .. } => Some(program.clone()),
                Line::Runtimes { rusk: None, .. } => Some(peers::rusk()?),
            },
            bun: find(peers.join("bun")),
            node: find(match line {
                Line::Runtimes { node: Some(program), .. } => program.clone(),
                _ => "node".into(),
            }),
            deno: find(peers.join("deno")),
            script: sources.join("peers.mjs"),
            home: folder,
        })
    }

    /// The methods whose program is here.
    pub fn methods(&self, line: &Line) -> Vec<Method> {
        let here = |method: &&Method| self.program(method.program).is_some();
        let all = if *line == Line::Library { METHODS } else { RUNTIMES };
        all.iter().filter(here).map(|method| Method { ..*method }).collect()
    }

    fn program(&self, program: Program) -> Option<&Path> {
        match program {
            Program::C => Some(&self.c),
            Program::Rust => Some(&self.rust),
            Program::Rusk => self.rusk.as_deref(),
            Program::Bun => self.bun.as_deref(),
            Program::Node => self.node.as_deref(),
            Program::Deno => self.deno.as_deref(),
        }
    }

    /// A run of a method, with as many descriptors as the machine allows and a small environment.
    pub fn command(&self, method: &Method, scenario: &Scenario, watch: Watch) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n \"$(ulimit -H -n)\"; exec \"$@\"", "sh"]);
        command.arg(self.program(method.program).expect("only methods that are here are run"));
        match method.program {
            Program::C | Program::Rust => {}
            Program::Rusk | Program::Bun | Program::Node => drop(command.arg(&self.script)),
            Program::Deno => drop(command.args(["run", "--quiet", "--allow-all"]).arg(&self.script)),
        }
        command.arg(method.word).args(scenario.words(watch, &self.static_child.to_string_lossy()));
        command.env_clear().env("HOME", &self.home).env("DENO_NO_UPDATE_CHECK", "1");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }
}
