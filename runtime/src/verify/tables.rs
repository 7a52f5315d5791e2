//! The tables of a pack: every entry speaks of entries that exist, and conventions of parameters are kept.

use super::ids::{self, each};
use super::{Checked, Refused, need};
use crate::ids::*;
use crate::pack::*;

pub(super) fn check(pack: &Pack) -> Checked {
    sizes(pack)?;
    each(pack, pack.symbols.iter().flat_map(|s| [s.name, s.label]), ids::string)?;
    pack.consts.iter().try_for_each(|v| ids::value(pack, v))?;
    for (i, kind) in pack.kinds.iter().enumerate() {
        check_kind(pack, kind).map_err(|r| at("kind", i, r))?;
    }
    for (i, field) in pack.fields.iter().enumerate() {
        check_field(pack, field).map_err(|r| at("field", i, r))?;
    }
    for (i, card) in pack.cards.iter().enumerate() {
        check_card(pack, card).map_err(|r| at("card", i, r))?;
    }
    parts_end(pack)?;
    for keyword in &pack.keywords {
        ids::string(pack, keyword.name)?;
        ids::bundle(pack, keyword.bundle)?;
    }
    for (i, bundle) in pack.bundles.iter().enumerate() {
        ids::string(pack, bundle.name)?;
        bundle.rules.iter().try_for_each(|rule| check_rule(pack, rule, bundle.captures)).map_err(|r| at("bundle", i, r))?;
    }
    for (i, action) in pack.actions.iter().enumerate() {
        check_action(pack, action).map_err(|r| at("action", i, r))?;
    }
    for fact in &pack.facts {
        ids::string(pack, fact.name)?;
        term(pack, fact.default, fact.params)?;
    }
    for option in &pack.options {
        ids::string(pack, option.name)?;
        ids::value(pack, &option.value)?;
    }
    questions(pack)?;
    for (i, grant) in pack.grants.iter().enumerate() {
        check_grant(pack, grant).map_err(|r| at("grant", i, r))?;
    }
    for past in &pack.pasts {
        each(pack, past.actions.iter().copied().chain(past.scope), ids::action)?;
    }
    for site in &pack.sites {
        ids::string(pack, site.file)?;
        ids::string(pack, site.words)?;
    }
    for (name, sign) in &pack.lengths {
        ids::string(pack, *name)?;
        ids::string(pack, *sign)?;
    }
    trials(pack)?;
    each(pack, pack.hidden.iter().map(|hidden| hidden.field), ids::field)?;
    pack.hidden.iter().flat_map(|hidden| &hidden.values).try_for_each(|value| ids::value(pack, value))?;
    pack.goals.iter().try_for_each(|goal| term(pack, Some(*goal), 0))?;
    each(pack, pack.global_rules.iter().copied(), ids::bundle)?;
    each(pack, pack.player_kind.into_iter().chain(pack.scenario_kind), ids::kind)?;
    each(pack, pack.start, ids::action)
}

fn at(what: &str, i: usize, Refused(words): Refused) -> Refused {
    Refused(format!("{what} {i}: {words}"))
}

fn sizes(pack: &Pack) -> Checked {
    const MOST: usize = 4_000_000;
    let tables = [
        pack.strings.len(),
        pack.consts.len(),
        pack.kinds.len(),
        pack.fields.len(),
        pack.cards.len(),
        pack.bundles.len(),
        pack.actions.len(),
        pack.fragments.len(),
        pack.sites.len(),
    ];
    need(tables.iter().all(|n| *n <= MOST), || "a table of the pack is too long".to_owned())?;
    // Indexes are built for each pair of an action and a rule that speaks of any event.
    let rules: usize = pack.bundles.iter().map(|b| b.rules.len()).sum();
    need(rules.saturating_mul(pack.actions.len().max(1)) <= 200_000_000, || "too many rules for so many actions".to_owned())
}

/// A pure fragment that takes at most this many parameters.
fn term(pack: &Pack, frag: Option<FragId>, given: u16) -> Checked {
    let Some(frag) = frag else { return Ok(()) };
    ids::fragment(pack, frag)?;
    let fragment = &pack.fragments[frag.index()];
    need(fragment.pure, || format!("fragment {} must be a term, but it may act", frag.0))?;
    need(fragment.params <= given, || format!("fragment {} takes {} parameters, but gets {given}", frag.0, fragment.params))
}

