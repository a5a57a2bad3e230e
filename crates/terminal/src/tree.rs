//! Trees as lines of text, drawn as npm draws them.

use crate::style::{Charset, OutputStyle};

/// A line with the lines below it.
pub struct TreeLine {
    pub text: String,
    pub children: Vec<TreeLine>,
}

/// The lines of a tree without its root, each with its end.
pub fn render(lines: &[TreeLine], style: &OutputStyle) -> String {
    let mut out = String::new();
    push(&mut out, lines, &mut String::new(), &Branches::of(style.charset));
    out
}

struct Branches {
    inner: &'static str,
    last: &'static str,
    beside: &'static str,
}

impl Branches {
    fn of(charset: Charset) -> Branches {
        match charset {
            Charset::Unicode => Branches { inner: "├── ", last: "└── ", beside: "│   " },
            Charset::Ascii => Branches { inner: "+-- ", last: "`-- ", beside: "|   " },
        }
    }
}

fn push(out: &mut String, lines: &[TreeLine], indent: &mut String, branches: &Branches) {
    for (index, line) in lines.iter().enumerate() {
        let is_last = index + 1 == lines.len();
        out.push_str(indent);
        out.push_str(if is_last { branches.last } else { branches.inner });
        out.push_str(&line.text);
        out.push('\n');
        let length = indent.len();
        indent.push_str(if is_last { "    " } else { branches.beside });
        push(out, &line.children, indent, branches);
        indent.truncate(length);
    }
}
