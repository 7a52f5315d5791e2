//! Words about things: types, signatures, documentation.

use banneret_compiler::items::{DeclKind, Item};
use banneret_compiler::names::{Found, Wanted, short};
use banneret_compiler::signature::{CallSig, FieldInfo, KeyName, base_signs, by_key, call_sig, enum_info};
use banneret_compiler::ty::{Range, Ty};
use smol_str::SmolStr;

use super::Ide;

/// A type as its author would write it.
pub fn ty(t: &Ty) -> String {
    match t {
        Ty::Error => "?".into(),
        Ty::Nothing => "nothing".into(),
        Ty::Unset => "none".into(),
        Ty::Bool => "Bool".into(),
        Ty::Int(r) => ranged("Int", *r, ""),
        Ty::Text => "Text".into(),
        Ty::Percent => "Percent".into(),
        Ty::Fraction => "Fraction".into(),
        Ty::Length(_) => "Length".into(),
        Ty::Target(r) => ranged("Target", *r, "+"),
        Ty::Dice => "Dice".into(),
        Ty::Rolled(_) => "Rolled".into(),
        Ty::Pair(t) => format!("pair of {}", ty(t)),
        Ty::Set(t) => format!("set of {}", ty(t)),
        Ty::List(t) => format!("list of {}", ty(t)),
        Ty::Optional(t) => format!("{}?", ty(t)),
        Ty::Enum(k) | Ty::Kind(k) if k.is_empty() => "any card".into(),
        Ty::Enum(k) | Ty::Kind(k) => short(k).to_owned(),
        Ty::Thing => "Thing".into(),
        Ty::Pile(k) => format!("pile of {}", short(k)),
        Ty::Place => "Place".into(),
        Ty::Spot => "Spot".into(),
        Ty::Effect(_) => "Effect".into(),
        Ty::Rules => "Rules".into(),
        Ty::Choice(k) => format!("Choice of {}", short(k)),
        Ty::Cost => "Cost".into(),
        Ty::Picture => "Picture".into(),
        Ty::Keyword => "Keyword".into(),
        Ty::Event(k) => format!("event of {}", short(k)),
        Ty::Table { sides, of } => format!("table by d{sides} of {}", short(of)),
    }
}

fn ranged(name: &str, r: Range, after: &str) -> String {
    let end = |n: Option<i64>| n.map(|n| format!("{n}{after}")).unwrap_or_default();
    match r {
        Range { low: None, high: None } => name.to_owned(),
        Range { low, high } => format!("{name} {}..{}", end(low), end(high)),
    }
}

/// The type of a field with its range, lengths in the unit of the rule system.
pub fn field_type(ide: Ide<'_>, f: &FieldInfo) -> String {
    let written = ty(&f.ty);
    let inner = match &f.ty {
        Ty::Optional(t) => t,
        t => t,
    };
    match inner {
        Ty::Length(family) if f.range != Range::default() => {
            let sign = base_signs(ide.db, ide.universe).iter().find(|(name, _)| name == family).map(|(_, sign)| sign.clone());
            let sign = sign.unwrap_or_default();
            let end = |n: Option<i64>| n.map(|n| format!("{}{sign}", thousandths(n))).unwrap_or_default();
            let optional = if matches!(f.ty, Ty::Optional(_)) { "?" } else { "" };
            format!("Length {}..{}{optional}", end(f.range.low), end(f.range.high))
        }
        _ => written,
    }
}

/// 2500 → "2.5"
pub fn thousandths(n: i64) -> String {
    let text = format!("{}{}.{:03}", if n < 0 { "-" } else { "" }, n.abs() / 1000, n.abs() % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The kind of the rows, if a type is a table of them.
pub fn table_of(t: &Ty) -> Option<&str> {
    match t {
        Ty::Table { of, .. } => Some(of),
        Ty::Optional(t) => table_of(t),
        _ => None,
    }
}

/// The `///` lines above an item, without their slashes.
pub fn doc(ide: Ide<'_>, item: Item<'_>) -> Option<String> {
    let raw = item.doc(ide.db).as_ref()?;
    let lines: Vec<&str> = raw.lines().map(|l| l.trim_start().trim_start_matches('/').trim()).collect();
    Some(lines.join(" "))
}

pub fn doc_of_key(ide: Ide<'_>, key: &str, kinds: &[DeclKind]) -> Option<String> {
    by_key(ide.db, ide.universe, key, kinds).and_then(|found| doc(ide, found.item))
}

/// The parameters of something that can be called.
pub fn signature<'a>(ide: Ide<'a>, found: &Found<'_>) -> &'a CallSig {
    let name = Wanted::new(ide.db, found.module.clone(), SmolStr::new(short(&found.key)));
    // the item is of the same database: asked for again by its key, it is the same one with the right lifetime
    let again = by_key(ide.db, ide.universe, &found.key, &[found.kind]);
    match again {
        Some(found) => call_sig(ide.db, ide.universe, found.item, name),
        None => EMPTY.get_or_init(CallSig::default),
    }
}

static EMPTY: std::sync::OnceLock<CallSig> = std::sync::OnceLock::new();

/// `deal AMOUNT to TARGET`, as it is called.
pub fn shape(sig: &CallSig, kind: DeclKind) -> String {
    let upper = |name: &SmolStr| name.to_uppercase();
    match kind {
        DeclKind::Action | DeclKind::Phase => {
            let mut out = sig.name.to_string();
            for p in &sig.params {
                out.push(' ');
                let words = match &p.prep {
                    Some(prep) => format!("{prep} {}", upper(&p.name)),
                    None => upper(&p.name),
                };
                out.push_str(&if p.optional { format!("[{words}]") } else { words });
            }
            out
        }
        DeclKind::Keyword => match sig.params.first() {
            Some(p) => format!("{} {}", sig.name, upper(&p.name)),
            None => sig.name.to_string(),
        },
        _ if sig.params.is_empty() || sig.on.is_some() => sig.name.to_string(),
        _ => {
            let names: Vec<String> = sig.params.iter().map(|p| upper(&p.name)).collect();
            format!("{}({})", sig.name, names.join(", "))
        }
    }
}

/// The members of an enum, with their labels.
pub fn members<'a>(ide: Ide<'a>, key: &SmolStr) -> &'a [(SmolStr, SmolStr)] {
    &enum_info(ide.db, ide.universe, KeyName::new(ide.db, key.clone())).members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_their_author_would() {
        assert_eq!(ty(&Ty::Optional(Box::new(Ty::Target(Range { low: Some(2), high: Some(6) })))), "Target 2+..6+?");
        assert_eq!(ty(&Ty::Set(Box::new(Ty::Kind("m/Unit".into())))), "set of Unit");
        assert_eq!(thousandths(2500), "2.5");
        assert_eq!(thousandths(-1000), "-1");
        assert_eq!(thousandths(0), "0");
    }
}
