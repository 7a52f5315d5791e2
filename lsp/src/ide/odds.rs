//! What a weapon, an ability, a spell or a power does, exactly: against a card that is named, or against another copy of its holder.
//!
//! What using it means is not guessed: the rule system says it with an action of its own that it names in `odds: [ACTION, …]`. The action takes the part
//! or the card, perhaps who holds it, and perhaps a target; what it is about is the first sentence of its documentation. What comes of it is told by whatever
//! number of the two cards changes, and by whether they are still there. Hover and `banneret odds --of` both ask here.

use banneret_compiler::items::{DeclKind, Item, items, parse};
use banneret_compiler::measure::{Spread, declared_odds, measure};
use banneret_compiler::names::{ModuleName, key_of, short};
use banneret_compiler::signature::{CallSig, KindInfo, base_signs, find, kind_by_key, length_family};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{FieldRole, ItemKind, Line};
use banneret_odds::Fraction;
use banneret_runtime::value::Value;
use smol_str::SmolStr;

use super::words::{self, Parsed, parsed};
use super::{Ide, describe, navigate};

/// More states than this take longer than one waits for a hint.
pub const STATES: usize = 20_000;

/// What was measured, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// The words of the rule system for what is done.
    pub what: String,
    /// The card it is done to.
    pub against: String,
    /// `wounds of the target: 6 on average`
    pub told: Vec<String>,
    /// The same as numbers, to be compared: `wounds of the target` and by how much it changes on average, `the target is gone` and its chance.
    pub numbers: Vec<(String, f64)>,
}

impl Odds {
    pub fn sentence(&self) -> String {
        format!("{} Against {}, exactly: {}.", self.what, self.against, self.told.join("; "))
    }
}

/// The odds of a part of a card, or of a card; or why there are none. None: no rule system says what using it means.
pub fn odds(ide: Ide<'_>, key: &str, against: Option<&str>, states: usize) -> Option<Result<Odds, String>> {
    let scene = match scene(ide, key, against)? {
        Ok(scene) => scene,
        Err(why) => return Some(Err(why)),
    };
    let none = |why: String| format!("{} There are no odds against {}: {why}", scene.what, scene.whom);
    Some(scene.outcomes(ide, states).map_err(none).and_then(|(before, after)| match told(&scene.measures, &before, &after) {
        (told, _) if told.is_empty() => Err(none("no number on the two cards changes by it.".to_owned())),
        (told, numbers) => Ok(Odds { what: scene.what.clone(), against: scene.whom.clone(), told, numbers }),
    }))
}

/// Whether a rule system says what using something means.
pub fn is_measured(ide: Ide<'_>, key: &str) -> bool {
    kind_of(ide, key).is_some_and(|used| declared(ide, used).is_some())
}

/// A test of what using something does, to be written behind its card; numbers that are not sure yet are 0. Or why there is none.
pub fn test<'a>(ide: Ide<'a>, key: &str, against: Option<&str>) -> Option<Result<(Item<'a>, String), String>> {
    let scene = match scene(ide, key, against)? {
        Ok(scene) => scene,
        Err(why) => return Some(Err(why)),
    };
    let none = |why: String| format!("{} No test can be written of it: {why}", scene.what);
    let found = scene.outcomes(ide, STATES).map_err(none);
    Some(found.and_then(|(before, after)| {
        let mut lines = Vec::new();
        for ((name, was), is) in scene.measures.iter().zip(&before).zip(&after).filter(|((_, was), is)| was != is) {
            lines.extend(mean(was).zip(mean(is)).map(|_| match is.as_slice() {
                [(Value::Int(n), _)] => format!("expect {name} == {n}"),
                _ => format!("expect mean of {name} == 0"),
            }));
        }
        for (card, gone) in ["a", "b"].iter().zip(after.iter().skip(scene.measures.len())) {
            match gone.iter().find(|(v, _)| *v == Value::Bool(true)) {
                Some((_, chance)) if chance.is_zero() => {}
                Some((_, chance)) if *chance == Fraction::one() => lines.push(format!("expect not in_play({card})")),
                Some((_, chance)) => lines.push(format!("expect odds of not in_play({card}) == {chance}")),
                None => {}
            }
        }
        if lines.is_empty() {
            return Err(none("no number on the two cards changes by it.".to_owned()));
        }
        let name = short(key).replace('.', ": ");
        let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        Ok((scene.beside, format!("test \"{name}\" {{\n  given {}\n  {}\n{lines}}}\n", scene.given, scene.deed)))
    }))
}

/// Something being used: what is on the table, what is done, and what is looked at.
struct Scene<'a> {
    beside: Item<'a>,
    what: String,
    whom: String,
    given: String,
    deed: String,
    measures: Vec<String>,
}

