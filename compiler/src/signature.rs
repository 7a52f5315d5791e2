//! What others may see of an item without looking into its body: the fields of a kind, the parameters of an action, the members of an enum.

use std::sync::Arc;

use banneret_grammar::ast;
use banneret_runtime::pack::Roles;
use banneret_runtime::table::Board;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::chains::is_refused;
use crate::db::{SourceFile, Universe};
use crate::diagnostic::Diagnostic;
use crate::hir::Key;
use crate::items::{DeclKind, Item, parse, rule_items};
use crate::key::{member_key, split_key};
use crate::names::{self, Found, ModuleName, Wanted, declared, key_of, lookup, modules, visible};
use crate::resolve_type::resolve_type;
use crate::ty::{Range, Ty};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    pub key: Key,
    pub name: SmolStr,
    pub role: ast::FieldRole,
    pub ty: Ty,
    /// A card may leave it out.
    pub has_default: bool,
    /// Constant bounds, where they are constant.
    pub range: Range,
    pub doc: Option<SmolStr>,
    /// The numbered rules that a wrong value breaks.
    pub covers: Vec<SmolStr>,
}

/// Fields of a kind, with those of the kinds it extends: every kind holds them all.
pub const MOST_FIELDS: usize = 500;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindInfo {
    pub key: Key,
    pub name: SmolStr,
    pub roles: Roles,
    pub rank: u32,
    /// Itself and every kind it extends.
    pub is: Vec<Key>,
    /// Inherited ones first.
    pub fields: Vec<Arc<FieldInfo>>,
    /// Kinds that may be nested in it.
    pub parts: Vec<Key>,
    pub plural: SmolStr,
    pub word: SmolStr,
    /// Something of it could not be read, which is told where it stands: what seems to be missing may be there.
    pub open: bool,
}

impl KindInfo {
    pub fn field(&self, name: &str) -> Option<&FieldInfo> {
        self.fields.iter().find(|f| f.name == name).map(|f| &**f)
    }

    pub fn of_field(&self) -> Option<&FieldInfo> {
        self.fields.iter().find(|f| f.role == ast::FieldRole::Of).map(|f| &**f)
    }

    pub fn is_a(&self, key: &str) -> bool {
        self.is.iter().any(|k| k == key)
    }
}

/// The word of a role, and how it is set.
pub fn role(word: &str) -> Option<fn(&mut Roles)> {
    Some(match word {
        "card" => |r| r.card = true,
        "piece" => |r| r.piece = true,
        "part" => |r| r.part = true,
        "player" => |r| r.player = true,
        "game" => |r| r.game = true,
        _ => return None,
    })
}

fn kind_info_cycle<'db>(_db: &'db dyn salsa::Database, _id: salsa::Id, _universe: Universe, _item: Item<'db>) -> KindInfo {
    KindInfo::default()
}

