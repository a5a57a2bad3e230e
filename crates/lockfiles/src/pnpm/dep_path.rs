//! Keys of packages, such as `react-dom@18.2.0(react@18.2.0)`: the name, where it comes from, and
//! its peers in parentheses. In: the text. Out: its parts. Absent: what the parts mean.

/// A key in `snapshots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepPath<'t> {
    pub name: &'t str,
    /// A version, `file:path`, or a URL.
    pub version: &'t str,
    /// Peers, each in parentheses; empty for a package that finds the same ones everywhere.
    pub suffix: &'t str,
}

impl<'t> DepPath<'t> {
    pub fn parse(key: &'t str) -> Option<DepPath<'t>> {
        let base = &key[..suffix_start(key)];
        let at = base.char_indices().skip(1).find(|&(_, one)| one == '@').map(|(at, _)| at)?;
        let (name, version) = (&base[..at], &base[at + 1..]);
        let suffix = &key[base.len()..];
        (!version.is_empty()).then_some(DepPath { name, version, suffix })
    }

    /// The key in `packages`, which has no peers.
    pub fn base(key: &str) -> &str {
        &key[..suffix_start(key)]
    }
}

/// Where the groups in parentheses at the end of a key begin. A key that does not end in one, or in
/// which they do not match, has none.
pub fn suffix_start(key: &str) -> usize {
    let bytes = key.as_bytes();
    let mut start = bytes.len();
    let mut depth = 0usize;
    for at in (0..bytes.len()).rev() {
        match bytes[at] {
            b')' => depth += 1,
            b'(' if depth == 1 => {
                depth = 0;
                start = at;
            }
            b'(' if depth > 0 => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    start
}

/// The groups of a suffix, without their parentheses.
pub fn groups(suffix: &str) -> Vec<&str> {
    let mut groups = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, byte) in suffix.bytes().enumerate() {
        match byte {
            b'(' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            b')' if depth == 1 => {
                groups.push(&suffix[start..at]);
                depth = 0;
            }
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    groups
}

/// The key that a version of a dependency names: `1.0.0` of `left` is `left@1.0.0`, and an alias
/// names the whole key.
pub fn key_of(alias: &str, version: &str) -> String {
    let find = |one: char| version.find(one).unwrap_or(usize::MAX);
    let at = find('@');
    let is_key = version.starts_with('@') || at != usize::MAX && at < find('(') && at < find(':');
    if is_key { version.to_owned() } else { format!("{alias}@{version}") }
}
