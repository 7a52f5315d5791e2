//! Does the order of rolled dice matter?

use rustc_hash::FxHashSet;

use super::{FragmentFacts, loops};
use crate::bytecode::{EachOp, Fun, Instr};
use crate::ids::Reg;
use crate::operands::{operands, targets};
use crate::pack::{Fragment, Pack};

/// What an instruction does with a list it reads.
enum Use {
    /// Whatever the order, the same.
    Blind,
    /// Its result is a list in that order.
    Passes(Reg),
    Reads,
}

/// Could anything tell two orders of the same faces apart? Follows the list from the roll at `pc` on, as long as a register holds it; whatever is not
/// known to be blind to order counts as reading it.
pub(super) fn is_read(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize, dst: Reg) -> bool {
    let mut seen: FxHashSet<(usize, Reg)> = FxHashSet::default();
    let mut todo: Vec<(usize, Reg)> = vec![(pc + 1, dst)];
    while let Some((pc, list)) = todo.pop() {
        let Some(instr) = fragment.code.get(pc) else { continue };
        if !seen.insert((pc, list)) {
            continue;
        }
        // Fragments with more than this to follow are left alone: knowing less only means trying more.
        if seen.len() > 10_000 {
            return true;
        }
        let uses = operands(pack, instr);
        let next = targets(pack, pc, instr).into_iter().map(|to| to as usize);
        if uses.all_reads().any(|r| r == list as u32) {
            match used(pack, fragment, facts, pc, list) {
                Use::Blind => {}
                Use::Passes(dst) => todo.extend(next.clone().map(|to| (to, dst))),
                Use::Reads => return true,
            }
        }
        if !uses.writes.contains(&list) {
            todo.extend(next.map(|to| (to, list)));
        }
    }
    false
}

fn used(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize, list: Reg) -> Use {
    let Some(instr) = fragment.code.get(pc) else { return Use::Reads };
    match *instr {
        Instr::Move { dst, .. } => Use::Passes(dst),
        Instr::Each { op, dst, list: from, caps, n, .. } => {
            if from != list || (caps..caps.saturating_add(n)).contains(&list) {
                return Use::Reads;
            }
            match op {
                EachOp::Filter | EachOp::Map | EachOp::SortBy => Use::Passes(dst),
                EachOp::Sum | EachOp::Any | EachOp::All | EachOp::MaxOf | EachOp::MinOf | EachOp::Highest | EachOp::Lowest => Use::Blind,
                EachOp::DistinctBy | EachOp::Connected => Use::Reads,
            }
        }
        Instr::Len { .. } | Instr::Contains { .. } | Instr::JumpIfNone { .. } | Instr::Eq { .. } => Use::Blind,
        Instr::Lt { .. } | Instr::Le { .. } | Instr::AddInt { .. } | Instr::Neg { .. } | Instr::Mod { .. } => Use::Blind,
        Instr::Expect { .. } => Use::Blind,
        Instr::Index { list: from, .. } if from == list && loops::only_adds_up(pack, fragment, facts, pc) => Use::Blind,
        Instr::Call1 { fun: Fun::Total | Fun::Max | Fun::Min | Fun::Odd | Fun::Abs, .. } => Use::Blind,
        Instr::CallN { fun: Fun::Total | Fun::Copies, .. } => Use::Blind,
        _ => Use::Reads,
    }
}
