//! Resolves a list of specifiers with one of two resolvers, as often as told, and prints what each
//! pass took. In: the resolver's name (`rusk-watch`: each pass is an epoch of a watching one), a
//! list with `kind TAB file TAB specifier` on each line, the number of passes. Out: a line of JSON.
//! The first pass is cold: the resolver knows nothing. No pass at all is what starting up and
//! reading the list cost.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use oxc_resolver::{ResolveError, ResolveOptions};
use rusk_modules::{Importer, Kind, Lifetime, Options, Resolved};

/// One line of the list.
struct Question {
    kind: Kind,
    file: PathBuf,
    specifier: String,
}

/// What a pass found. Two resolvers are compared on the same work only if these are the same.
#[derive(Default)]
struct Found {
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
    let questions: Vec<Question> = text.lines().filter_map(question).collect();
    let passes = passes.parse().unwrap_or(0);
    let timed = match resolver.as_str() {
        "rusk" => rusk(&questions, passes, Lifetime::Run),
        "rusk-watch" => rusk(&questions, passes, Lifetime::Watch),
        "oxc" => oxc(&questions, passes),
        _ => return ExitCode::FAILURE,
    };
    let mut line = String::from("{\"passes\":[");
    for (index, (nanoseconds, found)) in timed.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let Found { files, builtins, failures } = found;
        let _ = write!(
            line,
            "{comma}{{\"ns\":{nanoseconds},\"files\":{files},\"builtins\":{builtins},\"failures\":{failures}}}"
        );
    }
    println!("{line}]}}");
    ExitCode::SUCCESS
}

fn question(line: &str) -> Option<Question> {
    let mut fields = line.splitn(3, '\t');
    let kind = if fields.next()? == "require" { Kind::Require } else { Kind::Import };
    Some(Question { kind, file: PathBuf::from(fields.next()?), specifier: fields.next()?.to_owned() })
}

fn timed(passes: usize, mut pass: impl FnMut() -> Found) -> Vec<(u128, Found)> {
    let one = |_| {
        let began = Instant::now();
        let found = pass();
        (began.elapsed().as_nanos(), found)
    };
    (0..passes).map(one).collect()
}

fn rusk(questions: &[Question], passes: usize, lifetime: Lifetime) -> Vec<(u128, Found)> {
    let mut resolver = None;
    timed(passes, || {
        // Making it belongs to the first pass: it reads the table of mounts.
        match &mut resolver {
            None => resolver = Some(rusk_modules::Resolver::new(Options { lifetime, ..Options::node() })),
            Some(resolver) if lifetime == Lifetime::Watch => resolver.begin_epoch(),
            Some(_) => {}
        }
        let Some(resolver) = &resolver else { return Found::default() };
        let mut found = Found::default();
        for Question { kind, file, specifier } in questions {
            match resolver.resolve(Importer::File(file), specifier, *kind) {
                Ok(Resolved::File(_)) => found.files += 1,
                Ok(_) => found.builtins += 1,
                Err(_) => found.failures += 1,
            }
        }
        found
    })
}

fn oxc(questions: &[Question], passes: usize) -> Vec<(u128, Found)> {
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
        let mut found = Found::default();
        for Question { kind, file, specifier } in questions {
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
