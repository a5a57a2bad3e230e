//! What a run is to do. In: words. Out: a [`Scenario`].

pub struct Scenario {
    pub method: String,
    /// The program that is started.
    pub child: String,
    /// Descriptors that are open in the parent, each close-on-exec.
    pub open: usize,
    /// Memory of the parent that was written to.
    pub touched_mib: usize,
    /// Children that are alive at once.
    pub flight: usize,
    pub count: usize,
    /// Three pipes and a pidfd; otherwise the parent's own streams.
    pub pipes: bool,
    pub watch: Watch,
}

/// What is waited for besides the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    Reaped,
    /// The moment in which the child runs its program.
    Exec,
    /// There is no such program, and the parent is to know.
    Failure,
    /// How late a timer is in another thread.
    Timer,
}

impl Scenario {
    pub fn parse(words: &[String]) -> Result<Scenario, String> {
        let (method, words) = words.split_first().ok_or("expected a method and `key=value` words")?;
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
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("expected `=` in `{word}`"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("expected a number in `{word}`"));
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
                _ => return Err(format!("no meaning for `{word}`")),
            }
        }
        Ok(scenario)
    }

    pub fn watches_start(&self) -> bool {
        matches!(self.watch, Watch::Exec | Watch::Failure)
    }
}
