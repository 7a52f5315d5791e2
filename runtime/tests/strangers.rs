//! Packs from strangers: whatever comes in, the answer is a reason or a fault, never a panic.
#![allow(clippy::unwrap_used, clippy::expect_used)]
mod common;

use banneret_players::play_at_random;
use banneret_runtime::bytecode::{EachOp, Fun, Instr, ModOp};
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::*;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::*;
use banneret_runtime::value::Value;
use common::*;
use proptest::prelude::*;

/// A pack with one of everything, so that small ids exist.
fn furnished() -> Asm {
    let mut asm = Asm::new();
    let game = asm.kind("Table", Roles { game: true, ..Roles::default() });
    let ability = asm.kind("Ability", Roles { part: true, ..Roles::default() });
    let deck = asm.field("deck", FieldRole::Pile, None);
    let five = asm.number(1, 5);
    let mana = asm.field("mana", FieldRole::Resource, Some(five));
    let (player, unit, power) = (asm.player, asm.unit, asm.power);
    asm.pack.kinds[player.index()].fields = vec![deck, mana];
    asm.pack.kinds[game.index()].fields = vec![deck];
    let wolf = asm.unit_card("Wolf", 3);
    asm.part(wolf, "Fury", ability);
    let one = asm.number(3, 1);
    let grant = Rule::Grant {
        who: None,
        kind: unit,
        cond: None,
        mods: vec![Mod { field: power, op: ModOp::Add, value: one }],
        keywords: vec![],
        bundles: vec![],
        rules: vec![],
        site: SiteId(0),
    };
    let fierce = asm.keyword("Fierce", vec![grant]);
    asm.pack.cards[wolf.index()].keywords = vec![(fierce, 2)];
    let name = asm.s("x");
    for mode in [ChooseMode::One, ChooseMode::Any] {
        asm.pack.chooses.push(Choose {
            name,
            mode,
            such_that: None,
            keep: None,
            any_place: None,
            each_once: None,
            in_head: mode == ChooseMode::One,
            secret: false,
            site: SiteId(0),
        });
    }
    asm.pack.menus.push(Menu { labels: vec![name, name], lines: vec![1, 3], none: 2, site: SiteId(0) });
    asm.pack.grants.push(Grant {
        mods: vec![(power, ModOp::Mul)],
        keywords: vec![],
        bundles: vec![],
        rules: 0,
        captures: 0,
        lasts: vec![],
        site: SiteId(0),
    });
    asm.pack.facts.push(Fact { name, params: 1, default: None });
    asm.pack.options.push(GameOption { name, value: Value::Int(1) });
    let deal = asm.deal();
    asm.pack.actions[deal.index()].log = Some(LogSpec { fields: vec![0], scopes: vec![None] });
    asm.pack.pasts.push(Past { actions: vec![deal], scope: None });
    asm.k(Value::Card(wolf));
    asm.k(Value::Dice(banneret_runtime::value::Dice { count: 2, sides: 6, plus: 1 }));
    asm.k(Value::List([Value::Int(1), Value::Int(2), Value::Int(3)].into()));
    asm.k(Value::Cost([(mana, 1)].into()));
    asm.k(Value::InPlay);
    asm.global(vec![]);
    asm
}

