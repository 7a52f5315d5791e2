//! Ways that leave an event go on in whoever called it: with small states where nobody listens, through the stages of the event where somebody does. Either
//! way the odds are those of trying every roll.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#[path = "../../runtime/tests/common/mod.rs"]
mod common;
mod trying;

use banneret_odds::odds;
use banneret_runtime::bytecode::{EachOp, Instr};
use banneret_runtime::ids::*;
use banneret_runtime::pack::*;
use banneret_runtime::value::Value;
use common::*;
use proptest::prelude::*;
use trying::*;

fn emit(dst: Reg, action: ActionId) -> Instr {
    Instr::Emit { dst, done: 21, action, start: 22, n: 0 }
}

fn measure(asm: &mut Asm, words: &str, src: Reg) -> Instr {
    Instr::Measure { site: asm.site(words), src }
}

/// Rolls a die; 1 for four or more, else 0.
fn hit(asm: &mut Asm) -> ActionId {
    let die = asm.dice(1, 1, 6, 0);
    let code = vec![
        Instr::HeadEnd,
        die,
        Instr::Roll { dst: 2, dice: 1 },
        Instr::EvSet { field: 0, src: 2 },
        Instr::Int { dst: 4, v: 4 },
        Instr::Int { dst: 3, v: 0 },
        Instr::Lt { dst: 5, a: 2, b: 4 },
        Instr::JumpIf { cond: 5, to: 9 },
        Instr::Int { dst: 3, v: 1 },
        Instr::Return { src: 3 },
    ];
    asm.action("hit", &[], &["die"], code)
}

#[test]
fn a_result_is_measured_by_the_caller() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let code = vec![emit(0, hit), measure(&mut asm, "hit", 0), measure(&mut asm, "done", 21)];
    // The roll, and two ends.
    assert_eq!(agreed(asm, code).states, 3);
}

#[test]
fn the_caller_keeps_what_it_holds_for_every_way() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    // What the caller writes on one way must not be there on the next.
    let code = vec![
        Instr::Int { dst: 1, v: 5 },
        emit(0, hit),
        Instr::Add { dst: 1, a: 1, b: 0 },
        Instr::Add { dst: 1, a: 1, b: 0 },
        emit(2, hit),
        Instr::Add { dst: 1, a: 1, b: 2 },
        measure(&mut asm, "sum", 1),
    ];
    agreed(asm, code);
}

#[test]
fn the_caller_rolls_itself() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let die = asm.dice(3, 1, 4, 0);
    let code = vec![emit(0, hit), die, Instr::Roll { dst: 4, dice: 3 }, Instr::Add { dst: 4, a: 4, b: 0 }, measure(&mut asm, "sum", 4)];
    agreed(asm, code);
}

#[test]
fn an_event_inside_an_event_comes_back_through_both() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let die = asm.dice(6, 1, 3, 0);
    let inside = measure(&mut asm, "inside", 0);
    let twice = vec![
        Instr::HeadEnd,
        Instr::Int { dst: 1, v: 2 },
        Instr::EvSet { field: 0, src: 1 },
        emit(0, hit),
        inside,
        Instr::EvGet { dst: 1, field: 0 },
        Instr::Add { dst: 1, a: 1, b: 0 },
        Instr::EvSet { field: 0, src: 1 },
        die,
        Instr::Roll { dst: 7, dice: 6 },
        Instr::EvGet { dst: 1, field: 0 },
        Instr::Add { dst: 1, a: 1, b: 7 },
        Instr::Return { src: 1 },
    ];
    let twice = asm.action("twice", &[], &["sum"], twice);
    let code = vec![emit(0, twice), measure(&mut asm, "sum", 0)];
    agreed(asm, code);
}

#[test]
fn a_called_fragment_and_its_caller_share_an_event() {
    let mut asm = Asm::new();
    let die = asm.dice(1, 1, 3, 0);
    let called = asm.code(
        0,
        vec![
            die,
            Instr::Roll { dst: 2, dice: 1 },
            Instr::EvSet { field: 0, src: 2 },
            Instr::Int { dst: 3, v: 7 },
            Instr::Return { src: 3 },
        ],
    );
    let again = asm.code(0, vec![die, Instr::Roll { dst: 2, dice: 1 }, Instr::Return { src: 2 }]);
    let code = vec![
        Instr::HeadEnd,
        Instr::Call { dst: 0, frag: called, start: 5, n: 0 },
        Instr::EvGet { dst: 1, field: 0 },
        Instr::Add { dst: 0, a: 0, b: 1 },
        Instr::Call { dst: 3, frag: again, start: 5, n: 0 },
        Instr::Add { dst: 0, a: 0, b: 3 },
        Instr::Return { src: 0 },
    ];
    let act = asm.action("act", &[], &["die"], code);
    let code = vec![emit(0, act), measure(&mut asm, "sum", 0)];
    agreed(asm, code);
}

