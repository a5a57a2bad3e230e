//! One scenario, run: files are written, programs and commands are started, their output is
//! compared with the page.

use super::page::{Block, Kind, is_run};
use super::{Edit, Outcome, Runner};
use crate::project::Project;
use crate::specs::Normal;
use crate::specs::output_of;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The temporary directories as pages show them.
const SHOWN_PROJECT: &str = "/home/me/app";
const SHOWN_HOME: &str = "/home/me";

/// Programs that make a line after `$ ` a command, as a pipe to rusk does. Other such lines are
/// output: `rusk run` prints the script that it starts.
const COMMANDS: &[&str] = &["rusk", "ruskx", "cat", "cp", "ls", "mkdir", "mv", "rm", "touch"];

struct Scenario<'a> {
    runner: &'a Runner,
    project: Project,
    normal: Normal,
    outcome: Outcome,
}

/// A command line of a `console` block with the output that the page shows.
struct CommandLine {
    /// Counted from 0, in the page.
    line: usize,
    text: String,
    output: Vec<String>,
}

pub fn run(runner: &Runner, blocks: &[Block]) -> Outcome {
    let project = Project::new();
    let normal = Normal::of_docs(&project, &runner.registry_url, SHOWN_PROJECT, SHOWN_HOME);
    let mut scenario = Scenario { runner, project, normal, outcome: Outcome::default() };
    if let Err(error) = scenario.prepare() {
        scenario.outcome.failures.push(format!("{}: {error}", blocks[0].line + 1));
        return scenario.outcome;
    }
    for (index, block) in blocks.iter().enumerate() {
        if let Some(file) = &block.file {
            let text = block.text.join("\n") + "\n";
            scenario.project.write(file, scenario.normal.actual(&text));
            if text.starts_with("#!") {
                scenario.project.make_executable(file);
            }
        }
        match block.kind {
            Kind::Program if is_run(blocks, index) => {
                let output = blocks.get(index + 1).filter(|next| next.kind == Kind::Output);
                scenario.program(block, output);
            }
            Kind::Console => scenario.console(block),
            _ => {}
        }
    }
    scenario.outcome
}

