//! The table of commands.

use super::Command;
use crate::flags::{CommandSpec, Operands};

pub const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Install,
        name: "install",
        aliases: &["i"],
        operands: Operands::Names { min: 0, usage: "[name[@range]...]" },
        summary: "Install the dependencies listed in package.json",
        description: "Reads package.json and bun.lock, resolves what the lockfile does not pin, then updates bun.lock \
                      and node_modules. With package names, does the same as `rusk add`.",
        examples: [
            ("Install the project in the current directory", "rusk install"),
            ("Skip development dependencies", "rusk install --production"),
        ],
    },
    CommandSpec {
        command: Command::Ci,
        name: "ci",
        aliases: &[],
        operands: Operands::None,
        summary: "Install exactly what bun.lock pins, into a clean node_modules",
        description: "Fails if bun.lock is missing or does not match package.json. Changes neither file.",
        examples: [
            ("Install in continuous integration", "rusk ci"),
            ("Print the result as JSON", "rusk ci --json"),
        ],
    },
    CommandSpec {
        command: Command::Add,
        name: "add",
        aliases: &["a"],
        operands: Operands::Names { min: 1, usage: "<name[@range]>..." },
        summary: "Add packages to package.json and install them",
        description: "A package is a name, `name@range`, `alias@npm:name@range`, a directory, a tarball, a URL or a \
                      Git repository.",
        examples: [
            ("Add two packages", "rusk add react react-dom"),
            ("Add an exact version as a development dependency", "rusk add -DE typescript@5.9.2"),
        ],
    },
    CommandSpec {
        command: Command::Remove,
        name: "remove",
        aliases: &["rm", "uninstall"],
        operands: Operands::Names { min: 1, usage: "<name>..." },
        summary: "Remove packages from package.json and node_modules",
        description: "Unused transitive dependencies are removed too.",
        examples: [
            ("Remove one package", "rusk remove left-pad"),
            ("Show what would be removed", "rusk remove left-pad --dry-run"),
        ],
    },
    CommandSpec {
        command: Command::Update,
        name: "update",
        aliases: &["up", "upgrade"],
        operands: Operands::Names { min: 0, usage: "[name...]" },
        summary: "Update packages to the newest versions that package.json allows",
        description: "Without names, updates every package.",
        examples: [
            ("Update all packages within their ranges", "rusk update"),
            ("Update two packages beyond their ranges", "rusk update --latest vite vitest"),
        ],
    },
    CommandSpec {
        command: Command::Run,
        name: "run",
        aliases: &["run-script"],
        operands: Operands::Program { min: 0, usage: "[script [argument...]]" },
        summary: "Run a script from package.json, or list the scripts",
        description: "Uses the nearest package.json in the current directory or a parent directory. Arguments after \
                      the script's name are passed to the script unchanged, flags included; a `--` right after the \
                      name is dropped. The `pre` and `post` scripts run before and after it. If no script has the \
                      name, a file or a program in node_modules/.bin with that name runs. The exit code is the \
                      script's; if a signal ends the script, the same signal ends rusk.",
        examples: [("Run the script `build`", "rusk run build"), ("List the scripts", "rusk run")],
    },
    CommandSpec {
        command: Command::Exec,
        name: "exec",
        aliases: &[],
        operands: Operands::Program { min: 0, usage: "<program> [argument...]" },
        summary: "Run a program from node_modules/.bin or PATH, or in another root",
        description: "Searches node_modules/.bin of the nearest package and of its parent directories up to the \
                      project, then PATH. The program starts in the current directory with the environment of a \
                      package script, and replaces the rusk process. Arguments after its name are passed to it \
                      unchanged. With --sysroot, a directory becomes the program's `/`, without privileges; an OCI \
                      image layout or a tar archive of one is unpacked first, and without a program the command of \
                      the image runs. The project is mounted in the root at its own path, other writes stay in \
                      memory, and the environment contains little more than PATH and HOME.",
        examples: [
            ("Run the project's own compiler", "rusk exec tsc --version"),
            (
                "Run a program of another system",
                "rusk exec --sysroot debian -- sh -c \"cat /etc/debian_version\"",
            ),
        ],
    },
    CommandSpec {
        command: Command::X,
        name: "x",
        aliases: &[],
        operands: Operands::Program { min: 1, usage: "<package[@range]> [argument...]" },
        summary: "Run a program from a package, installed or not",
        description: "If the project has the package and no range is given, the project's version runs. Otherwise \
                      the package is installed into the cache and runs from there, the next time without the \
                      network. An exact version stays cached; a dist-tag such as `latest`, a range, a branch or a \
                      URL is resolved again after a day, or with --force. If a package has several programs, the \
                      one with the package's name runs. Install scripts are not run. Arguments after the package \
                      are passed to the program unchanged. `ruskx` is the same as `rusk x`.",
        examples: [
            ("Create a project", "rusk x create-vite@7 app --template vue"),
            ("Run a program whose package has another name", "rusk x -p typescript tsc --init"),
        ],
    },
    CommandSpec {
        command: Command::Trace,
        name: "trace",
        aliases: &[],
        operands: Operands::Program { min: 0, usage: "<program> [argument...]" },
        summary: "Trace the system calls of a program",
        description: "Reports for the program and all its descendants how often each system call was made, how long \
                      it took, which errors it returned, and which path lookups failed. Calls that wait are listed \
                      apart from calls that work. The program is searched for on PATH; its standard streams, \
                      terminal, signals and exit code are its own. `rusk trace install`, and `ci`, `add`, `remove` \
                      and `update`, trace that rusk command with its phases; after `--`, such a name is a program \
                      like any other. The report goes to standard error, with --json as one line to standard \
                      output. With the privileges for BPF the program is not slowed down. Without them, ptrace \
                      stops it twice per call, set-uid programs gain no privileges, and the program is pinned to \
                      one CPU, where a stop is cheapest. With --sysroot it runs as under `rusk exec`.",
        examples: [
            ("Trace the start of Node", "rusk trace -- node -e 0"),
            (
                "Trace a server until it listens, as an HTML page",
                "rusk trace --until=listen --html=start.html -- node server.js",
            ),
        ],
    },
    CommandSpec {
        command: Command::Cache,
        name: "cache",
        aliases: &[],
        operands: Operands::OneOf(&["dir", "prune"]),
        summary: "Show the cache directory, or prune unused entries",
        description: "`dir` prints the path of the cache. `prune` removes packages that no project on this computer \
                      uses any more, shared store entries first: those of deleted projects and of versions that \
                      were replaced. It also removes unpacked images whose layouts are gone. Installs wait until \
                      it is done.",
        examples: [
            ("Print the cache directory", "rusk cache dir"),
            ("Remove unused packages", "rusk cache prune"),
        ],
    },
    CommandSpec {
        command: Command::Completions,
        name: "completions",
        aliases: &[],
        operands: Operands::OneOf(&["bash", "zsh", "fish"]),
        summary: "Print completions for a shell",
        description: "",
        examples: [
            ("Load completions into the current bash", "source <(rusk completions bash)"),
            ("Install completions for fish", "rusk completions fish > ~/.config/fish/completions/rusk.fish"),
        ],
    },
    CommandSpec {
        command: Command::Man,
        name: "man",
        aliases: &[],
        operands: Operands::None,
        summary: "Print the manual page",
        description: "",
        examples: [
            ("Read the manual page", "rusk man | man -l -"),
            ("Install the manual page", "rusk man > ~/.local/share/man/man1/rusk.1"),
        ],
    },
    CommandSpec {
        command: Command::Help,
        name: "help",
        aliases: &[],
        operands: Operands::CommandName,
        summary: "Show help for rusk or for one command",
        description: "",
        examples: [("List all commands", "rusk help"), ("Show the flags of one command", "rusk help add")],
    },
];
