//! The text of an XML document and the place where reading has come to. Out: names, quoted values,
//! what stands between marks. Absent: what they mean.

use std::borrow::Cow;

/// Where a document is wrong, and why.
pub(super) type Wrong = (usize, Cow<'static, str>);

#[derive(Default)]
pub(super) struct Input<'t> {
    pub(super) text: &'t str,
    /// In bytes.
    pub(super) at: usize,
}

impl<'t> Input<'t> {
    pub(super) fn new(text: &'t str) -> Input<'t> {
        Input { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn wrong(&self, message: &'static str) -> Wrong {
        (self.at, message.into())
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let is_there = self.rest().starts_with(mark);
        if is_there {
            self.at += mark.len();
        }
        is_there
    }

    /// Whether there was any.
    pub(super) fn skip_space(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(is_space).len();
        self.at += length;
        length > 0
    }

    pub(super) fn name(&mut self) -> Result<&'t str, Wrong> {
        let rest = self.rest();
        let end = rest.find(|letter| !continues_name(letter)).unwrap_or(rest.len());
        let name = &rest[..end];
        if !is_name(name) {
            return Err(self.wrong("expected a name"));
        }
        self.at += end;
        Ok(name)
    }

    /// `=`, which may have white space around it.
    pub(super) fn equals(&mut self) -> Result<(), Wrong> {
        self.skip_space();
        if !self.take("=") {
            return Err(self.wrong("expected `=`"));
        }
        self.skip_space();
        Ok(())
    }

    /// What stands between quotes, and where it begins.
    pub(super) fn quoted(&mut self) -> Result<(usize, &'t str), Wrong> {
        let quote = if self.take("\"") { "\"" } else { "'" };
        if quote == "'" && !self.take("'") {
            return Err(self.wrong("expected a value in quotes"));
        }
        let at = self.at;
        Ok((at, self.until(quote, "the value has no closing quote")?))
    }

    /// What stands before a mark, which is taken too.
    pub(super) fn until(&mut self, mark: &str, missing: &'static str) -> Result<&'t str, Wrong> {
        let rest = self.rest();
        let end = rest.find(mark).ok_or_else(|| self.wrong(missing))?;
        self.at += end + mark.len();
        Ok(&rest[..end])
    }

    /// Whether a comment was here.
    pub(super) fn comment(&mut self) -> Result<bool, Wrong> {
        if !self.take("<!--") {
            return Ok(false);
        }
        self.until("--", "the comment has no end")?;
        if self.take(">") { Ok(true) } else { Err(self.wrong("a comment cannot have `--` in it")) }
    }

    /// Whether a processing instruction was here.
    pub(super) fn instruction(&mut self) -> Result<bool, Wrong> {
        if !self.take("<?") {
            return Ok(false);
        }
        let at = self.at;
        if self.name()?.eq_ignore_ascii_case("xml") {
            return Err((at, "the XML declaration is not at the beginning of the document".into()));
        }
        if !self.rest().starts_with("?>") && !self.skip_space() {
            return Err(self.wrong("expected white space or `?>`"));
        }
        self.until("?>", "the processing instruction has no end").map(|_| true)
    }
}

pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(continues_name)
}

/// NameStartChar of XML 1.0.
fn begins_name(letter: char) -> bool {
    matches!(letter,
        ':' | 'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// NameChar of XML 1.0.
pub(super) fn continues_name(letter: char) -> bool {
    begins_name(letter)
        || matches!(letter, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
