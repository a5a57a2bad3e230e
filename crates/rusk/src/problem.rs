//! Constructors of the errors about a project, the current directory and running a program.

use std::path::Path;
use std::time::Duration;

use rusk_base::Problem;
use rusk_command_line::flags::{Command, FlagSpec, Invocation, suggest, table};
use rusk_command_line::problem::operands_missing;
use rusk_runtime::DefineError;

/// A flag such as `frozen-lockfile` together with names that would change package.json.
pub fn names_with_frozen_lockfile(flag: &str, names: &[String]) -> Problem {
    Problem::new(
        "flags-conflict",
        format!("`--{flag}` allows no changes, found packages to add: `{}`", names.join("`, `")),
    )
}

pub fn needs_names(flag: &str) -> Problem {
    // pnpm's `-P` is `--prod`.
    let hint = if flag == "save-prod" {
        "`--production` leaves devDependencies out"
    } else {
        "`rusk add <name>` adds a package"
    };
    Problem::new("words-missing", format!("`--{flag}` applies to new packages, found no package name"))
        .hint(hint)
}

/// No program is named, by the command line or by an image.
pub fn no_operand(invocation: &Invocation) -> Problem {
    operands_missing(table::command(invocation.command.unwrap_or(Command::Exec)))
}

/// A flag about the root file system without `--sysroot`.
pub fn needs_sysroot(flag: &FlagSpec) -> Problem {
    Problem::new("flag-missing", format!("`--{}` needs `--sysroot=DIR`", flag.long))
}

pub fn image_is_read_only(image: &Path) -> Problem {
    Problem::new(
        "flags-conflict",
        format!("`--rw` writes to a directory, found the image `{}`", image.display()),
    )
    .hint("leave `--rw` out, or unpack the image into a directory first")
}

pub fn root_lost(root: &Path) -> Problem {
    Problem::new("no-root", format!("the process in the root `{}` ended without a report", root.display()))
}

pub fn not_in_cache(names: &[String]) -> Problem {
    Problem::new("not-in-cache", format!("the store has no package `{}`", names.join("`, `")))
        .hint("`rusk cache ls` lists the packages")
}

pub fn no_manifest(dir: &Path) -> Problem {
    Problem::new("no-manifest", format!("no package.json in `{}` or its parent directories", dir.display()))
        .hint("`rusk add <name>` creates one")
}

pub fn no_package(dir: &Path) -> Problem {
    Problem::new("no-manifest", format!("no package.json in `{}` or its parent directories", dir.display()))
        .hint("change to the directory of a package, name it with `--cwd`, or make one with `rusk init`")
}

/// `near`: a similar name.
pub fn no_script(name: &str, dir: &Path, near: Option<&str>) -> Problem {
    let problem = Problem::new("no-script", format!("package.json has no script `{name}`"))
        .note("there is no program of that name in node_modules/.bin either")
        .note(format!("directory: `{}`", dir.display()));
    match near {
        Some(near) => problem.hint(format!("did you mean `rusk run {near}`?")),
        None => problem.hint("`rusk run` lists the scripts"),
    }
}

/// Several packages, none of which has the script.
pub fn no_script_in(names: &str, packages: &[String], near: Option<&str>) -> Problem {
    let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
    let problem = Problem::new("no-script", format!("no selected package has a script `{names}`"))
        .note(format!("searched {}", listed(&packages)));
    match near {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem.hint("`--if-present` makes this a success"),
    }
}

pub fn flag_after_scripts(found: &str) -> Problem {
    Problem::new("bad-value", format!("expected the name of a script, found `{found}`"))
        .hint("flags of rusk come before the names, arguments of the scripts after `--`")
}

pub fn no_task_runner(error: std::io::Error) -> Problem {
    Problem::new("no-task-runner", "cannot run several scripts").cause(error)
}

/// An interactive command without a terminal.
pub fn no_terminal(invocation: &Invocation) -> Problem {
    let name = invocation.command.map_or("rusk", |command| table::command(command).name);
    Problem::new(
        "no-terminal",
        format!("`rusk {name} --interactive` needs a terminal to show a list and read keys"),
    )
    .hint(format!("name the packages instead: `rusk {name} NAME...`"))
}

pub fn terminal(error: std::io::Error) -> Problem {
    Problem::new("terminal", "cannot use the terminal").cause(error)
}

/// A directory or file beside flags that select members.
pub fn operand_with_selection(found: &str) -> Problem {
    Problem::new("word-not-taken", format!("found `{found}` and flags that select members"))
        .hint("leave one of them out")
}

pub fn no_program(name: &str, near: Option<&str>) -> Problem {
    let problem = Problem::new(
        "no-program",
        format!("no program `{name}` in the project's node_modules/.bin or on PATH"),
    );
    match near {
        _ if name.contains(' ') => problem.hint("`rusk exec sh -c COMMAND` runs a command line"),
        Some(near) => problem.hint(format!("did you mean `rusk exec {near}`?")),
        None => problem.hint("`rusk x PACKAGE` runs the program of a package that is not installed"),
    }
}