const FUNS: [Fun; 60] = [
    Fun::Min,
    Fun::Max,
    Fun::Abs,
    Fun::Clamp,
    Fun::Odd,
    Fun::Floor,
    Fun::DiceMean,
    Fun::DiceTimes,
    Fun::DicePlus,
    Fun::MakePair,
    Fun::PairX,
    Fun::PercentOf,
    Fun::Total,
    Fun::First,
    Fun::Last,
    Fun::Only,
    Fun::Refused,
    Fun::Reversed,
    Fun::Union,
    Fun::Common,
    Fun::Subset,
    Fun::Distinct,
    Fun::Copies,
    Fun::Numbers,
    Fun::CostTimes,
    Fun::CanPay,
    Fun::Controller,
    Fun::Holder,
    Fun::PileOf,
    Fun::PileCards,
    Fun::PrintedCard,
    Fun::Usable,
    Fun::RulesOf,
    Fun::Row,
    Fun::NameOf,
    Fun::Distance,
    Fun::Gap,
    Fun::Spots,
    Fun::Toward,
    Fun::MakePlace,
    Fun::Ahead,
    Fun::Bearing,
    Fun::InArc,
    Fun::WayLength,
    Fun::WayDistance,
    Fun::WayInside,
    Fun::StopBefore,
    Fun::StopAtEdge,
    Fun::Inside,
    Fun::Shown,
    Fun::Relocate,
    Fun::ShuffleInto,
    Fun::Create,
    Fun::Remove,
    Fun::Become,
    Fun::Shuffle,
    Fun::Win,
    Fun::DrawGame,
    Fun::TakeControl,
    Fun::Round,
];

fn instruction() -> impl Strategy<Value = Instr> {
    (0..46u8, 0..8u16, 0..8u16, 0..8u16, 0..6u32, 0..12u32, 0..48usize).prop_map(|(op, dst, a, b, id, to, fun)| match op {
        0 => Instr::Const { dst, k: ConstId(id) },
        1 => Instr::Int { dst, v: id as i32 - 2 },
        2 => Instr::Bool { dst, v: id % 2 == 0 },
        3 => Instr::Add { dst, a, b },
        4 => Instr::Mul { dst, a, b },
        5 => Instr::Div { dst, a, b },
        6 => Instr::Eq { dst, a, b },
        7 => Instr::Lt { dst, a, b },
        8 => Instr::Jump { to },
        9 => Instr::JumpIf { cond: a, to },
        10 => Instr::JumpIfNone { src: a, to },
        11 => Instr::MakeList { dst, start: a, n: 2 },
        12 => Instr::Push { list: dst, item: a },
        13 => Instr::Index { dst, list: a, i: b },
        14 => Instr::Each {
            dst,
            op: [EachOp::Map, EachOp::Filter, EachOp::Sum, EachOp::SortBy][id as usize % 4],
            list: a,
            frag: FragId(0),
            caps: 0,
            n: 0,
        },
        15..=18 => Instr::CallN { dst, fun: FUNS[fun], start: a.min(5), n: 3 },
        19 => Instr::Get { dst, obj: a, field: FieldId(id) },
        20 => Instr::Set { obj: a, field: FieldId(id), src: b },
        21 => Instr::AllOf { dst, kind: KindId(id) },
        22 => Instr::HasKeyword { dst, obj: a, keyword: KeywordId(0) },
        23 => Instr::Players { dst },
        24 => Instr::You { dst },
        25 => Instr::Fact { dst, fact: FactId(0), start: a, n: 1 },
        26 => Instr::Emit { dst, done: b, action: ActionId(0), start: a.min(6), n: 2 },
        27 => Instr::ScopeBegin { action: ActionId(0), start: a, n: 1 },
        28 => Instr::ScopeEnd { action: ActionId(0) },
        29 => Instr::Proceed,
        30 => Instr::TogetherBegin,
        31 => Instr::TogetherEnd,
        32 => Instr::Mark,
        33 => Instr::Need { cond: a },
        34 => Instr::Pay { who: a, cost: b },
        35 => Instr::Roll { dst, dice: a },
        36 => Instr::Top { dst, pile: a },
        37 => Instr::Choose { dst, spec: ChooseId(id % 2), set: a, count: b, who: b, caps: 0, n: 0 },
        38 => Instr::Menu { menu: MenuId(0), who: a },
        39 => Instr::May { spec: MenuId(0), who: a, no: to },
        40 => Instr::Grant { spec: GrantId(0), targets: a, start: b },
        41 => Instr::Past { dst, spec: PastId(0) },
        42 => Instr::EvSet { field: 0, src: a },
        43 => Instr::Probe { dst, end: to },
        44 => Instr::HeadEnd,
        _ => Instr::Return { src: a },
    })
}

