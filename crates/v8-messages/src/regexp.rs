//! Messages about invalid regular expressions. Absent: the expression, which V8 shows and the
//! engine does not; the source text may have it, see `js/internal/stack/invalid_regexp.js`.

/// The engine's message, and V8's without the expression.
pub(super) const REGEXP: &[(&str, &str)] = &[
    ("Invalid regular expression: missing )", "Invalid regular expression: Unterminated group"),
    (
        "Invalid regular expression: missing terminating ] for character class",
        "Invalid regular expression: Unterminated character class",
    ),
    (
        "Invalid regular expression: missing terminating } for class string disjunction",
        "Invalid regular expression: Unterminated character class",
    ),
    ("Invalid regular expression: nothing to repeat", "Invalid regular expression: Nothing to repeat"),
    ("Invalid regular expression: unmatched parentheses", "Invalid regular expression: Unmatched ')'"),
    ("Invalid regular expression: \\ at end of pattern", "Invalid regular expression: \\ at end of pattern"),
    (
        "Invalid regular expression: invalid group specifier name",
        "Invalid regular expression: Invalid capture group name",
    ),
    (
        "Invalid regular expression: duplicate group specifier name",
        "Invalid regular expression: Duplicate capture group name",
    ),
    (
        "Invalid regular expression: invalid \\k<> named backreference",
        "Invalid regular expression: Invalid named capture referenced",
    ),
    (
        "Invalid regular expression: numbers out of order in {} quantifier",
        "Invalid regular expression: numbers out of order in {} quantifier",
    ),
    (
        "Invalid regular expression: number too large in {} quantifier",
        "Invalid regular expression: numbers out of order in {} quantifier",
    ),
    (
        "Invalid regular expression: range out of order in character class",
        "Invalid regular expression: Range out of order in character class",
    ),
    (
        "Invalid regular expression: invalid Unicode code point \\u{} escape",
        "Invalid regular expression: Invalid Unicode escape",
    ),
    (
        "Invalid regular expression: invalid Unicode \\u escape",
        "Invalid regular expression: Invalid Unicode escape",
    ),
    (
        "Invalid regular expression: invalid property expression",
        "Invalid regular expression: Invalid property name",
    ),
    (
        "Invalid regular expression: unrecognized character after (?",
        "Invalid regular expression: Invalid group",
    ),
    ("Invalid regular expression: invalid quantifier", "Invalid regular expression: Invalid quantifier"),
    (
        "Invalid regular expression: invalid backreference for Unicode pattern",
        "Invalid regular expression: Invalid escape",
    ),
    (
        "Invalid regular expression: invalid escaped character for Unicode pattern",
        "Invalid regular expression: Invalid escape",
    ),
    (
        "Invalid regular expression: invalid octal escape for Unicode pattern",
        "Invalid regular expression: Invalid decimal escape",
    ),
    (
        "Invalid regular expression: invalid range in character class for Unicode pattern",
        "Invalid regular expression: Invalid character class",
    ),
    (
        "Invalid regular expression: unmatched ] or } bracket for Unicode pattern",
        "Invalid regular expression: Lone quantifier brackets",
    ),
    (
        "Invalid regular expression: incomplete {} quantifier for Unicode pattern",
        "Invalid regular expression: Incomplete quantifier",
    ),
    (
        "Invalid regular expression: invalid operation in class set",
        "Invalid regular expression: Invalid set operation in character class",
    ),
    (
        "Invalid regular expression: invalid class set character",
        "Invalid regular expression: Invalid character in character class",
    ),
    (
        "Invalid regular expression: invalid regular expression modifier",
        "Invalid regular expression: Invalid flag group",
    ),
    (
        "Invalid regular expression: pattern exceeds string length limits",
        "Invalid regular expression: Regular expression too large",
    ),
    (
        "Invalid regular expression: invalid \\c escape for Unicode pattern",
        "Invalid regular expression: Invalid Unicode escape",
    ),
    (
        "Invalid regular expression: negated class set may contain strings",
        "Invalid regular expression: Negated character class may contain strings",
    ),
    (
        "Invalid regular expression: regular expression too large",
        "Invalid regular expression: Regular expression too large",
    ),
];
