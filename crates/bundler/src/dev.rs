//! Graph of a development server: pages and all that they load, kept between requests. A change
//! costs the changed files alone: nothing is linked, each module is a function that the browser's
//! module registry (`ext/dev_server/js/client`) calls. In: pages, paths that have changed. Out: the
//! script, stylesheet and HTML of a page, and messages for browsers that show it.

mod message;
mod page;
mod scan;
mod script;
mod workers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::css;
use crate::diagnostic::Diagnostic;
use crate::loader::Loader;
use crate::module::{External, Module, ModuleIndex, RecordTarget};
use crate::options::BundleOptions;
use crate::resolve::ResolvedFile;
use crate::scan::Registry;
use script::ModuleScript;

pub use message::PageMessage;

/// Where pages find what the graph serves.
pub const DEV_PREFIX: &str = "/_rusk/";

/// Pages, and the modules of all of them.
pub struct DevGraph {
    options: BundleOptions,
    registry: Registry,
    modules: Vec<Module>,
    files: Vec<GraphFile>,
    scripts: Vec<Option<ModuleScript>>,
    externals: Vec<External>,
    /// Modules that could not be read; they stay as they were before.
    errors: BTreeMap<ModuleIndex, Vec<Diagnostic>>,
    assets: FxHashMap<String, Vec<u8>>,
    pages: Vec<Page>,
    /// Counts changes.
    version: u32,
}

/// What is needed to read a module again.
#[derive(Clone, Debug)]
struct GraphFile {
    file: ResolvedFile,
    loader: Loader,
    is_disabled: bool,
}

/// An HTML file that is served.
#[derive(Debug)]
struct Page {
    module: ModuleIndex,
    /// The runtime of React Fast Refresh, if the project has it.
    refresh: Option<ModuleIndex>,
    /// What browsers with the current version have.
    sent: FxHashSet<ModuleIndex>,
    stylesheet: String,
    /// Of what it was rendered.
    sheet_key: Option<u64>,
    /// What has changed while there were errors.
    pending: FxHashSet<ModuleIndex>,
    had_errors: bool,
}

