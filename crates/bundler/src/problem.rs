//! Everything that can go wrong in a build. The place in a file, if there is one, is added by
//! [`Diagnostic::at`].

use std::path::Path;

use rusk_base::Problem;

use crate::diagnostic::{Diagnostic, lower_first};
use crate::module::RecordKind;
use crate::plugins::PluginFailure;

fn diagnostic(problem: Problem) -> Diagnostic {
    Diagnostic::from(problem)
}

pub(crate) fn no_entry() -> Diagnostic {
    diagnostic(Problem::new("build-entry", "no entry point, expected at least one file"))
}

/// `name`: what was worked on.
pub(crate) fn panicked(name: &str, message: &str) -> Diagnostic {
    let problem = Problem::new("build-bug", format!("the bundler failed at `{name}`: {message}"));
    diagnostic(problem.hint("this is a bug of rusk, please report it with the file"))
}

pub(crate) fn entry_missing(entry: &str) -> Diagnostic {
    diagnostic(Problem::new("build-entry", format!("there is no file `{entry}`, expected an entry point")))
}

pub(crate) fn entry_not_bundled(entry: &str) -> Diagnostic {
    diagnostic(Problem::new("build-entry", format!("`{entry}` is not a file, expected an entry point")))
}

pub(crate) fn not_transpiled(name: &str) -> Diagnostic {
    diagnostic(Problem::new("build-entry", format!("`{name}` is not a program, which --no-bundle expects")))
}

pub(crate) fn syntax(message: &str, hint: Option<String>) -> Diagnostic {
    let problem = Problem::new("build-syntax", message);
    diagnostic(match hint {
        Some(hint) => problem.hint(hint),
        None => problem,
    })
}

pub(crate) fn macro_failed(message: &str) -> Diagnostic {
    diagnostic(Problem::new("build-macro", message))
}

pub(crate) fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    diagnostic(Problem::new("build-read", format!("`{name}` cannot be read: {error}")))
}

/// `byte`: the first that is wrong.
pub(crate) fn not_utf8(name: &str, byte: Option<u8>) -> Diagnostic {
    let found = byte.map_or_else(String::new, |byte| format!(": it has the byte 0x{byte:02x}"));
    let problem = Problem::new("build-read", format!("`{name}` is not valid UTF-8{found}"));
    diagnostic(problem.hint("save it as UTF-8, or import it with { type: \"bytes\" }"))
}

pub(crate) fn invalid_data(format: &str, expected: &str) -> Diagnostic {
    diagnostic(Problem::new("build-data", format!("invalid {format}: expected {expected}")))
}

pub(crate) fn data_fault(format: &str, fault: &str) -> Diagnostic {
    diagnostic(Problem::new("build-data", format!("invalid {format}: {fault}")))
}

pub(crate) fn css(message: &str) -> Diagnostic {
    diagnostic(Problem::new("build-css", format!("invalid CSS: {}", lower_first(message))))
}

pub(crate) fn css_no_class(specifier: &str, name: &str) -> Diagnostic {
    diagnostic(Problem::new("build-css", format!("`{specifier}` has no class `{name}`")))
}

pub(crate) fn html(message: &str) -> Diagnostic {
    diagnostic(Problem::new("build-html", format!("invalid HTML: {}", lower_first(message))))
}

pub(crate) fn define_name(name: &str) -> Diagnostic {
    let line = format!("`{name}` cannot be defined, expected a name, or names with dots");
    diagnostic(Problem::new("build-define", line))
}

pub(crate) fn define_value(name: &str, value: &str) -> Diagnostic {
    let line = format!("`{name}` cannot be defined as `{value}`, expected an expression");
    let hint = format!("a string is in quotes: --define '{name}=\"{value}\"'");
    diagnostic(Problem::new("build-define", line).hint(hint))
}

/// `notes`: where it was searched.
pub(crate) fn unresolved(specifier: &str, notes: &[String], hint: Option<String>) -> Diagnostic {
    let problem = Problem::new("build-resolve", format!("could not resolve `{specifier}`"));
    let problem = notes.iter().fold(problem, |problem, note| problem.note(note));
    diagnostic(match hint {
        Some(hint) => problem.hint(hint),
        None => problem,
    })
}

/// `shape`: what is known of the path.
pub(crate) fn unknown_path(kind: RecordKind, shape: &str) -> Diagnostic {
    let call = if kind == RecordKind::Require { "require" } else { "import" };
    let line = format!("the path of {call}() is not known, so that nothing is bundled for it");
    let pattern = if shape.is_empty() { "<empty>" } else { shape };
    diagnostic(
        Problem::new("build-resolve", line).hint(format!("--allow-unresolved '{pattern}' lets it stay")),
    )
}

