//! Cases of module resolution: `fixtures/modules`, whose README says what a line means. In: a text.
//! Out: files and links to make, and questions with the answers that are expected. Absent:
//! resolving, which is the caller's.

use std::path::{Path, PathBuf};

use rusk_npm::json::{self, Dialect};

use crate::project::Project;

/// One file of `fixtures/modules`.
pub struct Case {
    pub title: String,
    /// Words after `options`.
    pub options: Vec<String>,
    files: Vec<(String, String)>,
    links: Vec<(String, String)>,
    pub questions: Vec<Question>,
}

/// One line: the importer, the specifier, and its resolution.
pub struct Question {
    /// `require` or `import`.
    pub kind: String,
    /// Relative to the project.
    pub importer: String,
    pub specifier: String,
    pub expected: String,
    /// Counted from 0.
    pub line: usize,
}

impl Case {
    pub fn parse(text: &str) -> Result<Case, String> {
        let mut case = Case {
            title: String::new(),
            options: Vec::new(),
            files: Vec::new(),
            links: Vec::new(),
            questions: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            case.take(number, line).map_err(|said| format!("line {}: {said}", number + 1))?;
        }
        Ok(case)
    }

    fn take(&mut self, number: usize, line: &str) -> Result<(), String> {
        if let Some(name) = line.strip_prefix("-- ").and_then(|line| line.strip_suffix(" --")) {
            match name.split_once(" -> ") {
                Some((link, target)) => self.links.push((link.to_owned(), target.to_owned())),
                None => self.files.push((name.to_owned(), String::new())),
            }
        } else if let Some(title) = line.strip_prefix("# ").filter(|_| self.title.is_empty()) {
            self.title = title.to_owned();
        } else if let Some(words) = line.strip_prefix("options ") {
            self.options = words.split(' ').map(str::to_owned).collect();
        } else if line.starts_with("require ") || line.starts_with("import ") {
            self.questions.push(question(number, line)?);
        } else if let Some((_, text)) = self.files.last_mut() {
            text.push_str(line);
            text.push('\n');
        } else if !line.is_empty() {
            return Err(format!("expected a file, a link, options or a question, found `{line}`"));
        }
        Ok(())
    }

    /// Makes the files and links; every importer is there.
    pub fn make(&self) -> Project {
        let project = Project::in_memory();
        for (path, text) in &self.files {
            project.write(path, text.trim_end());
        }
        for (link, target) in &self.links {
            let path = project.path().join(link);
            std::fs::create_dir_all(path.parent().expect("a link has a folder")).expect("a folder");
            std::os::unix::fs::symlink(target, &path).unwrap_or_else(|error| panic!("{link}: {error}"));
        }
        project
    }

    /// The text with other results.
    pub fn answered(text: &str, answers: &[(usize, String)]) -> String {
        let line = |(number, line): (usize, &str)| {
            let answer = answers.iter().find(|(at, _)| *at == number);
            let question = line.rsplit_once(" -> ").map_or(line, |(question, _)| question);
            answer.map_or_else(|| line.to_owned(), |(_, answer)| format!("{question} -> {answer}")) + "\n"
        };
        text.lines().enumerate().map(line).collect()
    }
}

fn question(line: usize, text: &str) -> Result<Question, String> {
    let (asked, expected) = text.rsplit_once(" -> ").unwrap_or((text, ""));
    let mut words = asked.splitn(3, ' ');
    let [Some(kind), Some(importer), Some(specifier)] = [words.next(), words.next(), words.next()] else {
        return Err("expected a kind, an importer and a specifier".to_owned());
    };
    let specifier = match specifier.starts_with('"') {
        true => json::parse(specifier, Dialect::Strict)
            .map_err(|error| error.to_string())?
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        false => specifier.to_owned(),
    };
    Ok(Question {
        kind: kind.to_owned(),
        importer: importer.to_owned(),
        specifier,
        expected: expected.to_owned(),
        line,
    })
}

/// An answer without the directory of this run.
pub fn relative(answer: &str, project: &Path) -> String {
    answer.replace(&format!("{}/", project.display()), "")
}

/// Every case, by path.
pub fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/modules");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    paths.sort();
    paths
}
