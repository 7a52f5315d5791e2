//! Which faces a kind has.

use crate::build::reachable_files;
use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, ExprKind, Key};
use crate::items::{Item, rule_items};
use crate::signature::{KeyName, kind_by_key};

use super::Side;
use super::value::option_value;

/// A face as it is declared.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct FaceDecl<'db> {
    pub of: Key,
    pub name: hir::Name,
    pub side: Side,
    pub item: Item<'db>,
}

/// Every face that a project can use, its own and those of its rule system.
#[salsa::tracked(returns(deref))]
pub fn declared_faces<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Vec<FaceDecl<'db>> {
    let mut out = Vec::new();
    for file in reachable_files(db, universe) {
        for item in rule_items(db, file).iter().filter(|i| i.header(db).starts_with("face ")) {
            let hir::Item::Face(face) = &elaborate(db, universe, *item).hir else { continue };
            let side = face.settings.iter().find(|(name, _)| name == "side").map(|(_, value)| match &value.kind {
                ExprKind::Option(key) => option_value(db, universe, key).map(|e| e.kind),
                other => Some(other.clone()),
            });
            let back = match side.flatten() {
                Some(ExprKind::Text(word) | ExprKind::Member(_, word)) => word == "back",
                _ => false,
            };
            let side = if back { Side::Back } else { Side::Front };
            out.push(FaceDecl { of: face.of.clone(), name: face.name.clone(), side, item: *item });
        }
    }
    out
}

/// The faces of a kind, fronts first: for each side those of the nearest kind that has any.
#[salsa::tracked(returns(deref))]
pub fn faces_of<'db>(db: &'db dyn salsa::Database, universe: Universe, kind: KeyName<'db>) -> Vec<FaceDecl<'db>> {
    let Some(info) = kind_by_key(db, universe, kind.text(db)) else { return Vec::new() };
    let all = declared_faces(db, universe);
    let mut out = Vec::new();
    for side in [Side::Front, Side::Back] {
        let of = |key: &Key| -> Vec<FaceDecl<'db>> { all.iter().filter(|f| f.of == *key && f.side == side).cloned().collect() };
        out.extend(info.is.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default());
    }
    out
}
