//! Resolution of specifiers for a bundle: what stays external, the `browser` member of
//! package.json, then `crates/modules`. In: importer, specifier, kind. Out: a file, an external
//! module, or nothing, for modules that are disabled.

mod browser;
mod memory;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_modules::{
    Format as FileFormat, Importer, Kind, Options, ResolveError, Resolved, Resolver, Scope, SideEffects,
};

use crate::browser_modules;
use crate::exports;
use crate::module::RecordKind;
use crate::options::{BuildMode, BuildTarget, BundleOptions, Destination, Packages};
use browser::BrowserMaps;
pub use memory::MemoryFiles;

pub(crate) struct ModuleResolver {
    resolver: Resolver,
    /// Prefers `main` to `module`.
    main_first: Resolver,
    externals: Vec<String>,
    current_dir: PathBuf,
    /// What paths of external files are relative to.
    output_dir: PathBuf,
    packages: Packages,
    mode: BuildMode,
    target: BuildTarget,
    browser: BrowserMaps,
    memory: MemoryFiles,
    /// For stylesheets: packages name theirs by `style`.
    style: Resolver,
}

/// A development server and `Bun.build` make many: their directories are closed.
impl Drop for ModuleResolver {
    fn drop(&mut self) {
        self.resolver.release();
        self.style.release();
    }
}

/// What a specifier stands for.
#[derive(Debug)]
pub(crate) enum Resolution {
    File(ResolvedFile),
    /// Stays an import of this specifier.
    External(String),
    /// An empty module: excluded by `browser`, or a builtin that is empty in browsers.
    Disabled(PathBuf),
    /// A builtin that bundles for browsers do not have.
    Absent(String),
}

#[derive(Clone, Debug)]
pub(crate) struct ResolvedFile {
    pub(crate) path: PathBuf,
    pub(crate) format: FileFormat,
    pub(crate) side_effects: bool,
    pub(crate) is_module_package: bool,
    /// That of a plugin; `None`: a file.
    pub(crate) namespace: Option<Arc<str>>,
}

impl ResolvedFile {
    /// A file of which nothing else is known.
    pub(crate) fn plain(path: PathBuf) -> ResolvedFile {
        ResolvedFile {
            path,
            format: FileFormat::Unspecified,
            side_effects: true,
            is_module_package: false,
            namespace: None,
        }
    }

    /// A module of Node, as browsers have it.
    pub(crate) fn of_browser_module(name: &str) -> ResolvedFile {
        ResolvedFile {
            namespace: Some(browser_modules::NAMESPACE.into()),
            side_effects: false,
            ..ResolvedFile::plain(PathBuf::from(name))
        }
    }

    /// The path with the namespace, if it has one.
    pub(crate) fn display_path(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}:{}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// What the module is known by: no two modules have the same.
    pub(crate) fn key(&self) -> PathBuf {
        match &self.namespace {
            Some(_) => PathBuf::from(self.display_path()),
            None => self.path.clone(),
        }
    }
}

impl ModuleResolver {
    pub(crate) fn new(options: &BundleOptions) -> ModuleResolver {
        ModuleResolver {
            resolver: Resolver::new(resolver_options(options)),
            main_first: Resolver::new(main_first_options(options)),
            externals: options.externals.clone(),
            current_dir: options.current_dir.clone(),
            output_dir: match &options.destination {
                Destination::Directory(directory) => directory.clone(),
                Destination::File(file) => file.parent().map(Path::to_owned).unwrap_or_default(),
                Destination::Text => options.current_dir.clone(),
            },
            packages: options.packages,
            mode: options.mode,
            target: options.target,
            browser: BrowserMaps::default(),
            memory: options.files.clone(),
            style: Resolver::new(style_options(options)),
        }
    }

    pub(crate) fn compiler_options(&self, file: &Path) -> Option<rusk_modules::tsconfig::CompilerOptions> {
        self.resolver.compiler_options(file).ok().flatten()
    }

    /// An entry point: a path, which needs no `./`, or else a package.
    pub(crate) fn entry(&self, specifier: &str) -> Result<Resolution, ResolveError> {
        if let Some(path) = self.memory.resolve(&self.current_dir, specifier) {
            return Ok(Resolution::File(ResolvedFile::plain(path)));
        }
        let importer = Importer::Directory(&self.current_dir);
        let path = match specifier.starts_with(['/', '.']) {
            true => specifier.to_owned(),
            false => format!("./{specifier}"),
        };
        let resolved = match self.resolver.resolve(importer, &path, Kind::Import) {
            Ok(resolved) => resolved,
            Err(error) => self.resolver.resolve(importer, specifier, Kind::Import).map_err(|_| error)?,
        };
        Ok(self.finish(resolved, specifier))
    }

