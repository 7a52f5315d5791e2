//! Terms that only compare an element with a number: `it >= 4`, `it < needed`.

use crate::bytecode::Instr;
use crate::ids::*;
use crate::pack::Pack;

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Lt,
    Le,
    Eq,
}

impl Test {
    #[inline(always)]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Test::Lt => a < b,
            Test::Le => a <= b,
            Test::Eq => a == b,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Against {
    Int(i32),
    /// The only value that the term captures.
    Captured,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub test: Test,
    /// The element stands on the left.
    pub it_first: bool,
    pub with: Against,
}

/// What a term over the elements of a list compares them with, if it does nothing else. It captures `n` values, the element comes behind them.
pub(crate) fn comparison(pack: &Pack, frag: FragId, n: u16) -> Option<Comparison> {
    let code = &pack.fragments.get(frag.index())?.code[..];
    let (constant, rest) = match code {
        [Instr::Int { dst, v }, rest @ ..] => (Some((*dst, *v)), rest),
        rest => (None, rest),
    };
    let [compare, Instr::Return { src }] = rest else { return None };
    let (test, dst, a, b) = match *compare {
        Instr::Lt { dst, a, b } => (Test::Lt, dst, a, b),
        Instr::Le { dst, a, b } => (Test::Le, dst, a, b),
        Instr::Eq { dst, a, b } => (Test::Eq, dst, a, b),
        _ => return None,
    };
    let it = n;
    let other = if a == it { b } else { a };
    if dst != *src || (a == it) == (b == it) || n > 1 {
        return None;
    }
    let with = match constant {
        // A number that is written over the element leaves nothing to compare.
        Some((r, _)) if r == it => return None,
        Some((r, v)) if r == other => Against::Int(v),
        _ if n == 1 && other == 0 => Against::Captured,
        _ => return None,
    };
    Some(Comparison { test, it_first: a == it, with })
}
