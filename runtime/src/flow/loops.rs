//! Loops over a list that only add up: `for pips in roll 3d6 { if pips >= 4 { hits += 1 } }`. Whatever the order of the list, the sums are the same, so
//! that odds may roll the dice as a multiset.

use super::FragmentFacts;
use crate::bytecode::Instr;
use crate::ids::{Pc, Reg};
use crate::operands::{acts_or_asks, operands, targets};
use crate::pack::{Fragment, Pack};

/// What a register holds in the body of the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Depends on the element and on what does not change in the loop.
    Plain,
    /// The running sum in a register, or in a field of the event, and perhaps something plain added to it.
    SumIn(Reg),
    SumOf(u16),
    /// Depends on the order, or might.
    Unknown,
}

/// The loop as lowering writes it: `i = 0; top: if not i < len goto end; x = list[i]; …; i += 1; goto top; end:`.
struct Loop {
    top: usize,
    /// The jump back.
    back: usize,
    i: Reg,
}

/// A roll whose faces a loop right behind it adds up, and nobody else looks at.
#[derive(Clone, Debug)]
pub(crate) struct Summed {
    /// Behind the loop.
    pub end: usize,
    /// The sums in registers, and in values of the event.
    pub registers: Vec<Reg>,
    pub fields: Vec<u16>,
}

/// Does the loop around the `Index` at `pc` go through the whole list and do nothing but add to sums?
pub(super) fn only_adds_up(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize) -> bool {
    match find_loop(pack, fragment, pc) {
        Some(found) => body_adds_up(pack, fragment, facts, pc, &found).is_some(),
        None => false,
    }
}

/// The loop that follows the roll at `pc`, if it only adds up.
pub(super) fn summed(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize) -> Option<Summed> {
    // The roll, the length of the list, the counter and the head of the loop.
    let index = pc + 5;
    let (Instr::Roll { dst: rolled, .. }, Instr::Index { list, i, .. }) = (*fragment.code.get(pc)?, *fragment.code.get(index)?) else {
        return None;
    };
    let found = find_loop(pack, fragment, index).filter(|_| list == rolled)?;
    let registers = body_adds_up(pack, fragment, facts, index, &found)?;
    let (Instr::Lt { dst: more, b: length, .. }, end) = (*fragment.code.get(found.top)?, found.back + 1) else { return None };
    if [rolled, i, more, length].iter().any(|r| facts.is_live(end, *r as usize)) {
        return None;
    }
    // Inside the loop, only its head knows of the other dice.
    let mut body = fragment.code.get(index + 1..found.back - 1)?.iter();
    if body.any(|instr| operands(pack, instr).all_reads().any(|r| r == rolled as u32 || r == length as u32)) {
        return None;
    }
    let set = fragment.code.get(index..end)?.iter().filter_map(|i| if let Instr::EvSet { field, .. } = i { Some(*field) } else { None });
    let mut fields: Vec<u16> = set.collect();
    fields.sort_unstable();
    fields.dedup();
    Some(Summed { end, registers, fields })
}

fn find_loop(pack: &Pack, fragment: &Fragment, pc: usize) -> Option<Loop> {
    let code = &fragment.code;
    let Instr::Index { list, i, .. } = *code.get(pc)? else {
        return None;
    };
    let top = pc.checked_sub(2)?;
    let (Instr::Lt { dst, a, b }, Instr::JumpIfNot { cond, to }) = (*code.get(top)?, *code.get(top + 1)?) else {
        return None;
    };
    let back = (to as usize).checked_sub(1)?;
    let closed = matches!(code.get(back)?, Instr::Jump { to } if *to as usize == top) && back > pc + 1;
    let counts = matches!(code.get(back - 1)?, Instr::AddInt { dst, a, v: 1 } if (*dst, *a) == (i, i));
    let from_start = matches!(code.get(top.checked_sub(1)?)?, Instr::Int { dst, v: 0 } if *dst == i);
    let to_end = matches!(code.get(top.checked_sub(2)?)?, Instr::Len { dst, list: of } if (*dst, *of) == (b, list));
    let whole = dst == cond && a == i && closed && counts && from_start && to_end;
    // Nobody else jumps into the loop, and nothing inside jumps out of it.
    let sealed = code.iter().enumerate().all(|(at, instr)| {
        let inside = |to: Pc| (top..=back).contains(&(to as usize));
        let here = (top..=back).contains(&at);
        targets(pack, at, instr).into_iter().all(|to| match here {
            true => inside(to) || at == top + 1,
            false => !inside(to) || (to as usize == top && at + 1 == top),
        })
    });
    (whole && sealed).then_some(Loop { top, back, i })
}

