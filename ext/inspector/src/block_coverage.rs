//! Scripts with block counters: `internalBinding('block_coverage')`. In: paths and sources. Out:
//! counted sources, each with an array that all its contexts share; what V8 would report of them.
//! Absent: where counters are and what they count (`rusk_transpile::count_blocks`).

use std::cell::RefCell;

use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::string_argument;
use rusk_runtime::{RuntimeState, add_insertions};
use rusk_transpile::{
    CountedFunction, FunctionCoverage, Language, SourceKind, count_blocks, function_coverage, source_map_url,
};

/// Begins the name of each array, a global variable of `let`; a number follows.
const PREFIX: &str = "$ruskBlocks";

struct CountedScript {
    name: String,
    counters: Root,
    functions: Vec<CountedFunction>,
    source_map: Option<SourceMapComment>,
}

/// The address of a source map, and the length of each line.
struct SourceMapComment {
    address: String,
    line_lengths: Vec<usize>,
}

#[derive(Default)]
struct Counting {
    /// Function of JavaScript that makes an array of a length.
    make_array: Option<Root>,
    scripts: Vec<CountedScript>,
}

thread_local! {
    static COUNTING: RefCell<Counting> = RefCell::default();
}

/// Forgets all scripts: the engine ends.
pub fn clear() {
    drop(COUNTING.take());
}

pub fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    // A function that makes an array. From now on, files that are loaded are counted.
    add(scope, binding, "start", |scope, call| {
        let make_array = Root::new(scope, call.argument(scope, 0));
        COUNTING.with_borrow_mut(|counting| counting.make_array = Some(make_array));
        RuntimeState::current().instrument.set(Some(count_file));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "stop", |scope, _| {
        RuntimeState::current().instrument.set(None);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "count", count_text)?;
    add(scope, binding, "take", take)?;
    add(scope, binding, "sourceMaps", source_maps)?;
    Ok(binding)
}

/// Arguments: name, source, whether it is a module, or undefined if the syntax decides. Out:
/// [counted source, name of the array, array]; undefined: it does not parse.
fn count_text<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (name, source) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
    let is_module = call.argument(scope, 2);
    let kind = match is_module.is_undefined(scope) {
        true => None,
        false if is_module.is_truthy(scope) => Some(SourceKind::Module),
        false => Some(SourceKind::CommonJs),
    };
    let Some((counted, variable)) = count(scope, &name, &source, kind)? else { return Ok(scope.undefined()) };
    let array = COUNTING.with_borrow(|counting| {
        let last = counting.scripts.last().expect("just added");
        last.counters.value(scope)
    });
    Ok(scope.array(&[scope.string(&counted), scope.string(&variable), array])?.value())
}

/// The hook of files.
fn count_file(scope: &Scope, path: &str, source: String) -> String {
    match count(scope, path, &source, None) {
        Ok(Some((counted, _))) => counted,
        Ok(None) | Err(_) => source,
    }
}

/// Adds counters, and their array to this context. A source that does not parse is reported when it
/// is evaluated.
fn count<'s>(
    scope: &'s Scope,
    name: &str,
    source: &str,
    kind: Option<SourceKind>,
) -> Result<Option<(String, String)>, Exception<'s>> {
    let number = COUNTING.with_borrow(|counting| counting.scripts.len());
    let make_array = COUNTING
        .with_borrow(|counting| counting.make_array.as_ref().map(|make_array| make_array.value(scope)));
    let Some(make_array) = make_array.and_then(|make_array| make_array.as_function(scope)) else {
        return Ok(None);
    };
    let variable = format!("{PREFIX}{number}");
    let Ok(counted) = count_blocks(source, language_of(name), kind, &variable) else { return Ok(None) };
    let array = make_array.call(scope, &[scope.number(f64::from(counted.counters))])?;
    let set = format!("let {variable};(array)=>{{{variable}=array}}");
    let set = scope.evaluate(&set, "internal:coverage", 1)?.as_function(scope);
    set.expect("the script's value is a function").call(scope, &[array])?;
    add_insertions(name, source, &counted.insertions);
    let source_map = source_map_url(source).map(|address| SourceMapComment {
        address: address.to_owned(),
        line_lengths: source.lines().map(|line| line.encode_utf16().count()).collect(),
    });
    let script = CountedScript {
        name: name.to_owned(),
        counters: Root::new(scope, array),
        functions: counted.functions,
        source_map,
    };
    COUNTING.with_borrow_mut(|counting| counting.scripts.push(script));
    Ok(Some((counted.source, variable)))
}

fn language_of(name: &str) -> Language {
    let path = name.split(['?', '#']).next().unwrap_or(name);
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.and_then(Language::of_extension).unwrap_or(Language::JavaScript)
}

/// Out: number, name and functions of each script that ran since the last call.
fn take<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let count = COUNTING.with_borrow(|counting| counting.scripts.len());
    let mut taken = Vec::new();
    for number in 0..count {
        let array = COUNTING.with_borrow(|counting| counting.scripts[number].counters.value(scope));
        let counts = take_counts(scope, array);
        if counts.iter().all(|count| *count == 0) {
            continue;
        }
        let (name, functions) = COUNTING.with_borrow(|counting| {
            let script = &counting.scripts[number];
            let functions = render(scope, &function_coverage(&script.functions, &counts));
            (scope.string(&script.name), functions)
        });
        taken.extend([scope.number(number as f64), name, functions?]);
    }
    Ok(scope.array(&taken)?.value())
}

/// The counters, which are 0 then.
fn take_counts<'s>(scope: &'s Scope, array: Value<'s>) -> Vec<u32> {
    const BYTES: usize = size_of::<f64>();
    let Some(bytes) = Bytes::of(scope, array) else { return Vec::new() };
    bytes.with_bytes_mut(scope, |bytes| {
        let count = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().expect("eight bytes")) as u32;
        let counts = bytes.chunks_exact(BYTES).map(count).collect();
        bytes.fill(0);
        counts
    })
}

/// [name, whether its blocks are known, offsets and counts of its ranges] of each function.
fn render<'s>(scope: &'s Scope, functions: &[FunctionCoverage<'_>]) -> Result<Value<'s>, Exception<'s>> {
    let mut parts = Vec::new();
    for function in functions {
        let numbers = function.ranges.iter().flat_map(|range| [range.start, range.end, range.count]);
        let numbers: Vec<Value<'_>> = numbers.map(|number| scope.number(number.into())).collect();
        let name = scope.string(function.name);
        parts.extend([name, scope.boolean(function.has_blocks), scope.array(&numbers)?.value()]);
    }
    Ok(scope.array(&parts)?.value())
}

/// Out: name, address of the source map, line lengths of each script that names a map.
fn source_maps<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let maps: Vec<(String, String, Vec<usize>)> = COUNTING.with_borrow(|counting| {
        let with_map = counting.scripts.iter().filter_map(|script| {
            let map = script.source_map.as_ref()?;
            Some((script.name.clone(), map.address.clone(), map.line_lengths.clone()))
        });
        with_map.collect()
    });
    let mut parts = Vec::new();
    for (name, address, line_lengths) in maps {
        let lengths: Vec<Value<'_>> =
            line_lengths.iter().map(|length| scope.number(*length as f64)).collect();
        parts.extend([scope.string(&name), scope.string(&address), scope.array(&lengths)?.value()]);
    }
    Ok(scope.array(&parts)?.value())
}
