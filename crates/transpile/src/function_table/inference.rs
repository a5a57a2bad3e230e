//! Inference of function names as V8's parser does it (its `FuncNameInferrer`): the names that
//! stand before a function in its expression. In: names and functions in the order of the source.
//! Out: for functions without a name of their own, the names before them, joined by points.
//! Absent: which syntax has which names.

use std::borrow::Cow;

/// What V8 calls a property whose name is not in the source.
pub(super) const COMPUTED: &str = "<computed>";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamePart<'a> {
    /// Of a function around it whose name begins with a capital: a constructor.
    Constructor(Cow<'a, str>),
    Property(Cow<'a, str>),
    Variable(&'a str),
}

/// An entry of the table whose name is inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnnamedEntry {
    Function(usize),
    Class(usize),
    /// A function in parentheses: V8 compiles it at once, and infers no name.
    Eager,
}

/// The names of the expression that is visited.
#[derive(Debug, Default)]
pub(super) struct NameInference<'a> {
    parts: Vec<NamePart<'a>>,
    unnamed: Vec<UnnamedEntry>,
    /// Expressions that are open.
    depth: usize,
}

impl<'a> NameInference<'a> {
    /// The names inside a function that V8 compiles when it is first called.
    pub(super) fn in_function(name: Option<&str>) -> NameInference<'a> {
        let constructor = name.filter(|name| name.starts_with(char::is_uppercase));
        NameInference {
            parts: constructor
                .map(|name| NamePart::Constructor(Cow::Owned(name.to_owned())))
                .into_iter()
                .collect(),
            ..NameInference::default()
        }
    }

    /// Opens an expression. Out: what closes it.
    pub(super) fn open(&mut self) -> usize {
        self.depth += 1;
        self.parts.len()
    }

    pub(super) fn close(&mut self, opened: usize) {
        self.parts.truncate(opened);
        self.depth -= 1;
        if self.depth == 0 {
            self.unnamed.clear();
        }
    }

    pub(super) fn variable(&mut self, name: &'a str) {
        if self.depth > 0 {
            self.parts.push(NamePart::Variable(name));
        }
    }

    pub(super) fn property(&mut self, name: impl Into<Cow<'a, str>>) {
        let name = name.into();
        if self.depth > 0 && name != "prototype" {
            self.parts.push(NamePart::Property(name));
        }
    }

    pub(super) fn add(&mut self, unnamed: UnnamedEntry) {
        self.unnamed.push(unnamed);
    }

    /// The last function is called, or is an argument.
    pub(super) fn forget_last(&mut self) {
        self.unnamed.pop();
    }

    /// The name, and what gets it.
    pub(super) fn infer(&mut self) -> Option<(String, Vec<UnnamedEntry>)> {
        if self.unnamed.is_empty() {
            return None;
        }
        let unnamed = std::mem::take(&mut self.unnamed);
        let name = self.name();
        (!name.is_empty()).then_some((name, unnamed))
    }

    fn name(&self) -> String {
        let mut name = String::new();
        for (index, part) in self.parts.iter().enumerate() {
            let text = match part {
                // Of successive variables the last one counts.
                NamePart::Variable(_) if matches!(self.parts.get(index + 1), Some(NamePart::Variable(_))) => {
                    continue;
                }
                NamePart::Constructor(text) | NamePart::Property(text) => text,
                NamePart::Variable(text) => *text,
            };
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(text);
        }
        name
    }
}
