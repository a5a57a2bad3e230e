//! `rusk x`: the program of a package in our place. The project's own package comes first, where no
//! range is requested; else the package is taken from the cache, which is filled first where that
//! is needed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rusk_base::Result;
use rusk_configuration::request::{Edit, InstallRequest};
use rusk_install::exec_cache::{self, CachedPrograms, ExecRequest, Program, default_of, programs_of};
use rusk_npm::name::PackageName;
use rusk_npm::specifier::Specifier;
use rusk_scripts::{Environment, Exit};

use super::context::RunContext;
use super::request;
use crate::{host, problem};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

/// Returns only an error.
pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    run_named(&invocation.operands[0], invocation, variables, screen)
}

/// As [`run`], with another program or package than the one on the command line.
pub fn run_named(
    word: &str,
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let context = RunContext::find(invocation, "exec")?;
    let mut environment = context.environment();
    let packages: Vec<String> = invocation.values(Flag::Package).map(str::to_owned).collect();
    let local = match packages.as_slice() {
        [] => find_local(word, &environment)?,
        packages => find_among(word, packages, &environment),
    };
    if let Some((name, file)) = local {
        return Err(context.replace(environment, file, &name, &invocation.arguments));
    }
    let wanted = if packages.is_empty() { vec![word.to_owned()] } else { packages.clone() };
    let exec_cache = find_or_install(&wanted, invocation, &context, variables, screen)?;
    if let Some(summary) = &exec_cache.summary {
        screen.transient_summary(summary);
    }
    let name = match packages.is_empty() {
        true => default_program(word, &exec_cache.programs)?.name.clone(),
        false => named_program(word, &packages, &exec_cache)?,
    };
    let file = exec_cache.bin_dir.join(&name);
    environment.prepend_path(exec_cache.bin_dir);
    Err(context.replace(environment, file, &name, &invocation.arguments))
}

fn find_or_install(
    specifiers: &[String],
    invocation: &Invocation,
    context: &RunContext,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<CachedPrograms> {
    let host = host::host(context.current_dir.clone(), variables);
    let request = request::with_edit(invocation, Edit::None);
    let cache_dir = request.cache_dir.map(|path| host.current_dir.join(path));
    let request = InstallRequest { cache_dir, ..request };
    let builds: Vec<String> = invocation.values(Flag::AllowBuild).map(str::to_owned).collect();
    let wanted = ExecRequest { specifiers, settings_dir: &context.project_dir, allowed_builds: &builds };
    if let Some(found) = exec_cache::find(&wanted, &request, &host)? {
        return Ok(found);
    }
    exec_cache::find_or_install(&wanted, &request, &host, screen)
}

/// A package of the project by its bare name, and the program that is meant.
fn find_local(word: &str, environment: &Environment) -> Result<Option<(String, PathBuf)>> {
    let Ok(package) = PackageName::parse(word) else { return Ok(None) };
    if package.scope().is_none()
        && let Some(file) = environment.find_local(word.as_ref())
    {
        return Ok(Some((word.to_owned(), file)));
    }
    for bin_dir in environment.local_directories() {
        let Some(modules_dir) = bin_dir.parent().filter(|modules| modules.join(word).is_dir()) else {
            continue;
        };
        let programs = programs_of(modules_dir.parent().unwrap_or(modules_dir), &[word.to_owned()])?;
        let program = default_program(word, &programs)?;
        return Ok(Some((program.name.clone(), bin_dir.join(&program.name))));
    }
    Ok(None)
}

/// A program by its name, where the project has the packages it is to come from.
fn find_among(word: &str, packages: &[String], environment: &Environment) -> Option<(String, PathBuf)> {
    let is_here = |package: &String| {
        PackageName::parse(package).is_ok()
            && environment.local_directories().iter().any(|bin_dir| bin_dir.with_file_name(package).is_dir())
    };
    let file = environment.find_local(word.as_ref()).filter(|_| packages.iter().all(is_here))?;
    Some((word.to_owned(), file))
}

/// The program that a package means when none is named.
fn default_program<'a>(word: &str, programs: &'a [Program]) -> Result<&'a Program> {
    let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    let published = Specifier::parse_request(word)?.specifier.registry_name().map(PackageName::to_string);
    match (default_of(programs, published.as_deref()), programs.first()) {
        (Some(program), _) => Ok(program),
        (None, Some(first)) => Err(problem::several_programs(&first.package, &names)),
        (None, None) => Err(problem::package_without_program(word)),
    }
}

/// The program that was named: of the packages, or of what they depend on.
fn named_program(word: &str, packages: &[String], exec_cache: &CachedPrograms) -> Result<String> {
    let is_there = !word.contains('/') && exec_cache.bin_dir.join(word).exists();
    let names: Vec<&str> = exec_cache.programs.iter().map(|program| program.name.as_str()).collect();
    match is_there {
        true => Ok(word.to_owned()),
        false => Err(problem::program_not_in(word, packages, &names)),
    }
}
