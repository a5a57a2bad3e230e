//! Renders yarn.lock of Yarn 2 and newer. In: the new graph, the old text. Out: the new text,
//! sorted as Yarn sorts. An entry whose package stays keeps its text. A new entry has no checksum:
//! that of Yarn is of an archive which Yarn alone makes; Yarn accepts the entry and adds it.

mod user_patches;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Bin, Dependency, DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::manifest::{self, Manifest};
use rusk_npm::overrides::Rule;
use rusk_npm::yarn_patch::YarnPatch;

use super::super::assignment::{self, Assignment};
use super::super::syntax;
use super::super::{descriptor, quote};
use super::entry;
use super::format::{BerryVersion, PATCHED_BY_YARN, bound, parameter};
use super::patch_hash;
use super::table::BerryTable;
use super::tool_version::ToolVersion;
use crate::npm::facts_of_graph;
use crate::{NewLockfile, Previous};

/// Yarn puts longer keys on a line of their own.
const KEY_BYTES_MAX: usize = 1024;

pub(in super::super) fn render(
    version: BerryVersion,
    previous: &Previous<'_>,
    new: &mut NewLockfile<'_>,
) -> String {
    let text = previous.text;
    // It was read before.
    let blocks = syntax::parse(text).unwrap_or_default();
    let Ok(table) = BerryTable::of(&blocks) else { return text.to_owned() };
    let manifest = new.members.first().and_then(|project| project.manifest);
    let tool = ToolVersion::of(manifest.and_then(|manifest| manifest.package_manager.as_deref()));
    let tool = tool.unwrap_or(ToolVersion::NEWEST);
    let renderer = Renderer { version, tool, text, old: OldFile::of(&table, new.graph), table: &table };
    let mut entries = renderer.members(new);
    renderer.packages(new, &mut entries);
    user_patches::keep(&renderer, new, &mut entries);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let first = table.entries.first().map_or(text.len(), |entry| entry.start);
    let mut out = text[..first].trim_end().to_owned();
    for (_, entry) in entries {
        out.push_str(newline);
        out.push_str(newline);
        out.push_str(&entry.replace("\r\n", "\n").replace('\n', newline));
    }
    out.push_str(newline);
    out
}

/// Entries by key, which is their order.
type Entries = BTreeMap<String, String>;

struct OldFile {
    /// By package of the new graph: the entry that describes it.
    entries: HashMap<PackageId, usize>,
    /// The other way round.
    packages: HashMap<usize, PackageId>,
    /// Members by path.
    members: HashMap<String, usize>,
    /// Yarn's own patches by name.
    patches: BTreeMap<String, Vec<usize>>,
    /// Patches of the project.
    user_patches: Vec<(usize, YarnPatch)>,
}

impl OldFile {
    fn of(table: &BerryTable<'_, '_>, graph: &Graph) -> OldFile {
        let mut old = OldFile {
            entries: HashMap::new(),
            packages: HashMap::new(),
            members: HashMap::new(),
            patches: BTreeMap::new(),
            user_patches: Vec::new(),
        };
        for (index, &block) in table.entries.iter().enumerate() {
            let (name, reference) = entry::locator(block);
            if let Some(path) = entry::workspace(block) {
                old.members.insert(path.to_owned(), index);
            } else if let Some(patch) = YarnPatch::parse(name, reference).filter(|it| !it.files.is_empty()) {
                old.user_patches.push((index, patch));
            } else if reference.starts_with("patch:") {
                old.patches.entry(name.to_owned()).or_default().push(index);
            } else if let Ok((name, source)) = entry::identity(block, Some(""))
                && let Some(package) = graph.find_name(&name).and_then(|name| graph.find(name, &source))
            {
                old.entries.entry(package).or_insert(index);
                old.packages.insert(index, package);
            }
        }
        old
    }
}

struct Renderer<'a, 'b, 't> {
    version: BerryVersion,
    /// What the project is used with.
    tool: ToolVersion,
    text: &'a str,
    old: OldFile,
    table: &'a BerryTable<'b, 't>,
}

