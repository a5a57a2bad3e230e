//! `export * from` as Babel emits it: a loop over the keys of a required module. In: a cursor after
//! `Object.`. Out: the name of the variable that is copied from. The patterns are `EXPORT_STAR_LIB`
//! of cjs-module-lexer's README.

use super::cursor::Cursor;

/// `keys(name).forEach(function (key) { … exports[key] = name[key] … })`
pub(super) fn copied<'s>(mut cursor: Cursor<'s>) -> Option<&'s str> {
    cursor.word("keys")?;
    cursor.eat("(")?;
    let from = cursor.identifier()?;
    for punctuator in [")", "."] {
        cursor.eat(punctuator)?;
    }
    cursor.word("forEach")?;
    cursor.eat("(")?;
    cursor.word("function")?;
    cursor.eat("(")?;
    let key = cursor.identifier()?;
    cursor.eat(")")?;
    cursor.eat("{")?;
    cursor.word("if")?;
    cursor.eat("(")?;
    cursor.word(key)?;
    match cursor.eat("===") {
        Some(()) => returns(&mut cursor, from, key)?,
        None => unless(&mut cursor, key)?,
    }
    copy(&mut cursor, from, key)?;
    cursor.eat("}")?;
    cursor.eat(")")?;
    Some(from)
}

/// `'default' || key === '__esModule') return;` and the two checks that may follow.
fn returns(cursor: &mut Cursor<'_>, from: &str, key: &str) -> Option<()> {
    is_string(cursor, "default")?;
    cursor.eat("||")?;
    cursor.word(key)?;
    cursor.eat("===")?;
    is_string(cursor, "__esModule")?;
    end_of_return(cursor)?;
    if cursor.word("if").is_none() {
        return Some(());
    }
    cursor.eat("(")?;
    if cursor.clone().word("Object").is_some() {
        has_own(cursor, key)?;
        end_of_return(cursor)?;
        if cursor.word("if").is_none() {
            return Some(());
        }
        cursor.eat("(")?;
    }
    cursor.word(key)?;
    cursor.word("in")?;
    cursor.exports()?;
    cursor.eat("&&")?;
    cursor.exports()?;
    at_key(cursor, key)?;
    cursor.eat("===")?;
    cursor.word(from)?;
    at_key(cursor, key)?;
    end_of_return(cursor)
}

/// `!== 'default' && !exports.hasOwnProperty(key))`
fn unless(cursor: &mut Cursor<'_>, key: &str) -> Option<()> {
    cursor.eat("!==")?;
    is_string(cursor, "default")?;
    if cursor.eat("&&").is_some() {
        cursor.eat("!")?;
        if cursor.clone().word("Object").is_some() {
            has_own(cursor, key)?;
        } else {
            cursor.identifier()?;
            cursor.eat(".")?;
            cursor.word("hasOwnProperty")?;
            cursor.eat("(")?;
            cursor.word(key)?;
            cursor.eat(")")?;
        }
    }
    cursor.eat(")")
}

/// `Object.prototype.hasOwnProperty.call(name, key)`
fn has_own(cursor: &mut Cursor<'_>, key: &str) -> Option<()> {
    cursor.word("Object")?;
    cursor.eat(".")?;
    if cursor.word("prototype").is_some() {
        cursor.eat(".")?;
    }
    cursor.word("hasOwnProperty")?;
    cursor.eat(".")?;
    cursor.word("call")?;
    cursor.eat("(")?;
    cursor.identifier()?;
    cursor.eat(",")?;
    cursor.word(key)?;
    cursor.eat(")")
}

/// `exports[key] = name[key];`, or `Object.defineProperty(exports, key, { enumerable: true, get: …
/// });`
fn copy(cursor: &mut Cursor<'_>, from: &str, key: &str) -> Option<()> {
    if cursor.word("Object").is_some() {
        cursor.eat(".")?;
        cursor.word("defineProperty")?;
        cursor.eat("(")?;
        cursor.exports()?;
        cursor.eat(",")?;
        cursor.word(key)?;
        cursor.eat(",")?;
        cursor.eat("{")?;
        cursor.word("enumerable")?;
        cursor.eat(":")?;
        cursor.word("true")?;
        cursor.eat(",")?;
        cursor.getter_head()?;
        cursor.word(from)?;
        at_key(cursor, key)?;
        cursor.getter_tail()?;
    } else {
        cursor.exports()?;
        at_key(cursor, key)?;
        cursor.eat("=")?;
        cursor.word(from)?;
        at_key(cursor, key)?;
    }
    _ = cursor.eat(";");
    Some(())
}

fn at_key(cursor: &mut Cursor<'_>, key: &str) -> Option<()> {
    cursor.eat("[")?;
    cursor.word(key)?;
    cursor.eat("]")
}

fn end_of_return(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.eat(")")?;
    cursor.word("return")?;
    _ = cursor.eat(";");
    Some(())
}

fn is_string(cursor: &mut Cursor<'_>, wanted: &str) -> Option<()> {
    (cursor.string_literal()? == wanted).then_some(())
}
