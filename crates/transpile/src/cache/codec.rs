//! Serialization of a `Script`. Out: little-endian numbers of four bytes, and strings with a length
//! prefix. Parsing does not trust its input: invalid bytes return None, and allocate no more than
//! their own length.

use crate::position_map::{PositionMap, Segment, SourcePosition};
use crate::script::{
    Export, ExportBinding, Import, ImportPhase, IndirectExport, ModuleArgument, ModuleRequest, Script,
    SourceKind, Tables,
};
use crate::source_map::{SourceMap, Token};

const NONE: u32 = u32::MAX;

pub(super) fn render(script: &Script) -> Vec<u8> {
    let Script {
        kind,
        is_parsed,
        text,
        prefix,
        tables,
        has_top_level_await,
        parameters,
        prologue,
        positions,
    } = script;
    let mut writer = ScriptWriter(Vec::with_capacity(text.as_ref().map_or(0, String::len) + 256));
    let flags = u32::from(*kind == SourceKind::Module)
        | u32::from(*is_parsed) << 1
        | u32::from(*has_top_level_await) << 2
        | u32::from(text.is_some()) << 3
        | u32::from(*kind == SourceKind::Script) << 4;
    writer.number(flags);
    writer.string(text.as_deref().unwrap_or(""));
    writer.string(prefix);
    writer.string(prologue);
    writer.list(parameters, |writer, parameter| writer.string(parameter));
    render_tables(&mut writer, tables);
    writer.list(&positions.segments, |writer, segment| {
        writer.numbers([segment.line, segment.target, segment.source, u32::from(segment.is_fixed)]);
    });
    writer.list(&positions.generated.sources, |writer, source| writer.string(source));
    writer.list(&positions.generated.tokens, |writer, Token { target, source, file }| {
        writer.numbers([target.line, target.column, source.line, source.column, file.unwrap_or(NONE)]);
    });
    writer.0
}

fn render_tables(writer: &mut ScriptWriter, tables: &Tables) {
    writer.list(&tables.names, |writer, name| writer.string(name));
    writer.list(&tables.requests, |writer, request| {
        writer.numbers([request.specifier, request.phase as u32, request.start]);
        writer.list(&request.attributes, |writer, (key, value)| writer.numbers([*key, *value]));
    });
    writer.list(&tables.arguments, |writer, argument| match argument {
        ModuleArgument::Bindings { request } => writer.numbers([0, *request]),
        ModuleArgument::Namespace { request } => writer.numbers([1, *request]),
    });
    writer
        .list(&tables.imports, |writer, import| writer.numbers([import.request, import.name, import.start]));
    writer.list(&tables.exports, |writer, export| writer.numbers([export.name, export.binding as u32]));
    writer.list(&tables.indirect_exports, |writer, export| {
        writer.numbers([export.name, export.request, export.imported.unwrap_or(NONE), export.start]);
    });
    writer.list(&tables.star_exports, |writer, request| writer.number(*request));
}

/// None for invalid bytes.
pub(super) fn parse(bytes: &[u8]) -> Option<Script> {
    let mut reader = ScriptReader(bytes);
    let flags = reader.number()?;
    let text = reader.string()?;
    let script = Script {
        kind: match flags & 17 {
            0 => SourceKind::CommonJs,
            1 => SourceKind::Module,
            _ => SourceKind::Script,
        },
        is_parsed: flags & 2 != 0,
        has_top_level_await: flags & 4 != 0,
        text: (flags & 8 != 0).then_some(text),
        prefix: reader.string()?,
        prologue: reader.string()?,
        parameters: reader.list(ScriptReader::string)?,
        tables: parse_tables(&mut reader)?,
        positions: parse_positions(&mut reader)?,
    };
    reader.0.is_empty().then_some(script)
}

fn parse_tables(reader: &mut ScriptReader<'_>) -> Option<Tables> {
    Some(Tables {
        names: reader.list(ScriptReader::string)?,
        requests: reader.list(|reader| {
            let [specifier, phase, start] = reader.numbers()?;
            let phase = [ImportPhase::Evaluation, ImportPhase::Source, ImportPhase::Defer]
                .into_iter()
                .nth(phase as usize)?;
            let attributes = reader.list(|reader| reader.numbers().map(|[key, value]| (key, value)))?;
            Some(ModuleRequest { specifier, attributes, phase, start })
        })?,
        arguments: reader.list(|reader| match reader.numbers()? {
            [0, request] => Some(ModuleArgument::Bindings { request }),
            [_, request] => Some(ModuleArgument::Namespace { request }),
        })?,
        imports: reader
            .list(|reader| reader.numbers().map(|[request, name, start]| Import { request, name, start }))?,
        exports: reader.list(|reader| {
            let [name, binding] = reader.numbers()?;
            let binding = [ExportBinding::Hoisted, ExportBinding::Var, ExportBinding::Lexical]
                .into_iter()
                .nth(binding as usize)?;
            Some(Export { name, binding })
        })?,
        indirect_exports: reader.list(|reader| {
            let [name, request, imported, start] = reader.numbers()?;
            let imported = (imported != NONE).then_some(imported);
            Some(IndirectExport { name, request, imported, start })
        })?,
        star_exports: reader.list(ScriptReader::number)?,
    })
}

fn parse_positions(reader: &mut ScriptReader<'_>) -> Option<PositionMap> {
    let segments = reader.list(|reader| {
        let [line, target, source, is_fixed] = reader.numbers()?;
        Some(Segment { line, target, source, is_fixed: is_fixed != 0 })
    })?;
    let sources = reader.list(ScriptReader::string)?;
    let tokens = reader.list(|reader| {
        let [line, column, source_line, source_column, file] = reader.numbers()?;
        Some(Token {
            target: SourcePosition { line, column },
            source: SourcePosition { line: source_line, column: source_column },
            file: (file != NONE).then_some(file),
        })
    })?;
    Some(PositionMap::new(segments, SourceMap { sources, tokens }))
}

struct ScriptWriter(Vec<u8>);

impl ScriptWriter {
    fn number(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn numbers<const N: usize>(&mut self, numbers: [u32; N]) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    fn string(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut ScriptWriter, &T)) {
        self.number(items.len() as u32);
        items.iter().for_each(|item| write(self, item));
    }
}

struct ScriptReader<'b>(&'b [u8]);

impl ScriptReader<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    fn string(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    fn list<T>(&mut self, mut parse: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()? as usize;
        // Every item has at least four bytes.
        if length > self.0.len() / 4 {
            return None;
        }
        (0..length).map(|_| parse(self)).collect()
    }
}
