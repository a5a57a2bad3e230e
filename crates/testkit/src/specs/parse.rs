//! The text of a spec to its steps, and back. What is rendered is what was parsed, when nothing
//! differed.

/// One file of `specs/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// The lines that begin with `#`.
    pub title: Vec<String>,
    pub steps: Vec<Step>,
}

/// Files given, commands, files expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub given: Vec<File>,
    pub commands: Vec<Command>,
    pub expected: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub line: String,
    pub output: Vec<String>,
    pub exit_code: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Of a given file also `path = fixture`: its content is a file of `fixtures/`.
    pub path: String,
    pub text: String,
}

/// What a line of a spec begins.
enum Line<'a> {
    Title(&'a str),
    Command(&'a str),
    Output(&'a str),
    ExitCode(&'a str),
    Given(&'a str),
    Expected(&'a str),
    Other,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Line<'a> {
        let framed = |mark: &str| line.strip_prefix(mark)?.trim_start().strip_suffix(mark).map(str::trim);
        match line.split_once(' ').unwrap_or((line, "")) {
            ("#", rest) => Line::Title(rest),
            ("$", rest) => Line::Command(rest),
            (">", rest) => Line::Output(rest),
            ("?", rest) => Line::ExitCode(rest),
            ("--", _) if framed("--").is_some() => Line::Given(framed("--").unwrap_or_default()),
            ("==", _) if framed("==").is_some() => Line::Expected(framed("==").unwrap_or_default()),
            _ => Line::Other,
        }
    }
}

/// The file that lines belong to, if they are below a file's head.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    Given,
    Expected,
}

impl Spec {
    /// An error begins with its line number.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let mut spec = Spec { title: Vec::new(), steps: vec![Step::default()] };
        let mut open = Open::Nothing;
        for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
            open = spec.add(Line::of(line), line, open).map_err(|error| format!("{number}: {error}"))?;
        }
        let empty = spec.steps.iter().any(|step| step.commands.is_empty());
        if empty { Err("1: expected a command, a line that begins with `$`".to_owned()) } else { Ok(spec) }
    }

    fn add(&mut self, line: Line<'_>, text: &str, open: Open) -> Result<Open, String> {
        let next = match line {
            Line::Command(_) => open == Open::Expected,
            Line::Given(_) => !self.step().commands.is_empty(),
            _ => false,
        };
        if next {
            self.steps.push(Step::default());
        }
        let titled = self.steps.len() > 1 || !self.step().commands.is_empty() || open != Open::Nothing;
        match line {
            Line::Title(title) if !titled => self.title.push(title.to_owned()),
            Line::Command(line) => {
                self.step().commands.push(Command {
                    line: line.to_owned(),
                    output: Vec::new(),
                    exit_code: 0,
                });
                return Ok(Open::Nothing);
            }
            Line::Output(output) if open == Open::Nothing => {
                self.command()?.output.push(output.to_owned());
            }
            Line::ExitCode(code) if open == Open::Nothing => {
                self.command()?.exit_code = code.trim().parse().map_err(|_| "expected a number after `?`")?;
            }
            Line::Given(path) => {
                self.step().given.push(File { path: path.to_owned(), text: String::new() });
                return Ok(Open::Given);
            }
            Line::Expected(path) => {
                self.step().expected.push(File { path: path.to_owned(), text: String::new() });
                return Ok(Open::Expected);
            }
            _ => return self.add_text(text, open),
        }
        Ok(open)
    }

    fn add_text(&mut self, text: &str, open: Open) -> Result<Open, String> {
        let file = match open {
            Open::Nothing if text.is_empty() => return Ok(open),
            Open::Nothing => {
                return Err(format!("expected `#`, `$`, `>`, `?`, `--` or `==`, found `{text}`"));
            }
            Open::Given => self.step().given.last_mut(),
            Open::Expected => self.step().expected.last_mut(),
        };
        let file = file.expect("an open file was pushed");
        file.text.push_str(text);
        file.text.push('\n');
        Ok(open)
    }

    fn step(&mut self) -> &mut Step {
        self.steps.last_mut().expect("a spec begins with one")
    }

    fn command(&mut self) -> Result<&mut Command, String> {
        self.step().commands.last_mut().ok_or_else(|| "expected a command before this line".to_owned())
    }

    /// The text of this spec: title, then for each step files given, commands, files expected.
    pub fn render(&self) -> String {
        let mut lines: Vec<String> = self.title.iter().map(|line| format!("# {line}\n")).collect();
        for step in &self.steps {
            lines.extend(step.given.iter().map(|file| format!("-- {} --\n{}", file.path, file.text)));
            lines.extend(step.commands.iter().map(Command::render));
            lines.extend(step.expected.iter().map(|file| format!("== {} ==\n{}", file.path, file.text)));
        }
        lines.concat()
    }
}

impl Command {
    fn render(&self) -> String {
        let mut text = format!("$ {}\n", self.line);
        for line in &self.output {
            text.push_str(format!("> {line}").trim_end());
            text.push('\n');
        }
        if self.exit_code != 0 {
            text.push_str(&format!("? {}\n", self.exit_code));
        }
        text
    }
}
