//! Every register is written before it is read, on every way through the fragment.

use super::{Checked, refuse};
use crate::operands::{operands, targets};
use crate::pack::{Fragment, Pack};

pub(super) fn check(pack: &Pack, fragment: &Fragment) -> Checked {
    let n = fragment.code.len();
    let words = (fragment.registers as usize).div_ceil(64).max(1);
    if n.saturating_mul(words) > 16_000_000 {
        return refuse("too many registers for so much code");
    }
    let mut written = vec![0u64; words];
    (0..fragment.params as usize).for_each(|r| written[r / 64] |= 1 << (r % 64));
    // What is surely written when an instruction starts; None: not reached yet.
    let mut before: Vec<Option<Box<[u64]>>> = vec![None; n];
    let mut todo: Vec<usize> = Vec::new();
    if let Some(first) = before.first_mut() {
        *first = Some(written.into());
        todo.push(0);
    }
    while let Some(pc) = todo.pop() {
        let (Some(instr), Some(Some(known))) = (fragment.code.get(pc), before.get(pc)) else {
            continue;
        };
        let mut after = known.clone();
        for r in operands(pack, instr).writes {
            after[r as usize / 64] |= 1 << (r % 64);
        }
        for to in targets(pack, pc, instr) {
            let Some(slot) = before.get_mut(to as usize) else {
                continue;
            };
            match slot {
                None => {
                    *slot = Some(after.clone());
                    todo.push(to as usize);
                }
                Some(known) => {
                    let mut less = false;
                    for (k, a) in known.iter_mut().zip(&after) {
                        less |= *k & !a != 0;
                        *k &= a;
                    }
                    if less {
                        todo.push(to as usize);
                    }
                }
            }
        }
    }
    for (pc, (instr, known)) in fragment.code.iter().zip(&before).enumerate() {
        let Some(known) = known else { continue };
        for r in operands(pack, instr).all_reads() {
            if known[r as usize / 64] & (1 << (r % 64)) == 0 {
                return refuse(format!("instruction {pc} reads register {r}, which may not have been written"));
            }
        }
    }
    Ok(())
}
