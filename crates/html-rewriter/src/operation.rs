//! What is done to a token.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    SetName(String),
    SetAttribute { name: String, value: String },
    RemoveAttribute(String),
    SetText(String),
    Insert { position: Position, content: String, is_html: bool },
    Remove,
    RemoveAndKeepContent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    Before,
    After,
    Prepend,
    Append,
    /// In place of the token; of an element with its content.
    Replace,
    InnerContent,
}
