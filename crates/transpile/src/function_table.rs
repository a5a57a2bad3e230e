//! Function table of a source: what V8 knows of the function around a position, for stack traces.
//! In: the source text, its language. Out: of each function its kind, the name that V8 infers where
//! the function has none of its own, and the type name of its receiver as far as the source has it:
//! the class or the literal that the function is in. Absent: what a function was called on.

mod inference;
mod members;
mod targets;
mod visitor;

use std::collections::HashMap;

use oxc::allocator::Allocator;

use crate::depth;
use crate::options::Language;
use crate::parse;

/// A longer source is not parsed for a stack trace.
const TEXT_BYTES_MAX: usize = 16 << 20;

/// The syntax of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    Function,
    Arrow,
    Method,
    Getter,
    Setter,
    Constructor,
    /// A constructor that is not written.
    DefaultConstructor,
    /// Fields of a class.
    InstanceInitializer,
    /// Static fields and blocks of a class.
    StaticInitializer,
}

/// What a source says about the receiver of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ReceiverType {
    /// An object literal.
    Literal,
    Array,
    /// An instance of this type.
    Instance(Box<str>),
    /// An instance of a class by its index, or the class itself.
    InstanceOf(usize),
    Class(usize),
    /// The object with this name.
    Object(Box<str>),
}

/// A function of a source.
#[derive(Clone, Debug)]
struct FunctionRecord {
    /// Byte offsets.
    start: u32,
    end: u32,
    /// Where V8 says that it begins.
    token: u32,
    kind: FunctionKind,
    is_async: bool,
    /// Its own name, where the source has it.
    name: Option<Box<str>>,
    inferred: Option<Box<str>>,
    receiver: Option<ReceiverType>,
    /// Index of the function around it.
    parent: Option<usize>,
}

/// A class of a source.
#[derive(Clone, Debug, Default)]
struct ClassRecord {
    name: Option<Box<str>>,
    inferred: Option<Box<str>>,
}

/// What the source says about a name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BindingType {
    /// By its own name, if it has another one.
    Class(Option<Box<str>>),
    Function,
    /// `import * as`.
    Namespace,
    /// A variable that is `new CLASS` wherever it is declared.
    Instance(Box<str>),
    /// Declared in several ways, or in others.
    Other,
}

/// Functions, classes and names of a source.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    /// Sorted by start; outer ones before inner ones.
    functions: Vec<FunctionRecord>,
    classes: Vec<ClassRecord>,
    bindings: HashMap<Box<str>, BindingType>,
}

/// The function around a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAt<'t> {
    pub kind: FunctionKind,
    pub is_async: bool,
    /// Its own name, where the source has it.
    pub name: Option<&'t str>,
    /// The name that V8 infers for it.
    pub inferred: Option<&'t str>,
    /// Type name of its receiver if it is called as the method that it is.
    pub receiver: Option<&'t str>,
    /// The same of what `this` is in it: for an arrow function, that of a function around it.
    pub this: Option<&'t str>,
    /// Byte offset where V8 says that it begins.
    pub token: u32,
}

/// Parses a source. `None`: it has syntax errors, or is too long.
pub fn function_table(source: &str, language: Language) -> Option<FunctionTable> {
    if source.len() > TEXT_BYTES_MAX {
        return None;
    }
    let table = depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        Ok(visitor::visit(&parsed.program))
    });
    table.ok()
}

impl FunctionTable {
    /// The innermost function around a byte offset. `None`: it is outside of functions.
    pub fn at(&self, offset: u32) -> Option<FunctionAt<'_>> {
        let before = self.functions.partition_point(|function| function.start <= offset);
        let mut index = before.checked_sub(1)?;
        while self.functions[index].end <= offset {
            index = self.functions[index].parent?;
        }
        let function = &self.functions[index];
        Some(FunctionAt {
            kind: function.kind,
            is_async: function.is_async,
            name: function.name.as_deref(),
            inferred: function.inferred.as_deref().or_else(|| self.class_inferred(function)),
            receiver: self.type_name(function),
            this: self.this_type_name(index),
            token: function.token,
        })
    }

    /// Type name of an object by its name in the source.
    pub fn type_of(&self, name: &str) -> Option<&str> {
        let (key, binding) = self.bindings.get_key_value(name)?;
        match binding {
            BindingType::Class(own) => Some(own.as_deref().unwrap_or(key)),
            BindingType::Function => Some("Function"),
            BindingType::Namespace => Some("Module"),
            BindingType::Instance(class) => Some(self.class_name(class)),
            BindingType::Other => None,
        }
    }

    /// The own name of a class by the path that the source has for it.
    pub fn class_name<'t>(&'t self, path: &'t str) -> &'t str {
        match self.bindings.get(path) {
            Some(BindingType::Class(Some(own))) => own,
            _ => path,
        }
    }

    fn type_name<'t>(&'t self, function: &'t FunctionRecord) -> Option<&'t str> {
        match function.receiver.as_ref()? {
            ReceiverType::Literal => Some("Object"),
            ReceiverType::Array => Some("Array"),
            ReceiverType::Instance(name) => Some(name),
            ReceiverType::InstanceOf(class) => Some(self.classes[*class].type_name().unwrap_or("Object")),
            ReceiverType::Class(class) => Some(self.classes[*class].type_name().unwrap_or("Function")),
            ReceiverType::Object(name) => self.type_of(name),
        }
    }

    /// Of a constructor without a name: what V8 infers for its class.
    fn class_inferred(&self, function: &FunctionRecord) -> Option<&str> {
        match function.receiver {
            Some(ReceiverType::InstanceOf(class)) if is_constructor(function.kind) => {
                self.classes[class].inferred.as_deref()
            }
            _ => None,
        }
    }

    fn this_type_name(&self, mut index: usize) -> Option<&str> {
        while self.functions[index].kind == FunctionKind::Arrow {
            index = self.functions[index].parent?;
        }
        self.type_name(&self.functions[index])
    }

    /// Sorts the functions, and finds the one around each.
    fn link(&mut self) {
        self.functions.sort_by_key(|function| (function.start, u32::MAX - function.end));
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.functions.len() {
            let start = self.functions[index].start;
            while open.last().is_some_and(|outer| self.functions[*outer].end <= start) {
                open.pop();
            }
            self.functions[index].parent = open.last().copied();
            open.push(index);
        }
    }
}

fn is_constructor(kind: FunctionKind) -> bool {
    matches!(kind, FunctionKind::Constructor | FunctionKind::DefaultConstructor)
}

impl ClassRecord {
    fn type_name(&self) -> Option<&str> {
        self.name.as_deref().or(self.inferred.as_deref())
    }
}

#[cfg(test)]
mod tests;
