//! Flags and commands of npm, pnpm, Yarn and bun that rusk does not have, and what to use.
//! In: the name as typed. Out: the rest of a hint. Absent: names that rusk has, too.

/// What replaces a name of another tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// A flag of rusk with the same meaning.
    Flag(&'static str),
    /// A sentence, where the meaning differs or there is nothing to set.
    Advice(&'static str),
}

use super::super::Command;
use Replacement::{Advice, Flag};

const FILTER: Replacement = Flag("--filter=NAME");
const ORDER: Replacement =
    Advice("members run after the members that they depend on; `--parallel` ignores the order");
const OUTPUT: Replacement = Advice("lines are prefixed with the package as soon as they are written");
const ALWAYS_SAVED: Replacement = Advice("packages are always saved; `--no-save` prevents it");
const PEERS: Replacement =
    Advice("a peer dependency that does not fit is a warning, `overrides` in package.json force a version");
const SCRIPTS: Replacement = Advice("scripts of dependencies run once they are approved: see `rusk approve`");
const CONFIGURED: Replacement = Advice("set it in .npmrc or bunfig.toml");
const NO_AUDIT: Replacement = Advice("an install does no audit: leave the flag out");
const EXISTING_LOCKFILE: Replacement =
    Advice("the lockfile is bun.lock; `--no-save` leaves it and package.json as they are");

const AGE: Replacement = Flag("--minimum-release-age");
const NO_PNPMFILE: Replacement = Advice("a .pnpmfile.cjs is never run: leave the flag out");
const SIDE_EFFECTS: Replacement = Advice("results of install scripts are not cached: leave the flag out");
const STORE: Replacement = Advice("set `verifyStoreIntegrity` in bunfig.toml or pnpm-workspace.yaml");
const HOIST: Replacement =
    Advice("set `hoistPattern` or `publicHoistPattern` in bunfig.toml or pnpm-workspace.yaml");
const PREFIX: Replacement = Advice("set `save-prefix` in .npmrc, or name the range: `rusk add NAME@~1.2.3`");
const NO_PNP: Replacement = Advice("packages are always in node_modules: leave the flag out");
const SELECTED: Replacement = Advice("filters that no member matches are an error: leave the flag out");

const BYTECODE: Replacement = Advice(
    "the distribution's engine writes no bytecode ahead of time; rusk stores it at the first run of a program",
);
const NO_AUTOLOAD: Replacement =
    Advice("executables contain what these files say; they read none where they are started");
const LINUX: Replacement = Advice("executables are for Linux");

/// Sorted by name, without dashes.
const FLAGS: &[(&str, Replacement)] = &[
    ("all-workspaces", Flag("--workspaces")),
    ("allow-git", Flag("--allow-foreign-sources")),
    ("allow-scripts", SCRIPTS),
    ("allow-unused-patches", Advice("a patch that no package needs is a warning")),
    ("also", Advice("devDependencies are installed unless `--production` is given")),
    ("analyze", Advice("name the packages: `rusk add <name>`")),
    ("app", Advice("bun's framework is experimental and absent; build the entry points of the program")),
    ("audit", NO_AUDIT),
    ("auto-install-peers", PEERS),
    ("before", AGE),
    ("bin-links", Advice("links in node_modules/.bin are always made")),
    ("bytecode", BYTECODE),
    ("bytecode-depth", BYTECODE),
    ("bytecode-order", BYTECODE),
    ("ca", CONFIGURED),
    ("cache", Flag("--cache-dir")),
    ("cache-folder", Flag("--cache-dir")),
    ("cafile", CONFIGURED),
    ("call", Advice("`rusk exec sh -c COMMAND` runs a command line")),
    ("caret", PREFIX),
    ("check-cache", Advice("`rusk cache verify` checks the store")),
    ("check-files", Flag("--force")),
    ("check-resolutions", Advice("`rusk ci` checks the lockfile")),
    ("child-concurrency", SCRIPTS),
    ("commit-hooks", Advice("hooks of Git run: `--no-git-tag-version` makes no commit")),
    ("compatible", Advice("the column `Update` has what the range allows, `Latest` the newest version")),
    ("compile-autoload-package-json", NO_AUTOLOAD),
    ("compile-autoload-tsconfig", NO_AUTOLOAD),
    ("compile-jit-policy", Advice("the distribution's engine has no such setting")),
    ("config", Advice("configuration is read from .npmrc and bunfig.toml of the project and of HOME")),
    ("dangerously-allow-all-builds", SCRIPTS),
    ("dangerously-allow-all-scripts", SCRIPTS),
    ("dir", Flag("--cwd")),
    ("disable-pnp", NO_PNP),
    ("edit-dir", Advice("the copy is in node_modules/.rusk_patches: `rusk patch NAME` prints its path")),
    ("elide-lines", OUTPUT),
    ("enable-pnp", NO_PNP),
    ("enable-pre-post-scripts", Advice("`pre` and `post` scripts always run")),
    ("exclude", Advice("`--filter='!NAME'` leaves a member out")),
    ("exclude-peers", Flag("--omit=peer")),
    ("fail-if-no-match", SELECTED),
    ("fetch-retries", CONFIGURED),
    ("fetch-timeout", CONFIGURED),
    ("filter-prod", Advice("`--filter` follows dependencies of every group")),
    ("fix", Advice("the command is `rusk audit fix`")),
    ("fix-lockfile", Advice("a plain `rusk install` completes the lockfile")),
    ("fixed", Flag("--exact")),
    ("flat", Advice("`overrides` in package.json force one version")),
    ("focus", FILTER),
    ("foreground-scripts", SCRIPTS),
    ("from", FILTER),
    ("frozen-store", Flag("--offline")),
    ("fund", Advice("rusk prints no funding messages: leave the flag out")),
    ("global-bin-dir", Advice("set `BUN_INSTALL_BIN`")),
    ("global-dir", Advice("set `BUN_INSTALL_GLOBAL_DIR`")),
    ("global-pnpmfile", NO_PNPMFILE),
    ("global-style", Flag("--linker=isolated")),
    ("hoist", Flag("--linker=hoisted")),
    ("hoist-pattern", HOIST),
    ("https-proxy", CONFIGURED),
    ("ignore-engines", Advice("`engines` that do not fit are a warning, an error with `--engine-strict`")),
    ("ignore-existing", Flag("--force")),
    ("ignore-optional", Flag("--omit=optional")),
    ("ignore-platform", Advice("`--os='*' --cpu='*'` installs optional packages of all platforms")),
    ("ignore-pnpmfile", NO_PNPMFILE),
    (
        "ignore-registry-errors",
        Advice("an audit that the registry cannot answer is an error, with exit code 2"),
    ),
    ("ignore-workspace", Advice("`--filter=./PATH` selects one member")),
    ("ignore-workspace-root-check", Advice("no flag is needed to add to the root")),
    ("immutable", Flag("--frozen-lockfile")),
    ("immutable-cache", Flag("--frozen-lockfile")),
    ("include-workspace-root", Advice("`--workspaces --workspace-root` selects the members and the root")),
    ("inline-builds", SCRIPTS),
    (
        "install-links",
        Advice("with package-lock.json, `file:` is a link; else `file:` is a copy, and `link:` a link"),
    ),
    ("install-strategy", Flag("--linker")),
    ("jobs", Flag("--concurrency")),
    ("legacy-bundling", Flag("--linker=isolated")),
    ("legacy-peer-deps", PEERS),
    ("level", Flag("--audit-level")),
    ("link-workspace-packages", CONFIGURED),
    ("lockfile", EXISTING_LOCKFILE),
    ("lockfile-dir", EXISTING_LOCKFILE),
    ("lockfile-version", Advice("the lockfile that is there is kept; `rusk migrate FILE` writes another")),
    ("loglevel", Advice("`--silent` prints less, `--verbose` more")),
    ("long", Advice("`--json` prints all fields")),
    ("max-age", Advice("`rusk cache prune` removes what no project uses")),
    ("maxsockets", Flag("--network-concurrency")),
    ("min-release-age", AGE),
    ("mode", Advice("`--ignore-scripts` or `--lockfile-only` leaves a part of the install out")),
    ("modules-folder", Advice("packages are always in node_modules")),
    ("mutex", Advice("a second install of the project waits for the first: leave the flag out")),
    ("network-timeout", Advice("set `fetch-timeout` in .npmrc, in milliseconds")),
    ("no-audit", NO_AUDIT),
    ("no-auto-install-peers", PEERS),
    ("no-bin-links", Advice("links in node_modules/.bin are always made")),
    ("no-cache", Flag("--force")),
    ("no-color", Flag("--color=never")),
    ("no-commit-hooks", Advice("hooks of Git run: `--no-git-tag-version` makes no commit")),
    ("no-dev", Flag("--omit=dev")),
    ("no-fund", Advice("rusk prints no funding messages: leave the flag out")),
    ("no-git-checks", Advice("publishing looks at no repository: leave the flag out")),
    ("no-hoist", Flag("--linker=isolated")),
    ("no-immutable", Flag("--no-frozen-lockfile")),
    ("no-install", Advice("`rusk exec` runs only what is installed")),
    ("no-lockfile", EXISTING_LOCKFILE),
    ("no-optimize-bytecode", BYTECODE),
    ("no-optional", Flag("--omit=optional")),
    ("no-package-lock", EXISTING_LOCKFILE),
    ("no-prefer-frozen-lockfile", Advice("`rusk update` resolves again within the ranges")),
    ("no-progress", Advice("progress is shown on a terminal only; `--silent` turns it off")),
    ("no-proxy", CONFIGURED),
    ("no-shrinkwrap", EXISTING_LOCKFILE),
    ("no-side-effects-cache", SIDE_EFFECTS),
    ("no-sort", Flag("--parallel")),
    ("no-summary", Flag("--silent")),
    ("no-verify-store-integrity", STORE),
    ("no-workspaces-update", Advice("ranges of other members stay as they are: leave the flag out")),
    ("node-linker", Flag("--linker")),
    ("node-options", Advice("set `NODE_OPTIONS`")),
    ("non-interactive", Advice("an install asks no questions: leave the flag out")),
    ("noproxy", CONFIGURED),
    ("only-projects", Advice("`rusk list --recursive` lists each member")),
    ("package-import-method", Flag("--backend")),
    ("package-lock", EXISTING_LOCKFILE),
    ("parseable", Flag("--json")),
    ("pending", Advice("`rusk approve` lists what is not approved")),
    ("prefer-dedupe", Advice("a resolution uses as few versions as the ranges allow")),
    (
        "prefer-frozen-lockfile",
        Advice("a lockfile that fits package.json is always used as it is: leave the flag out"),
    ),
    ("prefer-online", Advice("packuments that are no longer fresh are always checked; `--force` checks all")),
    ("preferred-cache-folder", Flag("--cache-dir")),
    ("prefix", Flag("--cwd")),
    ("progress", Advice("progress is shown on a terminal only; `--silent` turns it off")),
    ("proxy", CONFIGURED),
    ("public-hoist-pattern", HOIST),
    ("publish-branch", Advice("publishing looks at no repository: leave the flag out")),
    ("pure-lockfile", Flag("--no-save")),
    (
        "react-compiler",
        Advice("the compiler is a Babel plugin: `babel-plugin-react-compiler` in a plugin of Bun.build"),
    ),
    ("refresh-lockfile", Flag("--force")),
    ("report-summary", Flag("--json")),
    ("reporter-hide-prefix", OUTPUT),
    ("resolution-only", Flag("--lockfile-only")),
    ("resume-from", Advice("`--filter='...NAME'` runs a member and those that depend on it")),
    ("reverse", ORDER),
    ("save-bundle", Advice("list the package in `bundleDependencies` of package.json")),
    ("save-catalog-name", Flag("--catalog=NAME")),
    ("save-prefix", Advice("`--exact` saves no operator; otherwise it is `^`")),
    ("save-text-lockfile", Advice("bun.lock is always written as text")),
    ("script-shell", Advice("scripts run in `/bin/sh`")),
    ("shamefully-hoist", Flag("--linker=hoisted")),
    ("shell", Advice("scripts run in `/bin/sh`")),
    ("shell-mode", Advice("`rusk exec sh -c COMMAND` runs a command line")),
    ("side-effects-cache", SIDE_EFFECTS),
    ("side-effects-cache-readonly", SIDE_EFFECTS),
    ("sign-git-tag", Advice("set `tag.gpgSign` in the configuration of Git")),
    ("since", Flag("--filter='[REF]'")),
    ("skip-integrity-check", Flag("--no-verify")),
    ("sort", ORDER),
    ("store-dir", Flag("--cache-dir")),
    ("strategy", Advice("each dependency gets the highest version that several of them share")),
    ("stream", OUTPUT),
    ("strict-peer-dependencies", PEERS),
    ("strict-peer-deps", PEERS),
    ("strict-ssl", CONFIGURED),
    ("tilde", Advice("name the range: `rusk add NAME@~1.2.3`")),
    ("timing", Flag("--timeline=FILE")),
    ("topological", ORDER),
    ("topological-dev", ORDER),
    ("trust", SCRIPTS),
    ("trust-lockfile", Advice("what a lockfile pins is always used: leave the flag out")),
    ("trusted", SCRIPTS),
    ("unsafe-perm", Advice("scripts run as the user who called rusk: leave the flag out")),
    ("use-system-ca", Advice("set `cafile` in .npmrc")),
    ("userconfig", Advice("set `NPM_CONFIG_USERCONFIG`")),
    ("verify-store-integrity", STORE),
    ("virtual-store-dir", Advice("it is node_modules/.pnpm in projects of pnpm, else node_modules/.bun")),
    ("windows-copyright", LINUX),
    ("windows-description", LINUX),
    ("windows-hide-console", LINUX),
    ("windows-icon", LINUX),
    ("windows-publisher", LINUX),
    ("windows-title", LINUX),
    ("windows-version", LINUX),
    ("workspace", FILTER),
    ("ws", Flag("--workspaces")),
    ("yarn", EXISTING_LOCKFILE),
];

/// Short flags that other tools have and rusk does not.
const SHORT_FLAGS: &[(char, Replacement)] = &[
    ('B', Advice("list the package in `bundleDependencies` of package.json")),
    ('C', Flag("--cwd")),
    ('S', ALWAYS_SAVED),
    ('W', Advice("no flag is needed to add to the root")),
    ('c', Advice("`rusk exec sh -c COMMAND` runs a command line")),
    ('j', Flag("--concurrency")),
    ('l', Advice("`--json` prints all fields")),
    ('q', Flag("--silent")),
];

/// Commands of other tools, and the command line of rusk for the same. Sorted by name.
const COMMANDS: &[(&str, &str)] = &[
    ("c", "rusk config"),
    ("cit", "rusk ci"),
    ("clean-install", "rusk ci"),
    ("completion", "rusk completions"),
    ("dlx", "rusk x"),
    ("find-dupes", "rusk dedupe --check"),
    ("get", "rusk config get"),
    ("ic", "rusk ci"),
    ("ignored-builds", "rusk approve"),
    ("import", "rusk migrate"),
    ("install-ci-test", "rusk ci"),
    ("install-clean", "rusk ci"),
    ("install-test", "rusk install"),
    ("it", "rusk install"),
    ("la", "rusk list --all"),
    ("ll", "rusk list --all"),
    ("m", "rusk run -r"),
    ("multi", "rusk run -r"),
    ("node", "rusk FILE"),
    ("npx", "rusk x"),
    ("patch-commit", "rusk patch --commit"),
    ("recursive", "rusk run -r"),
    ("set", "rusk config set"),
    ("shrinkwrap", "rusk migrate npm-shrinkwrap.json"),
    ("store", "rusk cache"),
    ("t", "rusk run test"),
    ("trust", "rusk approve"),
    ("un", "rusk remove"),
    ("untrusted", "rusk approve"),
    ("workspace", "rusk run --filter=NAME"),
    ("workspaces", "rusk run -r"),
];

/// Commands of other tools that rusk does not have, and why, or what does the same. Sorted by name.
const ABSENT: &[(&str, &str)] = &[
    ("access", REGISTRY),
    ("bugs", LINKS),
    ("constraints", "`overrides` and catalogs in package.json keep versions of members equal"),
    ("diff", "`rusk pack` of both versions, or `npm diff`, compares them"),
    ("docs", LINKS),
    ("doctor", "`rusk install` names what is wrong, `rusk cache verify` checks the store"),
    ("edit", "`rusk patch NAME` makes a copy to edit"),
    ("env", "rusk runs programs itself, and installs no version of Node"),
    ("explore", "packages are in node_modules: `rusk exec` runs a program there"),
    ("fund", "rusk prints no funding messages"),
    ("hook", REGISTRY),
    ("org", REGISTRY),
    ("owner", REGISTRY),
    ("patch-remove", "take the entry out of `patchedDependencies` in package.json, then run `rusk install`"),
    ("ping", "`rusk whoami` asks the registry"),
    ("profile", REGISTRY),
    ("query", "`rusk list --json --all` prints every package"),
    ("repl", "rusk has no interactive mode: `rusk -p CODE` prints a value"),
    ("repo", LINKS),
    ("search", REGISTRY),
    ("self-update", INSTALLATION),
    ("server", "an install needs no server"),
    ("set-script", "`rusk pkg set scripts.NAME=COMMAND` sets a script"),
    ("setup", INSTALLATION),
    ("star", REGISTRY),
    ("team", REGISTRY),
    ("token", "`rusk login` stores a token; `npm token` lists and revokes them"),
    ("unplug", "packages are always in node_modules: `rusk patch NAME` makes a copy to edit"),
    ("unstar", REGISTRY),
];
const REGISTRY: &str = "`npm` or the website of the registry does this";
const LINKS: &str = "`rusk info NAME` prints the package's links";
const INSTALLATION: &str = "rusk is installed and updated as its documentation says";

/// Flags of one command of rusk that another command is given, and what to do there.
const OF_COMMANDS: &[(Command, &str, &str)] = &[
    (
        Command::Add,
        "allow-build",
        "after the install, `rusk approve NAME` approves the scripts and runs them",
    ),
    (Command::Add, "tag", TAG),
    (Command::Audit, "dev", GROUPS),
    (Command::Audit, "environment", "`--production` leaves devDependencies out"),
    (Command::Audit, "force", "`rusk update --latest NAME` goes beyond the range"),
    (Command::Audit, "groups", "`--omit=GROUP` leaves a group of dependencies out"),
    (Command::Audit, "severity", "the flag of rusk is `--audit-level`"),
    (Command::Audit, "signatures", "the command is `rusk audit signatures`"),
    (Command::Build, "check", TYPES),
    (Command::Build, "ignore", "`--external NAME` leaves a package out of the bundle"),
    (Command::Cache, "force", "`rusk cache clear` asks nothing: leave the flag out"),
    (Command::Ci, "frozen-lockfile", "the lockfile is always frozen: leave the flag out"),
    (Command::Ci, "only", ONLY_PRODUCTION),
    (Command::Config, "global", "the user's .npmrc is changed by default: leave the flag out"),
    (Command::Create, "no-git", AFTER_TEMPLATE),
    (Command::Create, "no-install", AFTER_TEMPLATE),
    (Command::Create, "open", AFTER_TEMPLATE),
    (Command::Create, "yes", AFTER_TEMPLATE),
    (Command::Deploy, "legacy", "a deployment needs no setting of the project: leave the flag out"),
    (Command::Exec, "package", "`rusk x -p NAME PROGRAM` runs a program of a package"),
    (Command::Exec, "yes", "`rusk exec` asks nothing: leave the flag out"),
    (Command::Fetch, "ignore-scripts", NO_SCRIPTS),
    (Command::Init, "license", AFTER_INIT),
    (Command::Init, "name", AFTER_INIT),
    (Command::Init, "private", AFTER_INIT),
    (Command::Init, "type", AFTER_INIT),
    (Command::Install, "only", ONLY_PRODUCTION),
    (Command::Install, "tag", TAG),
    (Command::Licenses, "dev", GROUPS),
    (Command::Link, "global", "`rusk link` registers the package for all projects: leave the flag out"),
    (Command::List, "dev", GROUPS),
    (Command::Outdated, "dev", GROUPS),
    (Command::Pack, "out", "the flag of rusk is `--filename` or `--destination`"),
    (Command::Pack, "pack-gzip-level", "the flag of rusk is `--gzip-level`"),
    (Command::Prune, "ignore-scripts", NO_SCRIPTS),
    (Command::Publish, "auth-type", "`rusk login` has the flag; `--otp` sends a one-time password"),
    (Command::Publish, "force", "a version that is published stays as it is"),
    (Command::Publish, "new-version", "`rusk version 1.2.3` sets the version before"),
    (Command::Rebuild, "workspaces", "members are always rebuilt, too: leave the flag out"),
    (Command::Remove, "dev", EVERY_GROUP),
    (Command::Remove, "optional", EVERY_GROUP),
    (Command::Remove, "peer", EVERY_GROUP),
    (Command::Remove, "save-prod", EVERY_GROUP),
    (Command::Run, "check", TYPES),
    (Command::Sbom, "format", "the flag of rusk is `--sbom-format`: `cyclonedx` or `spdx`"),
    (Command::Sbom, "json", "a bill of materials is always JSON: leave the flag out"),
    (Command::Sbom, "out", SBOM_FILE),
    (Command::Sbom, "output", SBOM_FILE),
    (Command::Test, "check", TYPES),
    (Command::Unlink, "global", "`rusk unlink` in its directory takes the registration back"),
    (Command::Update, "exact", "`rusk add -E NAME` saves the exact version"),
    (Command::Version, "force", "`--allow-same-version` accepts the present version"),
    (Command::Version, "major", "name the part: `rusk version major`"),
    (Command::Version, "minor", "name the part: `rusk version minor`"),
    (Command::Version, "new-version", "name the version: `rusk version 1.2.3`"),
    (Command::Version, "patch", "name the part: `rusk version patch`"),
];
const AFTER_INIT: &str = "edit package.json afterwards; on a terminal `rusk init` asks";
const EVERY_GROUP: &str = "packages are removed from every group: leave the flag out";
const GROUPS: &str = "`--omit=GROUP` leaves a group of dependencies out";
const NO_SCRIPTS: &str = "no scripts run: leave the flag out";
const TAG: &str = "name it with the package: `rusk add NAME@TAG`";
const AFTER_TEMPLATE: &str = "flags of the template come after its name: `rusk create NAME --flag`";
const ONLY_PRODUCTION: &str = "the flag of rusk is `--production`";
const SBOM_FILE: &str = "redirect the output: `rusk sbom > FILE`";
const TYPES: &str = "`rusk x -p typescript tsc --noEmit` checks types";

/// Flags of every command of another tool, which some commands of rusk have with another meaning.
const OF_ANY_COMMAND: &[(&str, &str)] = &[(
    "reporter",
    "`--silent` prints nothing but errors, `--json` the result; progress is shown on a terminal only",
)];

/// What to do instead of a flag of another command.
pub fn flag_of(command: Command, name: &str) -> Option<&'static str> {
    let row = OF_COMMANDS.iter().find(|(own, flag, _)| *own == command && *flag == name);
    let of_any = || OF_ANY_COMMAND.iter().find(|(flag, _)| *flag == name).map(|(_, advice)| *advice);
    row.map(|(_, _, advice)| *advice).or_else(of_any)
}

/// What to use instead of another tool's long flag, given without dashes.
pub fn flag(name: &str) -> Option<Replacement> {
    // pnpm's `--config.NAME=VALUE`.
    if name.starts_with("config.") {
        return Some(CONFIGURED);
    }
    find(FLAGS, &name)
}

/// What to use instead of another tool's short flag.
pub fn short_flag(name: char) -> Option<Replacement> {
    find(SHORT_FLAGS, &name)
}

/// The command line of rusk for another tool's command.
pub fn command(name: &str) -> Option<&'static str> {
    find(COMMANDS, &name)
}

/// Advice about another tool's command that rusk does not have.
pub fn absent(name: &str) -> Option<&'static str> {
    find(ABSENT, &name)
}

fn find<Name: PartialEq, Value: Copy>(table: &[(Name, Value)], name: &Name) -> Option<Value> {
    table.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests;
