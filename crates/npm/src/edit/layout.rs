//! Layout of a JSON object, and edits of its members that preserve the layout. In: source text,
//! spans of the parsed tree. Out: the new source text.

use std::ops::Range;

use crate::json::{Member, Node, quote_into};

/// Indentation if the file does not show one: that of bun and npm.
const INDENT_DEFAULT: &str = "  ";

pub(super) struct Layout<'t> {
    text: &'t str,
    /// `None`: the root's members are on one line.
    indent: Option<&'t str>,
    newline: &'static str,
    /// The characters between a key and its value.
    colon: &'static str,
}

pub(super) struct NewMember<'e> {
    pub(super) key: &'e str,
    pub(super) literal: &'e str,
}

impl<'t> Layout<'t> {
    pub(super) fn of(text: &'t str, root: &Node<'_>) -> Layout<'t> {
        let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let indent = match root.members().first() {
            Some(first) => indent_of(text, first.start),
            None => Some(INDENT_DEFAULT),
        };
        let spaced = |member: &Member<'_>| text[..member.node.start].ends_with(char::is_whitespace);
        let colon = if root.members().first().is_none_or(spaced) { ": " } else { ":" };
        Layout { text, indent, newline: if crlf { "\r\n" } else { "\n" }, colon }
    }

    pub(super) fn replace_value(&self, value: &Node<'_>, literal: &str) -> String {
        splice(self.text, vec![(value.start..value.end, quoted(literal))])
    }

    /// Replaces a value by JSON.
    pub(super) fn replace(&self, value: &Node<'_>, new: &str) -> String {
        splice(self.text, vec![(value.start..value.end, new.to_owned())])
    }

    /// A new member at the end of the root object. `value`: JSON.
    pub(super) fn append(&self, root: &Node<'_>, key: &str, value: &str) -> String {
        self.append_at(root, 0, key, value)
    }

    /// As [`Layout::append`], in an object of this depth.
    pub(super) fn append_at(&self, object: &Node<'_>, depth: usize, key: &str, value: &str) -> String {
        let member = format!("{}{}{value}", quoted(key), self.colon);
        match object.members().is_empty() {
            true => self.fill(object, &member, depth),
            false => self.insert(object, object.members().len(), &member),
        }
    }

    /// A new group with one entry at the end of the root object.
    pub(super) fn append_group(&self, root: &Node<'_>, group: &str, entry: &NewMember<'_>) -> String {
        let group = format!("{}{}{}", quoted(group), self.colon, self.object(entry, 1));
        match root.members().is_empty() {
            true => self.fill(root, &group, 0),
            false => self.insert(root, root.members().len(), &group),
        }
    }

    /// New objects below one another, the last with one entry, at the end of an object. `depth`: of
    /// that object; the root's is 0.
    pub(super) fn append_path(
        &self,
        object: &Node<'_>,
        depth: usize,
        keys: &[&str],
        entry: &NewMember<'_>,
    ) -> String {
        self.append_path_to(object, depth, keys, (entry.key, &quoted(entry.literal)))
    }

    /// As [`Layout::append_path`], with a key and JSON as its value.
    pub(super) fn append_path_to(
        &self,
        object: &Node<'_>,
        depth: usize,
        keys: &[&str],
        (key, value): (&str, &str),
    ) -> String {
        let is_on_one_line =
            object.members().first().is_some_and(|first| indent_of(self.text, first.start).is_none());
        let layout = Layout { indent: self.indent.filter(|_| !is_on_one_line), ..*self };
        let mut member = format!("{}{}{value}", quoted(key), self.colon);
        for (at, key) in keys.iter().enumerate().rev() {
            member = format!("{}{}{}", quoted(key), self.colon, layout.braces(&member, depth + at + 1));
        }
        match object.members().is_empty() {
            true => layout.fill(object, &member, depth),
            false => layout.insert(object, object.members().len(), &member),
        }
    }

    /// A new member where its key sorts. A group that is out of order is put in order first, unless
    /// it has comments, which would then be beside the wrong names.
    pub(super) fn insert_sorted(&self, object: &Node<'_>, entry: &NewMember<'_>) -> String {
        self.insert_sorted_at(object, entry, 1)
    }

    /// As [`Layout::insert_sorted`], in an object of this depth.
    pub(super) fn insert_sorted_at(&self, object: &Node<'_>, entry: &NewMember<'_>, depth: usize) -> String {
        let member = format!("{}{}{}", quoted(entry.key), self.colon, quoted(entry.literal));
        let members = object.members();
        if members.is_empty() {
            return self.fill(object, &member, depth);
        }
        let mut sorted: Vec<&Member<'_>> = members.iter().collect();
        sorted.sort_by(|left, right| left.key.cmp(&right.key));
        if members.is_sorted_by(|left, right| left.key <= right.key) || self.has_comment(object) {
            let at = members.iter().position(|member| *member.key > *entry.key);
            return self.insert(object, at.unwrap_or(members.len()), &member);
        }
        // Each span gets the member that belongs there after sorting; the new one is inserted
        // before its successor, or after the last.
        let span = |member: &Member<'_>| self.text[member.start..member.node.end].to_owned();
        let mut strings: Vec<String> = sorted.iter().map(|member| span(member)).collect();
        let at = sorted.iter().position(|member| *member.key > *entry.key).unwrap_or(members.len());
        let gap = self.gap(object);
        match at < members.len() {
            true => strings[at] = format!("{member},{gap}{}", strings[at]),
            false => strings[at - 1] = format!("{},{gap}{member}", strings[at - 1]),
        }
        let places = members.iter().map(|member| member.start..member.node.end);
        splice(self.text, places.zip(strings).collect())
    }

    /// Removes a member with its comma, and its line if the line is empty then.
    pub(super) fn remove(&self, object: &Node<'_>, at: usize) -> String {
        let members = object.members();
        if members.len() == 1 {
            return splice(self.text, vec![(object.start..object.end, "{}".to_owned())]);
        }
        let member = &members[at];
        let comma = self.comma_after(member.node.end);
        let end = comma.map_or(member.node.end, |comma| comma + 1);
        let mut cuts = vec![(self.cut_around(member.start, end, at + 1 < members.len()), String::new())];
        if comma.is_none() {
            let before = self.comma_after(members[at - 1].node.end).expect("a comma stands between members");
            let cut = &mut cuts[0].0;
            match cut.start <= before + 1 {
                true => cut.start = before,
                false => cuts.insert(0, (before..before + 1, String::new())),
            }
        }
        splice(self.text, cuts)
    }

    /// The member's lines if they contain only the member and a comment; otherwise the member and
    /// the adjacent blank.
    fn cut_around(&self, start: usize, end: usize, followed: bool) -> Range<usize> {
        let text = self.text;
        if indent_of(text, start).is_some() && line_rest_is_idle(&text[end..]) {
            let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
            return line_start..text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        }
        if followed {
            let rest = &text[end..];
            return start..end + (rest.len() - rest.trim_start().len());
        }
        let before = text[..start].trim_end();
        match before.ends_with(',') {
            true => before.len()..end,
            false => start..end,
        }
    }

    /// Inserts a member before the member `at`, or after the last one.
    fn insert(&self, object: &Node<'_>, at: usize, member: &str) -> String {
        let members = object.members();
        let gap = self.gap(object);
        if let Some(next) = members.get(at) {
            return splice(self.text, vec![(next.start..next.start, format!("{member},{gap}"))]);
        }
        let end = members.last().map_or(object.start + 1, |last| last.node.end);
        let comma = self.comma_after(end);
        let after = comma.map_or(end, |comma| comma + 1);
        // A comment at the end of the last member's line stays there.
        let rest = &self.text[after..object.end];
        let line = rest
            .find('\n')
            .filter(|_| gap.contains('\n') && line_rest_is_idle(rest))
            .map(|at| rest[..at].trim_end().len());
        let place = after + line.unwrap_or(0);
        match comma {
            Some(_) => splice(self.text, vec![(place..place, format!("{gap}{member},"))]),
            None => {
                let edits = vec![(end..end, ",".to_owned()), (place..place, format!("{gap}{member}"))];
                splice(self.text, edits)
            }
        }
    }

    /// Gives an object without members its first one.
    fn fill(&self, object: &Node<'_>, member: &str, depth: usize) -> String {
        let filled = self.braces(member, depth);
        splice(self.text, vec![(object.start..object.end, filled)])
    }

    fn object(&self, entry: &NewMember<'_>, depth: usize) -> String {
        let member = format!("{}{}{}", quoted(entry.key), self.colon, quoted(entry.literal));
        self.braces(&member, depth)
    }

    fn braces(&self, member: &str, depth: usize) -> String {
        match self.indent {
            Some(indent) => {
                let newline = self.newline;
                let (inner, outer) = (indent.repeat(depth + 1), indent.repeat(depth));
                format!("{{{newline}{inner}{member}{newline}{outer}}}")
            }
            None => format!("{{{member}}}"),
        }
    }

    /// The characters between two members of an object that is not empty.
    fn gap(&self, object: &Node<'_>) -> String {
        let members = object.members();
        let indent = members.first().and_then(|first| indent_of(self.text, first.start));
        match (indent, members) {
            (Some(indent), _) => format!("{}{indent}", self.newline),
            (None, [.., before, last]) if self.text[before.node.end..last.start] == *"," => String::new(),
            (None, [_]) if self.colon == ":" => String::new(),
            _ => " ".to_owned(),
        }
    }

    /// The offset of the comma after a value, past blanks and comments.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let mut rest = &self.text[end..];
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix("//") {
                rest = &comment[comment.find('\n').unwrap_or(comment.len())..];
            } else if let Some(comment) = rest.strip_prefix("/*") {
                rest = &comment[comment.find("*/").map_or(comment.len(), |at| at + 2)..];
            } else {
                return rest.starts_with(',').then(|| self.text.len() - rest.len());
            }
        }
    }

    fn has_comment(&self, object: &Node<'_>) -> bool {
        let starts = object.members().iter().map(|member| member.start).chain([object.end]);
        let ends = [object.start].into_iter().chain(object.members().iter().map(|member| member.node.end));
        ends.zip(starts).any(|(end, start)| self.text[end..start].contains('/'))
    }
}

/// The blank in front of a member that is the first of its line.
fn indent_of(text: &str, start: usize) -> Option<&str> {
    let line_start = text[..start].rfind('\n')? + 1;
    let indent = &text[line_start..start];
    indent.trim().is_empty().then_some(indent)
}

/// Whether the rest of the line is empty or a comment.
fn line_rest_is_idle(rest: &str) -> bool {
    let Some((line, _)) = rest.split_once('\n') else {
        return false;
    };
    let line = line.trim();
    let block = || line.strip_prefix("/*").and_then(|body| body.find("*/").map(|at| at + 2 == body.len()));
    line.is_empty() || line.starts_with("//") || block() == Some(true)
}

/// Replaces ranges, given in order, by strings.
fn splice(text: &str, edits: Vec<(Range<usize>, String)>) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for (range, replacement) in edits {
        out.push_str(&text[from..range.start]);
        out.push_str(&replacement);
        from = range.end;
    }
    out.push_str(&text[from..]);
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(&mut out, text);
    out
}