    pub(crate) fn resolve(
        &self,
        importer: &Path,
        specifier: &str,
        kind: RecordKind,
    ) -> Result<Resolution, ResolveError> {
        if self.mode == BuildMode::Transpile || self.is_external(specifier) || is_url(specifier) {
            return Ok(Resolution::External(specifier.to_owned()));
        }
        if specifier.starts_with(['.', '/'])
            && let Some(path) = importer.parent().and_then(|parent| self.memory.resolve(parent, specifier))
        {
            return Ok(Resolution::File(ResolvedFile::plain(path)));
        }
        let kind = match kind {
            RecordKind::Statement | RecordKind::Dynamic | RecordKind::Worker => Kind::Import,
            RecordKind::Require => Kind::Require,
        };
        let importer_file = Importer::File(importer);
        let is_alias = || self.resolver.find_alias(importer_file, specifier, kind).is_some();
        if self.packages == Packages::External && is_package(specifier) && !is_alias() {
            return Ok(Resolution::External(specifier.to_owned()));
        }
        if self.target == BuildTarget::Browser {
            return self.resolve_for_browser(importer, specifier, kind);
        }
        match self.resolver_of(kind).resolve(importer_file, specifier, kind) {
            Ok(resolved) => Ok(self.finish(resolved, specifier)),
            // A builtin module of another version.
            Err(_) if specifier.starts_with("node:") => Ok(Resolution::External(specifier.to_owned())),
            Err(error) => Err(error),
        }
    }

    /// `require` prefers the member `main` of package.json to `module`.
    fn resolver_of(&self, kind: Kind) -> &Resolver {
        match kind {
            Kind::Require => &self.main_first,
            Kind::Import => &self.resolver,
        }
    }

    /// The file that `require` would load, where an import of a package loads another one because
    /// of the member `module` of its package.json.
    pub(crate) fn required_instead(&self, importer: &Path, specifier: &str, path: &Path) -> Option<PathBuf> {
        if self.target == BuildTarget::Node || !is_package(specifier) {
            return None;
        }
        match self.main_first.resolve(Importer::File(importer), specifier, Kind::Import) {
            Ok(Resolved::File(file)) if file.path != path => Some(file.path),
            _ => None,
        }
    }

    /// What CSS or HTML refers to; `None`: there is no such file.
    pub(crate) fn resolve_reference(
        &self,
        importer: Importer<'_>,
        specifier: &str,
        kind: Kind,
        is_style: bool,
    ) -> Option<Resolution> {
        if let Importer::File(file) = importer
            && let Some(path) = file.parent().and_then(|parent| self.memory.resolve(parent, specifier))
        {
            return Some(Resolution::File(ResolvedFile::plain(path)));
        }
        let resolver = if is_style { &self.style } else { &self.resolver };
        let resolved = resolver.resolve(importer, specifier, kind).ok()?;
        Some(self.finish(resolved, specifier))
    }

    fn resolve_for_browser(
        &self,
        importer: &Path,
        specifier: &str,
        kind: Kind,
    ) -> Result<Resolution, ResolveError> {
        let replaced = self.browser.find_specifier(importer, specifier);
        let wanted = match &replaced {
            Some(None) => return Ok(Resolution::Disabled(PathBuf::from(specifier))),
            Some(Some(name)) => name.as_str(),
            None => specifier,
        };
        let importer_file = Importer::File(importer);
        let resolved = match self.resolver_of(kind).resolve(importer_file, wanted, kind) {
            Ok(resolved) => resolved,
            Err(error) => match self.browser.find_absent(importer, wanted) {
                Some(None) => return Ok(Resolution::Disabled(PathBuf::from(specifier))),
                Some(Some(path)) => {
                    let resolved = self.resolver.resolve(importer_file, &path, kind)?;
                    return Ok(self.finish(resolved, specifier));
                }
                None => return Err(error),
            },
        };
        let resolved = match resolved {
            // A package of the name of a builtin, as bundlers for browsers install them.
            Resolved::Builtin(name) if !wanted.starts_with("node:") && !wanted.starts_with("bun") => {
                let package = self.resolver.resolve(importer_file, &format!("{name}/"), kind);
                package.unwrap_or(Resolved::Builtin(name))
            }
            resolved => resolved,
        };
        if let Resolved::File(file) = &resolved {
            match self.browser.find_file(&file.path, specifier) {
                Some(None) => return Ok(Resolution::Disabled(file.path.clone())),
                Some(Some(path)) => {
                    let resolved = self.resolver.resolve(importer_file, &path, kind)?;
                    return Ok(self.finish(resolved, specifier));
                }
                None => {}
            }
        }
        Ok(self.finish(resolved, specifier))
    }

