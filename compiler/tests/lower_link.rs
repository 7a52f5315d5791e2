//! Linking: names become numbers, whatever order the files come in.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use banneret_compiler::hir::*;
use banneret_compiler::link::Project;
use banneret_compiler::ty::Ty;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack::{self, FieldRole, Roles};
use support::*;

/// A small game that uses a little of everything.
fn project() -> Vec<Item> {
    let mut base = kind("m/Body", &[], vec![kfield("m/Body.wounds", FieldRole::State)]);
    base.rules = vec![handler(When::AtEnd, &["m/round"], None, vec![s(StmtKind::Todo("later".into()))])];
    base.rank = 2;
    let unit = kind("m/Unit", &["m/Body"], vec![kfield("m/Unit.power", FieldRole::Plain), kfield("m/Unit.effect", FieldRole::Plain)]);
    let mut side = kind("m/Side", &["prelude/Player"], vec![]);
    side.roles = Roles { player: true, ..Roles::default() };
    let mut player = kind("prelude/Player", &[], vec![]);
    player.roles = Roles { player: true, ..Roles::default() };

    let deal = action(
        "m/deal",
        vec![param(None, "amount"), param(Some("to"), "target")],
        0,
        vec![s(StmtKind::Assign {
            target: Target::Field { base: ev("target"), field: "m/Body.wounds".into() },
            value: add(field(ev("target"), "m/Body.wounds"), ev("amount")),
        })],
    );
    let heal = action("m/heal", vec![param(None, "target"), param(Some("by"), "amount")], 0, vec![]);
    let mut round = action("m/round", vec![param(Some("with"), "scenario")], 0, vec![]);
    round.params[0].ty = Ty::Kind("m/Unit".into());
    round.is_phase = true;

    let past = ExprKind::Past {
        actions: vec!["m/deal".into()],
        scope: Some("m/round".into()),
        filter: Some(Box::new(Lambda {
            params: vec![Local(1)],
            body: Box::new(eq(
                e(ExprKind::LogField { event: Box::new(local(1)), action: "m/deal".into(), field: "target".into() }),
                local(0),
            )),
        })),
    };
    let hurt = Define { key: "m/hurt".into(), params: vec![Local(0)], body: e(past), says: None };

    let mut reaver = card("m/Reaver", "m/Unit");
    reaver.values = vec![(
        "m/Unit.effect".into(),
        CardValue::Effect {
            params: vec![Local(0)],
            body: block(vec![do_(e(ExprKind::Emit {
                action: "m/deal".into(),
                args: vec![Some(int(1)), Some(e(ExprKind::Call { define: "m/hurt".into(), args: vec![local(0)] }))],
                each: Some(1),
            }))]),
        },
    )];
    reaver.rules = vec![handler(
        When::Before,
        &["m/deal", "m/heal"],
        Some(eq(ev("target"), this())),
        vec![s(StmtKind::EventMod { field: "amount".into(), op: ModOp::Add, value: int(1) })],
    )];
    reaver.parts = vec![card("m/Reaver.Axe", "m/Unit")];
    reaver.keywords = vec![("m/Shield".into(), 2)];
    let shield = Keyword {
        key: "m/Shield".into(),
        name: "Shield".into(),
        numbered: true,
        on: Some("m/Body".into()),
        on_part: false,
        rules: vec![],
        state: vec![kfield("m/Shield.left", FieldRole::State)],
        says: None,
    };
    let mood = Enum { key: "m/Mood".into(), members: vec![("Wild".into(), "wild".into()), ("Calm".into(), "calm".into())] };
    let ruleset = Ruleset {
        covers: Covers::default(),
        key: "m/game".into(),
        title: "A Game".into(),
        version: "1".into(),
        options: vec![("m/cover".into(), e(ExprKind::Member("m/cover".into(), "both".into())))],
        start: Some("m/round".into()),
        players: None,
        goal: None,
        hidden: Vec::new(),
        single_card: Vec::new(),
        rules_only_on: Vec::new(),
        odds: Vec::new(),
        own_use: Vec::new(),
    };
    vec![
        Item::Kind(base),
        Item::Kind(unit),
        Item::Kind(side),
        Item::Kind(player),
        Item::Action(deal),
        Item::Action(heal),
        Item::Action(round),
        Item::Define(hurt),
        Item::Card(reaver),
        Item::Keyword(shield),
        Item::Enum(mood),
        Item::Ruleset(ruleset),
        Item::Rules(vec![handler(When::After, &["m/deal"], None, vec![])]),
    ]
}

#[test]
fn everything_is_in_range() {
    let linked = linked(&project()).expect("links");
    check(&linked);
    let pack = &linked.pack;
    assert_eq!(linked.cards, ["m/Reaver", "m/Reaver.Axe"]);
    assert_eq!(pack.cards[1].holder, Some(CardId(0)));
    assert_eq!(pack.cards[0].parts, [CardId(1)]);
    assert_eq!(pack.start, Some(ActionId(2)));
    assert_eq!(pack.scenario_kind.map(|id| pack.strings[pack.kinds[id.index()].name.index()].as_str()), Some("Unit"));
    assert_eq!(pack.player_kind.map(|id| pack.strings[pack.kinds[id.index()].name.index()].as_str()), Some("Side"));
    assert_eq!(pack.rulesets, [("A Game".to_string(), "1".to_string())]);
    assert_eq!(pack.symbols.len(), 3);
    assert_eq!(linked.spans.card(CardId(0)).map(|span| (span.start, span.end)), Some((15, 19)));
    assert_eq!(pack.sites[pack.cards[0].site.index()].line, 3);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let items = project();
    let orders: [Vec<usize>; 3] =
        [(0..items.len()).collect(), (0..items.len()).rev().collect(), (0..items.len()).map(|n| (n * 5 + 3) % items.len()).collect()];
    let packs: Vec<_> = orders.iter().map(|order| linked_as(&Project::default(), &items, order).expect("links")).collect();
    assert_eq!(packs[0], packs[1]);
    assert_eq!(packs[0], packs[2]);
}

