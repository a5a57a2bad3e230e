//! Selection list of updates: rows in groups, of which some are picked. In: rows, keys, the size of
//! the terminal. Out: lines to draw, and what was picked. Absent: reading keys, drawing.

pub mod keys;

use rusk_base::problem::printable;

use crate::style::{Charset, Highlight, OutputStyle};
use crate::width::{columns, cut};

pub use keys::{PickerKey, parse_keys};

/// A column of versions is not wider.
const VERSION_COLUMNS_MAX: usize = 14;
/// The column of names is not narrower.
const NAME_COLUMNS_MIN: usize = 12;
/// Lines around the list: the title, the help, one that stays free.
const OTHER_LINES: usize = 3;

/// A dependency that can be updated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickerRow {
    /// Heading under which the row is shown; rows of one group follow one another.
    pub group: String,
    pub name: String,
    pub current: String,
    /// The newest version in range.
    pub target: String,
    pub latest: String,
}

/// What is picked in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    Nothing,
    Target,
    Latest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerState {
    Open,
    Confirmed,
    /// By Escape or `q`.
    Cancelled,
    /// By Ctrl-C.
    Interrupted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    pub rows: usize,
    pub columns: usize,
}

#[derive(Clone, Debug)]
pub struct Picker {
    rows: Vec<PickerRow>,
    picks: Vec<Pick>,
    cursor: usize,
    /// What a row gets that is picked now.
    prefers_latest: bool,
}

impl Picker {
    /// `prefers_latest`: rows get their latest version unless another one is chosen.
    pub fn new(rows: Vec<PickerRow>, prefers_latest: bool) -> Picker {
        let picks = vec![Pick::Nothing; rows.len()];
        Picker { rows, picks, cursor: 0, prefers_latest }
    }

    /// By row.
    pub fn picks(&self) -> &[Pick] {
        &self.picks
    }

    pub fn press(&mut self, key: PickerKey) -> PickerState {
        let last = self.rows.len().saturating_sub(1);
        match key {
            PickerKey::Up => self.cursor = self.cursor.checked_sub(1).unwrap_or(last),
            PickerKey::Down => self.cursor = if self.cursor == last { 0 } else { self.cursor + 1 },
            PickerKey::First => self.cursor = 0,
            PickerKey::Last => self.cursor = last,
            PickerKey::Toggle => {
                self.picks[self.cursor] = match self.picks[self.cursor] {
                    Pick::Nothing => self.preferred(self.cursor),
                    _ => Pick::Nothing,
                };
            }
            PickerKey::All => {
                let are_all = self.picks.iter().all(|pick| *pick != Pick::Nothing);
                let pick = |at| if are_all { Pick::Nothing } else { self.preferred(at) };
                self.picks = (0..self.rows.len()).map(pick).collect();
            }
            PickerKey::Latest => {
                self.picks[self.cursor] = match self.picks[self.cursor] {
                    Pick::Latest if self.has_target(self.cursor) => Pick::Target,
                    _ => Pick::Latest,
                };
            }
            PickerKey::Enter => return PickerState::Confirmed,
            PickerKey::Cancel => return PickerState::Cancelled,
            PickerKey::Interrupt => return PickerState::Interrupted,
            PickerKey::Other => {}
        }
        PickerState::Open
    }

    /// A row without a newer version in range has only the latest.
    fn preferred(&self, row: usize) -> Pick {
        if self.prefers_latest || !self.has_target(row) { Pick::Latest } else { Pick::Target }
    }

    fn has_target(&self, row: usize) -> bool {
        self.rows[row].target != self.rows[row].current
    }