fn code(pack: &Pack, frag: FragId, given: u16) -> Checked {
    ids::fragment(pack, frag)?;
    let params = pack.fragments[frag.index()].params;
    need(params <= given, || format!("fragment {} takes {params} parameters, but gets {given}", frag.0))
}

fn check_kind(pack: &Pack, kind: &Kind) -> Checked {
    ids::string(pack, kind.name)?;
    each(pack, kind.is.iter().copied(), ids::kind)?;
    each(pack, kind.fields.iter().copied().chain(kind.base).chain(kind.corners).chain(kind.facing).chain(kind.links), ids::field)?;
    each(pack, kind.bundles.iter().copied(), ids::bundle)
}

fn check_field(pack: &Pack, field: &Field) -> Checked {
    ids::string(pack, field.name)?;
    ids::notation(pack, field.shows)?;
    [field.default, field.low, field.high].into_iter().try_for_each(|f| term(pack, f, 1))
}

fn check_card(pack: &Pack, card: &Card) -> Checked {
    each(pack, [card.name, card.title, card.text], ids::string)?;
    ids::kind(pack, card.kind)?;
    for (field, value) in &card.values {
        ids::field(pack, *field)?;
        ids::value(pack, value)?;
    }
    each(pack, card.keywords.iter().map(|(k, _)| *k), ids::keyword)?;
    each(pack, card.bundles.iter().copied(), ids::bundle)?;
    let rows = card.rows.iter().map(|(_, _, row)| *row);
    each(pack, card.parts.iter().copied().chain(card.holder).chain(rows), ids::card)?;
    each(pack, card.once, ids::action)?;
    ids::site(pack, card.site)
}

