//! `yarn workspaces`: a command in all or selected members. In: the arguments after it. Out:
//! arguments of rusk. Absent: `focus`, which the parser reports.

/// Flags of `foreach` with a value.
const VALUED: [&str; 5] = ["--from", "--include", "--exclude", "--jobs", "--since"];

#[derive(Default)]
struct Foreach {
    /// For all commands: members, and how many run at once.
    flags: Vec<String>,
    from: Vec<String>,
    all: bool,
    recursive: bool,
    parallel: bool,
    topological: bool,
}

pub fn arguments(words: Vec<String>) -> Vec<String> {
    let mut words = words.into_iter();
    match words.next().as_deref() {
        Some("foreach") => foreach(words),
        // Yarn 1 runs the script of every member, one after the other.
        Some("run") => command(words, &["--workspaces".to_owned(), "--concurrency=1".to_owned()]),
        Some("list" | "info") => ["list", "--workspaces"].map(str::to_owned).into(),
        other => ["workspaces"].into_iter().chain(other).map(str::to_owned).chain(words).collect(),
    }
}

fn foreach(mut words: std::vec::IntoIter<String>) -> Vec<String> {
    let mut given = Foreach::default();
    while words.as_slice().first().is_some_and(|word| word.starts_with('-')) {
        let word = words.next().unwrap_or_default();
        if word == "--" {
            break;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        match name.strip_prefix("--") {
            // `--since` alone has no value.
            Some(_) if VALUED.contains(&name) && (name != "--since" || value.is_some()) => {
                let value = value.or_else(|| words.next()).unwrap_or_default();
                given.set(name, &value);
            }
            Some(_) => given.set(name, ""),
            None => match name.split_once('j') {
                Some((before, rest)) => {
                    given.set_short(before);
                    let rest = (!rest.is_empty()).then(|| rest.to_owned());
                    given.set("-j", &value.or(rest).or_else(|| words.next()).unwrap_or_default());
                }
                None => given.set_short(name),
            },
        }
    }
    let flags = given.selection();
    command(words, &flags)
}

impl Foreach {
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "-A" | "--all" => self.all = true,
            "-R" | "--recursive" => self.recursive = true,
            "-p" | "--parallel" => self.parallel = true,
            "-t" | "--topological" | "--topological-dev" => self.topological = true,
            "--from" => self.from.push(value.to_owned()),
            "--include" => self.flags.push(format!("--filter={value}")),
            "--exclude" => self.flags.push(format!("--filter=!{value}")),
            // Yarn compares with the branches that are usual as the main one.
            "--since" => {
                self.flags.push(format!("--filter=[{}]", if value.is_empty() { "main" } else { value }))
            }
            "-j" | "--jobs" if value == "unlimited" => self.parallel = true,
            "-j" | "--jobs" => self.flags.push(format!("--concurrency={value}")),
            // How output is written, and what a member without the script means.
            _ => {}
        }
    }

    fn set_short(&mut self, names: &str) {
        names.chars().skip(1).for_each(|name| self.set(&format!("-{name}"), ""));
    }

    fn selection(mut self) -> Vec<String> {
        let dots = if self.recursive { "..." } else { "" };
        self.flags.extend(self.from.iter().map(|from| format!("--filter={from}{dots}")));
        let has_filter = self.flags.iter().any(|flag| flag.starts_with("--filter=") && !flag.contains("=!"));
        let has_concurrency = self.flags.iter().any(|flag| flag.starts_with("--concurrency="));
        if !has_filter {
            // `--all` has the root, which `--filter='*'` does not select.
            self.flags.push("--workspaces".to_owned());
            self.flags.extend(self.all.then(|| "--workspace-root".to_owned()));
        }
        match (self.parallel, self.topological) {
            (true, false) if !has_concurrency => self.flags.push("--parallel".to_owned()),
            (false, _) => self.flags.push("--concurrency=1".to_owned()),
            _ => {}
        }
        self.flags
    }
}

/// `run SCRIPT` and `exec PROGRAM`; another word is the name of a script.
fn command(words: std::vec::IntoIter<String>, flags: &[String]) -> Vec<String> {
    let words: Vec<String> = words.collect();
    let (name, rest) = match words.split_first() {
        Some((first, rest)) if matches!(first.as_str(), "run" | "exec") => (first.as_str(), rest),
        _ => ("run", words.as_slice()),
    };
    let is_many = name == "run" && flags.iter().any(|flag| flag == "--parallel");
    let (script, arguments) = rest.split_at(rest.len().min(1));
    // After `--parallel`, further words would be names of scripts.
    let separator = (is_many && !arguments.is_empty()).then(|| "--".to_owned());
    let flags = flags.iter().cloned();
    [name.to_owned()]
        .into_iter()
        .chain(flags)
        .chain(script.to_vec())
        .chain(separator)
        .chain(arguments.to_vec())
        .collect()
}
