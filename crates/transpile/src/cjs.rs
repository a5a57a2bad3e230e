//! Detection of CommonJS exports without running the file, as cjs-module-lexer does. In: the source
//! text. Out: exported names, and specifiers of files whose exports are re-exported. The patterns
//! are those that cjs-module-lexer's README lists, which Node has frozen. Absent: scopes: what
//! looks like an export counts as one.

mod cursor;
mod star;

use std::collections::{HashMap, HashSet};

use crate::lexer::{IdentifierToken, Lexer};
use cursor::Cursor;

/// The exports of a CommonJS file that `import` sees, in source order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CjsExports {
    pub names: Vec<String>,
    /// Specifiers of files whose exports are re-exported.
    pub reexports: Vec<String>,
}

/// None if the file is no CommonJS: unterminated source text, `import` or `export`.
pub fn cjs_exports(source: &str) -> Option<CjsExports> {
    let mut finder =
        ExportFinder { source, names: Vec::new(), seen: HashSet::new(), ..ExportFinder::default() };
    let mut lexer = Lexer::new(source);
    while let Some(token) = lexer.next_identifier().ok()? {
        finder.visit(token)?;
    }
    Some(finder.into_exports())
}

#[derive(Default)]
struct ExportFinder<'s> {
    source: &'s str,
    names: Vec<String>,
    seen: HashSet<String>,
    /// Getters that may have side effects: their names are not exported.
    unsafe_names: HashSet<String>,
    reexports: Vec<String>,
    /// `var name = require(specifier)`
    required: HashMap<&'s str, String>,
}

impl<'s> ExportFinder<'s> {
    /// None if the identifier shows that this is a module.
    fn visit(&mut self, token: IdentifierToken) -> Option<()> {
        let text = &self.source[token.start..token.end];
        let cursor = Cursor::new(self.source, token.end);
        match text {
            "__export" | "__exportStar" if token.depth == 0 => self.export_star(token),
            "_interopRequireWildcard" if token.depth == 0 => self.require_wildcard(token),
            _ if token.is_member => {}
            "exports" => _ = self.exports_member(cursor),
            "module" => _ = self.module_exports(cursor),
            "Object" => self.object(cursor, token.depth),
            "require" if token.depth == 0 => _ = self.bind_require(token.start, cursor),
            "import" if token.depth == 0 => return cursor.calls_import().then_some(()),
            "export" if token.depth == 0 => return cursor.exports_nothing().then_some(()),
            _ => {}
        }
        Some(())
    }

    fn add(&mut self, name: String) {
        if self.seen.insert(name.clone()) {
            self.names.push(name);
        }
    }

    fn reexport(&mut self, specifier: String) {
        if !self.reexports.contains(&specifier) {
            self.reexports.push(specifier);
        }
    }

    /// `exports.name =`, `exports['name'] =`
    fn exports_member(&mut self, mut cursor: Cursor<'s>) -> Option<()> {
        let name = match cursor.peek()? {
            b'.' => {
                cursor.eat(".")?;
                cursor.identifier()?.to_owned()
            }
            _ => {
                cursor.eat("[")?;
                let name = cursor.string_literal()?;
                cursor.eat("]")?;
                name
            }
        };
        cursor.eat("=")?;
        self.add(name);
        Some(())
    }

    /// `module.exports.name =`, `module.exports = require('x')`, `module.exports = { … }`
    fn module_exports(&mut self, mut cursor: Cursor<'s>) -> Option<()> {
        cursor.eat(".")?;
        cursor.word("exports")?;
        if cursor.peek()? != b'=' {
            return self.exports_member(cursor);
        }
        cursor.eat("=")?;
        self.reexports.clear();
        if let Some(specifier) = cursor.clone().require() {
            self.reexport(specifier);
            return Some(());
        }
        cursor.eat("{")?;
        loop {
            self.property(&mut cursor)?;
            cursor.eat(",")?;
        }
    }

    /// One property of an object of exports. None ends the detection.
    fn property(&mut self, cursor: &mut Cursor<'s>) -> Option<()> {
        if cursor.eat("...").is_some() {
            if let Some(specifier) = cursor.require() {
                self.reexport(specifier);
                return Some(());
            }
            return cursor.identifier().map(|_| ());
        }
        if matches!(cursor.peek()?, b'"' | b'\'') {
            let name = cursor.string_literal()?;
            if cursor.eat(":").is_some() {
                cursor.identifier()?;
                self.add(name);
            }
            return Some(());
        }
        let name = cursor.identifier()?;
        if cursor.eat(":").is_some() {
            cursor.identifier()?;
        }
        self.add(name.to_owned());
        Some(())
    }

    fn object(&mut self, mut cursor: Cursor<'s>, depth: usize) {
        if cursor.eat(".").is_none() {
            return;
        }
        if cursor.clone().word("defineProperty").is_some() {
            _ = self.define(cursor);
        } else if depth == 0
            && let Some(name) = star::copied(cursor)
            && let Some(specifier) = self.required.get(name)
        {
            self.reexport(specifier.clone());
        }
    }

    /// `Object.defineProperty(exports, 'name', { value: … })`, or with a getter that returns a name
    /// or a member.
    fn define(&mut self, mut cursor: Cursor<'s>) -> Option<()> {
        cursor.word("defineProperty")?;
        cursor.eat("(")?;
        cursor.exports()?;
        cursor.eat(",")?;
        let name = cursor.string_literal()?;
        match cursor.harmless_descriptor() {
            Some(()) => self.add(name),
            None => _ = self.unsafe_names.insert(name),
        }
        Some(())
    }

    /// `__export(require('x'))`, without spaces, as TypeScript emits it.
    fn export_star(&mut self, token: IdentifierToken) {
        let rest = &self.source[token.end..];
        if rest.starts_with("(require")
            && let Some(specifier) = Cursor::new(self.source, token.end + 1).require()
        {
            self.reexport(specifier);
        }
    }

    /// `var name = _interopRequireWildcard(require('x'))`
    fn require_wildcard(&mut self, token: IdentifierToken) {
        if self.source[token.end..].starts_with("(require") && !token.is_member {
            _ = self.bind_require(token.start, Cursor::new(self.source, token.end + 1 + "require".len()));
        }
    }

    /// `var name = require('x')`; the cursor is after `require`, which begins at `start`.
    fn bind_require(&mut self, start: usize, mut cursor: Cursor<'s>) -> Option<()> {
        let specifier = cursor.required()?;
        let before = self.source[..start].trim_end_matches(' ').strip_suffix('=')?.trim_end_matches(' ');
        let name_start = before.rfind(|character: char| !cursor::is_identifier_char(character))? + 1;
        let (before, name) = before.split_at_checked(name_start)?;
        let before = before.trim_end_matches(' ');
        if ["var", "let", "const"].iter().any(|token| before.ends_with(token)) {
            self.required.insert(name, specifier);
        }
        Some(())
    }

    fn into_exports(self) -> CjsExports {
        let ExportFinder { unsafe_names, mut names, reexports, .. } = self;
        names.retain(|name| !unsafe_names.contains(name));
        CjsExports { names, reexports }
    }
}

#[cfg(test)]
mod tests;
