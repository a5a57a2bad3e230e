//! `conformance/repositories/NAME.json`: for each step the problems found, the edges compared, and
//! the peers out of range beside the tool's own. In: a result, or the stored files. Out: the file,
//! or its rows.

use super::Edges;
use super::list;
use crate::bench::results_file;
use crate::report::{self, Json};
use crate::{files, process};
use rusk_npm::json::Node;
use std::path::{Path, PathBuf};

/// Problems stored per step; their number is stored too.
const STORED_MAX: usize = 5;

pub struct RepositoryResult {
    pub name: String,
    pub tool: String,
    /// In the lockfile, without the project and its members.
    pub packages: usize,
    pub steps: Vec<StepResult>,
}

pub struct StepResult {
    pub step: String,
    pub problems: Vec<String>,
    pub edges: Edges,
}

/// A stored result.
pub struct RepositoryRow {
    pub name: String,
    pub tool: String,
    pub date: String,
    pub packages: usize,
    pub steps: Vec<StepRow>,
}

pub struct StepRow {
    pub step: String,
    pub problems: usize,
    pub edges: usize,
    /// Peers for which the trees have different versions.
    pub other_peers: usize,
    /// Ours and the tool's.
    pub violated_peers: [usize; 2],
}

impl RepositoryResult {
    pub fn problems(&self) -> usize {
        self.steps.iter().map(|step| step.problems.len()).sum()
    }

    /// Replaces the stored result. `work` is left out of messages: it is a path of this machine.
    pub fn store(&self, rusk: &Path, work: &Path) -> Result<(), String> {
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("rusk", Json::text(process::version(rusk).unwrap_or_default())),
            ("tool", Json::text(&self.tool)),
            ("packages", Json::number(self.packages as f64)),
            ("steps", Json::List(self.steps.iter().map(|step| step.json(work)).collect())),
        ]);
        files::write(&file(&self.name), &json.render())
    }
}

impl StepResult {
    fn json(&self, work: &Path) -> Json {
        let count = |count: usize| Json::number(count as f64);
        let [ours, theirs] = self.edges.violated_peers;
        let members = [
            ("step", Json::text(&self.step)),
            ("problems", count(self.problems.len())),
            ("edges", count(self.edges.count)),
            ("other peers", count(self.edges.peer_differences.len())),
            ("violated peers", count(ours)),
            ("violated peers of the tool", count(theirs)),
        ];
        let members = members.map(|(name, value)| (name.to_owned(), value)).into_iter();
        if self.problems.is_empty() {
            return Json::Line(members.collect());
        }
        let work = work.display().to_string();
        let stored = self.problems.iter().take(STORED_MAX);
        let lines =
            stored.map(|problem| Json::text(without_hosts(&problem.replace(&work, "WORK")))).collect();
        Json::Object(members.chain([("first problems".to_owned(), Json::List(lines))]).collect())
    }
}

/// No registry is named in the repository.
fn without_hosts(text: &str) -> String {
    let mut parts = text.split("https://");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let path = part.find(|at: char| at == '/' || at.is_whitespace()).unwrap_or(part.len());
        out.push_str("https://registry.test");
        out.push_str(&part[path..]);
    }
    out
}

/// The stored results, in the order of the list.
pub fn read() -> Result<Vec<RepositoryRow>, String> {
    let mut rows = Vec::new();
    for repository in list::read(&[])? {
        let Some(text) = files::find(&file(&repository.name)) else { continue };
        let root = results_file::parse(&repository.name, &text)?;
        let steps = root.find("steps").map(Node::elements).unwrap_or_default();
        rows.push(RepositoryRow {
            tool: results_file::text(&root, "tool"),
            date: results_file::text(&root, "date"),
            packages: count(&root, "packages"),
            steps: steps.iter().map(StepRow::read).collect(),
            name: repository.name,
        });
    }
    Ok(rows)
}

impl StepRow {
    fn read(node: &Node<'_>) -> StepRow {
        StepRow {
            step: results_file::text(node, "step"),
            problems: count(node, "problems"),
            edges: count(node, "edges"),
            other_peers: count(node, "other peers"),
            violated_peers: ["violated peers", "violated peers of the tool"].map(|key| count(node, key)),
        }
    }
}

fn count(node: &Node<'_>, key: &str) -> usize {
    node.find(key).and_then(results_file::number).unwrap_or_default() as usize
}

fn file(name: &str) -> PathBuf {
    files::root().join("conformance/repositories").join(format!("{name}.json"))
}