/// The registers that hold sums. None: it does something else.
fn body_adds_up(pack: &Pack, fragment: &Fragment, facts: &FragmentFacts, pc: usize, found: &Loop) -> Option<Vec<Reg>> {
    let body = pc + 1..found.back - 1;
    let code = &fragment.code;
    let end = found.back + 1;
    // Registers that keep something from one turn to the next are sums, or the order may show.
    let mut holds = vec![Holds::Plain; fragment.registers as usize];
    *holds.get_mut(found.i as usize)? = Holds::Unknown;
    for at in body.clone() {
        for r in operands(pack, code.get(at)?).writes {
            if facts.is_live(found.top, r as usize) {
                *holds.get_mut(r as usize)? = Holds::SumIn(r);
            } else if facts.is_live(end, r as usize) {
                return None;
            }
        }
    }
    let Instr::Index { dst, .. } = *code.get(pc)? else {
        return None;
    };
    if facts.is_live(found.top, dst as usize) || facts.is_live(end, dst as usize) {
        return None;
    }
    let onwards = |at: usize| targets(pack, at, &code[at]).into_iter().all(|to| to as usize > at);
    if !body.clone().all(onwards) {
        return None;
    }
    let sums: Vec<Reg> = (0..fragment.registers).filter(|r| holds.get(*r as usize) == Some(&Holds::SumIn(*r))).collect();
    let set_in_body = |field: u16| body.clone().any(|at| matches!(code.get(at), Some(Instr::EvSet { field: f, .. }) if *f == field));
    let landed: Vec<usize> = (found.top..found.back)
        .flat_map(|at| targets(pack, at, &code[at]).into_iter().filter(move |to| *to as usize != at + 1))
        .map(|to| to as usize)
        .collect();
    // Registers that held a sum on some way: where ways meet, they might still.
    let mut copied = vec![false; fragment.registers as usize];
    for at in body.clone() {
        let instr = code.get(at)?;
        if landed.contains(&at) {
            forget_copies(&mut holds, &copied, &sums);
        }
        let get = |r: Reg| holds.get(r as usize).copied();
        let (dst, value) = match *instr {
            Instr::Move { dst, src } => (dst, get(src)?),
            Instr::AddInt { dst, a, .. } => (dst, get(a)?),
            Instr::Add { dst, a, b } => (dst, sum(get(a)?, get(b)?)?),
            Instr::Sub { dst, a, b } if get(b)? == Holds::Plain => (dst, get(a)?),
            Instr::EvGet { dst, field } => (dst, if set_in_body(field) { Holds::SumOf(field) } else { Holds::Plain }),
            Instr::EvSet { field, src } => {
                if get(src)? != Holds::SumOf(field) {
                    return None;
                }
                // Copies of the old sum are out of date.
                holds.iter_mut().filter(|h| **h == Holds::SumOf(field)).for_each(|h| *h = Holds::Unknown);
                continue;
            }
            // Terms may look at the event: what they see of its sums cannot be told from here.
            Instr::Call { .. } | Instr::CallCode { .. } | Instr::Each { .. } | Instr::Fact { .. } | Instr::Past { .. } => return None,
            _ if acts_or_asks(instr) => return None,
            _ => {
                let uses = operands(pack, instr);
                if uses.all_reads().any(|r| holds.get(r as usize) != Some(&Holds::Plain)) {
                    return None;
                }
                for r in uses.writes {
                    if sums.contains(&r) {
                        return None;
                    }
                    *holds.get_mut(r as usize)? = Holds::Plain;
                }
                continue;
            }
        };
        if value == Holds::Unknown || (sums.contains(&dst) && value != Holds::SumIn(dst)) {
            return None;
        }
        *copied.get_mut(dst as usize)? |= value != Holds::Plain;
        *holds.get_mut(dst as usize)? = value;
    }
    Some(sums)
}

fn sum(a: Holds, b: Holds) -> Option<Holds> {
    match (a, b) {
        (Holds::Plain, other) | (other, Holds::Plain) => Some(other),
        _ => None,
    }
}

/// Where ways meet, only the sums themselves are known to be sums.
fn forget_copies(holds: &mut [Holds], copied: &[bool], sums: &[Reg]) {
    for (r, (held, copied)) in holds.iter_mut().zip(copied).enumerate() {
        if *copied && !sums.contains(&(r as Reg)) {
            *held = Holds::Unknown;
        }
    }
}
