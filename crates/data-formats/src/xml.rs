//! XML 1.0 without validation. In: a text. Out: JSON of the document: its root element by name. An
//! element is its text, or an object: attributes as `@name`, children by name (a list where there
//! are several), own text as `#text`. Comments and processing instructions say nothing. Absent:
//! external entities, which are never read; entities with elements in them.

mod declarations;
mod element;
mod encoding;
mod input;

use super::graph::{Graph, Id};
use super::{DEPTH_MAX, Fault};
use declarations::Declarations;
use element::Element;
pub use encoding::xml_text;
use input::{Input, Wrong, is_space};

/// Bytes that entities may become in a document, so that a short one cannot become gigabytes.
const EXPANDED_BYTES_MAX: usize = 4 << 20;
/// Entities within each other.
const ENTITY_DEPTH_MAX: usize = 32;

pub fn xml(text: &str) -> Result<String, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut parser = XmlParser { input: Input::new(&text), ..XmlParser::default() };
    let root = parser.document().map_err(|(at, message)| Fault::at(&text, at, message))?;
    Ok(parser.graph.json(root))
}

#[derive(Default)]
struct XmlParser<'t> {
    input: Input<'t>,
    graph: Graph,
    declarations: Declarations,
    expanded_bytes: usize,
}

/// What a reference stands for.
enum Reference<'t> {
    Character(char),
    Entity(&'t str),
}

impl<'t> XmlParser<'t> {
    fn document(&mut self) -> Result<Id, Wrong> {
        if let Some((at, _)) = self.input.text.char_indices().find(|&(_, letter)| !is_allowed(letter)) {
            return Err((at, "this character cannot be in XML".into()));
        }
        self.declaration()?;
        self.between_elements()?;
        if self.input.take("<!DOCTYPE") {
            self.declarations = declarations::parse(&mut self.input)?;
            self.between_elements()?;
        }
        let root = self.root()?;
        self.between_elements()?;
        match self.input.is_at_end() {
            true => Ok(root),
            false => Err(self.input.wrong("expected the end of the document behind its root element")),
        }
    }

    /// `<?xml version="1.0" …?>`
    fn declaration(&mut self) -> Result<(), Wrong> {
        let has_it = self.input.rest().strip_prefix("<?xml").is_some_and(|rest| rest.starts_with(is_space));
        if !has_it {
            return Ok(());
        }
        self.input.take("<?xml");
        let mut names = Vec::new();
        loop {
            let has_space = self.input.skip_space();
            if self.input.take("?>") {
                break;
            }
            if !has_space {
                return Err(self.input.wrong("expected `?>`"));
            }
            names.push(self.input.name()?);
            self.input.equals()?;
            self.input.quoted()?;
        }
        match names.as_slice() {
            ["version"] | ["version", "encoding" | "standalone"] | ["version", "encoding", "standalone"] => {
                Ok(())
            }
            _ => Err((0, "the XML declaration has other members than version, encoding, standalone".into())),
        }
    }

    /// White space, comments and processing instructions.
    fn between_elements(&mut self) -> Result<(), Wrong> {
        loop {
            self.input.skip_space();
            if !self.input.comment()? && !self.input.instruction()? {
                return Ok(());
            }
        }
    }

    fn root(&mut self) -> Result<Id, Wrong> {
        let mut open: Vec<Element> = Vec::new();
        if !self.input.rest().starts_with('<') {
            return Err(self.input.wrong("expected the root element"));
        }
        loop {
            let ended = if self.input.take("</") {
                self.closing_tag(open.pop())?
            } else if let Some(element) = self.opening_tag()? {
                if open.len() >= DEPTH_MAX {
                    return Err(self.input.wrong("elements are nested too deeply"));
                }
                match element {
                    (element, true) => element,
                    (element, false) => {
                        open.push(element);
                        continue;
                    }
                }
            } else {
                let Some(element) = open.last_mut() else {
                    return Err(self.input.wrong("expected an element"));
                };
                self.content(element)?;
                continue;
            };
            let name = ended.name.clone();
            let value = ended.into_value(&mut self.graph);
            match open.last_mut() {
                Some(parent) => parent.add_child(name, value),
                None => return Ok(element::document(&mut self.graph, name, value)),
            }
        }
    }

    /// Behind `</`.
    fn closing_tag(&mut self, open: Option<Element>) -> Result<Element, Wrong> {
        let at = self.input.at - 2;
        let name = self.input.name()?;
        let element = open.ok_or((at, "no element is open here".into()))?;
        if element.name != name {
            let message = format!("expected closing tag </{}> but found </{name}>", element.name);
            return Err((at, message.into()));
        }
        self.input.skip_space();
        if self.input.take(">") { Ok(element) } else { Err(self.input.wrong("expected `>`")) }
    }

