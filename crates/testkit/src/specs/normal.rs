//! What changes from run to run, replaced by what does not: directories, the registry's port,
//! times, numbers of documents.

use crate::project::Project;

const REGISTRY: &str = "http://registry.test/";

/// The strings of one run and their placeholders in a spec.
pub struct Normal {
    /// Actual text and its placeholder.
    pairs: Vec<(String, &'static str)>,
}

impl Normal {
    pub fn new(project: &Project, registry_url: &str) -> Normal {
        let dir = project.path().display().to_string();
        let home = project.home().display().to_string();
        let host = registry_url.trim_start_matches("http:").trim_end_matches('/').to_owned();
        let pairs = vec![
            (registry_url.to_owned(), REGISTRY),
            (host, REGISTRY.trim_start_matches("http:").trim_end_matches('/')),
            (dir, "[dir]"),
            (home, "[home]"),
        ];
        Normal { pairs }
    }

    /// With names for the directories that pages of the documentation show.
    pub fn of_docs(project: &Project, registry_url: &str, dir: &'static str, home: &'static str) -> Normal {
        let mut normal = Normal::new(project, registry_url);
        for (_, shown) in &mut normal.pairs {
            match *shown {
                "[dir]" => *shown = dir,
                "[home]" => *shown = home,
                _ => {}
            }
        }
        normal
    }

    /// What the program printed, with its times.
    pub fn shown(&self, text: &str) -> String {
        self.pairs.iter().fold(text.to_owned(), |text, (actual, stable)| text.replace(actual, stable))
    }

    /// A spec's text as the program should see it.
    pub fn actual(&self, text: &str) -> String {
        self.pairs.iter().fold(text.to_owned(), |text, (actual, stable)| text.replace(stable, actual))
    }

    /// What the program said as a spec should hold it.
    pub fn stable(&self, text: &str) -> String {
        let text =
            self.pairs.iter().fold(text.to_owned(), |text, (actual, stable)| text.replace(actual, stable));
        without_slowest_files(&text)
            .split_inclusive('\n')
            .map(|line| without_uuid(&without_times(&without_milliseconds(line))))
            .collect()
    }
}

/// The list of slow files that `rusk test` prints if there are any: on a busy machine, there are
/// others.
fn without_slowest_files(text: &str) -> String {
    const HEADING: &str = "\nslowest files:\n";
    let Some((before, behind)) = text.split_once(HEADING) else { return text.to_owned() };
    let is_file = |line: &&str| line.starts_with(' ');
    let listed: usize = behind.split_inclusive('\n').take_while(is_file).map(str::len).sum();
    format!("{before}{}", &behind[listed..])
}

/// The members `"milliseconds":{"total":12.345}` and `"milliseconds":1.135` of `--json`, their
/// numbers replaced.
fn without_milliseconds(line: &str) -> String {
    const KEY: &str = "\"milliseconds\":{";
    let Some((before, behind)) = line.split_once(KEY) else { return without_single_milliseconds(line) };
    let Some((times, rest)) = behind.split_once('}') else { return line.to_owned() };
    let times: Vec<String> = times
        .split(',')
        .map(|time| {
            time.split_once(':').map_or_else(|| time.to_owned(), |(name, _)| format!("{name}:[time]"))
        })
        .collect();
    format!("{before}{KEY}{}}}{rest}", times.join(","))
}

fn without_single_milliseconds(line: &str) -> String {
    const KEY: &str = "\"milliseconds\":";
    let mut parts = line.split(KEY);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        let rest = part.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
        let time = if rest.len() < part.len() { "[time]" } else { "" };
        format!("{line}{KEY}{time}{rest}")
    })
}

/// `12ms`, `1.3 s`, `2m 3s` and their kind to `[time]`.
fn without_times(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(index) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, digits) = rest.split_at(index);
        out.push_str(before);
        let length = digits.find(|character: char| !character.is_ascii_digit() && character != '.');
        let (number, behind) = digits.split_at(length.unwrap_or(digits.len()));
        let in_word =
            out.chars().next_back().is_some_and(|last| last.is_alphanumeric() || "-_.@/^~".contains(last));
        match unit_length(behind).filter(|_| !in_word) {
            Some(length) => {
                out.push_str("[time]");
                rest = &behind[length..];
            }
            None => {
                out.push_str(number);
                rest = behind;
            }
        }
    }
    out + rest
}

/// The first UUID of a line to `[uuid]`: that of a document depends on the registry's port.
fn without_uuid(line: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    const LENGTH: usize = 36;
    let is_uuid = |text: &str| {
        let groups: Vec<&str> = text.split('-').collect();
        groups.iter().map(|group| group.len()).eq(GROUPS)
            && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let mut starts = (0..line.len()).filter_map(|at| Some((at, line.get(at..at + LENGTH)?)));
    match starts.find(|(_, text)| is_uuid(text)) {
        Some((at, _)) => format!("{}[uuid]{}", &line[..at], &line[at + LENGTH..]),
        None => line.to_owned(),
    }
}

/// Length of the unit of time after a number, including a blank before it.
fn unit_length(behind: &str) -> Option<usize> {
    let unit = behind.strip_prefix(' ').unwrap_or(behind);
    let length = ["ms", "µs", "ns", "s"].into_iter().find(|name| unit.starts_with(name))?.len();
    let next = unit[length..].chars().next();
    (!next.is_some_and(char::is_alphanumeric)).then_some(behind.len() - unit.len() + length)
}

#[cfg(test)]
mod tests;
