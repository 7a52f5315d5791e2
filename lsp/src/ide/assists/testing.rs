//! What takes a game or a check to work out: it is offered by what stands at a place and worked out when it is chosen. Here are tests that are written for
//! somebody and numbers in them that are measured.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::{Item, parse};
use banneret_compiler::measure::run;
use banneret_compiler::names::short;
use banneret_grammar::ast::{BinaryOp, Block, Expect, ExprKind, ItemKind, Line};
use banneret_grammar::parse_item;
use banneret_grammar::span::Span;
use serde::{Deserialize, Serialize};

use super::super::references::Renaming;
use super::super::tried::Tried;
use super::super::words;
use super::super::{Ide, odds};
use super::{behind, keywords, says, templates};

/// Something that is worked out when it is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Later {
    /// A test of what stands here.
    WriteTest,
    /// The number that comes out, instead of the one that is expected.
    Accept,
    /// A keyword of the rules of a part.
    Extract,
    /// The rules of a keyword in the card.
    Inline,
    /// A template of what a card says.
    Template,
    /// What a card builds on, in the card.
    Settle,
    /// Words by hand, as they are made now.
    Say,
    /// Words that are made from the rules.
    Unsay,
}

/// What is needed to work something out.
pub struct Around<'c> {
    /// The card that things are measured against.
    pub against: Option<&'c str>,
    /// A workspace to try edits in.
    pub tried: &'c mut dyn FnMut() -> Option<Tried>,
}

