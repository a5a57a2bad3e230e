//! Renders package-lock.json. In: the new graph with its tree, the old text. Out: the new text, in
//! npm's order. An entry that did not change keeps its text; one that moved keeps what it says; of
//! a package that is new, the entry has what the graph and the packument say.

use std::collections::HashMap;

use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::json::{self, Dialect, Member, Node};

use super::flags::{self, Flags};
use super::json::{Json, Members, Style, render_members};
use super::{collation, fresh, manifest, mirror};
use crate::locations::{LocationId, LocationPath, Locations, is_linked};
use crate::{NewLockfile, Previous};

/// Version of a new file.
const VERSION_NEW: u32 = 3;

pub fn render(previous: Option<&Previous<'_>>, new: &mut NewLockfile<'_>) -> String {
    let root = previous.and_then(|previous| json::parse(previous.text, Dialect::Strict).ok());
    let old = previous.zip(root.as_ref()).map(|(previous, root)| OldFile::of(previous, root, new.graph));
    let locations = Locations::of(new.graph, new.tree);
    let paths = locations.paths(new.graph);
    let flags = flags::of(new.graph, &locations);
    let mut renderer =
        Renderer { old, locations: &locations, paths: &paths, flags: &flags, written: HashMap::new() };
    let packages = renderer.packages(new);
    renderer.file(new, packages)
}

/// The file that is replaced.
struct OldFile<'a> {
    text: &'a str,
    root: &'a Node<'a>,
    /// Entries of `packages` by path.
    entries: HashMap<&'a str, &'a Node<'a>>,
    /// By package of the new graph: paths of entries that describe it.
    paths: HashMap<PackageId, Vec<String>>,
    omits_resolved: bool,
}

impl<'a> OldFile<'a> {
    fn of(previous: &Previous<'a>, root: &'a Node<'a>, graph: &Graph) -> OldFile<'a> {
        let members = root.find("packages").map_or(&[][..], Node::members);
        let entries: HashMap<&str, &Node<'_>> =
            members.iter().map(|member| (member.key.as_ref(), &member.node)).collect();
        let old_graph = &previous.lockfile.graph;
        let mut paths: HashMap<PackageId, Vec<String>> = HashMap::new();
        if let Some(tree) = &previous.lockfile.tree {
            let counterparts = counterparts(previous, graph);
            let mut by_dir: Vec<_> = Locations::of(old_graph, tree).by_dir(old_graph).into_iter().collect();
            by_dir.sort();
            for (path, package) in by_dir {
                if let Some(now) = counterparts[package.0 as usize]
                    && old_graph.package(package).integrity == graph.package(now).integrity
                {
                    paths.entry(now).or_default().push(path);
                }
            }
        }
        let is_release = |node: &&&Node<'_>| node.find("integrity").is_some();
        let mut releases = entries.values().filter(is_release).peekable();
        let omits_resolved =
            releases.peek().is_some() && releases.all(|node| node.find("resolved").is_none());
        OldFile { text: previous.text, root, entries, paths, omits_resolved }
    }

    /// The text of an entry.
    fn text(&self, node: &Node<'_>) -> &'a str {
        &self.text[node.start..node.end]
    }

    /// Of a key that stands twice, the last one, as it was read.
    fn members(&self, node: &Node<'_>) -> Members {
        let is_last = |it: &&Member<'_>| node.find(&it.key).is_some_and(|last| last.start == it.node.start);
        let members = node.members().iter().filter(is_last);
        members.map(|it| (it.key.to_string(), Json::Raw(self.text(&it.node).to_owned()))).collect()
    }
}

/// By package of the old graph: the same package of the new graph, if it is still there.
pub(crate) fn counterparts(previous: &Previous<'_>, graph: &Graph) -> Vec<Option<PackageId>> {
    let old_graph = &previous.lockfile.graph;
    let mut counterparts: Vec<Option<PackageId>> = vec![None; old_graph.len()];
    for (now, before) in graph.package_ids().zip(previous.origins) {
        if let Some(before) = before {
            counterparts[before.0 as usize] = Some(now);
        }
    }
    for before in old_graph.package_ids() {
        let name = graph.find_name(old_graph.package_name(before).as_str());
        let find = || graph.find(name?, &old_graph.package(before).source);
        let counterpart = &mut counterparts[before.0 as usize];
        *counterpart = counterpart.or_else(find);
    }
    counterparts
}

struct Renderer<'a> {
    old: Option<OldFile<'a>>,
    locations: &'a Locations,
    paths: &'a [LocationPath],
    flags: &'a [Flags],
    /// Members of the entries, by path, for the mirror of version 2.
    written: HashMap<String, Members>,
}

impl Renderer<'_> {
    /// The entries by path, in npm's order.
    fn packages(&mut self, new: &mut NewLockfile<'_>) -> Members {
        let mut entries: Members = vec![(String::new(), self.member("", new, Flags::default()))];
        for id in self.locations.all().skip(1) {
            let path = &self.paths[id.index()];
            if path.is_link() {
                let link = vec![
                    ("resolved".to_owned(), Json::Text(path.dir.clone())),
                    ("link".to_owned(), Json::True),
                ];
                entries.push((path.entry.clone(), self.unless_same(&path.entry, Json::Object(link))));
                if self.locations.home(id) != id {
                    continue;
                }
            }
            let flags = self.flags[id.index()];
            let entry = match &new.graph.package(self.locations.get(id).package).source {
                Source::Workspace { path, .. } => self.member(path, new, flags),
                Source::Root => continue,
                _ => self.package(id, new),
            };
            entries.push((path.dir.clone(), entry));
        }
        entries.sort_by(|(a, _), (b, _)| collation::compare(a, b));
        entries.dedup_by(|(a, _), (b, _)| a == b);
        entries
    }

