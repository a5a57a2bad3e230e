//! Keys of configuration files, with the kind of their value and what they do. In: nothing. Out:
//! tables. Absent: reading them; `rusk-npm` and `rusk-install` do.

/// A key of a configuration file.
pub struct Key {
    pub name: &'static str,
    pub kind: &'static str,
    pub meaning: &'static str,
    /// The flag with the same meaning.
    pub flag: Option<&'static str>,
}

const fn key(name: &'static str, kind: &'static str, meaning: &'static str) -> Key {
    Key { name, kind, meaning, flag: None }
}

const fn with_flag(name: &'static str, kind: &'static str, meaning: &'static str, flag: &'static str) -> Key {
    Key { name, kind, meaning, flag: Some(flag) }
}

/// The table `[install]` of bunfig.toml.
pub const BUNFIG_INSTALL: &[Key] = &[
    with_flag("registry", "URL or table", "The default registry.", "--registry"),
    key("scopes", "table", "Registries of scopes, by name with or without `@`."),
    with_flag("production", "boolean", "Skip devDependencies; the lockfile is frozen.", "--production"),
    with_flag("dev", "boolean", "`false`: skip devDependencies.", "--omit=dev"),
    with_flag("optional", "boolean", "`false`: skip optionalDependencies.", "--omit=optional"),
    with_flag("peer", "boolean", "`false`: skip peerDependencies.", "--omit=peer"),
    with_flag("exact", "boolean", "Save exact versions.", "--exact"),
    with_flag("frozenLockfile", "boolean", "Fail if bun.lock would change.", "--frozen-lockfile"),
    with_flag("dryRun", "boolean", "Write nothing.", "--dry-run"),
    with_flag("ignoreScripts", "boolean", "Do not run lifecycle scripts.", "--ignore-scripts"),
    key(
        "linkWorkspacePackages",
        "boolean",
        "`false`: plain ranges come from the registry, not from workspace members.",
    ),
    with_flag("offline", "boolean", "Use the cache only.", "--offline"),
    with_flag("prefer", "string", "`\"offline\"`: use cached metadata of any age.", "--prefer-offline"),
    with_flag("linker", "string", "Layout of node_modules: `\"hoisted\"` or `\"isolated\"`.", "--linker"),
    key("hoist", "boolean", "`false`: the isolated layout has no fallback for undeclared dependencies."),
    key("hoistPattern", "string or list", "Names in that fallback; `*` matches, `!` excludes."),
    key(
        "publicHoistPattern",
        "string or list",
        "Names that the isolated layout links into the project's node_modules.",
    ),
    with_flag("globalStore", "boolean", "Share packages between projects.", "--linker=global"),
    key(
        "globalStoreFallback",
        "boolean",
        "`false`: share packages also in projects with tools that are known not to work with it.",
    ),
    with_flag(
        "cache",
        "string, boolean or table",
        "Directory of the cache, in the user's own file; `false` or `disable = true`: cached metadata is not used.",
        "--cache-dir",
    ),
    key("globalDir", "string", "Directory of global packages; only in the user's own file."),
    key("globalBinDir", "string", "Directory of links to their programs; only in the user's own file."),
    key("ca", "string or list", "Certificates (PEM) to trust instead of the system's."),
    key("cafile", "string", "File with such certificates."),
    with_flag(
        "minimumReleaseAge",
        "number or string",
        "Pass over versions that are younger: seconds, or a string such as `3d`.",
        "--minimum-release-age",
    ),
    with_flag(
        "minimumReleaseAgeExcludes",
        "string or list",
        "Packages to which `minimumReleaseAge` does not apply: names, patterns, `name@1.0.0 || 1.0.1`.",
        "--minimum-release-age-excludes",
    ),
    with_flag(
        "trustPolicy",
        "string",
        "`\"no-downgrade\"`, the default: refuse versions that lost provenance; or `\"off\"`.",
        "--trust-policy",
    ),
    with_flag(
        "trustPolicyExcludes",
        "string or list",
        "Packages to which `trustPolicy` does not apply, as in `minimumReleaseAgeExcludes`.",
        "--trust-policy-excludes",
    ),
    key(
        "trustPolicyIgnoreAfter",
        "number or string",
        "Versions published longer ago are not checked: seconds, or a string such as `90d`; default: 30 days.",
    ),
    with_flag(
        "allowForeignSources",
        "boolean",
        "Let packages of a registry depend on repositories and URLs.",
        "--allow-foreign-sources",
    ),
    with_flag(
        "allowUnverifiedTarballs",
        "boolean",
        "Install tarballs of other hosts than the registry without an integrity.",
        "--allow-unverified-tarballs",
    ),
    with_flag(
        "verifySignatures",
        "boolean",
        "Verify that the registry signed each package, before any is linked; default: `false`.",
        "--verify-signatures",
    ),
    key(
        "verifyStoreIntegrity",
        "boolean",
        "Compare size and time of the store's files before they are linked; default: `true` for hard \
         links on a disk.",
    ),
];

