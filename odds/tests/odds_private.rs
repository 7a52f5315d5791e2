//! Values of an event that only its own body reads do not keep ways apart once it has read them; values that others read do.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;

use banneret_odds::{Exact, Fraction, odds};
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::*;
use banneret_runtime::value::Value;
use common::*;

fn emit(action: ActionId) -> Instr {
    Instr::Emit { dst: 20, done: 21, action, start: 22, n: 0 }
}

/// Rolls a die into a value of the event, notes in register 5 whether it was 4 or more, and rolls another; then measures both.
fn two_dice(asm: &mut Asm, between: Vec<Instr>, after: Vec<Instr>) -> (ActionId, SiteId) {
    let site = asm.site("both");
    let mut code = vec![asm.dice(1, 1, 6, 0), Instr::HeadEnd, Instr::Roll { dst: 2, dice: 1 }, Instr::EvSet { field: 0, src: 2 }];
    code.extend(between);
    code.extend([
        Instr::EvGet { dst: 3, field: 0 },
        Instr::Int { dst: 4, v: 4 },
        Instr::Le { dst: 5, a: 4, b: 3 },
        asm.dice(1, 1, 6, 0),
        Instr::Roll { dst: 6, dice: 1 },
        Instr::Int { dst: 4, v: 4 },
        Instr::Le { dst: 7, a: 4, b: 6 },
        Instr::Eq { dst: 8, a: 5, b: 7 },
        Instr::Measure { site, src: 8 },
    ]);
    code.extend(after);
    code.push(Instr::Return { src: 8 });
    (asm.action("act", &[], &["die"], code), site)
}

fn carried_out(mut asm: Asm, act: ActionId) -> Exact {
    let frag = asm.code(0, vec![Instr::Emit { dst: 0, done: 1, action: act, start: 0, n: 0 }]);
    let pack = asm.load();
    let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
    machine.start_fragment(&pack, frag, &[]).unwrap();
    odds(machine, &pack, 10_000).unwrap()
}

fn chances(exact: &Exact, site: SiteId) -> Vec<Fraction> {
    exact.spread(site).iter().map(|(_, chance)| chance.clone()).collect()
}

fn equally(n: u128) -> Vec<Fraction> {
    (0..n).map(|_| Fraction::new(1, n)).collect()
}

#[test]
fn what_nobody_reads_again_is_forgotten() {
    let mut asm = Asm::new();
    let (act, site) = two_dice(&mut asm, vec![], vec![]);
    let exact = carried_out(asm, act);
    assert_eq!(chances(&exact, site), equally(2));
    // The first roll; the second after a high and after a low one; two ends.
    assert_eq!(exact.states, 5);
}

#[test]
fn it_is_forgotten_too_when_something_else_happened_meanwhile() {
    let mut asm = Asm::new();
    let nothing = asm.action("nothing", &[], &[], vec![Instr::HeadEnd]);
    let (act, site) = two_dice(&mut asm, vec![emit(nothing)], vec![]);
    let exact = carried_out(asm, act);
    assert_eq!(chances(&exact, site), equally(2));
    assert_eq!(exact.states, 5);
}

#[test]
fn a_rule_that_reads_it_afterwards_sees_what_was_rolled() {
    let mut asm = Asm::new();
    let (act, _) = two_dice(&mut asm, vec![], vec![]);
    let seen = asm.site("seen");
    let rule = asm.handler(When::After, vec![act], None, vec![Instr::EvGet { dst: 5, field: 0 }, Instr::Measure { site: seen, src: 5 }]);
    asm.global(vec![rule]);
    assert_eq!(chances(&carried_out(asm, act), seen), equally(6));
}

#[test]
fn a_rule_about_another_action_reads_its_own() {
    let mut asm = Asm::new();
    let other = asm.action("other", &[], &["own"], vec![Instr::HeadEnd]);
    let rule = asm.handler(When::After, vec![other], None, vec![Instr::EvGet { dst: 5, field: 0 }]);
    asm.global(vec![rule]);
    let (act, _) = two_dice(&mut asm, vec![], vec![]);
    assert_eq!(carried_out(asm, act).states, 5);
}

#[test]
fn a_term_that_the_body_asks_sees_what_was_rolled() {
    let mut asm = Asm::new();
    let term = asm.term(0, vec![Instr::EvGet { dst: 0, field: 0 }, Instr::Return { src: 0 }]);
    let seen = asm.site("seen");
    let after = vec![Instr::Call { dst: 9, frag: term, start: 10, n: 0 }, Instr::Measure { site: seen, src: 9 }];
    let (act, _) = two_dice(&mut asm, vec![], after);
    assert_eq!(chances(&carried_out(asm, act), seen), equally(6));
}

#[test]
fn an_event_inside_it_sees_what_was_rolled() {
    let mut asm = Asm::new();
    let seen = asm.site("seen");
    // The action that is made next: the one inside looks for it by its number.
    let outer = ActionId(asm.pack.actions.len() as u32 + 1);
    let look = vec![Instr::HeadEnd, Instr::ScopeGet { dst: 0, action: outer, field: 0 }, Instr::Measure { site: seen, src: 0 }];
    let inner = asm.action("inner", &[], &[], look);
    let (act, _) = two_dice(&mut asm, vec![], vec![emit(inner)]);
    assert_eq!(act, outer);
    assert_eq!(chances(&carried_out(asm, act), seen), equally(6));
}

#[test]
fn history_keeps_what_was_rolled() {
    let mut asm = Asm::new();
    let (act, _) = two_dice(&mut asm, vec![], vec![]);
    asm.pack.actions[act.index()].log = Some(LogSpec { fields: vec![0], scopes: vec![None] });
    asm.pack.pasts.push(Past { actions: vec![act], scope: None });
    let seen = asm.site("seen");
    let code = vec![
        emit(act),
        Instr::Past { dst: 3, spec: PastId(0) },
        Instr::Int { dst: 4, v: 0 },
        Instr::Index { dst: 5, list: 3, i: 4 },
        Instr::LogGet { dst: 6, event: 5, field: 0 },
        Instr::Measure { site: seen, src: 6 },
    ];
    let frag = asm.code(0, code);
    let pack = asm.load();
    let mut machine = Machine::new(&pack, 2, Limits::default()).unwrap();
    machine.start_fragment(&pack, frag, &[]).unwrap();
    let exact = odds(machine, &pack, 10_000).unwrap();
    let faces: Vec<&Value> = exact.spread(seen).iter().map(|(face, _)| face).collect();
    assert_eq!((chances(&exact, seen), faces.len()), (equally(6).to_vec(), 6));
}