impl Scene<'_> {
    /// The spreads of the measures without the deed and with it: only what changes is told.
    fn outcomes(&self, ide: Ide<'_>, states: usize) -> Result<(Vec<Spread>, Vec<Spread>), String> {
        let lines: String = self.measures.iter().map(|m| format!("  expect spread of {m} == []\n")).collect();
        let gone = ["a", "b"].map(|card| format!("  expect odds of not in_play({card}) == 1\n")).concat();
        let run = |deed: &str| {
            let test = format!("test \"odds\" {{\n  given {}\n  {deed}\n{lines}{gone}}}", self.given);
            measure(ide.db, ide.universe, self.beside, &test, states)
        };
        run("").and_then(|before| Ok((before, run(&self.deed)?)))
    }
}

fn scene<'a>(ide: Ide<'a>, key: &str, against: Option<&str>) -> Option<Result<Scene<'a>, String>> {
    let (card, part) = match parsed(key) {
        Parsed::Inside(card, part) => (card, Some(part)),
        Parsed::Whole(card) => (card, None),
        Parsed::OfEvent(..) => return None,
    };
    let found = words::declaration(ide, card).filter(|f| f.kind == DeclKind::Card)?;
    let (used, holder) = (kind_of(ide, key)?, kind_of(ide, card)?);
    let (sig, what) = declared(ide, used)?;
    if let Some(unknown) = against.filter(|name| find(ide.db, ide.universe, &found.module, name, &[DeclKind::Card]).is_none()) {
        return Some(Err(format!("{what} There are no odds against {unknown}: the folder of {} does not know such a card.", short(card))));
    }
    let target = against.unwrap_or(short(card));
    let target_card = find(ide.db, ide.universe, &found.module, target, &[DeclKind::Card])?;
    let other = kind_of(ide, &target_card.key)?;
    let value = part.map_or_else(|| "a".to_owned(), |part| format!("a.{part}"));
    let Some(deed) = sentence(ide, sig, used, holder, other, &value) else {
        return Some(Err(format!(
            "{what} It needs a card to be measured against: name one with `--against`, or in an editor in the setting `banneret.odds.against`."
        )));
    };
    Some(Ok(Scene {
        beside: found.item,
        what,
        whom: if against.is_some() { short(target).to_owned() } else { format!("another {target}") },
        given: given(ide, &found.module, short(card), target, holder, other),
        deed,
        measures: measures(holder, other),
    }))
}

/// The action a rule system names for using something of a kind, and what it says it is.
fn declared<'a>(ide: Ide<'a>, used: &KindInfo) -> Option<(&'a CallSig, String)> {
    declared_odds(ide.db, ide.universe).iter().find_map(|key| {
        let found = words::declaration(ide, key)?;
        let sig = describe::signature(ide, found);
        let first = sig.params.first().filter(|p| p.prep.is_none())?;
        takes(&first.ty, used).then(|| {
            let doc = describe::doc(ide, found.item).unwrap_or_else(|| format!("{}.", found.key));
            let end = doc.find(". ").map_or(doc.len(), |at| at + 1);
            (sig, doc[..end].trim().to_owned())
        })
    })
}

/// What of the project's own cards could have odds: cards and their parts, as `Card` or `Card.Part`, with their keys.
pub fn candidates(ide: Ide<'_>) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for item in ide.universe.files(ide.db).iter().flat_map(|file| items(ide.db, *file)) {
        let ItemKind::Card(card) = &parse(ide.db, *item).item.kind else { continue };
        let Some(name) = card.name.as_ref().filter(|_| card.template.is_none()) else { continue };
        let key = key_of(item.file(ide.db).module(ide.db), &name.text);
        let parts = card.block.iter().flat_map(|b| &b.lines).filter_map(|line| match line {
            Line::Part(p) => p.name.as_ref(),
            _ => None,
        });
        let parts: Vec<(String, String)> = parts.map(|p| (format!("{}.{}", name.text, p.text), format!("{key}.{}", p.text))).collect();
        out.push((name.text.to_string(), key.to_string()));
        out.extend(parts);
    }
    out
}

fn kind_of<'a>(ide: Ide<'a>, key: &str) -> Option<&'a KindInfo> {
    match navigate::type_of(ide, key)? {
        Ty::Kind(kind) => kind_by_key(ide.db, ide.universe, &kind),
        _ => None,
    }
}