    fn finish(&self, resolved: Resolved, specifier: &str) -> Resolution {
        match resolved {
            Resolved::Url(url) => Resolution::External(url),
            Resolved::Builtin(name) => match self.target {
                BuildTarget::Browser => match browser_modules::find(name) {
                    Some(_) => Resolution::File(ResolvedFile::of_browser_module(name)),
                    None if browser_modules::EMPTY.contains(&name) => {
                        Resolution::Disabled(PathBuf::from(format!("node:{name}")))
                    }
                    None => Resolution::Absent(name.to_owned()),
                },
                BuildTarget::Bun | BuildTarget::Node => Resolution::External(specifier.to_owned()),
            },
            Resolved::File(file) if self.is_external_path(&file.path) => {
                Resolution::External(match specifier.starts_with(['.', '/']) {
                    true => specifier.to_owned(),
                    // Nothing knows an alias after the build.
                    false => self.external_path(&file.path),
                })
            }
            Resolved::File(file) => {
                let side_effects = has_side_effects(&file.scope, &file.path);
                let is_module_package = match &file.scope {
                    Scope::Package(package) => package.kind() == rusk_modules::PackageType::Module,
                    _ => false,
                };
                let format = file.format();
                Resolution::File(ResolvedFile {
                    path: file.path,
                    format,
                    side_effects,
                    is_module_package,
                    namespace: None,
                })
            }
        }
    }

    pub(crate) fn is_external(&self, specifier: &str) -> bool {
        self.externals.iter().any(|pattern| match pattern.split_once('*') {
            Some((before, after)) => {
                specifier.len() >= before.len() + after.len()
                    && specifier.starts_with(before)
                    && specifier.ends_with(after)
            }
            None => {
                specifier == pattern
                    || specifier.strip_prefix(pattern.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
        })
    }

    fn external_path(&self, path: &Path) -> String {
        let relative = exports::relative_path(&rusk_base::files::normalized(&self.output_dir), path);
        if relative.starts_with("../") { relative } else { format!("./{relative}") }
    }

    fn is_external_path(&self, path: &Path) -> bool {
        let paths = self.externals.iter().filter(|pattern| pattern.starts_with(['.', '/']));
        paths
            .map(|pattern| rusk_base::files::normalized(&self.current_dir.join(pattern)))
            .any(|known| known == path)
    }
}

fn is_url(specifier: &str) -> bool {
    specifier.starts_with("//")
        || ["http:", "https:", "data:"].iter().any(|scheme| specifier.starts_with(scheme))
}

/// Whether a specifier names a package.
pub(crate) fn is_package(specifier: &str) -> bool {
    !specifier.starts_with(['.', '/', '#']) && !specifier.is_empty()
}

fn has_side_effects(scope: &Scope, path: &Path) -> bool {
    let Scope::Package(package) = scope else { return true };
    match package.side_effects() {
        SideEffects::Unspecified | SideEffects::All => true,
        SideEffects::None => false,
        SideEffects::Globs(globs) => {
            let Ok(path) = path.strip_prefix(package.directory()) else { return true };
            let path = path.to_string_lossy();
            globs.iter().any(|glob| {
                let glob = glob.trim_start_matches("./");
                match glob.contains('/') {
                    true => fast_glob::glob_match(glob, path.as_ref()),
                    false => fast_glob::glob_match(format!("**/{glob}"), path.as_ref()),
                }
            })
        }
    }
}

fn resolver_options(options: &BundleOptions) -> Options {
    let mut resolver = Options::bundler();
    let environment = if options.is_production() { "production" } else { "development" };
    let (platform, mains): (&[&str], &[&str]) = match options.target {
        BuildTarget::Browser => (&["browser"], &["browser", "module", "main"]),
        BuildTarget::Bun => (&["bun", "node"], &["module", "main"]),
        BuildTarget::Node => (&["node"], &["main", "module"]),
    };
    let own = platform.iter().chain([&environment]).map(|&name| name.to_owned());
    let additional: Vec<String> = options.conditions.iter().cloned().chain(own).collect();
    resolver.import_conditions.splice(0..0, additional.iter().cloned());
    resolver.require_conditions.splice(0..0, additional);
    resolver.main_fields = mains.iter().map(|&name| name.to_owned()).collect();
    resolver
}

fn main_first_options(options: &BundleOptions) -> Options {
    let mut resolver = resolver_options(options);
    resolver.main_fields.sort_by_key(|name| name == "module");
    resolver
}

fn style_options(options: &BundleOptions) -> Options {
    let mut resolver = resolver_options(options);
    resolver.import_conditions.insert(0, "style".to_owned());
    resolver.main_fields = vec!["style".to_owned(), "main".to_owned()];
    resolver
}
