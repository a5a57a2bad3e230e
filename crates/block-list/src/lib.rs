//! Addresses that a program refuses, as `net.BlockList` has them. In: rules, each an address, a
//! range or a subnet. Out: whether an address is among them; the rules as strings. A look takes as
//! long as the logarithm of the rules is great. Threads share a list by reference: its lock is held
//! for one look or one change, and nothing of JavaScript runs meanwhile. Absent: reading rules from
//! strings, values of the engine.

mod address;
mod spans;

use std::fmt;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

pub use address::{Family, parse, render};
use address::{MAPPED, MAPPED_MAX, narrow, wide};
use spans::{Span, Spans};

/// One list, for any number of threads.
#[derive(Default)]
pub struct BlockList(RwLock<ListState>);

#[derive(Default)]
struct ListState {
    /// As they were added; an address that was added twice stands here twice, as in Node.
    rules: Vec<Rule>,
    /// What an IPv4 address is looked for in, and an IPv6 one: a rule of one family may say
    /// something of the other.
    narrow: Spans,
    wide: Spans,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Address(IpAddr),
    /// Both ends belong to it. They may be of two families; then only addresses that both can be
    /// compared with are in it.
    Range(IpAddr, IpAddr),
    /// So many bits of the address count.
    Subnet(IpAddr, u32),
}

/// A range whose end comes before its start.
#[derive(Debug, PartialEq, Eq)]
pub struct Backwards;

impl BlockList {
    pub fn add(&self, rule: Rule) -> Result<(), Backwards> {
        if let Rule::Range(start, end) = rule
            && is_behind(start, end)
        {
            return Err(Backwards);
        }
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.rules.push(rule);
        if let Some(span) = rule.narrow() {
            state.narrow.add(span);
        }
        if let Some(span) = rule.wide() {
            state.wide.add(span);
        }
        Ok(())
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        let state = self.state();
        match address {
            IpAddr::V4(address) => state.narrow.contains(u128::from(address.to_bits())),
            IpAddr::V6(address) => state.wide.contains(address.to_bits()),
        }
    }

    /// The newest first.
    pub fn rules(&self) -> Vec<String> {
        let rules = self.state().rules.clone();
        rules.iter().rev().map(Rule::to_string).collect()
    }

    /// A change is whole or did not begin, so one that panicked has left nothing half-done.
    fn state(&self) -> RwLockReadGuard<'_, ListState> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Addresses that cannot be compared stand in no order.
fn is_behind(start: IpAddr, end: IpAddr) -> bool {
    match (start, end) {
        (IpAddr::V6(start), IpAddr::V6(end)) => start > end,
        _ => matches!((narrow(start), narrow(end)), (Some(start), Some(end)) if start > end),
    }
}

impl Rule {
    /// The IPv4 addresses that it means.
    fn narrow(self) -> Option<Span> {
        match self {
            Rule::Address(address) => narrow(address).map(Span::one),
            Rule::Range(start, end) => Span::between(narrow(start)?, narrow(end)?),
            Rule::Subnet(IpAddr::V4(network), prefix) => {
                Some(Span::block(network.to_bits().into(), 32, prefix))
            }
            Rule::Subnet(IpAddr::V6(network), prefix) => {
                let within = Span::block(network.to_bits(), 128, prefix).within(MAPPED, MAPPED_MAX)?;
                Some(Span { low: within.low - MAPPED, high: within.high - MAPPED })
            }
        }
    }

    /// The IPv6 addresses that it means, among them those that stand for an IPv4 address.
    fn wide(self) -> Option<Span> {
        match self {
            Rule::Address(address) => Some(Span::one(wide(address))),
            Rule::Range(start, end) => {
                let span = Span::between(wide(start), wide(end))?;
                match start.is_ipv4() || end.is_ipv4() {
                    true => span.within(MAPPED, MAPPED_MAX),
                    false => Some(span),
                }
            }
            Rule::Subnet(IpAddr::V4(network), prefix) => {
                let Span { low, high } = Span::block(network.to_bits().into(), 32, prefix);
                Some(Span { low: low + MAPPED, high: high + MAPPED })
            }
            Rule::Subnet(IpAddr::V6(network), prefix) => Some(Span::block(network.to_bits(), 128, prefix)),
        }
    }
}

/// Node's words, which `fromJSON` reads.
impl fmt::Display for Rule {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = |address: IpAddr| if address.is_ipv4() { "IPv4" } else { "IPv6" };
        match *self {
            Rule::Address(address) => write!(to, "Address: {} {}", family(address), render(address)),
            Rule::Range(start, end) => {
                write!(to, "Range: {} {}-{}", family(start), render(start), render(end))
            }
            Rule::Subnet(network, prefix) => {
                write!(to, "Subnet: {} {}/{prefix}", family(network), render(network))
            }
        }
    }
}

#[cfg(test)]
mod tests;
