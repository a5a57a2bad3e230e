//! Memory layout of values, part of the unstable ABI. In: a new VM. Out: the layout, if probes of
//! our own values match it; otherwise the public functions are used. Probed in releases whose
//! source was reviewed (those of [`crate::string::fast`]), with process_vm_readv(2), which fails
//! instead of crashing on a bad pointer.
//!
//! A value is a word. A number has one of the upper 15 bits set: an integer all of them, a double
//! is stored plus 2 to the 49th. Constants have bit 1, everything else is a cell's address. A cell
//! begins with eight bytes: the first four are its structure ID, the sixth is its type.
//!
//! A string has its `StringImpl` after them, or other low bits while it is a rope. A view has data
//! pointer, element count, offset and mode after its properties (WebKit's `JSCJSValue.h`,
//! `JSCell.h`, `JSString.h`, `JSArrayBufferView.h`, `JSType.h`).

use std::cell::OnceCell;
use std::ptr;

use crate::engine::symbols;
use crate::root::Root;
use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::symbols::RawValue;
use crate::value::Value;

const NUMBER_TAG: u64 = 0xfffe << 48;
/// The tag bits of an integer.
pub(crate) const INTEGER_TAG: u64 = NUMBER_TAG;
pub(crate) const DOUBLE_OFFSET: u64 = 1 << 49;
pub(crate) const NOT_CELL: u64 = NUMBER_TAG | 2;
pub(crate) const NULL: u64 = 2;
pub(crate) const FALSE: u64 = 6;
pub(crate) const TRUE: u64 = 7;
pub(crate) const UNDEFINED: u64 = 10;

pub(crate) const TYPE_OFFSET: usize = 5;
const STRING_OFFSET: usize = 8;
const ROPE_BITS: usize = 7;
pub(crate) const VECTOR_OFFSET: usize = 16;
pub(crate) const LENGTH_OFFSET: usize = 24;
pub(crate) const MODE_OFFSET: usize = 40;
/// The mode bits of views of a resizable buffer.
pub(crate) const RESIZABLE: u8 = 7;

/// View types in the order of their numbers: the number in the public API, and log2 of the element
/// size. The public API does not know `Float16Array`.
const VIEWS: [(Option<i32>, u8); 12] = [
    (Some(0), 0),
    (Some(3), 0),
    (Some(4), 0),
    (Some(1), 1),
    (Some(5), 1),
    (Some(2), 2),
    (Some(6), 2),
    (None, 1),
    (Some(7), 2),
    (Some(8), 3),
    (Some(11), 3),
    (Some(12), 3),
];
const SAMPLE_ELEMENTS: usize = 5;

/// The cell types of this engine; the rest of the layout is constant and was verified.
pub(crate) struct Layout {
    string: u8,
    /// The lowest cell type of objects that is known; those above are objects, too.
    plain: Option<u8>,
    /// The cell type of functions, all of which can be called.
    function: OnceCell<u8>,
    /// Probed at the first access to bytes, because the engine creates the class of a view type at
    /// its first use.
    first_view: OnceCell<Option<u8>>,
    /// The mode of a small view whose `buffer` was never read.
    movable_mode: OnceCell<Option<u8>>,
    /// The engine's own constructor, which programs cannot replace here.
    data_view: Root,
}

/// What the word and the cell type tell of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Primitive {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    String,
    /// A symbol, a BigInt or an object.
    Other,
}

/// Address and length of a view's bytes.
pub(crate) type ByteSpan = (*mut u8, usize);

impl Layout {
    /// `None`: something did not match.
    pub fn probe(scope: &Scope) -> Option<Layout> {
        let expected_words = [
            (scope.undefined(), UNDEFINED),
            (scope.null(), NULL),
            (scope.boolean(false), FALSE),
            (scope.boolean(true), TRUE),
            (scope.number(-7.0), NUMBER_TAG | 0xffff_fff9),
            (scope.number(0.5), 0.5_f64.to_bits() + DOUBLE_OFFSET),
            (scope.number(-0.0), (-0.0_f64).to_bits() + DOUBLE_OFFSET),
            (scope.number(f64::NAN), f64::NAN.to_bits() + DOUBLE_OFFSET),
        ];
        if expected_words.iter().any(|(value, word)| value.raw().addr() as u64 != *word) {
            return None;
        }
        let string = probe_string(scope)?;
        let data_view = scope.global().property(scope, "DataView").ok()?.as_function(scope)?;
        let mut layout = Layout {
            string,
            plain: None,
            function: OnceCell::new(),
            first_view: OnceCell::new(),
            movable_mode: OnceCell::new(),
            data_view: Root::new(scope, data_view.value()),
        };
        layout.plain = layout.probe_plain(scope);
        Some(layout)
    }

