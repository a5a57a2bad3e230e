//! Commands that run scripts and programs.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const RUNNING: &[CommandSpec] = &[
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
                      one with the package's name runs. Install scripts run with --allow-build only. Arguments after \
                      the package are passed to the program unchanged. `ruskx` is the same as `rusk x`.",
        examples: [
            ("Create a project", "rusk x create-vite@7 app --template vue"),
            ("Run a program whose package has another name", "rusk x -p typescript tsc --init"),
        ],
    },
    CommandSpec {
        command: Command::Test,
        name: "test",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[filter...]" },
        summary: "Run tests",
        description: "Finds `*.test.*`, `*_test.*`, `*.spec.*` and `*_spec.*` files below the current directory, \
                      except in node_modules and directories that begin with a dot, and runs those whose path \
                      contains a filter; a filter that begins with `./` or `/` is a path. Each file has a \
                      global object of its own; as many run at a time as there are processors, the longest first. \
                      Tests are written with `bun:test`, the globals of jest, `@jest/globals`, `vitest` or `node:test`. \
                      NODE_ENV is `test` and the time zone UTC if the environment does not set them. The exit code \
                      is 1 if a test fails or none is found.",
        examples: [
            ("Run the tests below `src` whose name contains `parse`", "rusk test ./src -t parse"),
            ("Write a JUnit report", "rusk test --reporter=junit --reporter-outfile=junit.xml"),
        ],
    },
    CommandSpec {
        command: Command::Build,
        name: "build",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<entry point...>" },
        summary: "Bundle programs and what they import into few files",
        description: "Follows imports and `require` calls from the entry points, and writes one file for each entry \
                      point with everything that it needs; statements that nothing uses are left out. Without \
                      --outdir and --outfile the code is printed. TypeScript, JSX, JSON, TOML and YAML are \
                      converted, other files are copied and imported as their path. `--target` selects the \
                      environment: builtin modules stay imports for `bun` and `node`. All outputs are written, or \
                      none. The exit code is 1 if a file cannot be bundled.",
        examples: [
            ("Bundle for browsers", "rusk build src/index.tsx --outdir=dist --minify"),
            ("Make an executable of a server", "rusk build server.ts --compile --outfile=server"),
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
];
