//! HIR by hand, and a check that a linked pack holds together.
#![allow(dead_code)]

use banneret_compiler::hir::*;
use banneret_compiler::link::{LinkInput, LinkProblem, Linked, Project, link};
use banneret_compiler::lower::{IdMut, Ids, Lowered, lower_item};
use banneret_compiler::ty::Ty;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::pack::{FieldRole, Pack, Roles};
use banneret_runtime::table::Board;

pub fn e(kind: ExprKind) -> Expr {
    Expr { kind, ty: Ty::Error, span: Span::new(1, 2) }
}

pub fn int(v: i64) -> Expr {
    e(ExprKind::Int(v))
}

pub fn yes() -> Expr {
    e(ExprKind::Bool(true))
}

pub fn ev(name: &str) -> Expr {
    e(ExprKind::EventField(name.into()))
}

pub fn this() -> Expr {
    e(ExprKind::This)
}

pub fn local(n: u32) -> Expr {
    e(ExprKind::Local(Local(n)))
}

pub fn all_of(kind: &str) -> Expr {
    e(ExprKind::AllOf(kind.into()))
}

pub fn field(base: Expr, key: &str) -> Expr {
    e(ExprKind::Field { base: Box::new(base), field: key.into(), raw: false })
}

pub fn add(a: Expr, b: Expr) -> Expr {
    e(ExprKind::Add(Box::new(a), Box::new(b)))
}

pub fn sub(a: Expr, b: Expr) -> Expr {
    e(ExprKind::Sub(Box::new(a), Box::new(b)))
}

pub fn and(a: Expr, b: Expr) -> Expr {
    e(ExprKind::And(Box::new(a), Box::new(b)))
}

pub fn cmp(how: Compare, a: Expr, b: Expr) -> Expr {
    e(ExprKind::Compare(how, Box::new(a), Box::new(b)))
}

pub fn eq(a: Expr, b: Expr) -> Expr {
    cmp(Compare::Eq, a, b)
}

pub fn filter(list: Expr, it: u32, body: Expr) -> Expr {
    let lambda = Lambda { params: vec![Local(it)], body: Box::new(body) };
    e(ExprKind::Each { op: EachOp::Filter, list: Box::new(list), lambda })
}

pub fn fun(fun: Fun, args: Vec<Expr>) -> Expr {
    e(ExprKind::Fun(fun, args))
}

pub fn call(action: &str, args: Vec<Option<Expr>>) -> Expr {
    e(ExprKind::Emit { action: action.into(), args, each: None })
}

pub fn s(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::new(3, 4) }
}

pub fn do_(expr: Expr) -> Stmt {
    s(StmtKind::Expr(expr))
}

pub fn block(stmts: Vec<Stmt>) -> Block {
    Block { stmts }
}

pub fn param(prep: Option<&str>, name: &str) -> ActionParam {
    ActionParam { prep: prep.map(Into::into), name: name.into(), ty: Ty::Error, default: None }
}

pub fn action(key: &str, params: Vec<ActionParam>, head: usize, stmts: Vec<Stmt>) -> Action {
    Action {
        told: None,
        key: key.into(),
        name: key.rsplit('/').next().unwrap_or(key).into(),
        params,
        bound: Vec::new(),
        by: None,
        once: None,
        is_phase: false,
        head,
        body: Some(block(stmts)),
        says: None,
        words: Vec::new(),
        inner: Vec::new(),
    }
}

pub fn kind(key: &str, is: &[&str], fields: Vec<Field>) -> Kind {
    Kind {
        key: key.into(),
        name: key.rsplit('/').next().unwrap_or(key).into(),
        is: std::iter::once(&key).chain(is).map(|one| (*one).into()).collect(),
        roles: Roles { card: true, ..Roles::default() },
        rank: 0,
        fields,
        rules: Vec::new(),
        limits: Vec::new(),
        words: Vec::new(),
        says: None,
    }
}

pub fn kfield(key: &str, role: FieldRole) -> Field {
    Field {
        key: key.into(),
        name: key.rsplit('.').next().unwrap_or(key).into(),
        role,
        ty: Ty::Error,
        default: None,
        low: None,
        high: None,
        starts_full: false,
    }
}

pub fn card(key: &str, kind: &str) -> Card {
    let name = key.rsplit(['/', '.']).next().unwrap_or(key);
    Card {
        key: key.into(),
        name: name.into(),
        title: name.into(),
        kind: kind.into(),
        values: Vec::new(),
        values_of: Vec::new(),
        of: None,
        keywords: Vec::new(),
        rules: Vec::new(),
        parts: Vec::new(),
        once: None,
        rows: Vec::new(),
        template: false,
        says: None,
        flavour: None,
        todos: Vec::new(),
        span: Span::new(0, 40),
        name_span: Span::new(5, 9),
    }
}

pub fn handler(when: When, actions: &[&str], guard: Option<Expr>, stmts: Vec<Stmt>) -> Rule {
    let actions = actions.iter().map(|one| (*one).into()).collect();
    Rule {
        kind: RuleKind::Handler { when, actions, guard, once: None, body: block(stmts), matches: Vec::new() },
        span: Span::new(6, 7),
        of: None,
    }
}