    /// Cell types are in order: primitive values, then objects, of which plain ones are the first
    /// that can be made.
    fn probe_plain(&self, scope: &Scope) -> Option<u8> {
        let plain = self.cell_type(scope.new_object().value().raw())?;
        let primitives = [self.string, self.cell_type(scope.symbol(None).raw())?];
        let function = self.cell_type(self.data_view.value(scope).raw())?;
        (primitives.iter().all(|other| *other < plain) && function > plain).then_some(plain)
    }

    /// Whether a value is an object by its cell type; `None`: it may be.
    #[inline]
    pub fn is_object(&self, value: Value<'_>) -> Option<bool> {
        let kind = self.cell_type(value.raw())?;
        (kind >= self.plain?).then_some(true)
    }

    /// Whether a value is a plain object by its cell type, so one that may have properties in its
    /// own cell.
    pub fn is_plain(&self, value: Value<'_>) -> bool {
        self.plain.is_some() && self.cell_type(value.raw()) == self.plain
    }

    pub fn set_function_type(&self, function: Value<'_>) {
        if let Some(kind) = self.cell_type(function.raw()) {
            self.function.get_or_init(|| kind);
        }
    }

    /// Whether a value is a function by its cell type; other objects can be callable, too.
    #[inline]
    pub fn is_function(&self, value: Value<'_>) -> bool {
        self.function.get().is_some_and(|function| self.cell_type(value.raw()) == Some(*function))
    }

    /// The first cell type of views, and the mode of those that are moved when their buffer is
    /// read.
    pub fn view_types(&self, scope: &Scope) -> Option<(u8, u8)> {
        let first = (*self.first_view.get_or_init(|| self.probe_views(scope)))?;
        let movable = self.movable_mode.get_or_init(|| {
            let view = scope.evaluate_static("new Uint8Array(8)", "layout.js").ok()?;
            (self.cell_type(view.raw()) == Some(first + 1)).then(|| {
                // SAFETY: a view, rooted by the scope, of the verified layout.
                unsafe { *view.raw().cast::<u8>().add(MODE_OFFSET) }
            })
        });
        Some((first, (*movable)?))
    }

    /// Address and length of a view's bytes, unless they move when its buffer is read, and its
    /// element type by the number in Node-API; `None` for a `DataView`, too.
    pub fn fixed_view(&self, scope: &Scope, value: Value<'_>) -> Option<(ByteSpan, u8)> {
        let (first, movable) = self.view_types(scope)?;
        let number = self.cell_type(value.raw())?.checked_sub(first)?;
        // SAFETY: a view, rooted by a scope.
        let mode = unsafe { *value.raw().cast::<u8>().add(MODE_OFFSET) };
        if number >= 12 || mode == movable {
            return None;
        }
        Some((self.byte_span(scope, value)?, number))
    }

    fn probe_views(&self, scope: &Scope) -> Option<u8> {
        let mut first_view = None;
        for (number, (class, size)) in (0_u8..).zip(VIEWS) {
            let Some(class) = class else { continue };
            let found = probe_view(scope, class, usize::from(size))?.checked_sub(number)?;
            if *first_view.get_or_insert(found) != found {
                return None;
            }
        }
        first_view.filter(|first| self.verify_data_view(scope, *first) == Some(true))
    }

    #[inline]
    pub fn primitive(&self, value: Value<'_>) -> Primitive {
        let word = value.raw().addr() as u64;
        match word {
            UNDEFINED => Primitive::Undefined,
            NULL | 0 => Primitive::Null,
            FALSE => Primitive::Boolean(false),
            TRUE => Primitive::Boolean(true),
            _ if word & NUMBER_TAG == NUMBER_TAG => Primitive::Number(f64::from(word as u32 as i32)),
            _ if word & NUMBER_TAG != 0 => Primitive::Number(f64::from_bits(word - DOUBLE_OFFSET)),
            _ => match self.cell_type(value.raw()) {
                Some(number) if number == self.string => Primitive::String,
                _ => Primitive::Other,
            },
        }
    }

    #[inline]
    pub fn undefined(&self) -> RawValue {
        ptr::without_provenance(UNDEFINED as usize)
    }

    #[inline]
    pub fn null(&self) -> RawValue {
        ptr::without_provenance(NULL as usize)
    }

    #[inline]
    pub fn boolean(&self, value: bool) -> RawValue {
        ptr::without_provenance(if value { TRUE as usize } else { FALSE as usize })
    }

    #[inline]
    pub fn integer(&self, value: i32) -> RawValue {
        ptr::without_provenance((INTEGER_TAG | u64::from(value as u32)) as usize)
    }

    #[inline]
    pub fn number(&self, value: f64) -> RawValue {
        let whole = value as i32;
        let word = match f64::from(whole).to_bits() == value.to_bits() {
            true => NUMBER_TAG | u64::from(whole as u32),
            false if value.is_nan() => f64::NAN.to_bits() + DOUBLE_OFFSET,
            false => value.to_bits() + DOUBLE_OFFSET,
        };
        ptr::without_provenance(word as usize)
    }

