//! Small right programs, made at random: a rule system, some cards of it, and a test.

use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub struct Program {
    fields: Vec<Field>,
    keywords: Vec<bool>,
    cards: Vec<Card>,
    actions: Vec<Vec<Statement>>,
    roster: Vec<(u8, u8)>,
    notes: Vec<bool>,
}

/// A field of the one kind of card.
#[derive(Clone, Debug)]
enum Field {
    Number { low: i64, default: Option<i64> },
    Target,
    Length,
    YesNo,
    Words,
}

#[derive(Clone, Debug)]
struct Card {
    values: [i64; 8],
    titled: bool,
    one_line: bool,
    keywords: Vec<u8>,
    rule: Option<i64>,
}

#[derive(Clone, Debug)]
enum Statement {
    Hurt(i64),
    Roll(i64),
    Each(i64),
    Table([i64; 3]),
    Grant(i64),
    Menu(i64),
}

pub fn program() -> impl Strategy<Value = Program> {
    (
        vec(field(), 1..6),
        vec(any::<bool>(), 1..4),
        vec(card(), 1..5),
        vec(vec(statement(), 1..5), 1..4),
        vec((0u8..8, 1u8..5), 1..5),
        vec(any::<bool>(), 24),
    )
        .prop_map(|(fields, keywords, cards, actions, roster, notes)| Program { fields, keywords, cards, actions, roster, notes })
}

fn field() -> impl Strategy<Value = Field> {
    prop_oneof![
        (0i64..4, proptest::option::of(4i64..9)).prop_map(|(low, default)| Field::Number { low, default }),
        Just(Field::Target),
        Just(Field::Length),
        Just(Field::YesNo),
        Just(Field::Words),
    ]
}

fn card() -> impl Strategy<Value = Card> {
    let values = proptest::array::uniform8(4i64..40);
    (values, any::<bool>(), any::<bool>(), vec(0u8..3, 0..3), proptest::option::of(1i64..4))
        .prop_map(|(values, titled, one_line, keywords, rule)| Card { values, titled, one_line, keywords, rule })
}

fn statement() -> impl Strategy<Value = Statement> {
    prop_oneof![
        (1i64..9).prop_map(Statement::Hurt),
        (1i64..6).prop_map(Statement::Roll),
        (1i64..9).prop_map(Statement::Each),
        [1i64..9, 1i64..9, 1i64..9].prop_map(Statement::Table),
        (1i64..4).prop_map(Statement::Grant),
        (1i64..4).prop_map(Statement::Menu),
    ]
}

impl Program {
    /// The program as text, laid out as the formatter would.
    pub fn source(&self) -> String {
        let mut out = Lines { text: String::new(), notes: self.notes.clone(), used: 0 };
        self.rules(&mut out);
        self.cards(&mut out);
        out.text
    }

    fn rules(&self, out: &mut Lines) {
        out.item(&[
            "ruleset made \"Made at random\" {",
            "  version: \"1.0\"",
            "  length inch as \"",
            "  option harsh: Bool = false",
            "  start: match",
            "}",
        ]);
        let mut kind = vec!["kind Piece (pieces) is card, piece {".to_string(), "  health: Int 1..".into()];
        for (i, field) in self.fields.iter().enumerate() {
            kind.push(format!("  f{i}: {}", field.ty()));
        }
        kind.extend(["  keywords: set of Keyword = []", "  state wounds: Int 0.. = 0", "}"].map(String::from));
        out.item(&kind);
        out.item(&["kind Side (sides) is player {", "  state score: Int 0.. = 0", "}"]);
        out.item(&["kind Band (bands) is card {", "  members: list of Piece", "}"]);
        out.item(&["define hurt on Piece = wounds > 0"]);
        out.item(&[
            "action harm(amount: Int) to target: Piece {",
            "  says \"deal {amount} damage to {target}\"",
            "  target.wounds += amount",
            "}",
        ]);
        for (i, numbered) in self.keywords.iter().enumerate() {
            if *numbered {
                out.item(&[
                    format!("keyword K{i}(x) on Piece {{"),
                    format!("  says \"K{i} {{x}}\""),
                    "  before harm to this { amount -x }".into(),
                    "}".into(),
                ]);
            } else {
                out.item(&[
                    format!("keyword K{i} on Piece {{"),
                    format!("  says \"K{i}\""),
                    "  after harm to this where amount > 3 { this.wounds -= 1 }".into(),
                    "}".into(),
                ]);
            }
        }
        let mut calls = vec!["phase match {".to_string(), "  for q in pieces { harm 1 to q }".into()];
        for (i, statements) in self.actions.iter().enumerate() {
            let mut action = vec![format!("action deed{i}(target: Piece) by p: Side {{"), format!("  says \"do deed {i} to {{target}}\"")];
            action.extend(statements.iter().flat_map(Statement::lines));
            action.push("}".into());
            out.item(&action);
            calls.push(format!("  for q in pieces {{ deed{i} q by first(players) }}"));
        }
        calls.push("}".into());
        out.item(&calls);
        out.item(&["limit \"a band is small\" on Band {", "  need count(members) <= 40 blame members \"too many\"", "}"]);
    }

