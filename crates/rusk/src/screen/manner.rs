//! How the screen speaks: decided once, from the flags and from what stdout and stderr are.

use std::collections::BTreeMap;

use crate::flags::{Flag, Invocation};

/// The decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    pub voice: Voice,
    pub form: Form,
    pub motion: Motion,
    pub letters: Letters,
    pub results_ink: Ink,
    pub notices_ink: Ink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// Errors only.
    Silent,
    Normal,
    Verbose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text,
    /// One object on stdout at the end.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// One line, redrawn in its place.
    Live,
    /// At most one line for each phase.
    Lines,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    Unicode,
    Ascii,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Coloured,
    Plain,
}

/// What colour is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    Added,
    Changed,
    Removed,
    Warning,
    Error,
    Faint,
}

/// What the program was started among.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    pub environment: &'a BTreeMap<String, String>,
    pub results: Sink,
    pub notices: Sink,
}

/// What a stream leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    Terminal,
    /// A pipe, a file.
    Other,
}

impl Manner {
    /// Before the flags are understood: what an error in them is told in.
    pub fn plain(around: Surroundings<'_>) -> Manner {
        Manner {
            voice: Voice::Normal,
            form: Form::Text,
            motion: Motion::None,
            letters: around.letters(),
            results_ink: ink(None, around, around.results),
            notices_ink: ink(None, around, around.notices),
        }
    }

    pub fn choose(invocation: &Invocation, around: Surroundings<'_>) -> Manner {
        let voice = match (invocation.is_on(Flag::Silent), invocation.is_on(Flag::Verbose)) {
            (true, _) => Voice::Silent,
            (_, true) => Voice::Verbose,
            _ => Voice::Normal,
        };
        let form = if invocation.is_on(Flag::Json) { Form::Json } else { Form::Text };
        let motion = match (voice, form) {
            (Voice::Silent, _) | (_, Form::Json) => Motion::None,
            _ if around.may_move() => Motion::Live,
            _ => Motion::Lines,
        };
        let wanted = invocation.value(Flag::Color);
        Manner {
            voice,
            form,
            motion,
            letters: around.letters(),
            results_ink: ink(wanted, around, around.results),
            notices_ink: ink(wanted, around, around.notices),
        }
    }

    /// A piece of text for stdout.
    pub fn on_results(&self, tint: Tint, text: &str) -> String {
        tinted(self.results_ink, tint, text)
    }

    /// A piece of text for stderr.
    pub fn on_notices(&self, tint: Tint, text: &str) -> String {
        tinted(self.notices_ink, tint, text)
    }

    pub fn arrow(&self) -> &'static str {
        match self.letters {
            Letters::Unicode => "→",
            Letters::Ascii => "->",
        }
    }

    pub fn ellipsis(&self) -> &'static str {
        match self.letters {
            Letters::Unicode => "…",
            Letters::Ascii => "...",
        }
    }
}

impl Surroundings<'_> {
    fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a line may be redrawn: somebody looks, and the terminal can.
    fn may_move(&self) -> bool {
        let in_ci = self.variable("CI").is_some_and(|value| value != "false" && value != "0");
        self.notices == Sink::Terminal && !in_ci && self.variable("TERM").is_some_and(|term| term != "dumb")
    }

    /// As the C library picks the locale of characters: the first variable that is set decides.
    fn letters(&self) -> Letters {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| self.variable(name));
        let locale = locale.unwrap_or("C").to_ascii_lowercase();
        match locale.contains("utf-8") || locale.contains("utf8") {
            true => Letters::Unicode,
            false => Letters::Ascii,
        }
    }
}

/// `--color` decides, then `NO_COLOR`, then what the stream leads to.
fn ink(wanted: Option<&str>, around: Surroundings<'_>, sink: Sink) -> Ink {
    let plain_terminal = around.variable("TERM").is_none_or(|term| term == "dumb");
    match wanted {
        Some("always") => Ink::Coloured,
        Some("never") => Ink::Plain,
        _ if around.variable("NO_COLOR").is_some() || plain_terminal => Ink::Plain,
        _ if sink == Sink::Terminal => Ink::Coloured,
        _ => Ink::Plain,
    }
}

fn tinted(ink: Ink, tint: Tint, text: &str) -> String {
    if ink == Ink::Plain {
        return text.to_owned();
    }
    let code = match tint {
        Tint::Added => "32",
        Tint::Changed | Tint::Warning => "33",
        Tint::Removed => "31",
        Tint::Error => "1;31",
        Tint::Faint => "2",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

#[cfg(test)]
mod tests;
