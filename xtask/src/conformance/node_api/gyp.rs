//! Targets of a `binding.gyp`: the part of that format which Node's tests use. In: its text. Out:
//! names, sources and definitions. Absent: conditions and variables.

/// One addon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GypTarget {
    pub name: String,
    pub sources: Vec<String>,
    pub defines: Vec<String>,
}

enum Token {
    Text(String),
    Colon,
    ListEnd,
    Other,
}

pub fn targets(text: &str) -> Vec<GypTarget> {
    let mut all: Vec<GypTarget> = Vec::new();
    let (mut key, mut last) = (String::new(), None);
    for token in tokens(text) {
        match token {
            Token::Text(text) => {
                if let Some(previous) = last.replace(text) {
                    add(&mut all, &key, previous);
                }
            }
            Token::Colon => key = last.take().unwrap_or_default(),
            Token::ListEnd => {
                if let Some(element) = last.take() {
                    add(&mut all, &key, element);
                }
                key.clear();
            }
            Token::Other => {
                if let Some(element) = last.take() {
                    add(&mut all, &key, element);
                }
            }
        }
    }
    all
}

fn add(all: &mut Vec<GypTarget>, key: &str, value: String) {
    if key == "target_name" {
        return all.push(GypTarget { name: value, ..GypTarget::default() });
    }
    let Some(target) = all.last_mut() else { return };
    match key {
        "sources" => target.sources.push(value),
        "defines" => target.defines.push(value),
        _ => {}
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '#' => {
                rest.find(|character| *character == '\n');
            }
            '\'' | '"' => {
                tokens.push(Token::Text(rest.by_ref().take_while(|end| *end != character).collect()))
            }
            ':' => tokens.push(Token::Colon),
            ']' => tokens.push(Token::ListEnd),
            ',' | '}' => tokens.push(Token::Other),
            _ => {}
        }
    }
    tokens
}

#[cfg(test)]
mod tests;
