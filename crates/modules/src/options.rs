//! What a resolver is told once: conditions, extensions, what to do with links. In: the caller's
//! choice. Out: values.

use std::path::PathBuf;

/// Fixed for the life of a resolver. Begin with [`Options::node`] or [`Options::bundler`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Conditions of `exports` and `imports` that hold for `require`; `default` always does.
    pub require_conditions: Vec<String>,
    /// The same for `import`.
    pub import_conditions: Vec<String>,
    /// Tried in this order after the name itself, each with its dot.
    pub extensions: Vec<String>,
    /// Of a file that is not there, the extensions that its source may have instead: `.js` and then
    /// `.ts`, `.tsx`. Never in node_modules, where what is published stands beside its source.
    pub extension_aliases: Vec<(String, Vec<String>)>,
    /// Members of package.json that may name a package's file, the best first.
    pub main_fields: Vec<String>,
    pub import_mode: ImportMode,
    pub symlinks: Symlinks,
    /// Searched after all node_modules, by `require` alone: NODE_PATH, and Node's global directories.
    pub global_paths: Vec<PathBuf>,
    pub tsconfig: TsConfig,
    pub lifetime: Lifetime,
}

/// Whose `paths` and `baseUrl` count, outside node_modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TsConfig {
    Off,
    /// The nearest tsconfig.json above the importer, and what it references.
    Nearest,
    /// This one for all, by absolute path.
    File(PathBuf),
}

/// What `import` does with a name that is no file as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportMode {
    /// It is an address, and fails: Node.
    Exact,
    /// It is searched as `require` does, with `import`'s conditions: bundlers.
    Search,
}

/// Whether a file is known by the path without links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symlinks {
    Follow,
    /// `--preserve-symlinks`.
    Preserve,
}

/// How long a resolver is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// One run or build: an epoch that begins knows nothing of the one before.
    Run,
    /// A watcher: directories and manifests that did not change are not read again in the next epoch.
    /// Costs a `stat` of each.
    Watch,
}

impl Options {
    /// As Node 25 resolves.
    pub fn node() -> Options {
        Options {
            require_conditions: strings(&["node", "require", "module-sync", "node-addons"]),
            import_conditions: strings(&["node", "import", "module-sync", "node-addons"]),
            extensions: strings(&[".js", ".json", ".node"]),
            extension_aliases: Vec::new(),
            main_fields: strings(&["main"]),
            import_mode: ImportMode::Exact,
            symlinks: Symlinks::Follow,
            global_paths: Vec::new(),
            tsconfig: TsConfig::Off,
            lifetime: Lifetime::Run,
        }
    }

    /// As programs expect that are built, TypeScript among them.
    pub fn bundler() -> Options {
        let rewrite = |from: &str, to: &[&str]| (from.to_owned(), strings(to));
        Options {
            require_conditions: strings(&["module", "require"]),
            import_conditions: strings(&["module", "import"]),
            extensions: strings(&[".tsx", ".jsx", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"]),
            extension_aliases: vec![
                rewrite(".js", &[".ts", ".tsx"]),
                rewrite(".jsx", &[".tsx", ".ts"]),
                rewrite(".mjs", &[".mts"]),
                rewrite(".cjs", &[".cts"]),
            ],
            main_fields: strings(&["module", "main"]),
            import_mode: ImportMode::Search,
            tsconfig: TsConfig::Nearest,
            ..Options::node()
        }
    }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
