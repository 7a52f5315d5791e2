//! Values by the type that is wanted.

use banneret_compiler::elaborate::{Scene, outline};
use banneret_compiler::items::DeclKind;
use banneret_compiler::names::{ModuleName, short};
use banneret_compiler::signature::{kind_by_key, length_family};
use banneret_compiler::ty::{Range, Ty};
use banneret_grammar::ast::{FieldRole, ItemKind};
use smol_str::SmolStr;

use super::entry::{Entry, EntryKind};
use super::skeleton::bare;
use super::{Place, last_word, names};
use crate::ide::describe;

/// Words that pick from a set by whose they are.
const QUANTIFIERS: &[(&str, &str)] =
    &[("your", "those you control"), ("enemy", "those an opponent controls"), ("other", "all but this"), ("all", "all of them")];

/// Everything that could be a value of the wanted type, then everything else that could be meant.
pub(crate) fn of_type(place: &Place<'_>, want: Option<&Ty>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) {
    let optional = matches!(want, Some(Ty::Optional(_)));
    let want = want.map(bare);
    // on a card values are written out; its head names other cards
    let in_head = !place.line.starts_with([' ', '\t']) && !place.line.contains('{') && last_word(place.line) == "of";
    let on_card = scene.pure == Some("a card") || in_head;
    if after_quantifier(place, scene, tier, out) {
        return;
    }
    match want {
        Some(Ty::Enum(key)) => members(place, key, ("", ""), tier, out),
        Some(Ty::Set(inner) | Ty::List(inner)) => match bare(inner) {
            Ty::Enum(key) if on_card => members(place, key, ("[", "]"), tier, out),
            Ty::Keyword => keyword(place, scene, tier, out),
            Ty::Kind(key) if on_card && !is_choice(place) => names::cards(place, key, tier, out),
            _ => selectors(place, scene, tier, out),
        },
        Some(Ty::Keyword) => keyword(place, scene, tier, out),
        Some(Ty::Bool) if on_card => {
            for word in ["true", "false"] {
                out.push(Entry::new(word, EntryKind::Value, tier));
            }
            return;
        }
        Some(Ty::Target(range)) => targets(place, *range, tier, out),
        Some(Ty::Dice) => dice(place, tier, out),
        Some(Ty::Length(_)) => lengths(place, tier, out),
        Some(Ty::Cost) => costs(place, tier, out),
        Some(Ty::Text) => out.push(Entry::new("\"…\"", EntryKind::Value, tier).insert("\"$1\"")),
        Some(Ty::Picture) => {
            for picture in (place.pictures)() {
                out.push(Entry::new(format!("\"{picture}\""), EntryKind::File, tier));
            }
        }
        Some(Ty::Int(range)) if on_card && place.typed.is_empty() => {
            let low = range.low.unwrap_or(1);
            out.push(Entry::new(low.to_string(), EntryKind::Value, tier).detail("the least"));
        }
        Some(Ty::Kind(key)) if on_card || key.is_empty() => {
            return names::cards(place, key, tier, out);
        }
        Some(Ty::Percent) => out.push(Entry::new("50%", EntryKind::Value, tier)),
        _ => {}
    }
    if optional {
        out.push(Entry::new("none", EntryKind::Value, tier + 2).detail("nothing"));
    }
    // what a printed card says is written out, not read from elsewhere
    if on_card && !matches!(want, None | Some(Ty::Choice(_))) {
        return;
    }
    scope(place, want, scene, tier, out);
    everything(place, want, scene, tier, out);
}

/// Behind `your`, `other` and the like comes what they pick from, or one more such word.
fn after_quantifier(place: &Place<'_>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) -> bool {
    let word = last_word(place.line);
    let adjective = |found: &banneret_compiler::names::Found<'_>| found.kind == DeclKind::Define && found.of.is_some();
    let mut picks = QUANTIFIERS.iter().any(|(q, _)| *q == word) || matches!(word, "friendly" | "any" | "no" | "the");
    if !picks && !word.is_empty() {
        names::visible_names(place, |found, _| picks |= adjective(found) && short(&found.key) == word);
    }
    // a word that ends a sentence of its own, as in `wounded and`, is not followed directly
    if !picks || !place.line.ends_with(' ') {
        return false;
    }
    nouns(place, tier, out);
    for (name, ty) in scene.names.iter().filter(|(_, ty)| matches!(bare(ty), Ty::Set(_) | Ty::List(_))) {
        out.push(Entry::new(name.as_str(), EntryKind::Local, tier + 1).detail(describe::ty(ty)));
    }
    // whose they are is said once
    let said = matches!(word, "your" | "enemy" | "friendly");
    for (more, detail) in QUANTIFIERS.iter().filter(|(q, _)| *q != word && *q != "all" && (!said || *q == "other")) {
        out.push(Entry::new(*more, EntryKind::Word, tier + 1).detail(*detail));
    }
    names::visible_names(place, |found, far| {
        if adjective(found) {
            out.push(names::entry(place, found, tier + 1 + far.min(1)));
        } else if found.kind == DeclKind::Keyword {
            out.push(names::entry(place, found, tier + 3));
        }
    });
    true
}