/// Everything about a kind. A kind that extends itself has only its own fields (the cycle is reported by the check of the item).
#[salsa::tracked(cycle_initial = kind_info_cycle)]
pub fn kind_info<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> KindInfo {
    let parsed = parse(db, item);
    let ast::ItemKind::Kind(kind) = &parsed.item.kind else { return KindInfo::default() };
    let module = item.file(db).module(db);
    let name = SmolStr::new(&kind.name.text);
    let key = key_of(module, &name);
    let mut info = KindInfo {
        key: key.clone(),
        word: crate::items::snake(&name),
        plural: match &kind.plural {
            Some(w) => SmolStr::new(&w.text),
            None => SmolStr::new(format!("{}s", crate::items::snake(&name))),
        },
        name,
        is: vec![key.clone()],
        ..KindInfo::default()
    };
    let refused = is_refused(db, universe, item);
    for word in &kind.is {
        if let Some(set) = role(&word.text) {
            set(&mut info.roles);
        } else if refused {
            info.open = true;
        } else if let Some(parent) = find(db, universe, module, &word.text, &[DeclKind::Kind]) {
            let parent = kind_info(db, universe, parent.item);
            let known: FxHashSet<Key> = info.is.iter().cloned().collect();
            info.is.extend(parent.is.iter().filter(|key| !known.contains(*key)).cloned());
            let given: FxHashSet<SmolStr> = info.fields.iter().map(|field| field.name.clone()).collect();
            info.fields.extend(parent.fields.iter().filter(|field| !given.contains(&field.name)).take(MOST_FIELDS).cloned());
            info.parts.extend(parent.parts.iter().cloned());
            let r = parent.roles;
            info.roles.card |= r.card;
            info.roles.piece |= r.piece;
            info.roles.part |= r.part;
            info.roles.player |= r.player;
            info.roles.game |= r.game;
            info.rank = info.rank.max(parent.rank);
            info.open |= parent.open;
        } else {
            info.open = true;
        }
    }
    info.open |= !parsed.errors.is_empty();
    if let Some(ast::ExprKind::Number(ast::Number::Int(n))) = kind.rank.as_ref().map(|e| &e.kind) {
        info.rank = u32::try_from(*n).unwrap_or(0);
    }
    let mut ignored = Vec::new();
    for field in &kind.fields {
        let name = SmolStr::new(&field.name.text);
        let ty = resolve_type(db, universe, module, &field.ty, &mut ignored);
        let range = match &ty {
            Ty::Int(r) | Ty::Target(r) => *r,
            _ => constant_range(&field.ty),
        };
        let fresh = FieldInfo {
            key: member_key(&key, &name),
            role: field.role,
            has_default: field.default.is_some() || matches!(ty, Ty::Optional(_)) || matches!(ty, Ty::Pile(_)),
            ty,
            range,
            doc: field.doc.as_deref().map(SmolStr::new),
            covers: field.covers.iter().map(|id| SmolStr::new(&id.text)).collect(),
            name,
        };
        let fresh = Arc::new(fresh);
        match info.fields.iter_mut().find(|f| f.name == fresh.name) {
            Some(old) => *old = fresh,
            None => info.fields.push(fresh),
        }
        if info.fields.len() > MOST_FIELDS {
            break;
        }
    }
    // that there are too many is told; what is left out is not missing
    info.open |= info.fields.len() > MOST_FIELDS;
    info.fields.truncate(MOST_FIELDS + 1);
    for line in &kind.lines {
        info.open |= matches!(line, ast::Line::Field { name, .. } if &*name.text != "parts");
        if let ast::Line::Field { name, value, .. } = line
            && &*name.text == "parts"
            && let ast::ExprKind::List(entries) = &value.kind
        {
            for entry in entries {
                if let ast::ExprKind::Name(word) = &entry.value.kind
                    && let Some(part) = find(db, universe, module, word, &[DeclKind::Kind])
                {
                    info.parts.push(part.key.clone());
                }
            }
        }
    }
    info
}

/// Bounds written with literals; lengths in thousandths.
pub fn constant_range(ty: &ast::Type) -> Range {
    let ast::TypeKind::Named { range: Some(range), .. } = &ty.kind else { return Range::default() };
    let ast::ExprKind::Range { low, high } = &range.kind else { return Range::default() };
    let value = |e: &Option<Box<ast::Expr>>| e.as_deref().and_then(constant);
    Range { low: value(low), high: value(high) }
}

