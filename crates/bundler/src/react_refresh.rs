//! React Fast Refresh: calls that register the components of a module, by oxc's transformer. In: a
//! tree without JSX. Out: its new scopes. Absent: the runtime that the calls need
//! (`$RefreshReg$` and `$RefreshSig$` of the package `react-refresh`).

use std::path::Path;

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc_transformer::{JsxOptions, ReactRefreshOptions, TransformOptions, Transformer};

/// Adds the calls. Names are right in the scopes, references of the calls are missing.
pub(crate) fn add_calls<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: Scoping,
    name: &str,
) -> Scoping {
    let refresh = Some(ReactRefreshOptions::default());
    let settings = TransformOptions {
        jsx: JsxOptions { jsx_plugin: false, refresh, ..JsxOptions::default() },
        ..TransformOptions::default()
    };
    Transformer::new(allocator, Path::new(name), &settings).build_with_scoping(scoping, program).scoping
}

/// Adds the calls, and analyses the scopes again.
pub(crate) fn register<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: Scoping,
    name: &str,
) -> Scoping {
    add_calls(allocator, program, scoping, name);
    SemanticBuilder::new().build(program).semantic.into_scoping()
}
