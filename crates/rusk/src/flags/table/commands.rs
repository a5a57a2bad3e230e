//! Every command.

use super::Command;
use crate::flags::{CommandRow, Words};

pub const COMMANDS: &[CommandRow] = &[
    CommandRow {
        command: Command::Install,
        name: "install",
        also: &["i"],
        words: Words::Names { min: 0, shown: "[name[@range]...]" },
        summary: "Install what package.json asks for",
        about: "Reads package.json and bun.lock, resolves what the lockfile does not pin, and leaves bun.lock \
                and node_modules in step. With names it does what `rusk add` does.",
        examples: [
            ("Install the project in this folder", "rusk install"),
            ("Leave out development dependencies", "rusk install --production"),
        ],
    },
    CommandRow {
        command: Command::Ci,
        name: "ci",
        also: &[],
        words: Words::None,
        summary: "Install exactly what bun.lock pins, into a fresh node_modules",
        about: "Stops when bun.lock is missing or does not match package.json. Writes neither of them.",
        examples: [
            ("Install in continuous integration", "rusk ci"),
            ("As machine-readable JSON", "rusk ci --json"),
        ],
    },
    CommandRow {
        command: Command::Add,
        name: "add",
        also: &["a"],
        words: Words::Names { min: 1, shown: "<name[@range]>..." },
        summary: "Add packages to package.json and install them",
        about: "A package is a name, `name@range`, `alias@npm:name@range`, a folder, a tarball, a URL or a \
                repository.",
        examples: [
            ("Add two packages", "rusk add react react-dom"),
            ("Add an exact version for development", "rusk add -DE typescript@5.9.2"),
        ],
    },
    CommandRow {
        command: Command::Remove,
        name: "remove",
        also: &["rm", "uninstall"],
        words: Words::Names { min: 1, shown: "<name>..." },
        summary: "Remove packages from package.json and node_modules",
        about: "What nothing else wants any more disappears with them.",
        examples: [
            ("Remove one package", "rusk remove left-pad"),
            ("See what would go with it", "rusk remove left-pad --dry-run"),
        ],
    },
    CommandRow {
        command: Command::Update,
        name: "update",
        also: &["up", "upgrade"],
        words: Words::Names { min: 0, shown: "[name...]" },
        summary: "Move packages to the newest versions that package.json allows",
        about: "Without names, everything moves.",
        examples: [
            ("Update everything within its range", "rusk update"),
            ("Move two packages past their range", "rusk update --latest vite vitest"),
        ],
    },
    CommandRow {
        command: Command::Run,
        name: "run",
        also: &["run-script"],
        words: Words::Program { min: 0, shown: "[script [argument...]]" },
        summary: "Run a script of package.json, or list them",
        about: "The package is the nearest folder with a package.json, from the current one upwards. What stands behind \
                the script's name goes to the script as it is, flags too; a `--` directly behind it is dropped. `pre` \
                and `post` scripts run around it. A name that is no script may be a program in node_modules/.bin. \
                The exit code is the script's own; a script that a signal ends, ends rusk with that signal.",
        examples: [("Run the script `build`", "rusk run build"), ("List the scripts", "rusk run")],
    },
    CommandRow {
        command: Command::Exec,
        name: "exec",
        also: &[],
        words: Words::Program { min: 0, shown: "<program> [argument...]" },
        summary: "Run a program of the project, one on PATH, or one under another root",
        about: "Looks in node_modules/.bin of the nearest package and of the folders above it up to the project, then \
                on PATH. The program starts in the current folder, in the environment that a script has, and takes \
                rusk's place. What stands behind its name goes to it as it is. With --sysroot a folder is its `/`, \
                without privileges; an OCI image layout or a tar of one is unpacked first, and without a program its own runs. \
                The project is shown inside at its own path, what is written elsewhere \
                is kept in memory, and the environment holds little but PATH and HOME.",
        examples: [
            ("Run the project's own compiler", "rusk exec tsc --version"),
            (
                "Run a program of another system",
                "rusk exec --sysroot debian -- sh -c \"cat /etc/debian_version\"",
            ),
        ],
    },
    CommandRow {
        command: Command::X,
        name: "x",
        also: &[],
        words: Words::Program { min: 1, shown: "<package[@range]> [argument...]" },
        summary: "Run the program of a package, installed or not",
        about: "A package of the project is taken as it is there, when no range is given. Any other is installed into \
                the cache and runs from there, the next time without the network. What an exact version led to is \
                kept for good; what a dist-tag such as `latest`, a range, a branch or an address led to is asked for \
                again after a day, or with --force. Of several programs the one with the package's name runs. \
                Install scripts are not run. What stands behind the package goes to the program as it is. The \
                program named `ruskx` does the same.",
        examples: [
            ("Start a project", "rusk x create-vite@7 app --template vue"),
            ("Run a program whose package has another name", "rusk x -p typescript tsc --init"),
        ],
    },
    CommandRow {
        command: Command::Trace,
        name: "trace",
        also: &[],
        words: Words::Program { min: 0, shown: "<program> [argument...]" },
        summary: "Run a program and say what it asked of the kernel",
        about: "Watches the program and all that it starts: how often each system call was made, how long it took, \
                which errors came back, which paths were looked for in vain. Calls that wait stand apart from calls \
                that work. The program is looked for on PATH; its streams, its terminal, signals and its exit code \
                are its own. `rusk trace install`, and `ci`, `add`, `remove` and `update`, watch that command of rusk's \
                with its phases; behind `--`, such a word is a program like any other. \
                The report goes to standard error, with --json as one line to standard output. With the \
                rights for BPF the program is not slowed down; without, each call stops it twice, set-uid programs \
                gain no rights, and it is kept on one processor, where a stop is cheapest. With --sysroot it runs as under `rusk exec`.",
        examples: [
            ("See where a start goes", "rusk trace -- node -e 0"),
            ("Until it listens, as a page", "rusk trace --until=listen --html=start.html -- node server.js"),
        ],
    },
    CommandRow {
        command: Command::Cache,
        name: "cache",
        also: &[],
        words: Words::OneOf(&["dir", "prune"]),
        summary: "Show where the cache is, or make room in it",
        about: "`dir` prints the folder. `prune` removes packages that no project here uses any more, shared ones \
                first: those of projects that are gone, and of versions that have been left behind; and unpacked images \
                whose layouts are gone. No install \
                works meanwhile.",
        examples: [("Where the cache is", "rusk cache dir"), ("Remove what nobody uses", "rusk cache prune")],
    },
    CommandRow {
        command: Command::Completions,
        name: "completions",
        also: &[],
        words: Words::OneOf(&["bash", "zsh", "fish"]),
        summary: "Print completions for a shell",
        about: "",
        examples: [
            ("For this bash", "source <(rusk completions bash)"),
            ("For every fish", "rusk completions fish > ~/.config/fish/completions/rusk.fish"),
        ],
    },
    CommandRow {
        command: Command::Man,
        name: "man",
        also: &[],
        words: Words::None,
        summary: "Print the manual page",
        about: "",
        examples: [
            ("Read it", "rusk man | man -l -"),
            ("Keep it", "rusk man > ~/.local/share/man/man1/rusk.1"),
        ],
    },
    CommandRow {
        command: Command::Help,
        name: "help",
        also: &[],
        words: Words::Command,
        summary: "Show help, for one command or for all",
        about: "",
        examples: [("All commands", "rusk help"), ("The flags of one", "rusk help add")],
    },
];