/// A choice of things in play, as in `target foe: …`.
fn is_choice(place: &Place<'_>) -> bool {
    let before = place.line.trim_start();
    let head = before.split(':').next().unwrap_or("");
    before.contains(':') && head.split_whitespace().count() == 2 && !before.contains('[')
}

fn keyword(place: &Place<'_>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) {
    let on = match scene.part.as_ref().or(scene.this.as_ref()) {
        Some(Ty::Kind(k)) => Some(k),
        _ => None,
    };
    names::keywords(place, on, tier, out);
}

/// The members of an enum, in brackets where a list is wanted and none is begun. Those the list has already come last.
fn members(place: &Place<'_>, key: &SmolStr, (open, close): (&str, &str), tier: u32, out: &mut Vec<Entry>) {
    let listed = place.line.rsplit_once('[').map_or("", |(_, inside)| inside);
    for (name, label) in describe::members(place.ide, key) {
        let taken = listed.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == name);
        let entry = Entry::new(name.as_str(), EntryKind::Member, tier + u32::from(taken) * 5).insert(format!("{open}{name}{close}"));
        let detail = if **label == **name { short(key).to_owned() } else { format!("{} \u{201c}{label}\u{201d}", short(key)) };
        out.push(entry.detail(detail));
    }
}

/// `2+` … `6+`, or what was typed with its plus.
fn targets(place: &Place<'_>, range: Range, tier: u32, out: &mut Vec<Entry>) {
    let (low, high) = (range.low.unwrap_or(2), range.high.unwrap_or(6));
    // the middle is what most cards have
    let mut all: Vec<i64> = (low..=high.min(low + 20)).collect();
    let middle = (low + high) / 2;
    if place.typed.is_empty() {
        all.sort_by_key(|n| ((n - middle).abs(), *n));
    }
    for n in all {
        out.push(Entry::new(format!("{n}+"), EntryKind::Value, tier).insert(format!("{n}+")));
    }
}

fn dice(place: &Place<'_>, tier: u32, out: &mut Vec<Entry>) {
    let count: String = place.typed.chars().take_while(char::is_ascii_digit).collect();
    for sides in [6, 3, 8, 10, 12, 20, 4] {
        out.push(Entry::new(format!("{count}d{sides}"), EntryKind::Value, tier));
    }
    if count.is_empty() {
        for count in [2, 3] {
            out.push(Entry::new(format!("{count}d6"), EntryKind::Value, tier));
        }
    }
}

/// The signs lengths are written with here, the base first.
pub(crate) fn signs(place: &Place<'_>) -> Vec<SmolStr> {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let base = length_family(db, universe, ModuleName::new(db, place.module.clone()));
    let mut out: Vec<(bool, SmolStr)> = Vec::new();
    let mut rulesets = Vec::new();
    names::visible_names(place, |found, _| {
        if found.kind == DeclKind::Ruleset {
            rulesets.push(found.item);
        }
    });
    for item in rulesets {
        let ItemKind::Ruleset(r) = &banneret_compiler::items::parse(db, item).item.kind else { continue };
        for length in &r.lengths {
            let is_base = base.as_deref() == Some(&*length.name.text);
            out.extend(length.signs.iter().map(|s| (!is_base, SmolStr::new(&s.text))));
        }
    }
    out.sort_by_key(|(later, _)| *later);
    out.into_iter().map(|(_, sign)| sign).collect()
}

fn lengths(place: &Place<'_>, tier: u32, out: &mut Vec<Entry>) {
    let number: String = place.typed.chars().take_while(char::is_ascii_digit).collect();
    for sign in signs(place) {
        // words stand apart, signs do not
        let space = if sign.chars().count() > 2 { " " } else { "" };
        if number.is_empty() {
            for n in ["6", "1"] {
                let written = format!("{n}{space}{sign}");
                out.push(Entry::new(written.clone(), EntryKind::Value, tier).insert(format!("${{1:{n}}}{space}{sign}")));
            }
        } else {
            out.push(Entry::new(format!("{number}{space}{sign}"), EntryKind::Value, tier));
        }
    }
}

