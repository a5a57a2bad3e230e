//! Scenarios of `bench spawn`: each changes one thing of the plain case; a few combine several.

use super::Comparison;

/// One situation in which children are started.
pub struct Scenario {
    pub name: &'static str,
    pub description: &'static str,
    pub child: Child,
    pub open: usize,
    pub touched_mib: usize,
    pub flight: usize,
    pub pipes: bool,
    pub watch: Watch,
    /// Children per round.
    pub count: usize,
}

/// The program that is started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// `/bin/true`, which spends most of its time in the dynamic linker.
    True,
    /// A static program that exits at once.
    Static,
    Missing,
}

/// What a bench program waits for besides the exit of its children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    Reaped,
    Exec,
    Failure,
    Timer,
}

/// How the parent learns the time of exec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exec {
    /// The call returns then.
    AtReturn,
    /// It has to be watched.
    Watched,
    Unknown,
}

const PLAIN: Scenario = Scenario {
    name: "plain",
    description: "small parent, /bin/true, one at a time",
    child: Child::True,
    open: 0,
    touched_mib: 0,
    flight: 1,
    pipes: false,
    watch: Watch::Reaped,
    count: 50,
};

const STATIC: Child = Child::Static;

/// In the order of measurement and of the tables.
pub const ALL: &[Scenario] = &[
    PLAIN,
    Scenario { name: "static", description: "a static child that ends at once", child: STATIC, ..PLAIN },
    Scenario { name: "pipes", description: "three pipes and a pidfd", pipes: true, ..PLAIN },
    Scenario { name: "open-1000", description: "1,000 open descriptors", open: 1000, ..PLAIN },
    Scenario { name: "open-10000", description: "10,000 open descriptors", open: 10_000, ..PLAIN },
    Scenario {
        name: "open-10000-pipes",
        description: "10,000 open descriptors, three pipes and a pidfd",
        open: 10_000,
        pipes: true,
        ..PLAIN
    },
    Scenario { name: "gib", description: "1 GiB touched", touched_mib: 1024, ..PLAIN },
    Scenario {
        name: "gib-pipes",
        description: "1 GiB touched, three pipes and a pidfd",
        touched_mib: 1024,
        pipes: true,
        ..PLAIN
    },
    Scenario { name: "flight-8", description: "8 in flight", flight: 8, count: 100, ..PLAIN },
    Scenario { name: "flight-32", description: "32 in flight", flight: 32, count: 200, ..PLAIN },
    Scenario {
        name: "flight-8-static",
        description: "8 in flight, static child",
        child: STATIC,
        flight: 8,
        count: 200,
        ..PLAIN
    },
    Scenario {
        name: "flight-32-static",
        description: "32 in flight, static child",
        child: STATIC,
        flight: 32,
        count: 400,
        ..PLAIN
    },
    Scenario {
        name: "missing",
        description: "a program that does not exist; reaped: the parent knows",
        child: Child::Missing,
        watch: Watch::Failure,
        ..PLAIN
    },
    Scenario {
        name: "timer",
        description: "a 1 kHz timer in another thread, 1,000 children, one at a time",
        watch: Watch::Timer,
        count: 1000,
        ..PLAIN
    },
];

/// Of runtimes: common cases, one child at a time, and those with many descriptors, much memory or
/// many children.
const OF_RUNTIMES: &[&str] = &["plain", "pipes", "open-10000-pipes", "gib-pipes", "flight-8"];

pub fn of(line: &Comparison) -> impl Iterator<Item = &'static Scenario> {
    let takes_all = *line == Comparison::Library;
    ALL.iter().filter(move |scenario| takes_all || OF_RUNTIMES.contains(&scenario.name))
}

impl Scenario {
    /// The arguments that every bench program understands.
    pub fn arguments(&self, watch: Watch, static_child: &str) -> Vec<String> {
        let child = match self.child {
            Child::True => "/bin/true",
            Child::Static => static_child,
            Child::Missing => "/nonexistent/program",
        };
        let watch = match watch {
            Watch::Reaped => "reaped",
            Watch::Exec => "exec",
            Watch::Failure => "failure",
            Watch::Timer => "timer",
        };
        vec![
            format!("child={child}"),
            format!("open={}", self.open),
            format!("touched={}", self.touched_mib),
            format!("flight={}", self.flight),
            format!("stdio={}", if self.pipes { "pipes" } else { "inherit" }),
            format!("watch={watch}"),
            format!("count={}", self.count),
        ]
    }

    /// What to watch in a separate run for the time of exec; `None` if it is unknown or known
    /// anyway.
    pub fn watch_for_exec(&self, exec: Exec) -> Option<Watch> {
        let watched = exec == Exec::Watched && self.watch == Watch::Reaped && self.flight == 1;
        watched.then_some(Watch::Exec)
    }
}
