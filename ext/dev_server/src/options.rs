//! Options of a bundle, for pages that a server serves. In: the directory of the program,
//! constants, the mode. Out: the bundler's options.

use std::path::PathBuf;

use rusk_bundler::{BundleOptions, Destination, Minify, SourceMaps};
use rusk_jsc::{Call, Exception, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::values::{string_argument, string_list};

/// How pages are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageMode {
    Development,
    Production,
}

/// Arguments from `first` on: the directory, names and values of constants in turn, how many
/// threads, the number of the server's plugins or undefined.
pub fn options<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    first: usize,
    mode: PageMode,
) -> Result<BundleOptions, Exception<'s>> {
    let directory = PathBuf::from(string_argument(scope, call, first)?);
    let constants = string_list(scope, call.argument(scope, first + 1))?;
    let threads = call.argument(scope, first + 2).to_number(scope)?;
    let mut options = BundleOptions::new(directory, Vec::new());
    options.macro_program = Some(PathBuf::from(&RuntimeState::current().program.exec_path));
    let plugins = call.argument(scope, first + 3);
    if !plugins.is_undefined(scope) {
        options.plugins = rusk_ext_bundler::plugins_of_server(plugins.to_number(scope)? as usize);
    }
    options.threads = threads.max(1.0) as usize;
    options.defines = constants.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let environment = match mode {
        PageMode::Development => "\"development\"",
        PageMode::Production => "\"production\"",
    };
    options.defines.push(("process.env.NODE_ENV".to_owned(), environment.to_owned()));
    if mode == PageMode::Production {
        options.minify = Minify::ALL;
        options.source_maps = SourceMaps::None;
        options.splitting = true;
        options.destination = Destination::Directory(PathBuf::from("/"));
        options.naming.entry = "[name]-[hash].[ext]".to_owned();
    }
    Ok(options)
}
