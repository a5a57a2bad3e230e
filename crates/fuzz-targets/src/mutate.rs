//! Input mutator. Deterministic: the same seed and the same corpus give the same sequence.

/// Longer inputs are truncated: small inputs find the same bugs.
const INPUT_BYTES_MAX: usize = 32 * 1024;
/// Maximal number of changes to one input.
const CHANGES_MAX: u64 = 6;

/// Tokens of the formats, and numbers near their limits.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"\\u",
    b"\\ud800",
    b"/*",
    b"//",
    b"null",
    b"-",
    b"0",
    b"1e999",
    b".",
    b"..",
    b"/",
    b"../",
    b"@",
    b"^",
    b"~",
    b"||",
    b" - ",
    b"*",
    b"x",
    b">=",
    b"<",
    b"=",
    b"v",
    b"-rc.1",
    b"+b",
    b"npm:",
    b"workspace:",
    b"file:",
    b"link:",
    b"git+ssh://",
    b"github:",
    b"https://",
    b"catalog:",
    b"$",
    b"%2f",
    b"%",
    b"#",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\n",
    b" ",
    b"__proto__",
    b"package/",
    b"ustar",
    b"sha512-",
    b"sha1-",
    b"4294967296",
    b"18446744073709551616",
    b"9007199254740993",
    b"2147483647",
    b"7777777",
    b"<<<<<<<",
    b"=======",
    b">>>>>>>",
];

pub struct Mutator<'a> {
    state: u64,
    corpus: &'a [Vec<u8>],
    input: Vec<u8>,
}

impl<'a> Mutator<'a> {
    /// An empty `corpus` is allowed.
    pub fn new(seed: u64, corpus: &'a [Vec<u8>]) -> Mutator<'a> {
        Mutator { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, corpus, input: Vec::new() }
    }

    /// The next input.
    pub fn next(&mut self) -> &[u8] {
        // One time in four the last input is changed further, so that rare changes can add up.
        if self.below(4) > 0 || self.input.is_empty() {
            self.input = self.any_seed().to_vec();
        }
        for _ in 0..=self.below(CHANGES_MAX) {
            self.change();
        }
        self.input.truncate(INPUT_BYTES_MAX);
        &self.input
    }

    fn change(&mut self) {
        let at = self.below(self.input.len() as u64 + 1) as usize;
        let end = (at + 1 + self.below(16) as usize).min(self.input.len());
        match self.below(9) {
            0 if at < end => self.input[at] ^= 1 << self.below(8),
            1 if at < end => self.input[at] = self.below(256) as u8,
            2 => drop(self.input.drain(at..end)),
            3 => self.input.truncate(at),
            4 => self.repeat(at, end),
            5 => self.splice(at),
            6 if at < end => self.input.swap(at, end - 1),
            _ => {
                let piece = PIECES[self.below(PIECES.len() as u64) as usize];
                let replaced = if self.below(2) == 0 { at } else { end };
                self.input.splice(at..replaced.max(at), piece.iter().copied());
            }
        }
    }

    /// Repeats a few bytes many times: depth, length, repetition.
    fn repeat(&mut self, at: usize, end: usize) {
        let times = 1 << self.below(11);
        let bytes = self.input[at..end].repeat(times);
        self.input.splice(at..at, bytes);
    }

    /// Inserts a part of another seed.
    fn splice(&mut self, at: usize) {
        let other = self.any_seed();
        let from = self.below(other.len() as u64 + 1) as usize;
        let to = (from + self.below(64) as usize).min(other.len());
        self.input.splice(at..at, other[from..to].iter().copied());
    }

    fn any_seed(&mut self) -> &'a [u8] {
        let corpus = self.corpus;
        if corpus.is_empty() { &[] } else { &corpus[self.below(corpus.len() as u64) as usize] }
    }

    /// Xorshift: not for secrets, but the same on every platform.
    fn below(&mut self, bound: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % bound.max(1)
    }
}
