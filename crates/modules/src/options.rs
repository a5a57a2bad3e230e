//! Options of a resolver: conditions, extensions, symlinks. In: the caller's choice. Out: values.

use std::path::PathBuf;

/// Fixed for the life of a resolver. Start with [`Options::node`] or [`Options::bundler`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Active conditions of `exports` and `imports` for `require`; `default` is always active.
    pub require_conditions: Vec<String>,
    /// The same for `import`.
    pub import_conditions: Vec<String>,
    /// Tried in this order after the name itself, each with its dot.
    pub extensions: Vec<String>,
    /// Extensions that replace another one if there is no such file: `.js` by `.ts`, `.tsx`. Never
    /// applied in node_modules, where published packages have their sources beside the output.
    pub extension_aliases: Vec<(String, Vec<String>)>,
    /// Members of package.json that may name the main file, in order of preference.
    pub main_fields: Vec<String>,
    pub import_mode: ImportMode,
    pub symlinks: Symlinks,
    /// Searched after all node_modules, by `require` alone: NODE_PATH, and Node's global
    /// directories.
    pub global_paths: Vec<PathBuf>,
    pub tsconfig: TsConfig,
    pub lifetime: Lifetime,
}

/// Which `paths` and `baseUrl` apply, outside node_modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TsConfig {
    Off,
    /// The nearest tsconfig.json above the importer, and its references.
    Nearest,
    /// This one for all importers, by absolute path.
    File(PathBuf),
}

/// How `import` resolves a path that is not a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportMode {
    /// It fails, as in Node.
    Exact,
    /// By the algorithm of `require`, with the conditions of `import`, as in bundlers.
    Search,
}

/// Whether symlinks are resolved in the path of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symlinks {
    Follow,
    /// `--preserve-symlinks`.
    Preserve,
}

/// How long a resolver is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// One run or build: a new epoch discards everything.
    Run,
    /// A watcher: directories and manifests that did not change are not read again in the next
    /// epoch. Costs a `stat` of each.
    Watch,
}

impl Options {
    /// Resolution as in Node 25.
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

    /// Resolution as in bundlers, with TypeScript.
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