    /// An element, and whether it ends with its tag; `None`: something else is here.
    fn opening_tag(&mut self) -> Result<Option<(Element, bool)>, Wrong> {
        let rest = self.input.rest();
        if !rest.starts_with('<') || rest.starts_with("<!") || rest.starts_with("<?") {
            return Ok(None);
        }
        self.input.take("<");
        let mut element = Element::new(self.input.name()?);
        loop {
            let has_space = self.input.skip_space();
            let is_empty = self.input.take("/>");
            if is_empty || self.input.take(">") {
                let missing = self.declarations.missing(&element);
                missing.into_iter().for_each(|(name, value)| element.add_attribute(&name, value));
                return Ok(Some((element, is_empty)));
            }
            let at = self.input.at;
            if !has_space {
                return Err((at, "expected white space, `>` or `/>`".into()));
            }
            let name = self.input.name()?;
            if element.has_attribute(name) {
                return Err((at, format!("the attribute `{name}` is there twice").into()));
            }
            self.input.equals()?;
            let value = self.attribute_value()?;
            let value = self.declarations.normalized(&element.name, name, value);
            element.add_attribute(name, value);
        }
    }

    fn attribute_value(&mut self) -> Result<String, Wrong> {
        let (at, raw) = self.input.quoted()?;
        if let Some(found) = raw.find('<') {
            return Err((at + found, "an attribute cannot have `<`, expected `&lt;`".into()));
        }
        let mut value = String::with_capacity(raw.len());
        self.expand(raw, at, true, 0, &mut value)?;
        Ok(value)
    }

    /// Text, a reference, CDATA, a comment or a processing instruction.
    fn content(&mut self, element: &mut Element) -> Result<(), Wrong> {
        if self.input.comment()? || self.input.instruction()? {
            return Ok(());
        }
        if self.input.take("<![CDATA[") {
            element.add_text(self.input.until("]]>", "the CDATA section has no end")?);
            return Ok(());
        }
        let (at, rest) = (self.input.at, self.input.rest());
        let Some(end) = rest.find('<').filter(|&end| end > 0) else {
            return Err((
                at,
                match rest.starts_with('<') {
                    true => "expected an element or text".into(),
                    false => format!("the element <{}> has no closing tag", element.name).into(),
                },
            ));
        };
        let text = &rest[..end];
        if let Some(found) = text.find("]]>") {
            return Err((at + found, "text cannot have `]]>`, expected `]]&gt;`".into()));
        }
        self.input.at += end;
        let mut expanded = String::with_capacity(text.len());
        self.expand(text, at, false, 0, &mut expanded)?;
        element.add_text(&expanded);
        Ok(())
    }

    /// Adds a text whose references are expanded. In attributes, white space is blanks.
    fn expand(
        &mut self,
        text: &str,
        at: usize,
        is_attribute: bool,
        depth: usize,
        out: &mut String,
    ) -> Result<(), Wrong> {
        let mut rest = text;
        while let Some(found) = rest.find('&') {
            push(out, &rest[..found], is_attribute);
            let place = if depth == 0 { at + text.len() - rest.len() + found } else { at };
            let (reference, length) = reference(&rest[found..]).map_err(|message| (place, message.into()))?;
            rest = &rest[found + length..];
            match reference {
                Reference::Character(letter) => out.push(letter),
                Reference::Entity(name) => self.expand_entity(name, place, is_attribute, depth, out)?,
            }
        }
        push(out, rest, is_attribute);
        Ok(())
    }

    fn expand_entity(
        &mut self,
        name: &str,
        at: usize,
        is_attribute: bool,
        depth: usize,
        out: &mut String,
    ) -> Result<(), Wrong> {
        let Some(text) = self.declarations.entity(name) else {
            // It may be declared where we do not look.
            if self.declarations.has_external {
                out.push_str(&format!("&{name};"));
                return Ok(());
            }
            return Err((at, format!("the entity `{name}` is not declared").into()));
        };
        self.expanded_bytes += text.len();
        if depth >= ENTITY_DEPTH_MAX || self.expanded_bytes > EXPANDED_BYTES_MAX {
            return Err((at, format!("the entity `{name}` becomes too large a text").into()));
        }
        if text.contains('<') {
            return Err((
                at,
                format!("the entity `{name}` has elements in it, which is not supported").into(),
            ));
        }
        self.expand(&text, at, is_attribute, depth + 1, out)
    }
}

fn push(out: &mut String, text: &str, is_attribute: bool) {
    match is_attribute {
        true => out.extend(text.chars().map(|letter| if is_space(letter) { ' ' } else { letter })),
        false => out.push_str(text),
    }
}

/// The reference that a text begins with, and its bytes.
fn reference(text: &str) -> Result<(Reference<'_>, usize), &'static str> {
    let end = text.find(';').ok_or("expected a reference, or `&amp;`")?;
    let name = &text[1..end];
    let code = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => digits.parse(),
        },
        None if input::is_name(name) => {
            let letter = match name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => return Ok((Reference::Entity(name), end + 1)),
            };
            return Ok((Reference::Character(letter), end + 1));
        }
        None => return Err("expected a reference, or `&amp;`"),
    };
    let letter = code.ok().and_then(char::from_u32).filter(|&letter| is_allowed(letter));
    letter.map(|letter| (Reference::Character(letter), end + 1)).ok_or("this character cannot be in XML")
}

fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r') || (letter >= ' ' && !matches!(letter, '\u{fffe}' | '\u{ffff}'))
}