/// The two cards on the table, side by side if they stand on one.
fn given(ide: Ide<'_>, module: &SmolStr, card: &str, target: &str, holder: &KindInfo, other: &KindInfo) -> String {
    let family = length_family(ide.db, ide.universe, ModuleName::new(ide.db, module.clone()));
    let sign = family.as_ref().and_then(|f| base_signs(ide.db, ide.universe).iter().find(|(name, _)| name == f)).map(|(_, sign)| sign);
    match sign {
        Some(sign) if holder.roles.piece && other.roles.piece => {
            format!("{card} as a at (0{sign}, 0{sign}), {target} as b by opponent at (1{sign}, 0{sign})")
        }
        _ => format!("{card} as a, {target} as b by opponent"),
    }
}

/// Numbers of the two cards that change in play.
fn measures(holder: &KindInfo, other: &KindInfo) -> Vec<String> {
    let of = |name: &str, kind: &KindInfo| -> Vec<String> {
        let numbers = kind.fields.iter().filter(|f| matches!(f.role, FieldRole::State | FieldRole::Resource) && matches!(f.ty, Ty::Int(_)));
        numbers.map(|f| format!("{name}.{}", f.name)).collect()
    };
    [of("b", other), of("a", holder)].concat()
}

fn takes(ty: &Ty, kind: &KindInfo) -> bool {
    matches!(ty, Ty::Kind(wanted) if kind.is_a(wanted))
}

/// `strike b with a.Axe by a`: the part, who holds it, and the other card wherever they fit.
fn sentence(ide: Ide<'_>, sig: &CallSig, used: &KindInfo, holder: &KindInfo, other: &KindInfo, value: &str) -> Option<String> {
    let mut out = sig.name.to_string();
    for p in &sig.params {
        let by = p.prep.as_deref() == Some("by");
        let value = if takes(&p.ty, used) && p.prep.is_none() {
            value
        } else if by && takes(&p.ty, holder) {
            "a"
        } else if p.optional || by && is_player(ide, &p.ty) {
            continue;
        } else if takes(&p.ty, other) {
            "b"
        } else {
            return None;
        };
        if let Some(prep) = &p.prep {
            out.push(' ');
            out.push_str(prep);
        }
        out.push(' ');
        out.push_str(value);
    }
    Some(out)
}

fn is_player(ide: Ide<'_>, ty: &Ty) -> bool {
    matches!(ty, Ty::Kind(k) if kind_by_key(ide.db, ide.universe, k).is_some_and(|k| k.roles.player))
}

/// What changes, by its mean, and the chances that one of the cards is gone.
fn told(measures: &[String], before: &[Spread], after: &[Spread]) -> (Vec<String>, Vec<(String, f64)>) {
    let of = |card: &str| if card == "a" { "of its own" } else { "of the target" };
    let (mut out, mut numbers) = (Vec::new(), Vec::new());
    for ((name, was), is) in measures.iter().zip(before).zip(after) {
        if was == is {
            continue;
        }
        let (card, field) = name.split_once('.').unwrap_or(("b", name));
        if let (Some(from), Some(to)) = (mean(was), mean(is)) {
            let before = if from == 0.0 { String::new() } else { format!("from {} to ", decimal(from)) };
            let sure = if is.len() == 1 { "" } else { " on average" };
            out.push(format!("{field} {}: {before}{}{sure}", of(card), decimal(to)));
            numbers.push((format!("{field} {}", of(card)), to - from));
        }
    }
    for (i, whom) in ["it is gone itself", "the target is gone"].iter().enumerate() {
        let gone = after.get(measures.len() + i).and_then(|s| s.iter().find(|(v, _)| *v == Value::Bool(true)));
        if let Some((_, chance)) = gone.filter(|(_, c)| !c.is_zero()) {
            out.push(format!("{whom} with a chance of {}", fraction(chance)));
            numbers.push(((*whom).to_owned(), chance.approximate()));
        }
    }
    (out, numbers)
}

fn mean(spread: &Spread) -> Option<f64> {
    spread.iter().try_fold(0.0, |sum, (value, chance)| match value {
        Value::Int(n) => Some(sum + *n as f64 * chance.approximate()),
        _ => None,
    })
}

fn decimal(n: f64) -> String {
    let text = format!("{n:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// As a fraction where that is short, and as a percentage.
fn fraction(c: &Fraction) -> String {
    let percent = format!("{}%", decimal(c.approximate() * 100.0));
    match c.short() {
        Some((_, 2..=1_000)) => format!("{c} ({percent})"),
        _ => percent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_told_short() {
        assert_eq!(fraction(&Fraction::new(1, 4)), "1/4 (25%)");
        assert_eq!(fraction(&Fraction::new(12_345, 100_000)), "12.35%");
        assert_eq!(decimal(6.0), "6");
    }
}
