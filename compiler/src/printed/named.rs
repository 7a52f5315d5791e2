//! What a card names and a player has to look up: keywords, and what the game does with members of enums.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::declared_faces;
use crate::api::is_test_file;
use crate::build::reachable_files;
use crate::db::{SourceFile, Universe};
use crate::elaborate::elaborate;
use crate::hir::{self, Card, Expr, ExprKind, Key, Name, Rule, RuleKind};
use crate::idle::{each_in_card, each_in_item};
use crate::items::{DeclKind, Item, rule_items};
use crate::lower::{Seen, in_rule};
use crate::signature::by_key;
use crate::words::{self, Lookup, TextBlock};

/// Something that words name and that is explained elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Keyword(Key),
    /// Key of the enum, name of the member.
    Member(Key, Name),
}

/// What is named, and with which number: none if it is a matter of play.
pub(super) type Mention = (Named, Option<i64>);

fn note(out: &mut Vec<Mention>, named: Named, number: Option<i64>) {
    match out.iter_mut().find(|(has, _)| *has == named) {
        // with two numbers the reminder speaks of X
        Some((_, known)) if *known != number => *known = None,
        Some(_) => {}
        None => out.push((named, number)),
    }
}

fn seen(seen: &Seen, out: &mut Vec<Mention>) {
    match seen {
        Seen::Gives(key, number) => {
            let number = number.and_then(|number| if let ExprKind::Int(n) = number.kind { Some(n) } else { None });
            note(out, Named::Keyword((*key).clone()), number);
        }
        Seen::Expr(Expr { kind: ExprKind::Keyword(key) | ExprKind::HasKeyword { keyword: key, .. }, .. }) => {
            note(out, Named::Keyword(key.clone()), None);
        }
        Seen::Expr(Expr { kind: ExprKind::Member(of, name), .. }) => note(out, Named::Member(of.clone(), name.clone()), None),
        _ => {}
    }
}

/// The keywords that a card has and the members it is marked with.
pub(super) fn had(card: &Card) -> Vec<Mention> {
    fn of(card: &Card, out: &mut Vec<Mention>) {
        card.keywords.iter().for_each(|(key, number)| note(out, Named::Keyword(key.clone()), Some(*number)));
        for (_, value) in &card.values {
            if let hir::CardValue::Value(value) = value {
                crate::lower::in_expr(value, &mut |one| seen(&one, out));
            }
        }
        card.parts.iter().for_each(|part| of(part, out));
        card.rows.iter().for_each(|(_, _, row)| of(row, out));
    }
    let mut out = Vec::new();
    of(card, &mut out);
    out
}

/// The same of what its rules speak of: what it hands out, and whom it asks for.
pub(super) fn spoken_of(card: &Card) -> Vec<Mention> {
    let mut out = Vec::new();
    each_in_card(card, &mut |one| seen(&one, &mut out));
    out
}

/// What an item that is no card hands out.
pub(super) fn handed_out(item: &hir::Item) -> Vec<Mention> {
    let mut out = Vec::new();
    each_in_item(item, &mut |one| {
        if matches!(one, Seen::Gives(..)) {
            seen(&one, &mut out);
        }
    });
    out
}

fn in_rules(rules: &[Rule]) -> Vec<Mention> {
    let mut out = Vec::new();
    rules.iter().for_each(|rule| in_rule(rule, &mut |one| seen(&one, &mut out)));
    out
}

/// Rules in the first column that say what it means to be of a member: "units with Shield among their types have …".
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(super) struct Trait<'db> {
    pub of: Key,
    pub member: Name,
    pub item: Item<'db>,
}

/// The member that a rule is about, if it is about one: a standing rule for all things that have it.
pub(crate) fn about(rule: &Rule) -> Option<(Key, Name)> {
    let RuleKind::Grant { who: Some(who), cond, .. } = &rule.kind else { return None };
    let mut found = FxHashSet::default();
    for expr in std::iter::once(&*who.body).chain(cond) {
        crate::lower::in_expr(expr, &mut |one| {
            if let Seen::Expr(Expr { kind: ExprKind::Member(of, name), .. }) = one {
                found.insert((of.clone(), name.clone()));
            }
        });
    }
    if found.len() == 1 { found.into_iter().next() } else { None }
}

