//! Each construct of the language, and what it is read as.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_grammar::ast::*;
use banneret_grammar::parse_item;

fn item(text: &str) -> ItemKind {
    let parsed = parse_item(text);
    assert_eq!(parsed.errors, [], "{text}");
    parsed.item.kind
}

fn line(text: &str) -> Line {
    let ItemKind::Action(action) = item(&format!("action a {{\n  {text}\n}}")) else { panic!("{text}") };
    assert_eq!(action.block.lines.len(), 1, "{text}: {:?}", action.block.lines);
    action.block.lines.into_iter().next().expect("a line")
}

/// An expression with its grouping made visible.
fn expr(text: &str) -> String {
    let ItemKind::Define(define) = item(&format!("define a = {text}")) else { panic!("{text}") };
    show(&define.value)
}

fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => number(n),
        ExprKind::Str(s) => format!("{:?}", s.text),
        ExprKind::Name(n) => n.to_string(),
        ExprKind::Field { base, name } => format!("{}.{}", show(base), name.text),
        ExprKind::Call { name, args } => format!("{}({})", name.text, all(args)),
        ExprKind::Run { head, arg } => format!("<{} {}>", show(head), show(arg)),
        ExprKind::Sentence { of, preps } => {
            format!("[{}{}]", show(of), preps.iter().map(|(p, e)| format!(" {} {}", p.text, show(e))).collect::<String>())
        }
        ExprKind::Of { what, of } => format!("({} of {})", show(what), show(of)),
        ExprKind::Within { what, length, of } => {
            format!("({} within {} of {})", show(what), show(length), show(of))
        }
        ExprKind::Where { what, cond } => format!("({} where {})", show(what), show(cond)),
        ExprKind::Binary { op, left, right, .. } => format!("({op:?} {} {})", show(left), show(right)),
        ExprKind::Rounded { of, how } => format!("{}~{}", show(of), how.text),
        ExprKind::Not(e) => format!("!{}", show(e)),
        ExprKind::Neg(e) => format!("-{}", show(e)),
        ExprKind::Range { low, high } => {
            format!("{}..{}", low.as_deref().map_or(String::new(), show), high.as_deref().map_or(String::new(), show))
        }
        ExprKind::List(l) => {
            let entries: Vec<String> =
                l.iter().map(|e| format!("{}{}", e.label.as_ref().map_or(String::new(), |l| show(l) + ": "), show(&e.value))).collect();
            format!("[{}]", entries.join(", "))
        }
        ExprKind::Paren(l) => format!("({})", all(l)),
        ExprKind::If { arms, otherwise } => {
            let arms: Vec<String> = arms.iter().map(|(c, e)| format!("{}? {}", show(c), show(e))).collect();
            format!("if {} : {}", arms.join(" : "), otherwise.as_deref().map_or(String::new(), show))
        }
        ExprKind::Table { subject, rows } => format!("table {} {}", subject.as_deref().map_or(String::new(), show), rows.len()),
        ExprKind::Past { patterns, scope, .. } => format!("past({}) {}", patterns[0].verb.text, scope.as_ref().map_or("", |s| &s.text)),
        ExprKind::Broken => "?".into(),
    }
}

