//! Reading an address, state by state, as the URL standard does ("basic URL parser"); each state of
//! it is a function here. In: a text, an address it is relative to, or a part of one that is to be
//! set anew. Out: the address, or that it is none. Hosts are read by the crate `url`.

pub mod files;
pub mod paths;

use std::ops::Range;

use url::Host;

use super::record::{Path, UrlRecord, default_port, is_special};

use crate::percent_encode::{self as encode, FRAGMENT, QUERY, SPECIAL_QUERY, USERINFO};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    SchemeStart,
    Scheme,
    NoScheme,
    SpecialRelativeOrAuthority,
    PathOrAuthority,
    Relative,
    RelativeSlash,
    SpecialAuthoritySlashes,
    SpecialAuthorityIgnoreSlashes,
    Authority,
    Host,
    Hostname,
    Port,
    File,
    FileSlash,
    FileHost,
    PathStart,
    Path,
    OpaquePath,
    Query,
    Fragment,
}

/// What comes behind a byte.
enum Transition {
    /// The next byte, in this state.
    Next(State),
    /// The same byte, in another state.
    Again(State),
    Done,
    Fail,
}

use Transition::{Again, Done, Fail, Next};

struct Parser<'a> {
    address: &'a mut UrlRecord,
    input: Vec<u8>,
    at: usize,
    buffer: Vec<u8>,
    base: Option<&'a UrlRecord>,
    /// The state it began in, where a part is set anew.
    only: Option<State>,
    has_at: bool,
    is_in_brackets: bool,
    has_password: bool,
}

/// Reads a whole address.
pub fn parse(input: &str, base: Option<&UrlRecord>) -> Option<UrlRecord> {
    let input = input.trim_matches(|letter: char| letter <= ' ');
    let mut address = UrlRecord::default();
    run(&mut address, input, base, None).then_some(address)
}

/// Reads a part of an address anew. Whether it was one.
pub fn reset(address: &mut UrlRecord, input: &str, state: State) -> bool {
    run(address, input, None, Some(state))
}

