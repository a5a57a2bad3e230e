//! Markdown with GitHub's tables, task lists and struck text. In: a text. Out: HTML. HTML in the
//! text stays: what is imported is the program's own. Absent: autolinks without `<>`, as in bun.

use std::fmt::Write as _;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

pub fn markdown(text: &str) -> String {
    // A last line without an end is as all others.
    let text = format!("{}\n", text.strip_prefix('\u{feff}').unwrap_or(text).trim_end_matches('\n'));
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut renderer =
        HtmlRenderer { out: String::with_capacity(text.len() * 3 / 2), ..HtmlRenderer::default() };
    let events: Vec<Event<'_>> = Parser::new_ext(&text, options).collect();
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Item) => renderer.item(task_of(&events[index + 1..])),
            Event::Start(tag) => renderer.start(tag),
            Event::End(tag) => renderer.end(*tag),
            event => renderer.leaf(event),
        }
    }
    renderer.out
}

/// Whether an item is a task, and done. The marker is within its first paragraph, or alone.
fn task_of(content: &[Event<'_>]) -> Option<bool> {
    match content {
        [Event::TaskListMarker(is_done), ..]
        | [Event::Start(Tag::Paragraph), Event::TaskListMarker(is_done), ..] => Some(*is_done),
        _ => None,
    }
}

#[derive(Default)]
struct HtmlRenderer {
    out: String,
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
    /// A body of the table is open.
    has_body: bool,
    /// Images that are open: their text is plain.
    images: usize,
    /// The title of each of them.
    titles: Vec<String>,
}

impl HtmlRenderer {
    fn start(&mut self, tag: &Tag<'_>) {
        if self.images > 0 && !matches!(tag, Tag::Image { .. }) {
            return;
        }
        match tag {
            Tag::Paragraph => self.block("<p>"),
            Tag::Heading { level, .. } => self.block(&format!("<{level}>")),
            Tag::BlockQuote(_) => self.block("<blockquote>\n"),
            Tag::CodeBlock(kind) => self.code_block(kind),
            Tag::List(None) => self.block("<ul>\n"),
            Tag::List(Some(1)) => self.block("<ol>\n"),
            Tag::List(Some(start)) => self.block(&format!("<ol start=\"{start}\">\n")),
            Tag::Table(alignments) => {
                self.alignments.clone_from(alignments);
                self.has_body = false;
                self.block("<table>\n");
            }
            Tag::TableHead => {
                (self.is_head, self.column) = (true, 0);
                self.out.push_str("<thead>\n<tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                let start = if std::mem::replace(&mut self.has_body, true) { "" } else { "<tbody>\n" };
                _ = write!(self.out, "{start}<tr>");
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.out.push_str("<em>"),
            Tag::Strong => self.out.push_str("<strong>"),
            Tag::Strikethrough => self.out.push_str("<del>"),
            Tag::Link { link_type, dest_url, title, .. } => self.link(*link_type, dest_url, title),
            Tag::Image { dest_url, title, .. } => {
                self.images += 1;
                self.titles.push(title.to_string());
                if self.images == 1 {
                    self.out.push_str("<img src=\"");
                    escape_url(&mut self.out, dest_url);
                    self.out.push_str("\" alt=\"");
                }
            }
            _ => {}
        }
    }

    /// A block begins a line.
    fn block(&mut self, tag: &str) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.push_str(tag);
    }

    fn item(&mut self, is_done: Option<bool>) {
        match is_done {
            None => self.out.push_str("<li>"),
            Some(is_done) => {
                let checked = if is_done { " checked" } else { "" };
                _ = write!(
                    self.out,
                    "<li class=\"task-list-item\"><input type=\"checkbox\" class=\"task-list-item-checkbox\" disabled{checked}>"
                );
            }
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(words) => words.split_whitespace().next(),
            CodeBlockKind::Indented => None,
        };
        self.block("<pre><code");
        if let Some(language) = language {
            self.out.push_str(" class=\"language-");
            escape(&mut self.out, language);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn cell(&mut self) {
        let name = if self.is_head { "th" } else { "td" };
        let align = match self.alignments.get(self.column) {
            Some(Alignment::Left) => " align=\"left\"",
            Some(Alignment::Center) => " align=\"center\"",
            Some(Alignment::Right) => " align=\"right\"",
            _ => "",
        };
        self.column += 1;
        _ = write!(self.out, "<{name}{align}>");
    }

    fn link(&mut self, kind: LinkType, url: &str, title: &str) {
        self.out.push_str("<a href=\"");
        if kind == LinkType::Email && !url.starts_with("mailto:") {
            self.out.push_str("mailto:");
        }
        escape_url(&mut self.out, url);
        self.title(title);
        self.out.push_str("\">");
    }

    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            self.out.push_str("\" title=\"");
            escape(&mut self.out, title);
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if let TagEnd::Image = tag {
            self.images -= 1;
            let title = self.titles.pop().unwrap_or_default();
            if self.images == 0 {
                self.title(&title);
                self.out.push_str("\" />");
            }
            return;
        }
        if self.images > 0 {
            return;
        }
        match tag {
            TagEnd::Paragraph => self.out.push_str("</p>\n"),
            TagEnd::Heading(level) => _ = writeln!(self.out, "</{level}>"),
            TagEnd::BlockQuote(_) => self.out.push_str("</blockquote>\n"),
            TagEnd::CodeBlock => self.out.push_str("</code></pre>\n"),
            TagEnd::List(is_ordered) => self.out.push_str(if is_ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => self.out.push_str("</li>\n"),
            TagEnd::Table => {
                self.out.push_str(if self.has_body { "</tbody>\n</table>\n" } else { "</table>\n" })
            }
            TagEnd::TableHead => {
                self.is_head = false;
                self.out.push_str("</tr>\n</thead>\n");
            }
            TagEnd::TableRow => self.out.push_str("</tr>\n"),
            TagEnd::TableCell => self.out.push_str(if self.is_head { "</th>" } else { "</td>" }),
            TagEnd::Emphasis => self.out.push_str("</em>"),
            TagEnd::Strong => self.out.push_str("</strong>"),
            TagEnd::Strikethrough => self.out.push_str("</del>"),
            TagEnd::Link => self.out.push_str("</a>"),
            _ => {}
        }
    }

    fn leaf(&mut self, event: &Event<'_>) {
        let is_plain = self.images > 0;
        match event {
            Event::Text(text) => escape(&mut self.out, text),
            Event::Code(text) if is_plain => escape(&mut self.out, text),
            Event::Code(text) => self.code(text),
            Event::Html(text) | Event::InlineHtml(text) if !is_plain => self.out.push_str(text),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str(if is_plain { "\n" } else { "<br />\n" }),
            Event::Rule => self.block("<hr />\n"),
            _ => {}
        }
    }

    fn code(&mut self, text: &CowStr<'_>) {
        self.out.push_str("<code>");
        escape(&mut self.out, text);
        self.out.push_str("</code>");
    }
}

fn escape(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
}

/// Characters that a URL does not have are percent-encoded.
fn escape_url(out: &mut String, url: &str) {
    for byte in url.bytes() {
        match byte {
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&#x27;"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            byte if b"-_.+!*(),%#@?=;:/$~".contains(&byte) => out.push(char::from(byte)),
            byte => _ = write!(out, "%{byte:02X}"),
        }
    }
}
