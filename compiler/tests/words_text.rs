//! Rules text: what cards say about themselves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use banneret_compiler::hir::*;
use banneret_compiler::ty::{Range, Ty};
use banneret_compiler::words::*;
use support::*;

/// A small rule system's words.
struct Says;

fn text(words: &str) -> TextPart {
    TextPart::Text(words.into())
}

fn gap(name: &str) -> TextPart {
    TextPart::Value(ev(name))
}

fn template(parts: Vec<TextPart>) -> Option<Template> {
    Some(Template { parts, text: Default::default(), span: Span::default() })
}

fn p(prep: Option<&str>, name: &str, ty: Ty) -> ParamWords {
    ParamWords { prep: prep.map(Into::into), name: name.into(), ty, default: None }
}

fn unit() -> Ty {
    Ty::Kind("m/Unit".into())
}

fn player() -> Ty {
    Ty::Kind("m/Player".into())
}

fn number() -> Ty {
    Ty::Int(Range::default())
}

impl SaysOf for Says {
    fn action(&self, key: &Key) -> Option<ActionWords> {
        let (params, by, is_phase, says) = match key.as_str() {
            "m/deal" => (
                vec![p(None, "amount", number()), p(Some("to"), "target", unit()), p(Some("by"), "source", Ty::Optional(Box::new(unit())))],
                Some(2),
                false,
                template(vec![text("Deal "), gap("amount"), text(" damage to "), gap("target"), text(".")]),
            ),
            "m/destroy" => (
                vec![p(None, "target", unit()), p(Some("by"), "source", unit())],
                Some(1),
                false,
                template(vec![text("destroy "), gap("target")]),
            ),
            "m/draw" => (
                vec![p(None, "n", number()), p(Some("by"), "p", player())],
                Some(1),
                false,
                template(vec![text("draw "), gap("n"), text(" "), TextPart::Plural(ev("n"), "card".into(), "cards".into())]),
            ),
            "m/lose" => (
                vec![p(None, "n", number()), p(Some("from"), "target", unit())],
                None,
                false,
                template(vec![gap("target"), text(" loses "), gap("n"), text(" health")]),
            ),
            "m/push" => (vec![p(None, "what", unit()), p(Some("into"), "other", unit())], None, false, None),
            "m/move" => (vec![p(None, "what", unit())], None, false, None),
            "m/turn" => (vec![p(Some("by"), "p", player())], Some(0), true, None),
            "m/round" => (vec![], None, true, None),
            _ => return None,
        };
        let name = key.rsplit('/').next().unwrap().into();
        Some(ActionWords { name, params, by, is_phase, says, words: Vec::new() })
    }

    fn keyword(&self, key: &Key) -> Option<KeywordWords> {
        let name: &str = key.rsplit('/').next().unwrap();
        Some(KeywordWords { name: name.into(), numbered: name == "Shield" })
    }

    fn field(&self, key: &Key) -> Option<FieldWords> {
        (key == "m/Tactic.effect").then(|| FieldWords {
            label: "Effect".into(),
            effect: vec![("activated".into(), Ty::Set(Box::new(unit())))],
            ..FieldWords::default()
        })
    }
}

fn typed(mut expr: Expr, ty: Ty) -> Expr {
    expr.ty = ty;
    expr
}

fn units() -> Expr {
    typed(all_of("m/Unit"), Ty::Set(Box::new(unit())))
}

fn where_(set: Expr, it: u32, cond: Expr) -> Expr {
    let ty = set.ty.clone();
    typed(filter(set, it, cond), ty)
}

fn controlled(it: u32, how: Compare) -> Expr {
    cmp(how, fun(Fun::Controller, vec![local(it)]), e(ExprKind::You))
}

fn enemy_units() -> Expr {
    where_(units(), 90, controlled(90, Compare::Ne))
}

fn your_units() -> Expr {
    where_(units(), 91, controlled(91, Compare::Eq))
}

fn inches(n: i64) -> Expr {
    typed(int(n * 1000), Ty::Length("m".into()))
}

fn near_this() -> Expr {
    where_(enemy_units(), 92, fun(Fun::Within, vec![local(92), this(), inches(6)]))
}

fn opponent() -> Expr {
    e(ExprKind::Opponent(Box::new(e(ExprKind::You))))
}

