//! Reads the configuration files. In: the project's directory and the host environment. Out:
//! layers, highest precedence first, and bunfig.toml of project and user merged. A missing file
//! equals an empty one.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_lockfiles::settings::ToolSettings;
use rusk_npm::bunfig::{Bunfig, Registry};
use rusk_npm::configuration_inputs::ConfigurationInputs;
use rusk_npm::credential::{Address, default_registry};
use rusk_npm::npmrc::Layer;

use super::interception::ProjectBunfig;
use super::{from_home, problem, release_age, release_trust, tool_settings};
use crate::request::HostEnvironment;

/// Larger files are refused: a configuration has a page or two, with certificates perhaps ten.
pub(super) const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug)]
pub(super) struct Sources {
    pub(super) environment: Layer,
    /// Settings of Yarn or pnpm, in a project of theirs.
    pub(super) tool: Layer,
    pub(super) project: Layer,
    pub(super) user: Layer,
    pub(super) machine: Layer,
    pub(super) bunfig: Bunfig,
    /// `//host/path/` of registries in the user's own bunfig.toml.
    pub(super) user_prefixes: Vec<String>,
    /// URLs of registries in the user's own bunfig.toml.
    pub(super) user_urls: Vec<String>,
    /// The default registry of the user's and the machine's own files.
    pub(super) user_default: Address,
    /// Of the project's bunfig.toml: prefixes, and the variables in their credentials.
    pub(super) project_variables: Vec<(String, Vec<String>)>,
    pub(super) project_bunfig: ProjectBunfig,
    /// The directory of the cache in the project's bunfig.toml, which is not used: a project could
    /// bring a cache with changed packages.
    pub(super) project_cache_dir: Option<String>,
    pub(super) project_dir: PathBuf,
    /// Settings of Yarn or pnpm that are not followed.
    pub(super) notes: Vec<String>,
}

/// The user's own `.npmrc`: `userconfig` in the environment, else in the home directory.
pub(super) fn user_npmrc(environment: &Layer, host: &HostEnvironment) -> Option<PathBuf> {
    let configured = environment.one("userconfig").map(|path| from_home(path, host));
    configured.or_else(|| host.home_dir.as_ref().map(|home| home.join(".npmrc")))
}

impl Sources {
    pub(super) fn read(
        project_dir: &Path,
        host: &HostEnvironment,
        inputs: &mut ConfigurationInputs,
    ) -> Result<Sources> {
        let environment = Layer::of_environment(&host.environment);
        let project = layer(Some(&project_dir.join(".npmrc")), host, inputs)?;
        let user_path = user_npmrc(&environment, host);
        let user = layer(user_path.as_deref(), host, inputs)?;
        let machine_path = machine_npmrc(&environment, &user, host, inputs);
        let machine = layer(machine_path.as_deref(), host, inputs)?;
        let user_bunfig =
            bunfig(user_bunfig(host).as_deref(), host, inputs)?.tied_to(&default_of(&[], &[&user, &machine]));
        let user_default = default_of(&[&user_bunfig], &[&user, &machine]);
        let mut project_bunfig = bunfig(Some(&project_dir.join("bunfig.toml")), host, inputs)?;
        let project_cache_dir = project_bunfig.cache.as_mut().and_then(|cache| cache.dir.take());
        if project_cache_dir.is_some() {
            project_bunfig.cache = project_bunfig.cache.filter(|cache| cache.disable);
        }
        let default = default_of(&[&user_bunfig], &[&project, &user, &machine]);
        let ToolSettings { layer: tool, notes } = tool_settings::read(project_dir, host, &default, inputs)?;
        let project_npmrc = project_dir.join(".npmrc");
        let (user_npmrc, machine_npmrc) = (user_path.unwrap_or_default(), machine_path.unwrap_or_default());
        for (layer, origin) in [
            (&environment, LayerOrigin::Environment),
            (&tool, LayerOrigin::Tool(project_dir)),
            (&project, LayerOrigin::File(&project_npmrc)),
            (&user, LayerOrigin::File(&user_npmrc)),
            (&machine, LayerOrigin::File(&machine_npmrc)),
        ] {
            release_age::check(layer, &origin)?;
            release_trust::check(layer, &origin)?;
        }
        let project_bunfig = project_bunfig.tied_to(&default);
        let user_prefixes = registries_of(&user_bunfig).filter_map(|it| it.prefix.clone()).collect();
        let user_urls = registries_of(&user_bunfig).filter_map(|it| it.url.clone()).collect();
        let project_variables = registries_of(&project_bunfig)
            .filter(|registry| !registry.variables.is_empty())
            .filter_map(|registry| Some((registry.prefix.clone()?, registry.variables.clone())))
            .collect();
        let names_certificates = project_bunfig.ca.is_some() || project_bunfig.cafile.is_some();
        let own_of_bunfig = ProjectBunfig::of(registries_of(&project_bunfig), names_certificates);
        let user_cache_dir = user_bunfig.cache.as_ref().and_then(|cache| cache.dir.clone());
        let mut bunfig = project_bunfig.over(user_bunfig);
        if let Some(cache) = &mut bunfig.cache {
            cache.dir = user_cache_dir;
        }
        let project_dir = project_dir.to_owned();
        Ok(Sources {
            environment,
            tool,
            project,
            user,
            machine,
            bunfig,
            user_prefixes,
            user_urls,
            user_default,
            project_variables,
            project_bunfig: own_of_bunfig,
            project_cache_dir,
            project_dir,
            notes,
        })
    }