#[salsa::tracked(returns(deref))]
pub(super) fn traits<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Vec<Trait<'db>> {
    let mut out: Vec<Trait> = Vec::new();
    for (_, item) in rules_alone(db, universe) {
        let hir::Item::Rules(rules) = &elaborate(db, universe, item).hir else { continue };
        for (of, member) in rules.iter().filter_map(about) {
            let found = Trait { of, member, item };
            if !out.contains(&found) {
                out.push(found);
            }
        }
    }
    out
}

/// Items of rules that belong to no card, with their files, in the order of files and places.
pub(super) fn rules_alone<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Vec<(SourceFile, Item<'db>)> {
    let mut out = Vec::new();
    for file in reachable_files(db, universe) {
        if is_test_file(file.path(db)) {
            continue;
        }
        // told by its first word: others need not be looked into
        let alone = |item: &&Item| {
            let first = item.header(db).split([' ', '{']).next().unwrap_or_default();
            ["grant", "before", "after", "instead", "at", "cannot"].contains(&first)
        };
        out.extend(rule_items(db, file).iter().filter(alone).map(|item| (file, *item)));
    }
    out
}

/// Does somebody read this rule on paper? The rules of the game itself stand in its rulebook; what they make of a member goes with the cards, and so
/// do rules that a project adds. Where no card is printed nothing is.
pub(crate) fn goes_on_paper<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, rule: &Rule) -> bool {
    !declared_faces(db, universe).is_empty() && (about(rule).is_some() || !super::check::is_home(db, universe, item))
}

/// What explains a name, with what that names in turn.
pub(super) fn explained<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    named: &Named,
    number: Option<i64>,
) -> Vec<(TextBlock, Item<'db>, Vec<Mention>)> {
    let lookup = Lookup { db, universe };
    match named {
        Named::Keyword(key) => {
            let Some(found) = by_key(db, universe, key, &[DeclKind::Keyword]) else { return Vec::new() };
            let hir::Item::Keyword(keyword) = &elaborate(db, universe, found.item).hir else { return Vec::new() };
            vec![(words::keyword_reminder(keyword, number, &lookup), found.item, in_rules(&keyword.rules))]
        }
        Named::Member(of, member) => {
            let title = words::member_name(of, member, &lookup);
            let of_item = |item: Item<'db>| {
                let hir::Item::Rules(rules) = &elaborate(db, universe, item).hir else { return None };
                let is_it = |rule: &&Rule| about(rule).is_some_and(|(has, name)| has == *of && name == *member);
                let rules: Vec<Rule> = rules.iter().filter(is_it).cloned().collect();
                let key = SmolStr::new(format!("{of}.{member}"));
                Some((words::rules_text(&key, Some(title.clone()), None, &rules, &lookup), item, in_rules(&rules)))
            };
            let here = traits(db, universe).iter().filter(|one| one.of == *of && one.member == *member);
            here.filter_map(|one| of_item(one.item)).collect()
        }
    }
}

/// Explanations of all that is named, and of what they name, each once.
pub(super) fn all_explained(
    db: &dyn salsa::Database,
    universe: Universe,
    named: Vec<Mention>,
    said: &mut Vec<Named>,
) -> Vec<(Named, TextBlock)> {
    let mut out = Vec::new();
    let mut todo = std::collections::VecDeque::from(named);
    while let Some((named, number)) = todo.pop_front() {
        if said.contains(&named) {
            continue;
        }
        said.push(named.clone());
        for (block, _, more) in explained(db, universe, &named, number) {
            if !block.sentences.is_empty() {
                out.push((named.clone(), block));
            }
            todo.extend(more);
        }
    }
    out
}
