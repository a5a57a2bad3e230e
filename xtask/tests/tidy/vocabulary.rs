//! Banned words, each with the field's term to write instead. The terms are fixed in
//! `docs/contributing/glossary.md`.

use super::names::{self, Kind, Name};
use super::prose::{self, Block};
use super::source::{self, Source};

/// Words that prose does without.
const PROSE: &[(&str, &str)] = &[
    ("told", "reported, notified, emitted"),
    ("letter", "character, code unit, byte"),
    ("letters", "characters, code units, bytes"),
    ("whoever", "who it is: the caller, the user"),
    ("whom", "who it is: the caller, the user"),
    ("texts", "strings"),
    ("folder", "directory"),
    ("folders", "directories"),
    ("nobody", "who it is: no caller, no process"),
    ("kin", "process tree, related"),
    ("shelf", "cache entry"),
    ("as it lies", "unchanged, unparsed"),
    ("as they lie", "unchanged, unparsed"),
    ("ask of the kernel", "system call"),
    ("asks of the kernel", "system calls"),
    ("asked of the kernel", "system calls"),
];
/// Where a banned word is the right one.
const PROSE_ALLOWED: &[&str] = &[
    "letters and digits",
    "letter or digit",
    "letter or a digit",
    "ascii letter",
    "ascii letters",
    "drive letter",
    "capital letter",
    "capital letters",
    "off the shelf",
    "source texts",
];
/// Pages that quote the banned words.
const PROSE_EXEMPT: &[&str] = &["docs/contributing/glossary.md"];

/// Words that no name has as a part.
const NAME_PARTS: &[(&str, &str)] = &[
    ("told", "`event`, `reported`, `notify`"),
    ("whom", "a noun: `scope`, `target`"),
    ("kin", "`process_tree`"),
    ("shelf", "`cache_entry`, `slot`"),
    ("letter", "`character`, `code_unit`, `byte`"),
    ("letters", "`characters`, `code_units`, `bytes`"),
    ("lent", "`borrowed`"),
    ("folder", "`directory`"),
    ("folders", "`directories`"),
    ("texts", "`strings`"),
    ("nobody", "who it is"),
    ("whoever", "who it is"),
];
/// Names that say nothing alone. Participles, function words and metaphors are no nouns.
const WHOLE_NAMES: &[(&str, &[Kind], &str)] = &[
    ("come", EVERY, "`accept`, `on_connection`"),
    ("elsewhere", EVERY, "a noun: `chroot`, `remote`"),
    ("said", EVERY, "a noun: `options`, `message`"),
    ("asked", EVERY, "a noun: `request`, `options`"),
    ("held", NOUNS, "a noun: `handle`, `stopped_child`"),
    ("seen", NOUNS, "a noun: `visited`, `trace`"),
    ("whole", NOUNS, "a noun: what is complete"),
    ("kept", NOUNS, "`cached`, `retained`, or a noun: `cache`"),
    ("place", NOUNS, "`position`, `offset`, `path`, `address`"),
    ("places", NOUNS, "`positions`, `offsets`, `paths`, `addresses`"),
    ("found", NOUNS, "a noun: `resolution`, `matches`"),
    ("wanted", NOUNS, "a noun: `requirement`, `specifier`"),
    ("given", NOUNS, "a noun: `arguments`, `input`"),
    ("made", NOUNS, "a noun: `output`, `artifact`"),
    ("gone", NOUNS, "a noun: `removed`, `exit`"),
    ("taken", NOUNS, "a noun: `permit`, `reservation`"),
    ("ahead", NOUNS, "a noun: `read_ahead`, `prefetch`"),
    ("behind", NOUNS, "a noun"),
    ("until", NOUNS, "a noun: `deadline`, `condition`"),
    ("why", NOUNS, "a noun: `reason`, `cause`"),
    ("shop", NOUNS, "`package_provider`"),
    ("calm", EVERY, "`drain`, `reset`"),
];
const EVERY: &[Kind] = &[Kind::Function, Kind::Type, Kind::Module, Kind::Variant];
const NOUNS: &[Kind] = &[Kind::Type, Kind::Module];

/// Line and message of each banned name that the file defines.
pub fn banned_names(file: &Source) -> Vec<(usize, String)> {
    let names = names::defined(file).into_iter();
    names
        .filter_map(|name| {
            let (word, instead) = banned_name(&name)?;
            Some((name.line, format!("`{}` has `{word}`; write {instead}", name.name)))
        })
        .collect()
}

fn banned_name(name: &Name) -> Option<(&'static str, &'static str)> {
    let words = source::words(&name.name);
    let part = NAME_PARTS.iter().find(|(word, _)| words.iter().any(|part| part == word));
    part.copied().or_else(|| {
        let lower = name.name.to_lowercase();
        let whole = WHOLE_NAMES.iter().find(|(word, kinds, _)| lower == *word && kinds.contains(&name.kind));
        whole.map(|(word, _, instead)| (*word, *instead))
    })
}

/// Line and message of each banned word in the file's prose.
pub fn banned_prose(file: &Source) -> Vec<(usize, String)> {
    if PROSE_EXEMPT.contains(&file.path.as_str()) {
        return Vec::new();
    }
    prose::blocks(file).iter().flat_map(banned_in_block).collect()
}

fn banned_in_block(block: &Block) -> Vec<(usize, String)> {
    let mut text = block.text.to_lowercase();
    for allowed in PROSE_ALLOWED {
        let blank = "_".repeat(allowed.len());
        text = text.replace(allowed, &blank);
    }
    let joined = text.replace('\n', " ");
    let mut found = Vec::new();
    for (word, instead) in PROSE {
        for (index, _) in joined.match_indices(word).filter(|(index, _)| is_word(&joined, *index, word.len()))
        {
            let line = block.line + text[..index].matches('\n').count();
            found.push((line, format!("`{word}`: write {instead}")));
        }
    }
    found.sort();
    found
}

/// Whether a word of prose begins at `index`, not a part of a name, a path or a compound.
fn is_word(text: &str, index: usize, length: usize) -> bool {
    let in_compound = |character: char| source::in_name(character) || matches!(character, '/' | '-' | '.');
    let (before, after) = (&text[..index], &text[index + length..]);
    let mut following = after.chars();
    let ends = match following.next() {
        Some('.') => !following.next().is_some_and(source::in_name),
        Some(character) => !source::in_name(character) && !matches!(character, '/' | '-'),
        None => true,
    };
    ends && !before.chars().next_back().is_some_and(in_compound)
}
