//! `workspaces`: the project and its members.

use std::collections::HashSet;

use rusk_base::Result;

use super::{LockfileReader, is_path_within};
use crate::bun_lock::bind::LockfileEntry;
use crate::graph::{Dependency, Package, Role, Source, Text};
use crate::json::{Member, Node};

/// Stands for the project among the packages when its package.json has no name that could be a
/// package's.
const PROJECT: &str = "project";

impl<'a> LockfileReader<'a> {
    pub(super) fn workspaces(&mut self, root: &Node<'a>, places: &mut Vec<LockfileEntry>) -> Result<()> {
        let members = self.object(root, "workspaces")?;
        let project = members.iter().find(|member| member.key.is_empty());
        let project = project.ok_or_else(|| self.error(root, "a workspace `\"\"`, the project"))?;
        self.project(&project.node, members)?;
        let mut names: HashSet<String> = HashSet::new();
        for member in members.iter().filter(|member| !member.key.is_empty()) {
            let place = self.workspace(&member.key, &member.node)?;
            if !names.insert(place.path.clone()) {
                return Err(self.error(&member.node, &format!("workspace `{}` once", place.path)));
            }
            places.push(place);
        }
        Ok(())
    }

    fn project(&mut self, node: &Node<'a>, members: &[Member<'a>]) -> Result<()> {
        let name = node.find("name").map(|name| self.string(name, "a string as name")).transpose()?;
        self.graph.project_name = name.filter(|name| !name.is_empty()).map(Text::from);
        let mut dependencies = self.dependencies(node)?;
        for member in members.iter().filter(|member| !member.key.is_empty()) {
            let name = member.node.find("name").and_then(Node::as_str);
            let name = name.ok_or_else(|| self.error(&member.node, "a workspace with a `name`"))?;
            let name = self.name(&member.node, name)?;
            let literal = member.key.as_ref().into();
            dependencies.push(Dependency { name, literal, role: Role::Workspace, bundled: false });
        }
        let name = self.graph.project_name.clone();
        let name = name.and_then(|name| self.graph.intern(&name).ok());
        let name = name.unwrap_or_else(|| self.graph.intern(PROJECT).expect("a valid name"));
        self.graph.add(Package::new(name, Source::Root), dependencies);
        Ok(())
    }

    fn workspace(&mut self, path: &str, node: &Node<'a>) -> Result<LockfileEntry> {
        if !is_path_within(path) {
            return Err(self.error(node, "a workspace's path within the project"));
        }
        let text = node.find("name").and_then(Node::as_str);
        let text = text.ok_or_else(|| self.error(node, "a workspace with a `name`"))?;
        let name = self.name(node, text)?;
        let version = match node.find("version") {
            None => None,
            Some(version) => Some(self.version(version, self.string(version, "a version")?)?),
        };
        let source = Source::Workspace { path: path.into(), version };
        let mut package = Package::new(name, source);
        package.bin = self.bin(node)?;
        let dependencies = self.dependencies(node)?;
        let id = self.graph.add(package, dependencies);
        Ok(LockfileEntry {
            path: text.to_owned(),
            package: id,
            bundled: false,
            unresolved: Vec::new(),
            offset: node.start,
        })
    }
}
