//! Record of a query: what `outdated` or `audit` worked out, so that the next run on the same files
//! needs neither parse the lockfile nor read every packument. In: a digest of all that the result
//! depends on, and the result. Out: a text, and back. Absent: disk, the clock.
//!
//! Lines: the format; the digest of the inputs; the digest of the rest; fields separated by tabs.
//! A text with other inputs, or with any byte changed, counts as absent.

use sha2::{Digest, Sha256};

/// The first line; another one means another format.
const HEAD: &str = "rusk query 1";

/// Field of a record whose rows name their dependent.
const SHOWN: &str = "dependents";

/// Hashes everything that a result depends on. Parts cannot run into each other.
pub struct InputHasher(Sha256);

/// Digest of everything that a result depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDigest(String);

impl InputHasher {
    /// `query`: what is asked.
    pub fn new(query: &str) -> InputHasher {
        let mut hasher = InputHasher(Sha256::new());
        hasher.add(env!("CARGO_PKG_VERSION"));
        hasher.add(query);
        hasher
    }

    pub fn add(&mut self, part: &str) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub fn finish(self) -> InputDigest {
        InputDigest(hex(&self.0.finalize()))
    }
}

impl InputDigest {
    /// A record of these lines, which is not checked.
    pub fn with_rest(&self, rest: &str) -> String {
        format!("{HEAD}\n{}\n{}\n{rest}", self.0, hex(&Sha256::digest(rest)))
    }
}

/// The bodies of the requests that `audit` sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRecord {
    /// How many packages are asked about.
    pub audited: usize,
    pub requests: Vec<AdvisoryRequest>,
}

/// What one registry is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvisoryRequest {
    pub registry: String,
    /// How many names the body has.
    pub names: usize,
    /// One line of JSON.
    pub body: String,
}

/// The rows of `outdated`, and how long they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedRecord {
    /// When the first of the packuments needs a request again, in seconds since 1970.
    pub fresh_until_s: u64,
    /// Of the cached packuments: it changes when any of them is replaced.
    pub packuments: String,
    /// Whether rows of several packages of the project are printed.
    pub shows_dependents: bool,
    pub rows: Vec<OutdatedRow>,
}

/// A dependency that is not at its newest version, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedRow {
    pub name: String,
    /// The group in package.json: `devDependencies`.
    pub group: String,
    pub current: String,
    pub update: String,
    pub latest: String,
    /// Name of the package that depends on it.
    pub dependent: String,
}

impl AuditRecord {
    /// `None` if a field has a character that separates fields.
    pub fn render(&self, inputs: &InputDigest) -> Option<String> {
        let audited = self.audited.to_string();
        let names: Vec<String> = self.requests.iter().map(|request| request.names.to_string()).collect();
        let requests = self.requests.iter().zip(&names);
        let requests = requests.map(|(request, names)| vec![&*request.registry, names, &request.body]);
        render(inputs, std::iter::once(vec![audited.as_str()]).chain(requests))
    }

    pub fn parse(text: &str, inputs: &InputDigest) -> Option<AuditRecord> {
        let mut lines = lines(text, inputs)?;
        let audited = lines.next()?.parse().ok()?;
        let request = |line: &str| {
            let [registry, names, body] = fields(line)?;
            let (registry, body) = (registry.to_owned(), body.to_owned());
            Some(AdvisoryRequest { registry, names: names.parse().ok()?, body })
        };
        Some(AuditRecord { audited, requests: lines.map(request).collect::<Option<_>>()? })
    }
}

impl OutdatedRecord {
    /// `None` if a field has a character that separates fields.
    pub fn render(&self, inputs: &InputDigest) -> Option<String> {
        let until = self.fresh_until_s.to_string();
        let shown = if self.shows_dependents { SHOWN } else { "" };
        let rows = self.rows.iter().map(|row| {
            let OutdatedRow { name, group, current, update, latest, dependent } = row;
            [name, group, current, update, latest, dependent].map(String::as_str).to_vec()
        });
        render(inputs, std::iter::once(vec![until.as_str(), &self.packuments, shown]).chain(rows))
    }

    pub fn parse(text: &str, inputs: &InputDigest) -> Option<OutdatedRecord> {
        let mut lines = lines(text, inputs)?;
        let [until, packuments, shown] = fields(lines.next()?)?;
        let row = |line: &str| {
            let [name, group, current, update, latest, dependent] = fields(line)?.map(str::to_owned);
            Some(OutdatedRow { name, group, current, update, latest, dependent })
        };
        Some(OutdatedRecord {
            fresh_until_s: until.parse().ok()?,
            packuments: packuments.to_owned(),
            shows_dependents: shown == SHOWN,
            rows: lines.map(row).collect::<Option<_>>()?,
        })
    }
}

fn render<'a>(inputs: &InputDigest, lines: impl Iterator<Item = Vec<&'a str>>) -> Option<String> {
    let mut rest = String::new();
    for fields in lines {
        if fields.iter().any(|field| field.contains(['\t', '\n'])) {
            return None;
        }
        rest.push_str(&fields.join("\t"));
        rest.push('\n');
    }
    Some(inputs.with_rest(&rest))
}

/// The lines after the head, if it fits the inputs and them.
fn lines<'t>(text: &'t str, inputs: &InputDigest) -> Option<std::str::SplitTerminator<'t, char>> {
    let rest = text.strip_prefix(HEAD)?.strip_prefix('\n')?.strip_prefix(&*inputs.0)?.strip_prefix('\n')?;
    let (digest, rest) = rest.split_once('\n')?;
    (digest == hex(&Sha256::digest(rest))).then(|| rest.split_terminator('\n'))
}

fn fields<const N: usize>(line: &str) -> Option<[&str; N]> {
    let mut fields = [""; N];
    let mut parts = line.split('\t');
    for field in &mut fields {
        *field = parts.next()?;
    }
    parts.next().is_none().then_some(fields)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