/// The resources there are, by name.
pub(crate) fn resources(place: &Place<'_>) -> Vec<SmolStr> {
    let mut out = Vec::new();
    names::visible_names(place, |found, _| {
        if found.kind == DeclKind::Resource {
            out.push(SmolStr::new(short(&found.key)));
        }
    });
    out
}

fn costs(place: &Place<'_>, tier: u32, out: &mut Vec<Entry>) {
    let number: String = place.typed.chars().take_while(char::is_ascii_digit).collect();
    let number = if number.is_empty() { "1".to_owned() } else { number };
    for resource in resources(place) {
        out.push(Entry::new(format!("{number} {resource}"), EntryKind::Value, tier));
    }
}

/// Sets of things in play: nouns, and words that pick from them.
fn selectors(place: &Place<'_>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) {
    for (name, ty) in &scene.names {
        if matches!(bare(ty), Ty::Set(_) | Ty::List(_)) {
            out.push(Entry::new(name.as_str(), EntryKind::Local, tier).detail(describe::ty(ty)));
        }
    }
    for (word, detail) in QUANTIFIERS {
        out.push(Entry::new(*word, EntryKind::Word, tier).insert(format!("{word} ${{1:units}}")).detail(*detail));
    }
    out.push(
        Entry::new("places", EntryKind::Word, tier + 1).insert("places within ${1:length} of ${2:this}").detail("places on the table"),
    );
    nouns(place, tier, out);
}

fn nouns(place: &Place<'_>, tier: u32, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    names::visible_names(place, |found, far| {
        if found.kind == DeclKind::Noun {
            let info = banneret_compiler::signature::kind_info(db, universe, found.item);
            // what stands on the table is spoken of most
            let later = u32::from(!info.roles.piece) + u32::from(info.roles.part);
            out.push(names::entry(place, found, tier + far + later));
        }
    });
}

pub(crate) fn is_player(place: &Place<'_>, ty: &Ty) -> bool {
    matches!(bare(ty), Ty::Kind(k) if kind_by_key(place.ide.db, place.ide.universe, k).is_some_and(|k| k.roles.player))
}

/// Whether a value of one type can stand for one of another.
fn agrees(place: &Place<'_>, have: &Ty, want: Option<&Ty>) -> bool {
    let Some(want) = want else { return true };
    match (bare(have), want) {
        (Ty::Kind(k), Ty::Kind(w)) => w.is_empty() || kind_by_key(place.ide.db, place.ide.universe, k).is_some_and(|k| k.is_a(w)),
        (Ty::Kind(_), Ty::Thing) | (Ty::Int(_), Ty::Int(_) | Ty::Fraction) | (Ty::Rolled(_), Ty::Int(_)) => true,
        (Ty::Target(_), Ty::Target(_)) | (Ty::Length(_), Ty::Length(_)) => true,
        (Ty::Set(a) | Ty::List(a), Ty::Set(b) | Ty::List(b)) => agrees(place, a, Some(bare(b))),
        // several where one is wanted: it happens for each
        (Ty::Set(a) | Ty::List(a), b @ Ty::Kind(_)) => agrees(place, a, Some(b)),
        (a, b) => a == b,
    }
}

/// Names of this place: those that fit first.
pub(crate) fn scope(place: &Place<'_>, want: Option<&Ty>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) {
    // a condition about an event begins with any of its names
    let condition = matches!(last_word(place.line), "where" | "and" | "or");
    let ranked = |ty: &Ty| if agrees(place, ty, want) || condition { tier } else { tier + 4 };
    for (name, ty) in &scene.names {
        out.push(Entry::new(name.as_str(), EntryKind::Local, ranked(ty)).detail(describe::ty(ty)));
    }
    if let Some(it) = scene.its.last() {
        out.push(Entry::new("it", EntryKind::Local, ranked(it) + 1).detail(describe::ty(it)));
        fields(place, it, want, tier, out);
    }
    if let Some(this) = &scene.this {
        out.push(Entry::new("this", EntryKind::Word, ranked(this)).detail(describe::ty(this)));
        if scene.its.is_empty() {
            fields(place, this, want, tier + 1, out);
        }
    }
    if let Some(part) = &scene.part {
        out.push(Entry::new("part", EntryKind::Word, ranked(part) + 1).detail(describe::ty(part)));
    }
    let player = want.is_some_and(|w| is_player(place, w));
    for word in ["you", "opponent"] {
        out.push(Entry::new(word, EntryKind::Word, if player { tier } else { tier + 4 }).detail("a player"));
    }
    out.push(Entry::new("players", EntryKind::Word, tier + 5).detail("all players"));
}