    /// The files only, highest precedence first.
    pub(super) fn files(&self) -> [&Layer; 4] {
        [&self.tool, &self.project, &self.user, &self.machine]
    }

    /// The environment and the files, highest precedence first.
    pub(super) fn layers(&self) -> [&Layer; 5] {
        [&self.environment, &self.tool, &self.project, &self.user, &self.machine]
    }

    /// The value from the highest layer that has one.
    pub(super) fn highest<T>(&self, ask: impl Fn(&Layer) -> Option<T>) -> Option<T> {
        self.layers().into_iter().find_map(ask)
    }

    /// As [`Sources::highest`] for a boolean; bunfig's value ranks below the environment's.
    pub(super) fn boolean(&self, bunfig: Option<bool>, key: &str) -> Option<bool> {
        let files = || self.files().into_iter().find_map(|layer| layer.truth(key));
        self.environment.truth(key).or(bunfig).or_else(files)
    }

    /// The same of a key that allows what is refused without it.
    pub(super) fn allows(&self, bunfig: Option<bool>, key: &str) -> bool {
        let files = || self.files().into_iter().find_map(|layer| layer.permission(key));
        self.environment.permission(key).or(bunfig).or_else(files) == Some(true)
    }
}

/// Where a layer is from, for errors.
pub(super) enum LayerOrigin<'a> {
    Environment,
    /// A file of Yarn or pnpm in the project.
    Tool(&'a Path),
    File(&'a Path),
}

impl LayerOrigin<'_> {
    /// An error for a value of a key that is not valid; `null` and `undefined` count as absent.
    pub(super) fn check(
        &self,
        layer: &Layer,
        key: &str,
        expected: &str,
        is_valid: &dyn Fn(&str) -> bool,
    ) -> Result<()> {
        let Some(found) = layer.one(key).filter(|text| *text != "undefined" && !is_valid(text)) else {
            return Ok(());
        };
        let place = match self {
            LayerOrigin::Environment => {
                format!("in the environment variable `npm_config_{}`", key.replace('-', "_"))
            }
            LayerOrigin::Tool(dir) => format!("in the settings of pnpm or Yarn in `{}`", dir.display()),
            LayerOrigin::File(path) => format!("in `{}`", path.display()),
        };
        Err(problem::npmrc_value(key, found, expected).note(place))
    }
}