fn run(address: &mut UrlRecord, input: &str, base: Option<&UrlRecord>, only: Option<State>) -> bool {
    let mut input = input.as_bytes().to_vec();
    input.retain(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    let (has_at, is_in_brackets, has_password) = (false, false, false);
    let buffer = Vec::new();
    let mut machine =
        Parser { address, input, at: 0, buffer, base, only, has_at, is_in_brackets, has_password };
    let mut state = only.unwrap_or(State::SchemeStart);
    loop {
        let byte = machine.input.get(machine.at).copied();
        match machine.step(state, byte) {
            Next(_) if byte.is_none() => return true,
            Next(next) => {
                state = next;
                machine.at += 1;
            }
            Again(next) => state = next,
            Done => return true,
            Fail => return false,
        }
    }
}

impl Parser<'_> {
    fn step(&mut self, state: State, byte: Option<u8>) -> Transition {
        match state {
            State::SchemeStart => self.scheme_start(byte),
            State::Scheme => self.scheme(byte),
            State::NoScheme => self.no_scheme(byte),
            State::SpecialRelativeOrAuthority => match (byte, self.follows(b'/')) {
                (Some(b'/'), true) => self.skip(State::SpecialAuthorityIgnoreSlashes),
                _ => Again(State::Relative),
            },
            State::PathOrAuthority => match byte {
                Some(b'/') => Next(State::Authority),
                _ => Again(State::Path),
            },
            State::Relative => self.relative(byte),
            State::RelativeSlash => self.relative_slash(byte),
            State::SpecialAuthoritySlashes => match (byte, self.follows(b'/')) {
                (Some(b'/'), true) => self.skip(State::SpecialAuthorityIgnoreSlashes),
                _ => Again(State::SpecialAuthorityIgnoreSlashes),
            },
            State::SpecialAuthorityIgnoreSlashes => match byte {
                Some(b'/' | b'\\') => Next(State::SpecialAuthorityIgnoreSlashes),
                _ => Again(State::Authority),
            },
            State::Authority => self.authority(),
            State::Host | State::Hostname => self.host(state, byte),
            State::Port => self.port(byte),
            State::File => self.file(byte),
            State::FileSlash => self.file_slash(byte),
            State::FileHost => self.file_host(byte),
            State::PathStart => self.path_start(byte),
            State::Path => self.path(),
            State::OpaquePath => self.opaque_path(),
            State::Query => self.query(),
            State::Fragment => self.fragment(),
        }
    }

    fn follows(&self, byte: u8) -> bool {
        self.input.get(self.at + 1) == Some(&byte)
    }

    /// Past the byte that follows, too.
    fn skip(&mut self, state: State) -> Transition {
        self.at += 1;
        Next(state)
    }

    /// A byte that separates parts of a path.
    fn is_slash(&self, byte: Option<u8>) -> bool {
        byte == Some(b'/') || (byte == Some(b'\\') && self.address.is_special())
    }

    /// A byte behind which an authority cannot go on.
    fn ends_authority(&self, byte: Option<u8>) -> bool {
        matches!(byte, None | Some(b'?' | b'#')) || self.is_slash(byte)
    }

    fn begin_query(&mut self) -> Transition {
        self.address.query = Some(String::new());
        Next(State::Query)
    }

    fn begin_fragment(&mut self) -> Transition {
        self.address.fragment = Some(String::new());
        Next(State::Fragment)
    }

    fn scheme_start(&mut self, byte: Option<u8>) -> Transition {
        match byte {
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.buffer.push(letter.to_ascii_lowercase());
                Next(State::Scheme)
            }
            _ if self.only.is_none() => Again(State::NoScheme),
            _ => Fail,
        }
    }

    fn scheme(&mut self, byte: Option<u8>) -> Transition {
        match byte {
            Some(letter) if letter.is_ascii_alphanumeric() || b"+-.".contains(&letter) => {
                self.buffer.push(letter.to_ascii_lowercase());
                Next(State::Scheme)
            }
            Some(b':') => self.end_scheme(),
            _ if self.only.is_none() => {
                self.buffer.clear();
                self.at = 0;
                Again(State::NoScheme)
            }
            _ => Fail,
        }
    }

    fn end_scheme(&mut self) -> Transition {
        let scheme: String = self.buffer.drain(..).map(char::from).collect();
        let address = &mut *self.address;
        if self.only.is_some() {
            let is_other = address.is_special() != is_special(&scheme)
                || ((address.has_credentials() || address.port.is_some()) && scheme == "file")
                || (address.is_file() && address.host.as_deref().is_none_or(str::is_empty));
            if !is_other {
                address.scheme = scheme;
                address.port = address.port.filter(|port| Some(*port) != default_port(&address.scheme));
            }
            return Done;
        }
        address.scheme = scheme;
        if address.is_file() {
            return Next(State::File);
        }
        if address.is_special() {
            let is_same = self.base.is_some_and(|base| base.scheme == address.scheme);
            return Next(match is_same {
                true => State::SpecialRelativeOrAuthority,
                false => State::SpecialAuthoritySlashes,
            });
        }
        if self.follows(b'/') {
            return self.skip(State::PathOrAuthority);
        }
        self.address.path = Path::Opaque(String::new());
        Next(State::OpaquePath)
    }

    fn no_scheme(&mut self, byte: Option<u8>) -> Transition {
        let Some(base) = self.base else { return Fail };
        match (&base.path, byte) {
            (Path::Opaque(_), Some(b'#')) => {
                self.address.scheme.clone_from(&base.scheme);
                self.address.path = base.path.clone();
                self.address.query.clone_from(&base.query);
                self.begin_fragment()
            }
            (Path::Opaque(_), _) => Fail,
            (Path::List(_), _) if base.is_file() => Again(State::File),
            (Path::List(_), _) => Again(State::Relative),
        }
    }

    fn relative(&mut self, byte: Option<u8>) -> Transition {
        let Some(base) = self.base else { return Fail };
        self.address.scheme.clone_from(&base.scheme);
        if self.is_slash(byte) {
            return Next(State::RelativeSlash);
        }
        *self.address = UrlRecord { fragment: None, ..base.clone() };
        match byte {
            Some(b'?') => self.begin_query(),
            Some(b'#') => self.begin_fragment(),
            None => Done,
            Some(_) => {
                self.address.query = None;
                self.shorten();
                Again(State::Path)
            }
        }
    }

    fn relative_slash(&mut self, byte: Option<u8>) -> Transition {
        if self.address.is_special() && matches!(byte, Some(b'/' | b'\\')) {
            return Next(State::SpecialAuthorityIgnoreSlashes);
        }
        if byte == Some(b'/') {
            return Next(State::Authority);
        }
        let Some(base) = self.base else { return Fail };
        let empty = UrlRecord { path: Path::default(), query: None, fragment: None, ..base.clone() };
        *self.address = empty;
        Again(State::Path)
    }

    /// To the sign behind a user, or to where a host begins that has none before it.
    fn authority(&mut self) -> Transition {
        let (begin, is_special) = (self.at, self.address.is_special());
        let run = self
            .take_until(|byte| matches!(byte, b'@' | b'/' | b'?' | b'#') || (byte == b'\\' && is_special));
        if self.input.get(self.at) != Some(&b'@') {
            if self.has_at && run.is_empty() {
                return Fail;
            }
            self.at = begin;
            return Again(State::Host);
        }
        if self.has_at {
            self.push_user(b"%40");
        }
        self.has_at = true;
        let user = self.input[run].to_vec();
        self.push_user(&user);
        Next(State::Authority)
    }

    fn push_user(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match (byte, self.has_password) {
                (b':', false) => self.has_password = true,
                // What is encoded already is written as it is.
                (_, true) => encode::extend(&mut self.address.password, &[*byte], USERINFO),
                (_, false) => encode::extend(&mut self.address.username, &[*byte], USERINFO),
            }
        }
    }

    fn host(&mut self, state: State, byte: Option<u8>) -> Transition {
        if self.only.is_some() && self.address.is_file() {
            return Again(State::FileHost);
        }
        if byte == Some(b':') && !self.is_in_brackets {
            if self.buffer.is_empty() || self.only == Some(State::Hostname) {
                return Fail;
            }
            return if self.take_host() { Next(State::Port) } else { Fail };
        }
        if self.ends_authority(byte) {
            let is_bare = self.address.has_credentials() || self.address.port.is_some();
            if self.buffer.is_empty() && (self.address.is_special() || (self.only.is_some() && is_bare)) {
                return Fail;
            }
            return match (self.take_host(), self.only) {
                (false, _) => Fail,
                (true, Some(_)) => Done,
                (true, None) => Again(State::PathStart),
            };
        }
        match byte {
            Some(b'[') => self.is_in_brackets = true,
            Some(b']') => self.is_in_brackets = false,
            _ => {}
        }
        self.buffer.extend(byte);
        Next(state)
    }

    /// Reads the buffer as a host. Whether it is one.
    fn take_host(&mut self) -> bool {
        let bytes = std::mem::take(&mut self.buffer);
        let Ok(text) = String::from_utf8(bytes) else { return false };
        let is_special = self.address.is_special();
        if is_special && is_plain_name(&text) {
            self.address.host = Some(text);
            return true;
        }
        let host = match is_special {
            true => Host::parse(&text),
            false => Host::parse_opaque(&text),
        };
        let Ok(host) = host else { return false };
        self.address.host = Some(host.to_string());
        true
    }

    fn port(&mut self, byte: Option<u8>) -> Transition {
        match byte {
            Some(digit) if digit.is_ascii_digit() => {
                self.buffer.push(digit);
                Next(State::Port)
            }
            _ if self.ends_authority(byte) || self.only.is_some() => {
                if self.buffer.is_empty() {
                    return if self.only.is_some() { Fail } else { Again(State::PathStart) };
                }
                let digits = self.buffer.drain(..).map(|digit| u32::from(digit - b'0'));
                let number = digits.fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(digit));
                let Ok(number) = u16::try_from(number) else { return Fail };
                self.address.port =
                    Some(number).filter(|port| Some(*port) != default_port(&self.address.scheme));
                if self.only.is_some() { Done } else { Again(State::PathStart) }
            }
            _ => Fail,
        }
    }

    fn path_start(&mut self, byte: Option<u8>) -> Transition {
        if self.address.is_special() {
            return if self.is_slash(byte) { Next(State::Path) } else { Again(State::Path) };
        }
        match byte {
            Some(b'?') if self.only.is_none() => self.begin_query(),
            Some(b'#') if self.only.is_none() => self.begin_fragment(),
            Some(b'/') => Next(State::Path),
            Some(_) => Again(State::Path),
            None => {
                if self.only.is_some() && self.address.host.is_none() {
                    self.push_part(String::new());
                }
                Done
            }
        }
    }

    /// Where the bytes lie before the next one that `is_end` names, which is stood at from here on.
    fn take_until(&mut self, is_end: impl Fn(u8) -> bool) -> Range<usize> {
        let begin = self.at;
        let rest = &self.input[begin..];
        self.at += rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len());
        begin..self.at
    }

    fn query(&mut self) -> Transition {
        let is_whole = self.only.is_none();
        let set = if self.address.is_special() { SPECIAL_QUERY } else { QUERY };
        let run = self.take_until(|byte| is_whole && byte == b'#');
        if let Some(query) = &mut self.address.query {
            encode::extend(query, &self.input[run], set);
        }
        if self.at < self.input.len() { self.begin_fragment() } else { Done }
    }

    fn fragment(&mut self) -> Transition {
        if let Some(fragment) = &mut self.address.fragment {
            encode::extend(fragment, &self.input[self.at..], FRAGMENT);
        }
        Done
    }
}

/// Names that are hosts as they stand: lower case, nothing encoded, nothing of IDNA, and no number
/// at the end.
fn is_plain_name(text: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_');
    let last = text.rsplit('.').next().unwrap_or_default();
    text.bytes().all(is_plain)
        && last.starts_with(|letter: char| letter.is_ascii_lowercase())
        && !text.contains("xn--")
}

#[cfg(test)]
mod tests;