#[test]
fn listeners_have_their_turn() {
    for when in [When::After, When::AtEnd, When::Instead, When::Before] {
        for any in [false, true] {
            let mut asm = Asm::new();
            let hit = hit(&mut asm);
            let seen = measure(&mut asm, "seen", 5);
            let mut code = vec![Instr::Int { dst: 5, v: 0 }, Instr::EvGet { dst: 5, field: 0 }, seen];
            if when == When::Instead {
                code.push(Instr::Proceed);
            }
            let rule = asm.handler(when, if any { vec![] } else { vec![hit] }, None, code);
            asm.global(vec![rule]);
            let code = vec![emit(0, hit), measure(&mut asm, "hit", 0)];
            let exact = agreed(asm, code);
            assert_eq!(exact.spreads.len(), 2, "{when:?}");
        }
    }
}

#[test]
fn what_ends_with_the_event_ends() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let once = asm.action("once", &[], &[], vec![Instr::HeadEnd]);
    asm.pack.actions[once.index()].once = Some(hit);
    // Within the event it works once; when that is over it works again.
    let code = vec![Instr::HeadEnd, emit(0, once), Instr::Move { dst: 1, src: 21 }, emit(0, once), emit(2, hit), Instr::Return { src: 21 }];
    let outer = asm.action("outer", &[], &[], code);
    let code = vec![
        emit(0, once),
        emit(0, hit),
        emit(2, once),
        Instr::Move { dst: 3, src: 21 },
        emit(2, once),
        measure(&mut asm, "before", 3),
        measure(&mut asm, "again", 21),
        emit(0, outer),
        measure(&mut asm, "outer", 0),
    ];
    agreed(asm, code);
}

#[test]
fn history_notes_what_is_over() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    asm.pack.actions[hit.index()].log = Some(LogSpec { fields: vec![0], scopes: vec![None] });
    asm.pack.pasts.push(Past { actions: vec![hit], scope: None });
    let code = vec![
        emit(0, hit),
        Instr::Past { dst: 1, spec: PastId(0) },
        Instr::Len { dst: 2, list: 1 },
        measure(&mut asm, "how many", 2),
        Instr::Int { dst: 3, v: 0 },
        Instr::Index { dst: 4, list: 1, i: 3 },
        Instr::LogGet { dst: 5, event: 4, field: 0 },
        measure(&mut asm, "which", 5),
    ];
    agreed(asm, code);
}

#[test]
fn choices_behind_it_are_answered_by_the_script() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let name = asm.s("which");
    let options = asm.ints(7, &[10, 20]);
    let spec = Choose {
        name,
        mode: ChooseMode::One,
        such_that: None,
        any_place: None,
        keep: None,
        each_once: None,
        in_head: false,
        secret: false,
        site: SiteId(0),
    };
    asm.pack.chooses.push(spec);
    let code = vec![
        asm.konst(5, Value::Int(20)),
        Instr::ScriptAnswer { label: Some(name), src: 5 },
        emit(0, hit),
        Instr::You { dst: 6 },
        options,
        Instr::Int { dst: 8, v: 1 },
        Instr::Choose { dst: 9, spec: ChooseId(0), set: 7, count: 8, who: 6, caps: 0, n: 0 },
        Instr::Add { dst: 9, a: 9, b: 0 },
        measure(&mut asm, "sum", 9),
    ];
    agreed(asm, code);
}

#[test]
fn an_answer_that_no_way_needs_is_a_mistake() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let label = asm.s("which");
    let code =
        vec![asm.konst(5, Value::Int(20)), Instr::ScriptAnswer { label: Some(label), src: 5 }, emit(0, hit), measure(&mut asm, "hit", 0)];
    let frag = asm.code(0, code);
    let pack = asm.load();
    assert!(odds(started(&pack, frag), &pack, 100).unwrap_err().words.contains("not used"));
}

#[test]
fn an_expectation_behind_it_fails_as_ever() {
    let mut asm = Asm::new();
    let hit = hit(&mut asm);
    let mut code = vec![emit(0, hit)];
    code.extend(asm.expect("a hit", 0, 1));
    let frag = asm.code(0, code);
    let pack = asm.load();
    assert!(odds(started(&pack, frag), &pack, 100).unwrap_err().words.contains("a hit"));
}

