//! Colors of reports. In: whether there are any. Out: text between escape sequences.

/// Colors, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    pub has_colors: bool,
}

impl Paint {
    pub fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    pub fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    pub fn magenta(self, text: &str) -> String {
        self.wrap("35", text)
    }

    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What begins and ends dim text.
    pub fn dim_marks(self) -> [&'static str; 2] {
        if self.has_colors { ["\x1b[2m", "\x1b[0m"] } else { ["", ""] }
    }

    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.has_colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
