//! Stack of namespace blocks during lowering. In: scopes. Out: a parameter name for each block.
//! Absent: the content of blocks.

use std::collections::{HashMap, HashSet};

use oxc::semantic::{ScopeId, Scoping};

pub(super) struct Block<'a> {
    /// Its index in `MergedNamespaces`.
    pub(super) namespace: usize,
    pub(super) scope: ScopeId,
    pub(super) parameter: &'a str,
    /// Exports that are only properties of the namespace's object.
    pub(super) variables: HashSet<&'a str>,
}

/// Parameter names that shadow no name used within the block.
pub(super) struct ParameterNames<'s> {
    /// The scopes that declare each name, in order; empty for global names.
    scopes: HashMap<&'s str, Vec<ScopeId>>,
    /// The last scope nested in each scope: scopes are numbered in source order.
    last: Vec<ScopeId>,
    /// How many numbered names each name has.
    made: HashMap<String, usize>,
}

impl<'s> ParameterNames<'s> {
    pub(super) fn of(scoping: &'s Scoping) -> ParameterNames<'s> {
        let mut scopes: HashMap<&str, Vec<ScopeId>> = HashMap::new();
        for symbol in scoping.symbol_ids() {
            scopes.entry(scoping.symbol_name(symbol)).or_default().push(scoping.symbol_scope_id(symbol));
        }
        scopes.values_mut().for_each(|scopes| scopes.sort_unstable());
        for name in scoping.root_unresolved_references().keys() {
            scopes.entry(name.as_str()).or_default();
        }
        let mut last: Vec<ScopeId> = (0..scoping.scopes_len()).map(ScopeId::from_usize).collect();
        for scope in (0..last.len()).rev() {
            if let Some(parent) = scoping.scope_parent_id(ScopeId::from_usize(scope)) {
                let end = last[scope].max(last[parent.index()]);
                last[parent.index()] = end;
            }
        }
        ParameterNames { scopes, last, made: HashMap::new() }
    }

    /// The namespace's own name, or that with a number if the block uses the name otherwise.
    pub(super) fn parameter(&mut self, name: &str, scope: ScopeId) -> String {
        let scopes = self.scopes.get(name).map_or(&[][..], Vec::as_slice);
        let next = scopes.partition_point(|one| *one < scope);
        if scopes.get(next).is_none_or(|one| *one > self.last[scope.index()]) {
            return name.to_owned();
        }
        let made = self.made.entry(name.to_owned()).or_default();
        loop {
            *made += 1;
            let numbered = format!("{name}_{made}");
            if !self.scopes.contains_key(numbered.as_str()) {
                return numbered;
            }
        }
    }
}
