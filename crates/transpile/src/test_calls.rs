//! Definitions of tests, `test('name', …)` and `describe('name', …)`, for reports that name their
//! lines. In: the source text, its language. Out: the names of each test or group, with those of
//! the groups around it, and its position, in source order. Absent: names that only a run knows.

use oxc::allocator::Allocator;
use oxc::ast::ast::{Argument, CallExpression, Expression, TemplateLiteral};
use oxc::ast_visit::{Visit, walk};

use crate::coverage::LineIndex;
use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::syntax_error::SyntaxErrors;

/// Functions that define tests or groups.
const FUNCTIONS: [&str; 10] =
    ["describe", "fdescribe", "fit", "it", "suite", "test", "xdescribe", "xit", "xtest", "ftest"];

/// Methods whose result defines a test for each row of a table, with parts of the row in its name.
const TABLES: [&str; 2] = ["each", "for"];

/// Methods whose result is a function that defines tests, or none.
const CONDITIONS: [&str; 7] = ["if", "runIf", "skipIf", "todoIf", "failingIf", "concurrentIf", "serialIf"];

/// A call that defines a test or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCall {
    /// Of the groups around it, the outermost first, and its own.
    pub names: Vec<NamePattern>,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 code units.
    pub column: u32,
}

/// A name as far as the source has it: literal parts, with any text between two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(pub Vec<String>);

impl NamePattern {
    /// The name, if the source has it whole.
    pub fn literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }

    pub fn matches(&self, name: &str) -> bool {
        let [first, middle @ .., last] = self.0.as_slice() else {
            return self.literal() == Some(name);
        };
        let Some(mut rest) =
            name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()))
        else {
            return false;
        };
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        true
    }

    /// How many bytes of a name are known.
    pub fn literal_bytes(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    fn of_text(text: &str) -> NamePattern {
        NamePattern(vec![text.to_owned()])
    }

    fn any() -> NamePattern {
        NamePattern(vec![String::new(), String::new()])
    }
}

/// The definitions of a file.
pub fn test_calls(source: &str, language: Language) -> Result<Vec<TestCall>, SyntaxErrors> {
    depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        let lines = LineIndex::new(source);
        let mut finder = Finder { source, lines, groups: Vec::new(), calls: Vec::new() };
        finder.visit_program(&parsed.program);
        Ok(finder.calls)
    })
}

struct Finder<'s> {
    source: &'s str,
    lines: LineIndex,
    groups: Vec<NamePattern>,
    calls: Vec<TestCall>,
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let Some(name) = name_of(call) else {
            walk::walk_call_expression(self, call);
            return;
        };
        let start = call.span.start as usize;
        let line = self.lines.line(call.span.start);
        let line_start = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
        let column = self.source[line_start..start].encode_utf16().count() as u32 + 1;
        self.groups.push(name);
        self.calls.push(TestCall { names: self.groups.clone(), line, column });
        walk::walk_call_expression(self, call);
        self.groups.pop();
    }
}

/// The name that a call defines; None if it defines nothing.
fn name_of(call: &CallExpression<'_>) -> Option<NamePattern> {
    let mut chain = Chain::default();
    chain.follow(&call.callee);
    if !chain.is_definition || chain.makes_function {
        return None;
    }
    let pattern = match call.arguments.first()? {
        Argument::StringLiteral(text) => NamePattern::of_text(&text.value),
        Argument::NumericLiteral(number) => NamePattern::of_text(&number.value.to_string()),
        Argument::TemplateLiteral(template) => of_template(template),
        Argument::FunctionExpression(_) | Argument::ArrowFunctionExpression(_) => NamePattern::of_text(""),
        _ => NamePattern::any(),
    };
    Some(if chain.has_table { pattern.with_placeholders() } else { pattern })
}

fn of_template(template: &TemplateLiteral<'_>) -> NamePattern {
    let part = |part: &oxc::ast::ast::TemplateElement<'_>| {
        part.value.cooked.as_ref().map_or_else(String::new, |text| text.to_string())
    };
    NamePattern(template.quasis.iter().map(part).collect())
}

impl NamePattern {
    /// `%d` and `$name` stand for any text.
    fn with_placeholders(&self) -> NamePattern {
        let mut parts = Vec::new();
        for literal in &self.0 {
            let (mut part, mut rest) = (String::new(), literal.as_str());
            while let Some(at) = rest.find(['%', '$']) {
                part.push_str(&rest[..at]);
                let length = placeholder_bytes(&rest[at..]);
                if length == 1 {
                    part.push_str(&rest[at..=at]);
                } else {
                    parts.push(std::mem::take(&mut part));
                }
                rest = &rest[at + length..];
            }
            part.push_str(rest);
            parts.push(part);
        }
        NamePattern(parts)
    }
}

/// The length of the placeholder that a text begins with; 1 if it is none.
fn placeholder_bytes(text: &str) -> usize {
    let rest = &text[1..];
    if text.starts_with('%') {
        return 1 + rest
            .chars()
            .next()
            .filter(|letter| letter.is_ascii_alphabetic() || "#%$".contains(*letter))
            .map_or(0, char::len_utf8);
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'#' | b'$');
    1 + rest.bytes().take_while(|byte| is_name(byte)).count()
}

/// What is called: `test`, `test.only`, `describe.each(table)`.
#[derive(Default)]
struct Chain {
    is_definition: bool,
    has_table: bool,
    /// The call returns the function that defines tests.
    makes_function: bool,
}

impl Chain {
    fn follow(&mut self, callee: &Expression<'_>) {
        match callee {
            Expression::Identifier(name) => self.is_definition = FUNCTIONS.contains(&name.name.as_str()),
            Expression::StaticMemberExpression(member) => {
                let property = member.property.name.as_str();
                self.follow(&member.object);
                // `extend` makes another function.
                self.is_definition &= property != "extend";
                let is_table = TABLES.contains(&property);
                self.has_table |= is_table;
                self.makes_function = is_table || CONDITIONS.contains(&property);
            }
            Expression::CallExpression(inner) => {
                self.follow(&inner.callee);
                self.makes_function = false;
            }
            Expression::TaggedTemplateExpression(inner) => {
                self.follow(&inner.tag);
                self.makes_function = false;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
