//! Which modules are evaluated within a function: CommonJS modules, and ES modules that these need,
//! or that are imported dynamically where that is no chunk of its own; with all that they import,
//! except what the program has evaluated by then. In: all modules. Out: a kind of wrapper for each,
//! and whether its evaluation is asynchronous.

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
    pub(crate) is_async: &'r [bool],
    /// Modules whose importers decide when they are evaluated.
    pub(crate) delayed: &'r [ModuleIndex],
}

/// Kinds of all modules.
pub(crate) fn wraps(modules: &[Module], rules: &WrapRules<'_>) -> Vec<Wrap> {
    let WrapRules { entries, reached, splitting, delayed, .. } = *rules;
    let mut wraps = vec![Wrap::None; modules.len()];
    let (mut required, mut imported_later) = (delayed.to_vec(), Vec::new());
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
            match (kind, modules[target].kind) {
                (RecordKind::Require, ModuleKind::Esm) => required.push(target),
                (RecordKind::Statement, ModuleKind::Esm) if module.kind == ModuleKind::CommonJs => {
                    required.push(target);
                }
                (RecordKind::Require, ModuleKind::Data) => wraps[target] = Wrap::CommonJs,
                (RecordKind::Dynamic, ModuleKind::Esm) if !splitting => imported_later.push(target),
                _ => {}
            }
        }
    }
    let is_evaluated = evaluated_first(modules, rules);
    imported_later.retain(|&target| !is_evaluated[target]);
    add_wrapped(modules, required, &mut wraps, |_| true);
    add_wrapped(modules, imported_later, &mut wraps, |target| !is_evaluated[target]);
    wraps
}

/// Wraps ES modules with all that they import and `follows` accepts.
fn add_wrapped(
    modules: &[Module],
    mut queue: Vec<ModuleIndex>,
    wraps: &mut [Wrap],
    follows: impl Fn(ModuleIndex) -> bool,
) {
    while let Some(index) = queue.pop() {
        if wraps[index] != Wrap::None || modules[index].kind != ModuleKind::Esm {
            continue;
        }
        wraps[index] = Wrap::Esm;
        queue.extend(statement_targets(&modules[index]).filter(|&target| follows(target)));
    }
}

/// Modules that are evaluated before the first dynamic import: its callback runs when all code of
/// the chunk has run. Where that waits for something, none is sure to be.
fn evaluated_first(modules: &[Module], rules: &WrapRules<'_>) -> Vec<bool> {
    let mut is_evaluated = vec![false; modules.len()];
    if rules.splitting || !defers_imports(rules.entries, rules.is_async) {
        return is_evaluated;
    }
    let mut queue = rules.entries.to_vec();
    while let Some(index) = queue.pop() {
        if !std::mem::replace(&mut is_evaluated[index], true) && modules[index].kind == ModuleKind::Esm {
            queue.extend(statement_targets(&modules[index]));
        }
    }
    is_evaluated
}

/// Whether dynamic imports within a chunk run after all of its code.
pub(crate) fn defers_imports(entries: &[ModuleIndex], is_async: &[bool]) -> bool {
    entries.iter().all(|&entry| !is_async[entry])
}

fn statement_targets(module: &Module) -> impl Iterator<Item = ModuleIndex> + '_ {
    targets(module).filter(|(kind, _)| *kind == RecordKind::Statement).map(|(_, target)| target)
}

/// Whether the evaluation of each module waits for something.
pub(crate) fn asynchronous(modules: &[Module]) -> Vec<bool> {
    let mut is_async: Vec<bool> = modules.iter().map(|module| module.features.has_top_level_await).collect();
    let mut importers: Vec<Vec<ModuleIndex>> = vec![Vec::new(); modules.len()];
    for (index, module) in modules.iter().enumerate() {
        for (kind, target) in targets(module) {
            // CommonJS cannot wait.
            if kind == RecordKind::Statement && module.kind != ModuleKind::CommonJs {
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
