//! What a browser requests of a page: its HTML and its script. In: a page's number. Out: text.

use std::path::Path;

use super::message::{self, Entries};
use super::{DEV_PREFIX, DevGraph};
use crate::file_reference::FileReferenceKind;
use crate::html::{self, PageFile, PageFiles};
use crate::module::ModuleIndex;
use crate::pages;

/// The page that is shown if its file cannot be read.
const FALLBACK: &str = "<!doctype html><html><head><meta charset=\"utf-8\"></head><body></body></html>\n";

impl DevGraph {
    /// The HTML with the URLs of the page's script and stylesheet.
    pub fn html(&self, number: usize) -> String {
        let page = &self.pages[number];
        let script = format!("{DEV_PREFIX}page/{number}.js?v={}", self.version);
        let sheet = format!("{DEV_PREFIX}page/{number}.css?v={}", self.version);
        let module = &self.modules[page.module];
        let url = |target: ModuleIndex| pages::asset_url(&self.options, &self.modules, target, Path::new(""));
        let fallback = html::HtmlFile { source: FALLBACK.to_owned(), references: Vec::new() };
        let file = module.html.as_ref().unwrap_or(&fallback);
        let files = PageFiles {
            script: Some(PageFile::Url(script)),
            stylesheet: (!page.stylesheet.is_empty()).then_some(PageFile::Url(sheet)),
            assets: file
                .references
                .iter()
                .map(|reference| match (reference.kind, reference.target) {
                    (FileReferenceKind::HtmlAsset, Some(target)) => Some(url(target)),
                    _ => None,
                })
                .collect(),
            is_module: true,
        };
        html::page(file, &files).unwrap_or_else(|_| FALLBACK.to_owned())
    }

    /// The script of a page: the browser's part of the server (`client`), all modules, the start.
    pub fn script(&self, number: usize, client: &str, settings: &str) -> String {
        let entries = self.entries(number, client, settings);
        let url = format!("{DEV_PREFIX}page/{number}.js.map?v={}", self.version);
        format!("{}//# sourceMappingURL={url}\n", entries.text)
    }

    /// Its source map.
    pub fn script_map(&self, number: usize, client: &str, settings: &str) -> String {
        self.entries(number, client, settings).into_map().to_json_string()
    }

    /// `settings`: members of the first argument of `start`, as JSON.
    fn entries(&self, number: usize, client: &str, settings: &str) -> Entries {
        let page = &self.pages[number];
        let mut entries = Entries::default();
        entries.push(client);
        entries.push("\n__rusk.define({\n");
        let errors = self.page_errors(number);
        if errors.is_empty() {
            for index in self.reach(number) {
                self.add_entry(index, &mut entries);
            }
        }
        entries.push("});\n");
        let quoted = |text: &str| {
            let mut out = String::new();
            rusk_npm::json::quote_into(&mut out, text);
            out
        };
        let roots = match errors.is_empty() {
            true => self.roots(number).iter().map(|&index| quoted(&self.id(index))).collect(),
            false => Vec::new(),
        };
        let refresh = page.refresh.filter(|_| errors.is_empty()).map(|index| quoted(&self.id(index)));
        let start = format!(
            "__rusk.start({{\"page\":{number},\"version\":{},\"entries\":[{}],\"refresh\":{},\"errors\":{}{}{settings}}});\n",
            self.version,
            roots.join(","),
            refresh.as_deref().unwrap_or("null"),
            message::error_list(&errors),
            if settings.is_empty() { "" } else { "," },
        );
        entries.push(&start);
        entries
    }

    /// Scripts of the page, in order.
    fn roots(&self, number: usize) -> Vec<ModuleIndex> {
        let html = self.modules[self.pages[number].module].html.as_ref();
        let references = html.into_iter().flat_map(|html| &html.references);
        let scripts = references.filter(|reference| reference.kind == FileReferenceKind::Script);
        scripts.filter_map(|reference| reference.target).collect()
    }
}