/// A line of a random program: what it does, three registers, a number, and how many lines a jump skips.
type Line = (u8, Reg, Reg, Reg, i32, usize);

fn line() -> impl Strategy<Value = Line> {
    (0..16u8, 0..5u16, 0..5u16, 0..5u16, 0..3i32, 0..4usize)
}

/// Registers 0 to 4 hold numbers, 12 a condition, 13 dice; lists are in 14 and 15. Only what was made before is called.
fn program(asm: &mut Asm, lines: &[Line], actions: &[ActionId], four: FragId, site: SiteId) -> Vec<Instr> {
    let mut code: Vec<Instr> = (0..5).map(|dst| Instr::Int { dst, v: dst as i32 }).collect();
    code.push(Instr::Bool { dst: 12, v: false });
    if !actions.is_empty() {
        code.push(Instr::Statement);
    }
    let (mut starts, mut jumps) = (Vec::new(), Vec::new());
    for (i, (op, dst, a, b, v, skip)) in lines.iter().copied().enumerate() {
        starts.push(code.len());
        match op {
            0 => code.push(Instr::Move { dst, src: a }),
            1 => code.push(Instr::Add { dst, a, b }),
            2 => code.push(Instr::AddInt { dst, a, v }),
            3 => code.push(Instr::Sub { dst, a, b }),
            4 => code.push(Instr::Lt { dst: 12, a, b }),
            5 => {
                jumps.push((code.len(), i + 1 + skip));
                code.push(Instr::JumpIf { cond: 12, to: 0 });
            }
            6 | 7 => code.extend([asm.dice(13, 1, 3, 0), Instr::Roll { dst, dice: 13 }]),
            8 | 9 => code.extend([
                asm.dice(13, 2, 3, 0),
                Instr::Roll { dst: 14, dice: 13 },
                Instr::Each { dst: 15, op: EachOp::Filter, list: 14, frag: four, caps: 0, n: 0 },
                Instr::Len { dst, list: 15 },
            ]),
            10 => code.push(Instr::Measure { site, src: a }),
            11 => code.push(Instr::Return { src: a }),
            12 | 13 => {
                if let Some(action) = actions.get(v as usize % actions.len().max(1)) {
                    code.push(emit(dst, *action));
                }
            }
            14 => code.push(Instr::EvGet { dst, field: v as u16 % 2 }),
            _ => code.push(Instr::EvSet { field: v as u16 % 2, src: a }),
        }
    }
    starts.push(code.len());
    for (at, line) in jumps {
        code[at] = Instr::JumpIf { cond: 12, to: starts[line.min(starts.len() - 1)] as u32 };
    }
    code.extend([Instr::Measure { site, src: 0 }, Instr::Return { src: 1 }]);
    code
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn odds_agree_with_trying_every_roll(
        bodies in proptest::collection::vec(proptest::collection::vec(line(), 1..7), 3),
        listens in proptest::option::of((0..3usize, 0..3usize)),
    ) {
        let mut asm = Asm::new();
        let site = asm.site("here");
        let high = asm.term(1, vec![Instr::Int { dst: 1, v: 2 }, Instr::Le { dst: 2, a: 1, b: 0 }, Instr::Return { src: 2 }]);
        let mut actions = Vec::new();
        for lines in &bodies {
            let mut code = vec![Instr::Int { dst: 0, v: 0 }, Instr::EvSet { field: 0, src: 0 }, Instr::EvSet { field: 1, src: 0 }, Instr::HeadEnd];
            let from = code.len() as u32;
            for instr in program(&mut asm, lines, &actions, high, site) {
                code.push(match instr {
                    Instr::JumpIf { cond, to } => Instr::JumpIf { cond, to: to + from },
                    other => other,
                });
            }
            actions.push(asm.action("act", &[], &["a", "b"], code));
        }
        if let Some((action, when)) = listens {
            let seen = asm.site("seen");
            let when = [When::After, When::AtEnd, When::Before][when];
            let rule = asm.handler(when, vec![actions[action]], None, vec![Instr::EvGet { dst: 5, field: 1 }, Instr::Measure { site: seen, src: 5 }]);
            asm.global(vec![rule]);
        }
        let frag = asm.code(0, vec![emit(0, actions[2]), Instr::Measure { site, src: 0 }, emit(1, actions[1]), Instr::Measure { site, src: 1 }]);
        agrees(&asm.load(), frag)?;
    }
}