fn fields(place: &Place<'_>, of: &Ty, want: Option<&Ty>, tier: u32, out: &mut Vec<Entry>) {
    let Ty::Kind(key) = bare(of) else { return };
    let Some(info) = kind_by_key(place.ide.db, place.ide.universe, key) else { return };
    for f in info.fields.iter().filter(|f| f.role != FieldRole::Of) {
        let fits = agrees(place, &f.ty, want);
        // a condition is made of any field
        let step = if fits && want.is_some() {
            0
        } else if matches!(want, None | Some(Ty::Bool)) {
            1
        } else {
            4
        };
        let entry = Entry::new(f.name.as_str(), EntryKind::Field, tier + step);
        out.push(entry.detail(describe::field_type(place.ide, f)).doc(f.doc.as_deref()));
    }
}

/// Everything else that has a name.
fn everything(place: &Place<'_>, want: Option<&Ty>, scene: &Scene, tier: u32, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let things = matches!(want, None | Some(Ty::Kind(_) | Ty::Thing | Ty::Set(_) | Ty::List(_) | Ty::Choice(_)));
    let one = matches!(want, Some(Ty::Kind(_) | Ty::Thing));
    if things && !scene.statement {
        selectors(place, scene, if one { tier + 2 } else { tier + 1 }, out);
    }
    if want == Some(&Ty::Bool) {
        for word in ["not", "any", "no"] {
            out.push(Entry::new(word, EntryKind::Word, tier + 2));
        }
        nouns(place, tier + 3, out);
    }
    let value = if scene.statement { 3 } else { 0 };
    let mut cards = 1_000;
    if !scene.statement && scene.pure.is_none() && matches!(want, None | Some(Ty::Int(_) | Ty::Dice)) {
        out.push(Entry::new("roll", EntryKind::Word, tier + 1).insert("roll ${1:d6}").detail("rolls dice"));
    }
    names::visible_names(place, |found, far| {
        let at = |n: u32| tier + n + value + far;
        match found.kind {
            DeclKind::Define | DeclKind::Fact | DeclKind::Table => {
                let sig = describe::signature(place.ide, found);
                let result = sig.result.clone().unwrap_or_else(|| outline(db, universe, found.item).result.clone());
                let adjective = sig.on.is_some();
                let fits = agrees(place, &result, want) || adjective && things;
                out.push(names::entry(place, found, at(if fits && !one { 1 } else { 4 })));
            }
            DeclKind::Card => {
                if matches!(want, Some(Ty::Kind(_))) || scene.in_test {
                    return;
                }
                if want.is_none() && place.could(short(&found.key)) && cards > 0 {
                    cards -= 1;
                    out.push(names::entry(place, found, at(6)));
                }
            }
            // the one object of a kind that is the game goes by its word
            DeclKind::Word if !scene.statement && banneret_compiler::signature::kind_info(db, universe, found.item).roles.game => {
                out.push(names::entry(place, found, at(2)));
            }
            DeclKind::Option => out.push(names::entry(place, found, at(4))),
            DeclKind::Phase if want.is_none() => out.push(names::entry(place, found, at(5))),
            DeclKind::Action if want.is_none() && !scene.statement => out.push(names::entry(place, found, at(4))),
            DeclKind::Member if want.is_none() => out.push(names::entry(place, found, at(5))),
            DeclKind::Keyword if things => out.push(names::entry(place, found, at(5))),
            _ => {}
        }
    });
    match want {
        Some(Ty::Kind(key)) => names::cards(place, key, tier + 3, out),
        Some(Ty::Thing) => names::cards(place, &SmolStr::default(), tier + 3, out),
        _ if scene.in_test && !scene.statement => names::cards(place, &SmolStr::default(), tier + 3, out),
        _ => {}
    }
    names::functions(tier + 2 + value, out);
    if matches!(want, Some(Ty::Bool)) {
        for word in ["true", "false"] {
            out.push(Entry::new(word, EntryKind::Value, tier + 5));
        }
    }
}

/// Inside a text: names of pictures.
pub(crate) fn in_text(place: &Place<'_>, start: usize) -> Vec<Entry> {
    let before = place.line.get(..start).unwrap_or("");
    if before.trim_end().ends_with("picture:") || before.trim_end().ends_with("art:") {
        return (place.pictures)().into_iter().map(|p| Entry::new(p, EntryKind::File, 0)).collect();
    }
    Vec::new()
}