impl Scenario<'_> {
    /// The program under its names on PATH, and the registry in the user's `.npmrc`.
    fn prepare(&self) -> std::io::Result<()> {
        let bin = self.bin();
        std::fs::create_dir_all(&bin)?;
        for name in ["rusk", "ruskx"] {
            symlink(&self.runner.program, Path::new(&bin).join(name))?;
        }
        self.project.write("../home/.npmrc", format!("registry={}\n", self.runner.registry_url));
        Ok(())
    }

    fn bin(&self) -> String {
        self.project.home().join(".local/bin").display().to_string()
    }

    fn program(&mut self, block: &Block, shown: Option<&Block>) {
        let file = block.file.clone().unwrap_or_default();
        let expected: &[String] = shown.map_or(&[], |shown| &shown.text);
        let code_expected = shown.map_or(0, |shown| shown.exit_code);
        let line = shown.unwrap_or(block).line;
        let Some((code, found)) = self.start(&format!("rusk {file}"), block.line) else { return };
        if code != code_expected {
            self.fail(line, &format!("exit code {code}, expected {code_expected}"), expected, &found);
            return;
        }
        if self.matches(expected, &found) {
            return;
        }
        self.fail(line, &format!("`rusk {file}` prints something else"), expected, &found);
        match shown {
            Some(shown) => self.replace(shown.line + 1, shown.text.len(), &shown.text, found),
            None => {
                let end = block.line + block.text.len() + 2;
                let lines = [vec![String::new(), "```output".to_owned()], found, vec!["```".to_owned()]];
                self.replace(end, 0, &[], lines.concat());
            }
        }
    }

    fn console(&mut self, block: &Block) {
        for command in commands(block) {
            let Some((code, found)) = self.start(&command.text, command.line) else { return };
            let expected = command.exit_code();
            if code != expected {
                let reason = format!("exit code {code}, expected {expected}, of `{}`", command.text);
                self.fail(command.line, &reason, &command.output, &found);
            } else if !self.matches(&command.output, &found) {
                let reason = format!("`{}` prints something else", command.text);
                self.fail(command.line, &reason, &command.output, &found);
                self.replace(command.line + 1, command.output.len(), &command.output, found);
            }
        }
    }

    /// The exit code and the output as a page shows it; `None` when it could not be started.
    fn start(&mut self, text: &str, line: usize) -> Option<(i32, Vec<String>)> {
        let system = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &self.normal.actual(text)]).current_dir(self.project.path()).env_clear();
        command.env("PATH", format!("{}:{system}", self.bin())).env("HOME", self.project.home());
        command.env("TZ", "UTC").env("LANG", "C.UTF-8");
        self.outcome.examples += 1;
        match output_of(command) {
            Ok((code, output)) => {
                let output = self.normal.shown(&output);
                Some((code, output.lines().map(|line| line.trim_end().to_owned()).collect()))
            }
            Err(error) => {
                self.outcome.failures.push(format!("{}: {error}", line + 1));
                None
            }
        }
    }

    fn matches(&self, expected: &[String], found: &[String]) -> bool {
        // As a whole: what is printed on busy machines alone has several lines.
        let stable = |lines: &[String]| -> Vec<String> {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            self.normal.stable(&text).lines().map(|line| without_numbers(line.trim_end())).collect()
        };
        matches(&stable(expected), &stable(found))
    }

    fn fail(&mut self, line: usize, reason: &str, expected: &[String], found: &[String]) {
        let minus = expected.iter().map(|line| format!("  - {line}\n"));
        let plus = found.iter().map(|line| format!("  + {line}\n"));
        let difference: String = minus.chain(plus).collect();
        self.outcome.failures.push(format!("{}: {reason}\n{difference}", line + 1));
    }

    /// An output with a wildcard is not rewritten: its author knows what may vary.
    fn replace(&mut self, begin: usize, length: usize, expected: &[String], lines: Vec<String>) {
        if !expected.iter().any(|line| line == WILDCARD) {
            self.outcome.edits.push(Edit { begin, end: begin + length, lines });
        }
    }
}

const WILDCARD: &str = "...";

fn matches(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == WILDCARD => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        Some((first, rest)) => found.first() == Some(first) && matches(rest, &found[1..]),
    }
}

/// A line without durations of test reporters and process IDs of warnings.
fn without_numbers(line: &str) -> String {
    const BEFORE: [&str; 3] = ["duration_ms ", "duration_ms: ", "(node:"];
    let Some((before, after)) = BEFORE.iter().find_map(|mark| {
        let (before, after) = line.split_once(mark)?;
        Some((format!("{before}{mark}"), after))
    }) else {
        return line.to_owned();
    };
    before + after.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.')
}

fn commands(block: &Block) -> Vec<CommandLine> {
    let mut commands: Vec<CommandLine> = Vec::new();
    for (index, text) in block.text.iter().enumerate() {
        match (text.strip_prefix("$ ").filter(|text| is_command(text)), commands.last_mut()) {
            (Some(text), _) => commands.push(CommandLine {
                line: block.line + 1 + index,
                text: text.to_owned(),
                output: Vec::new(),
            }),
            (None, Some(command)) => command.output.push(text.clone()),
            (None, None) => {}
        }
    }
    commands
}

fn is_command(text: &str) -> bool {
    let word = text.split(' ').find(|word| !word.contains('=')).unwrap_or_default();
    COMMANDS.contains(&word) || text.contains("| rusk ")
}

impl CommandLine {
    /// `# exit code 2` at the end of the line.
    fn exit_code(&self) -> i32 {
        let code = self.text.rsplit_once("# exit code ").and_then(|(_, code)| code.trim().parse().ok());
        code.unwrap_or(0)
    }
}