impl DevGraph {
    /// `options`: as for a build; entry points and outputs do not matter.
    pub fn new(mut options: BundleOptions) -> DevGraph {
        options.public_path = format!("{DEV_PREFIX}asset/");
        options.keeps_hot_api = true;
        options.naming.asset = "[name]-[hash].[ext]".to_owned();
        DevGraph {
            options,
            registry: Registry::default(),
            modules: Vec::new(),
            files: Vec::new(),
            scripts: Vec::new(),
            externals: Vec::new(),
            errors: BTreeMap::new(),
            assets: FxHashMap::default(),
            pages: Vec::new(),
            version: 1,
        }
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    /// Adds a page, if it is new, and reads all that it loads. Returns its number.
    pub fn open(&mut self, path: &Path) -> usize {
        let known = self.pages.iter().position(|page| self.modules[page.module].path == path);
        if let Some(known) = known {
            return known;
        }
        let (module, refresh) = self.scan_page(path);
        self.pages.push(Page {
            module,
            refresh,
            sent: FxHashSet::default(),
            stylesheet: String::new(),
            sheet_key: None,
            pending: FxHashSet::default(),
            had_errors: false,
        });
        let number = self.pages.len() - 1;
        self.settle(number);
        number
    }

    /// Reads changed files again. Returns a message for each page that is concerned.
    pub fn update(&mut self, changed: &[PathBuf]) -> Vec<PageMessage> {
        let again: BTreeSet<ModuleIndex> = (0..self.modules.len())
            .filter(|index| {
                let mut files =
                    std::iter::once(&self.files[*index].file.path).chain(&self.modules[*index].watched);
                files.any(|file| changed.contains(file)) || self.errors.contains_key(index)
            })
            .collect();
        if again.is_empty() {
            return Vec::new();
        }
        let before: Vec<Option<u64>> =
            self.scripts.iter().map(|script| script.as_ref().map(|one| one.hash)).collect();
        let pages_before: Vec<String> = self.pages.iter().map(|page| self.html_source(page.module)).collect();
        let errors_before = self.error_text();
        self.scan_again(&again);
        let differs: FxHashSet<ModuleIndex> = (0..self.scripts.len())
            .filter(|&index| {
                let hash = self.scripts[index].as_ref().map(|one| one.hash);
                before.get(index).is_none_or(|before| *before != hash)
            })
            .collect();
        let has_new_errors = self.error_text() != errors_before;
        self.version += 1;
        let mut messages = Vec::new();
        for (number, html_before) in pages_before.iter().enumerate() {
            let is_reload = self.html_source(self.pages[number].module) != *html_before;
            messages.extend(self.message(number, &differs, is_reload, has_new_errors));
        }
        if messages.is_empty() {
            self.version -= 1;
        }
        messages
    }

    /// The message for one page; `None`: nothing that it loads has changed.
    fn message(
        &mut self,
        number: usize,
        differs: &FxHashSet<ModuleIndex>,
        is_reload: bool,
        has_new_errors: bool,
    ) -> Option<PageMessage> {
        let errors = self.page_errors(number);
        if !errors.is_empty() {
            let text = message::errors(self.version, &errors);
            self.pages[number].had_errors = true;
            self.pages[number].pending.extend(differs);
            return has_new_errors.then_some(PageMessage { page: number, text });
        }
        let sheet_before = self.pages[number].stylesheet.clone();
        let pending = std::mem::take(&mut self.pages[number].pending);
        let sent_before = std::mem::take(&mut self.pages[number].sent);
        let had_errors = std::mem::take(&mut self.pages[number].had_errors);
        self.settle(number);
        if self.pages[number].had_errors {
            let errors = self.page_errors(number);
            let text = message::errors(self.version, &errors);
            self.pages[number].pending = pending.union(differs).copied().collect();
            return Some(PageMessage { page: number, text });
        }
        let page = &self.pages[number];
        let is_new = |index: &ModuleIndex| {
            differs.contains(index) || pending.contains(index) || !sent_before.contains(index)
        };
        let changed: Vec<ModuleIndex> = page.sent.iter().copied().filter(is_new).collect();
        let mut removed: Vec<ModuleIndex> = sent_before.difference(&page.sent).copied().collect();
        removed.sort_unstable();
        let stylesheet = (page.stylesheet != sheet_before).then_some(page.stylesheet.as_str());
        let has_changes = !changed.is_empty() || !removed.is_empty() || stylesheet.is_some();
        if !is_reload && !has_changes && !had_errors {
            return None;
        }
        let text = match is_reload {
            true => message::reload(self.version),
            false => self.update_message(number, changed, &removed, stylesheet),
        };
        Some(PageMessage { page: number, text })
    }

    /// Computes what a page loads.
    fn settle(&mut self, number: usize) {
        let order = self.reach(number);
        let reach: FxHashSet<ModuleIndex> = order.iter().copied().collect();
        let mut has_errors = self.errors.keys().any(|index| reach.contains(index));
        if !has_errors {
            let roots = self.sheet_roots(&order);
            let key = self.sheet_key(&order, &roots);
            if self.pages[number].sheet_key != Some(key) {
                let rendered = self.render_stylesheet(&roots);
                has_errors = rendered.is_err();
                let page = &mut self.pages[number];
                page.sheet_key = rendered.is_ok().then_some(key);
                match rendered {
                    Ok(stylesheet) => page.stylesheet = stylesheet,
                    Err(errors) => drop(self.errors.insert(page.module, errors)),
                }
            }
        }
        let page = &mut self.pages[number];
        page.had_errors = has_errors;
        page.sent = reach;
    }

    /// Modules that a page loads, in order of evaluation.
    fn reach(&self, number: usize) -> Vec<ModuleIndex> {
        let page = &self.pages[number];
        let mut order = Vec::new();
        let mut visited = FxHashSet::default();
        for root in page.refresh.into_iter().chain([page.module]) {
            self.visit(root, &mut visited, &mut order);
        }
        order
    }

    fn visit(&self, root: ModuleIndex, visited: &mut FxHashSet<ModuleIndex>, order: &mut Vec<ModuleIndex>) {
        if !visited.insert(root) {
            return;
        }
        let mut stack = vec![(root, self.targets(root).into_iter())];
        while let Some((module, targets)) = stack.last_mut() {
            match targets.next() {
                Some(target) if visited.insert(target) => {
                    stack.push((target, self.targets(target).into_iter()));
                }
                Some(_) => {}
                None => {
                    order.push(*module);
                    stack.pop();
                }
            }
        }
    }

    /// What a module mentions, `@import` and the like included.
    fn targets(&self, index: ModuleIndex) -> Vec<ModuleIndex> {
        let module = &self.modules[index];
        let records = module.records.iter().filter_map(|record| match record.target {
            RecordTarget::Module(target) => Some(target),
            _ => None,
        });
        let files = module.file_references().into_iter().filter_map(|reference| reference.target);
        records.chain(files).collect()
    }

    /// Stylesheets that programs or the page load, not other stylesheets alone.
    fn sheet_roots(&self, reach: &[ModuleIndex]) -> Vec<ModuleIndex> {
        let records = reach.iter().flat_map(|&index| &self.modules[index].records);
        let loaded: FxHashSet<ModuleIndex> = records
            .filter_map(|record| match record.target {
                RecordTarget::Module(target) => Some(target),
                _ => None,
            })
            .collect();
        let is_root = |index: &ModuleIndex| self.modules[*index].css.is_some() && loaded.contains(index);
        reach.iter().copied().filter(is_root).collect()
    }

    /// A hash of all that determines the stylesheet of a page.
    fn sheet_key(&self, reach: &[ModuleIndex], roots: &[ModuleIndex]) -> u64 {
        let mut key = Vec::new();
        for &index in reach {
            if let Some(css) = &self.modules[index].css {
                key.extend(index.to_le_bytes());
                key.extend(rusk_hashes::xx3(css.source.as_bytes(), 0).to_le_bytes());
            } else if let Some(asset) = &self.modules[index].asset {
                key.extend(asset.as_os_str().as_encoded_bytes());
            } else if let Some(script) = &self.scripts[index].as_ref().filter(|script| script.kind == "data")
            {
                key.extend(script.hash.to_le_bytes());
            }
        }
        key.extend(roots.iter().flat_map(|root| root.to_le_bytes()));
        rusk_hashes::xx3(&key, 0)
    }

    fn render_stylesheet(&self, roots: &[ModuleIndex]) -> Result<String, Vec<Diagnostic>> {
        let url = |target| crate::pages::asset_url(&self.options, &self.modules, target, Path::new(""));
        css::render(&self.modules, roots, false, &url).map(|rendered| rendered.code)
    }

    fn html_source(&self, module: ModuleIndex) -> String {
        self.modules[module].html.as_ref().map(|html| html.source.clone()).unwrap_or_default()
    }

    fn error_text(&self) -> String {
        let lines = self.errors.values().flatten().map(|error| error.to_problem().to_string());
        let places = self.errors.values().flatten().map(|error| format!("{:?}", error.at));
        lines.chain(places).collect::<Vec<_>>().join("\n")
    }

    /// Errors of what a page loads.
    pub fn page_errors(&self, number: usize) -> Vec<&Diagnostic> {
        let reach: BTreeSet<ModuleIndex> = self.reach(number).into_iter().collect();
        self.errors.iter().filter(|(index, _)| reach.contains(index)).flat_map(|(_, errors)| errors).collect()
    }

    /// A file that a page refers to.
    pub fn asset(&self, name: &str) -> Option<&[u8]> {
        self.assets.get(name).map(Vec::as_slice)
    }

    pub fn stylesheet(&self, number: usize) -> &str {
        &self.pages[number].stylesheet
    }

    /// Directories whose files have to be watched.
    pub fn directories(&self) -> BTreeSet<PathBuf> {
        let is_installed =
            |path: &Path| path.components().any(|component| component.as_os_str() == "node_modules");
        let watched = self.modules.iter().flat_map(|module| &module.watched);
        let paths = self.files.iter().map(|file| &file.file.path).chain(watched).map(PathBuf::as_path);
        let directories =
            paths.filter(|path| path.is_absolute() && !is_installed(path)).filter_map(Path::parent);
        directories.map(Path::to_owned).collect()
    }
}
