//! The `[test]` table of bunfig.toml, as bun 1.4 reads it. In: source text. Out: the settings in
//! it. Ignores keys without effect here (`smol`, `coverageIgnoreSourcemaps`). Absent: applying
//! them.

use rusk_base::Result;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{find, root};
use crate::problem;

/// Settings of `rusk test`; flags have precedence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestTable {
    pub root: Option<String>,
    pub preloads: Vec<String>,
    pub path_ignore_patterns: Vec<String>,
    pub concurrent_test_glob: Vec<String>,
    pub timeout_ms: Option<f64>,
    pub retry: Option<u32>,
    pub rerun_each: Option<u32>,
    pub max_concurrency: Option<u32>,
    pub bail: Option<u32>,
    pub seed: Option<u32>,
    pub randomize: Option<bool>,
    pub only_failures: Option<bool>,
    pub is_isolated: Option<bool>,
    /// File of the JUnit report.
    pub junit: Option<String>,
    pub has_dots: Option<bool>,
    pub coverage: Option<bool>,
    pub coverage_reporters: Vec<String>,
    pub coverage_dir: Option<String>,
    pub coverage_ignore_patterns: Vec<String>,
    pub coverage_skips_test_files: Option<bool>,
    /// Parts of 1, by what is counted.
    pub coverage_threshold: CoverageThreshold,
}

/// Parts of 1 that must be covered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoverageThreshold {
    pub lines: Option<f64>,
    pub functions: Option<f64>,
    pub branches: Option<f64>,
}

impl TestTable {
    pub fn parse(text: &str) -> Result<TestTable> {
        let root = root(text)?;
        let Some(value) = find(root.get_ref(), "test") else { return Ok(TestTable::default()) };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(wrong(text, "test", value, "a table"));
        };
        TableReader { text, table }.settings()
    }
}

struct TableReader<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
}

impl TableReader<'_> {
    fn settings(&self) -> Result<TestTable> {
        let reporter = match find(self.table, "reporter").map(Spanned::get_ref) {
            Some(DeValue::Table(table)) => Some(TableReader { text: self.text, table }),
            _ => None,
        };
        let junit = reporter.as_ref().map_or(Ok(None), |reporter| reporter.string("junit"))?;
        let dots = reporter.as_ref().map_or(Ok(None), |reporter| reporter.truth("dots"))?;
        Ok(TestTable {
            root: self.string("root")?,
            preloads: self.strings("preload")?,
            path_ignore_patterns: self.strings("pathIgnorePatterns")?,
            concurrent_test_glob: self.strings("concurrentTestGlob")?,
            timeout_ms: self.number("timeout")?,
            retry: self.count("retry")?,
            rerun_each: self.count("rerunEach")?,
            max_concurrency: self.count("maxConcurrency")?,
            bail: self.bail()?,
            seed: self.count("seed")?,
            randomize: self.truth("randomize")?,
            only_failures: self.truth("onlyFailures")?,
            is_isolated: self.truth("isolate")?,
            junit,
            has_dots: dots,
            coverage: self.truth("coverage")?,
            coverage_reporters: self.strings("coverageReporter")?,
            coverage_dir: self.string("coverageDir")?,
            coverage_ignore_patterns: self.strings("coveragePathIgnorePatterns")?,
            coverage_skips_test_files: self.truth("coverageSkipTestFiles")?,
            coverage_threshold: self.threshold()?,
        })
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> rusk_base::Problem {
        wrong(self.text, &format!("test.{key}"), value, expected)
    }

    fn string(&self, key: &str) -> Result<Option<String>> {
        let Some(value) = find(self.table, key) else { return Ok(None) };
        let found = value.get_ref().as_str().map(str::to_owned);
        found.map(Some).ok_or_else(|| self.wrong(key, value, "a string"))
    }

    fn truth(&self, key: &str) -> Result<Option<bool>> {
        let Some(value) = find(self.table, key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    fn number(&self, key: &str) -> Result<Option<f64>> {
        let Some(value) = find(self.table, key) else { return Ok(None) };
        let number = number(value).filter(|number| *number >= 0.0);
        number.map(Some).ok_or_else(|| self.wrong(key, value, "a number from 0"))
    }

    fn count(&self, key: &str) -> Result<Option<u32>> {
        let Some(value) = find(self.table, key) else { return Ok(None) };
        let whole =
            number(value).filter(|number| number.fract() == 0.0 && (0.0..=4_294_967_295.0).contains(number));
        let count = whole.map(|number| number as u32);
        count.map(Some).ok_or_else(|| self.wrong(key, value, "a whole number from 0"))
    }

    /// A number of failures, or `true` for one.
    fn bail(&self) -> Result<Option<u32>> {
        match find(self.table, "bail").map(Spanned::get_ref) {
            Some(DeValue::Boolean(bails)) => Ok(bails.then_some(1)),
            _ => self.count("bail"),
        }
    }

    /// One string or a list of strings.
    fn strings(&self, key: &str) -> Result<Vec<String>> {
        let Some(value) = find(self.table, key) else { return Ok(Vec::new()) };
        let string = |one: &Spanned<DeValue<'_>>| {
            let found = one.get_ref().as_str().map(str::to_owned);
            found.ok_or_else(|| self.wrong(key, one, "a string or a list of strings"))
        };
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(string).collect(),
            _ => Ok(vec![string(value)?]),
        }
    }

    /// One number for lines, functions and statements, or a table.
    fn threshold(&self) -> Result<CoverageThreshold> {
        const KEY: &str = "coverageThreshold";
        const EXPECTED: &str = "a number from 0 to 1, or a table of them";
        let part = |value: &Spanned<DeValue<'_>>| {
            let found = number(value).filter(|number| (0.0..=1.0).contains(number));
            found.ok_or_else(|| self.wrong(KEY, value, EXPECTED))
        };
        let Some(value) = find(self.table, KEY) else { return Ok(CoverageThreshold::default()) };
        let DeValue::Table(table) = value.get_ref() else {
            let all = Some(part(value)?);
            return Ok(CoverageThreshold { lines: all, functions: all, branches: None });
        };
        let find_part = |names: &[&str]| {
            let found = names.iter().find_map(|name| find(table, name));
            found.map(part).transpose()
        };
        Ok(CoverageThreshold {
            lines: find_part(&["lines", "line", "statements", "statement"])?,
            functions: find_part(&["functions", "function"])?,
            branches: find_part(&["branches", "branch"])?,
        })
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|number| number as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

fn wrong(text: &str, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> rusk_base::Problem {
    problem::bunfig_kind(text, value.span().start, key, value.get_ref().type_str(), expected)
}

#[cfg(test)]
mod tests;