/// The table `[install.security]` of bunfig.toml.
pub const BUNFIG_SECURITY: &[Key] = &[key(
    "scanner",
    "string",
    "Package, or file of the project, that scans all packages before they are installed.",
)];

/// A registry of bunfig.toml that is a table.
pub const REGISTRY: &[Key] = &[
    key("url", "string", "The URL; the default registry if it is missing."),
    key("token", "string", "Bearer token."),
    key("username", "string", "User name for basic authentication."),
    key("password", "string", "Password for basic authentication."),
];

/// Keys of bunfig.toml for programs.
pub const BUNFIG_PROGRAM: &[Key] = &[
    key("preload", "string or list", "Modules to load before the program."),
    key("define", "table of strings", "Constants that replace global names."),
    key("env", "boolean or table", "`false`, or `file = false` in the table: do not read `.env` files."),
    key("console.depth", "number", "Levels of nested objects that `console.log` prints; 0: all."),
    key("serve.port", "number", "Default port of `Bun.serve`, unless an environment variable says it."),
    key("jsx", "string", "`react`, `react-jsx` or `react-jsxDEV`, where tsconfig.json has no `jsx`."),
    key("jsxFactory", "string", "As in tsconfig.json, which takes precedence."),
    key("jsxFragment", "string", "`jsxFragmentFactory` of tsconfig.json."),
    key("jsxImportSource", "string", "As in tsconfig.json."),
    key("loader", "table of strings", "Loaders of `rusk build` for file name extensions with a dot."),
];

pub const NPMRC: &[Key] = &[
    with_flag("registry", "URL", "The default registry.", "--registry"),
    key("@scope:registry", "URL", "The registry of a scope."),
    key("//host/path/:_authToken", "string", "Bearer token for the registries at this address."),
    key("//host/path/:_auth", "string", "Basic authentication, as base64 of `user:password`."),
    key("//host/path/:username", "string", "User name; together with `_password`."),
    key("//host/path/:_password", "string", "Password in base64."),
    key("save-prefix", "string", "`^`, `~` or nothing: the range of a new dependency."),
    with_flag("save-exact", "boolean", "Save exact versions.", "--exact"),
    with_flag("production", "boolean", "Skip devDependencies.", "--production"),
    with_flag("omit", "list", "Groups to skip: `dev`, `optional`, `peer`.", "--omit"),
    key("include", "list", "Groups to install although `omit` has them."),
    with_flag("ignore-scripts", "boolean", "Do not run lifecycle scripts.", "--ignore-scripts"),
    with_flag(
        "allow-foreign-sources",
        "boolean",
        "Let packages of a registry depend on repositories and URLs.",
        "--allow-foreign-sources",
    ),
    with_flag("engine-strict", "boolean", "Fail if `engines` exclude the installed Node.", "--engine-strict"),
    key(
        "legacy-peer-deps",
        "boolean",
        "In projects with package-lock.json: do not add peers that no package provides.",
    ),
    key("auto-install-peers", "boolean", "`false`: the same in projects of pnpm (pnpm's key)."),
    with_flag(
        "provenance",
        "boolean",
        "Publish a signed statement of the CI job that built the package.",
        "--provenance",
    ),
    key(
        "package-manager-strict",
        "boolean",
        "Fail if `packageManager` in package.json is not rusk (pnpm's key).",
    ),
    with_flag(
        "min-release-age",
        "number",
        "Pass over versions that are younger than this many days (npm's key).",
        "--minimum-release-age",
    ),
    with_flag(
        "min-release-age-exclude",
        "list",
        "Packages to which the minimum age does not apply.",
        "--minimum-release-age-excludes",
    ),
    with_flag(
        "allow-unverified-tarballs",
        "boolean",
        "Install tarballs of other hosts than the registry without an integrity.",
        "--allow-unverified-tarballs",
    ),
    with_flag(
        "trust-policy",
        "string",
        "`no-downgrade`, the default: refuse versions that lost provenance; or `off` (pnpm's key).",
        "--trust-policy",
    ),
    with_flag(
        "trust-policy-exclude",
        "list",
        "Packages to which the trust policy does not apply (pnpm's key).",
        "--trust-policy-excludes",
    ),
    key(
        "trust-policy-ignore-after",
        "number",
        "Versions published more minutes ago are not checked (pnpm's key); default: 30 days.",
    ),
    key("minimum-release-age", "number", "The same in minutes (pnpm's key)."),
    key(
        "trusted-registries",
        "list",
        "Hosts that projects may send variables of the environment to; only outside of projects.",
    ),
    key("trust-project-network", "boolean", "A project's proxies get your credentials; not in projects."),
    with_flag("verify-signatures", "boolean", "As `verifySignatures`.", "--verify-signatures"),
    key("verify-store-integrity", "boolean", "As `verifyStoreIntegrity` (pnpm's key)."),
    key("minimum-release-age-exclude", "list", "As `min-release-age-exclude`."),
    with_flag("offline", "boolean", "Use the cache only.", "--offline"),
    with_flag("prefer-offline", "boolean", "Use cached metadata of any age.", "--prefer-offline"),
    with_flag("node-linker", "string", "`hoisted` or `isolated` (pnpm's key).", "--linker"),
    with_flag("install-strategy", "string", "`hoisted` or `linked` (npm's key).", "--linker"),
    key("link-workspace-packages", "boolean", "As `linkWorkspacePackages`."),
    key("hoist", "boolean", "As in bunfig.toml."),
    key("hoist-pattern", "list", "As `hoistPattern`."),
    key("public-hoist-pattern", "list", "As `publicHoistPattern`."),
    key("shamefully-hoist", "boolean", "As `publicHoistPattern` with `*`."),
    with_flag("frozen-lockfile", "boolean", "Fail instead of changing the lockfile.", "--frozen-lockfile"),
    with_flag("os", "list", "Operating systems of optional packages; `current` is this one.", "--os"),
    with_flag("cpu", "list", "Processors of optional packages; `current` is this one.", "--cpu"),
    with_flag("libc", "list", "C libraries of optional packages; `current` is this one.", "--libc"),
    key("proxy", "URL", "Proxy; `false` turns it off. `http-proxy` is another name."),
    key("http-proxy", "URL", "Proxy."),
    key("https-proxy", "URL", "Proxy for HTTPS; default: `proxy`."),
    key("noproxy", "list", "Hosts without a proxy, separated by commas. `no-proxy` is another name."),
    key("no-proxy", "list", "As `noproxy`."),
    key("ca", "list", "Certificates (PEM) to trust instead of the system's."),
    key("cafile", "path", "File with such certificates."),
    key("strict-ssl", "boolean", "`false`: do not verify certificates. Insecure."),
    key("fetch-retries", "number", "How often a failed request is repeated."),
    key("fetch-timeout", "number", "Milliseconds until a request fails."),
    with_flag("maxsockets", "number", "Maximum number of concurrent requests.", "--network-concurrency"),
    key("prefix", "path", "npm's prefix: the global npmrc is `PREFIX/etc/npmrc`."),
    key("userconfig", "path", "The user's `.npmrc`; as `npm_config_userconfig` only."),
    key("globalconfig", "path", "The global npmrc."),
];