/// A world makes its players before anything is limited: thousands of millions of them took all memory.
#[test]
fn more_players_than_sit_at_a_table_are_refused() {
    let mut asm = furnished();
    asm.pack.players = MOST_PLAYERS;
    assert!(Loaded::new(asm.pack.clone()).is_ok());
    asm.pack.players = u32::MAX;
    let refused = Loaded::new(asm.pack).err().map(|refused| refused.to_string());
    assert!(refused.as_ref().is_some_and(|words| words.contains("at most 8 can play")), "{refused:?}");
}

/// More of them with `PROPTEST_CASES`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_refused_with_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Pack::from_bytes(&bytes).is_err());
        let mut marked = b"BANNERET\x01\0\0\0".to_vec();
        marked.extend(&bytes);
        if let Ok(pack) = Pack::from_bytes(&marked) {
            let _ = Loaded::new(pack);
        }
    }

    #[test]
    fn damaged_packs_do_not_panic(at in 0usize..100_000, byte in any::<u8>(), seed in any::<u64>()) {
        let mut asm = furnished();
        let code = all(vec![asm.given(0, CardId(0), false), asm.expect_field("x", 0, FieldId(1), 5)]);
        asm.test(code);
        let mut bytes = asm.pack.to_bytes().unwrap();
        let at = 12 + at % (bytes.len() - 12);
        bytes[at] = byte;
        if let Ok(pack) = Pack::from_bytes(&bytes) && let Ok(pack) = Loaded::new(pack) {
            for test in 0..pack.tests.len() {
                run_bounded(&pack, pack.tests[test].body, seed);
            }
        }
    }

    #[test]
    fn any_code_that_is_let_in_runs_without_panic(mut code in proptest::collection::vec(instruction(), 1..24), seed in any::<u64>()) {
        let mut asm = furnished();
        // Registers that code reads must be written: fill them with one of everything.
        let mut whole = asm.given(0, CardId(0), false);
        let deck = FieldId(2);
        whole.extend([
            Instr::Const { dst: 1, k: ConstId(1) },
            Instr::Const { dst: 2, k: ConstId(2) },
            Instr::Const { dst: 3, k: ConstId(3) },
            Instr::You { dst: 4 },
            Instr::Get { dst: 5, obj: 4, field: deck },
            Instr::Int { dst: 6, v: 2 },
            Instr::Bool { dst: 7, v: true },
        ]);
        let shift = whole.len() as u32;
        for instr in &mut code {
            match instr {
                Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNone { to, .. } | Instr::May { no: to, .. } | Instr::Probe { end: to, .. } => *to += shift,
                _ => {}
            }
        }
        asm.pack.menus[0].lines = vec![shift, shift + 2];
        asm.pack.menus[0].none = shift + 1;
        whole.extend(code);
        let frag = asm.code(0, whole);
        if let Ok(pack) = Loaded::new(asm.pack) {
            run_bounded(&pack, frag, seed);
        }
    }
}

fn run_bounded(pack: &Loaded, frag: FragId, seed: u64) {
    let limits =
        Limits { steps: 20_000, objects: 200, events: 200, list_length: 1_000, memory: 10_000, candidates: 1_000, ..Limits::default() };
    let Ok(mut machine) = Machine::new(pack, 2, limits) else {
        return;
    };
    if machine.start_fragment(pack, frag, &[]).is_ok() {
        let step = play_at_random(&mut machine, pack, &mut Generator::new(seed), 30);
        if let Step::Fault(fault) = step {
            assert!(!fault.words.is_empty());
        }
        let _ = machine.clone() == machine;
    }
}