fn constant(e: &ast::Expr) -> Option<i64> {
    match &e.kind {
        ast::ExprKind::Number(ast::Number::Int(n) | ast::Number::Target(n) | ast::Number::Percent(n)) => Some(*n),
        ast::ExprKind::Number(ast::Number::Length { thousandths, .. }) => Some(*thousandths),
        ast::ExprKind::Neg(inner) => constant(inner).map(|n| -n),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamSig {
    pub prep: Option<SmolStr>,
    pub name: SmolStr,
    pub ty: Ty,
    pub optional: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallSig {
    pub key: Key,
    pub name: SmolStr,
    pub params: Vec<ParamSig>,
    /// Which parameter is introduced by `by`.
    pub by: Option<usize>,
    pub is_phase: bool,
    pub on: Option<Key>,
    /// Declared result.
    pub result: Option<Ty>,
    /// Its first line could not be read as a whole, which is told there.
    pub open: bool,
}

/// Parameters of an action, phase, define, fact, table or keyword. `name` picks a phase written in place.
#[salsa::tracked]
pub fn call_sig<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, name: Wanted<'db>) -> CallSig {
    let parsed = parse(db, item);
    let module = item.file(db).module(db);
    let wanted = name.name(db);
    let mut ignored = Vec::new();
    let plain = |params: &[ast::Param], ignored: &mut Vec<Diagnostic>| -> Vec<ParamSig> {
        params.iter().map(|p| param_sig(db, universe, module, None, p, ignored)).collect()
    };
    let mut sig = CallSig { key: key_of(module, wanted), name: wanted.clone(), ..CallSig::default() };
    let result =
        |ty: &Option<ast::Type>, ignored: &mut Vec<Diagnostic>| ty.as_ref().map(|t| resolve_type(db, universe, module, t, ignored));
    match &parsed.item.kind {
        ast::ItemKind::Define(d) => {
            sig.params = plain(&d.params, &mut ignored);
            sig.result = result(&d.result, &mut ignored);
            if let Some(on) = &d.on {
                let ty = match find(db, universe, module, &on.text, &[DeclKind::Kind]) {
                    Some(found) => {
                        sig.on = Some(found.key.clone());
                        Ty::Kind(found.key.clone())
                    }
                    None => Ty::Error,
                };
                sig.params.insert(0, ParamSig { prep: None, name: SmolStr::new("it"), ty, optional: false });
            }
        }
        ast::ItemKind::Fact(f) => {
            sig.params = plain(&f.params, &mut ignored);
            sig.result = result(&f.result, &mut ignored);
        }
        ast::ItemKind::Table(t) => {
            sig.params = plain(&t.params, &mut ignored);
            sig.result = result(&t.result, &mut ignored);
        }
        ast::ItemKind::Keyword(k) => {
            if let Some(p) = &k.param {
                sig.params.push(ParamSig { prep: None, name: SmolStr::new(&p.name.text), ty: Ty::Int(Range::default()), optional: false });
            }
            sig.on = k.on.as_ref().and_then(|w| find(db, universe, module, &w.text, &[DeclKind::Kind])).map(|f| f.key.clone());
        }
        ast::ItemKind::Action(a) => {
            let mut chosen = (*a.name.text == **wanted).then_some(a);
            crate::items::inner_phases(&a.block, &mut |p| {
                if chosen.is_none() && *p.name.text == **wanted {
                    chosen = Some(p);
                }
            });
            if let Some(a) = chosen {
                sig.open = parsed.errors.iter().any(|e| a.name.span.start <= e.span.start && e.span.start < a.block.span.start);
                sig.is_phase = a.is_phase;
                for p in &a.params {
                    if p.prep.as_ref().is_some_and(|w| &*w.text == "by") {
                        sig.by = Some(sig.params.len());
                    }
                    sig.params.push(param_sig(db, universe, module, p.prep.as_ref(), &p.param, &mut ignored));
                }
            }
        }
        _ => {}
    }
    sig
}

fn param_sig(
    db: &dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    prep: Option<&ast::Word>,
    p: &ast::Param,
    ignored: &mut Vec<Diagnostic>,
) -> ParamSig {
    let ty = match &p.ty {
        Some(ty) => resolve_type(db, universe, module, ty, ignored),
        None => Ty::Error,
    };
    ParamSig {
        prep: prep.map(|w| SmolStr::new(&w.text)),
        name: SmolStr::new(&p.name.text),
        optional: p.default.is_some() || matches!(ty, Ty::Optional(_)),
        ty,
    }
}

/// The members of an enum (or of an option's inline choice), those added with `also` included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumInfo {
    pub open: bool,
    /// Name and label.
    pub members: Vec<(SmolStr, SmolStr)>,
}

#[salsa::interned(debug)]
pub struct KeyName<'db> {
    #[returns(ref)]
    pub text: SmolStr,
}

#[salsa::tracked]
pub fn enum_info<'db>(db: &'db dyn salsa::Database, universe: Universe, key: KeyName<'db>) -> EnumInfo {
    let key = key.text(db);
    let mut out = EnumInfo::default();
    let Some((module, name)) = split_key(key) else { return out };
    for found in declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name))) {
        match &parse(db, found.item).item.kind {
            ast::ItemKind::Enum(e) if found.kind == DeclKind::Enum => {
                out.open = e.open;
                out.members.extend(e.members.iter().map(member));
            }
            ast::ItemKind::Ruleset(r) if found.kind == DeclKind::Option => {
                for option in &r.options {
                    if *option.name.text == *name
                        && let ast::TypeKind::OneOf(words) = &option.ty.kind
                    {
                        out.members.extend(words.iter().map(|w| (SmolStr::new(&w.text), crate::items::spaced(&w.text))));
                    }
                }
            }
            _ => {}
        }
    }
    if out.open {
        for added in also_members(db, universe) {
            if added.0 == *key && !out.members.iter().any(|(n, _)| *n == added.1) {
                out.members.push((added.1.clone(), added.2.clone()));
            }
        }
    }
    out
}

