//! Loaders: how a file becomes a module, by its extension or an import attribute.

use rusk_transpile::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loader {
    Js,
    Jsx,
    Ts,
    Tsx,
    Json,
    Jsonc,
    Json5,
    Toml,
    Yaml,
    Xml,
    /// Markdown, whose value is HTML.
    Markdown,
    Text,
    /// The file is copied, its path is the value.
    File,
    /// A `data:` URL with the file's bytes.
    DataUrl,
    /// The file's bytes as text.
    Base64,
    /// A `Uint8Array`.
    Bytes,
    /// A database that bun opens at run time.
    Sqlite,
    /// A database whose file is copied, or is in the executable.
    SqliteEmbedded,
    Css,
    Html,
    /// A page that a server imports: built for browsers, its value names the files.
    ServedPage,
    Wasm,
    Napi,
}

impl Loader {
    pub const NAMES: [(&'static str, Loader); 22] = [
        ("js", Loader::Js),
        ("jsx", Loader::Jsx),
        ("ts", Loader::Ts),
        ("tsx", Loader::Tsx),
        ("json", Loader::Json),
        ("jsonc", Loader::Jsonc),
        ("toml", Loader::Toml),
        ("json5", Loader::Json5),
        ("yaml", Loader::Yaml),
        ("xml", Loader::Xml),
        ("md", Loader::Markdown),
        ("text", Loader::Text),
        ("file", Loader::File),
        ("dataurl", Loader::DataUrl),
        ("base64", Loader::Base64),
        ("bytes", Loader::Bytes),
        ("sqlite", Loader::Sqlite),
        ("sqlite_embedded", Loader::SqliteEmbedded),
        ("css", Loader::Css),
        ("html", Loader::Html),
        ("wasm", Loader::Wasm),
        ("napi", Loader::Napi),
    ];

    pub fn of_name(name: &str) -> Option<Loader> {
        Loader::NAMES.iter().find(|(known, _)| *known == name).map(|(_, loader)| *loader)
    }

    /// The names that users write, for messages.
    pub fn list() -> String {
        let names = Loader::NAMES.iter().map(|(name, _)| *name).filter(|name| *name != "sqlite_embedded");
        names.collect::<Vec<_>>().join(", ")
    }

    /// An extension and a loader, as in `.svg:text`.
    pub fn of_flag(text: &str) -> Option<(String, Loader)> {
        let (extension, name) = text.split_once(':')?;
        let loader = Loader::of_name(name)?;
        extension.starts_with('.').then(|| (extension.to_owned(), loader))
    }

    pub fn name(self) -> &'static str {
        Loader::NAMES.iter().find(|(_, loader)| *loader == self).map_or("file", |(name, _)| name)
    }

    /// By the extension without its dot; other files are copied.
    pub(crate) fn of_extension(extension: &str) -> Loader {
        match extension {
            "js" | "mjs" | "cjs" | "" => Loader::Js,
            "jsx" => Loader::Jsx,
            "ts" | "mts" | "cts" => Loader::Ts,
            "tsx" => Loader::Tsx,
            "json" => Loader::Json,
            "jsonc" => Loader::Jsonc,
            "toml" => Loader::Toml,
            "json5" => Loader::Json5,
            "yaml" | "yml" => Loader::Yaml,
            "xml" => Loader::Xml,
            "md" | "markdown" => Loader::Markdown,
            "txt" | "text" => Loader::Text,
            "css" => Loader::Css,
            "html" | "htm" => Loader::Html,
            "wasm" => Loader::Wasm,
            "node" => Loader::Napi,
            _ => Loader::File,
        }
    }

    /// The language of a program. JavaScript files may contain JSX, as in bun.
    pub(crate) fn language(self) -> Option<Language> {
        match self {
            Loader::Js => Some(Language::JavaScript),
            Loader::Jsx => Some(Language::Jsx),
            Loader::Ts => Some(Language::TypeScript),
            Loader::Tsx => Some(Language::Tsx),
            _ => None,
        }
    }
}