impl Renderer<'_, '_, '_> {
    fn packages(&self, new: &mut NewLockfile<'_>, entries: &mut Entries) {
        let assignment = self.assignment(new);
        let mut lists: BTreeMap<PackageId, BTreeSet<String>> = BTreeMap::new();
        for (descriptor, &package) in &assignment {
            lists.entry(package).or_default().insert(descriptor.clone());
        }
        let unread = self.implied(new, &mut lists);
        for (index, list) in unread {
            let key = joined(&list);
            entries.insert(key.clone(), format!("{}\n{}", key_line(&key), self.body(index)));
        }
        for (package, list) in lists {
            if let Source::Link { .. } | Source::Directory { .. } = new.graph.package(package).source {
                self.local(new, package, &list, entries);
                continue;
            }
            let body = match self.old.entries.get(&package) {
                Some(&index) => self.body(index).to_owned(),
                None => self.fresh(new, package, None),
            };
            let name = new.graph.package_name(package).as_str();
            if PATCHED_BY_YARN.contains(&name) {
                self.patch(new.graph, package, &list, &body, entries);
            }
            let key = joined(&list);
            entries.insert(key.clone(), format!("{}\n{body}", key_line(&key)));
        }
    }

    /// The lines of an entry after its key.
    fn body(&self, index: usize) -> &str {
        let block = self.table.entries[index];
        &self.text[block.body.min(block.end)..block.end]
    }

    /// A directory has one entry for each descriptor, as each member names it by its own path.
    fn local(
        &self,
        new: &mut NewLockfile<'_>,
        package: PackageId,
        list: &BTreeSet<String>,
        entries: &mut Entries,
    ) {
        for descriptor in list {
            let body = match self.table.find(descriptor) {
                Some(index) => self.body(index).to_owned(),
                None => self.fresh(new, package, Some(descriptor)),
            };
            entries.insert(descriptor.clone(), format!("{}\n{body}", key_line(descriptor)));
        }
    }

    /// Dependencies that Yarn has added to an entry that stays, such as `node-gyp`, keep their
    /// entries. Their descriptors go to `lists`; those of packages that the graph does not have are
    /// returned, by their entry.
    fn implied(
        &self,
        new: &NewLockfile<'_>,
        lists: &mut BTreeMap<PackageId, BTreeSet<String>>,
    ) -> BTreeMap<usize, BTreeSet<String>> {
        let mut unread: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut known: BTreeSet<String> = lists.values().flatten().cloned().collect();
        let mut open: Vec<usize> =
            lists.keys().filter_map(|package| self.old.entries.get(package)).copied().collect();
        while let Some(index) = open.pop() {
            for (name, range) in self.table.entries[index].pairs("dependencies") {
                let descriptor = format!("{name}@{}", bound(range));
                let is_resolved = new.rules.overrides.rules.iter().any(|rule| rule.target.name == name);
                let Some(found) = self.table.find(&descriptor).filter(|_| !is_resolved) else { continue };
                if entry::workspace(self.table.entries[found]).is_some() || !known.insert(descriptor.clone())
                {
                    continue;
                }
                match self.old.packages.get(&found) {
                    Some(&package) => lists.entry(package).or_default().insert(descriptor),
                    None => unread.entry(found).or_default().insert(descriptor),
                };
                open.push(found);
            }
        }
        unread
    }

    fn assignment(&self, new: &NewLockfile<'_>) -> Assignment {
        let rules = new.rules;
        let descriptors = |owner, id| vec![self.descriptor(new.graph, rules, owner, id)];
        let locked = |descriptor: &str| self.old.packages.get(&self.table.find(descriptor)?).copied();
        assignment::of(new.graph, &descriptors, &locked)
    }

    /// The descriptor of a dependency; a resolution replaces its range. Local paths are bound to
    /// the member that names them.
    fn descriptor(&self, graph: &Graph, rules: &Rules, owner: PackageId, id: DependencyId) -> String {
        let dependency = graph.dependency(id);
        let name = graph.name(dependency.name).as_str();
        let parent = graph.package_name(owner).as_str();
        let fits = |rule: &&Rule| {
            rule.target.name == name
                && match &rule.parent {
                    Some(selector) => selector.name == parent,
                    None => rule.target.range.is_empty() || rule.target.range == *dependency.literal,
                }
        };
        let rule = rules.overrides.rules.iter().filter(fits).max_by_key(|rule| rule.parent.is_some());
        let literal = rule.map_or(&*dependency.literal, |rule| &rule.literal);
        let literal = rules.catalog_literal(name, literal);
        let is_local = ["file:", "link:", "portal:"].iter().any(|scheme| literal.starts_with(scheme));
        match self.locator(graph, owner).filter(|_| is_local) {
            Some(locator) => format!("{name}@{literal}::locator={}", parameter(&locator)),
            None => format!("{name}@{}", bound(literal)),
        }
    }

    /// The locator of a member.
    fn locator(&self, graph: &Graph, owner: PackageId) -> Option<String> {
        let path = match &graph.package(owner).source {
            Source::Root => "",
            Source::Workspace { path, .. } => path,
            _ => return None,
        };
        Some(match self.old.members.get(path) {
            Some(&index) => self.table.entries[index].text("resolution")?.to_owned(),
            None => member_locator(graph.package_name(owner).as_str(), path),
        })
    }

    /// The entry of Yarn's own patch beside the entry of the package.
    fn patch(
        &self,
        graph: &Graph,
        package: PackageId,
        list: &BTreeSet<String>,
        body: &str,
        entries: &mut Entries,
    ) {
        let name = graph.package_name(package).as_str();
        let Some(version) = graph.package(package).source.npm_version() else { return };
        let known = self.old.patches.get(name).map_or(&[][..], Vec::as_slice);
        let locator = self.version.patch_locator(name, &version.to_string());
        let resolution = |index: &usize| self.table.entries[*index].text("resolution").unwrap_or_default();
        let same = known.iter().find(|index| {
            resolution(index)
                .strip_prefix(&locator)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('&'))
        });
        // What is there under another name is not patched.
        let own = list.iter().map(|descriptor| descriptor::split(descriptor));
        let key: BTreeSet<String> = own
            .filter(|(own, _)| *own == name)
            .map(|(_, range)| {
                self.version.patch_descriptor(name, range.strip_prefix("npm:").unwrap_or(range))
            })
            .collect();
        if key.is_empty() {
            return;
        }
        let body = match same {
            Some(&index) => self.body(index).to_owned(),
            None => {
                let patches: Vec<_> =
                    known.iter().filter_map(|index| patch_hash::known(resolution(index))).collect();
                let hash = patch_hash::of(name, &version.to_string(), &patches, self.tool);
                let Some(hash) = hash else { return };
                patched(body, &format!("{locator}&hash={hash}"))
            }
        };
        let key = joined(&key);
        entries.insert(key.clone(), format!("{}\n{body}", key_line(&key)));
    }

    /// The project and its members.
    fn members(&self, new: &NewLockfile<'_>) -> Entries {
        let graph = new.graph;
        let mut lists: BTreeMap<PackageId, BTreeSet<String>> = BTreeMap::new();
        for owner in graph.package_ids() {
            for id in assignment::followed(graph, owner) {
                let bound_to = graph.binding(id).filter(|&id| assignment::is_importer(graph, id));
                if let Some(member) = bound_to {
                    let rules = new.rules;
                    let descriptor = self.descriptor(graph, rules, owner, id);
                    lists.entry(member).or_default().insert(self.member_descriptor(graph, descriptor, id));
                }
            }
        }
        let mut entries = Entries::new();
        for id in graph.package_ids().filter(|&id| assignment::is_importer(graph, id)) {
            let Some(locator) = self.locator(graph, id) else { continue };
            let path = match &graph.package(id).source {
                Source::Workspace { path, .. } => path,
                _ => "",
            };
            let mut list = lists.remove(&id).unwrap_or_default();
            list.insert(locator.clone());
            let key = joined(&list);
            let member = new.members.iter().find(|member| member.path == path);
            let manifest = member.and_then(|member| Manifest::parse(member.text).ok()).unwrap_or_default();
            let body = self.member_body(&manifest, &locator);
            entries.insert(key.clone(), format!("{}\n{body}", key_line(&key)));
        }
        entries
    }

    /// Before version 8, a range that a member satisfies has no protocol.
    fn member_descriptor(&self, graph: &Graph, descriptor: String, id: DependencyId) -> String {
        let dependency = graph.dependency(id);
        let written = self.version.written(&dependency.literal);
        match bound(&dependency.literal) == written {
            true => descriptor,
            false => format!("{}@{written}", graph.name(dependency.name)),
        }
    }

    fn member_body(&self, manifest: &Manifest, locator: &str) -> String {
        let mut lines =
            vec!["  version: 0.0.0-use.local".to_owned(), format!("  resolution: {}", quote::berry(locator))];
        let own = [&manifest.dependencies, &manifest.dev_dependencies, &manifest.optional_dependencies];
        let own: BTreeMap<&str, &str> =
            own.into_iter().flatten().map(|(name, literal)| (name.as_str(), literal.as_str())).collect();
        let peers: BTreeMap<&str, &str> =
            manifest.peer_dependencies.iter().map(|(name, range)| (name.as_str(), range.as_str())).collect();
        let optional: BTreeSet<&str> =
            manifest.optional_dependencies.iter().map(|(name, _)| name.as_str()).collect();
        let optional_peers: BTreeSet<&str> = manifest.optional_peers.iter().map(String::as_str).collect();
        self.groups(&mut lines, &own, &peers, &optional, &optional_peers);
        let bin = match &manifest.bin {
            manifest::Bin::Map(files) => {
                files.iter().map(|(name, file)| (name.as_str(), file.as_str())).collect()
            }
            manifest::Bin::File(file) => {
                let name = manifest.name.as_deref().unwrap_or_default();
                BTreeMap::from([(name.rsplit('/').next().unwrap_or(name), file.as_str())])
            }
            _ => BTreeMap::new(),
        };
        group(&mut lines, "bin", &bin);
        lines.extend(["  languageName: unknown".to_owned(), "  linkType: soft".to_owned()]);
        lines.join("\n")
    }

    fn groups(
        &self,
        lines: &mut Vec<String>,
        own: &BTreeMap<&str, &str>,
        peers: &BTreeMap<&str, &str>,
        optional: &BTreeSet<&str>,
        optional_peers: &BTreeSet<&str>,
    ) {
        let written: BTreeMap<&str, String> =
            own.iter().map(|(name, literal)| (*name, self.version.written(literal))).collect();
        group(lines, "dependencies", &written.iter().map(|(name, range)| (*name, range.as_str())).collect());
        group(lines, "peerDependencies", peers);
        for (key, names) in [("dependenciesMeta", optional), ("peerDependenciesMeta", optional_peers)] {
            if !names.is_empty() {
                lines.push(format!("  {key}:"));
            }
            for name in names {
                lines.push(format!("    {}:", quote::berry(name)));
                lines.push("      optional: true".to_owned());
            }
        }
    }

    /// The lines of an entry that the file did not have.
    fn fresh(&self, new: &mut NewLockfile<'_>, id: PackageId, descriptor: Option<&str>) -> String {
        let graph = new.graph;
        let facts = (new.facts)(id).unwrap_or_else(|| facts_of_graph(graph, id));
        let package = graph.package(id);
        let name = graph.package_name(id).as_str();
        let version = match &package.source {
            Source::Npm { version, .. } => version.to_string(),
            Source::Link { .. } => "0.0.0-use.local".to_owned(),
            _ => facts.version.unwrap_or_else(|| "0.0.0".to_owned()),
        };
        let locator = || format!("{name}@{}", reference(graph, id));
        let locator = descriptor.map_or_else(locator, str::to_owned);
        let mut lines = vec![
            format!("  version: {}", quote::berry(&version)),
            format!("  resolution: {}", quote::berry(&locator)),
        ];
        let of = |roles: &[Role]| -> BTreeMap<&str, &str> {
            let all = graph.dependencies_of(id).map(|id| graph.dependency(id));
            let is_own = |it: &&Dependency| {
                let version = package.source.npm_version();
                let own = graph.name(it.name).as_str();
                !version.is_some_and(|version| new.rules.extensions.adds(name, version, own, &it.literal))
            };
            let of_roles = all.filter(|it| roles.contains(&it.role) && !it.bundled).filter(is_own);
            of_roles.map(|it| (graph.name(it.name).as_str(), &*it.literal)).collect()
        };
        let own = of(&[Role::Production, Role::Optional]);
        let peers = of(&[Role::Peer, Role::OptionalPeer]);
        let optional = of(&[Role::Optional]).into_keys().collect();
        let optional_peers = of(&[Role::OptionalPeer]).into_keys().collect();
        self.groups(&mut lines, &own, &peers, &optional, &optional_peers);
        group(&mut lines, "bin", &programs(&package.bin, name));
        let conditions = [("os", &facts.os), ("cpu", &facts.cpu), ("libc", &facts.libc)];
        let conditions: Vec<String> =
            conditions.into_iter().filter_map(|(key, list)| condition(key, list)).collect();
        if !conditions.is_empty() {
            lines.push(format!("  conditions: {}", conditions.join(" & ")));
        }
        let is_portal = descriptor.is_some_and(|descriptor| descriptor.contains("@portal:"));
        let is_soft = is_portal || matches!(package.source, Source::Link { .. });
        let link = if is_soft { "soft" } else { "hard" };
        lines.extend(["  languageName: node".to_owned(), format!("  linkType: {link}")]);
        lines.join("\n")
    }
}