fn member(m: &ast::EnumMember) -> (SmolStr, SmolStr) {
    let label = match &m.label {
        Some(s) => SmolStr::new(&s.text),
        None => crate::items::spaced(&m.name.text),
    };
    (SmolStr::new(&m.name.text), label)
}

/// Every `enum X also { … }` of one file: the enum's name as written, member, label.
#[salsa::tracked]
fn file_also(db: &dyn salsa::Database, file: crate::db::SourceFile) -> Vec<(SmolStr, SmolStr, SmolStr)> {
    let mut out = Vec::new();
    for item in rule_items(db, file) {
        if !item.header(db).starts_with("enum ") {
            continue;
        }
        if let ast::ItemKind::Enum(e) = &parse(db, *item).item.kind
            && e.also
        {
            for m in &e.members {
                let (name, label) = member(m);
                out.push((SmolStr::new(&e.name.text), name, label));
            }
        }
    }
    out
}

/// Every added member of the universe: key of the enum, member, label.
#[salsa::tracked]
fn also_members(db: &dyn salsa::Database, universe: Universe) -> Vec<(Key, SmolStr, SmolStr)> {
    let mut out = Vec::new();
    for file in universe.files(db).iter().chain(universe.library(db)) {
        for (name, member, label) in file_also(db, *file) {
            if let Some(found) = find(db, universe, file.module(db), name, &[DeclKind::Enum]) {
                out.push((found.key.clone(), member.clone(), label.clone()));
            }
        }
    }
    out.sort();
    out
}

/// The nearest declaration of a name that is of one of the kinds.
pub fn find<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    module: &SmolStr,
    name: &str,
    kinds: &[DeclKind],
) -> Option<&'db Found<'db>> {
    lookup(db, universe, Wanted::new(db, module.clone(), SmolStr::new(name))).iter().find(|f| kinds.contains(&f.kind))
}

/// A declaration by its key.
pub fn by_key<'db>(db: &'db dyn salsa::Database, universe: Universe, key: &str, kinds: &[DeclKind]) -> Option<&'db Found<'db>> {
    let (module, name) = split_key(key)?;
    declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name))).iter().find(|f| kinds.contains(&f.kind))
}

pub fn kind_by_key<'db>(db: &'db dyn salsa::Database, universe: Universe, key: &str) -> Option<&'db KindInfo> {
    by_key(db, universe, key, &[DeclKind::Kind]).map(|found| kind_info(db, universe, found.item))
}

