//! What `rusk init` asks: npm's questions, their defaults, and how an answer is checked.

use std::path::Path;

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::Manifest;
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Syntax, Version};

use crate::commands::problem;
use crate::commands::registry::prompt;
use rusk_screen::Screen;
use rusk_screen::json::{array, string};

/// Entry points that a project may have already, in order.
const ENTRIES: [&str; 8] = [
    "index.ts",
    "index.tsx",
    "index.js",
    "index.mjs",
    "src/index.ts",
    "src/index.tsx",
    "src/index.js",
    "src/index.mjs",
];

/// A larger configuration of git is not read.
const GIT_CONFIG_BYTES_MAX: u64 = 1 << 20;

/// The answers to all questions; an empty one leaves its field out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    pub name: String,
    version: String,
    description: String,
    pub entry: String,
    test_command: String,
    repository: String,
    keywords: String,
    author: String,
    license: String,
}

/// A question, its answer, and what an answer has to be.
type Question = (&'static str, fn(&mut Answers) -> &mut String, fn(&str) -> bool, &'static str);

const QUESTIONS: [Question; 9] = [
    ("package name", |answers| &mut answers.name, is_name, "a package name"),
    ("version", |answers| &mut answers.version, is_version, "a version such as `1.0.0`"),
    ("description", |answers| &mut answers.description, |_| true, ""),
    ("entry point", |answers| &mut answers.entry, is_inner_path, "a path in the project"),
    ("test command", |answers| &mut answers.test_command, |_| true, ""),
    ("git repository", |answers| &mut answers.repository, |_| true, ""),
    ("keywords", |answers| &mut answers.keywords, |_| true, ""),
    ("author", |answers| &mut answers.author, |_| true, ""),
    ("license", |answers| &mut answers.license, |_| true, ""),
];

impl Answers {
    /// From package.json where it has the field, else from the directory.
    pub fn defaults(dir: &Path, text: &str, manifest: &Manifest) -> Result<Answers> {
        let root = json::parse(text, Dialect::Relaxed).map_err(|_| problem::bad_manifest(dir))?;
        let field = |key| root.find(key).and_then(Node::as_str).unwrap_or_default().to_owned();
        let entry = [field("module"), field("main")].into_iter().find(|entry| !entry.is_empty());
        let existing = || ENTRIES.into_iter().find(|entry| files::is_file(&dir.join(entry)));
        let entry = entry.filter(|entry| is_inner_path(entry));
        Ok(Answers {
            name: manifest.name.clone().unwrap_or_else(|| directory_name(dir)),
            version: manifest.version.clone().unwrap_or_else(|| "1.0.0".to_owned()),
            description: field("description"),
            entry: entry.unwrap_or_else(|| existing().unwrap_or("index.ts").to_owned()),
            repository: origin(dir).unwrap_or_default(),
            ..Answers::default()
        })
    }

    /// Asks every question; a wrong answer is asked for again.
    pub fn ask(mut self, screen: &mut Screen) -> Result<Answers> {
        for (question, field, is_valid, expected) in QUESTIONS {
            let default = field(&mut self).clone();
            let shown =
                if default.is_empty() { String::new() } else { format!(" ({})", printable(&default)) };
            loop {
                let answer = prompt::line(&format!("{question}{shown}: "), screen)?;
                let answer = answer.trim();
                if answer.is_empty() {
                    break;
                }
                if is_valid(answer) {
                    *field(&mut self) = answer.to_owned();
                    break;
                }
                screen.warning(problem::bad_answer(question, answer, expected).message());
            }
        }
        Ok(self)
    }

    /// The fields of package.json with their values as JSON, in npm's order.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let text = |text: &String| (!text.is_empty()).then(|| string(text));
        let object =
            |key: &str, value: &String| text(value).map(|value| format!("{{ {}: {value} }}", string(key)));
        let repository = text(&self.repository).map(|url| format!("{{ \"type\": \"git\", \"url\": {url} }}"));
        let words = self.keywords.split([',', ' ']).filter(|word| !word.is_empty());
        let keywords = (!self.keywords.is_empty()).then(|| array(words.map(string)));
        let fields = [
            ("name", text(&self.name)),
            ("version", text(&self.version)),
            ("description", text(&self.description)),
            ("private", Some("true".to_owned())),
            ("type", Some(string("module"))),
            ("module", text(&self.entry)),
            ("scripts", object("test", &self.test_command)),
            ("repository", repository),
            ("keywords", keywords),
            ("author", text(&self.author)),
            ("license", text(&self.license)),
        ];
        fields.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

fn is_name(text: &str) -> bool {
    PackageName::parse(text).is_ok()
}

fn is_version(text: &str) -> bool {
    Version::parse_with(text, Syntax::Strict).is_some()
}

/// Relative, and not above the project.
fn is_inner_path(text: &str) -> bool {
    use std::path::Component;
    let is_inner = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    !text.ends_with('/') && Path::new(text).components().all(is_inner)
}

/// The directory's name as a package name; `app` where nothing is left of it.
fn directory_name(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |character: char| match character.is_ascii_alphanumeric() || "-_.".contains(character) {
        true => character,
        false => '-',
    };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_start_matches(['-', '_', '.']).trim_end_matches('-');
    if is_name(name) { name.to_owned() } else { "app".to_owned() }
}

/// The URL of the remote `origin` in the configuration of the directory's git repository.
fn origin(dir: &Path) -> Option<String> {
    let text = files::find_string(&dir.join(".git/config"), GIT_CONFIG_BYTES_MAX).ok()??;
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[remote \"origin\"]").skip(1);
    lines
        .find_map(|line| match line.starts_with('[') {
            true => Some(None),
            false => line.strip_prefix("url").map(|rest| rest.trim().strip_prefix('=').map(str::trim)),
        })?
        .filter(|url| !url.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests;
