//! Assertions, mocks, fake timers and snapshots of `bun:test`, jest and vitest. In JavaScript, but
//! for the editing of sources: inline snapshots, hoisted mocks.

mod inline_snapshots;

use std::path::Path;

use inline_snapshots::InlineSnapshot;
use rusk_jsc::{ErrorKind, Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{string_argument, string_list};
use rusk_transpile::Language;

rusk_runtime::extension!("expect", [("expect", make)]);

/// What such calls have in their names.
const HOISTED_WORDS: [&str; 3] = ["mock", "Unmock", "hoisted"];

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    // (source, path, list): the list has line, column, matcher and value of each snapshot in turn.
    add(scope, binding, "editInlineSnapshots", |scope, call| {
        let (source, path) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        let list = string_list(scope, call.argument(scope, 2))?;
        let (rows, _) = list.as_chunks::<4>();
        let snapshots: Vec<InlineSnapshot> = rows.iter().filter_map(snapshot).collect();
        match inline_snapshots::edit(&source, language(&path), &snapshots) {
            Ok(edited) => Ok(scope.string(&edited)),
            Err(why) => {
                let message = format!("cannot write inline snapshots into {path}: {why}");
                Err(Exception::new(scope, ErrorKind::Error, &message))
            }
        }
    })?;
    // The path of a file that is loaded next: whether it has words of calls that run before its
    // imports.
    add(scope, binding, "mayHoist", |scope, call| {
        let may_hoist = |source: &str| {
            let has = |word: &str| memchr::memmem::find(source.as_bytes(), word.as_bytes()).is_some();
            (has("jest") || has("vi")) && HOISTED_WORDS.into_iter().any(has)
        };
        let path = string_argument(scope, call, 0)?;
        Ok(scope.boolean(rusk_runtime::with_next_source(&path, may_hoist).unwrap_or_default()))
    })?;
    // (source, path): the source with its mocks as functions; undefined if it has none.
    add(scope, binding, "hoistMocks", |scope, call| {
        let (source, path) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        Ok(match rusk_transpile::hoist_mocks(&source, language(&path)) {
            Some(edited) => scope.string(&edited),
            None => scope.undefined(),
        })
    })?;
    Ok(binding)
}

fn snapshot([line, column, name, value]: &[String; 4]) -> Option<InlineSnapshot> {
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    Some(InlineSnapshot { line, column, name: name.clone(), value: value.clone() })
}

fn language(path: &str) -> Language {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.and_then(Language::of_extension).unwrap_or(Language::JavaScript)
}
