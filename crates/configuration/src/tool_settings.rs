//! Settings files of Yarn and pnpm. In: the project's directory. Out: the settings of the program
//! whose files are there, under the keys of `.npmrc`. Yarn's files are read beside a yarn.lock
//! only.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_lockfiles::settings::{ToolSettings, classic_yarnrc, pnpm, yarnrc};
use rusk_lockfiles::{Format, pnpm_workspace};
use rusk_npm::configuration_inputs::ConfigurationInputs;
use rusk_npm::credential::Address;
use rusk_npm::npmrc::{self, Variables};

use super::sources::FILE_BYTES_MAX;
use crate::request::HostEnvironment;

/// `default`: the registry of a project that names none.
pub(super) fn read(
    dir: &Path,
    host: &HostEnvironment,
    default: &Address,
    inputs: &mut ConfigurationInputs,
) -> Result<ToolSettings> {
    let mut find = |name: &str| find(&dir.join(name), inputs);
    if let Some(text) = find(pnpm_workspace::FILE_NAME)? {
        return with_variables(&text, host, &|variables| pnpm::parse(&text, variables));
    }
    let lockfile = dir.join(Format::Yarn.file_name());
    if !files::exists(&lockfile) {
        inputs.add_lookup(&lockfile);
        return Ok(ToolSettings::default());
    }
    if let Some(text) = find(yarnrc::FILE_NAME)? {
        return with_variables(&text, host, &|variables| yarnrc::parse(&text, variables, default));
    }
    match find(classic_yarnrc::FILE_NAME)? {
        Some(text) => with_variables(&text, host, &|variables| Ok(classic_yarnrc::parse(&text, variables))),
        None => Ok(ToolSettings::default()),
    }
}

/// The settings; those that are others without any variable are marked with all that the file
/// names.
fn with_variables(
    text: &str,
    host: &HostEnvironment,
    parse: &dyn Fn(&Variables) -> Result<ToolSettings>,
) -> Result<ToolSettings> {
    let mut settings = parse(&host.environment)?;
    if text.contains("${") {
        let plain = parse(&Variables::new())?.layer;
        let used = npmrc::variables_used(text, &host.environment);
        let keys: Vec<String> = settings.layer.keys().map(str::to_owned).collect();
        for key in keys.iter().filter(|key| settings.layer.all(key) != plain.all(key)).collect::<Vec<_>>() {
            settings.layer.add_variables(key, used.clone());
        }
    }
    Ok(settings)
}

fn find(path: &Path, inputs: &mut ConfigurationInputs) -> Result<Option<String>> {
    let text = files::find_string(path, FILE_BYTES_MAX)?;
    inputs.add_file(path, text.as_deref().unwrap_or_default());
    Ok(text)
}