/// Cards inside cards come to an end.
fn parts_end(pack: &Pack) -> Checked {
    // 0: not seen, 1: being walked, 2: fine.
    let mut state = vec![0u8; pack.cards.len()];
    for start in 0..pack.cards.len() {
        if state[start] != 0 {
            continue;
        }
        let inside = |card: usize| -> Vec<usize> {
            let card = &pack.cards[card];
            card.parts.iter().copied().chain(card.rows.iter().map(|(_, _, row)| *row)).map(|c| c.index()).collect()
        };
        let mut path = vec![(start, inside(start))];
        state[start] = 1;
        while let Some((card, todo)) = path.last_mut() {
            match todo.pop() {
                None => {
                    state[*card] = 2;
                    path.pop();
                }
                Some(next) if state[next] == 1 => {
                    return super::refuse(format!("card {next} is a part of itself"));
                }
                Some(next) if state[next] == 0 => {
                    state[next] = 1;
                    path.push((next, inside(next)));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// `more` values were captured when the rules were put in force; they come after the other parameters.
fn check_rule(pack: &Pack, rule: &Rule, more: u16) -> Checked {
    let (two, three) = (more.saturating_add(2), more.saturating_add(3));
    match rule {
        Rule::Handler { actions, guard, body, once, site, .. } => {
            each(pack, actions.iter().copied().chain(*once), ids::action)?;
            term(pack, *guard, two)?;
            code(pack, *body, two)?;
            ids::site(pack, *site)
        }
        Rule::Grant { who, kind, cond, mods, keywords, bundles, rules, site } => {
            ids::kind(pack, *kind)?;
            term(pack, *who, three)?;
            term(pack, *cond, three)?;
            for one in mods {
                ids::field(pack, one.field)?;
                term(pack, Some(one.value), three)?;
            }
            for (keyword, number) in keywords {
                ids::keyword(pack, *keyword)?;
                term(pack, *number, three)?;
            }
            each(pack, bundles.iter().copied(), ids::bundle)?;
            rules.iter().try_for_each(|frag| term(pack, Some(*frag), three))?;
            ids::site(pack, *site)
        }
        Rule::Cannot { actions, choose, must: _, guard, site } => {
            each(pack, actions.iter().copied(), ids::action)?;
            term(pack, *guard, if *choose { three.saturating_add(1) } else { two })?;
            ids::site(pack, *site)
        }
    }
}

fn check_phrase(pack: &Pack, action: &Action, piece: Phrase) -> Checked {
    let field = |at: u16| need(usize::from(at) < action.fields.len(), || "the words of an action speak of a field it has not".to_owned());
    match piece {
        Phrase::Text(text) => ids::string(pack, text),
        Phrase::Field(at) => field(at),
        Phrase::Plural(at, one, many) => {
            field(at)?;
            each(pack, [one, many], ids::string)
        }
    }
}

fn check_action(pack: &Pack, action: &Action) -> Checked {
    ids::string(pack, action.name)?;
    each(pack, action.fields.iter().copied(), ids::string)?;
    each(pack, action.shows.iter().copied(), ids::notation)?;
    action.says.iter().chain(&action.told).try_for_each(|piece| check_phrase(pack, action, *piece))?;
    need(action.params as usize <= action.fields.len(), || "an action has more parameters than fields".to_owned())?;
    need(action.by.is_none_or(|by| by < action.params), || "`by` is not one of its parameters".to_owned())?;
    each(pack, action.once, ids::action)?;
    if let Some(body) = action.body {
        code(pack, body, 0)?;
    }
    if let Some(log) = &action.log {
        need(log.fields.iter().all(|f| (*f as usize) < action.fields.len()), || "the history asks for a field it has not".to_owned())?;
        each(pack, log.scopes.iter().flatten().copied(), ids::action)?;
    }
    ids::site(pack, action.site)
}

fn questions(pack: &Pack) -> Checked {
    for choose in &pack.chooses {
        ids::string(pack, choose.name)?;
        each(pack, choose.each_once, ids::action)?;
        term(pack, choose.keep, u16::MAX)?;
        term(pack, choose.such_that, u16::MAX)?;
        term(pack, choose.any_place, u16::MAX)?;
        ids::site(pack, choose.site)?;
    }
    for menu in &pack.menus {
        each(pack, menu.labels.iter().copied(), ids::string)?;
        ids::site(pack, menu.site)?;
    }
    Ok(())
}

fn check_grant(pack: &Pack, grant: &Grant) -> Checked {
    each(pack, grant.mods.iter().map(|(f, _)| *f), ids::field)?;
    each(pack, grant.keywords.iter().map(|(k, _)| *k), ids::keyword)?;
    each(pack, grant.bundles.iter().copied(), ids::bundle)?;
    let registers = grant.mods.len() + grant.keywords.len() + grant.rules as usize + grant.captures as usize + grant.lasts.len();
    need(registers < u16::MAX as usize, || "a grant gives too much".to_owned())?;
    for lasts in &grant.lasts {
        match *lasts {
            Lasts::Until { scope, .. } | Lasts::Scopes { scope } => ids::action(pack, scope)?,
            Lasts::Event { action, guard } => {
                ids::action(pack, action)?;
                term(pack, guard, grant.captures.saturating_add(2))?;
            }
            Lasts::While { cond } => term(pack, Some(cond), grant.captures.saturating_add(3))?,
        }
    }
    ids::site(pack, grant.site)
}

fn trials(pack: &Pack) -> Checked {
    for limit in &pack.limits {
        ids::string(pack, limit.words)?;
        each(pack, limit.covers.iter().copied(), ids::string)?;
        ids::kind(pack, limit.kind)?;
        code(pack, limit.body, 1)?;
        ids::site(pack, limit.site)?;
    }
    for test in &pack.tests {
        ids::string(pack, test.words)?;
        each(pack, test.covers.iter().copied(), ids::string)?;
        code(pack, test.body, 0)?;
        for (option, value) in &test.with {
            ids::option(pack, *option)?;
            ids::value(pack, value)?;
        }
        for measure in &test.measures {
            ids::site(pack, measure.site)?;
            match &measure.expect {
                Expected::Odds(v) | Expected::Mean(v) => ids::value(pack, v)?,
                Expected::Spread(points) => points.iter().try_for_each(|(v, c)| ids::value(pack, v).and(ids::value(pack, c)))?,
            }
        }
        ids::site(pack, test.site)?;
    }
    Ok(())
}
