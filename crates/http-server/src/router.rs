//! Router: paths with parameters (`/users/:id`) and wildcards (`/files/*`). In: routes with their
//! methods and targets; the path of a request, not decoded. Out: the target, and where the
//! parameters are. A segment's own text comes before a parameter, and that before a wildcard; a
//! route without the request's method is passed over. Absent: what a target does.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use rusk_http::parser::METHODS;

use crate::directory::Directory;
use crate::file::FileResponse;
use crate::static_response::StaticResponse;

#[derive(Clone)]
pub enum RouteTarget {
    /// The program's handler of that number.
    Handler(u32),
    Static(Rc<StaticResponse>),
    File(Rc<FileResponse>),
    Directory(Rc<Directory>),
    /// As if there were no route.
    Fallback,
}

pub struct Route<'r> {
    /// Begins with a slash.
    pub path: &'r str,
    /// Index into [`METHODS`]; `None`: all.
    pub method: Option<usize>,
    pub target: RouteTarget,
}

/// Targets by method; a target without one is for all.
type Targets = Vec<(Option<usize>, RouteTarget)>;

#[derive(Default)]
pub struct RouteTable {
    /// Paths without parameters.
    exact: HashMap<Vec<u8>, Targets>,
    /// The first node is the root.
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    children: HashMap<Vec<u8>, usize>,
    parameter: Option<usize>,
    /// Targets of the path that ends here.
    targets: Targets,
    wildcard: Targets,
}

impl RouteTable {
    pub fn add(&mut self, route: Route<'_>) {
        let entry = (route.method, route.target);
        let segments: Vec<&str> = route.path.split('/').skip(1).collect();
        let is_pattern = segments.iter().any(|segment| segment.starts_with(':') || *segment == "*");
        if !is_pattern {
            self.exact.entry(route.path.as_bytes().to_vec()).or_default().push(entry);
            return;
        }
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        let mut node = 0;
        for segment in segments {
            if segment == "*" {
                // What follows a wildcard has no meaning.
                self.nodes[node].wildcard.push(entry);
                return;
            }
            node = self.child(node, segment);
        }
        self.nodes[node].targets.push(entry);
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.nodes.is_empty()
    }

    /// `parameters` gets the ranges of the parameters in `path`. Of several slashes at its begin
    /// one counts, as with bun.
    pub fn find(
        &self,
        method: usize,
        path: &[u8],
        parameters: &mut Vec<Range<usize>>,
    ) -> Option<&RouteTarget> {
        parameters.clear();
        let doubled = path.iter().take_while(|&&byte| byte == b'/').count().saturating_sub(1);
        let exact = self.exact.get(&path[doubled..]).and_then(|targets| target_of(targets, method));
        if exact.is_some() {
            return exact;
        }
        match self.nodes.is_empty() || !path.starts_with(b"/") {
            true => None,
            false => self.find_below(0, method, path, doubled + 1, parameters),
        }
    }

    /// `at`: where the next segment begins; beyond the end if there is none.
    fn find_below(
        &self,
        node: usize,
        method: usize,
        path: &[u8],
        at: usize,
        parameters: &mut Vec<Range<usize>>,
    ) -> Option<&RouteTarget> {
        let node = &self.nodes[node];
        if at > path.len() {
            return target_of(&node.targets, method);
        }
        let end = path[at..].iter().position(|&byte| byte == b'/').map_or(path.len(), |count| at + count);
        if let Some(&child) = node.children.get(&path[at..end])
            && let Some(found) = self.find_below(child, method, path, end + 1, parameters)
        {
            return Some(found);
        }
        if let Some(child) = node.parameter
            && end > at
        {
            parameters.push(at..end);
            if let Some(found) = self.find_below(child, method, path, end + 1, parameters) {
                return Some(found);
            }
            parameters.pop();
        }
        target_of(&node.wildcard, method)
    }

    fn child(&mut self, node: usize, segment: &str) -> usize {
        let next = self.nodes.len();
        let found = match segment.starts_with(':') {
            true => *self.nodes[node].parameter.get_or_insert(next),
            false => *self.nodes[node].children.entry(segment.as_bytes().to_vec()).or_insert(next),
        };
        if found == next {
            self.nodes.push(Node::default());
        }
        found
    }
}

/// The target of the method, else the one for all; HEAD is answered by GET's.
fn target_of(targets: &Targets, method: usize) -> Option<&RouteTarget> {
    let of = |wanted: Option<usize>| {
        targets.iter().find(|(method, _)| *method == wanted).map(|(_, target)| target)
    };
    let get =
        || if METHODS[method] == "HEAD" { METHODS.iter().position(|name| *name == "GET") } else { None };
    of(Some(method)).or_else(|| of(Some(get()?))).or_else(|| of(None))
}

/// The path of a request target: without scheme, authority (absolute form) and query.
pub fn path_of_target(target: &[u8]) -> &[u8] {
    let end = target.iter().position(|&byte| byte == b'?').unwrap_or(target.len());
    let target = &target[..end];
    if target.first() == Some(&b'/') {
        return target;
    }
    let Some(scheme) = target.windows(3).position(|bytes| bytes == b"://") else { return target };
    let rest = &target[scheme + 3..];
    rest.iter().position(|&byte| byte == b'/').map_or(b"/", |begin| &rest[begin..])
}

#[cfg(test)]
mod tests;
