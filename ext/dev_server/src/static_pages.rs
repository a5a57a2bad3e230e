//! Production builds of pages, in memory. In: the path of an HTML file. Out: its output files.

use std::path::Path;

use rusk_bundler::{BundleOptions, OutputFile, SourceMaps};
use rusk_jsc::{Bytes, Exception, Object, Root, Scope, Value};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::add;
use rusk_runtime::values::string_argument;

use crate::options::{PageMode, options};

/// What a build has made, or the errors as text.
type Built = Result<Vec<OutputFile>, String>;

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: path of the worker's file, callback, then those of `options`. Calls the callback
    // as `build` does; the code is the first file.
    add(scope, binding, "buildWorker", |scope, call| {
        let callback = Root::new(scope, call.argument(scope, 1));
        let mut settings = options(scope, call, 2, PageMode::Development)?;
        settings.entries = vec![string_argument(scope, call, 0)?];
        settings.source_maps = SourceMaps::Inline;
        run(settings, callback);
        Ok(scope.undefined())
    })?;
    // Arguments: path of the page, callback, public path, then those of `options`. Calls the
    // callback with an array of paths and bytes in turn, the page first; or with the errors.
    add(scope, binding, "build", |scope, call| {
        let page = string_argument(scope, call, 0)?;
        let callback = Root::new(scope, call.argument(scope, 1));
        let mut settings = options(scope, call, 3, PageMode::Production)?;
        settings.public_path = string_argument(scope, call, 2)?;
        settings.root = Path::new(&page).parent().map(Path::to_owned);
        settings.entries = vec![page];
        run(settings, callback);
        Ok(scope.undefined())
    })
}

/// Bundles on a thread of the pool.
fn run(settings: BundleOptions, callback: Root) {
    RuntimeState::current().handle.queue_work(
        move || -> Built {
            let built = rusk_bundler::bundle(&settings);
            built.map(|bundle| bundle.files).map_err(|errors| {
                let lines = errors.iter().map(|error| error.to_problem().to_string());
                lines.collect::<Vec<_>>().join("\n")
            })
        },
        move |scope, built| {
            let result = to_value(scope, built)?;
            let function = callback.value(scope).as_function(scope).expect("JavaScript passes one");
            function.call(scope, &[result]).map(|_| ())
        },
    );
}

fn to_value<'s>(scope: &'s Scope, built: Built) -> Result<Value<'s>, Exception<'s>> {
    let mut files = match built {
        Ok(files) => files,
        Err(errors) => return Ok(scope.string(&errors)),
    };
    files.sort_by_key(|file| file.path.extension().is_none_or(|extension| extension != "html"));
    let mut values = Vec::with_capacity(files.len() * 2);
    for file in files {
        values.push(scope.string(&file.path.to_string_lossy()));
        values.push(Bytes::from_vec(scope, file.bytes.into_vec())?.value());
    }
    Ok(scope.array(&values)?.value())
}
