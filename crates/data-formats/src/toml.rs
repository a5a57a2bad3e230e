//! TOML 1.1. In: a text. Out: JSON; keys in the order of the text, dates as the text has them. The
//! parser bounds depth itself.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Fault;
use super::graph::{Graph, Id, Node};

pub fn toml(text: &str) -> Result<String, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        Fault::at(text, start, error.message())
    })?;
    let mut graph = Graph::default();
    let root = add_table(&mut graph, table.get_ref()).map_err(|start| {
        let message = "Integer cannot be losslessly represented as a JavaScript number; it must be within +/-(2^53 - 1)";
        Fault::at(text, start, message)
    })?;
    Ok(graph.json(root))
}

/// The error is where a number stands that JavaScript does not have.
fn add(graph: &mut Graph, value: &Spanned<DeValue<'_>>) -> Result<Id, usize> {
    let node = match value.get_ref() {
        DeValue::String(text) => Node::Text(text.to_string()),
        DeValue::Integer(number) => {
            Node::Number(integer(number.as_str(), number.radix()).ok_or(value.span().start)?)
        }
        DeValue::Float(number) => Node::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Node::Bool(*value),
        DeValue::Datetime(date) => Node::Text(date.to_string()),
        DeValue::Array(values) => {
            let values: Result<Vec<Id>, usize> = values.iter().map(|value| add(graph, value)).collect();
            Node::List(values?)
        }
        DeValue::Table(table) => return add_table(graph, table),
    };
    Ok(graph.add(node))
}

fn add_table(graph: &mut Graph, table: &DeTable<'_>) -> Result<Id, usize> {
    let mut members: Vec<_> = table.iter().collect();
    members.sort_by_key(|(key, _)| key.span().start);
    let members: Result<Vec<(String, Id)>, usize> =
        members.into_iter().map(|(key, value)| Ok((key.get_ref().to_string(), add(graph, value)?))).collect();
    Ok(graph.add(Node::Table(members?)))
}

/// None where JavaScript has no such number.
fn integer(digits: &str, radix: u32) -> Option<f64> {
    const SAFE_MAX: i128 = (1 << 53) - 1;
    let number = i128::from_str_radix(digits, radix).ok()?;
    (-SAFE_MAX..=SAFE_MAX).contains(&number).then_some(number as f64)
}
