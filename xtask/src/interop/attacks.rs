//! `cargo xtask interop attacks`: the attacks of `fixtures/attacks.json` as install scripts, and
//! hostile packages without one, under rusk, npm, pnpm and bun. In: the attacks. Out: which worked
//! once the script was approved, and whether it ran without; `conformance/attacks.json` and
//! `docs/compatibility/attacks.md`. As root, run it by `unshare -m -i`: some attacks mount or make
//! shared memory.

use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_npm::json::{self, Dialect, Node, quote_into};
use rusk_testkit::attacks::{Approval, AttackedUser, approve_for_pnpm, manifest, packages};
use rusk_testkit::registry::{Package, Server};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Attack {
    name: String,
    commands: String,
}

/// A package manager, and how it is called.
struct Tool {
    name: &'static str,
    program: PathBuf,
    version: String,
    install: &'static [&'static str],
}

/// What an attack came to under each tool, in their order.
struct AttackRow {
    name: String,
    worked: Vec<bool>,
}

const SCRIPT: &str = r#"{ "scripts": { "postinstall": "touch ran; if sh attack.sh; then touch worked; fi; exit 0" }, "+files": { "attack.sh": "#;

/// Runs `[--rusk PROGRAM]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let rusk = match arguments {
        [] => peers::rusk()?,
        [flag, program] if flag == "--rusk" => PathBuf::from(program),
        _ => return Err("`interop attacks` takes `--rusk PROGRAM` only".to_owned()),
    };
    let work = files::target().join("interop-attacks");
    let tools = tools(&rusk)?;
    let mut rows = Vec::new();
    for attack in attacks()? {
        let mut worked = Vec::new();
        for tool in &tools {
            worked.push(attempt(&work, tool, &attack, Approval::Given)?.worked);
        }
        rows.push(AttackRow { worked, name: attack.name });
    }
    let mut hostile = Vec::new();
    for attack in packages::ALL {
        let worked = tools.iter().map(|tool| attempt_package(&work, tool, attack));
        hostile.push(AttackRow { name: attack.name.to_owned(), worked: worked.collect::<Result<_, _>>()? });
    }
    let harmless = Attack { name: String::new(), commands: "true".to_owned() };
    let mut runs = Vec::new();
    for tool in &tools {
        runs.push(attempt(&work, tool, &harmless, Approval::None)?.ran);
    }
    write(&tools, &rows, &hostile, &runs)
}

fn tools(rusk: &Path) -> Result<Vec<Tool>, String> {
    let peers = peers::find();
    // The one that holds scripts back; other results are of an older one.
    let npm = peers::install_into(&files::target().join("attack-peers"), "{}", &["npm@12.2.2"], "npm")?;
    Ok(vec![
        tool("rusk", rusk.to_owned(), &["install"])?,
        tool("npm", npm.join("npm"), &["install", "--no-audit", "--no-fund"])?,
        tool("pnpm", peers.join("pnpm"), &["install", "--no-frozen-lockfile"])?,
        tool("bun", peers.join("bun"), &["install"])?,
    ])
}

fn tool(name: &'static str, program: PathBuf, install: &'static [&'static str]) -> Result<Tool, String> {
    let version = process::version(&program).ok_or_else(|| format!("{name} does not run"))?;
    Ok(Tool { name, program, version, install })
}

fn attacks() -> Result<Vec<Attack>, String> {
    let text = std::fs::read_to_string(files::root().join("fixtures/attacks.json"))
        .map_err(|error| format!("fixtures/attacks.json: {error}"))?;
    let root = json::parse(&text, Dialect::Strict).map_err(|error| error.to_string())?;
    let member = |node: &Node<'_>, key: &str| node.find(key).and_then(Node::as_str).map(str::to_owned);
    let attack = |node: &Node<'_>| -> Result<Attack, String> {
        let python = || Some(format!("python3 -c '{}'", member(node, "python")?.replace('\'', "'\\''")));
        let commands = member(node, "shell").or_else(python).ok_or("an attack without commands")?;
        Ok(Attack { name: member(node, "name").ok_or("an attack without a name")?, commands })
    };
    root.elements().iter().map(attack).collect()
}

struct AttackResult {
    ran: bool,
    worked: bool,
}

