//! `devEngines` of package.json: what the project is to be developed with, checked as npm 11 does.
//! In: the object, and what is here. Out: what does not fit, and what then happens. Absent: finding
//! out what is here; `packageManager`, which only names.

use crate::json::Node;
use crate::semver::{Range, Version};

/// The members of `devEngines`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    PackageManager,
    Runtime,
    Cpu,
    Libc,
    Os,
}

impl Engine {
    const ALL: [Engine; 5] = [Engine::PackageManager, Engine::Runtime, Engine::Cpu, Engine::Libc, Engine::Os];

    pub fn key(self) -> &'static str {
        match self {
            Engine::PackageManager => "packageManager",
            Engine::Runtime => "runtime",
            Engine::Cpu => "cpu",
            Engine::Libc => "libc",
            Engine::Os => "os",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFail {
    Ignore,
    Warn,
    /// Also for `download`: nothing is downloaded.
    Error,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DevEngines {
    /// An empty list asks for nothing.
    engines: Vec<(Engine, Vec<WantedEngine>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct WantedEngine {
    name: String,
    version: Option<String>,
    on_fail: OnFail,
}

/// What is here in place of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentEngine {
    pub name: String,
    /// `None`: unknown.
    pub version: Option<String>,
}

/// An engine of which no alternative fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetEngine {
    pub engine: Engine,
    /// `npm ^11 or pnpm 9`
    pub wanted: String,
    /// `rusk 0.1.0`
    pub found: String,
    pub on_fail: OnFail,
}

impl DevEngines {
    /// The error says what was expected; npm refuses the same.
    pub fn parse(node: &Node<'_>) -> Result<DevEngines, String> {
        if !node.is_object() {
            return Err(format!("an object as `devEngines`, found {}", node.kind()));
        }
        let mut engines = Vec::new();
        for member in node.members() {
            let engine = Engine::ALL.into_iter().find(|engine| engine.key() == member.key);
            let keys = Engine::ALL.map(|engine| format!("`{}`", engine.key())).join(", ");
            let engine =
                engine.ok_or_else(|| format!("one of {keys} in `devEngines`, found `{}`", member.key))?;
            let wanted = match member.node.is_array() {
                true => member.node.elements().iter().map(|node| WantedEngine::parse(engine, node)).collect(),
                false => WantedEngine::parse(engine, &member.node).map(|wanted| vec![wanted]),
            };
            engines.push((engine, wanted?));
        }
        Ok(DevEngines { engines })
    }

    /// `current` is asked for the engines that are wanted.
    pub fn unmet(&self, mut current: impl FnMut(Engine) -> CurrentEngine) -> Vec<UnmetEngine> {
        let mut unmet = Vec::new();
        for (engine, wanted) in &self.engines {
            let Some(last) = wanted.last() else { continue };
            let found = current(*engine);
            if wanted.iter().any(|wanted| wanted.is_met_by(&found)) {
                continue;
            }
            let alternatives: Vec<String> = wanted.iter().map(WantedEngine::text).collect();
            unmet.push(UnmetEngine {
                engine: *engine,
                wanted: alternatives.join(" or "),
                found: match found.version {
                    Some(version) => format!("{} {version}", found.name),
                    None => found.name,
                },
                on_fail: last.on_fail,
            });
        }
        unmet
    }
}

impl WantedEngine {
    fn parse(engine: Engine, node: &Node<'_>) -> Result<WantedEngine, String> {
        let place = format!("`devEngines.{}`", engine.key());
        if !node.is_object() {
            return Err(format!("objects with `name` in {place}, found {}", node.kind()));
        }
        if let Some(other) =
            node.members().iter().find(|member| !["name", "version", "onFail"].contains(&&*member.key))
        {
            return Err(format!("`name`, `version` and `onFail` in {place}, found `{}`", other.key));
        }
        let string = |key: &str| match node.find(key) {
            None => Ok(None),
            Some(value) => match value.as_str() {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(format!("a string as `{key}` in {place}, found {}", value.kind())),
            },
        };
        let name = string("name")?.ok_or_else(|| format!("`name` in {place}"))?;
        let on_fail = match string("onFail")?.as_deref() {
            None | Some("error" | "download") => OnFail::Error,
            Some("warn") => OnFail::Warn,
            Some("ignore") => OnFail::Ignore,
            Some(other) => {
                return Err(format!(
                    "`ignore`, `warn`, `error` or `download` as `onFail` in {place}, found `{other}`"
                ));
            }
        };
        Ok(WantedEngine { name, version: string("version")?, on_fail })
    }

    /// What is no range must be the version itself.
    fn is_met_by(&self, found: &CurrentEngine) -> bool {
        let Some(wanted) = &self.version else { return self.name == found.name };
        let Some(version) = found.version.as_deref().filter(|_| self.name == found.name) else {
            return false;
        };
        match (Range::parse(wanted), Version::parse(version)) {
            (Some(range), Some(version)) => range.contains(&version),
            _ => wanted == version,
        }
    }

    fn text(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