    /// The old text, where it says the same.
    fn unless_same(&self, path: &str, value: Json) -> Json {
        let old = self.old.as_ref().and_then(|old| Some((old, *old.entries.get(path)?)));
        match (old, &value) {
            (Some((old, node)), Json::Object(members)) => {
                let is_same = node.members().len() == members.len()
                    && members
                        .iter()
                        .all(|(key, value)| node.find(key).map(Json::of).as_ref() == Some(value));
                if is_same { Json::Raw(old.text(node).to_owned()) } else { value }
            }
            _ => value,
        }
    }

    fn member(&mut self, path: &str, new: &NewLockfile<'_>, flags: Flags) -> Json {
        let text = new.members.iter().find(|member| member.path == path).map_or("{}", |member| member.text);
        let old = self.old.as_ref();
        let old = old.and_then(|old| old.entries.get(path).map(|node| (old.members(node), *node)));
        let mut members = manifest::members(path, text, old);
        set_flags(&mut members, flags);
        self.written.insert(path.to_owned(), members.clone());
        Json::Object(members)
    }

    fn package(&mut self, id: LocationId, new: &mut NewLockfile<'_>) -> Json {
        let package = self.locations.get(id).package;
        let flags = self.flags[id.index()];
        let path = &self.paths[id.index()].dir;
        let old_paths = self.old.as_ref().and_then(|old| old.paths.get(&package));
        let same = old_paths.and_then(|paths| paths.iter().find(|old| *old == path).or(paths.first()));
        let old = self.old.as_ref().and_then(|old| Some((old, *old.entries.get(same?.as_str())?)));
        let name = self.locations.get(id).name.map(|name| new.graph.name(name));
        let is_link = is_linked(&new.graph.package(package).source);
        let manifest = is_link.then(|| (new.facts)(package)).flatten().and_then(|facts| facts.manifest_text);
        let mut members = match (old, &manifest) {
            (old, Some(text)) => {
                manifest::members(path, text, old.map(|(old, node)| (old.members(node), node)))
            }
            (Some((old, node)), None) => old.members(node),
            (None, None) => {
                let facts = (new.facts)(package);
                let omits_resolved = self.old.as_ref().is_some_and(|old| old.omits_resolved);
                fresh::members(new.graph, package, facts, omits_resolved || flags.in_bundle)
            }
        };
        let own = new.graph.package_name(package);
        members.retain(|(key, _)| key != "name");
        if name.is_some_and(|name| name != own) || self.is_named_otherwise(id, own.as_str()) {
            members.push(("name".to_owned(), Json::Text(own.to_string())));
        }
        members.retain(|(key, _)| key != "inBundle");
        if flags.in_bundle {
            members.push(("inBundle".to_owned(), Json::True));
        }
        set_flags(&mut members, flags);
        self.written.insert(path.clone(), members.clone());
        match old {
            Some((old, node)) if same == Some(path) && manifest.is_none() && has_members(node, &members) => {
                Json::Raw(old.text(node).to_owned())
            }
            _ => Json::Object(members),
        }
    }

    /// A directory that is not called as its package.
    fn is_named_otherwise(&self, id: LocationId, own: &str) -> bool {
        let path = &self.paths[id.index()];
        path.is_link() && manifest::directory_name(&path.dir) != own
    }

    fn file(&self, new: &NewLockfile<'_>, packages: Members) -> String {
        let old = self.old.as_ref();
        let style = old.map_or_else(Style::default, |old| Style::of(old.text, old.root));
        let mut members = old.map_or_else(Vec::new, |old| old.members(old.root));
        let project = &self.written[""];
        for key in ["name", "version"] {
            let value = project.iter().find(|(other, _)| other == key).map(|(_, value)| value.clone());
            set(&mut members, key, value);
        }
        if old.is_none() {
            set(&mut members, "lockfileVersion", Some(Json::Number(VERSION_NEW)));
            set(&mut members, "requires", Some(Json::True));
        }
        let mut text = String::new();
        render_members(packages.iter().map(|(path, entry)| (path.as_str(), entry)), &mut text, &style, 1);
        set(&mut members, "packages", Some(Json::Raw(text)));
        if members.iter().any(|(key, _)| key == "dependencies")
            || old.is_some_and(|old| {
                old.root.find("lockfileVersion").map(Json::of) == Some(Json::Raw("2".to_owned()))
            })
        {
            let mirror = mirror::dependencies(new.graph, self.locations, self.paths, &self.written);
            set(&mut members, "dependencies", mirror);
        }
        let mut out = String::new();
        Json::Object(members).render_into(&mut out, &style, 0);
        if style.has_final_newline {
            out.push_str(style.newline);
        }
        out
    }
}

/// Sets a member in its place; `None` takes it away.
fn set(members: &mut Members, key: &str, value: Option<Json>) {
    match (members.iter_mut().find(|(other, _)| other == key), value) {
        (Some((_, old)), Some(value)) => *old = value,
        (None, Some(value)) => members.push((key.to_owned(), value)),
        (_, None) => members.retain(|(other, _)| other != key),
    }
}

fn set_flags(members: &mut Members, flags: Flags) {
    for (key, is_set) in Flags::KEYS.into_iter().zip(flags.values()) {
        set(members, key, is_set.then_some(Json::True));
    }
    members.retain(|(key, _)| key != "extraneous");
}

/// Whether an entry has these keys; their values come from it.
fn has_members(node: &Node<'_>, members: &Members) -> bool {
    node.members().len() == members.len() && members.iter().all(|(key, _)| node.find(key).is_some())
}
