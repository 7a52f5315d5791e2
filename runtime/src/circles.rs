//! Grants that ask for the value they change: `grant your units where power >= 3 { power +1 }`.

use crate::bytecode::Instr;
use crate::ids::*;
use crate::pack::{Pack, Rule};

/// Does some grant of the pack ask, in its condition or its values, for a field or keyword that it changes?
pub(crate) fn any(pack: &Pack) -> bool {
    pack.bundles.iter().flat_map(|b| &b.rules).any(|rule| {
        let Rule::Grant { who, cond, mods, keywords, .. } = rule else { return false };
        let values = mods.iter().map(|m| m.value).chain(keywords.iter().filter_map(|(_, value)| *value));
        let mut todo: Vec<FragId> = who.iter().chain(cond).copied().chain(values).collect();
        let mut seen = Vec::new();
        while let Some(frag) = todo.pop() {
            let Some(fragment) = pack.fragments.get(frag.index()).filter(|_| !seen.contains(&frag)) else { continue };
            seen.push(frag);
            for instr in &fragment.code {
                match instr {
                    Instr::Get { field, .. } if mods.iter().any(|m| m.field == *field) => return true,
                    Instr::HasKeyword { keyword, .. } | Instr::KeywordNumber { keyword, .. }
                        if keywords.iter().any(|(k, _)| k == keyword) =>
                    {
                        return true;
                    }
                    Instr::Each { frag, .. } | Instr::Call { frag, .. } => todo.push(*frag),
                    _ => {}
                }
            }
        }
        false
    })
}
