//! Lowering of a decorated class's members. In: a class body. Out: edits. Every decorated member is
//! registered with the class's state in source order, by an expression in its computed key; code
//! that runs later refers to it by its index.

use oxc::ast::ast::{ClassBody, Expression};
use oxc::span::{GetSpan, Span};

use super::CONSTRUCTOR;
use super::class::Lowering;
use super::keys::{self, Name};
use super::member::{ClassMember, Shape};
use crate::names;
use crate::syntax_error::Diagnostic;

impl Lowering<'_, '_> {
    pub(super) fn body(
        &mut self,
        body: &ClassBody<'_>,
        members: &[ClassMember<'_, '_>],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Span { start, end, .. } = body.span;
        if self.has_state {
            self.edits.replace(start..start + 1, format!("{{static{{{}.define(this)}}", self.state));
        }
        self.taken.extend(members.iter().filter_map(keys::public));
        if members.iter().any(|member| member.is_decorated() && member.is_of_prototype()) {
            self.pending = Some(format!("{}.start(this)", self.state));
        }
        for member in members {
            match member.shape {
                Shape::Constructor => diagnostics.extend(refused(member)),
                Shape::Method(_) | Shape::Getter | Shape::Setter => self.function(member),
                Shape::Field(value) => self.field(member, value),
                Shape::Accessor(value) => self.accessor(member, value),
                Shape::Block => self.block(member),
            }
        }
        let mut tail = self.pending.take().map(|pending| self.run(&pending)).unwrap_or_default();
        if self.is_decorated {
            tail.push_str(&format!(";static{{{}.finish()}}", self.state));
        }
        if !tail.is_empty() {
            self.edits.replace(end - 1..end, format!("{tail}}}"));
        }
    }

    /// A private field whose initializer runs a call for each instance.
    fn run(&mut self, call: &str) -> String {
        format!(";{}={call};", self.private_name_for("x"))
    }

    fn private_name_for(&mut self, word: &str) -> String {
        self.hidden += 1;
        format!("#{}{word}{}_{}", self.context.prefix, self.number, self.hidden - 1)
    }

    fn register(&mut self) -> usize {
        self.registered += 1;
        self.registered - 1
    }

    /// A method keeps its own key where possible: stack traces name functions by it.
    fn function(&mut self, member: &ClassMember<'_, '_>) {
        let Some(key) = member.key.filter(|_| member.is_decorated()) else { return };
        let index = self.register();
        let fixed = member.modifier();
        let (word, kind) = match member.shape {
            Shape::Getter => ("get".to_owned(), "getter"),
            Shape::Setter => ("set".to_owned(), "setter"),
            Shape::Method(function) => {
                let word = if function.r#async { "async" } else { "" };
                (format!("{word}{}", if function.generator { "*" } else { "" }), "method")
            }
            _ => return,
        };
        let kind = format!("{fixed}{kind}");
        match member.private_name() {
            Some(name) => self.private_function(member, &kind, index, name),
            None if member.is_computed => {
                self.open_key(member, &format!("{fixed}{word}"), &kind);
                self.close_key(member);
            }
            None => {
                let key = keys::constant(key, self.edits.source());
                self.open_beside(member, &format!("named(\"{kind}\""), &key);
            }
        }
    }

    /// It has a public key while the class is defined; a private accessor returns the decorated
    /// function.
    fn private_function(&mut self, member: &ClassMember<'_, '_>, kind: &str, index: usize, name: &str) {
        let Some(key) = member.key.map(GetSpan::span) else { return };
        let public = names::quoted(&self.free_key(name));
        let registered = format!("{},{public}", keys::access(member));
        self.open_beside(member, &format!("hidden(\"{kind}\""), &registered);
        self.edits.replace(key.start..key.end, public);
        let (state, value) = (&self.state, format!("{}v", self.context.prefix));
        let stand_in = match member.shape {
            Shape::Getter => format!("get #{name}(){{return {state}.get({index},this)}}"),
            Shape::Setter => format!("set #{name}({value}){{{state}.set({index},this,{value})}}"),
            _ => format!("get #{name}(){{return {state}.methods[{index}]}}"),
        };
        self.edits.close(member.span, format!("{}{stand_in}", member.modifier()));
    }

    /// An unused public key that resembles the private name.
    fn free_key(&mut self, private: &str) -> String {
        let mut key = format!("#{private}");
        while !self.taken.insert(key.clone()) {
            key.push(' ');
        }
        key
    }

    fn field(&mut self, member: &ClassMember<'_, '_>, value: Option<&Expression<'_>>) {
        let is_public = member.private_name().is_none();
        if self.is_late(member) {
            return self.late_field(member, value);
        }
        if !member.is_decorated() && !member.is_static {
            self.flush_pending(member);
        }
        if !member.is_decorated() {
            return;
        }
        let index = self.register();
        let fixed = member.modifier();
        if is_public {
            self.open_key(member, fixed, &format!("{fixed}field"));
            self.close_key(member);
            self.value(member, value, "]", Some(index));
        } else {
            self.open_beside(member, &format!("hidden(\"{fixed}field\""), &keys::access(member));
            self.value(member, value, "", Some(index));
        }
    }

    /// Runs pending initializers before a field without decorators.
    fn flush_pending(&mut self, member: &ClassMember<'_, '_>) {
        if let Some(pending) = self.pending.take() {
            let text = self.run(&pending);
            self.edits.open(member.span, text);
        }
    }