/// A builtin module that bundles for browsers do not have.
pub(crate) fn not_in_browsers(module: &str, kind: RecordKind) -> Diagnostic {
    let (owner, targets) = match module.starts_with("bun") {
        true => ("bun", "--target=bun bundles for bun"),
        false => ("Node", "--target=node or --target=bun bundles for servers"),
    };
    let verb = if kind == RecordKind::Require { "required" } else { "imported" };
    let line = format!("`{module}` of {owner} cannot be {verb} in browsers");
    diagnostic(Problem::new("build-resolve", line).hint(targets))
}

pub(crate) fn sqlite_target() -> Diagnostic {
    let line = "a database can be imported by programs for bun alone";
    diagnostic(Problem::new("build-loader", line).hint("build with --target=bun"))
}

pub(crate) fn constant_write(name: &str, is_import: bool) -> Diagnostic {
    let kind = if is_import { "an import" } else { "a constant" };
    diagnostic(Problem::new("build-syntax", format!("`{name}` is {kind}, which cannot be assigned to")))
}

pub(crate) fn no_export(module: &str, name: &str, hint: Option<String>) -> Diagnostic {
    let problem = Problem::new("build-no-export", format!("`{module}` has no export `{name}`"));
    diagnostic(match hint {
        Some(hint) => problem.hint(hint),
        None => problem,
    })
}

pub(crate) fn ambiguous_export(module: &str, name: &str) -> Diagnostic {
    let line = format!("`{module}` exports `{name}` from more than one module");
    diagnostic(Problem::new("build-no-export", line))
}

pub(crate) fn await_format(module: &str) -> Diagnostic {
    let line = format!("`{module}` has a top-level await, which only --format=esm can have");
    diagnostic(Problem::new("build-await", line))
}

pub(crate) fn await_required(module: &str) -> Diagnostic {
    let line =
        format!("`{module}` cannot be required: it, or a module that it imports, has a top-level await");
    diagnostic(Problem::new("build-await", line))
}

pub(crate) fn output_paths(path: &Path) -> Diagnostic {
    let problem = Problem::new("build-path", format!("two outputs have the path `{}`", path.display()));
    diagnostic(problem.hint("--entry-naming with [dir] or [hash] makes them differ"))
}

pub(crate) fn unparsable_bundle(message: &str) -> Diagnostic {
    diagnostic(Problem::new("build-minify", format!("the bundle cannot be parsed: {message}")))
}

/// `hook`: onLoad or onResolve. `subject`: the module or the specifier.
pub(crate) fn plugin(failure: &PluginFailure, hook: &str, subject: &str) -> Diagnostic {
    let PluginFailure { plugin, message } = failure;
    let line = match plugin.as_str() {
        "" => format!("{hook} of `{subject}`: {message}"),
        plugin => format!("plugin `{plugin}`, {hook} of `{subject}`: {message}"),
    };
    diagnostic(Problem::new("build-plugin", line))
}

/// No plugin loads a module of its namespace.
pub(crate) fn namespace_without_loader(name: &str) -> Diagnostic {
    let problem = Problem::new(
        "build-plugin",
        format!("no plugin loads `{name}`, expected an onLoad of its namespace"),
    );
    diagnostic(problem)
}

pub(crate) fn executable_entries() -> Problem {
    Problem::new("build-executable", "an executable has no entry point, expected at least one file")
}

pub(crate) fn asset_unreadable(path: &str, error: &std::io::Error) -> Problem {
    Problem::new("build-executable", format!("`{path}` cannot be embedded: {error}"))
}

pub(crate) fn executable_no_file(path: &Path) -> Problem {
    let line = format!("an executable cannot be written to `{}`, expected a regular file", path.display());
    Problem::new("build-executable", line)
}

pub(crate) fn standalone_entry(entry: &str) -> Problem {
    Problem::new("build-executable", format!("`{entry}` is no page, which --compile for browsers expects"))
        .hint("--target=bun makes an executable")
}

pub(crate) fn standalone_splitting() -> Problem {
    Problem::new("build-executable", "a page that is one file has no chunks, expected no --splitting")
}

pub(crate) fn executable_format() -> Problem {
    Problem::new("build-executable", "an executable has an ES module, expected the format esm")
}

pub(crate) fn output_over_input(path: &Path) -> Problem {
    Problem::new("build-write", format!("the output `{}` would replace a file of the bundle", path.display()))
        .hint("write to another directory: --outdir=dist")
}

pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new("build-write", format!("`{}` cannot be written: {error}", path.display()))
}

pub fn no_thread(error: &std::io::Error) -> Diagnostic {
    diagnostic(Problem::new("build-threads", format!("no thread could be started: {error}")))
}