fn member_locator(name: &str, path: &str) -> String {
    format!("{name}@workspace:{}", if path.is_empty() { "." } else { path })
}

/// The part of a locator after the name.
fn reference(graph: &Graph, id: PackageId) -> String {
    let name = graph.package_name(id).as_str();
    match &graph.package(id).source {
        Source::Npm { version, tarball } => {
            let version = version.to_string();
            let is_usual =
                tarball.is_empty() || descriptor::registry_prefix(name, &version, tarball).is_some();
            match is_usual {
                true => format!("npm:{version}"),
                false => format!("npm:{version}::__archiveUrl={}", parameter(tarball)),
            }
        }
        Source::Git { repository, .. } => repository.replacen('#', "#commit=", 1),
        Source::Github { repository, .. } => {
            format!("https://github.com/{}", repository.replacen('#', ".git#commit=", 1))
        }
        other => other.text(),
    }
}

fn programs<'a>(bin: &'a Bin, name: &'a str) -> BTreeMap<&'a str, &'a str> {
    match bin {
        Bin::None | Bin::Directory(_) => BTreeMap::new(),
        Bin::File(file) => BTreeMap::from([(name.rsplit('/').next().unwrap_or(name), &**file)]),
        Bin::Named(files) => files.iter().map(|(name, file)| (&**name, &**file)).collect(),
    }
}

fn condition(key: &str, list: &[String]) -> Option<String> {
    let parts: Vec<String> = list.iter().map(|name| format!("{key}={name}")).collect();
    match parts.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("({})", many.join(" | "))),
    }
}

/// The body of an entry with another locator and without its checksum.
fn patched(body: &str, resolution: &str) -> String {
    let lines = body.lines().filter(|line| !line.starts_with("  checksum:"));
    let lines = lines.map(|line| match line.starts_with("  resolution:") {
        true => format!("  resolution: {}", quote::berry(resolution)),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn group(lines: &mut Vec<String>, key: &str, pairs: &BTreeMap<&str, &str>) {
    if !pairs.is_empty() {
        lines.push(format!("  {key}:"));
    }
    for (name, value) in pairs {
        lines.push(format!("    {}: {}", quote::berry(name), quote::berry(value)));
    }
}

fn joined(list: &BTreeSet<String>) -> String {
    list.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn key_line(key: &str) -> String {
    let word = quote::berry(key);
    if key.len() > KEY_BYTES_MAX { format!("? {word}\n:") } else { format!("{word}:") }
}
