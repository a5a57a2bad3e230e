//! Cases of the bundler: programs that are run as they are, and bundled in several ways. In: a
//! directory of cases, the program under test. Out: how each case differs from what it says.
//!
//! A case is a title, optionally the ways (`variants:`), files, and the output. `bundled`: the
//! program is not run as it is. `without: TEXT`: no such text is in the bundle of these ways, or of
//! all. Files whose names begin with `entry` are entry points; with several ones each is run in
//! turn.

use std::path::Path;
use std::process::Command;

use crate::project::Project;

/// Checks the cases of a directory whose names contain `wanted`. Out: all differences.
pub fn check(directory: &Path, wanted: &str, program: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("the cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name.contains(wanted) {
            let text = std::fs::read_to_string(&path).expect("a case");
            failures.extend(BundlerCase::parse(&name, &text).check(program));
        }
    }
    failures
}

/// How a case is bundled where it does not say.
const VARIANTS: &str = "unbundled,esm,minified,cjs,iife,split,split --minify";

struct BundlerCase {
    name: String,
    variants: String,
    /// Text that must not be in the bundle.
    absent: Option<String>,
    files: Vec<(String, String)>,
    output: String,
}

impl BundlerCase {
    fn parse(name: &str, text: &str) -> BundlerCase {
        let (files, output) = text.split_once("== output ==\n").expect("a case has an output");
        let mut case = BundlerCase {
            name: name.to_owned(),
            variants: VARIANTS.to_owned(),
            absent: None,
            files: Vec::new(),
            output: output.to_owned(),
        };
        for line in files.lines() {
            if let Some(path) = line.strip_prefix("-- ").and_then(|line| line.strip_suffix(" --")) {
                case.files.push((path.to_owned(), String::new()));
            } else if let Some((_, text)) = case.files.last_mut() {
                text.push_str(line);
                text.push('\n');
            } else if let Some((variants, text)) =
                line.strip_prefix("variants: ").and_then(|line| line.split_once("without: "))
            {
                case.absent = Some(text.to_owned());
                case.variants = match variants.trim() {
                    "" => "esm,minified,cjs,iife,split,split --minify".to_owned(),
                    variants => variants.to_owned(),
                };
            } else if let Some(variants) = line.strip_prefix("variants: ") {
                case.variants = match variants.starts_with("bundled") || variants.starts_with("unbundled") {
                    true => variants.to_owned(),
                    false => format!("unbundled,{variants}"),
                };
            }
        }
        case
    }

    fn entries(&self) -> Vec<&str> {
        let names = self.files.iter().map(|(path, _)| path.as_str());
        let mut entries: Vec<&str> = names.filter(|path| path.starts_with("entry")).collect();
        entries.sort_unstable();
        entries
    }

    fn check(&self, program: &Path) -> Vec<String> {
        let project = Project::new();
        for (path, text) in &self.files {
            project.write(path, text);
        }
        let mut failures = Vec::new();
        for variant in self.variants.split(',').filter(|variant| *variant != "bundled") {
            let output = match variant {
                "unbundled" => {
                    run_all(program, &project, self.entries().iter().map(|entry| (*entry).to_owned()))
                }
                variant => self.bundled(program, &project, variant),
            };
            if output != self.output {
                failures.push(format!("{} ({variant}):\n{output}\nexpected:\n{}", self.name, self.output));
            }
        }
        failures
    }

    fn bundled(&self, program: &Path, project: &Project, variant: &str) -> String {
        let mut words = variant.split(' ');
        let (format, target, extension): (&[&str], &str, &str) = match words.next() {
            Some("minified") => (&["--minify"], "bun", "mjs"),
            Some("cjs") => (&["--format=cjs"], "node", "cjs"),
            Some("iife") => (&["--format=iife"], "node", "cjs"),
            Some("browser") => (&[], "browser", "mjs"),
            Some("split") => (&["--splitting", "--chunk-naming=[name]-[hash].mjs"], "bun", "mjs"),
            _ => (&[], "bun", "mjs"),
        };
        project.remove("out");
        let (target, naming) = (format!("--target={target}"), format!("--entry-naming=[name].{extension}"));
        let mut arguments = vec!["build", "--outdir=out", &target, &naming];
        arguments.extend(self.entries());
        arguments.extend(format);
        arguments.extend(words);
        let built = run(program, project, &arguments);
        if !built.starts_with("bundled ") {
            return built;
        }
        let outputs: Vec<String> = self
            .entries()
            .iter()
            .map(|entry| format!("out/{}.{extension}", entry.split('.').next().unwrap_or(entry)))
            .collect();
        for path in &outputs {
            if let Some(absent) = &self.absent
                && project.read(path).contains(absent.as_str())
            {
                return format!("the bundle contains {absent}:\n{}", project.read(path));
            }
        }
        run_all(program, project, outputs.into_iter())
    }
}

fn run_all(program: &Path, project: &Project, paths: impl Iterator<Item = String>) -> String {
    paths.map(|path| run(program, project, &[&path])).collect()
}

/// Output and errors of the program.
pub fn run(program: &Path, project: &Project, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(project.path())
        .env("HOME", project.home())
        .env("NO_COLOR", "1")
        .env_remove("NODE_ENV")
        .output()
        .expect("rusk starts");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}