pub const MANIFEST: &[Key] = &[
    key("name", "string", "Name of the package."),
    key("version", "string", "Version of the package."),
    key("private", "boolean", "`rusk publish` refuses the package."),
    key("packageManager", "string", "The package manager to use; a warning if it is not rusk."),
    key("devEngines", "object", "Package manager, runtime and platform to develop with, as npm 11 reads it."),
    key("pnpm", "object", "pnpm's settings, of which `packageExtensions` is read."),
    key("packageExtensions", "object", "In `pnpm`: dependencies that packages of others lack."),
    key("dependencies", "object", "Packages and version ranges."),
    key("devDependencies", "object", "Packages that only development needs."),
    key("optionalDependencies", "object", "Packages whose failure is no error."),
    key("peerDependencies", "object", "Packages that the dependent must provide."),
    key("peerDependenciesMeta", "object", "`{ \"name\": { \"optional\": true } }`: optional peers."),
    key("bundleDependencies", "list or boolean", "Packages inside the tarball; also `bundledDependencies`."),
    key("bundledDependencies", "list or boolean", "As `bundleDependencies`."),
    key("installConfig", "object", "Yarn's settings of a member, of which `hoistingLimits` is read."),
    key("hoistingLimits", "string", "In `installConfig`: `none`, `workspaces` or `dependencies`."),
    key("workspaces", "list or object", "Members; as an object `packages`, `catalog` and `catalogs`."),
    key("packages", "list", "Members, in `workspaces`."),
    key("catalog", "object", "Ranges for `catalog:`; at the top or in `workspaces`."),
    key("catalogs", "object", "Named catalogs, for `catalog:NAME`."),
    key("overrides", "object", "Versions that hold everywhere (npm)."),
    key("resolutions", "object", "The same (Yarn)."),
    key("trustedDependencies", "list", "Packages whose install scripts are approved, as in bun."),
    key(
        "patchedDependencies",
        "object",
        "Patches of packages, applied at every install: `name@version` and the path of a diff.",
    ),
    key("scripts", "object", "Scripts for `rusk run`, and lifecycle scripts."),
    key("engines", "object", "Versions of Node that the package needs."),
    key("os", "string or list", "Operating systems on which the package works."),
    key("cpu", "string or list", "CPU architectures on which it works."),
    key("libc", "string or list", "C libraries on which it works."),
    key("bin", "string or object", "Programs of the package."),
    key("directories", "object", "`bin`: a directory whose files are programs."),
    key("config", "object", "Environment variables `npm_package_config_NAME` of scripts."),
    key("type", "string", "`module` or `commonjs`: the kind of `.js` files."),
    key("main", "string", "Entry point of CommonJS."),
    key("exports", "string or object", "Entry points, with conditions."),
    key("imports", "object", "Names that begin with `#`, for the package's own modules."),
];
