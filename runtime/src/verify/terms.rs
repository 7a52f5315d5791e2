//! Terms do not call themselves, however long the way around.

use super::{Checked, refuse};
use crate::bytecode::Instr;
use crate::pack::Pack;

pub(super) fn check(pack: &Pack) -> Checked {
    let calls: Vec<Vec<usize>> = pack
        .fragments
        .iter()
        .map(|f| {
            let called = f.code.iter().filter_map(|i| match i {
                Instr::Call { frag, .. } | Instr::Each { frag, .. } => Some(frag.index()),
                _ => None,
            });
            called.filter(|c| pack.fragments[*c].pure).collect()
        })
        .collect();
    let (new, open, fine) = (0u8, 1u8, 2u8);
    let mut state = vec![new; calls.len()];
    for start in 0..calls.len() {
        if state[start] != new || !pack.fragments[start].pure {
            continue;
        }
        let mut path = vec![(start, 0usize)];
        state[start] = open;
        while let Some((at, next)) = path.last_mut() {
            let Some(to) = calls[*at].get(*next).copied() else {
                state[*at] = fine;
                path.pop();
                continue;
            };
            *next += 1;
            if state[to] == open {
                return refuse(format!("the term `{}` calls itself", pack.text(pack.fragments[to].name)));
            }
            if state[to] == new {
                state[to] = open;
                path.push((to, 0));
            }
        }
    }
    Ok(())
}
