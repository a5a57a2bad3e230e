//! Front matter of a test262 test. In: the source text. Out: how to run it. Only the forms in use
//! are parsed: keys at the start of a line, lists in brackets or one item a line, `negative` with
//! its two members.

#[derive(Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    pub is_module: bool,
    /// It reports its completion.
    pub is_async: bool,
    /// The harness files are not prepended.
    pub is_raw: bool,
    pub is_sloppy: bool,
    pub is_strict: bool,
    /// The expected error.
    pub negative: Option<String>,
    pub includes: Vec<String>,
    pub features: Vec<String>,
}

impl FrontMatter {
    pub fn read(text: &str) -> Result<FrontMatter, String> {
        let matter = text.split_once("/*---").and_then(|(_, rest)| rest.split_once("---*/"));
        let (matter, _) = matter.ok_or("expected front matter between `/*---` and `---*/`")?;
        let flags = list(matter, "flags");
        let has = |flag: &str| flags.iter().any(|found| found == flag);
        let negative = list(matter, "negative");
        Ok(FrontMatter {
            is_module: has("module"),
            is_async: has("async"),
            is_raw: has("raw"),
            is_sloppy: !has("onlyStrict"),
            is_strict: !has("noStrict") && !has("raw"),
            negative: negative.iter().find_map(|line| Some(line.strip_prefix("type:")?.trim().to_owned())),
            includes: list(matter, "includes"),
            features: list(matter, "features"),
        })
    }
}

/// The list under a key: items in brackets, or indented lines below without their dash.
fn list(matter: &str, key: &str) -> Vec<String> {
    let mut lines = matter.lines();
    let Some(rest) = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')) else {
        return Vec::new();
    };
    let word = |word: &str| word.trim().trim_start_matches("- ").trim().to_owned();
    let is_below = |line: &&str| line.starts_with([' ', '-']);
    match rest.trim() {
        "" => lines.take_while(is_below).map(word).collect(),
        rest => rest.trim_matches(['[', ']']).split(',').map(word).filter(|word| !word.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests;
