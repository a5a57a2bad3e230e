//! Settings files of Yarn and pnpm. In: the project's directory. Out: the settings of the program
//! whose files are there, under the keys of `.npmrc`. Yarn's files are read beside a yarn.lock
//! only.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_lockfiles::settings::{ToolSettings, classic_yarnrc, pnpm, yarnrc};
use rusk_lockfiles::{Format, pnpm_workspace};
use rusk_npm::credential::Address;

use super::inputs::ConfigurationInputs;
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
        return pnpm::parse(&text, &host.environment);
    }
    let lockfile = dir.join(Format::Yarn.file_name());
    if !files::exists(&lockfile) {
        inputs.add_lookup(&lockfile);
        return Ok(ToolSettings::default());
    }
    if let Some(text) = find(yarnrc::FILE_NAME)? {
        return yarnrc::parse(&text, &host.environment, default);
    }
    let classic = find(classic_yarnrc::FILE_NAME)?;
    Ok(classic.map(|text| classic_yarnrc::parse(&text, &host.environment)).unwrap_or_default())
}

fn find(path: &Path, inputs: &mut ConfigurationInputs) -> Result<Option<String>> {
    let text = files::find_string(path, FILE_BYTES_MAX)?;
    inputs.add_file(path, text.as_deref().unwrap_or_default());
    Ok(text)
}
