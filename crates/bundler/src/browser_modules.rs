//! Modules of Node in bundles for browsers: those that need nothing of a system. In: a name. Out:
//! the module's code. Those that browsers cannot have are empty modules. The files are in
//! `ext/bundler/browser`, or are the runtime's own.

use std::borrow::Cow;

/// The namespace of these modules.
pub(crate) const NAMESPACE: &str = "node-browser";

const MODULES: [(&str, &str); 27] = [
    ("assert", include_str!("../../../ext/bundler/browser/assert.js")),
    ("buffer", include_str!("../../../ext/bundler/browser/buffer.js")),
    ("console", include_str!("../../../ext/bundler/browser/console.js")),
    ("constants", include_str!("../../../ext/bundler/browser/constants.js")),
    ("crypto", include_str!("../../../ext/bundler/browser/crypto.js")),
    ("domain", include_str!("../../../ext/bundler/browser/domain.js")),
    ("events", include_str!("../../../ext/bundler/browser/events.js")),
    ("http", include_str!("../../../ext/bundler/browser/http.js")),
    ("https", include_str!("../../../ext/bundler/browser/https.js")),
    ("internal/errors", include_str!("../../../ext/bundler/browser/internal/errors.js")),
    ("internal/hashes", include_str!("../../../ext/bundler/browser/internal/hashes.js")),
    ("internal/http_client", include_str!("../../../ext/bundler/browser/internal/http_client.js")),
    ("internal/util", include_str!("../../../ext/bundler/browser/internal/util.js")),
    ("internal/validators", include_str!("../../../ext/bundler/browser/internal/validators.js")),
    ("net", include_str!("../../../ext/bundler/browser/net.js")),
    ("os", include_str!("../../../ext/bundler/browser/os.js")),
    ("path", include_str!("../../../ext/bundler/browser/path.js")),
    ("process", include_str!("../../../ext/bundler/browser/process.js")),
    ("stream", include_str!("../../../ext/bundler/browser/stream.js")),
    ("stream/promises", include_str!("../../../ext/bundler/browser/stream_promises.js")),
    ("string_decoder", include_str!("../../../ext/bundler/browser/string_decoder.js")),
    ("sys", include_str!("../../../ext/bundler/browser/sys.js")),
    ("timers", include_str!("../../../ext/bundler/browser/timers.js")),
    ("tty", include_str!("../../../ext/bundler/browser/tty.js")),
    ("url", include_str!("../../../ext/bundler/browser/url.js")),
    ("util", include_str!("../../../ext/bundler/browser/util.js")),
    ("zlib", include_str!("../../../ext/bundler/browser/zlib.js")),
];

/// Files of the runtime that need no engine.
const SHARED: [(&str, &str); 5] = [
    ("internal/path/glob", include_str!("../../../ext/path/js/internal/path/glob.js")),
    ("internal/path/posix", include_str!("../../../ext/path/js/internal/path/posix.js")),
    ("internal/path/shared", include_str!("../../../ext/path/js/internal/path/shared.js")),
    ("punycode", include_str!("../../../ext/url/js/node/punycode.js")),
    ("querystring", include_str!("../../../ext/url/js/node/querystring.js")),
];

/// Modules that are a part of another one.
const PARTS: [(&str, &str); 3] = [
    ("assert/strict", "module.exports = require('assert').strict;\n"),
    ("path/posix", "module.exports = require('path');\n"),
    ("util/types", "module.exports = require('util').types;\n"),
];

/// Modules that are empty, as in bun: many programs import them for code that browsers never run.
pub(crate) const EMPTY: [&str; 2] = ["fs", "fs/promises"];

/// The code of a module.
pub(crate) fn find(name: &str) -> Option<Cow<'static, str>> {
    let of = |modules: &'static [(&str, &str)]| modules.iter().find(|(known, _)| *known == name);
    if let Some((_, code)) = of(&MODULES).or_else(|| of(&PARTS)) {
        return Some(Cow::Borrowed(code));
    }
    let (_, code) = of(&SHARED)?;
    // Browsers have no global of this name.
    Some(match code.contains("process.") {
        true => Cow::Owned(format!("const process = require('process');\n{code}")),
        false => Cow::Borrowed(code),
    })
}
