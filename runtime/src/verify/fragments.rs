//! The instructions of a fragment, one by one: registers and jumps within bounds, ids that exist, the right number of arguments.

use super::ids;
use super::{Checked, Refused, need};
use crate::bytecode::{EachOp, Instr};
use crate::ids::*;
use crate::operands::{acts_or_asks, operands, targets};
use crate::pack::{Fragment, Pack};

pub(super) fn check(pack: &Pack, fragment: &Fragment) -> Checked {
    ids::string(pack, fragment.name)?;
    need(fragment.params <= fragment.registers, || "more parameters than registers".to_owned())?;
    need(fragment.code.len() <= 1_000_000, || "too long".to_owned())?;
    need(fragment.sites.is_empty() || fragment.sites.len() == fragment.code.len(), || "places do not match the code".to_owned())?;
    ids::each(pack, fragment.sites.iter().copied(), ids::site)?;
    for (pc, instr) in fragment.code.iter().enumerate() {
        let here = |Refused(words): Refused| Refused(format!("instruction {pc}: {words}"));
        known_ids(pack, instr).map_err(here)?;
        arguments(pack, fragment, instr).map_err(here)?;
        let uses = operands(pack, instr);
        let highest = uses.all_reads().chain(uses.writes.iter().map(|r| *r as u32)).max();
        need(highest.is_none_or(|r| r < fragment.registers as u32), || "a register that is not there".to_owned()).map_err(here)?;
        // A jump right behind the last instruction leaves the fragment.
        let inside = targets(pack, pc, instr).iter().all(|to| *to as usize <= fragment.code.len());
        need(inside, || "a jump out of the fragment".to_owned()).map_err(here)?;
        need(!fragment.pure || !acts_or_asks(instr), || "a term must not act or ask".to_owned()).map_err(here)?;
    }
    Ok(())
}

fn known_ids(pack: &Pack, instr: &Instr) -> Checked {
    use Instr as I;
    match *instr {
        I::Const { k, .. } => ids::constant(pack, k),
        I::Each { frag, .. } | I::Call { frag, .. } => ids::fragment(pack, frag),
        I::Get { field, .. } | I::GetRaw { field, .. } | I::Set { field, .. } => ids::field(pack, field),
        I::AllOf { kind, .. } | I::Parts { kind, .. } | I::IsKind { kind, .. } | I::Game { kind, .. } => ids::kind(pack, kind),
        I::PartNamed { name, .. } => ids::string(pack, name),
        I::HasKeyword { keyword, .. } | I::KeywordNumber { keyword, .. } => ids::keyword(pack, keyword),
        I::Option { option, .. } => ids::option(pack, option),
        I::Fact { fact, .. } | I::ScriptFact { fact, .. } => ids::fact(pack, fact),
        I::ScopeGet { action, .. } | I::Emit { action, .. } | I::ScopeBegin { action, .. } | I::ScopeEnd { action } => {
            ids::action(pack, action)
        }
        I::Choose { spec, .. } => ids::choose(pack, spec),
        I::Menu { menu, .. } => ids::menu(pack, menu),
        I::May { spec, .. } => ids::menu(pack, spec),
        I::Grant { spec, .. } => ids::grant(pack, spec),
        I::Past { spec, .. } => ids::past(pack, spec),
        I::Blame { site, shows, .. } | I::Expect { site, shows, .. } => {
            ids::site(pack, site)?;
            ids::notation(pack, shows)
        }
        I::Measure { site, .. } => ids::site(pack, site),
        I::ScriptAnswer { label, .. } => label.map_or(Ok(()), |label| ids::string(pack, label)),
        I::Todo { words } => ids::string(pack, words),
        _ => Ok(()),
    }
}

fn arguments(pack: &Pack, fragment: &Fragment, instr: &Instr) -> Checked {
    let count = |what: &str, takes: u32, gets: u32| need(takes == gets, || format!("{what} takes {takes} arguments, but gets {gets}"));
    let params = |frag: FragId| pack.fragments[frag.index()].params as u32;
    let is_term = |frag: FragId| pack.fragments[frag.index()].pure;
    match *instr {
        Instr::Each { op, frag, n, .. } => {
            need(is_term(frag), || "what is done with each element must be a term".to_owned())?;
            count("what is done with each element", params(frag), n as u32 + if op == EachOp::Connected { 2 } else { 1 })
        }
        Instr::Call { frag, n, .. } => {
            need(!fragment.pure || is_term(frag), || "a term calls what may act".to_owned())?;
            count("the called fragment", params(frag), n as u32)
        }
        Instr::Fact { fact, n, .. } => count("the fact", pack.facts[fact.index()].params as u32, n as u32),
        Instr::Emit { action, n, .. } | Instr::ScopeBegin { action, n, .. } => {
            let params = pack.actions[action.index()].params as u32;
            need(n as u32 <= params, || format!("the action takes {params} arguments, but gets {n}"))
        }
        Instr::Choose { spec, n, .. } => {
            let choose = &pack.chooses[spec.index()];
            let mut conditions = choose.keep.into_iter().chain(choose.such_that).chain(choose.any_place);
            conditions.try_for_each(|frag| count("the condition of a choice", params(frag), n as u32 + 1))
        }
        Instr::Menu { menu, .. } => {
            let menu = &pack.menus[menu.index()];
            need(menu.labels.len() == menu.lines.len(), || "a menu has as many labels as lines".to_owned())
        }
        _ => Ok(()),
    }
}