fn registries_of(bunfig: &Bunfig) -> impl Iterator<Item = &Registry> {
    bunfig.registry.iter().chain(bunfig.scopes.iter().map(|(_, registry)| registry))
}

fn layer(path: Option<&Path>, host: &HostEnvironment, inputs: &mut ConfigurationInputs) -> Result<Layer> {
    let Some(path) = path else { return Ok(Layer::default()) };
    let text = files::find_string(path, FILE_BYTES_MAX)?.unwrap_or_default();
    inputs.add_file(path, &text);
    Ok(Layer::parse(&text, &host.environment))
}

fn bunfig(path: Option<&Path>, host: &HostEnvironment, inputs: &mut ConfigurationInputs) -> Result<Bunfig> {
    let Some(path) = path else { return Ok(Bunfig::default()) };
    let text = files::find_string(path, FILE_BYTES_MAX)?.unwrap_or_default();
    inputs.add_file(path, &text);
    Bunfig::parse(&text, &host.environment)
        .map_err(|problem| problem.note(format!("in `{}`", path.display())))
}

pub(super) fn read_user_bunfig(host: &HostEnvironment) -> Result<Bunfig> {
    bunfig(user_bunfig(host).as_deref(), host, &mut ConfigurationInputs::default())
}

/// npm's global settings.
fn machine_npmrc(
    environment: &Layer,
    user: &Layer,
    host: &HostEnvironment,
    inputs: &mut ConfigurationInputs,
) -> Option<PathBuf> {
    match environment.one("globalconfig").or_else(|| user.one("globalconfig")) {
        Some(path) => Some(from_home(path, host)),
        None => prefix(environment, user, host, inputs).map(|prefix| prefix.join("etc/npmrc")),
    }
}

/// The `.npmrc` files of user and machine, wherever they are.
pub(super) fn files_with_tokens(host: &HostEnvironment) -> Result<Vec<PathBuf>> {
    let environment = Layer::of_environment(&host.environment);
    let mut inputs = ConfigurationInputs::default();
    let path = user_npmrc(&environment, host);
    let user = layer(path.as_deref(), host, &mut inputs)?;
    Ok(path.into_iter().chain(machine_npmrc(&environment, &user, host, &mut inputs)).collect())
}

/// The default registry according to these sources.
fn default_of(bunfigs: &[&Bunfig], layers: &[&Layer]) -> Address {
    let mut bunfigs = bunfigs.iter().filter_map(|bunfig| bunfig.registry.as_ref()?.url.as_deref());
    let text = bunfigs.next().or_else(|| layers.iter().find_map(|layer| layer.one("registry")));
    let address = text.and_then(Address::parse).or_else(|| Address::parse(default_registry()));
    address.expect("the crate's own address is one")
}

fn user_bunfig(host: &HostEnvironment) -> Option<PathBuf> {
    let xdg = host.environment.get("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    xdg.or_else(|| host.home_dir.clone()).map(|dir| dir.join(".bunfig.toml"))
}

/// npm's prefix: the configured one, else the parent of the directory of the `node` on PATH.
fn prefix(
    environment: &Layer,
    user: &Layer,
    host: &HostEnvironment,
    inputs: &mut ConfigurationInputs,
) -> Option<PathBuf> {
    let configured = environment.one("prefix").or_else(|| user.one("prefix"));
    let configured = configured.or_else(|| host.environment.get("PREFIX").map(String::as_str));
    if let Some(prefix) = configured.filter(|prefix| !prefix.is_empty()) {
        return Some(from_home(prefix, host));
    }
    let path = host.environment.get("PATH")?;
    let dirs = path.split(':').map(Path::new).filter(|dir| dir.is_absolute());
    // Checked first, because canonicalizing costs a system call for each parent directory.
    let is_there = |node: &PathBuf| {
        inputs.add_lookup(node);
        files::exists(node)
    };
    let node = dirs.map(|dir| dir.join("node")).find(is_there)?.canonicalize().ok()?;
    Some(node.parent()?.parent()?.to_owned())
}