fn each(action: &str, args: Vec<Option<Expr>>, which: usize) -> Expr {
    e(ExprKind::Emit { action: action.into(), args, each: Some(which) })
}

/// The text of a card with this effect.
fn effect(params: Vec<Local>, stmts: Vec<Stmt>) -> String {
    let mut one = card("m/Bolt", "m/Unit");
    one.values = vec![
        ("m/Spell.target".into(), CardValue::Choice { binds: Some("foe".into()), set: enemy_units() }),
        ("m/Spell.effect".into(), CardValue::Effect { params, body: block(stmts) }),
    ];
    plain(&card_text(&one, &Says))
}

fn rules(rules: Vec<Rule>) -> String {
    let mut one = card("m/Bolt", "m/Unit");
    one.rules = rules;
    plain(&card_text(&one, &Says))
}

fn grant_rule(set: Option<Expr>, gives: Gives, cond: Option<Expr>) -> Rule {
    let who = set.as_ref().map(|_| Lambda { params: vec![Local(70)], body: Box::new(yes()) });
    Rule {
        kind: RuleKind::Grant {
            who,
            set: Box::new(set.unwrap_or_else(this)),
            kind: "m/Unit".into(),
            it: Local(71),
            giver: None,
            gives,
            cond,
        },
        span: Span::default(),
        of: None,
    }
}

fn modifier(field: &str, op: ModOp, value: Expr) -> Modifier {
    Modifier { field: field.into(), op, value, span: Span::default() }
}

fn handler_of(when: When, action: &str, matches: Vec<(&str, Expr)>, guard: Option<Expr>, stmts: Vec<Stmt>) -> Rule {
    let matches = matches.into_iter().map(|(name, want)| (name.into(), want)).collect();
    Rule {
        kind: RuleKind::Handler { when, actions: vec![action.into()], guard, once: None, body: block(stmts), matches },
        span: Span::default(),
        of: None,
    }
}

#[test]
fn a_chosen_target_is_described_once() {
    let foe = || Some(typed(local(0), unit()));
    let stmts = vec![do_(call("m/deal", vec![Some(int(3)), foe(), Some(this())])), do_(call("m/push", vec![foe(), Some(this())]))];
    assert_eq!(effect(vec![Local(0)], stmts), "This unit deals 3 damage to an enemy unit. Push that unit into this unit.");
}

#[test]
fn plurals_are_for_each_and_numbers_agree() {
    let stmts = vec![
        do_(each("m/deal", vec![Some(int(1)), Some(near_this()), None], 1)),
        do_(call("m/draw", vec![Some(int(1)), Some(e(ExprKind::You))])),
        do_(call("m/draw", vec![Some(int(2)), Some(opponent())])),
    ];
    assert_eq!(effect(vec![], stmts), "Deal 1 damage to each enemy unit within 6″ of this unit. Draw 1 card. Your opponent draws 2 cards.");
}

#[test]
fn choices_and_may() {
    let choose = Choose {
        name: "x".into(),
        into: Target::Local(Local(1)),
        mode: ChooseMode::UpTo,
        count: Some(int(2)),
        from: your_units(),
        by: None,
        each_once: None,
        such_that: None,
        secret: false,
        in_head: false,
    };
    let life = e(ExprKind::Cost { amount: Box::new(int(2)), resource: "m/Player.Life".into() });
    let pay = s(StmtKind::Pay { who: e(ExprKind::You), cost: life });
    let draw = do_(call("m/draw", vec![Some(int(2)), Some(e(ExprKind::You))]));
    let may = s(StmtKind::May { label: None, by: None, head: 1, body: block(vec![pay, draw.clone()]) });
    let line = |label: &str, stmts| MenuLine { label: label.into(), head: 0, body: block(stmts), span: Span::default() };
    let menu = s(StmtKind::Menu { by: Some(opponent()), lines: vec![line("draw", vec![draw]), line("pass", vec![s(StmtKind::Pass)])] });
    assert_eq!(
        effect(vec![], vec![s(StmtKind::Choose(Box::new(choose))), may, menu]),
        "Choose up to 2 of your units. You may pay 2 Life to draw 2 cards. Your opponent chooses one: “draw”: draw 2 cards; or do nothing."
    );
}

