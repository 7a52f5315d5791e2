//! From a written type to a type.

use banneret_grammar::ast::{self, TypeKind};
use smol_str::SmolStr;

use crate::db::Universe;
use crate::diagnostic::Diagnostic;
use crate::items::DeclKind;
use crate::language::TYPES;
use crate::names::{ModuleName, PRELUDE, near_names};
use crate::signature::{constant_range, find, length_family, player_kind};
use crate::suggest::nearest;
use crate::ty::{Range, Ty};

pub fn resolve_type(db: &dyn salsa::Database, universe: Universe, module: &SmolStr, ty: &ast::Type, out: &mut Vec<Diagnostic>) -> Ty {
    let mut optional_whole = ty.optional;
    let inner = match &ty.kind {
        TypeKind::Named { name, .. } => named(db, universe, module, ty, name, out),
        TypeKind::Of { head, of } => {
            let mut inner = resolve_type(db, universe, module, of, out);
            // `Choice of Unit?`, `pair of Target?`: it is the whole that may be unset
            if let Ty::Optional(kind) = inner {
                inner = *kind;
                optional_whole = true;
            }
            match &*head.text {
                "set" => Ty::Set(Box::new(inner)),
                "list" => Ty::List(Box::new(inner)),
                "pair" => Ty::Pair(Box::new(inner)),
                "pile" => Ty::Pile(kind_of(inner, of, "pile", out)),
                "Choice" | "choice" => Ty::Choice(kind_of(inner, of, "Choice", out)),
                other => {
                    let mut d = Diagnostic::error("unknown-type", head.span, format!("There is no type `{other} of …`."));
                    d = match nearest(other, ["set", "list", "pair", "pile", "Choice"]) {
                        Some(n) => d.help(format!("Did you mean `{n} of …`?")).fix(format!("Write `{n}`"), head.span, n, true),
                        None => d.help("The types with `of` are `set of`, `list of`, `pair of`, `pile of` and `Choice of`."),
                    };
                    out.push(d);
                    Ty::Error
                }
            }
        }
        TypeKind::Effect { params } => Ty::Effect(
            params
                .iter()
                .map(|p| {
                    let ty = p.ty.as_ref().map_or(Ty::Thing, |t| resolve_type(db, universe, module, t, out));
                    (SmolStr::new(&p.name.text), ty)
                })
                .collect(),
        ),
        TypeKind::Table { by, of } => {
            let sides = match &by.kind {
                ast::ExprKind::Number(ast::Number::Dice(d)) if d.count == 1 && d.plus == 0 => d.sides,
                _ => {
                    out.push(
                        Diagnostic::error("wrong-type", by.span, "A table is read by one die.")
                            .help("Write for example `table by d6 of Entry`."),
                    );
                    6
                }
            };
            match resolve_type(db, universe, module, of, out) {
                Ty::Kind(key) => Ty::Table { sides, of: key },
                Ty::Error => Ty::Error,
                _ => {
                    out.push(Diagnostic::error("wrong-type", of.span, "The rows of a table are cards of a kind."));
                    Ty::Error
                }
            }
        }
        // the option's own name gives the enum its identity; see `option_type`
        TypeKind::OneOf(_) => Ty::Error,
        TypeKind::Broken => Ty::Error,
    };
    if optional_whole && inner != Ty::Error { Ty::Optional(Box::new(inner)) } else { inner }
}

fn kind_of(ty: Ty, at: &ast::Type, what: &str, out: &mut Vec<Diagnostic>) -> SmolStr {
    match ty {
        Ty::Kind(key) => key,
        Ty::Error => SmolStr::default(),
        _ => {
            out.push(Diagnostic::error("wrong-type", at.span, format!("A {what} holds cards of a kind.")));
            SmolStr::default()
        }
    }
}

fn named(
    db: &dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    ty: &ast::Type,
    name: &ast::Word,
    out: &mut Vec<Diagnostic>,
) -> Ty {
    let range = constant_range(ty);
    if let (Some(low), Some(high)) = (range.low, range.high)
        && low > high
    {
        let span = match &ty.kind {
            TypeKind::Named { range: Some(range), .. } => range.span,
            _ => ty.span,
        };
        let mut d = Diagnostic::error("empty-range", span, "This range is empty: its start is above its end.")
            .help("Write it the other way round.");
        if matches!(&*name.text, "" | "Int") {
            d = d.fix("Swap the ends", span, format!("{high}..{low}"), true);
        }
        out.push(d);
    }
    match &*name.text {
        "" | "Int" => Ty::Int(range),
        "Bool" => Ty::Bool,
        "Text" => Ty::Text,
        "Percent" => Ty::Percent,
        "Fraction" => Ty::Fraction,
        "Length" => match length_family(db, universe, ModuleName::new(db, module.clone())) {
            Some(family) => Ty::Length(family.clone()),
            None if module == PRELUDE => Ty::Error,
            None => {
                out.push(
                    Diagnostic::error("no-lengths", name.span, "This rule system has no lengths.")
                        .help("Declare one in the ruleset, for example `length inch as \"`."),
                );
                Ty::Error
            }
        },
        // lengths on paper: a card is 63mm wide in every rule system
        "Size" => Ty::Length(SmolStr::new("print")),
        "Target" => Ty::Target(Range { low: range.low.or(Some(1)), high: range.high }),
        "Dice" => Ty::Dice,
        "Rolled" => Ty::Rolled(None),
        // the prelude is for every rule system: its players are whatever they are there
        "Player" if module == crate::names::PRELUDE => Ty::Thing,
        "Pile" => Ty::Pile(SmolStr::default()),
        "Player" => match player_kind(db, universe, ModuleName::new(db, module.clone())) {
            Some(key) => Ty::Kind(key.clone()),
            None => {
                out.push(
                    Diagnostic::error("no-players", name.span, "No kind of this rule system is a player.")
                        .help("Declare one, for example `kind Side is player { … }`."),
                );
                Ty::Error
            }
        },
        "Place" => Ty::Place,
        "Spot" => Ty::Spot,
        "Thing" => Ty::Thing,
        "Rules" => Ty::Rules,
        "Cost" => Ty::Cost,
        "Picture" => Ty::Picture,
        "Keyword" => Ty::Keyword,
        "Effect" => Ty::Effect(Vec::new()),
        other => match find(db, universe, module, other, &[DeclKind::Kind, DeclKind::Enum]) {
            Some(found) if found.kind == DeclKind::Kind => Ty::Kind(found.key.clone()),
            Some(found) => Ty::Enum(found.key.clone()),
            None => {
                let seen = near_names(db, universe, module, other, &|k| matches!(k, DeclKind::Kind | DeclKind::Enum));
                let mut d = Diagnostic::error("unknown-type", name.span, format!("There is no type, kind or enum called `{other}`."));
                if let Some(n) = nearest(other, TYPES.iter().copied().chain(seen)) {
                    d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
                }
                out.push(d);
                Ty::Error
            }
        },
    }
}
