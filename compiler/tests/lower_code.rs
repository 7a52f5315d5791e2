//! Lowering: what code comes out of statements and expressions.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use banneret_compiler::hir::*;
use banneret_compiler::lower::lower_item;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::pack;
use banneret_runtime::table::Board;
use banneret_runtime::value::{Dice, Ratio, Value};
use support::*;

fn body_of(params: Vec<ActionParam>, head: usize, stmts: Vec<Stmt>) -> Vec<Instr> {
    let item = Item::Action(action("m/act", params, head, stmts));
    let lowered = lower_item(&item, Board::Centres);
    assert_eq!(lowered.problems, []);
    lowered.fragments.last().unwrap().code.clone()
}

#[test]
fn an_action_has_head_steps_a_head_end_and_a_result() {
    let code =
        body_of(vec![param(None, "amount")], 2, vec![s(StmtKind::Need(yes())), s(StmtKind::Need(yes())), do_(add(ev("amount"), int(1)))]);
    assert_eq!(
        code,
        [
            Instr::Bool { dst: 0, v: true },
            Instr::Need { cond: 0 },
            Instr::HeadStep,
            Instr::Bool { dst: 0, v: true },
            Instr::Need { cond: 0 },
            Instr::HeadEnd,
            Instr::EvGet { dst: 1, field: 0 },
            Instr::AddInt { dst: 0, a: 1, v: 1 },
            Instr::Return { src: 0 },
        ]
    );
}

#[test]
fn a_default_is_filled_in_before_the_head() {
    let mut with_default = param(Some("with"), "bonus");
    with_default.default = Some(int(7));
    let code = body_of(vec![with_default], 0, vec![]);
    assert_eq!(
        code[..6],
        [
            Instr::EvGet { dst: 0, field: 0 },
            Instr::JumpIfNone { src: 0, to: 3 },
            Instr::Jump { to: 5 },
            Instr::Int { dst: 0, v: 7 },
            Instr::EvSet { field: 0, src: 0 },
            Instr::HeadEnd,
        ]
    );
}

#[test]
fn a_lambda_captures_what_it_reads() {
    let near = and(eq(local(9), ev("target")), eq(local(9), local(0)));
    let set = filter(all_of("m/Unit"), 9, and(near, eq(e(ExprKind::You), local(9))));
    let lowered = lower_item(
        &Item::Action(action("m/act", vec![param(None, "target")], 0, vec![s(StmtKind::Let(Local(0), int(1))), do_(set)])),
        Board::Centres,
    );
    assert_eq!(lowered.problems, []);
    let lambda = &lowered.fragments[0];
    assert_eq!((lambda.params, lambda.pure), (4, true));
    assert!(!lambda.code.iter().any(|i| matches!(i, Instr::EvGet { .. } | Instr::You { .. })));
    let each = lowered.fragments[1].code.iter().find_map(|i| match i {
        Instr::Each { n, .. } => Some(*n),
        _ => None,
    });
    assert_eq!(each, Some(3));
}

#[test]
fn assigning_reads_the_old_value_to_the_end() {
    // x = none or x: the first half must not overwrite what the second reads
    let value = e(ExprKind::OrElse(Box::new(e(ExprKind::None)), Box::new(local(0))));
    let code = body_of(vec![], 0, vec![s(StmtKind::Let(Local(0), int(5))), s(StmtKind::Assign { target: Target::Local(Local(0)), value })]);
    assert_eq!(code[2], Instr::None { dst: 1 });
    assert!(code.contains(&Instr::Move { dst: 0, src: 1 }));
}

#[test]
fn pass_closes_what_was_opened_in_the_loop() {
    let scope = StmtKind::Scope { action: "m/inner".into(), args: vec![], body: block(vec![s(StmtKind::Pass)]) };
    let code = body_of(vec![], 0, vec![s(StmtKind::Repeat { body: block(vec![s(scope)]) })]);
    let ends = code.iter().filter(|i| matches!(i, Instr::ScopeEnd { .. })).count();
    assert_eq!(ends, 2);
    assert_eq!(code[1..4].iter().filter(|i| matches!(i, Instr::Jump { to: 6 })).count(), 1, "{code:?}");
}

#[test]
fn a_menu_line_that_is_a_sentence_is_probed_in_its_own_head() {
    let line = |label: &str, head, stmts| MenuLine { label: label.into(), head, body: block(stmts), span: Span::new(0, 1) };
    let lines = vec![
        line("walk", 0, vec![do_(call("m/walk", vec![]))]),
        line("pass", 0, vec![s(StmtKind::Pass)]),
        line("rest", 1, vec![s(StmtKind::Need(yes())), s(StmtKind::Todo("rest".into()))]),
    ];
    let item = action("m/act", vec![], 0, vec![s(StmtKind::Repeat { body: block(vec![s(StmtKind::Menu { by: None, lines })]) })]);
    let lowered = lower_item(&Item::Action(item), Board::Centres);
    let code = &lowered.fragments[0].code;
    let menu = &lowered.menus[0];
    let at = |n: usize| &code[menu.lines[n] as usize];
    assert!(matches!(at(0), Instr::Emit { .. }));
    assert!(matches!(at(1), Instr::Mark));
    assert!(matches!(code[menu.lines[2] as usize + 2], Instr::Mark));
    assert!(matches!(code[menu.none as usize], Instr::Jump { .. }), "past the menu the repeat goes round");
}

