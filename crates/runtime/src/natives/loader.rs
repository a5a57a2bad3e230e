//! Finding, reading and compiling what a program is made of. In: specifiers, paths, texts. Out: what stands in
//! js/internal/resolved.js, functions, texts. Absent: what modules are; js/node/module.js and js/internal/esm.js know.

use std::cell::OnceCell;
use std::path::Path;

use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Scope, Value};
use rusk_modules::{Failure, Format, Importer, Kind, Options, Resolved, Resolver};

use super::{Host, add, object, positions};

/// What `import()` of a CommonJS file is called in its text.
const HEAD: &str = "(function (exports, require, module, __filename, __dirname, $import) {";
const TAIL: &str = "\n})";

thread_local! {
    static RESOLVER: OnceCell<Resolver> = const { OnceCell::new() };
}

pub(super) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    natives.set_property(scope, "FILE", scope.number(0.0))?;
    natives.set_property(scope, "FOLDER", scope.number(1.0))?;
    add(scope, natives, "resolve", resolve)?;
    add(scope, natives, "kind", |scope, call| {
        let path = call.argument(scope, 0).to_text(scope)?;
        let kind = std::fs::metadata(path).map_or(0.0, |data| if data.is_file() { 1.0 } else { 2.0 });
        Ok(scope.number(kind))
    })?;
    add(scope, natives, "realpath", |scope, call| {
        let path = call.argument(scope, 0).to_text(scope)?;
        let real = std::fs::canonicalize(&path).ok();
        Ok(scope.text(&real.map_or(path, |real| real.to_string_lossy().into_owned())))
    })?;
    add(scope, natives, "currentDir", |scope, _| {
        Ok(scope.text(&Host::current().current_dir.borrow().to_string_lossy()))
    })?;
    add(scope, natives, "read", |scope, call| {
        let path = call.argument(scope, 0).to_text(scope)?;
        read(scope, &path).map(|text| scope.text(&text))
    })?;
    add(scope, natives, "compileFile", |scope, call| {
        let path = call.argument(scope, 0).to_text(scope)?;
        let text = read(scope, &path)?;
        compile(scope, &path, &text)
    })?;
    add(scope, natives, "compileText", |scope, call| {
        let path = call.argument(scope, 0).to_text(scope)?;
        let text = call.argument(scope, 1).to_text(scope)?;
        compile(scope, &path, &text)
    })?;
    add(scope, natives, "evaluate", |scope, call| {
        let text = call.argument(scope, 0).to_text(scope)?;
        let path = call.argument(scope, 1).to_text(scope)?;
        scope.evaluate(&text, &path, 1)
    })?;
    add(scope, natives, "evaluateMain", |scope, call| {
        let text = call.argument(scope, 0).to_text(scope)?;
        let name = call.argument(scope, 1).to_text(scope)?;
        scope.evaluate(&text, &name, 1)
    })?;
    Ok(natives)
}

/// specifier, importer, FILE or FOLDER, whether it is an import.
fn resolve<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let specifier = call.argument(scope, 0).to_text(scope)?;
    let importer = call.argument(scope, 1).to_text(scope)?;
    let is_folder = call.argument(scope, 2).to_number(scope)? == 1.0;
    let is_import = call.argument(scope, 3).is_truthy(scope);
    let path = Path::new(&importer);
    let importer = if is_folder { Importer::Folder(path) } else { Importer::File(path) };
    let kind = if is_import { Kind::Import } else { Kind::Require };
    let found = RESOLVER.with(|resolver| {
        resolver.get_or_init(|| Resolver::new(options(&Host::current()))).resolve(importer, &specifier, kind)
    });
    answer(scope, found)
}

fn options(host: &Host) -> Options {
    let mut options = Options::node();
    options.require_conditions.extend(host.program.conditions.iter().cloned());
    options.import_conditions.extend(host.program.conditions.iter().cloned());
    options
}

fn answer<'s>(scope: &'s Scope, found: Result<Resolved, Failure>) -> Outcome<'s> {
    let number = |number: u32| scope.number(f64::from(number));
    let parts: Vec<Value<'_>> = match found {
        Ok(Resolved::File(file)) => {
            let format = match file.format() {
                Format::Module => 0,
                Format::CommonJs => 1,
                Format::Unsaid => 2,
                Format::Json => 3,
                Format::Addon => 4,
                Format::Wasm => 5,
                Format::Other => 6,
            };
            vec![
                number(0),
                scope.text(&file.path.to_string_lossy()),
                number(format),
                scope.text(&file.suffix),
            ]
        }
        Ok(Resolved::Builtin(name)) => vec![number(1), scope.text(name)],
        Ok(Resolved::Address(address)) => vec![number(2), scope.text(&address)],
        Err(failure) => {
            let problem = failure.problem();
            vec![number(3), scope.text(failure.code().name()), scope.text(problem.message())]
        }
    };
    scope.array(&parts).map(Object::value)
}

fn read<'s>(scope: &'s Scope, path: &str) -> Result<String, Exception<'s>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())),
        Err(error) => Err(Exception::new(scope, ErrorKind::Error, &format!("cannot read '{path}': {error}"))),
    }
}

/// The function of a CommonJS file; `undefined` where the text is an ES module.
fn compile<'s>(scope: &'s Scope, path: &str, text: &str) -> Outcome<'s> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = if text.starts_with("#!") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    let shebang = if body.len() == text.len() { "" } else { "\n" };
    if shebang.is_empty() {
        positions::note_head(path, u32::try_from(HEAD.len()).expect("it is short"));
    }
    scope.evaluate(&[HEAD, shebang, body, TAIL].concat(), path, 1)
}