#[test]
fn kinds_take_over_fields_rules_and_rank() {
    let linked = linked(&project()).expect("links");
    let pack = &linked.pack;
    let unit = pack.kinds.iter().find(|kind| pack.strings[kind.name.index()] == "Unit").unwrap();
    assert_eq!(unit.is.len(), 2);
    let names: Vec<&str> = unit.fields.iter().map(|id| pack.strings[pack.fields[id.index()].name.index()].as_str()).collect();
    assert_eq!(names, ["wounds", "power", "effect", "left"]);
    assert_eq!(unit.bundles.len(), 1);
    assert_eq!(unit.rank, 2);
    assert_eq!(pack.bundles[pack.cards[0].bundles[0].index()].rank, 2);
}

#[test]
fn a_rule_for_actions_of_different_layout_is_split() {
    let linked = linked(&project()).expect("links");
    let pack = &linked.pack;
    let rules = &pack.bundles[pack.cards[0].bundles[0].index()].rules;
    assert_eq!(rules.len(), 2);
    let fields: Vec<(u16, u16)> = rules
        .iter()
        .map(|rule| {
            let pack::Rule::Handler { guard: Some(guard), body, .. } = rule else { panic!("{rule:?}") };
            let get = |frag: FragId| {
                pack.fragments[frag.index()].code.iter().find_map(|i| match i {
                    Instr::EvGet { field, .. } | Instr::EvMod { field, .. } => Some(*field),
                    _ => None,
                })
            };
            (get(*guard).unwrap(), get(*body).unwrap())
        })
        .collect();
    // deal(amount, target) and heal(target, amount)
    assert_eq!(fields, [(1, 0), (0, 1)]);
}

#[test]
fn only_what_is_asked_about_is_logged() {
    let linked = linked(&project()).expect("links");
    let pack = &linked.pack;
    let logs: Vec<_> = pack.actions.iter().map(|action| action.log.clone()).collect();
    assert_eq!(logs[0], Some(pack::LogSpec { fields: vec![1], scopes: vec![Some(ActionId(2))] }));
    assert_eq!(logs[1..], [None, None]);
}

#[test]
fn a_missing_name_is_a_problem_and_no_pack() {
    let found = linked(&[Item::Action(action("m/act", vec![], 0, vec![do_(call("m/gone", vec![]))]))]);
    let problems = found.expect_err("does not link");
    assert_eq!(problems[0].words, "there is no action called `m/gone`");
}

#[test]
fn two_unrelated_players_are_a_problem() {
    let player = |key: &str| {
        let mut one = kind(key, &[], vec![]);
        one.roles.player = true;
        Item::Kind(one)
    };
    let problems = linked(&[player("a/One"), player("b/Two")]).expect_err("does not link");
    assert!(problems[0].words.starts_with("several kinds are the player"));
}

#[test]
fn texts_come_from_the_project() {
    let project_ = Project { texts: [("m/Reaver".into(), "Deal 1.".to_string())].into(), ..Project::default() };
    let items = project();
    let linked = linked_as(&project_, &items, &(0..items.len()).collect::<Vec<_>>()).expect("links");
    let pack = &linked.pack;
    assert_eq!(pack.strings[pack.cards[0].text.index()], "Deal 1.");
}

#[test]
fn the_words_of_an_action_are_in_the_pack() {
    let text = |words: &str| TextPart::Text(words.into());
    let mut deal = action("m/deal", vec![param(None, "amount"), param(Some("to"), "target")], 0, vec![]);
    let parts = vec![
        text("deal "),
        TextPart::Value(ev("amount")),
        text(" "),
        TextPart::Plural(ev("amount"), "wound".into(), "wounds".into()),
        text(" to "),
        TextPart::Article(ev("target")),
    ];
    deal.says = Some(Template { parts, text: Default::default(), span: Span::default() });
    // What calculates in a gap cannot be said by those who only have the pack.
    let mut heal = action("m/heal", vec![param(None, "amount")], 0, vec![]);
    heal.says = Some(Template { parts: vec![TextPart::Value(add(ev("amount"), int(1)))], text: Default::default(), span: Span::default() });
    let linked = linked(&[Item::Action(deal), Item::Action(heal)]).expect("links");
    let said = |name: &str| {
        let action = linked.pack.actions.iter().find(|action| linked.pack.strings[action.name.index()] == name).unwrap();
        let field = |at: u16| linked.pack.strings[action.fields[usize::from(at)].index()].clone();
        let string = |id: StrId| linked.pack.strings[id.index()].clone();
        let piece = |piece: &pack::Phrase| match *piece {
            pack::Phrase::Text(text) => string(text),
            pack::Phrase::Field(at) => format!("<{}>", field(at)),
            pack::Phrase::Plural(at, one, many) => format!("<{}|{}|{}>", field(at), string(one), string(many)),
        };
        action.says.iter().map(piece).collect::<String>()
    };
    assert_eq!(said("deal"), "deal <amount> <amount|wound|wounds> to <target>");
    assert_eq!(said("heal"), "");
}