/// Every kind of the universe that a module can see, by key, in order.
#[salsa::tracked(returns(deref))]
pub fn visible_kinds<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Vec<Key> {
    let mut out = Vec::new();
    for seen in visible(db, universe, module) {
        let names = names::module_names(db, universe, ModuleName::new(db, seen.clone()));
        for found in names.entries.iter().flat_map(|e| &e.found) {
            if found.kind == DeclKind::Kind {
                out.push(found.key.clone());
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// Kinds that may hold parts of this kind.
pub fn holders_of(db: &dyn salsa::Database, universe: Universe, module: &SmolStr, part: &KindInfo) -> Vec<Key> {
    visible_kinds(db, universe, ModuleName::new(db, module.clone()))
        .iter()
        .filter(|key| kind_by_key(db, universe, key).is_some_and(|k| k.parts.iter().any(|p| part.is_a(p))))
        .cloned()
        .collect()
}

/// The kind players are made of, as seen from a module: the most derived one.
#[salsa::tracked]
pub fn player_kind<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<Key> {
    let mut best: Option<&KindInfo> = None;
    for key in visible_kinds(db, universe, module) {
        if let Some(kind) = kind_by_key(db, universe, key)
            && kind.roles.player
            && best.is_none_or(|b| kind.is.len() > b.is.len())
        {
            best = Some(kind);
        }
    }
    best.map(|k| k.key.clone())
}

/// The lengths a module measures in: the base length of the nearest ruleset that declares any. Rulesets with the same base length share it: an
/// inch is an inch.
#[salsa::tracked]
pub fn length_family<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<SmolStr> {
    let own = measuring_ruleset(db, universe, module).and_then(base_length);
    // what every rule system can use is measured as the project measures
    own.or_else(|| {
        let of_project = || universe.files(db).iter().map(|file| ModuleName::new(db, file.module(db).clone()));
        let is_prelude = module.text(db).as_str() == names::PRELUDE;
        is_prelude.then(|| of_project().find_map(|module| measuring_ruleset(db, universe, module).and_then(base_length))).flatten()
    })
}

/// How a module measures: what the ruleset of its lengths says with `measure`. The prelude measures as the project does that uses it.
#[salsa::tracked(returns(copy))]
pub fn board<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Board {
    if module.text(db) == names::PRELUDE {
        return boards(db, universe);
    }
    measuring_ruleset(db, universe, module).map_or(Board::Centres, measured)
}

/// How the project measures, told from the first of its modules that has lengths.
#[salsa::tracked(returns(copy))]
pub fn boards(db: &dyn salsa::Database, universe: Universe) -> Board {
    let of = |file: &SourceFile| measuring_ruleset(db, universe, ModuleName::new(db, file.module(db).clone()));
    universe.files(db).iter().find_map(of).map_or(Board::Centres, measured)
}

/// The base length of the project's own rules, and its sign.
#[salsa::tracked]
pub fn own_length(db: &dyn salsa::Database, universe: Universe) -> Option<(SmolStr, SmolStr)> {
    let of = |file: &SourceFile| measuring_ruleset(db, universe, ModuleName::new(db, file.module(db).clone()));
    let base = universe.files(db).iter().find_map(of)?.lengths.iter().find(|l| l.value.is_none())?;
    Some((SmolStr::new(&base.name.text), SmolStr::new(&base.signs.first()?.text)))
}

fn measured(r: &ast::Ruleset) -> Board {
    let name = r.lines.iter().find_map(|line| match line {
        ast::Line::Field { name, value, .. } if &*name.text == "measure" => match &value.kind {
            ast::ExprKind::Name(n) => Board::named(n),
            _ => None,
        },
        _ => None,
    });
    name.unwrap_or_default()
}

fn measuring_ruleset<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<&'db ast::Ruleset> {
    match &parse(db, measuring_item(db, universe, module)?).item.kind {
        ast::ItemKind::Ruleset(r) => Some(r),
        _ => None,
    }
}

/// The item that declares the lengths of a module. A query of its own: it is asked for each file of a project, and there may be thousands in a module.
#[salsa::tracked(returns(copy))]
fn measuring_item<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<Item<'db>> {
    let declares_lengths = |file: &SourceFile| names::file_names(db, *file).iter().find(|f| f.kind == DeclKind::Length).map(|f| f.item);
    let is_ruleset = |item: &Item<'db>| matches!(parse(db, *item).item.kind, ast::ItemKind::Ruleset(_));
    let files = visible(db, universe, module).iter().flat_map(|seen| modules(db, universe).get(seen).into_iter().flatten());
    files.filter_map(declares_lengths).find(is_ruleset)
}

/// The signs of the base lengths of the universe, by their names.
#[salsa::tracked(returns(deref))]
pub fn base_signs(db: &dyn salsa::Database, universe: Universe) -> Vec<(SmolStr, SmolStr)> {
    let (mut out, mut met) = (Vec::new(), FxHashSet::default());
    for file in universe.files(db).iter().chain(universe.library(db)) {
        for found in names::file_names(db, *file).iter().filter(|f| f.kind == DeclKind::Length) {
            // a ruleset with many lengths is found by each of them
            let ast::ItemKind::Ruleset(r) = &parse(db, found.item).item.kind else { continue };
            if !met.insert(found.item) {
                continue;
            }
            for length in r.lengths.iter().filter(|l| l.value.is_none()) {
                if let Some(sign) = length.signs.first() {
                    out.push((SmolStr::new(&length.name.text), SmolStr::new(&sign.text)));
                }
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// The name of a ruleset's base length: the one that is not made of another.
pub fn base_length(r: &ast::Ruleset) -> Option<SmolStr> {
    r.lengths.iter().find(|l| l.value.is_none()).map(|l| SmolStr::new(&l.name.text))
}
