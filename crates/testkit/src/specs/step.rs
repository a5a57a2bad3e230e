//! One step of a spec, run: files written, commands started, what came of it put where the
//! expectation stood.

use super::Runner;
use super::normal::Normal;
use super::parse::{Command, Step};
use crate::project::Project;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A command that takes longer is killed: it waits for something that will not come.
const COMMAND_MAX: Duration = Duration::from_secs(60);
/// More output than this is a loop, not an answer.
const OUTPUT_BYTES_MAX: u64 = 4 << 20;

/// Runs the step and replaces what it expected by what was found.
pub fn run(runner: &Runner, step: &mut Step, project: &Project, normal: &Normal) -> Result<(), String> {
    for file in &step.given {
        if let Some((path, source)) = file.path.split_once(" = ") {
            project.write(path, fixture(source, &runner.registry_url)?);
            continue;
        }
        project.write(&file.path, normal.actual(&file.text));
        if file.text.starts_with("#!") {
            project.make_executable(&file.path);
        }
    }
    for command in &mut step.commands {
        run_command(runner, command, project, normal)?;
    }
    for file in &mut step.expected {
        let found = match file.path.ends_with('/') {
            true => Some(project.tree(&file.path).iter().map(|line| format!("{line}\n")).collect::<String>()),
            false => project.find(&file.path),
        };
        let found = found.filter(|text| !(file.path.ends_with('/') && text.is_empty()));
        file.text = found.map_or_else(|| "(absent)\n".to_owned(), |text| normal.stable(&text));
        if !file.text.is_empty() && !file.text.ends_with('\n') {
            file.text.push_str("\n(no final newline)\n");
        }
    }
    Ok(())
}

/// The bytes of a file of `fixtures/` with the registry's address, which has as many bytes as what
/// stands for it there: a binary file may have offsets.
fn fixture(source: &str, registry_url: &str) -> Result<Vec<u8>, String> {
    const PLACEHOLDER: &[u8] = b"registry.test:1";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(source);
    let mut bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let authority = registry_url.trim_start_matches("http://").trim_end_matches('/').as_bytes();
    if authority.len() != PLACEHOLDER.len() {
        return Err(format!("expected a registry with a port of five digits, found {registry_url}"));
    }
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(PLACEHOLDER.len()).position(|window| window == PLACEHOLDER) {
        bytes[at + found..][..PLACEHOLDER.len()].copy_from_slice(authority);
        at += found;
    }
    Ok(bytes)
}

fn run_command(
    runner: &Runner,
    command: &mut Command,
    project: &Project,
    normal: &Normal,
) -> Result<(), String> {
    let words = words(&normal.actual(&command.line))?;
    let variables = words.iter().take_while(|word| word.contains('=')).count();
    let (variables, words) = words.split_at(variables);
    let (code, output) = match words {
        [name, arguments @ ..] if name == "rusk" => start(runner, project, variables, arguments)?,
        [name, paths @ ..] if name == "rm" => {
            paths.iter().for_each(|path| project.remove(path));
            (0, String::new())
        }
        _ => return Err(format!("expected `rusk` or `rm`, found `{}`", command.line)),
    };
    command.exit_code = code;
    command.output = normal.stable(&output).lines().map(|line| line.trim_end().to_owned()).collect();
    Ok(())
}

/// Starts the program with nothing inherited but PATH; answers exit code and output, both streams
/// in order.
fn start(
    runner: &Runner,
    project: &Project,
    variables: &[String],
    arguments: &[String],
) -> Result<(i32, String), String> {
    let mut command = std::process::Command::new(&runner.program);
    command.args(arguments).current_dir(project.path()).env_clear();
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("HOME", project.home()).env("npm_config_registry", &runner.registry_url);
    command.envs(variables.iter().filter_map(|variable| variable.split_once('=')));
    output_of(command)
}

/// Exit code and output of a command, both streams in order.
pub fn output_of(mut command: std::process::Command) -> Result<(i32, String), String> {
    let program = command.get_program().display().to_string();
    let io = |error: std::io::Error| format!("{program}: {error}");
    let (reader, writer) = std::io::pipe().map_err(io)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(io)?).stderr(writer);
    // What the command starts is ended with it: it would hold the pipe open.
    command.process_group(0);
    let mut child = command.spawn().map_err(io)?;
    // Holds the pipe's writing ends, which must close for the output to end.
    drop(command);
    let output = std::thread::spawn(move || {
        let mut output = Vec::new();
        let _ = reader.take(OUTPUT_BYTES_MAX).read_to_end(&mut output);
        output
    });
    let status = wait(&mut child).map_err(io)?;
    let output = output.join().expect("reading a pipe does not panic");
    let code = status.and_then(|status| status.code()).unwrap_or(-1);
    Ok((code, String::from_utf8_lossy(&output).into_owned()))
}

/// `None` when the time was up.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    while started.elapsed() < COMMAND_MAX {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let group = format!("-{}", child.id());
    std::process::Command::new("kill").args(["-KILL", "--", &group]).status()?;
    child.wait()?;
    Ok(None)
}

/// A command line to its words: blanks part them, quotes of both kinds hold them together.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (character, quote) {
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(format!("expected a closing quote in `{line}`")) } else { Ok(words) }
}
