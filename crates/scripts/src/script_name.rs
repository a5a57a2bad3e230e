//! Names of scripts as a command line has them. In: an operand. Out: which scripts it means: that
//! of the name, those that a wildcard matches (`build:*`), or a regular expression (`/^build:/`,
//! pnpm's form).

use regress::Regex;
use rusk_base::Result;
use rusk_npm::wildcard;

use crate::problem;

pub enum ScriptName<'n> {
    Exact(&'n str),
    /// One after the other, in the order of package.json.
    Wildcard(&'n str),
    /// All at once, as with pnpm.
    Expression(Box<Regex>),
}

impl<'n> ScriptName<'n> {
    pub fn parse(text: &'n str) -> Result<ScriptName<'n>> {
        match expression(text) {
            Some(body) => match Regex::new(body) {
                Ok(regex) => Ok(ScriptName::Expression(Box::new(regex))),
                Err(error) => Err(problem::bad_script_expression(text, &error.to_string())),
            },
            None if wildcard::is_pattern(text) => Ok(ScriptName::Wildcard(text)),
            None => Ok(ScriptName::Exact(text)),
        }
    }

    /// Whether the operand may mean more than one script.
    pub fn is_pattern(text: &str) -> bool {
        expression(text).is_some() || wildcard::is_pattern(text)
    }

    pub fn is_match(&self, script: &str) -> bool {
        match self {
            ScriptName::Exact(name) => *name == script,
            ScriptName::Wildcard(pattern) => wildcard::matches(pattern, script),
            ScriptName::Expression(regex) => regex.find(script).is_some(),
        }
    }
}

/// The text between the slashes.
fn expression(text: &str) -> Option<&str> {
    text.strip_prefix('/')?.strip_suffix('/').filter(|body| !body.is_empty())
}

#[cfg(test)]
mod tests;