#[test]
fn branches_loops_and_todo() {
    let fast = e(ExprKind::HasKeyword { base: Box::new(typed(local(0), unit())), keyword: "m/Fast".into() });
    let hit = |n| do_(call("m/deal", vec![Some(int(n)), Some(typed(local(0), unit())), None]));
    let branch = s(StmtKind::If { arms: vec![(fast, block(vec![hit(2)]))], otherwise: Some(block(vec![hit(1)])) });
    let repeat = s(StmtKind::RepeatTimes { count: int(2), body: block(vec![hit(1)]) });
    let all = s(StmtKind::For {
        local: Local(5),
        set: your_units(),
        body: block(vec![do_(call("m/lose", vec![Some(int(1)), Some(typed(local(5), unit()))]))]),
    });
    let todo = s(StmtKind::Todo("the table votes".into()));
    assert_eq!(
        effect(vec![Local(0)], vec![branch, repeat, all, todo]),
        "Choose an enemy unit. If that unit has Fast, deal 2 damage to that unit. Otherwise, deal 1 damage to that unit. Twice, deal 1 damage to that unit. \
         Each of your units loses 1 health. The table votes."
    );
}

#[test]
fn grants_that_hold() {
    let minus = Gives { mods: vec![modifier("m/Unit.move", ModOp::Add, inches(-1))], ..Gives::default() };
    let fast = Gives { keywords: vec![("m/Fast".into(), None), ("m/Shield".into(), Some(int(2)))], ..Gives::default() };
    let doubled = Gives { mods: vec![modifier("m/Unit.power", ModOp::Mul, int(2))], ..Gives::default() };
    let wounded = cmp(Compare::Gt, field(this(), "m/Unit.wounds"), typed(int(0), number()));
    assert_eq!(
        rules(vec![
            grant_rule(Some(near_this()), minus, None),
            grant_rule(Some(your_units()), fast, None),
            grant_rule(None, doubled, Some(wounded))
        ]),
        "Enemy units within 6″ of this unit have −1″ Move. Your units have Fast and Shield +2. This unit has double Power while this unit has any Wounds."
    );
}

#[test]
fn timed_grants_say_how_long() {
    let give = || Gives { mods: vec![modifier("m/Unit.power", ModOp::Add, int(1))], ..Gives::default() };
    let foe = || typed(e(ExprKind::List(vec![typed(local(0), unit())])), Ty::List(Box::new(unit())));
    let grant = |lasts| s(StmtKind::Grant(Box::new(Grant { targets: foe(), gives: give(), lasts: vec![lasts], captures: Vec::new() })));
    let it_moves = Box::new(e(ExprKind::EventField("what".into())));
    let receiver = e(ExprKind::Compare(Compare::Eq, it_moves, Box::new(e(ExprKind::This))));
    let cannot = Rule {
        kind: RuleKind::Cannot { actions: vec!["m/move".into()], choose: None, must: false, guard: Some(receiver), matches: vec![] },
        span: Span::default(),
        of: None,
    };
    let stuck = Gives { own: vec![cannot], ..Gives::default() };
    let stmts = vec![
        grant(Lasts::Until { at_end: true, next: false, scope: "m/round".into(), of: None }),
        grant(Lasts::Until { at_end: false, next: true, scope: "m/turn".into(), of: Some(e(ExprKind::You)) }),
        grant(Lasts::Scopes { count: int(2), scope: "m/round".into() }),
        s(StmtKind::Grant(Box::new(Grant { targets: foe(), gives: stuck, lasts: Vec::new(), captures: Vec::new() }))),
    ];
    assert_eq!(
        effect(vec![Local(0)], stmts),
        "Until the end of the round, an enemy unit has +1 Power. Until the start of your next turn, that unit has +1 Power. \
         For 2 rounds, that unit has +1 Power. For the rest of the game, that unit cannot move."
    );
}

