//! Tables with lines around their cells, as bun prints them, no wider than the terminal.

use rusk_base::problem::printable;

use crate::style::{Charset, OutputStyle};
use crate::width::{columns, cut};

/// A column is not made narrower than this.
const CELL_COLUMNS_MIN: usize = 8;

struct Lines {
    across: &'static str,
    down: &'static str,
    /// Left, middle and right, of the first, a middle and the last line.
    corners: [[&'static str; 3]; 3],
}

const UNICODE: Lines =
    Lines {
        across: "─", down: "│", corners: [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]]
    };
const ASCII: Lines = Lines { across: "-", down: "|", corners: [["|", "|", "|"]; 3] };

/// The table with its end of line. Where it is wider than `columns_max`, the widest cells are cut.
/// `None`: nothing is cut, because a program reads it, or the width is unknown.
pub fn render(
    head: &[&str],
    rows: &[Vec<String>],
    style: &OutputStyle,
    columns_max: Option<usize>,
) -> String {
    let lines = if style.charset == Charset::Unicode { &UNICODE } else { &ASCII };
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| printable(cell).into_owned()).collect()).collect();
    let widths = widths(head, &rows, columns_max.unwrap_or(usize::MAX));
    let rule = |[left, middle, right]: [&str; 3]| {
        let parts: Vec<String> = widths.iter().map(|width| lines.across.repeat(width + 2)).collect();
        format!("{left}{}{right}\n", parts.join(middle))
    };
    let row = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = lines.down.to_owned();
        for (cell, width) in cells.zip(&widths) {
            let cell = cut(cell, *width, style.ellipsis());
            text.push_str(&format!(" {cell}{} {}", " ".repeat(width - columns(&cell)), lines.down));
        }
        text + "\n"
    };
    let mut text = rule(lines.corners[0]);
    text.push_str(&row(&mut head.iter().copied()));
    for cells in &rows {
        text.push_str(&rule(lines.corners[1]));
        text.push_str(&row(&mut cells.iter().map(String::as_str)));
    }
    text + &rule(lines.corners[2])
}

fn widths(head: &[&str], rows: &[Vec<String>], columns_max: usize) -> Vec<usize> {
    let cells = |index: usize| rows.iter().filter_map(move |row| row.get(index));
    let mut widths: Vec<usize> = head
        .iter()
        .enumerate()
        .map(|(index, title)| cells(index).map(|cell| columns(cell)).max().unwrap_or(0).max(columns(title)))
        .collect();
    // Each cell has a blank on both sides and a line.
    let room = columns_max.saturating_sub(3 * widths.len() + 1);
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter_mut().max().expect("a table has columns");
        if *widest <= CELL_COLUMNS_MIN {
            break;
        }
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests;
