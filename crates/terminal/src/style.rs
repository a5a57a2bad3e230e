//! Output style: verbosity, format, progress, character set and colors. Decided once, from the
//! flags, the environment, and whether stdout and stderr are terminals.

use std::collections::BTreeMap;

/// The decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputStyle {
    pub verbosity: Verbosity,
    pub format: Format,
    pub progress: ProgressStyle,
    pub charset: Charset,
    pub stdout_color: ColorMode,
    pub stderr_color: ColorMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    /// Errors only.
    Silent,
    Normal,
    Verbose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One object on stdout at the end.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressStyle {
    /// One line that is redrawn.
    Redraw,
    /// At most one line per phase.
    Lines,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Unicode,
    Ascii,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorMode {
    Color,
    Plain,
}

/// What a piece of text is colored for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    Added,
    Changed,
    Removed,
    Warning,
    Error,
    Faint,
    /// One of several, by number: neighbours differ.
    Label(usize),
}

/// The environment and streams that the style depends on.
#[derive(Clone, Copy, Debug)]
pub struct OutputContext<'a> {
    pub environment: &'a BTreeMap<String, String>,
    pub stdout: StreamTarget,
    pub stderr: StreamTarget,
}

/// What a stream is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamTarget {
    Terminal,
    /// A pipe, a file.
    Other,
}

/// What the command line says about output.
#[derive(Clone, Copy, Debug)]
pub struct OutputFlags<'a> {
    pub verbosity: Verbosity,
    pub format: Format,
    /// The value of `--color`.
    pub color: Option<&'a str>,
}

impl OutputStyle {
    /// The style of errors in the flags themselves.
    pub fn plain(context: OutputContext<'_>) -> OutputStyle {
        OutputStyle {
            verbosity: Verbosity::Normal,
            format: Format::Text,
            progress: ProgressStyle::None,
            charset: context.charset(),
            stdout_color: color_mode(None, context, context.stdout),
            stderr_color: color_mode(None, context, context.stderr),
        }
    }

    pub fn choose(flags: OutputFlags<'_>, context: OutputContext<'_>) -> OutputStyle {
        let OutputFlags { verbosity, format, color: when } = flags;
        let progress = match (verbosity, format) {
            (Verbosity::Silent, _) | (_, Format::Json) => ProgressStyle::None,
            _ if context.can_redraw() => ProgressStyle::Redraw,
            _ => ProgressStyle::Lines,
        };
        OutputStyle {
            verbosity,
            format,
            progress,
            charset: context.charset(),
            stdout_color: color_mode(when, context, context.stdout),
            stderr_color: color_mode(when, context, context.stderr),
        }
    }

    /// Colors a piece of text for stdout.
    pub fn for_stdout(&self, highlight: Highlight, text: &str) -> String {
        colored(self.stdout_color, highlight, text)
    }

    /// Colors a piece of text for stderr.
    pub fn for_stderr(&self, highlight: Highlight, text: &str) -> String {
        colored(self.stderr_color, highlight, text)
    }

    pub fn arrow(&self) -> &'static str {
        match self.charset {
            Charset::Unicode => "→",
            Charset::Ascii => "->",
        }
    }

    pub fn ellipsis(&self) -> &'static str {
        match self.charset {
            Charset::Unicode => "…",
            Charset::Ascii => "...",
        }
    }
}

impl OutputContext<'_> {
    fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a line may be redrawn: stderr is a terminal that can, and not a CI log.
    fn can_redraw(&self) -> bool {
        let in_ci = self.variable("CI").is_some_and(|value| value != "false" && value != "0");
        self.stderr == StreamTarget::Terminal
            && !in_ci
            && self.variable("TERM").is_some_and(|term| term != "dumb")
    }

    /// As setlocale(3) does for LC_CTYPE: the first variable that is set decides.
    fn charset(&self) -> Charset {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| self.variable(name));
        let locale = locale.unwrap_or("C").to_ascii_lowercase();
        match locale.contains("utf-8") || locale.contains("utf8") {
            true => Charset::Unicode,
            false => Charset::Ascii,
        }
    }
}

/// `--color` decides, then `NO_COLOR`, then whether the stream is a terminal.
fn color_mode(when: Option<&str>, context: OutputContext<'_>, stream: StreamTarget) -> ColorMode {
    let plain_terminal = context.variable("TERM").is_none_or(|term| term == "dumb");
    match when {
        Some("always") => ColorMode::Color,
        Some("never") => ColorMode::Plain,
        _ if context.variable("NO_COLOR").is_some() || plain_terminal => ColorMode::Plain,
        _ if stream == StreamTarget::Terminal => ColorMode::Color,
        _ => ColorMode::Plain,
    }
}

/// Cyan, magenta, yellow, blue, green.
const LABEL_COLORS: [&str; 5] = ["36", "35", "33", "34", "32"];

/// Adds the SGR escape sequence of a color.
fn colored(mode: ColorMode, highlight: Highlight, text: &str) -> String {
    if mode == ColorMode::Plain {
        return text.to_owned();
    }
    let code = match highlight {
        Highlight::Added => "32",
        Highlight::Changed | Highlight::Warning => "33",
        Highlight::Removed => "31",
        Highlight::Error => "1;31",
        Highlight::Faint => "2",
        Highlight::Label(number) => LABEL_COLORS[number % LABEL_COLORS.len()],
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

#[cfg(test)]
mod tests;
