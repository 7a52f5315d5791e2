//! What a weapon or an ability does, exactly: against a card that is named, or against another copy of its own.
//!
//! Which action that is nobody says here: it is one that takes such a part, whose other values are the two cards on the table. What it does is
//! told by whatever number of the other card changes, and by whether it is still there.

use banneret_compiler::elaborate::outline;
use banneret_compiler::items::DeclKind;
use banneret_compiler::measure::{Spread, measure};
use banneret_compiler::names::{ModuleName, module_names, short, visible};
use banneret_compiler::signature::{CallSig, KindInfo, base_signs, find, kind_by_key, length_family};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::FieldRole;
use banneret_runtime::hosts::exact::Chance;
use banneret_runtime::value::Value;
use smol_str::SmolStr;

use super::words::{self, Parsed, parsed};
use super::{Ide, describe, navigate};

/// More states than this take longer than one waits for a hint.
const STATES: usize = 20_000;
/// So many actions are tried.
const TRIES: usize = 6;

/// The odds of a part of a card, in words. None if no action gives any.
pub fn odds(ide: Ide<'_>, key: &str, against: Option<&str>) -> Option<String> {
    let Parsed::Inside(card, part) = parsed(key) else { return None };
    let found = words::declaration(ide, card).filter(|f| f.kind == DeclKind::Card)?;
    let (part_kind, holder) = (kind_of(ide, key)?, kind_of(ide, card)?);
    let against = against.filter(|name| find(ide.db, ide.universe, &found.module, name, &[DeclKind::Card]).is_some());
    let target = against.unwrap_or(short(card));
    let target_card = find(ide.db, ide.universe, &found.module, target, &[DeclKind::Card])?;
    let other = kind_of(ide, &target_card.key)?;
    let measures = measures(other);
    let given = given(ide, &found.module, short(card), target, holder, other);
    for sig in actions(ide, &found.module, part_kind).into_iter().take(TRIES) {
        let Some(sentence) = sentence(ide, sig, part_kind, holder, other, part) else { continue };
        let lines: String = measures.iter().map(|m| format!("  expect spread of b.{m} == []\n")).collect();
        let test = format!("test \"odds\" {{\n  given {given}\n  {sentence}\n{lines}  expect odds of not in_play(b) == 1\n}}");
        let Some(spreads) = measure(ide.db, ide.universe, found.item, &test, STATES) else { continue };
        let told = told(&measures, &spreads);
        if !told.is_empty() {
            let whom = if against.is_some() { format!("Against {target}") } else { "Against another of its kind".to_owned() };
            return Some(format!("{whom}, exactly: {}.", told.join("; ")));
        }
    }
    None
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

/// Numbers that change in play.
fn measures(kind: &KindInfo) -> Vec<SmolStr> {
    kind.fields.iter().filter(|f| f.role == FieldRole::State && matches!(f.ty, Ty::Int(_))).map(|f| f.name.clone()).collect()
}

/// Actions that take a part of this kind, those that need least first.
fn actions<'a>(ide: Ide<'a>, module: &SmolStr, part: &KindInfo) -> Vec<&'a CallSig> {
    let mut out = Vec::new();
    for seen in visible(ide.db, ide.universe, ModuleName::new(ide.db, module.clone())) {
        for found in module_names(ide.db, ide.universe, ModuleName::new(ide.db, seen.clone())).entries.iter().flat_map(|e| &e.found) {
            if found.kind == DeclKind::Action {
                let sig = describe::signature(ide, found);
                if sig.params.iter().any(|p| takes(&p.ty, part)) {
                    let questions = outline(ide.db, ide.universe, found.item).bound.len();
                    out.push((questions, sig));
                }
            }
        }
    }
    out.sort_by_key(|(questions, _)| *questions);
    out.into_iter().map(|(_, sig)| sig).collect()
}

fn takes(ty: &Ty, kind: &KindInfo) -> bool {
    matches!(ty, Ty::Kind(wanted) if kind.is_a(wanted))
}

/// `strike b with a.Axe by a`: the part, who holds it, and the other card wherever they fit.
fn sentence(ide: Ide<'_>, sig: &CallSig, part_kind: &KindInfo, holder: &KindInfo, other: &KindInfo, part: &str) -> Option<String> {
    let mut out = sig.name.to_string();
    for p in &sig.params {
        let by = p.prep.as_deref() == Some("by");
        let value = if takes(&p.ty, part_kind) {
            format!("a.{part}")
        } else if by && takes(&p.ty, holder) {
            "a".to_owned()
        } else if p.optional || by && is_player(ide, &p.ty) {
            continue;
        } else if takes(&p.ty, other) {
            "b".to_owned()
        } else {
            return None;
        };
        if let Some(prep) = &p.prep {
            out.push(' ');
            out.push_str(prep);
        }
        out.push(' ');
        out.push_str(&value);
    }
    Some(out)
}

fn is_player(ide: Ide<'_>, ty: &Ty) -> bool {
    matches!(ty, Ty::Kind(k) if kind_by_key(ide.db, ide.universe, k).is_some_and(|k| k.roles.player))
}

/// What changes, by its mean, and the chance that the other card is gone.
fn told(measures: &[SmolStr], spreads: &[Spread]) -> Vec<String> {
    let mut out = Vec::new();
    for (name, spread) in measures.iter().zip(spreads) {
        if spread.len() < 2 {
            continue;
        }
        let mean = spread.iter().try_fold(0.0, |sum, (value, chance)| match value {
            Value::Int(n) => Some(sum + *n as f64 * chance.approximate()),
            _ => None,
        });
        if let Some(mean) = mean {
            out.push(format!("{name} {} on average", decimal(mean)));
        }
    }
    let gone = spreads.get(measures.len()).and_then(|s| s.iter().find(|(v, _)| *v == Value::Bool(true)));
    if let Some((_, chance)) = gone.filter(|(_, c)| c.num > 0) {
        out.push(format!("it is gone with a chance of {}", fraction(*chance)));
    }
    out
}

fn decimal(n: f64) -> String {
    let text = format!("{n:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// As a fraction where that is short, and as a percentage.
fn fraction(c: Chance) -> String {
    let percent = format!("{}%", decimal(c.approximate() * 100.0));
    if c.den == 1 || c.den > 1_000 { percent } else { format!("{}/{} ({percent})", c.num, c.den) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_told_short() {
        assert_eq!(fraction(Chance::new(1, 4)), "1/4 (25%)");
        assert_eq!(fraction(Chance::new(12_345, 100_000)), "12.35%");
        assert_eq!(decimal(6.0), "6");
    }
}