#[test]
fn packs_go_through_bytes_and_text_unchanged() {
    let mut asm = furnished();
    let code = all(vec![asm.given(0, CardId(0), false), asm.expect_field("x", 0, FieldId(1), 5)]);
    asm.test(code);
    let pack = asm.pack;
    let bytes = pack.to_bytes().unwrap();
    assert_eq!(Pack::from_bytes(&bytes).unwrap(), pack);
    assert_eq!(bytes, pack.clone().to_bytes().unwrap());
    assert_eq!(ron::from_str::<Pack>(&pack.to_ron().unwrap()).unwrap(), pack);
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(Pack::from_bytes(&longer).unwrap_err().0, "1 bytes follow the end of the pack");
    assert_eq!(Pack::from_bytes(b"PK\x03\x04").unwrap_err().0, "this is not a Banneret pack");
    let mut other = bytes;
    other[8] = 9;
    assert_eq!(
        Pack::from_bytes(&other).unwrap_err().0,
        format!("the pack has format 9, this machine reads format {}", banneret_runtime::pack::FORMAT)
    );
}

#[test]
fn values_cannot_be_nested_without_end() {
    let mut value = Value::Int(1);
    for _ in 0..100 {
        value = Value::List([value].into());
    }
    let pack = Pack { format: FORMAT, consts: vec![value], ..Pack::default() };
    let words = Pack::from_bytes(&pack.to_bytes().unwrap()).unwrap_err().0;
    assert!(words.contains("damaged"), "{words}");
}

#[test]
fn the_verifier_says_what_is_wrong() {
    let refused = |change: fn(&mut Asm)| {
        let mut asm = furnished();
        change(&mut asm);
        Loaded::new(asm.pack).unwrap_err().0
    };
    type Spoiling = (fn(&mut Asm), &'static str);
    let cases: [Spoiling; 11] = [
        (|asm| asm.pack.format = 7, "the pack has format 7"),
        (
            |asm| {
                asm.code(0, vec![Instr::Return { src: 3 }]);
            },
            "reads register 3, which may not have been written",
        ),
        (
            |asm| {
                asm.code(0, vec![Instr::Int { dst: 99, v: 1 }]);
            },
            "a register that is not there",
        ),
        (
            |asm| {
                asm.code(0, vec![Instr::Jump { to: 9 }]);
            },
            "a jump out of the fragment",
        ),
        (
            |asm| {
                asm.code(0, vec![Instr::Const { dst: 0, k: ConstId(999) }]);
            },
            "constant 999 does not exist",
        ),
        (
            |asm| {
                asm.term(0, vec![Instr::Mark]);
            },
            "a term must not act or ask",
        ),
        (
            |asm| {
                let me = FragId(asm.pack.fragments.len() as u32);
                asm.term(0, vec![Instr::Call { dst: 0, frag: me, start: 0, n: 0 }]);
            },
            "calls itself",
        ),
        (
            |asm| {
                asm.code(0, vec![Instr::Int { dst: 0, v: 1 }, Instr::Call { dst: 0, frag: FragId(0), start: 0, n: 0 }]);
            },
            "takes 1 arguments, but gets 0",
        ),
        (|asm| asm.pack.cards[0].parts.push(CardId(0)), "card 0 is a part of itself"),
        (|asm| asm.pack.actions[0].by = Some(7), "`by` is not one of its parameters"),
        (|asm| asm.pack.actions[0].says.push(Phrase::Field(99)), "speak of a field it has not"),
    ];
    for (change, words) in cases {
        let said = refused(change);
        assert!(said.contains(words), "{said}");
    }
    // Written on one way only.
    let mut asm = furnished();
    asm.code(
        0,
        vec![Instr::Bool { dst: 0, v: true }, Instr::JumpIf { cond: 0, to: 3 }, Instr::Int { dst: 1, v: 1 }, Instr::Return { src: 1 }],
    );
    assert!(Loaded::new(asm.pack).is_err());
}
