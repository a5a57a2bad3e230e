//! Malformed input, made by mutating valid input: nothing panics, and what is
//! displayed is read as the same value.

use rusk_npm::semver::{Prereleases, Range, Rules, Syntax, Version};
use rusk_npm::specifier::Specifier;

const ROUNDS: usize = 30_000;

const VERSIONS: &[&str] =
    &["1.2.3", "v1.2.3-beta.4+build.5", "1.2.34.5", "= 01.02.03beta", "9007199254740991.0.0-0", "1.2.3-"];

const RANGES: &[&str] = &[
    "^1.2.3 || ~2.x",
    ">=1.2.3-beta <2.0.0-0",
    "1.2 - 3.4.5+build",
    "> = 1 <= 2.x || *",
    "~> 1.2.3beta",
    "x.x.x",
    ">=0.0.0",
    "<0.0.0-0",
    "^0.0.1-alpha+a || foo",
    "1.2.34.5*",
];

const SPECIFIERS: &[&str] = &[
    "npm:@scope/x@^1",
    "workspace:./path",
    "file:///../x",
    "../x.tgz",
    "https://github.com/user/repo/tree/x#y",
    "git+ssh://git@host.test:user/repo.git#semver:%5E1.0",
    "git@host.test:user/repo#v1",
    "user/repo#main",
    "gitlab:group/sub/repo",
    "gist:user/0123",
    "catalog: group",
    "@s/p@git+https://host.test:80/x",
    "latest",
    "~1.2 || 3",
];

const PIECES: &[&str] = &[
    "0",
    "1",
    "00",
    "9007199254740992",
    "99999999999999999999999",
    ".",
    "-",
    "+",
    "x",
    "*",
    "^",
    "~",
    ">",
    "<",
    "=",
    "v",
    " ",
    " - ",
    "||",
    "@",
    "/",
    "//",
    ":",
    "#",
    "%",
    "..",
    ".git",
    "beta",
    "npm:",
    "file:",
    "é",
    "\u{feff}",
    "\u{a0}",
    "\u{85}",
    "\t",
    "\0",
    "\\",
];

/// Xorshift: the same text on every machine and every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).expect("53 bits fit") % end
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// One to five cuts, insertions or replacements, between characters.
    fn damaged(&mut self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(5) {
            let at = self.below(characters.len() + 1);
            let cut = self.below(3).min(characters.len() - at);
            let piece: Vec<char> = self.pick(PIECES).chars().collect();
            let piece = if self.below(3) == 0 { Vec::new() } else { piece };
            characters.splice(at..at + cut, piece);
        }
        characters.into_iter().collect()
    }
}

#[test]
fn damaged_versions() {
    let mut dice = Dice(0x5eed_0001);
    let mut read = 0;
    for _ in 0..ROUNDS {
        let seed = dice.pick(VERSIONS);
        let text = dice.damaged(seed);
        for syntax in [Syntax::Strict, Syntax::Loose] {
            let Some(version) = Version::parse_with(&text, syntax) else { continue };
            read += 1;
            assert_eq!(Version::parse_with(&version.to_string(), syntax), Some(version), "{text:?}");
        }
    }
    assert!(read > ROUNDS / 20, "{read} of {ROUNDS} were versions");
}

#[test]
fn damaged_ranges() {
    let mut dice = Dice(0x5eed_0002);
    let mut read = 0;
    let version = Version::parse("1.2.3-beta").expect("a version");
    for _ in 0..ROUNDS {
        let seed = dice.pick(RANGES);
        let text = dice.damaged(seed);
        let syntax = if dice.below(2) == 0 { Syntax::Strict } else { Syntax::Loose };
        let prereleases = if dice.below(2) == 0 { Prereleases::Named } else { Prereleases::Included };
        let rules = Rules { syntax, prereleases };
        let Some(range) = Range::parse_with(&text, rules) else { continue };
        read += 1;
        let again = Range::parse_with(&range.to_string(), rules).expect("what is displayed is a range");
        assert_eq!(again, range, "{text:?}");
        assert_eq!(again.contains(&version), range.contains(&version));
        assert_eq!(range.intersects(&Range::any()), Range::any().intersects(&range), "{text:?}");
    }
    assert!(read > ROUNDS / 20, "{read} of {ROUNDS} were ranges");
}

#[test]
fn damaged_specifiers() {
    let mut dice = Dice(0x5eed_0003);
    let mut read = 0;
    for _ in 0..ROUNDS {
        let seed = dice.pick(SPECIFIERS);
        let text = dice.damaged(seed);
        let _ = Specifier::parse_request(&text);
        let Ok(specifier) = Specifier::parse("left", &text) else { continue };
        read += 1;
        let shown = specifier.to_string();
        let again = Specifier::parse("left", &shown).unwrap_or_else(|problem| panic!("{text:?}: {problem}"));
        assert_eq!(again, specifier, "{text:?} {shown:?}");
    }
    assert!(read > ROUNDS / 20, "{read} of {ROUNDS} were specifiers");
}
