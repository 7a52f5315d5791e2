//! Which values meet in which register: the same register holds one thing here and another there.

use super::inline::Lines;
use crate::bytecode::Instr;
use crate::ids::SiteId;
use crate::operands::operands;
use crate::pack::Pack;

/// Values that cannot be told apart by where they come from, numbered: parameters first, as they are.
pub(super) type Web = u32;

/// A line whose registers are webs. It has no instruction where nothing leads to it, or where it was left out.
pub(super) struct WebLine {
    pub instr: Option<Instr>,
    pub site: Option<SiteId>,
    pub reads: Vec<Web>,
    /// Those that must stand in a row.
    pub row: Vec<Web>,
    pub write: Option<Web>,
}

pub(super) struct Webs {
    pub lines: Vec<WebLine>,
    /// For each web: it comes from one place only.
    pub single: Vec<bool>,
}

/// The values that a register may hold at a place: numbers of parameters and of the lines that write it.
type Held = Vec<Vec<u32>>;

/// None: something is not as it should be.
pub(super) fn webs(pack: &Pack, params: u32, lines: Lines) -> Option<Webs> {
    let (many, registers) = (lines.lines.len(), lines.registers());
    let mut same: Vec<u32> = (0..params + many as u32).collect();
    let mut arriving: Vec<Option<Held>> = (0..=many).map(|_| None).collect();
    let mut here: Option<Held> = Some((0..registers).map(|r| if r < params { vec![r] } else { Vec::new() }).collect());
    let mut lines_of_webs = Vec::with_capacity(many);
    for (at, line) in lines.lines.into_iter().enumerate() {
        let held = match (here.take(), arriving[at].take()) {
            (Some(a), Some(b)) => Some(merged(a, b)),
            (a, b) => a.or(b),
        };
        let mut new = WebLine { instr: Some(line.instr), site: line.site, reads: Vec::new(), row: Vec::new(), write: None };
        // Nothing leads here.
        let Some(mut held) = held else {
            new.instr = None;
            lines_of_webs.push(new);
            continue;
        };
        let instr = line.instr;
        let used = operands(pack, &instr);
        let mut source = |r: u32| {
            let from = held.get(r as usize)?;
            let first = *from.first()?;
            from.iter().for_each(|other| join(&mut same, first, *other));
            Some(first)
        };
        for r in &used.reads {
            new.reads.push(source(*r as u32)?);
        }
        for (start, n) in &used.ranges {
            for i in 0..*n as u32 {
                new.row.push(source(*start as u32 + i)?);
            }
        }
        match used.writes[..] {
            [] => {}
            [r] => {
                new.write = Some(params + at as u32);
                *held.get_mut(r as usize)? = vec![params + at as u32];
            }
            _ => return None,
        }
        lines_of_webs.push(new);
        let to = match instr {
            Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } | Instr::JumpIfNone { to, .. } => Some(to),
            _ => None,
        };
        if let Some(to) = to {
            let waiting = arriving.get_mut(to as usize)?;
            *waiting = Some(match waiting.take() {
                Some(other) => merged(held.clone(), other),
                None => held.clone(),
            });
        }
        here = (!matches!(instr, Instr::Jump { .. } | Instr::Return { .. } | Instr::Todo { .. })).then_some(held);
    }
    let written: Vec<u32> = (0..params).chain(lines_of_webs.iter().filter_map(|l| l.write)).collect();
    let mut places = vec![0u32; same.len()];
    for value in &written {
        places[root(&same, *value) as usize] += 1;
    }
    for line in &mut lines_of_webs {
        for web in line.reads.iter_mut().chain(&mut line.row).chain(&mut line.write) {
            *web = root(&same, *web);
        }
    }
    Some(Webs { lines: lines_of_webs, single: places.into_iter().map(|n| n == 1).collect() })
}

fn merged(mut a: Held, b: Held) -> Held {
    for (a, b) in a.iter_mut().zip(b) {
        for value in b {
            if !a.contains(&value) {
                a.push(value);
            }
        }
    }
    a
}

/// The least stands for all, so that parameters stay what they are.
fn root(same: &[u32], mut value: u32) -> u32 {
    while same[value as usize] != value {
        value = same[value as usize];
    }
    value
}

fn join(same: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(same, a), root(same, b));
    let (least, other) = (a.min(b), a.max(b));
    same[other as usize] = least;
}
