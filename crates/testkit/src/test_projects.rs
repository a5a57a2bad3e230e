//! Public projects whose suites of tests `cargo xtask bench test` runs; they are written for
//! vitest. In: a checkout, the report of a runner. Out: paths of test files, counts.

use std::path::Path;

pub const VALIBOT: &str = "valibot, 247 files";
pub const DATE_FNS: &str = "date-fns, 250 files";

/// What their tests import, of the time of the projects' own versions.
pub const PACKAGES: [&str; 7] = [
    "vitest@3.2.6",
    "@date-fns/tz@1.4.1",
    "@date-fns/utc@2.1.1",
    "fp-ts@2.16.11",
    "js-fns@2.5.2",
    "lodash@4.17.21",
    "sinon@7.5.0",
];

pub const PROJECTS: [Project; 2] = [
    Project {
        case: VALIBOT,
        name: "valibot",
        repository: "fabian-hiller/valibot",
        commit: "a14753beaa2e968190717ebfe5f778e5e32c1e08",
        directory: "library",
        tests: ".test.ts",
    },
    Project {
        case: DATE_FNS,
        name: "date-fns",
        repository: "date-fns/date-fns",
        commit: "dd66398305c2b015fba3c1b3d31ccff42ee8d4cf",
        directory: "",
        tests: "/test.ts",
    },
];

pub struct Project {
    pub case: &'static str,
    pub name: &'static str,
    pub repository: &'static str,
    pub commit: &'static str,
    /// Of the package, inside the repository.
    pub directory: &'static str,
    /// End of the paths of its tests.
    tests: &'static str,
}

impl Project {
    /// Paths that begin with `./`, sorted.
    pub fn tests(&self, sources: &Path) -> Result<Vec<String>, String> {
        let mut directories = vec![(sources.to_owned(), "./src".to_owned())];
        let mut tests = Vec::new();
        while let Some((directory, path)) = directories.pop() {
            let entries =
                std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
            for entry in entries.flatten() {
                let path = format!("{path}/{}", entry.file_name().to_string_lossy());
                if entry.path().is_dir() {
                    directories.push((entry.path(), path));
                } else if path.ends_with(self.tests) {
                    tests.push(path);
                }
            }
        }
        tests.sort();
        Ok(tests)
    }
}

/// From the last lines of a report: ` 2711 pass` of rusk and bun, `Tests  1 failed | 2711 passed`
/// of vitest.
pub fn passed(output: &str) -> Option<f64> {
    output.lines().rev().find_map(|line| {
        let line = line.trim();
        match line.strip_prefix("Tests ") {
            Some(counts) => number_before(counts, "passed"),
            None => line.strip_suffix(" pass").and_then(|count| count.parse().ok()),
        }
    })
}

fn number_before(line: &str, word: &str) -> Option<f64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).find(|pair| pair[1] == word)?[0].parse().ok()
}

#[cfg(test)]
mod tests;
