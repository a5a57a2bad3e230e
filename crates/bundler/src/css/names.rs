//! Names of CSS modules as values: what a program gets that imports one. In: all modules, scanned.
//! Out: their exports, with the names that `composes` brings from other files.

use std::collections::BTreeMap;

use super::{ComposedName, CssFile};
use crate::data_module::{DataMember, DataModule, MemberValue};
use crate::diagnostic::Diagnostic;
use crate::exports;
use crate::module::{Module, ModuleIndex};
use crate::names;
use crate::problem;

/// Sets the value of each stylesheet: an object with the names of a CSS module, else an empty one.
pub(crate) fn set_exports(modules: &mut [Module]) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let sheets: Vec<ModuleIndex> = (0..modules.len()).filter(|&index| modules[index].css.is_some()).collect();
    for index in sheets {
        match value(modules, index) {
            Ok(data) => {
                let module = &mut modules[index];
                exports::add_data_exports(module, &data);
                module.data = Some(data);
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The value of a stylesheet.
pub(crate) fn value(modules: &[Module], index: ModuleIndex) -> Result<DataModule, Vec<Diagnostic>> {
    let (mut values, mut errors) = (BTreeMap::new(), Vec::new());
    let locals = modules[index].css.as_ref().and_then(|css| css.names.as_ref());
    for local in locals.into_iter().flat_map(BTreeMap::keys) {
        let (mut classes, mut path) = (Vec::new(), Vec::new());
        match add_classes(modules, index, local, &mut path, &mut classes) {
            Ok(()) => {
                values.insert(local.clone(), classes.join(" "));
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(data_module(&values)) } else { Err(errors) }
}

/// The classes of a name: composed ones first, as bun has them.
fn add_classes(
    modules: &[Module],
    index: ModuleIndex,
    local: &str,
    path: &mut Vec<(ModuleIndex, String)>,
    classes: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    let key = (index, local.to_owned());
    let css = modules[index].css.as_ref();
    let names = css.and_then(|css| css.names.as_ref());
    let (Some(css), Some(names)) = (css, names) else { return Ok(()) };
    let (Some(scoped), false) = (names.get(local), path.contains(&key)) else { return Ok(()) };
    path.push(key);
    for composed in &scoped.composes {
        match composed {
            ComposedName::Plain(name) => {
                let inner = names.iter().find(|(_, scoped)| scoped.name == *name).map(|(local, _)| local);
                match inner {
                    Some(inner) => add_classes(modules, index, inner, path, classes)?,
                    None => push_new(classes, name),
                }
            }
            ComposedName::Of { specifier, name } => {
                let target = find_composed(css, specifier);
                let is_known = target.is_some_and(|target| {
                    let css = modules[target].css.as_ref();
                    css.and_then(|css| css.names.as_ref()).is_some_and(|names| names.contains_key(name))
                });
                let (Some(target), true) = (target, is_known) else {
                    return Err(no_class(&modules[index].name, css, specifier, name));
                };
                add_classes(modules, target, name, path, classes)?;
            }
        }
    }
    path.pop();
    push_new(classes, &scoped.name);
    Ok(())
}

fn find_composed(css: &CssFile, specifier: &str) -> Option<ModuleIndex> {
    css.composed.iter().find(|reference| reference.specifier == specifier)?.target
}

fn no_class(file: &str, css: &CssFile, specifier: &str, name: &str) -> Diagnostic {
    let diagnostic = problem::css_no_class(specifier, name);
    match css.composed.iter().find(|reference| reference.specifier == specifier) {
        Some(reference) => diagnostic.at(file, &css.source, reference.span.clone()),
        None => diagnostic,
    }
}

fn push_new(classes: &mut Vec<String>, name: &str) {
    if !classes.iter().any(|known| known == name) {
        classes.push(name.to_owned());
    }
}

fn data_module(values: &BTreeMap<String, String>) -> DataModule {
    if values.is_empty() {
        return DataModule::of_expression("{}".to_owned());
    }
    let mut data = DataModule { text: "{".to_owned(), members: Vec::new() };
    for (index, (key, value)) in values.iter().enumerate() {
        data.text.push_str(if index == 0 { "\n  " } else { ",\n  " });
        match key == "__proto__" {
            // In a literal it would set the prototype.
            true => data.text.push_str("[\"__proto__\"]"),
            false => rusk_npm::json::quote_into(&mut data.text, key),
        }
        data.text.push_str(": ");
        let start = data.text.len();
        rusk_npm::json::quote_into(&mut data.text, value);
        if names::is_identifier(key) && key != "default" && key != "__proto__" {
            data.members
                .push(DataMember { name: key.clone(), value: MemberValue::Text(start..data.text.len()) });
        }
    }
    data.text.push_str("\n}");
    data
}
