//! Resolver benchmark: resolves a list of specifiers with one of two resolvers and prints the time
//! of each pass. In: the resolver's name (`rusk-watch`: each pass is an epoch of a watching one), a
//! list with `kind TAB file TAB specifier` on each line, the number of passes. Out: a line of JSON.
//! The first pass is cold: the resolver's caches are empty. A run with no pass measures the cost of
//! starting and reading the list.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use oxc_resolver::{ResolveError, ResolveOptions};
use rusk_modules::{Importer, Kind, Lifetime, Options, Resolved};

/// One line of the list.
struct Lookup {
    kind: Kind,
    file: PathBuf,
    specifier: String,
}

/// Results of a pass. Two resolvers did the same work only if these are equal.
#[derive(Default)]
struct PassCounts {
    files: usize,
    builtins: usize,
    failures: usize,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [resolver, list, passes] = &arguments[..] else {
        eprintln!("expected: rusk|rusk-watch|oxc LIST PASSES");
        return ExitCode::FAILURE;
    };
    let text = match std::fs::read_to_string(list) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{list}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let lookups: Vec<Lookup> = text.lines().filter_map(lookup).collect();
    let passes = passes.parse().unwrap_or(0);
    let timed = match resolver.as_str() {
        "rusk" => rusk(&lookups, passes, Lifetime::Run),
        "rusk-watch" => rusk(&lookups, passes, Lifetime::Watch),
        "oxc" => oxc(&lookups, passes),
        _ => return ExitCode::FAILURE,
    };
    let mut line = String::from("{\"passes\":[");
    for (index, (nanoseconds, found)) in timed.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let PassCounts { files, builtins, failures } = found;
        let _ = write!(
            line,
            "{comma}{{\"ns\":{nanoseconds},\"files\":{files},\"builtins\":{builtins},\"failures\":{failures}}}"
        );
    }
    println!("{line}]}}");
    ExitCode::SUCCESS
}

fn lookup(line: &str) -> Option<Lookup> {
    let mut fields = line.splitn(3, '\t');
    let kind = if fields.next()? == "require" { Kind::Require } else { Kind::Import };
    Some(Lookup { kind, file: PathBuf::from(fields.next()?), specifier: fields.next()?.to_owned() })
}

fn timed(passes: usize, mut pass: impl FnMut() -> PassCounts) -> Vec<(u128, PassCounts)> {
    let one = |_| {
        let began = Instant::now();
        let found = pass();
        (began.elapsed().as_nanos(), found)
    };
    (0..passes).map(one).collect()
}

fn rusk(lookups: &[Lookup], passes: usize, lifetime: Lifetime) -> Vec<(u128, PassCounts)> {
    let mut resolver = None;
    timed(passes, || {
        // Its creation belongs to the first pass: it reads the mount table.
        match &mut resolver {
            None => resolver = Some(rusk_modules::Resolver::new(Options { lifetime, ..Options::node() })),
            Some(resolver) if lifetime == Lifetime::Watch => resolver.begin_epoch(),
            Some(_) => {}
        }
        let Some(resolver) = &resolver else { return PassCounts::default() };
        let mut found = PassCounts::default();
        for Lookup { kind, file, specifier } in lookups {
            match resolver.resolve(Importer::File(file), specifier, *kind) {
                Ok(Resolved::File(_)) => found.files += 1,
                Ok(_) => found.builtins += 1,
                Err(_) => found.failures += 1,
            }
        }
        found
    })
}

fn oxc(lookups: &[Lookup], passes: usize) -> Vec<(u128, PassCounts)> {
    let options = |condition: &str, fully_specified| ResolveOptions {
        builtin_modules: true,
        condition_names: ["node", condition, "module-sync", "node-addons"].map(str::to_owned).to_vec(),
        extensions: [".js", ".json", ".node"].map(str::to_owned).to_vec(),
        fully_specified,
        node_path: false,
        ..ResolveOptions::default()
    };
    let mut resolvers = None;
    timed(passes, || {
        let (require, import) = resolvers.get_or_insert_with(|| {
            let require = oxc_resolver::Resolver::new(options("require", false));
            let import = require.clone_with_options(options("import", true));
            (require, import)
        });
        let mut found = PassCounts::default();
        for Lookup { kind, file, specifier } in lookups {
            let resolver = if *kind == Kind::Require { &*require } else { &*import };
            match resolver.resolve(file.parent().unwrap_or(Path::new("/")), specifier) {
                Ok(_) => found.files += 1,
                Err(ResolveError::Builtin { .. }) => found.builtins += 1,
                Err(_) => found.failures += 1,
            }
        }
        found
    })
}
