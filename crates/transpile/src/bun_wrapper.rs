//! CommonJS bundles of `bun build --target=bun`: a function around the code, which bun calls. In:
//! the source text. Out: the same with the call.

const HEAD: &str = "// @bun @bun-cjs\n(function(exports, require, module, __filename, __dirname) {";

/// `None`: the file is no such bundle.
pub(crate) fn with_call(source: &str) -> Option<String> {
    let code = match source.starts_with("#!") {
        true => source.split_once('\n')?.1,
        false => source,
    };
    // Comments may stand behind the function.
    let call = "(exports, require, module, __filename, __dirname)";
    code.starts_with(HEAD).then(|| format!("{source}\n{call};\n"))
}
