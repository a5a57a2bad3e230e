//! Parser of Markdown pages. In: the page's text. Out: scenarios, the fenced blocks that share a
//! project. Absent: everything of Markdown but headings, fences and one comment.

use super::{Edit, Report};
use std::path::Path;

const PROGRAMS: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
const SAME_PROJECT: &str = "<!-- same project -->";

pub struct Page {
    pub path: String,
    lines: Vec<String>,
    pub scenarios: Vec<Vec<Block>>,
}

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// Line of the opening fence, counted from 0; the text begins after it.
    pub line: usize,
    pub kind: Kind,
    /// Of the file that the block is; for a program always.
    pub file: Option<String>,
    /// `exit=N`
    pub exit_code: i32,
    pub text: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Program,
    Output,
    Console,
    File,
    /// Marked `no-run`.
    NotRun,
    /// Shown, neither a file nor run.
    Illustration,
}

impl Page {
    pub fn read(root: &Path, path: &str) -> Result<Page, String> {
        let text = std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        Page::parse(path, &text).map_err(|error| format!("{path}:{error}"))
    }

    /// An error begins with its line number.
    pub fn parse(path: &str, text: &str) -> Result<Page, String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut scenarios: Vec<Vec<Block>> = vec![Vec::new()];
        let mut index = 0;
        while index < lines.len() {
            let line = lines[index].as_str();
            if let Some(info) = line.strip_prefix("```") {
                let length = lines[index + 1..].iter().position(|line| line.trim_end() == "```");
                let length = length.ok_or_else(|| format!("{}: this fence is not closed", index + 1))?;
                let text = lines[index + 1..index + 1 + length].to_vec();
                let last = scenarios.last_mut().expect("there is always one");
                last.push(Block::new(index, info, text));
                index += length + 1;
            } else if line.starts_with('#') {
                scenarios.push(Vec::new());
            } else if line == SAME_PROJECT && scenarios.len() > 1 {
                scenarios.pop();
                let empty =
                    scenarios.iter().rposition(|blocks| !blocks.is_empty()).map_or(0, |last| last + 1);
                scenarios.truncate(empty.max(1));
            }
            index += 1;
        }
        scenarios.retain(|blocks| !blocks.is_empty());
        Ok(Page { path: path.to_owned(), lines, scenarios })
    }

    /// What is known of a page before it is run.
    pub fn report(&self) -> Report {
        let count = |kinds: &[Kind]| {
            self.scenarios.iter().flatten().filter(|block| kinds.contains(&block.kind)).count()
        };
        let runnable = |blocks: &Vec<Block>| (0..blocks.len()).filter(|&index| is_run(blocks, index)).count();
        Report {
            path: self.path.clone(),
            runnable_blocks: self.scenarios.iter().map(runnable).sum(),
            blocks_not_run: count(&[Kind::NotRun]),
            ..Report::default()
        }
    }

    pub fn rewrite(&self, root: &Path, mut edits: Vec<Edit>) -> Result<(), String> {
        if edits.is_empty() {
            return Ok(());
        }
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.begin));
        let mut lines = self.lines.clone();
        for edit in edits {
            lines.splice(edit.begin..edit.end, edit.lines);
        }
        let text = lines.join("\n") + "\n";
        std::fs::write(root.join(&self.path), text).map_err(|error| format!("{}: {error}", self.path))
    }
}

/// Whether a block is run: commands, and a program that has no name or is followed by its output.
pub fn is_run(blocks: &[Block], index: usize) -> bool {
    let block = &blocks[index];
    let has_output = blocks.get(index + 1).is_some_and(|next| next.kind == Kind::Output);
    match block.kind {
        Kind::Console => true,
        Kind::Program => has_output || block.is_unnamed(),
        _ => false,
    }
}

impl Block {
    fn new(line: usize, info: &str, text: Vec<String>) -> Block {
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let named = words.iter().find(|word| word.contains('.')).map(|word| (*word).to_owned());
        let named = named.or_else(|| text.first().and_then(|line| name_in_comment(line)));
        let exit_code = words.iter().find_map(|word| word.strip_prefix("exit=")?.parse().ok());
        let is_program = PROGRAMS.contains(&language);
        let kind = match language {
            _ if words.contains(&"no-run") => Kind::NotRun,
            "output" => Kind::Output,
            "console" => Kind::Console,
            _ if is_program => Kind::Program,
            _ if named.is_some() => Kind::File,
            _ => Kind::Illustration,
        };
        let file = match kind {
            Kind::Program => named.or_else(|| Some(format!("{UNNAMED}{language}"))),
            Kind::File => named,
            _ => None,
        };
        Block { line, kind, file, exit_code: exit_code.unwrap_or(0), text }
    }

    fn is_unnamed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.starts_with(UNNAMED))
    }
}

/// The beginning of the name of a program that a page does not name.
const UNNAMED: &str = "example.";

/// `// server.ts`, `# bunfig.toml`, `; .npmrc`: a comment that is nothing but a file's name.
fn name_in_comment(line: &str) -> Option<String> {
    let name = ["// ", "# ", "; "].iter().find_map(|mark| line.strip_prefix(mark))?.trim();
    let is_name = name.contains('.') && !name.ends_with('.') && !name.contains(char::is_whitespace);
    is_name.then(|| name.to_owned())
}