    /// The lines of the list, each without its end. No line is wider than the terminal.
    pub fn frame(&self, size: TerminalSize, style: &OutputStyle) -> Vec<String> {
        // The last column stays free: some terminals wrap as soon as it is written.
        let room = size.columns.saturating_sub(1);
        let widths = self.widths(room);
        let picked = self.picks.iter().filter(|pick| **pick != Pick::Nothing).count();
        let faint = |text: &str| style.for_stderr(Highlight::Faint, &cut(text, room, style.ellipsis()));
        let mut lines = vec![cut(&format!("Choose updates ({picked} of {})", self.rows.len()), room, "")];
        let (body, cursor_line) = self.body(&widths, style, room);
        let height = size.rows.saturating_sub(OTHER_LINES).max(1);
        let first = cursor_line.saturating_sub(height / 2).min(body.len().saturating_sub(height));
        lines.extend(body.into_iter().skip(first).take(height));
        lines.push(faint("space pick  l latest  a all  enter update  q cancel"));
        lines
    }

    /// All rows with their headings, and the line of the cursor.
    fn body(&self, widths: &Widths, style: &OutputStyle, room: usize) -> (Vec<String>, usize) {
        let mut lines = Vec::new();
        let mut cursor_line = 0;
        let mut group: Option<&str> = None;
        for (at, row) in self.rows.iter().enumerate() {
            if group != Some(&row.group) {
                group = Some(&row.group);
                let cells = [row.group.as_str(), "Current", "Target", "Latest"];
                let head = widths.line(cells.map(str::to_owned), style);
                lines.push(style.for_stderr(Highlight::Faint, &cut(&format!("      {head}"), room, "")));
            }
            if at == self.cursor {
                cursor_line = lines.len();
            }
            lines.push(cut_styled(self.row(at, widths, style), at == self.cursor, self.picks[at], style));
        }
        (lines, cursor_line)
    }

    fn row(&self, at: usize, widths: &Widths, style: &OutputStyle) -> [String; 4] {
        let PickerRow { name, current, target, latest, .. } = &self.rows[at];
        let cell = |text: &str, width: usize| {
            let text = cut(&printable(text), width, style.ellipsis());
            format!("{text}{}", " ".repeat(width - columns(&text)))
        };
        let version = |text: &str| cell(text, widths.version);
        [cell(name, widths.name), version(current), version(target), version(latest)]
    }

    fn widths(&self, room: usize) -> Widths {
        let longest = |of: &dyn Fn(&PickerRow) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let version =
            longest(&|row| columns(&row.current).max(columns(&row.target)).max(columns(&row.latest)));
        let version = version.clamp("Current".len(), VERSION_COLUMNS_MAX);
        // Cursor and box take 6 columns, each version two blanks.
        let left = room.saturating_sub(6 + 3 * (version + 2)).max(NAME_COLUMNS_MIN);
        let name = longest(&|row| columns(&row.name).max(columns(&row.group))).clamp(NAME_COLUMNS_MIN, left);
        Widths { name, version }
    }
}

struct Widths {
    name: usize,
    version: usize,
}

impl Widths {
    fn line(&self, cells: [String; 4], style: &OutputStyle) -> String {
        let widths = [self.name, self.version, self.version, self.version];
        let cells = cells.iter().zip(widths).map(|(cell, width)| {
            let cell = cut(cell, width, style.ellipsis());
            format!("{cell}{}", " ".repeat(width - columns(&cell)))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// A row with its cursor and its box; the version that is picked is colored.
fn cut_styled(cells: [String; 4], has_cursor: bool, pick: Pick, style: &OutputStyle) -> String {
    let [name, current, target, latest] = cells;
    let chosen = |is_chosen: bool, text: String| match is_chosen {
        true => style.for_stderr(Highlight::Added, &text),
        false => text,
    };
    let cursor = match (has_cursor, style.charset) {
        (true, Charset::Unicode) => "❯",
        (true, Charset::Ascii) => ">",
        (false, _) => " ",
    };
    let mark = match pick {
        Pick::Nothing => " ",
        Pick::Target => "x",
        Pick::Latest => "L",
    };
    let (target, latest) = (chosen(pick == Pick::Target, target), chosen(pick == Pick::Latest, latest));
    format!("{cursor} [{mark}] {name}  {current}  {target}  {latest}").trim_end().to_owned()
}

#[cfg(test)]
mod tests;
