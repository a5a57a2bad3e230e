//! `rusk init`: creates package.json and the first files of a project, or adds what is missing.
//! Asks at a terminal; else, and with `--yes`, takes the defaults. What exists is not changed.

use std::path::Path;

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_npm::edit;
use rusk_npm::json::{self, Dialect};
use rusk_npm::manifest::{Group, MANIFEST_BYTES_MAX, Manifest};
use rusk_scripts::Exit;
use rusk_templates::{ReactStyle, Starter};

use super::problem;
use super::registry::prompt;
use crate::host;
use questions::Answers;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, string};

mod questions;

/// The TypeScript options of bun's template, but for `lib` and the checks that it leaves off.
const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "types": ["bun"],
    "target": "ESNext",
    "module": "Preserve",
    "moduleDetection": "force",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "noEmit": true,
    "strict": true,
    "skipLibCheck": true,
    "noUncheckedIndexedAccess": true
  }
}
"#;

/// Types of the runtime's own modules and globals, for editors and `tsc`.
const TYPES: (&str, &str) = ("@types/bun", "^1");

const GITIGNORE: &str = "node_modules\ndist\ncoverage\n*.tgz\n*.log\n.env\n.env.*.local\n";

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let dir = match invocation.operands.as_slice() {
        [] => current_dir,
        [dir] => {
            files::create_directories(&current_dir.join(dir))?;
            host::current_dir(Some(&current_dir.join(dir)))?
        }
        [_, other, ..] => return Err(problem::two_directories(other)),
    };
    let text = files::find_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
    let text = text.unwrap_or_else(|| "{}\n".to_owned());
    let manifest = Manifest::parse(&text)?;
    let asks = prompt::is_interactive() && !invocation.is_on(Flag::Yes);
    let template = template(invocation)?;
    let mut defaults = Answers::defaults(&dir, &text, &manifest)?;
    if let Some(entry) = template.entry() {
        defaults.entry = entry.to_owned();
    }
    let answers = if asks { defaults.ask(screen)? } else { defaults };
    let mut created = Vec::new();
    let is_typescript = answers.entry.ends_with("ts") || answers.entry.ends_with("tsx");
    if write_manifest(&dir, &text, (&answers, is_typescript), template)? {
        created.push("package.json");
    }
    if !invocation.is_on(Flag::Minimal) {
        let program = format!("console.log({});\n", string("Hello via rusk!"));
        let tsconfig = TSCONFIG.replacen("{\n    ", &format!("{{\n{}    ", template.compiler_options()), 1);
        let readme = readme(&answers);
        let mut wanted: Vec<(&str, &str, bool)> =
            template.files().into_iter().map(|(path, text)| (path, text, true)).collect();
        wanted.extend([
            (answers.entry.as_str(), program.as_str(), template == Starter::Blank),
            ("tsconfig.json", tsconfig.as_str(), is_typescript),
            (".gitignore", GITIGNORE, true),
            ("README.md", readme.as_str(), true),
        ]);
        for (path, text, is_wanted) in wanted {
            if is_wanted && write_new(&dir, path, text)? {
                created.push(path);
            }
        }
    }
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("directory", string(&dir.display().to_string())),
            ("name", string(&answers.name)),
            ("files", array(created.iter().map(|path| string(path)))),
        ]),
        false if created.is_empty() => "nothing to create: all files exist\n".to_owned(),
        false => {
            let next = if is_typescript { "next: rusk install\n" } else { "" };
            created.iter().map(|path| format!("+ {}\n", printable(path))).collect::<String>() + next
        }
    };
    screen.page(&text).map(|()| Exit::DONE)
}

fn readme(Answers { name, entry, .. }: &Answers) -> String {
    format!("# {name}\n\n```sh\nrusk install\nrusk {entry}\n```\n")
}

fn template(invocation: &Invocation) -> Result<Starter> {
    let style = match (invocation.is_given(Flag::React), invocation.value(Flag::React).unwrap_or_default()) {
        (false, _) => None,
        (true, "") => Some(ReactStyle::Plain),
        (true, "tailwind") => Some(ReactStyle::Tailwind),
        (true, "shadcn") => Some(ReactStyle::Shadcn),
        (true, other) => return Err(problem::react_style(other)),
    };
    match (style, invocation.is_on(Flag::Library)) {
        (Some(_), true) => Err(problem::two_templates()),
        (Some(style), false) => Ok(Starter::React(style)),
        (None, true) => Ok(Starter::Library),
        (None, false) => Ok(Starter::Blank),
    }
}

/// Adds the fields that package.json does not have, and types for TypeScript; whether there were
/// any.
fn write_manifest(
    dir: &Path,
    text: &str,
    (answers, is_typescript): (&Answers, bool),
    template: Starter,
) -> Result<bool> {
    let file = dir.join("package.json");
    let mut new = text.to_owned();
    let own = template.fields().iter().map(|(key, value)| (*key, (*value).to_owned()));
    let root = json::parse(text, Dialect::Relaxed).ok();
    let has = |key: &str| root.as_ref().is_some_and(|root| root.find(key).is_some());
    let exists = files::exists(&file);
    let fields = answers.fields().into_iter().filter(|(key, _)| match *key {
        // A library is published.
        "private" => template != Starter::Library,
        "module" => template != Starter::Library && !has("main") && !has("exports"),
        // Files that are there may be CommonJS.
        "type" => !exists,
        _ => true,
    });
    for (key, value) in fields.chain(own) {
        let has_it = json::parse(&new, Dialect::Relaxed).is_ok_and(|root| root.find(key).is_some());
        if !has_it {
            new = edit::set_field(&new, key, &value)?;
        }
    }
    let (types, range) = TYPES;
    if is_typescript && edit::groups_of(&new, types)?.is_empty() {
        new = edit::set_entry(&new, Group::Development.key(), types, range)?;
    }
    let is_new = !exists || new != text;
    if is_new {
        files::write_atomically(&file, new.as_bytes())?;
    }
    Ok(is_new)
}

/// Creates a file with its directories; whether it did not exist.
fn write_new(dir: &Path, path: &str, text: &str) -> Result<bool> {
    let file = dir.join(path);
    if files::exists(&file) {
        return Ok(false);
    }
    files::check_below(dir, &file)?;
    if let Some(parent) = file.parent() {
        files::create_directories(parent)?;
    }
    files::write_atomically(&file, text.as_bytes()).map(|()| true)
}