pub fn not_on_path(name: &str) -> Problem {
    Problem::new("no-program", format!("no program `{name}` on PATH"))
        .hint("`rusk trace -- rusk exec NAME` traces a program of the project")
}

pub fn bad_until(found: &str) -> Problem {
    Problem::new(
        "bad-value",
        format!("expected `exec`, `listen`, `exit` or a number of seconds after `--until`, found `{found}`"),
    )
}

pub fn two_reports(found: usize) -> Problem {
    Problem::new("words-missing", format!("`rusk trace --compare` needs 2 reports, found {found}"))
        .hint("run `rusk trace --compare before.json after.json`")
}

pub fn package_without_program(package: &str) -> Problem {
    Problem::new("no-program", format!("`{package}` has no program"))
}

/// `names`: the programs of the package.
pub fn several_programs(package: &str, names: &[&str]) -> Problem {
    Problem::new(
        "several-programs",
        format!("`{package}` has {} programs, none of them with the name of the package", names.len()),
    )
    .note(format!("found {}", listed(names)))
    .hint(format!("choose one, for example `rusk x -p {package} {}`", names[0]))
}

pub fn program_not_in(name: &str, packages: &[String], names: &[&str]) -> Problem {
    let problem = Problem::new("no-program", format!("`{}` has no program `{name}`", packages.join(" ")));
    let problem = if names.is_empty() { problem } else { problem.note(format!("found {}", listed(names))) };
    match suggest::nearest(name, names.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}

fn listed(names: &[&str]) -> String {
    const NAMES_MAX: usize = 20;
    let mut list: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMES_MAX {
        list.push(format!("{} more", names.len() - NAMES_MAX));
    }
    list.join(", ")
}

pub fn bad_directory(dir: &Path, error: std::io::Error) -> Problem {
    Problem::new("bad-directory", format!("expected a directory at `{}`", dir.display())).cause(error)
}

pub fn bad_target(file: &Path, found: &str) -> Problem {
    Problem::new("bad-target", format!("cannot write the report to `{}`: {found}", file.display()))
}

/// `expected`: values, in backticks.
pub fn bad_variable(name: &str, found: &str, expected: &str) -> Problem {
    Problem::new(
        "bad-variable",
        format!("the environment variable `{name}` expects {expected}, found `{found}`"),
    )
}

pub fn no_program_file(error: std::io::Error) -> Problem {
    Problem::new("no-program", "cannot locate the rusk executable").cause(error)
}

pub fn no_current_dir(error: std::io::Error) -> Problem {
    Problem::new("bad-directory", "cannot read the current directory").cause(error)
}

pub fn no_stdin(error: std::io::Error) -> Problem {
    Problem::new("stdin", "cannot read standard input").cause(error)
}

pub fn no_env_file(path: &str) -> Problem {
    Problem::new("no-env-file", format!("there is no env file `{path}`"))
        .hint("use `--env-file-if-exists` if the file is optional")
}

pub fn no_preload(path: &str) -> Problem {
    Problem::new("no-preload", format!("there is no module `{path}` to load before tests"))
        .note("named by `--preload`, or by `preload` in bunfig.toml")
}

/// Of commands, whose flag must name a file that exists.
pub fn no_env_file_of_command(path: &str) -> Problem {
    Problem::new("no-env-file", format!("there is no env file `{path}`"))
}

pub fn env_file(path: &Path, error: std::io::Error) -> Problem {
    Problem::new("file-read", format!("cannot read `{}`", path.display())).cause(error)
}

pub fn define_without_value(argument: &str) -> Problem {
    Problem::new("bad-define", format!("`--define {argument}` has no value"))
        .hint("for example `rusk --define process.env.NODE_ENV='\"production\"' app.js`")
}

pub fn bad_define(name: &str, value: &str, flaw: DefineError) -> Problem {
    let problem = Problem::new(
        "bad-define",
        match flaw {
            DefineError::Name => {
                format!("cannot define `{name}`, expected a name such as `process.env.MODE`")
            }
            DefineError::Value => format!("cannot define `{name}` as `{value}`, expected JSON or a name"),
        },
    );
    match flaw {
        DefineError::Name => problem,
        DefineError::Value => problem.hint("string values need JSON quotes inside the shell's quotes"),
    }
}

pub fn watch_stdin() -> Problem {
    Problem::new("watch-stdin", "cannot watch a program from standard input: it cannot be read again")
}

pub fn no_test_worker(error: rusk_base::sys::Errno) -> Problem {
    Problem::new("no-test-worker", "no process can run tests: a system call of the worker failed")
        .cause(std::io::Error::from(error))
}

/// `has_script`: package.json has a script `test`.
pub fn no_test_files(root: &Path, has_script: bool) -> Problem {
    let problem = Problem::new("no-test-files", format!("no test file is in `{}`", root.display())).note(
        "test files are `*.test.*`, `*_test.*`, `*.spec.*` and `*_spec.*` with an extension of a program",
    );
    match has_script {
        true => problem.hint("`rusk run test` runs the script `test` of package.json"),
        false => problem.hint("with `--pass-with-no-tests` this is no error"),
    }
}

/// `searched`: test files that do not match.
pub fn no_test_files_match(filters: &[String], searched: usize) -> Problem {
    let filters = filters.iter().map(|filter| format!("`{filter}`")).collect::<Vec<_>>().join(", ");
    let problem = Problem::new("no-test-files", format!("no test file matches {filters}"));
    // None is searched for among paths that are named.
    let problem = if searched > 0 { problem.note(format!("test files found: {searched}")) } else { problem };
    problem
        .hint("a filter is a part of a path; a file that is no test file is named by its path: `./file.ts`")
}

pub fn no_test_named(pattern: &str, files: usize) -> Problem {
    Problem::new("no-test-named", format!("no test has a name that matches `{pattern}`"))
        .note(format!("files searched: {files}"))
}

pub fn bad_name_pattern(found: &str, what: &str) -> Problem {
    Problem::new("bad-name-pattern", format!("`-t` expects a regular expression, found `{found}`")).note(what)
}

pub fn bad_shard(found: &str) -> Problem {
    Problem::new("bad-shard", format!("`--shard` expects `I/N` with I from 1 to N, found `{found}`"))
        .hint("for example `--shard=2/4`")
}

pub fn bad_coverage_reporter(found: &str) -> Problem {
    Problem::new("bad-coverage-reporter", format!("`coverageReporter` has no reporter `{found}`"))
        .hint("the reporters are `text`, `lcov` and `html`")
}

/// What is counted, its part, and the part that bunfig.toml asks for.
pub fn coverage_below(parts: &[(&str, f64, f64)]) -> Problem {
    let problem = Problem::new("coverage-below", "coverage is below `coverageThreshold` of bunfig.toml");
    parts.iter().fold(problem, |problem, (name, part, threshold)| {
        problem.note(format!("{name}: {:.2} % of {:.2} %", part * 100.0, threshold * 100.0))
    })
}

pub fn junit_without_file(has_file: bool) -> Problem {
    match has_file {
        true => Problem::new("junit-without-file", "`--reporter-outfile` has no reporter that writes it")
            .hint("add `--reporter=junit`"),
        false => Problem::new("junit-without-file", "`--reporter=junit` has no file to write")
            .hint("add `--reporter-outfile=junit.xml`"),
    }
}

pub fn build_outfile_for_many(count: usize) -> Problem {
    Problem::new("build-flags", format!("--outfile is for one entry point, found {count}"))
        .hint("use --outdir for several entry points")
}

pub fn build_outdir_for_many(count: usize) -> Problem {
    Problem::new("build-flags", format!("{count} entry points cannot be printed"))
        .hint("write them to a directory: --outdir=dist")
}

pub fn build_outdir_for_chunks() -> Problem {
    Problem::new("build-flags", "chunks cannot be printed").hint("write them to a directory: --outdir=dist")
}

pub fn build_outfile_for_chunks() -> Problem {
    Problem::new("build-flags", "--outfile is for one output, --splitting makes several").hint("use --outdir")
}

pub fn build_splitting_format(format: &str) -> Problem {
    Problem::new("build-flags", format!("--splitting needs --format=esm, found --format={format}"))
}

pub fn build_needs_outdir(count: usize) -> Problem {
    Problem::new("build-flags", format!("the bundle has {count} files, which cannot be printed"))
        .hint("write them to a directory: --outdir=dist")
}

pub fn build_source_map_mode(found: &str) -> Problem {
    Problem::new(
        "build-flags",
        format!("--sourcemap is `{found}`, expected linked, inline, external or none"),
    )
}

pub fn build_asset_without_compile() -> Problem {
    Problem::new("build-flags", "--asset is for executables").hint("add --compile")
}

pub fn build_root(found: &Path) -> Problem {
    Problem::new("build-flags", format!("--root is `{}`, expected a directory", found.display()))
}

/// `loaders`: the names of all.
pub fn build_loader(found: &str, loaders: &str) -> Problem {
    Problem::new(
        "build-flags",
        format!("`{found}` is no loader of files, expected an extension and a loader"),
    )
    .note(format!("loaders: {loaders}"))
    .hint("for example --loader .svg:text, or \".svg\" = \"text\" below [loader] in bunfig.toml")
}

pub fn build_env(found: &str) -> Problem {
    Problem::new(
        "build-flags",
        format!("--env is `{found}`, expected inline, disable or a prefix that ends with `*`"),
    )
}

pub fn build_define(found: &str) -> Problem {
    Problem::new("build-flags", format!("--define is `{found}`, expected a name and a value"))
        .hint("for example --define DEBUG=false")
}

pub fn scanner_process(error: std::io::Error) -> Problem {
    Problem::new("scanner", "cannot run the security scanner").cause(error)
}

pub fn scanner_limit(limit: Duration) -> Problem {
    Problem::new("scanner", format!("the security scanner gave no answer in {} s", limit.as_secs()))
        .note("the project was not changed")
        .hint("without `install.security.scanner` in bunfig.toml, nothing is scanned")
}

pub fn bad_sampling_interval(flag: &str, found: &str) -> Problem {
    Problem::new("bad-value", format!("`{flag}` expects microseconds, at least 1, found `{found}`"))
}
