//! Settings of bunfig.toml for programs. In: source text. Out: the settings in it. Ignores tables
//! of other commands, and keys of bun without effect here (`telemetry`, `smol`, `logLevel`).
//! Absent: applying the settings.

use rusk_base::Result;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{find, root};
use crate::problem;

const READ: [&str; 9] =
    ["console", "define", "env", "jsx", "jsxFactory", "jsxFragment", "jsxImportSource", "preload", "serve"];

/// Keys of other commands, and keys without effect in this engine.
const SILENT: [&str; 12] = [
    "bundle",
    "debug",
    "fmt",
    "install",
    "lint",
    "logLevel",
    "origin",
    "publish",
    "run",
    "smol",
    "telemetry",
    "test",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Loaded first, in order.
    pub preloads: Vec<String>,
    /// Names and their replacements, as source text.
    pub defines: Vec<(String, String)>,
    /// File name extensions and names of loaders, for `rusk build`.
    pub loaders: Vec<(String, String)>,
    /// Whether `.env` and related files are read by default.
    pub reads_env: Option<bool>,
    /// Levels of nested objects that `console.log` prints; 0: all.
    pub console_depth: Option<u32>,
    /// Default port of `Bun.serve`.
    pub port: Option<u16>,
    pub jsx: JsxTable,
    /// Keys that neither bun nor rusk has.
    pub unknown: Vec<String>,
}

/// `jsx`, `jsxFactory`, `jsxFragment` and `jsxImportSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsxTable {
    /// As in tsconfig.json.
    pub runtime: Option<String>,
    pub factory: Option<String>,
    pub fragment: Option<String>,
    pub import_source: Option<String>,
}

/// What bun takes for `jsx`, and the spelling of tsconfig.json.
const JSX_RUNTIMES: [(&str, &str); 3] =
    [("react", "react"), ("react-jsx", "react-jsx"), ("react-jsxDEV", "react-jsxdev")];

impl Program {
    pub fn parse(text: &str) -> Result<Program> {
        let root = root(text)?;
        let root = root.get_ref();
        let known = |key: &str| READ.contains(&key) || SILENT.contains(&key);
        let keys = root.keys().map(|key| key.get_ref().to_string());
        Ok(Program {
            preloads: preloads(text, root)?,
            defines: strings(text, root, "define")?,
            loaders: strings(text, root, "loader")?,
            reads_env: reads_env(text, root)?,
            console_depth: number(text, root, "console.depth", |depth| {
                u32::try_from(depth.max(0)).unwrap_or(u32::MAX)
            })?,
            port: number(text, root, "serve.port", |port| u16::try_from(port.max(0)).unwrap_or(u16::MAX))?,
            jsx: jsx(text, root)?,
            unknown: keys.filter(|key| !known(key)).collect(),
        })
    }
}

fn wrong(text: &str, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> rusk_base::Problem {
    problem::bunfig_kind(text, value.span().start, key, value.get_ref().type_str(), expected)
}

fn preloads(text: &str, root: &DeTable<'_>) -> Result<Vec<String>> {
    let Some(value) = find(root, "preload") else { return Ok(Vec::new()) };
    let string = |one: &Spanned<DeValue<'_>>| {
        let found = one.get_ref().as_str().map(str::to_owned);
        found.ok_or_else(|| wrong(text, "preload", one, "a string or a list of strings"))
    };
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(string).collect(),
        _ => Ok(vec![string(value)?]),
    }
}

/// A table of strings.
fn strings(text: &str, root: &DeTable<'_>, key: &str) -> Result<Vec<(String, String)>> {
    let Some(value) = find(root, key) else { return Ok(Vec::new()) };
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong(text, key, value, "a table"));
    };
    let each = table.iter().map(|(name, value)| match value.get_ref().as_str() {
        Some(given) => Ok((name.get_ref().to_string(), given.to_owned())),
        None => Err(wrong(text, &format!("{key}.{}", name.get_ref()), value, "a string")),
    });
    each.collect()
}

/// `env = false`, or a table with `file = false`.
fn reads_env(text: &str, root: &DeTable<'_>) -> Result<Option<bool>> {
    let Some(value) = find(root, "env") else { return Ok(None) };
    match value.get_ref() {
        DeValue::Boolean(reads) => Ok(Some(*reads)),
        DeValue::Table(table) => match find(table, "file") {
            None => Ok(None),
            Some(file) => match file.get_ref() {
                DeValue::Boolean(reads) => Ok(Some(*reads)),
                _ => Err(wrong(text, "env.file", file, "true or false")),
            },
        },
        _ => Err(wrong(text, "env", value, "true, false or a table")),
    }
}

/// A number `table.key`. As in bun, a fraction is dropped, and a table that is none is ignored.
fn number<N>(text: &str, root: &DeTable<'_>, name: &str, fit: impl Fn(i64) -> N) -> Result<Option<N>> {
    let Some((table, key)) = name.split_once('.') else { return Ok(None) };
    let Some(DeValue::Table(own)) = find(root, table).map(Spanned::get_ref) else { return Ok(None) };
    let Some(value) = find(own, key) else { return Ok(None) };
    let number = match value.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        #[allow(clippy::cast_possible_truncation, reason = "the fraction is dropped")]
        DeValue::Float(number) => number.as_str().parse::<f64>().ok().map(|number| number as i64),
        _ => None,
    };
    let number = number.ok_or_else(|| wrong(text, name, value, "a number"))?;
    Ok(Some(fit(number)))
}

/// As in bun, values that are no strings are ignored.
fn jsx(text: &str, root: &DeTable<'_>) -> Result<JsxTable> {
    let string = |key| find(root, key).and_then(|value| value.get_ref().as_str()).map(str::to_owned);
    let runtime = string("jsx").map(|given| {
        let known = JSX_RUNTIMES.iter().find(|(name, _)| *name == given);
        known.map(|(_, runtime)| (*runtime).to_owned()).ok_or(given)
    });
    let runtime = runtime.transpose().map_err(|given| {
        let offset = find(root, "jsx").map_or(0, |value| value.span().start);
        let expected = "`react`, `react-jsx` or `react-jsxDEV`";
        problem::bunfig_kind(text, offset, "jsx", &format!("`{given}`"), expected)
    })?;
    Ok(JsxTable {
        runtime,
        factory: string("jsxFactory"),
        fragment: string("jsxFragment"),
        import_source: string("jsxImportSource"),
    })
}

#[cfg(test)]
mod tests;