#[test]
fn patterns_have_a_subject_or_are_passive() {
    let draw = || do_(call("m/draw", vec![Some(int(1)), Some(e(ExprKind::You))]));
    let positive = cmp(Compare::Gt, typed(ev("amount"), number()), typed(int(0), number()));
    assert_eq!(
        rules(vec![
            handler_of(When::After, "m/destroy", vec![("target", enemy_units()), ("source", this())], None, vec![draw()]),
            handler_of(When::After, "m/deal", vec![("target", this())], Some(positive), vec![draw()]),
            handler_of(When::Instead, "m/destroy", vec![("target", this())], None, vec![s(StmtKind::Todo("it flees".into()))]),
            handler_of(When::AtStart, "m/turn", vec![], Some(eq(ev("p"), e(ExprKind::You))), vec![draw()]),
            handler_of(When::AtEnd, "m/round", vec![], None, vec![draw()]),
        ]),
        "After this unit destroys an enemy unit, draw 1 card. After damage is dealt to this unit, if the amount is more than 0, draw 1 card. \
         If this unit would be destroyed, it flees instead. At the start of your turn, draw 1 card. At the end of the round, draw 1 card."
    );
}

#[test]
fn what_a_pattern_named_is_spoken_of_later() {
    let hit = |who: &str| do_(call("m/lose", vec![Some(int(1)), Some(typed(ev(who), unit()))]));
    assert_eq!(
        rules(vec![
            handler_of(When::After, "m/destroy", vec![("target", enemy_units())], None, vec![hit("source")]),
            handler_of(When::After, "m/deal", vec![("target", this())], None, vec![hit("source"), hit("target")]),
        ]),
        "After an enemy unit is destroyed, the unit that did it loses 1 health. \
         After damage is dealt to this unit, the unit that did it loses 1 health, then this unit loses 1 health."
    );
}

#[test]
fn event_modifiers_and_prohibitions() {
    let ward = Lambda { params: vec![Local(1), Local(2)], body: Box::new(and(and(yes(), eq(local(1), this())), eq(local(2), opponent()))) };
    let cannot = |actions: Vec<Key>, choose, matches| Rule {
        kind: RuleKind::Cannot { actions, choose, must: false, guard: None, matches },
        span: Span::default(),
        of: None,
    };
    let change = |op, v| s(StmtKind::EventMod { field: "amount".into(), op, value: int(v) });
    assert_eq!(
        rules(vec![
            handler_of(When::Before, "m/deal", vec![("source", this())], None, vec![change(ModOp::Add, 1), change(ModOp::Mul, 2)]),
            cannot(vec![], Some(ward), vec![]),
            cannot(vec!["m/destroy".into()], None, vec![("target".into(), this())]),
        ]),
        "Before this unit deals damage to a unit, the amount is increased by 1, then the amount is doubled. \
         This unit cannot be chosen by your opponent. This unit cannot be destroyed."
    );
}

#[test]
fn history_and_amounts() {
    let past = ExprKind::Past {
        actions: vec!["m/destroy".into()],
        scope: Some("m/round".into()),
        filter: Some(Box::new(Lambda {
            params: vec![Local(3)],
            body: Box::new(eq(
                e(ExprKind::LogField { event: Box::new(local(3)), action: "m/destroy".into(), field: "source".into() }),
                this(),
            )),
        })),
    };
    let count = |set: Expr| {
        let lambda = Lambda { params: vec![Local(4)], body: Box::new(int(1)) };
        e(ExprKind::Each { op: EachOp::Sum, list: Box::new(set), lambda })
    };
    let half = e(ExprKind::Div(Box::new(field(this(), "m/Unit.power")), Box::new(int(2)), Rounding::Up));
    let hit = |n| do_(call("m/lose", vec![Some(n), Some(this())]));
    assert_eq!(
        effect(vec![], vec![hit(count(e(past))), hit(count(enemy_units())), hit(half)]),
        "This unit loses X health, where X is the number of times this unit has destroyed a unit this round. \
         This unit loses X health, where X is the number of enemy units. This unit loses X health, where X is half of this unit’s Power, rounded up."
    );
}

#[test]
fn rolls_are_told_and_used() {
    let roll = e(ExprKind::Roll(Box::new(e(ExprKind::Dice { count: 1, sides: 6, plus: 0 }))));
    let stmts = vec![
        s(StmtKind::Let(Local(7), typed(roll.clone(), number()))),
        do_(call("m/draw", vec![Some(typed(local(7), number())), None])),
        do_(call("m/deal", vec![Some(typed(roll, number())), Some(this()), None])),
    ];
    assert_eq!(effect(vec![], stmts), "Roll a d6. Draw that many cards. Deal d6 damage to this unit.");
}