pub fn lowered(items: &[Item]) -> Vec<Lowered> {
    items.iter().map(|item| lower_item(item, Board::Centres)).collect()
}

/// Lowers and links items as if each had a file of its own.
pub fn linked(items: &[Item]) -> Result<Linked, Vec<LinkProblem>> {
    linked_as(&Project::default(), items, &(0..items.len()).collect::<Vec<_>>())
}

pub fn linked_as(project: &Project, items: &[Item], order: &[usize]) -> Result<Linked, Vec<LinkProblem>> {
    let lowered = lowered(items);
    let files: Vec<String> = (0..items.len()).map(|n| format!("f{n:03}.banner")).collect();
    let parts: Vec<LinkInput> = order
        .iter()
        .map(|&n| LinkInput { file: &files[n], below: &files[n], item_start: 10, line_starts: &[0, 5, 12], lowered: &lowered[n] })
        .collect();
    link(project, &parts)
}

/// Ids and jumps in range, every fragment ends.
pub fn check(linked: &Linked) {
    let pack = &linked.pack;
    let mut copy = pack.clone();
    let mut f = |id: IdMut| in_range(pack, id);
    copy.fragments.each_id(&mut f);
    copy.bundles.each_id(&mut f);
    copy.kinds.each_id(&mut f);
    copy.fields.each_id(&mut f);
    copy.cards.each_id(&mut f);
    copy.keywords.each_id(&mut f);
    copy.actions.each_id(&mut f);
    copy.chooses.each_id(&mut f);
    copy.menus.each_id(&mut f);
    copy.grants.each_id(&mut f);
    copy.pasts.each_id(&mut f);
    copy.limits.each_id(&mut f);
    copy.tests.each_id(&mut f);
    copy.consts.each_id(&mut f);
    copy.facts.each_id(&mut f);
    copy.options.each_id(&mut f);
    for fragment in &pack.fragments {
        assert_eq!(fragment.code.len(), fragment.sites.len());
        let n = fragment.code.len() as u32;
        assert!(matches!(fragment.code.last(), Some(Instr::Return { .. } | Instr::Jump { .. })), "{:?}", fragment.code);
        for instr in &fragment.code {
            match instr {
                Instr::Jump { to }
                | Instr::JumpIf { to, .. }
                | Instr::JumpIfNot { to, .. }
                | Instr::JumpIfNone { to, .. }
                | Instr::May { no: to, .. }
                | Instr::Probe { end: to, .. } => assert!(*to < n, "{instr:?} in {:?}", fragment.code),
                Instr::Menu { menu, .. } => {
                    let menu = &pack.menus[menu.index()];
                    assert!(menu.none < n && menu.lines.iter().all(|line| *line < n));
                    assert_eq!(menu.lines.len(), menu.labels.len());
                }
                _ => {}
            }
        }
    }
    for card in 0..pack.cards.len() {
        assert!(linked.spans.card(banneret_runtime::ids::CardId(card as u32)).is_some());
    }
}

fn in_range(pack: &Pack, id: IdMut) {
    let (at, len, what) = match id {
        IdMut::Str(id) => (id.0, pack.strings.len(), "string"),
        IdMut::Const(id) => (id.0, pack.consts.len(), "const"),
        IdMut::Kind(id) => (id.0, pack.kinds.len(), "kind"),
        IdMut::Field(id) => (id.0, pack.fields.len(), "field"),
        IdMut::Card(id) => (id.0, pack.cards.len(), "card"),
        IdMut::Sym(id) => (id.0, pack.symbols.len(), "symbol"),
        IdMut::Keyword(id) => (id.0, pack.keywords.len(), "keyword"),
        IdMut::Action(id) => (id.0, pack.actions.len(), "action"),
        IdMut::Frag(id) => (id.0, pack.fragments.len(), "fragment"),
        IdMut::Bundle(id) => (id.0, pack.bundles.len(), "bundle"),
        IdMut::Option(id) => (id.0, pack.options.len(), "option"),
        IdMut::Fact(id) => (id.0, pack.facts.len(), "fact"),
        IdMut::Choose(id) => (id.0, pack.chooses.len(), "choose"),
        IdMut::Menu(id) => (id.0, pack.menus.len(), "menu"),
        IdMut::Grant(id) => (id.0, pack.grants.len(), "grant"),
        IdMut::Past(id) => (id.0, pack.pasts.len(), "past"),
        IdMut::Site(id) => (id.0, pack.sites.len(), "site"),
        IdMut::EventField(at) => (u32::from(*at), 100, "event field"),
    };
    assert!((at as usize) < len, "{what} {at} of {len}");
}

/// The code of the fragment with this name.
pub fn code<'a>(pack: &'a Pack, name: &str) -> &'a [Instr] {
    let found = pack.fragments.iter().find(|one| pack.strings[one.name.index()] == name);
    &found.unwrap_or_else(|| panic!("no fragment {name}")).code
}
