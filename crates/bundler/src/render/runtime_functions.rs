//! Functions that bundles call: wrappers of modules, and the views that CommonJS and ES modules
//! have of each other. Only those that a chunk needs are in it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::Linked;
use crate::options::{BuildTarget, BundleOptions, ModuleFormat};
use crate::symbols::{INTEROP, INTEROP_NODE, NAMESPACE, SymbolRef};
use crate::wrap::Wrap;

/// The functions that some code calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuntimeFunctions {
    bits: u16,
    /// Of the transpiler: their names, and those in the code.
    functions: Vec<(String, String)>,
}

const COMMON_JS: &str = "var __commonJS = (callback, module) => () => {
  if (!module) {
    module = { exports: {} };
    try {
      callback.call(module.exports, module.exports, module);
    } catch (error) {
      module = undefined;
      throw error;
    }
  }
  return module.exports;
};
";
const ESM: &str = "var __esm = (callback, result, failure) => () => {
  if (callback) {
    var evaluate = callback;
    callback = undefined;
    try {
      result = evaluate();
    } catch (error) {
      failure = { error };
    }
  }
  if (failure) throw failure.error;
  return result;
};
";
const EXPORT: &str = "var __export = (target, getters) => {
  for (var name in getters) Object.defineProperty(target, name, { get: getters[name], enumerable: true, configurable: true });
  Object.defineProperty(target, Symbol.toStringTag, { value: \"Module\" });
};
";
const COPY: &str = "var __copyProperties = (target, source, except) => {
  if (source && (typeof source === \"object\" || typeof source === \"function\")) {
    for (let name of Object.getOwnPropertyNames(source)) {
      if (Object.prototype.hasOwnProperty.call(target, name) || name === except) continue;
      let property = Object.getOwnPropertyDescriptor(source, name);
      Object.defineProperty(target, name, { get: () => source[name], enumerable: !property || property.enumerable });
    }
  }
  return target;
};
";
const RE_EXPORT: &str = "var __reExport = (target, source) => __copyProperties(target, source, \"default\");
";
const TO_ESM: &str = "var __toESM = (module, isNodeMode) => {
  var target = module != null ? Object.create(Object.getPrototypeOf(module)) : {};
  var hasDefault = module && module.__esModule && Object.prototype.hasOwnProperty.call(module, \"default\");
  var isPlain = isNodeMode || !hasDefault;
  if (isPlain) Object.defineProperty(target, \"default\", { value: module, enumerable: true });
  return __copyProperties(target, module);
};
";
const TO_COMMON_JS: &str = "var __commonJSViews = new WeakMap();
var __toCommonJS = (namespace) => {
  var view = __commonJSViews.get(namespace);
  if (!view) {
    view = __copyProperties(Object.defineProperty({}, \"__esModule\", { value: true }), namespace);
    __commonJSViews.set(namespace, view);
  }
  return view;
};
";
const DEFINE_MODULE: &str =
    "var __defineModule = (target) => Object.defineProperty(target, \"__esModule\", { value: true });
";
const REQUIRE_BROWSER: &str = "var __require = typeof require !== \"undefined\" ? require : (name) => {
  throw new Error(\"Cannot require \" + JSON.stringify(name) + \" here\");
};
";
const REQUIRE_NODE: &str = "import { createRequire as __createRequire } from \"node:module\";
var __require = /* @__PURE__ */ __createRequire(import.meta.url);
";
const IMPORT_META_COMMON_JS: &str = "var __import_meta = {
  url: require(\"node:url\").pathToFileURL(__filename).href,
  filename: __filename,
  path: __filename,
  dirname: __dirname,
  dir: __dirname,
  main: require.main === module,
  require,
  resolve: (specifier) => require(\"node:url\").pathToFileURL(require.resolve(specifier)).href,
};
";
const IMPORT_META_BROWSER: &str = "var __import_meta = {
  url: typeof document !== \"undefined\" && document.currentScript && document.currentScript.src
    || typeof location !== \"undefined\" && location.href || undefined,
};
";

/// Whether the output is the program that runs. Node before 24 has no `import.meta.main`.
const IS_MAIN_COMMON_JS: &str = "var __isMain = require.main === module;\n";
const IS_MAIN_BUN: &str = "var __isMain = import.meta.main;\n";
const IS_MAIN_NODE: &str = "var __isMain = import.meta.main ?? (() => {
  try {
    return __require.resolve(process.argv[1]) === __require(\"node:url\").fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
})();
";

/// The source text of the transpiler's functions, which are self-contained.
const TRANSPILER_HELPERS: &str = include_str!("../../../runtime/js/internal/transpiler_helpers.js");

const DECORATORS: &str = include_str!("../../../runtime/js/internal/decorators.js");

impl RuntimeFunctions {
    pub(crate) const COMMON_JS: u16 = 1;
    pub(crate) const ESM: u16 = 1 << 1;
    pub(crate) const EXPORT: u16 = 1 << 2;
    const COPY: u16 = 1 << 3;
    pub(crate) const RE_EXPORT: u16 = 1 << 4 | RuntimeFunctions::COPY;
    pub(crate) const TO_ESM: u16 = 1 << 5 | RuntimeFunctions::COPY;
    pub(crate) const TO_COMMON_JS: u16 = 1 << 6 | RuntimeFunctions::COPY;
    pub(crate) const REQUIRE: u16 = 1 << 7;
    pub(crate) const IMPORT_META: u16 = 1 << 8;
    pub(crate) const DEFINE_MODULE: u16 = 1 << 9;
    pub(crate) const IS_MAIN: u16 = 1 << 10;

    const NAMES: [&str; 13] = [
        "__copyProperties",
        "__commonJS",
        "__esm",
        "__export",
        "__reExport",
        "__toESM",
        "__commonJSViews",
        "__toCommonJS",
        "__require",
        "__createRequire",
        "__import_meta",
        "__defineModule",
        "__isMain",
    ];

    /// Functions that chunks can import from each other; others depend on the chunk's place.
    const SHAREABLE: [(u16, &str); 8] = [
        (RuntimeFunctions::COPY, "__copyProperties"),
        (RuntimeFunctions::COMMON_JS, "__commonJS"),
        (RuntimeFunctions::ESM, "__esm"),
        (RuntimeFunctions::EXPORT, "__export"),
        (1 << 4, "__reExport"),
        (1 << 5, "__toESM"),
        (1 << 6, "__toCommonJS"),
        (RuntimeFunctions::DEFINE_MODULE, "__defineModule"),
    ];

    /// Names that the functions' code declares, with an estimate of how often a bundle has them.
    pub(crate) fn all_names(linked: &Linked) -> Vec<(String, u32)> {
        let mut count_of: FxHashMap<&str, u32> = FxHashMap::default();
        let mut add = |name: &'static str, count: u32| *count_of.entry(name).or_default() += count;
        for (index, wrap) in linked.wraps.iter().enumerate().filter(|(index, _)| linked.live.modules[*index])
        {
            let is_live = |symbol| linked.is_live(SymbolRef::new(index, symbol));
            match wrap {
                Wrap::CommonJs => add("__commonJS", 1),
                Wrap::Esm => add("__esm", 1),
                Wrap::None => {}
            }
            add("__toESM", u32::from(is_live(INTEROP)) + u32::from(is_live(INTEROP_NODE)));
            add("__export", u32::from(is_live(NAMESPACE)));
        }
        let own = RuntimeFunctions::NAMES
            .iter()
            .map(|&name| (name.to_owned(), count_of.get(name).copied().unwrap_or(0)));
        let mut names: Vec<(String, u32)> = own.collect();
        let mut seen = FxHashSet::default();
        for (index, module) in linked.modules.iter().enumerate().filter(|(index, _)| linked.reached[*index]) {
            let helpers = module.helpers.iter().filter(|_| linked.is_printed(index));
            let new = helpers.filter(|(_, local)| seen.insert(local.as_str()));
            names.extend(new.map(|(_, local)| (local.clone(), 1)));
        }
        names
    }

    /// Functions that are in two sets or more.
    pub(crate) fn in_several(sets: &[RuntimeFunctions]) -> RuntimeFunctions {
        let is_in_several = |bit: u16| sets.iter().filter(|set| set.bits & bit != 0).count() > 1;
        let bits = RuntimeFunctions::SHAREABLE.iter().map(|(bit, _)| *bit).filter(|&bit| is_in_several(bit));
        RuntimeFunctions { bits: bits.fold(0, |all, bit| all | bit), functions: Vec::new() }
    }

    pub(crate) fn intersection(&self, other: &RuntimeFunctions) -> RuntimeFunctions {
        RuntimeFunctions { bits: self.bits & other.bits, functions: Vec::new() }
    }

    pub(crate) fn remove(&mut self, other: &RuntimeFunctions) {
        self.bits &= !other.bits;
    }

    /// The names of those that chunks can import.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let all = RuntimeFunctions::SHAREABLE.iter();
        all.filter(|(bit, _)| self.bits & bit != 0).map(|(_, name)| *name).collect()
    }

    pub(crate) fn add(&mut self, helper: u16) {
        self.bits |= helper;
    }

    pub(crate) fn add_function(&mut self, name: &str, local: &str) {
        let function = (name.to_owned(), local.to_owned());
        if !self.functions.contains(&function) {
            self.functions.push(function);
        }
    }

    pub(crate) fn merge(&mut self, other: RuntimeFunctions) {
        self.bits |= other.bits;
        for (name, local) in other.functions {
            self.add_function(&name, &local);
        }
    }

    /// Their source text.
    pub(crate) fn text(&self, options: &BundleOptions) -> String {
        let require = match (options.format, options.target) {
            (ModuleFormat::CommonJs, _) => "",
            (ModuleFormat::Iife, _) | (ModuleFormat::Esm, BuildTarget::Browser) => REQUIRE_BROWSER,
            (ModuleFormat::Esm, BuildTarget::Node) => REQUIRE_NODE,
            (ModuleFormat::Esm, BuildTarget::Bun) => "var __require = import.meta.require;\n",
        };
        let import_meta = match options.format {
            ModuleFormat::CommonJs => IMPORT_META_COMMON_JS,
            ModuleFormat::Esm | ModuleFormat::Iife => IMPORT_META_BROWSER,
        };
        let is_main = match (options.format, options.target) {
            (ModuleFormat::Esm, BuildTarget::Node) => IS_MAIN_NODE,
            (ModuleFormat::Esm, _) => IS_MAIN_BUN,
            (ModuleFormat::CommonJs | ModuleFormat::Iife, _) => IS_MAIN_COMMON_JS,
        };
        let all = [
            (1 << 7, require),
            (RuntimeFunctions::IMPORT_META, import_meta),
            (RuntimeFunctions::COPY, COPY),
            (RuntimeFunctions::COMMON_JS, COMMON_JS),
            (RuntimeFunctions::ESM, ESM),
            (RuntimeFunctions::EXPORT, EXPORT),
            (1 << 4, RE_EXPORT),
            (1 << 5, TO_ESM),
            (1 << 6, TO_COMMON_JS),
            (RuntimeFunctions::DEFINE_MODULE, DEFINE_MODULE),
            (RuntimeFunctions::IS_MAIN, is_main),
        ];
        let mut text: String =
            all.iter().filter(|(bit, _)| self.bits & bit != 0).map(|(_, text)| *text).collect();
        for (name, local) in &self.functions {
            text.push_str(&transpiler_function(name, local));
        }
        text
    }
}

/// One of the transpiler's functions under a name of its own.
fn transpiler_function(name: &str, local: &str) -> String {
    let (source, head) = match name {
        "Decoration" => (DECORATORS, "\nclass Decoration {".to_owned()),
        name => (TRANSPILER_HELPERS, format!("\nfunction {name}(")),
    };
    let Some(start) = source.find(&head) else { return String::new() };
    let from = &source[start + 1..];
    let end = from.find("\n}\n").map_or(from.len(), |end| end + 3);
    format!("var {local} = {};\n", from[..end].trim_end())
}