    /// The `StringImpl` of a string that is not a rope.
    #[inline]
    pub fn flat_string(&self, value: Value<'_>) -> Option<*const u8> {
        if self.cell_type(value.raw())? != self.string {
            return None;
        }
        // SAFETY: a string, rooted by a scope.
        let string = unsafe { *value.raw().cast::<u8>().add(STRING_OFFSET).cast::<*const u8>() };
        (string.addr() & ROPE_BITS == 0).then_some(string)
    }

    /// The bytes of a view, unless its buffer is resizable. A view of a detached buffer has none.
    pub fn byte_span(&self, scope: &Scope, value: Value<'_>) -> Option<ByteSpan> {
        let first = *self.first_view.get_or_init(|| self.probe_views(scope));
        let number = usize::from(self.cell_type(value.raw())?.checked_sub(first?)?);
        // The type after them is `DataView`, whose length is in bytes.
        let size = match number {
            0..12 => VIEWS[number].1,
            12 => 0,
            _ => return None,
        };
        let cell = value.raw().cast::<u8>();
        // SAFETY: a view, rooted by a scope.
        unsafe {
            if *cell.add(MODE_OFFSET) & RESIZABLE != 0 {
                return None;
            }
            let first = *cell.add(VECTOR_OFFSET).cast::<*mut u8>();
            let count = *cell.add(LENGTH_OFFSET).cast::<usize>();
            Some((first, count << size))
        }
    }

    #[inline]
    pub fn is_cell(&self, value: RawValue) -> bool {
        value.addr() as u64 & NOT_CELL == 0
    }

    #[inline]
    pub fn cell_type(&self, value: RawValue) -> Option<u8> {
        let word = value.addr() as u64;
        // SAFETY: such a word is a cell's address, and a scope roots the cell.
        (word & NOT_CELL == 0 && word != 0).then(|| unsafe { *value.cast::<u8>().add(TYPE_OFFSET) })
    }

    /// The structure ID of a cell: cells with the same one have the same prototype and the same own
    /// property names.
    #[inline]
    pub fn structure_id(&self, value: RawValue) -> Option<u32> {
        let word = value.addr() as u64;
        // SAFETY: as above.
        (word & NOT_CELL == 0 && word != 0).then(|| unsafe { *value.cast::<u32>() })
    }

    fn verify_data_view(&self, scope: &Scope, first_view: u8) -> Option<bool> {
        let constructor = self.data_view.value(scope).as_function(scope)?;
        let buffer = crate::ArrayBuffer::new(scope, (0..32).collect()).ok()?;
        let (offset, count) = (scope.number(3.0), scope.number(5.0));
        let view = constructor.construct(scope, &[buffer.object().value(), offset, count]).ok()?;
        let number = type_of_sample(view.value())?.checked_sub(first_view)?;
        Some(number == 12 && looks_right(view.value(), &[3, 4, 5, 6, 7], 5))
    }
}

fn probe_string(scope: &Scope) -> Option<u8> {
    let value = scope.string_from_latin1(b"a sample");
    let string: [u8; 8] = peek(value.raw().cast::<u8>().wrapping_add(STRING_OFFSET))?;
    let data: [u8; 8] = peek((usize::from_ne_bytes(string) as *const u8).wrapping_add(8))?;
    let found: [u8; 8] = peek(usize::from_ne_bytes(data) as *const u8)?;
    (found == *b"a sample").then(|| type_of_sample(value)).flatten()
}

/// The first cell type of views, if a new view has the expected layout.
fn probe_view(scope: &Scope, class: i32, size: usize) -> Option<u8> {
    let bytes: Vec<u8> = (1..).take(SAMPLE_ELEMENTS << size).collect();
    let buffer = crate::ArrayBuffer::new(scope, bytes.clone()).ok()?;
    let view = scope.check(|thrown| {
        // SAFETY: a buffer of this VM, under its lock.
        unsafe {
            let make = symbols().JSObjectMakeTypedArrayWithArrayBuffer;
            make(scope.context(), class, buffer.object().raw(), thrown)
        }
    });
    let view = crate::Object::from_raw(scope, view.ok()?).value();
    looks_right(view, &bytes, SAMPLE_ELEMENTS).then(|| type_of_sample(view)).flatten()
}

fn type_of_sample(value: Value<'_>) -> Option<u8> {
    peek::<1>(value.raw().cast::<u8>().wrapping_add(TYPE_OFFSET)).map(|[number]| number)
}

fn looks_right(view: Value<'_>, bytes: &[u8], elements: usize) -> bool {
    let look = || {
        let cell: [u8; MODE_OFFSET + 1] = peek(view.raw().cast::<u8>())?;
        let word = |at: usize| usize::from_ne_bytes(cell[at..at + 8].try_into().expect("eight bytes"));
        let mut found = vec![0; bytes.len()];
        peek_into(word(VECTOR_OFFSET) as *const u8, &mut found)?;
        Some(word(LENGTH_OFFSET) == elements && cell[MODE_OFFSET] & RESIZABLE == 0 && found == bytes)
    };
    look().unwrap_or(false)
}
