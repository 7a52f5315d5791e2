//! Does the order of rolled dice matter?

use super::{FragmentFacts, loops};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::operands::operands;
use crate::pack::{Fragment, Pack};

/// Could anything tell two orders of the same faces apart? Follows the list through the fragment; whatever is not known to be blind to
/// order counts as reading it.
pub(super) fn is_read(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, dst: u16) -> bool {
    let mut lists = vec![dst];
    let mut next = 0;
    while let Some(list) = lists.get(next).copied() {
        next += 1;
        for (pc, instr) in fragment.code.iter().enumerate() {
            if !operands(pack, instr).all_reads().any(|r| r == list as u32) {
                continue;
            }
            let passed_on = match *instr {
                Instr::Move { dst, .. } => dst,
                Instr::Each { op, dst, list: from, caps, n, .. } => {
                    if from != list || (caps..caps.saturating_add(n)).contains(&list) {
                        return true;
                    }
                    match op {
                        EachOp::Filter | EachOp::Map | EachOp::SortBy => dst,
                        EachOp::Sum | EachOp::Any | EachOp::All | EachOp::MaxOf | EachOp::MinOf | EachOp::Highest | EachOp::Lowest => {
                            continue;
                        }
                        EachOp::DistinctBy | EachOp::Connected => return true,
                    }
                }
                Instr::Len { .. } | Instr::Contains { .. } | Instr::JumpIfNone { .. } | Instr::Eq { .. } => continue,
                Instr::Lt { .. } | Instr::Le { .. } | Instr::AddInt { .. } | Instr::Neg { .. } | Instr::Mod { .. } => continue,
                Instr::Expect { .. } => continue,
                Instr::Index { list: from, .. } if from == list && loops::only_adds_up(pack, fragment, facts, pc) => {
                    continue;
                }
                Instr::Call1 { fun: Fun::Total | Fun::Max | Fun::Min | Fun::Odd | Fun::Abs, .. } => continue,
                Instr::CallN { fun: Fun::Total | Fun::Copies, .. } => continue,
                _ => return true,
            };
            if !lists.contains(&passed_on) {
                lists.push(passed_on);
            }
        }
    }
    false
}