    /// The initializer of a field: if the field is decorated, a call applies its decorators.
    fn value(
        &mut self,
        member: &ClassMember<'_, '_>,
        value: Option<&Expression<'_>>,
        before: &str,
        index: Option<usize>,
    ) {
        let Some(key) = member.key.map(GetSpan::span) else { return };
        let end = value.map_or(member.span.end, |value| value.span().start);
        let (open, close) = keys::naming(value, &self.name(member));
        let (call, after) = self.call(member, index);
        let initializers = index.map(|index| self.follow(member, index)).unwrap_or_default();
        match value {
            Some(value) => {
                let comma = if index.is_some() { "," } else { "" };
                self.edits.replace(key.end..end, format!("{before}={call}{comma}{open}"));
                self.edits.close(value.span(), format!("{close}{after};{initializers}"));
            }
            None if index.is_some() => {
                self.edits.replace(key.end..end, format!("{before}={call}{after};{initializers}"));
            }
            None => self.edits.replace(key.end..end, format!("{before};")),
        }
    }

    /// The function name that a field gives to an anonymous function.
    fn name(&self, member: &ClassMember<'_, '_>) -> Name {
        let registered = || format!("{}.names[{}]", self.state, self.registered - 1);
        match (keys::known(member), member.key) {
            (Some(name), _) => Name::Known(name),
            (None, Some(key)) if !member.needs_state() && !self.is_late(member) => {
                Name::Computed(keys::constant(key, self.edits.source()))
            }
            _ => Name::Computed(registered()),
        }
    }

    /// Whether it is a public static field of a decorated class, which is initialized after the
    /// class is decorated.
    fn is_late(&self, member: &ClassMember<'_, '_>) -> bool {
        let is_field = matches!(member.shape, Shape::Field(_));
        self.is_decorated && member.is_static && is_field && member.private_name().is_none()
    }

    /// The start and end of the call around an initializer.
    fn call(&mut self, member: &ClassMember<'_, '_>, index: Option<usize>) -> (String, &'static str) {
        let Some(index) = index else { return (String::new(), "") };
        let call = format!("{}.value({index},this", self.state);
        let pending = if member.is_static { None } else { self.pending.take() };
        match pending {
            Some(pending) => (format!("({pending},{call}"), "))"),
            None => (call, ")"),
        }
    }

    /// Runs the extra initializers of a field's decorators after the field is set.
    fn follow(&mut self, member: &ClassMember<'_, '_>, index: usize) -> String {
        let call = format!("{}.extra({index},this)", self.state);
        if member.is_static {
            return format!("static{{{call}}}");
        }
        self.pending = Some(call);
        String::new()
    }

    fn late_field(&mut self, member: &ClassMember<'_, '_>, value: Option<&Expression<'_>>) {
        let Some(key) = member.key.map(GetSpan::span) else { return };
        let index = self.register();
        self.open_key(member, "static", "late field");
        self.close_key(member);
        let put = format!("static{{{}.put({index})}}", self.state);
        let (open, close) = keys::naming(value, &self.name(member));
        match value {
            Some(value) => {
                let span = value.span();
                self.edits.replace(key.end..span.start, format!("](){{return({open}"));
                self.edits.close(span, format!("{close})}}{put}"));
            }
            None => self.edits.replace(key.end..member.span.end, format!("](){{}}{put}")),
        }
    }

    fn block(&mut self, member: &ClassMember<'_, '_>) {
        if !self.is_decorated {
            return;
        }
        let index = self.register();
        let start = member.span.start;
        let late = format!(";static[{}.late()]()", self.state);
        self.edits.replace(start..start + "static".len() as u32, late);
        self.edits.close(member.span, format!("static{{{}.put({index})}}", self.state));
    }

    /// A getter and a setter over a private field.
    fn accessor(&mut self, member: &ClassMember<'_, '_>, value: Option<&Expression<'_>>) {
        let Some(name) = member.key else { return };
        let key = name.span();
        if !member.is_static && !member.is_decorated() {
            self.flush_pending(member);
        }
        let store = self.private_name_for("s");
        let (fixed, given) = (member.modifier(), format!("{}v", self.context.prefix));
        // Static private fields stay with the original class.
        let holder = match member.is_static && self.is_decorated {
            true => format!("{}.origin", self.state),
            false => "this".to_owned(),
        };
        let get = format!("(){{return {holder}.{store}}}");
        let set = format!("({given}){{{holder}.{store}={given}}}");
        if !member.needs_state() {
            let name = match member.private_name() {
                Some(private) => format!(" #{private}"),
                None => format!("[{}]", keys::constant(name, self.edits.source())),
            };
            let pair = format!(";{fixed}get{name}{get}{fixed}set{name}{set}{fixed}{store}");
            self.edits.open(member.span, pair);
            self.edits.blank(member.span.start..key.end);
            return self.value(member, value, "", None);
        }
        let index = self.register();
        let own = member.is_decorated().then_some(index);
        let (state, kind) = (self.state.clone(), format!("{fixed}accessor"));
        let rest = format!("{get}{fixed}set[{state}.keys[{index}]]{set}{fixed}");
        match member.private_name() {
            None => {
                self.open_key(member, &format!("{fixed}get"), &kind);
                self.close_key(member);
                self.value(member, value, &format!("]{rest}{store}"), own);
            }
            Some(name) => {
                let pair = format!(
                    "get #{name}(){{return {state}.get({index},this)}}{fixed}set #{name}({given}){{{state}.set({index},this,{given})}}"
                );
                let after = format!("{rest}{pair}{fixed}{store}");
                self.open_hidden(member, &format!("{fixed}get"), &kind, &after);
                self.value(member, value, "", own);
            }
        }
    }
}

fn refused(member: &ClassMember<'_, '_>) -> Option<Diagnostic> {
    let first = member.decorators.first()?;
    Some(Diagnostic::new(CONSTRUCTOR, first.span))
}
