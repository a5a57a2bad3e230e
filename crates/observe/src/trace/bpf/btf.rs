//! BTF, the kernel's type information (`Documentation/bpf/btf.rst`): offsets of struct members. In:
//! the type table that the kernel publishes. Out: offsets in bytes. Only the requested types are
//! decoded.

/// The magic number of `struct btf_header`.
const MAGIC: u16 = 0xeb9f;
const KIND_STRUCT: u32 = 4;
const KIND_UNION: u32 = 5;
/// Nesting depth of anonymous structs.
const DEPTH_MAX: usize = 8;

/// A type table.
pub struct Btf<'a> {
    types: &'a [u8],
    texts: &'a [u8],
}

/// A struct of the table.
#[derive(Clone, Copy)]
pub struct Struct<'a> {
    btf: &'a Btf<'a>,
    kind: Type,
}

impl Struct<'_> {
    /// The offset of each member in bytes; `None` if one does not exist. Direct members are
    /// searched first, since members of anonymous structs require an index of all types.
    pub fn offsets<const N: usize>(&self, members: [&str; N]) -> Option<[u32; N]> {
        let mut places = None;
        let mut offsets = [0; N];
        for (offset, member) in offsets.iter_mut().zip(members) {
            let own = self.btf.offset(&[], self.kind, member.as_bytes(), 0);
            let found = own.or_else(|| {
                let places = places.get_or_insert_with(|| self.btf.places());
                self.btf.offset(places, self.kind, member.as_bytes(), DEPTH_MAX)
            });
            *offset = found? / 8;
        }
        Some(offsets)
    }
}

/// A type: its kind, and where its members begin.
#[derive(Clone, Copy)]
struct Type {
    name: u32,
    kind: u32,
    /// Whether a member's offset includes a bit field width.
    has_widths: bool,
    members: usize,
    members_at: usize,
}

impl<'a> Btf<'a> {
    /// `None` if it is no type table.
    pub fn parse(bytes: &'a [u8]) -> Option<Btf<'a>> {
        let magic = u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?);
        let header = word(bytes, 4)? as usize;
        let part = |at: usize| {
            let from = header.checked_add(word(bytes, at)? as usize)?;
            bytes.get(from..from.checked_add(word(bytes, at + 4)? as usize)?)
        };
        (magic == MAGIC).then_some(Btf { types: part(8)?, texts: part(16)? })
    }

    /// Structs by name, in one pass over the types; `None` if one does not exist.
    pub fn structs<const N: usize>(&self, names: [&str; N]) -> Option<[Struct<'_>; N]> {
        let mut found = [None; N];
        let mut at = 0;
        while let Some((kind, next)) = self.kind(at).filter(|_| found.iter().any(Option::is_none)) {
            if kind.kind == KIND_STRUCT {
                let name = self.text(kind.name)?;
                if let Some(index) = names.iter().position(|wanted| wanted.as_bytes() == name) {
                    found[index].get_or_insert(kind);
                }
            }
            at = next;
        }
        let mut found = found.into_iter();
        let mut structs = names.map(|_| found.next().flatten().map(|kind| Struct { btf: self, kind }));
        match structs.iter().all(Option::is_some) {
            true => Some(std::array::from_fn(|index| structs[index].take().expect("all are there"))),
            false => None,
        }
    }

    /// The offset of each type; the first type has id 1.
    fn places(&self) -> Vec<u32> {
        let mut places = Vec::with_capacity(self.types.len() / 24);
        let mut at = 0;
        while let Some((_, next)) = self.kind(at) {
            places.push(at as u32);
            at = next;
        }
        places
    }

    /// The type at an offset, and the offset of the next one.
    fn kind(&self, at: usize) -> Option<(Type, usize)> {
        let (name, head) = (word(self.types, at)?, word(self.types, at + 4)?);
        let (members, kind) = ((head & 0xffff) as usize, head >> 24 & 0x1f);
        let behind = match kind {
            1 | 14 | 17 => 4,
            3 => 12,
            KIND_STRUCT | KIND_UNION | 15 | 19 => 12 * members,
            6 | 13 => 8 * members,
            _ => 0,
        };
        let members_at = at + 12;
        Some((Type { name, kind, has_widths: head >> 31 == 1, members, members_at }, members_at + behind))
    }

    /// The offset in bits, also in anonymous members.
    fn offset(&self, places: &[u32], kind: Type, member: &[u8], depth: usize) -> Option<u32> {
        (0..kind.members).find_map(|index| {
            let at = kind.members_at + 12 * index;
            let offset = word(self.types, at + 8)?;
            let offset = if kind.has_widths { offset & 0xff_ffff } else { offset };
            match self.text(word(self.types, at)?)? {
                name if name == member => Some(offset),
                b"" if depth > 0 => {
                    let place = *places.get((word(self.types, at + 4)? as usize).checked_sub(1)?)?;
                    let (inner, _) = self.kind(place as usize)?;
                    match inner.kind {
                        KIND_STRUCT | KIND_UNION => {
                            Some(offset + self.offset(places, inner, member, depth - 1)?)
                        }
                        _ => None,
                    }
                }
                _ => None,
            }
        })
    }

    fn text(&self, at: u32) -> Option<&'a [u8]> {
        let rest = self.texts.get(at as usize..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(&rest[..end])
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