/// What could be worked out for a place, in words.
pub fn offered_later(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<(Later, String)> {
    let mut out = Vec::new();
    if let Some(words::At { meaning: Meaning::Key(key), .. }) = words::at(ide, file, offset)
        && odds::is_measured(ide, &key)
        && words::place(ide, &key).is_some_and(|(declared, _)| ide.universe.files(ide.db).contains(&declared))
    {
        out.push((Later::WriteTest, format!("Write a test of `{}`", words::name_of(&key))));
    }
    if let Some((item, line)) = expectation(ide, file, offset) {
        let text = line.of(item.text(ide.db));
        out.push((Later::Accept, format!("Expect what comes out, instead of `{text}`")));
    }
    if let Some((.., name)) = keywords::of_rules(ide, file, offset) {
        out.push((Later::Extract, format!("Make a keyword of `{}`", name.text)));
    }
    if let Some(key) = keywords::in_list(ide, file, offset) {
        out.push((Later::Inline, format!("Write the rules of `{}` into the card", words::name_of(&key))));
    }
    if let Some((_, name)) = templates::of_card(ide, file, offset) {
        out.push((Later::Template, format!("Make a template of `{name}`")));
    }
    if let Some((_, base)) = templates::base_at(ide, file, offset) {
        out.push((Later::Settle, format!("Write what `{}` says into the card", short(&base.key))));
    }
    if let Some((_, part, says)) = says::part_at(ide, file, offset)
        && let Some(name) = &part.name
    {
        out.push(match says {
            Some(_) => (Later::Unsay, format!("Let the words of `{}` be made from its rules", name.text)),
            None => (Later::Say, format!("Write the words of `{}` by hand", name.text)),
        });
    }
    out
}

fn nothing() -> String {
    "There is nothing to be done here any more.".to_owned()
}

/// The first edits after which nothing is wrong that was right.
fn sound(ide: Ide<'_>, tried: &mut dyn FnMut() -> Option<Tried>, ways: Vec<Vec<Renaming>>) -> Result<Vec<Renaming>, String> {
    let mut why = nothing();
    for edits in ways {
        match tried().ok_or_else(nothing)?.spoiled(ide, &edits) {
            None => return Ok(edits),
            Some(wrong) => why = wrong.diagnostic.headline,
        }
    }
    Err(why)
}

/// The first edits after which a card is what it was.
fn same(
    ide: Ide<'_>,
    tried: &mut dyn FnMut() -> Option<Tried>,
    key: Option<String>,
    ways: Vec<Vec<Renaming>>,
) -> Result<Vec<Renaming>, String> {
    let (mut why, key) = (nothing(), key.ok_or_else(nothing)?);
    for edits in ways {
        match tried().ok_or_else(nothing)?.differs(ide, &edits, &key) {
            None => return Ok(edits),
            Some(wrong) => why = wrong,
        }
    }
    Err(why)
}

/// The edits that were offered for a place; or why there are none.
pub fn later(ide: Ide<'_>, file: SourceFile, offset: u32, what: Later, around: Around<'_>) -> Result<Vec<Renaming>, String> {
    match what {
        Later::Template => {
            let key = templates::of_card(ide, file, offset).map(|(key, _)| key);
            same(ide, around.tried, key, templates::extracted(ide, file, offset).into_iter().collect())
        }
        Later::Settle => {
            let key = templates::base_at(ide, file, offset).map(|(key, _)| key);
            same(ide, around.tried, key, templates::inlined(ide, file, offset))
        }
        Later::Extract => sound(ide, around.tried, keywords::extracted(ide, file, offset).into_iter().collect()),
        Later::Inline => sound(ide, around.tried, keywords::inlined(ide, file, offset)),
        Later::Unsay => sound(ide, around.tried, says::made(ide, file, offset).into_iter().collect()),
        Later::Say => {
            let why = "Its words cannot be written down as they are: something in them depends on the game.";
            says::by_hand(ide, file, offset, around.tried).ok_or_else(|| why.to_owned())
        }
        Later::WriteTest => {
            let Some(words::At { meaning: Meaning::Key(key), .. }) = words::at(ide, file, offset) else { return Err(nothing()) };
            let (item, test) = odds::test(ide, &key, around.against).ok_or_else(nothing)??;
            let test = accepted(ide, item, test)?;
            let edit = behind(ide, item.file(ide.db), item.start(ide.db), &test).ok_or_else(nothing)?;
            Ok(vec![edit])
        }
        Later::Accept => {
            let (item, number) = expectation(ide, file, offset).ok_or_else(nothing)?;
            // others may be wrong too: only this one is asked for
            let mut text = item.text(ide.db).to_string();
            let ItemKind::Test(test) = &parse(ide.db, item).item.kind else { return Err(nothing()) };
            let others = expects(&test.block).filter(|(whole, _)| number.start < whole.start || whole.end < number.end);
            for (whole, _) in others {
                text.replace_range(whole.start as usize..whole.end as usize, &" ".repeat((whole.end - whole.start) as usize));
            }
            let (_, failure) = run(ide.db, ide.universe, item, &text)?.ok_or_else(|| "It is as expected already.".to_owned())?;
            if failure.actual.is_empty() {
                return Err(failure.words);
            }
            text.replace_range(number.start as usize..number.end as usize, &failure.actual);
            if run(ide.db, ide.universe, item, &text)?.is_some() {
                return Err(format!("What comes out cannot be written here: {}.", failure.actual));
            }
            Ok(vec![(file, number.shifted(item.start(ide.db)), failure.actual)])
        }
    }
}

/// What a line of a test expects, at an offset: the number, in its item.
fn expectation<'a>(ide: Ide<'a>, file: SourceFile, offset: u32) -> Option<(Item<'a>, Span)> {
    let item = ide.item_at(file, offset)?;
    let ItemKind::Test(test) = &parse(ide.db, item).item.kind else { return None };
    let at = offset - item.start(ide.db);
    let found = expects(&test.block).find(|(whole, _)| whole.start <= at && at <= whole.end)?;
    Some((item, found.1?))
}

/// The lines that expect something: all of each, and its number.
fn expects(block: &Block) -> impl Iterator<Item = (Span, Option<Span>)> {
    block.lines.iter().filter_map(|line| match line {
        Line::Expect { what, span } => Some((
            *span,
            match what {
                Expect::Odds { is, .. } | Expect::Mean { is, .. } | Expect::Spread { is, .. } => Some(is.span),
                Expect::Cond(e) => match &e.kind {
                    ExprKind::Binary { op: BinaryOp::Eq, right, .. } => Some(right.span),
                    _ => None,
                },
                Expect::Illegal(_) | Expect::Refused { .. } => None,
            },
        )),
        _ => None,
    })
}

/// A test with the numbers that come out.
fn accepted(ide: Ide<'_>, beside: Item<'_>, mut test: String) -> Result<String, String> {
    loop {
        let Some((at, failure)) = run(ide.db, ide.universe, beside, &test)? else { return Ok(test) };
        let ItemKind::Test(read) = &parse_item(&test).item.kind else { return Err(failure.words) };
        let number = expects(&read.block).find(|(whole, _)| whole.start <= at.start && at.end <= whole.end).and_then(|(_, number)| number);
        match number {
            Some(number) if !failure.actual.is_empty() && number.of(&test) != failure.actual => {
                test.replace_range(number.start as usize..number.end as usize, &failure.actual);
            }
            _ => return Err(failure.words),
        }
    }
}
