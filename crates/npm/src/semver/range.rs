//! A range of versions: alternatives, each a list of comparators that must all match.

mod parse;

use super::{Prereleases, Rules, Version};
use std::cmp::Ordering;
use std::fmt;

/// A range such as `^1.2.0 || >=3 <3.4`, reduced to plain comparisons.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// Never empty. An alternative without comparators contains every version.
    alternatives: Vec<Vec<Comparator>>,
    prereleases: Prereleases,
}

/// One comparison: `>=1.2.3`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comparator {
    pub operator: Operator,
    /// Without build metadata.
    pub version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Range {
    /// Parses the range of a dependency, by [`Rules::DEPENDENCY`]. `None` if it is not a range, but
    /// a dist-tag, for example.
    pub fn parse(text: &str) -> Option<Range> {
        Range::parse_with(text, Rules::DEPENDENCY)
    }

    pub fn parse_with(text: &str, rules: Rules) -> Option<Range> {
        let alternatives = parse::alternatives(text, rules)?;
        Some(Range { alternatives, prereleases: rules.prereleases })
    }

    /// The range `*`.
    pub fn any() -> Range {
        Range { alternatives: vec![Vec::new()], prereleases: Prereleases::Named }
    }

    pub fn contains(&self, version: &Version) -> bool {
        self.alternatives.iter().any(|comparators| self.all_admit(comparators, version))
    }

    /// The greatest version of those the range contains; of equal ones the first.
    pub fn max_satisfying<'v>(&self, versions: impl IntoIterator<Item = &'v Version>) -> Option<&'v Version> {
        let mut best: Option<&Version> = None;
        for version in versions {
            let better = best.is_none_or(|best| version.cmp_precedence(best).is_gt());
            if better && self.contains(version) {
                best = Some(version);
            }
        }
        best
    }

    /// The one version this range names: `1.2.3`, not `>=1.2.3 <=1.2.3`.
    pub fn is_exact(&self) -> Option<&Version> {
        match self.alternatives.as_slice() {
            [only] => match only.as_slice() {
                [Comparator { operator: Operator::Equal, version }] => Some(version),
                _ => None,
            },
            _ => None,
        }
    }

    /// True for `*`, `x`, `>=0.0.0` and the empty range.
    pub fn is_any(&self) -> bool {
        self.alternatives.iter().any(Vec::is_empty)
    }

    /// The alternatives; within one, all comparators must match. One without comparators is `*`.
    pub fn alternatives(&self) -> &[Vec<Comparator>] {
        &self.alternatives
    }

    /// Whether no pair of comparators excludes a common version; npm uses the same approximation.
    pub fn intersects(&self, other: &Range) -> bool {
        let own = self.satisfiable();
        let others = other.satisfiable();
        own.iter().any(|left| {
            others.iter().any(|right| left.iter().all(|a| right.iter().all(|b| self.comparators_meet(a, b))))
        })
    }

    fn satisfiable(&self) -> Vec<&[Comparator]> {
        let meets_later = |set: &[Comparator]| {
            set.iter().enumerate().all(|(at, a)| set[at + 1..].iter().all(|b| self.comparators_meet(a, b)))
        };
        self.alternatives.iter().map(Vec::as_slice).filter(|set| meets_later(set)).collect()
    }

    fn comparators_meet(&self, a: &Comparator, b: &Comparator) -> bool {
        use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        if a.operator == Equal {
            return self.all_admit(std::slice::from_ref(b), &a.version);
        }
        if b.operator == Equal {
            return self.all_admit(std::slice::from_ref(a), &b.version);
        }
        if self.is_below_everything(a) || self.is_below_everything(b) {
            return false;
        }
        let order = a.version.cmp_precedence(&b.version);
        match (a.operator, b.operator) {
            (Greater | GreaterOrEqual, Greater | GreaterOrEqual) => true,
            (Less | LessOrEqual, Less | LessOrEqual) => true,
            (GreaterOrEqual, LessOrEqual) => order.is_le(),
            (LessOrEqual, GreaterOrEqual) => order.is_ge(),
            (Greater | GreaterOrEqual, _) => order.is_lt(),
            _ => order.is_gt(),
        }
    }

    fn is_below_everything(&self, comparator: &Comparator) -> bool {
        let below_zero = comparator.operator == Operator::Less && comparator.version.numbers() == [0, 0, 0];
        below_zero && (self.prereleases == Prereleases::Named || comparator.is_nothing())
    }

    fn all_admit(&self, comparators: &[Comparator], version: &Version) -> bool {
        comparators.iter().all(|comparator| comparator.admits(version))
            && (!version.is_prerelease()
                || self.prereleases == Prereleases::Included
                || comparators.iter().any(|comparator| comparator.names_prereleases_of(version)))
    }
}

impl Comparator {
    fn admits(&self, version: &Version) -> bool {
        let order = version.cmp_precedence(&self.version);
        match self.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
        }
    }

    fn names_prereleases_of(&self, version: &Version) -> bool {
        self.version.is_prerelease() && self.version.numbers() == version.numbers()
    }

    /// `<0.0.0-0`, which no version is.
    fn is_nothing(&self) -> bool {
        self.operator == Operator::Less
            && self.version.numbers() == [0, 0, 0]
            && self.version.pre() == Some("0")
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_any() {
            return f.write_str("*");
        }
        for (index, comparators) in self.alternatives.iter().enumerate() {
            f.write_str(if index > 0 { "||" } else { "" })?;
            for (index, comparator) in comparators.iter().enumerate() {
                f.write_str(if index > 0 { " " } else { "" })?;
                comparator.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.operator.as_str(), self.version)
    }
}

impl Operator {
    fn as_str(self) -> &'static str {
        match self {
            Operator::Equal => "",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        }
    }
}

#[cfg(test)]
mod tests;