    fn cards(&self, out: &mut Lines) {
        for (i, card) in self.cards.iter().enumerate() {
            let title = if card.titled { format!(" \"Card {i}\"") } else { String::new() };
            let mut values = vec![format!("health: {}", card.values[7])];
            values.extend(self.fields.iter().enumerate().map(|(n, f)| format!("f{n}: {}", f.value(card.values[n]))));
            let mut keywords: Vec<u8> = card.keywords.iter().map(|k| k % self.keywords.len() as u8).collect();
            keywords.sort_unstable();
            keywords.dedup();
            let numbered = |k: u8| self.keywords.get(usize::from(k)) == Some(&true);
            let shown: Vec<String> =
                keywords.iter().map(|k| if numbered(*k) { format!("K{k} {}", card.values[0]) } else { format!("K{k}") }).collect();
            values.push(format!("keywords: [{}]", shown.join(", ")));
            if card.one_line {
                out.item(&[format!("piece C{i}{title} {{ {} }}", values.join(", "))]);
                continue;
            }
            let mut lines = vec![format!("piece C{i}{title} {{")];
            lines.extend(values.iter().map(|v| format!("  {v}")));
            if let Some(n) = card.rule {
                lines.push(format!("  after harm to this where amount > {n} {{ this.wounds -= {n} }}"));
            }
            lines.push("}".into());
            out.item(&lines);
        }
        let count = self.cards.len() as u8;
        let members: Vec<String> = self.roster.iter().map(|(card, n)| format!("{n} C{}", card % count)).collect();
        out.item(&["band Troop {".to_string(), format!("  members: [{}]", members.join(", ")), "}".into()]);
        out.item(&["test \"harm adds up\" {", "  given C0 as a", "  a.wounds = 2", "  expect a is hurt and you.score == 0", "}"]);
    }
}

impl Field {
    fn ty(&self) -> String {
        match self {
            Field::Number { low, default: None } => format!("Int {low}.."),
            Field::Number { low, default: Some(d) } => format!("Int {low}.. = {d}"),
            Field::Target => "Target 2+..6+".into(),
            Field::Length => "Length 0\"..".into(),
            Field::YesNo => "Bool = false".into(),
            Field::Words => "Text = \"none\"".into(),
        }
    }

    fn value(&self, n: i64) -> String {
        match self {
            Field::Number { .. } => n.to_string(),
            Field::Target => format!("{}+", 2 + n % 5),
            Field::Length => format!("{n}\""),
            Field::YesNo => if n % 2 == 0 { "true" } else { "false" }.into(),
            Field::Words => format!("\"word {n}\""),
        }
    }
}

impl Statement {
    fn lines(&self) -> Vec<String> {
        let lines: Vec<String> = match self {
            Statement::Hurt(n) => vec![format!("harm {n} to target")],
            Statement::Roll(n) => vec![format!("if (roll d6) > {n} {{ harm 1 to target }} else {{ harm 2 to target }}")],
            Statement::Each(n) => vec!["for other in pieces where it != target {".into(), format!("  harm {n} to other"), "}".into()],
            Statement::Table([a, b, c]) => vec![
                "table roll d6 {".into(),
                format!("  1 {{ harm {a} to target }}"),
                format!("  2..5 {{ harm {b} to target }}"),
                format!("  6 {{ harm {c} to target }}"),
                "}".into(),
            ],
            Statement::Grant(n) => vec![format!("grant [target] {{ health +{n} }} until end of match")],
            Statement::Menu(n) => {
                vec!["choose {".into(), format!("  \"harm\" {{ harm {n} to target }}"), "  \"spare\" { p.score += 1 }".into(), "}".into()]
            }
        };
        lines.into_iter().map(|l| format!("  {l}")).collect()
    }
}

/// Items below each other, some with a comment above them.
struct Lines {
    text: String,
    notes: Vec<bool>,
    used: usize,
}

impl Lines {
    fn item<S: AsRef<str>>(&mut self, lines: &[S]) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let noted = self.notes.get(self.used % self.notes.len().max(1)) == Some(&true);
        if noted {
            self.text.push_str(&format!("/// Note {}.\n", self.used));
        }
        self.used += 1;
        for line in lines {
            self.text.push_str(line.as_ref());
            self.text.push('\n');
        }
    }
}