fn all(list: &[Expr]) -> String {
    list.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn number(n: &Number) -> String {
    match n {
        Number::Int(n) => n.to_string(),
        Number::Target(n) => format!("{n}+"),
        Number::Dice(d) => format!("{}d{}{:+}", d.count, d.sides, d.plus),
        Number::Pair(a, b) => format!("{}/{}", number(a), number(b)),
        Number::Length { thousandths, sign } => format!("{}{sign}", thousandths / 1000),
        Number::Percent(n) => format!("{n}%"),
        other => format!("{other:?}"),
    }
}

#[test]
fn levels_of_expressions() {
    for (text, shape) in [
        ("a or b and c", "(Or a (And b c))"),
        ("not a and b", "(And !a b)"),
        ("a == b and c != d", "(And (Eq a b) (Ne c d))"),
        ("a + b * c - d", "(Sub (Add a (Mul b c)) d)"),
        ("a / b rounded down + 1", "(Add (Div a b)~down 1)"),
        ("a mod 2 == 0", "(Eq (Mod a 2) 0)"),
        ("-1", "-1"),
        ("-a", "-a"),
        ("a - -1", "(Sub a -1)"),
        ("roll d6 + bonus", "<roll (Add 1d6+0 bonus)>"),
        ("damaged enemy units", "<damaged <enemy units>>"),
        ("units touching u", "<units <touching u>>"),
        ("2 runs", "<2 runs>"),
        ("units of p", "(units of p)"),
        ("50% of n + 1", "(Add (50% of n) 1)"),
        ("enemy units within 6\" of this", "<enemy (units within 6\" of this)>"),
        ("objectives within 1 run of f", "(objectives within <1 run> of f)"),
        ("units where wounded and x > 3", "(units where (And wounded (Gt x 3)))"),
        ("a is not Flying or b not in [x, y]", "(Or (IsNot a Flying) (NotIn b [x, y]))"),
        ("knack n by p and alive", "(And [<knack n> by p] alive)"),
        ("deal 3 to foe by this", "[<deal 3> to foe by this]"),
        ("deal 1 to units where wounded by this", "[<deal 1> to (units where wounded) by this]"),
        ("defend (roll d3) for u.formation", "[<defend (<roll 1d3+0>)> for u.formation]"),
        ("move x to (1, 2)", "[<move x> to (1, 2)]"),
        ("1..6", "1..6"),
        ("1..", "1.."),
        ("..4", "..4"),
        ("2+..6+", "2+..6+"),
        ("0..(a or 0)", "0..((Or a 0))"),
        ("0..caster.Affinity", "0..caster.Affinity"),
        ("printed(x).f", "printed(x).f"),
        ("[w: b.Axe, \"each\", x: 0]", "[w: b.Axe, \"each\", x: 0]"),
        ("if a { 1 } else if b { 2 } else { 3 }", "if a? 1 : b? 2 : 3"),
        ("table x { 1 -> a; 2..5 -> b; else -> c }", "table x 3"),
        ("table {\n  a > 1 -> 2\n  else -> 3\n}", "table  2"),
        ("any past(burn by p) this turn", "<any past(burn) turn>"),
        ("d6 * (a + 1)", "(Mul 1d6+0 ((Add a 1)))"),
        ("3d3/3", "3d3+0/3"),
        ("a\n  and b\n  // note\n  or c", "(Or (And a b) c)"),
        ("max(\n  a,\n  b // note (\n)", "max(a, b)"),
        ("größe + 1", "(Add größe 1)"),
    ] {
        assert_eq!(expr(text), shape, "{text}");
    }
}

#[test]
fn modifiers_and_assignments() {
    let Line::Modifier { negative: false, value, .. } = line("damage +1/+1") else { panic!() };
    assert_eq!(show(&value), "1/1");
    let Line::Modifier { negative: true, value, .. } = line("move -1s") else { panic!() };
    assert_eq!(show(&value), "-1s");
    let Line::Modifier { negative: true, value, .. } = line("damage -1/-1") else { panic!() };
    assert_eq!(show(&value), "-1/-1");
    let Line::Modifier { negative: false, value, .. } = line("x +(a - b)") else { panic!() };
    assert_eq!(show(&value), "((Sub a b))");
    let Line::Modifier { value, .. } = line("toughness +printed(this).toughness") else { panic!() };
    assert_eq!(show(&value), "printed(this).toughness");
    assert!(matches!(line("raw * 2"), Line::Expr(_)));
    assert!(matches!(line("amount at least 1"), Line::Bound { least: true, .. }));
    assert!(matches!(line("x.f -= 2"), Line::Assign { op: AssignOp::Sub, .. }));
    assert!(matches!(line("worth = 1"), Line::Assign { op: AssignOp::Set, .. }));
}

#[test]
fn choices() {
    let Line::Choose(c) = line("choose f from your formations, each once per strike") else { panic!() };
    assert_eq!((&*c.name.text, c.each_once_per.expect("scope").text.as_ref()), ("f", "strike"));
    let Line::Choose(c) = line("choose up to 3 xs from s by opponent such that ok(xs)") else { panic!() };
    assert!(matches!(c.count, ChooseCount::UpTo(_)) && c.by.is_some() && c.such_that.is_some());
    assert!(matches!(line("choose 2 xs from s"), Line::Choose(Choose { count: ChooseCount::Exactly(_), .. })));
    assert!(matches!(line("choose any xs from s"), Line::Choose(Choose { count: ChooseCount::Any, .. })));
    let Line::Menu { by: Some(_), lines, .. } = line("choose by opponent { draw 2; pass\n \"label\" { pass } }") else { panic!() };
    assert!(matches!(lines[..], [MenuLine::Line(Line::Expr(_)), MenuLine::Line(Line::Pass { .. }), MenuLine::Labelled { .. }]));
    assert!(matches!(line("may \"take it\" by opponent { pass }"), Line::May { label: Some(_), by: Some(_), .. }));
}

#[test]
fn durations() {
    let duration = |text: &str| match line(&format!("grant u {{ a +1 }} {text}")) {
        Line::Grant { mut durations, .. } if durations.len() == 1 => durations.remove(0),
        other => panic!("{other:?}"),
    };
    assert!(matches!(duration("until end of round"), Duration::Until { at_end: true, next: false, of: None, .. }));
    assert!(matches!(duration("until start of your turn"), Duration::Until { at_end: false, of: Some(_), .. }));
    assert!(matches!(duration("\n  until end of next activation of foe"), Duration::Until { next: true, of: Some(_), .. }));
    assert!(matches!(duration("until destroy enemy units by this"), Duration::UntilEvent { .. }));
    assert!(matches!(duration("for 2 rounds"), Duration::Scopes { .. }));
    assert!(matches!(duration("for the game"), Duration::Game { .. }));
    assert!(matches!(duration("while x > 1"), Duration::While { .. }));
}

#[test]
fn handlers() {
    let handler = |text: &str| match item(text) {
        ItemKind::Rule(Line::Handler(h)) => h,
        other => panic!("{other:?}"),
    };
    let h = handler("before play or combat by this where x once per turn { pass }");
    assert_eq!((h.when, h.patterns.len(), h.cond.is_some(), h.once_per.is_some()), (When::Before, 2, true, true));
    let h = handler("after destroy enemy units by this { }");
    assert_eq!((show(h.patterns[0].first.as_ref().expect("first")), h.patterns[0].preps.len()), ("<enemy units>".into(), 1));
    let h = handler("at start of your turn { }");
    assert_eq!((h.when, &*h.patterns[0].verb.text, h.patterns[0].first.is_some()), (When::AtStart, "turn", true));
    assert_eq!(handler("at end of any event { }").patterns, []);
    assert_eq!(handler("instead of deal to this { proceed }").when, When::Instead);
    assert!(matches!(line("cannot choose this by opponent"), Line::Cannot { .. }));
}

#[test]
fn parts_fields_and_entries() {
    let ItemKind::Card(card) = item(
        "unit A \"The A\" of B from C template {\n  at: 3, target foe: enemy units\n  w Axe { } e { }\n  title \"x\"\n  1 R \"Rain\" { }; 2..5 S { }\n  c of D { }\n}",
    ) else {
        panic!()
    };
    assert!(card.title.is_some() && card.of.is_some() && card.from.is_some() && card.template.is_some());
    let lines = card.block.expect("block").lines;
    assert!(matches!(&lines[0], Line::Field { name, binds: None, .. } if &*name.text == "at"));
    assert!(matches!(&lines[1], Line::Field { binds: Some(b), .. } if &*b.text == "foe"));
    assert!(matches!(&lines[2], Line::Part(c) if c.name.is_some()));
    assert!(matches!(&lines[3], Line::Part(c) if c.name.is_none()));
    assert!(matches!(&lines[4], Line::Part(c) if c.title.is_some() && c.block.is_none()));
    assert!(matches!((&lines[5], &lines[6]), (Line::Entry { .. }, Line::Entry { .. })));
    assert!(matches!(&lines[7], Line::Part(c) if c.of.is_some()));
}

#[test]
fn kinds_and_types() {
    let text = "kind Unit (units) is card, piece rank 4 {\n  of f: Faction\n  /// how\n  /// hurt\n  state w: Int 0.. = 0\n  resource A: 0..x = max\n  p: pair of Target?\n  e: Effect(a: Unit, b)\n  t: table by d6 of Entry\n  o: a | b = a\n  parts: [W]\n  need x covers A-1, A-2\n}";
    let ItemKind::Kind(kind) = item(text) else { panic!() };
    assert_eq!((kind.is.len(), kind.fields.len(), kind.lines.len()), (2, 7, 2));
    assert_eq!(kind.fields[1].doc.as_deref(), Some("how hurt"));
    assert!(matches!(&kind.fields[2].ty.kind, TypeKind::Named { name, range: Some(_) } if name.text.is_empty()));
    assert!(matches!(&kind.fields[3].ty.kind, TypeKind::Of { of, .. } if of.optional));
    assert!(matches!(&kind.fields[4].ty.kind, TypeKind::Effect { params } if params.len() == 2));
    assert!(matches!(&kind.fields[5].ty.kind, TypeKind::Table { .. }));
    assert!(matches!(&kind.fields[6].ty.kind, TypeKind::OneOf(w) if w.len() == 2));
    assert!(matches!(&kind.lines[1], Line::Need { covers, .. } if covers.len() == 2));
}

#[test]
fn tests_of_the_language() {
    assert!(
        matches!(line("given A as a, 3 B as b by p at (1, 2), C"), Line::Given { things, .. } if things.len() == 3 && things[1].at.is_some())
    );
    let Line::Expect { what: Expect::Odds { of, is }, .. } = line("expect odds of w.x == 0 == 1/2") else { panic!() };
    assert_eq!((show(&of), show(&is)), ("(Eq w.x 0)".into(), "1/2".into()));
    assert!(matches!(line("expect illegal cast Bolt by s"), Line::Expect { what: Expect::Illegal(_), .. }));
    assert!(matches!(line("expect a == b"), Line::Expect { what: Expect::Cond(_), .. }));
    assert!(matches!(line("repeat until a { }"), Line::Repeat { times: RepeatKind::Until(_), .. }));
    assert!(matches!(line("alternate p starting q until all pass { }"), Line::Alternate { until_all_pass: true, .. }));
    assert!(matches!(line("table x { A { pass } else { } }"), Line::Table { rows, .. } if rows.len() == 2));
    assert!(matches!(line("if a { }\n  else if b { }\n  else { }"), Line::If { arms, otherwise: Some(_), .. } if arms.len() == 2));
}
