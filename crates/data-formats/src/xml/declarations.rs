//! The document type declaration: entities, and attributes that elements have where they are not
//! written. In: the text behind `<!DOCTYPE`. Out: [`Declarations`]. Absent: parameter entities and
//! what is in other files, which are not read.

use std::collections::HashMap;

use super::element::Element;
use super::input::{Input, Wrong, is_space};
use super::{Reference, reference};

#[derive(Default)]
pub(super) struct Declarations {
    entities: HashMap<String, String>,
    /// By the name of the element.
    attributes: HashMap<String, Vec<Attribute>>,
    /// Some declarations are in other files, or in parameter entities.
    pub(super) has_external: bool,
}

struct Attribute {
    name: String,
    /// White space in it counts.
    is_text: bool,
    usual: Option<String>,
}

pub(super) fn parse(input: &mut Input<'_>) -> Result<Declarations, Wrong> {
    let mut found = Declarations::default();
    input.skip_space();
    input.name()?;
    input.skip_space();
    if external(input)? {
        found.has_external = true;
        input.skip_space();
    }
    if input.take("[") {
        found.subset(input)?;
        input.skip_space();
    }
    if input.take(">") { Ok(found) } else { Err(input.wrong("expected `>`")) }
}

/// Whether the name of another file was here.
fn external(input: &mut Input<'_>) -> Result<bool, Wrong> {
    let is_public = input.take("PUBLIC");
    if !is_public && !input.take("SYSTEM") {
        return Ok(false);
    }
    for _ in 0..if is_public { 2 } else { 1 } {
        input.skip_space();
        input.quoted()?;
    }
    Ok(true)
}

impl Declarations {
    pub(super) fn entity(&self, name: &str) -> Option<String> {
        self.entities.get(name).cloned()
    }

    /// Attributes that an element has besides those that are written.
    pub(super) fn missing(&self, element: &Element) -> Vec<(String, String)> {
        let declared = self.attributes.get(&element.name).map(Vec::as_slice).unwrap_or_default();
        let missing = declared.iter().filter(|attribute| !element.has_attribute(&attribute.name));
        missing.filter_map(|attribute| Some((attribute.name.clone(), attribute.usual.clone()?))).collect()
    }

    /// A value without the white space that its type does not have.
    pub(super) fn normalized(&self, element: &str, attribute: &str, value: String) -> String {
        let declared = self.attributes.get(element).map(Vec::as_slice).unwrap_or_default();
        let is_list = declared.iter().any(|known| known.name == attribute && !known.is_text);
        if is_list { collapsed(&value) } else { value }
    }

    /// Behind `[`, up to its `]`.
    fn subset(&mut self, input: &mut Input<'_>) -> Result<(), Wrong> {
        loop {
            input.skip_space();
            if input.take("]") {
                return Ok(());
            }
            if input.comment()? || input.instruction()? {
                continue;
            }
            if input.take("%") {
                input.name()?;
                if !input.take(";") {
                    return Err(input.wrong("expected `;`"));
                }
                self.has_external = true;
            } else if input.take("<!ENTITY") {
                self.entity_declaration(input)?;
            } else if input.take("<!ATTLIST") {
                self.attribute_list(input)?;
            } else if input.take("<!ELEMENT") || input.take("<!NOTATION") {
                skip_declaration(input)?;
            } else {
                return Err(input.wrong("expected a declaration or `]`"));
            }
        }
    }

    fn entity_declaration(&mut self, input: &mut Input<'_>) -> Result<(), Wrong> {
        input.skip_space();
        let is_parameter = input.take("%");
        input.skip_space();
        let name = input.name()?;
        input.skip_space();
        if external(input)? {
            self.has_external = true;
            return skip_declaration(input);
        }
        let (at, raw) = input.quoted()?;
        let text = with_characters(raw).map_err(|message| (at, message.into()))?;
        // The first declaration counts.
        if !is_parameter {
            self.entities.entry(name.to_owned()).or_insert(text);
        }
        input.skip_space();
        if input.take(">") { Ok(()) } else { Err(input.wrong("expected `>`")) }
    }

    fn attribute_list(&mut self, input: &mut Input<'_>) -> Result<(), Wrong> {
        input.skip_space();
        let element = input.name()?.to_owned();
        loop {
            input.skip_space();
            if input.take(">") {
                return Ok(());
            }
            let name = input.name()?.to_owned();
            input.skip_space();
            let is_list = input.rest().starts_with('(') || input.take("NOTATION");
            let is_text = !is_list && input.name()? == "CDATA";
            input.skip_space();
            if is_list {
                input.until(")", "the list of values has no end")?;
                input.skip_space();
            }
            let usual = self.usual_value(input, is_text)?;
            let known = self.attributes.entry(element.clone()).or_default();
            if known.iter().all(|attribute| attribute.name != name) {
                known.push(Attribute { name, is_text, usual });
            }
        }
    }

    fn usual_value(&self, input: &mut Input<'_>, is_text: bool) -> Result<Option<String>, Wrong> {
        if input.take("#REQUIRED") || input.take("#IMPLIED") {
            return Ok(None);
        }
        input.take("#FIXED");
        input.skip_space();
        let (at, raw) = input.quoted()?;
        let text = with_characters(raw).map_err(|message| (at, message.into()))?;
        let text: String = text.chars().map(|letter| if is_space(letter) { ' ' } else { letter }).collect();
        Ok(Some(if is_text { text } else { collapsed(&text) }))
    }
}

/// The rest of a declaration that says nothing here.
fn skip_declaration(input: &mut Input<'_>) -> Result<(), Wrong> {
    loop {
        let rest = input.rest();
        let end = rest.find(['>', '"', '\'']).ok_or_else(|| input.wrong("the declaration has no end"))?;
        input.at += end;
        if input.take(">") {
            return Ok(());
        }
        input.quoted()?;
    }
}

/// The text with the characters that it names by number. Other references stay.
fn with_characters(text: &str) -> Result<String, &'static str> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = rest.find('&') {
        out.push_str(&rest[..found]);
        let (what, length) = reference(&rest[found..])?;
        match what {
            Reference::Character(letter) if rest[found..].starts_with("&#") => out.push(letter),
            _ => out.push_str(&rest[found..found + length]),
        }
        rest = &rest[found + length..];
    }
    out.push_str(rest);
    Ok(out)
}

fn collapsed(text: &str) -> String {
    text.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
