//! Which modules are evaluated within a function: CommonJS modules, and ES modules that are
//! required, or imported dynamically where that is no chunk of its own; with all that they import.
//! In: all modules. Out: a kind of wrapper for each, and whether its evaluation is asynchronous.

use rustc_hash::FxHashSet;

use crate::module::{Module, ModuleIndex, ModuleKind, RecordKind, RecordTarget};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// Its statements stand in the chunk's scope.
    None,
    /// `require_name()` returns `module.exports`.
    CommonJs,
    /// `init_name()` evaluates it; others read its exports from an object.
    Esm,
}

/// What is wrapped for other reasons than the modules themselves.
pub(crate) struct WrapRules<'r> {
    pub(crate) entries: &'r [ModuleIndex],
    /// Modules of this bundle.
    pub(crate) reached: &'r [bool],
    /// Dynamic imports load chunks.
    pub(crate) splitting: bool,
    /// Modules whose importers decide when they are evaluated.
    pub(crate) delayed: &'r [ModuleIndex],
}

/// Kinds of all modules.
pub(crate) fn wraps(modules: &[Module], rules: &WrapRules<'_>) -> Vec<Wrap> {
    let WrapRules { entries, reached, splitting, delayed } = *rules;
    let mut wraps = vec![Wrap::None; modules.len()];
    let mut queue: Vec<ModuleIndex> = delayed.to_vec();
    let bundled = || modules.iter().enumerate().filter(|(index, _)| reached[*index]);
    let imported: FxHashSet<ModuleIndex> =
        bundled().flat_map(|(_, module)| targets(module)).map(|(_, target)| target).collect();
    let entries: FxHashSet<ModuleIndex> = entries.iter().copied().collect();
    for (index, module) in bundled() {
        // A script that no module imports needs no wrapper.
        let is_script =
            entries.contains(&index) && !imported.contains(&index) && !module.features.uses_module;
        if module.kind == ModuleKind::CommonJs && !is_script {
            wraps[index] = Wrap::CommonJs;
        }
        for (kind, target) in targets(module) {
            let is_lazy = match kind {
                RecordKind::Require => true,
                RecordKind::Dynamic => !splitting,
                RecordKind::Statement | RecordKind::Worker => false,
            };
            if !is_lazy {
                continue;
            }
            match modules[target].kind {
                ModuleKind::Esm => queue.push(target),
                ModuleKind::Data if kind == RecordKind::Require => wraps[target] = Wrap::CommonJs,
                _ => {}
            }
        }
    }
    while let Some(index) = queue.pop() {
        if wraps[index] != Wrap::None || modules[index].kind != ModuleKind::Esm {
            continue;
        }
        wraps[index] = Wrap::Esm;
        let statements = targets(&modules[index]).filter(|(kind, _)| *kind == RecordKind::Statement);
        queue.extend(statements.map(|(_, target)| target));
    }
    wraps
}

/// Whether the evaluation of each module waits for something.
pub(crate) fn asynchronous(modules: &[Module]) -> Vec<bool> {
    let mut is_async: Vec<bool> = modules.iter().map(|module| module.features.has_top_level_await).collect();
    let mut importers: Vec<Vec<ModuleIndex>> = vec![Vec::new(); modules.len()];
    for (index, module) in modules.iter().enumerate() {
        for (kind, target) in targets(module) {
            if kind == RecordKind::Statement {
                importers[target].push(index);
            }
        }
    }
    let mut queue: Vec<ModuleIndex> = (0..modules.len()).filter(|&index| is_async[index]).collect();
    while let Some(index) = queue.pop() {
        for &importer in &importers[index] {
            if !is_async[importer] {
                is_async[importer] = true;
                queue.push(importer);
            }
        }
    }
    is_async
}

/// The bundled modules that a module mentions.
pub(crate) fn targets(module: &Module) -> impl Iterator<Item = (RecordKind, ModuleIndex)> + '_ {
    module.records.iter().filter_map(|record| match record.target {
        RecordTarget::Module(target) => Some((record.kind, target)),
        RecordTarget::Unresolved | RecordTarget::External(_) => None,
    })
}
