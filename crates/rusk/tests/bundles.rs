//! Bundles behave as their programs: each case of `fixtures/bundler` is run as it is, and bundled
//! in several ways.
//!
//! A case is a title, optionally the ways (`variants:`), files, and the output. `bundled`: the
//! program is not run as it is. `without: TEXT`: no such text is in the bundle. Files whose names
//! begin with `entry` are entry points; with several ones each is run in turn.

use std::path::Path;
use std::process::Command;

use rusk_testkit::project::Project;

/// How a case is bundled where it does not say.
const VARIANTS: &str = "unbundled,esm,minified,cjs,iife,split,split --minify";

struct Case {
    name: String,
    variants: String,
    /// Text that must not be in the bundle.
    absent: Option<String>,
    files: Vec<(String, String)>,
    output: String,
}

impl Case {
    fn parse(name: &str, text: &str) -> Case {
        let (files, output) = text.split_once("== output ==\n").expect("a case has an output");
        let mut case = Case {
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
            } else if let Some(text) = line.strip_prefix("variants: without: ") {
                case.absent = Some(text.to_owned());
                case.variants = "esm,minified,cjs,iife,split,split --minify".to_owned();
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

    fn check(&self) -> Vec<String> {
        let project = Project::new();
        for (path, text) in &self.files {
            project.write(path, text);
        }
        let mut failures = Vec::new();
        for variant in self.variants.split(',').filter(|variant| *variant != "bundled") {
            let output = match variant {
                "unbundled" => run_all(&project, self.entries().iter().map(|entry| (*entry).to_owned())),
                variant => self.bundled(&project, variant),
            };
            if output != self.output {
                failures.push(format!("{} ({variant}):\n{output}\nexpected:\n{}", self.name, self.output));
            }
        }
        failures
    }

    fn bundled(&self, project: &Project, variant: &str) -> String {
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
        let built = run(project, &arguments);
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
        run_all(project, outputs.into_iter())
    }
}

fn run_all(project: &Project, paths: impl Iterator<Item = String>) -> String {
    paths.map(|path| run(project, &[&path])).collect()
}

/// Output and errors of rusk.
fn run(project: &Project, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(arguments)
        .current_dir(project.path())
        .env("HOME", project.home())
        .env("NO_COLOR", "1")
        .env_remove("NODE_ENV")
        .output()
        .expect("rusk starts");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn bundles_behave_as_their_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bundler");
    let wanted = std::env::var("CASE").unwrap_or_default();
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name.contains(&wanted) {
            let text = std::fs::read_to_string(&path).expect("a case");
            failures.extend(Case::parse(&name, &text).check());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn bundles_of_random_graphs_behave_as_their_programs() {
    let project = Project::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bundler-graphs/graphs.mjs");
    // Others by hand: the graphs of an interval are those of its numbers.
    let output = run(&project, &[&script.to_string_lossy(), "0", "12"]);
    assert_eq!(output, "12 graphs, 0 differences\n");
}
