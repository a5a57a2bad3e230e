//! What a scan finds: a token that handlers ask for. In: tokens of the parser. Out: values that
//! outlive them.

/// A token, and the handlers that get it, in the order of their calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenEvent {
    pub kind: EventKind,
    pub handlers: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    Element(ElementEvent),
    /// `element`: number of the element's event, from the begin of the document.
    EndTag {
        element: u64,
        name: String,
    },
    Text {
        text: String,
        is_last: bool,
    },
    Comment {
        text: String,
    },
    Doctype {
        name: Option<String>,
        public_id: Option<String>,
        system_id: Option<String>,
    },
    DocumentEnd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementEvent {
    pub name: String,
    pub namespace: &'static str,
    pub is_self_closing: bool,
    pub can_have_content: bool,
    /// Names in lower case, values as they are in the source.
    pub attributes: Vec<(String, String)>,
}