#[test]
fn others_may_too() {
    let life = e(ExprKind::Cost { amount: Box::new(int(1)), resource: "m/Player.Life".into() });
    let pay = s(StmtKind::Pay { who: opponent(), cost: life });
    let draw = do_(call("m/draw", vec![Some(int(2)), Some(opponent())]));
    let may = s(StmtKind::May { label: None, by: Some(opponent()), head: 1, body: block(vec![pay, draw]) });
    assert_eq!(effect(vec![], vec![may]), "Your opponent may pay 1 Life to draw 2 cards.");
}

#[test]
fn parts_have_titles_and_costs() {
    let mut one = card("m/Lord", "m/Unit");
    one.keywords = vec![("m/Fast".into(), 0), ("m/Shield".into(), 2)];
    let mut ability = card("m/Lord.Drain", "m/Ability");
    ability.title = "Dark Drain".into();
    ability.once = Some("m/game".into());
    let life = e(ExprKind::Cost { amount: Box::new(int(2)), resource: "m/Player.Life".into() });
    ability.values = vec![
        ("m/Ability.cost".into(), CardValue::Value(typed(life, Ty::Cost))),
        (
            "m/Ability.effect".into(),
            CardValue::Effect { params: vec![], body: block(vec![do_(call("m/draw", vec![Some(int(1)), Some(e(ExprKind::You))]))]) },
        ),
    ];
    one.parts = vec![ability, card("m/Lord.Axe", "m/Weapon")];
    let blocks = card_text(&one, &Says);
    assert_eq!(plain(&blocks), "Fast, Shield 2.\nDark Drain (Cost: 2 Life, Once per game): Draw 1 card.");
    assert!(blocks[0].sentences.iter().any(|run| run.bold && run.text == "Shield 2"));
}

#[test]
fn an_author_may_say_it() {
    let inner = s(StmtKind::If { arms: vec![(yes(), block(vec![do_(call("m/draw", vec![Some(int(1)), None]))]))], otherwise: None });
    let outer = s(StmtKind::If { arms: vec![(yes(), block(vec![inner]))], otherwise: None });
    let mut one = card("m/Odd", "m/Unit");
    one.values = vec![("m/Unit.effect".into(), CardValue::Effect { params: vec![], body: block(vec![outer]) })];
    one.says = Some("something odd happens".into());
    let blocks = card_text(&one, &Says);
    assert_eq!(plain(&blocks), "Something odd happens.");
    assert_ne!(plain(&generated_text(&one, &Says)), plain(&blocks));
}

#[test]
fn sets_of_parameters_are_named() {
    let mut one = card("m/Charge", "m/Tactic");
    let them = typed(local(0), Ty::Set(Box::new(unit())));
    let gives = Gives { mods: vec![modifier("m/Unit.power", ModOp::Add, int(1))], ..Gives::default() };
    let grant = Grant {
        targets: them,
        gives,
        lasts: vec![Lasts::Until { at_end: true, next: false, scope: "m/round".into(), of: None }],
        captures: Vec::new(),
    };
    let hit = do_(each("m/deal", vec![Some(int(2)), Some(typed(local(0), Ty::Set(Box::new(unit())))), None], 1));
    one.values = vec![(
        "m/Tactic.effect".into(),
        CardValue::Effect { params: vec![Local(0)], body: block(vec![s(StmtKind::Grant(Box::new(grant))), hit]) },
    )];
    assert_eq!(
        plain(&card_text(&one, &Says)),
        "Until the end of the round, the activated units have +1 Power. Deal 2 damage to each of the activated units."
    );
}

#[test]
fn keywords_remind() {
    let rules = vec![handler_of(
        When::After,
        "m/deal",
        vec![("source", this())],
        None,
        vec![do_(call("m/destroy", vec![Some(typed(ev("target"), unit())), Some(this())]))],
    )];
    let keyword = Keyword {
        key: "m/Venom".into(),
        name: "Venom".into(),
        numbered: false,
        on: Some("m/Unit".into()),
        on_part: false,
        rules,
        state: vec![],
        says: None,
    };
    let block = keyword_text(&keyword, &Says);
    assert_eq!(plain(&[block]), "Venom: After this unit deals damage to a unit, this unit destroys that unit.");
}
