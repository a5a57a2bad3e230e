//! Parameters of a run. In: arguments. Out: a [`Scenario`].

pub struct Scenario {
    pub method: String,
    /// The program to start.
    pub child: String,
    /// Open fds in the parent, each close-on-exec.
    pub open: usize,
    /// Touched memory of the parent.
    pub touched_mib: usize,
    /// Children that are alive at the same time.
    pub flight: usize,
    pub count: usize,
    /// Three pipes and a pidfd; otherwise inherited streams.
    pub pipes: bool,
    pub watch: Watch,
}

/// What is measured besides the exit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    Reaped,
    /// The moment when the child executes its program.
    Exec,
    /// There is no such program, and the parent must notice.
    Failure,
    /// The delay of a timer in another thread.
    Timer,
}

impl Scenario {
    pub fn parse(arguments: &[String]) -> Result<Scenario, String> {
        let (method, arguments) =
            arguments.split_first().ok_or("expected a method and `key=value` arguments")?;
        let mut scenario = Scenario {
            method: method.clone(),
            child: "/bin/true".to_owned(),
            open: 0,
            touched_mib: 0,
            flight: 1,
            count: 100,
            pipes: false,
            watch: Watch::Reaped,
        };
        for argument in arguments {
            let (key, value) =
                argument.split_once('=').ok_or_else(|| format!("expected `=` in `{argument}`"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("expected a number in `{argument}`"));
            match (key, value) {
                ("child", path) => scenario.child = path.to_owned(),
                ("open", _) => scenario.open = number()?,
                ("touched", _) => scenario.touched_mib = number()?,
                ("flight", _) => scenario.flight = number()?.max(1),
                ("count", _) => scenario.count = number()?,
                ("stdio", _) => scenario.pipes = value == "pipes",
                ("watch", "reaped") => scenario.watch = Watch::Reaped,
                ("watch", "exec") => scenario.watch = Watch::Exec,
                ("watch", "failure") => scenario.watch = Watch::Failure,
                ("watch", "timer") => scenario.watch = Watch::Timer,
                _ => return Err(format!("no meaning for `{argument}`")),
            }
        }
        Ok(scenario)
    }

    pub fn watches_start(&self) -> bool {
        matches!(self.watch, Watch::Exec | Watch::Failure)
    }
}