/// One install in a project and a home of its own.
fn attempt(work: &Path, tool: &Tool, attack: &Attack, approval: Approval) -> Result<AttackResult, String> {
    files::empty(work)?;
    let target = AttackedUser::new(work)?;
    let mut script = String::from(SCRIPT);
    quote_into(&mut script, &target.fill(&attack.commands));
    script.push_str(" } }");
    let server = Server::start([
        Package::new("evil").version("1.0.0", &script),
        Package::new("victim").version("1.0.0", "{}"),
    ]);
    let project = target.project.clone();
    files::write(&project.join("package.json"), &manifest(approval, ""))?;
    files::write(&project.join(".npmrc"), &format!("registry={}\n", server.url()))?;
    files::write(&project.join(".env"), "SECRET=1")?;
    files::write(&project.join(".git/config"), "[remote]")?;
    approve_for_pnpm(tool.name, &project, approval)?;
    let mut command = Command::new(&tool.program);
    command.args(tool.install).current_dir(&project).env("HOME", &target.home).env("CI", "true");
    command.env("NPM_TOKEN", "a-secret-token").env_remove("XDG_CACHE_HOME").env_remove("XDG_CONFIG_HOME");
    // An install may fail because an attack worked.
    process::run(&mut command)?;
    let evil = project.join("node_modules/evil");
    // What an attack mounted there would hide what it did, and stay.
    let mounted = std::fs::canonicalize(&evil).unwrap_or_else(|_| evil.clone());
    process::run(Command::new("umount").args(["--quiet", "--lazy"]).arg(mounted))?;
    Ok(AttackResult { ran: evil.join("ran").exists(), worked: evil.join("worked").exists() })
}

/// Installs a hostile package.
fn attempt_package(work: &Path, tool: &Tool, attack: &packages::PackageAttack) -> Result<bool, String> {
    files::empty(work)?;
    let prepared = attack.prepare(work, tool.name)?;
    let mut command = Command::new(&tool.program);
    command.args(tool.install).current_dir(&prepared.user.project).env("HOME", &prepared.user.home);
    command.env("CI", "true").env_remove("XDG_CACHE_HOME").env_remove("XDG_CONFIG_HOME");
    process::run(&mut command)?;
    Ok(attack.has_worked(&prepared))
}

fn write(tools: &[Tool], rows: &[AttackRow], hostile: &[AttackRow], runs: &[bool]) -> Result<(), String> {
    let of_tools = |values: &[bool]| {
        let pairs = tools.iter().zip(values);
        Json::Line(pairs.map(|(tool, value)| (tool.name.to_owned(), Json::text(yes(*value)))).collect())
    };
    let json = Json::object([
        ("date", Json::text(report::today())),
        (
            "versions",
            Json::Object(
                tools.iter().map(|tool| (tool.name.to_owned(), Json::text(&tool.version))).collect(),
            ),
        ),
        ("runs_unapproved", of_tools(runs)),
        ("worked", Json::Object(rows.iter().map(|row| (row.name.clone(), of_tools(&row.worked))).collect())),
        (
            "packages_worked",
            Json::Object(hostile.iter().map(|row| (row.name.clone(), of_tools(&row.worked))).collect()),
        ),
    ]);
    files::write(&files::root().join("conformance/attacks.json"), &json.render())?;
    files::write(&files::root().join("docs/compatibility/attacks.md"), &page(tools, rows, hostile, runs))
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

fn page(tools: &[Tool], rows: &[AttackRow], hostile: &[AttackRow], runs: &[bool]) -> String {
    let cells = |values: &[bool]| values.iter().map(|value| yes(*value)).collect::<Vec<_>>().join(" | ");
    let head = tools.iter().map(|tool| format!("{} {}", tool.name, tool.version.trim_start_matches("rusk ")));
    let head = head.collect::<Vec<_>>().join(" | ");
    let mut out = format!(
        "# Attacks by install scripts\n\n\
         `cargo xtask interop attacks` installs a package whose install script tries one attack, under each\n\
         package manager, with the script approved as that program wants it. *yes*: the attack worked. Rusk\n\
         runs approved scripts in a [jail](../package-manager/install-scripts.md); the others run them with\n\
         all rights of the user.\n\n\
         | | {head} |\n|---|{}\n| the script runs without an approval | {} |\n",
        "---|".repeat(tools.len()),
        cells(runs)
    );
    let add = |out: &mut String, rows: &[AttackRow]| {
        for row in rows {
            out.push_str(&format!("| {} | {} |\n", row.name.replace('|', "\\|"), cells(&row.worked)));
        }
        let count = |at: usize| rows.iter().filter(|row| row.worked[at]).count().to_string();
        let counts: Vec<String> = (0..tools.len()).map(count).collect();
        out.push_str(&format!("| **of {}, worked** | {} |\n", rows.len(), counts.join(" | ")));
    };
    add(&mut out, rows);
    out.push_str(&format!(
        "\n## Hostile packages\n\n\
         What a package, its registry or its tarball tries without a script; *outlive the install* has one\n\
         that is approved. The registries are on loopback, and each program has its own defaults.\n\n\
         | | {head} |\n|---|{}\n",
        "---|".repeat(tools.len())
    ));
    add(&mut out, hostile);
    out
}
