//! Projects of `bench runtime`: generated ones below `target/bench-runtime`, with many small files
//! on tmpfs; real ones as `conformance programs` installs them. All tools have the same small
//! environment and a home of their own.

use super::Runtime;
use super::case::RuntimeCase;
use crate::conformance::programs;
use crate::files;
use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Starts before the measurement, so that caches are warm; rusk copies its engine after eight
/// starts.
const STARTS: usize = 10;
/// Of the case with many modules.
const MODULES: usize = 1000;
/// Imports per module.
const BRANCHES: usize = 3;
const FOLDERS: usize = 1000;
const FILES_IN_FOLDER: usize = 100;

pub struct Projects {
    pub top: PathBuf,
    /// On tmpfs: the program is measured, not a disk.
    files: PathBuf,
    real: Vec<(&'static str, PathBuf)>,
}

impl Projects {
    pub fn prepare(rusk: &Path) -> Result<Projects, String> {
        let top = files::target().join("bench-runtime");
        files::empty(&top)?;
        for (file, text) in [
            ("empty.js", ""),
            ("empty.ts", ""),
            ("interval.js", "setInterval(() => {}, 1e9);\n"),
            ("timeout.js", "setTimeout(() => {}, 1e9);\n"),
            ("package.json", "{ \"name\": \"bench\", \"version\": \"1.0.0\" }\n"),
        ] {
            files::write(&top.join(file), text)?;
        }
        for index in 0..MODULES {
            files::write(&top.join(format!("esm/{index}.mjs")), &module(index, Style::Esm))?;
            files::write(&top.join(format!("cjs/{index}.cjs")), &module(index, Style::Cjs))?;
        }
        for script in ["kernels.js", "read.cjs"] {
            let source = files::root().join("bench/runtime").join(script);
            files::write(&top.join(script), &files::find(&source).ok_or_else(|| format!("no {script}"))?)?;
        }
        let files = Path::new("/dev/shm").join(format!("rusk-bench-{}", std::process::id()));
        for directory in 0..FOLDERS {
            for file in 0..FILES_IN_FOLDER {
                files::write(&files.join(format!("{directory}/{file}.txt")), &format!("{file:099}\n"))?;
            }
        }
        symlink(&files, top.join("files")).map_err(|error| error.to_string())?;
        let real = [programs::TYPES.project, programs::LINT.project];
        let real = real.into_iter().map(|name| Ok((name, programs::project(name, rusk)?)));
        Ok(Projects { real: real.collect::<Result<_, String>>()?, top, files })
    }

    /// Starts a tool often enough to fill its caches. A failure shows when it is measured.
    pub fn warm(&self, tool: &Runtime, case: &RuntimeCase) {
        for _ in 0..STARTS {
            let _ = crate::process::run(&mut self.command(tool, case));
        }
    }

    pub fn end(&self) -> Result<(), String> {
        files::remove(&self.files)
    }

    pub fn command(&self, tool: &Runtime, case: &RuntimeCase) -> Command {
        let real = self.real.iter().find(|(name, _)| case.project == Some(name));
        let mut command = Command::new(&tool.program);
        command
            .args(tool.arguments)
            .args(case.arguments)
            .current_dir(real.map_or(&self.top, |(_, directory)| directory));
        command
            .env_clear()
            .env("HOME", self.top.join("home"))
            .env("NO_COLOR", "1")
            .env("DENO_NO_UPDATE_CHECK", "1");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }

    pub fn without_paths(&self, line: &str) -> String {
        let line = line.replace(&*self.top.to_string_lossy(), ".");
        line.replace(&*files::root().to_string_lossy(), ".").replace("/root", "HOME")
    }
}

enum Style {
    Esm,
    Cjs,
}

/// A small module that imports its children in the tree; the first one prints their number.
fn module(index: usize, style: Style) -> String {
    let branches: Vec<usize> =
        (1..=BRANCHES).map(|branch| BRANCHES * index + branch).filter(|&branch| branch < MODULES).collect();
    let mut text = String::new();
    for branch in &branches {
        let _ = match style {
            Style::Esm => writeln!(text, "import {{ count as count{branch} }} from './{branch}.mjs';"),
            Style::Cjs => writeln!(text, "const {{ count: count{branch} }} = require('./{branch}.cjs');"),
        };
    }
    let sum: String = branches.iter().map(|branch| format!(" + count{branch}")).collect();
    let _ = writeln!(
        text,
        "class Shape{index} {{\n  constructor(size) {{ this.size = size; }}\n  area() {{ return this.size ** 2; }}\n}}"
    );
    for number in 0..5 {
        let _ = writeln!(
            text,
            "function used{number}(list) {{\n  return list.map((item) => new Shape{index}(item).area() + {number});\n}}"
        );
    }
    let names = "used0, used1, used2, used3, used4";
    let _ = match style {
        Style::Esm => writeln!(text, "export const count = 1{sum};\nexport {{ {names} }};"),
        Style::Cjs => writeln!(text, "const count = 1{sum};\nmodule.exports = {{ count, {names} }};"),
    };
    if index == 0 {
        let _ = writeln!(text, "if (count !== {MODULES}) throw new Error(`${{count}} modules`);");
    }
    text
}