#[test]
fn alternate_asks_the_player_whose_turn_it_is_and_puts_you_back() {
    let body = block(vec![do_(call("m/turn", vec![Some(local(3))]))]);
    let alternate = StmtKind::Alternate { local: Local(3), starting: None, until_all_pass: false, body };
    let code = body_of(vec![], 0, vec![s(alternate)]);
    let yous: Vec<_> = code.iter().filter(|i| matches!(i, Instr::SetYou { .. } | Instr::You { .. })).collect();
    assert!(matches!(yous[..], [Instr::You { .. }, Instr::SetYou { .. }, Instr::SetYou { .. }]));
    assert!(code.iter().any(|i| matches!(i, Instr::Push { .. })));
}

#[test]
fn a_need_in_a_menu_of_an_alternate_is_the_line_s_own() {
    let line = MenuLine {
        label: "act".into(),
        head: 1,
        body: block(vec![s(StmtKind::Need(yes())), do_(call("m/act", vec![]))]),
        span: Span::new(0, 1),
    };
    let body = block(vec![s(StmtKind::Need(yes())), s(StmtKind::Menu { by: None, lines: vec![line] })]);
    let alternate = StmtKind::Alternate { local: Local(3), starting: None, until_all_pass: false, body };
    let code = body_of(vec![], 0, vec![s(alternate)]);
    // The first ends the player's turn, the second only takes the line out of the menu.
    assert_eq!(code.iter().filter(|i| matches!(i, Instr::Need { .. })).count(), 1);
}

#[test]
fn constants_of_cards_are_folded() {
    let mut unit = card("m/Unit1", "m/Unit");
    let div = |how| e(ExprKind::Div(Box::new(int(-7)), Box::new(int(2)), how));
    let cost = e(ExprKind::Cost { amount: Box::new(int(2)), resource: "m/Player.ap".into() });
    let dice = e(ExprKind::Dice { count: 2, sides: 6, plus: 0 });
    let exprs = [
        div(Rounding::Exact),
        div(Rounding::Down),
        div(Rounding::Up),
        div(Rounding::Nearest),
        add(dice, int(1)),
        add(cost.clone(), cost),
        e(ExprKind::Pair(Box::new(int(6)), Box::new(int(4)))),
        all_of("m/Unit"),
    ];
    unit.values = exprs.into_iter().enumerate().map(|(n, x)| (format!("m/Unit.f{n}").into(), CardValue::Value(x))).collect();
    let lowered = lower_item(&Item::Card(unit), Board::Centres);
    let values: Vec<Value> = lowered.decls.cards[0].card.values.iter().map(|(_, value)| value.clone()).collect();
    assert_eq!(values[0], Value::Ratio(Ratio { num: -7, den: 2 }));
    assert_eq!(values[1..4], [Value::Int(-4), Value::Int(-3), Value::Int(-3)]);
    assert_eq!(values[4], Value::Dice(Dice { count: 2, sides: 6, plus: 1 }));
    assert!(matches!(&values[5], Value::Cost(cost) if cost.len() == 1 && cost[0].1 == 4));
    assert_eq!(values[6], Value::Pair([Value::Int(6), Value::Int(4)].into()));
    assert_eq!(lowered.problems.len(), 1, "what is in play is not known when a card is printed");
}

#[test]
fn a_timed_grant_lays_its_registers_in_a_row() {
    let gives = Gives {
        mods: vec![Modifier { field: "m/Unit.move".into(), op: ModOp::Add, value: int(-1), span: Span::default() }],
        keywords: vec![("m/Fast".into(), None), ("m/Shield".into(), Some(int(2)))],
        rules: vec![],
        own: vec![],
    };
    let lasts = vec![Lasts::Scopes { count: int(3), scope: "m/round".into() }];
    let lowered = lower_item(
        &Item::Action(action(
            "m/act",
            vec![param(None, "target")],
            0,
            vec![s(StmtKind::Grant(Box::new(Grant { targets: ev("target"), gives, lasts, captures: Vec::new() })))],
        )),
        Board::Centres,
    );
    let grant = &lowered.grants[0];
    assert_eq!(grant.keywords.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [false, true]);
    assert!(matches!(grant.lasts[..], [pack::Lasts::Scopes { .. }]));
    let code = &lowered.fragments[0].code;
    let start = code.iter().find_map(|i| if let Instr::Grant { start, .. } = i { Some(*start) } else { None }).unwrap();
    for (n, v) in [-1, 2, 3].into_iter().enumerate() {
        assert!(code.contains(&Instr::Int { dst: start + n as u16, v }), "{code:?}");
    }
}

#[test]
fn an_expected_comparison_is_evaluated_once() {
    let roll = || e(ExprKind::Roll(Box::new(e(ExprKind::Dice { count: 1, sides: 6, plus: 0 }))));
    let expect = StmtKind::Expect { cond: eq(roll(), int(3)), sides: Some(Box::new((roll(), int(3)))), words: "roll d6 == 3".into() };
    let test = Test { words: "t".into(), covers: vec![], with: vec![], body: block(vec![s(expect)]), exact: false, inner: vec![] };
    let lowered = lower_item(&Item::Test(test), Board::Centres);
    let rolls = lowered.fragments[0].code.iter().filter(|i| matches!(i, Instr::Roll { .. })).count();
    assert_eq!(rolls, 1);
}
