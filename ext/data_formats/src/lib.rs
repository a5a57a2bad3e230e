//! Parsers of data formats: `internalBinding('data_formats')`. In: a source text; of XML, bytes
//! too. Out: JSON that js/internal/data_formats.js parses, or a SyntaxError with the position; of
//! Markdown, HTML. Absent: the formats (`rusk_data_formats`).

use rusk_jsc::{Bytes, ErrorKind, Exception, Object, Scope};

use rusk_data_formats::{self as data_formats, Fault};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};

type Parse = fn(&str) -> Result<String, Fault>;

rusk_runtime::extension!("data_formats", [("data_formats", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    let formats: [(&str, Parse); 4] = [
        ("jsonc", data_formats::jsonc),
        ("json5", data_formats::json5),
        ("toml", data_formats::toml),
        ("yaml", data_formats::yaml),
    ];
    for (name, parse) in formats {
        add(scope, binding, name, move |scope, call| {
            let text = call.argument(scope, 0).to_rust_string(scope)?;
            parse(&text).map(|json| scope.string(&json)).map_err(|fault| syntax_error(scope, &fault))
        })?;
    }
    add(scope, binding, "xml", move |scope, call| {
        let source = call.argument(scope, 0);
        let bytes = Bytes::of(scope, source).map(|bytes| bytes.copy(scope));
        let text = match &bytes {
            Some(bytes) => data_formats::xml_text(bytes),
            None => Ok(source.to_rust_string(scope)?.into()),
        };
        let json = text.and_then(|text| data_formats::xml(&text));
        json.map(|json| scope.string(&json)).map_err(|fault| syntax_error(scope, &fault))
    })?;
    add(scope, binding, "markdown", move |scope, call| {
        let text = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.string(&data_formats::markdown(&text)))
    })?;
    Ok(binding)
}

fn syntax_error<'s>(scope: &'s Scope, fault: &Fault) -> Exception<'s> {
    let Fault { message, line, column } = fault;
    Exception::new(scope, ErrorKind::Syntax, &format!("{message} ({line}:{column})"))
}
