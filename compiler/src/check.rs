//! Everything that is wrong with one item, and what follows from looking at all of them.

use banneret_grammar::code::{Lost, Named};
use banneret_grammar::span::Span;
use banneret_grammar::{SyntaxError, ast};
use smol_str::SmolStr;

use crate::build::lowered;
use crate::db::Universe;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::elaborate::{Elaborated, elaborate};
use crate::endless::{Always, always};
use crate::follow;
use crate::hir::{self, Key};
use crate::idle::{self, Idle};
use crate::items::{Decl, DeclKind, Item, is_card, parse};
use crate::key::{item_of_key, member_key};
use crate::limits::Printed;
use crate::names::{ModuleName, Wanted, declared};
use crate::words::unsaid;

/// What a check has to know of an item.
#[derive(Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What is wrong, spans relative to the item.
    pub found: Vec<Diagnostic>,
    /// What is not told because it follows from something else that is.
    pub withheld: Vec<Diagnostic>,
    /// What cannot be said in bytecode, of an item with nothing else wrong. Told if nothing is wrong anywhere: else it may follow from that.
    pub unbuildable: Vec<Diagnostic>,
    /// What its rules do and its words leave out, of an item with nothing else wrong. What something says follows from what it names: see `names_wrong`.
    pub unsaid: Vec<Diagnostic>,
    /// What it reads, sets and asks for, so that what nobody reads or nothing ever is can be told.
    pub(crate) idle: Idle,
    /// Of an action: what it always does.
    pub(crate) always: Option<Always>,
    /// Values it adds to an enum of others.
    pub adds: Vec<(Key, Span)>,
    /// It could be read at all.
    pub readable: bool,
    /// A card that others build on.
    pub template: bool,
    /// How many `todo`s are in it.
    pub todos: usize,
    /// Of a card: what limits can see of it.
    pub printed: Option<Printed>,
}

#[salsa::tracked]
pub fn analysis<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Analysis {
    let meant = elaborate(db, universe, item);
    let Found { told, withheld } = found(db, universe, item, meant);
    let is_fine = withheld.is_empty() && told.iter().all(|d| d.severity != Severity::Error);
    let unbuildable: &[(Span, String)] = if is_fine { &lowered(db, universe, item).problems } else { &[] };
    let unsaid = if told.is_empty() && withheld.is_empty() { unsaid(db, universe, item, &meant.hir) } else { Vec::new() };
    Analysis {
        found: told,
        withheld,
        unbuildable: unbuildable.iter().map(|(span, words)| cannot_build(*span, words)).collect(),
        unsaid,
        idle: Idle::of(db, universe, &meant.hir),
        always: always(&meant.hir),
        adds: adds(db, item, &meant.hir),
        readable: meant.readable,
        template: matches!(&meant.hir, hir::Item::Card(card) if card.template),
        todos: todos(item.text(db)),
        printed: match &meant.hir {
            hir::Item::Card(card) => Some(Printed::of(card)),
            _ => None,
        },
    }
}

/// Whether something that an item names is wrong itself: what only shows by naming it then follows from that.
pub(crate) fn names_wrong(db: &dyn salsa::Database, universe: Universe, meant: &Elaborated) -> bool {
    let is_wrong = |meant: &Elaborated| !meant.errors.is_empty() || !meant.diagnostics.is_empty();
    let named = |key: &Key| {
        let (module, name) = item_of_key(key)?;
        Some(declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name))))
    };
    meant.uses.iter().filter_map(named).flatten().any(|found| !is_card(db, found.item) && is_wrong(elaborate(db, universe, found.item)))
}

/// What a check and a build say of an item that has no bytecode.
pub(crate) fn cannot_build(span: Span, words: &str) -> Diagnostic {
    Diagnostic::error(Code::CannotBuild, span, words)
}

/// How many `todo`s are in a text.
pub(crate) fn todos(text: &str) -> usize {
    text.matches("todo \"").count()
}

/// The values that an `enum … also` adds, by their keys.
fn adds<'db>(db: &'db dyn salsa::Database, item: Item<'db>, meant: &hir::Item) -> Vec<(Key, Span)> {
    let hir::Item::Enum(meant) = meant else { return Vec::new() };
    match &parse(db, item).item.kind {
        ast::ItemKind::Enum(added) if added.also => {
            added.members.iter().map(|member| (member_key(&meant.key, &member.name.text), member.name.span)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is wrong in one item, spans relative to it.
struct Found {
    told: Vec<Diagnostic>,
    /// What only follows from something that is told, here or elsewhere.
    withheld: Vec<Diagnostic>,
}

impl Found {
    fn told(told: Vec<Diagnostic>) -> Self {
        Self { told, withheld: Vec::new() }
    }
}

fn found<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, meant: &Elaborated) -> Found {
    let mut out: Vec<Diagnostic> = meant
        .errors
        .iter()
        .map(|e| {
            let mut d = Diagnostic::error(e.code, e.span, e.message.clone());
            d.help = e.help.clone();
            if let Some((span, text)) = &e.fix {
                let title = match (text.is_empty(), span.start == span.end) {
                    (true, _) => "Remove it".to_string(),
                    (false, true) => format!("Insert `{}`", text.trim()),
                    (false, false) => format!("Write `{}`", text.trim()),
                };
                d.fixes.push(Fix { title, edits: vec![(*span, text.clone())], safe: true });
            }
            d
        })
        .collect();
    // what is left over because its other half is missing
    if meant.diagnostics.iter().any(|d| d.code.presumes().line) {
        out.retain(|syntax| !meant.diagnostics.iter().any(|d| d.code.presumes().line && d.code.explains(syntax.code)));
    }
    if !meant.readable || !meant.diagnostics.is_empty() && follow::block_is_below(db, item) {
        return Found::told(out);
    }
    let is_use = !is_card(db, item) && matches!(parse(db, item).item.kind, ast::ItemKind::Use(_));
    if !meant.diagnostics.is_empty() || is_use {
        let module = ModuleName::new(db, item.file(db).module(db).clone());
        if let Some(at) = follow::other_rules(db, universe, module) {
            out.extend((at == item).then(|| follow::wrong_rules(db, universe, item)));
            return Found::told(out);
        }
    }
    if is_use {
        out.extend(follow::second_game(db, universe, item));
        out.extend(follow::used_above(db, item));
    }
    // what is no item at all cannot be read as one either
    out.retain(|syntax| !meant.diagnostics.iter().any(|d| d.code.explains(syntax.code)));
    let lines_lost = !meant.errors.is_empty();
    // asked only where something is wrong
    let module = || ModuleName::new(db, item.file(db).module(db).clone());
    let rules_lost = || follow::without_rules(db, universe, module());
    let names_lost = || follow::uses_unknown(db, universe, module()) || rules_lost().is_some();
    let text: &str = item.text(db);
    // the part of a line that could not be read is the cause of what else is wrong there
    let in_lost_line = |d: &Diagnostic| {
        let near = |e: &SyntaxError| {
            let (from, to) = (e.span.start.min(d.span.start) as usize, e.span.start.max(d.span.start) as usize);
            text.get(from..to).is_some_and(|between| !between.contains(['\n', ',', ';', '{', '}']))
        };
        // behind a forgotten brace nothing stands where it belongs, and of a list without its bracket only the first entry does
        let lost_place = |e: &SyntaxError| match e.code.loses() {
            Lost::AllBehind => d.span.start > e.span.start,
            Lost::TwoLines => {
                let (from, to) = (e.span.start.min(d.span.start) as usize, e.span.start.max(d.span.start) as usize);
                d.code.presumes().block && text.get(from..to).is_some_and(|between| between.matches('\n').count() < 2)
            }
            Lost::Nothing => false,
        };
        d.code.presumes().line && meant.errors.iter().any(|e| near(e) || lost_place(e))
    };
    // a misspelt `use`, unless it is told that there is none
    let is_cause = || follow::is_misspelt_use(db, universe, item) && rules_lost().is_none();
    // the word itself, or the verb before a preposition
    let names_lost_item = |d: &Diagnostic| {
        // only where it is asked for: a line may be long, and many mistakes in it
        let line = || text.get(..d.span.start as usize)?.rsplit(['\n', '{']).next();
        let verb = if d.code.presumes().names == Named::Verb { line().and_then(|line| line.split_whitespace().next()) } else { None };
        follow::is_lost(db, universe, item, verb.unwrap_or(d.span.of(text)))
    };
    let follows = |d: &Diagnostic| {
        (lines_lost && (d.code.presumes().all_lines || in_lost_line(d)))
            || (d.code.presumes().names != Named::Nothing && !is_cause() && (names_lost() || names_lost_item(d)))
    };
    if meant.diagnostics.iter().any(|d| d.code.presumes().names == Named::Here) && rules_lost() == Some(item) {
        out.push(follow::no_rules(db, universe, item));
    }
    let (withheld, told): (Vec<Diagnostic>, Vec<Diagnostic>) = meant.diagnostics.iter().cloned().partition(|d| follows(d));
    out.extend(told);
    if out.is_empty() && withheld.is_empty() {
        out.extend(idle::found(&meant.hir));
    }
    out.extend(crate::printed::homeless_rules(db, universe, item, &meant.hir));
    Found { told: out, withheld }
}

/// Which names get in each other's way.
fn family(kind: DeclKind) -> Option<u8> {
    Some(match kind {
        DeclKind::Kind | DeclKind::Enum => 0,
        DeclKind::Define | DeclKind::Fact | DeclKind::Table | DeclKind::Action | DeclKind::Phase | DeclKind::Noun | DeclKind::Option => 1,
        DeclKind::Card => 2,
        DeclKind::Keyword => 3,
        DeclKind::Ruleset => 4,
        _ => return None,
    })
}

/// Names of this item that an earlier item of its module has taken; `taken` are those that are given twice. Asked for each report of a file and not kept: whoever adds or takes away a
/// name changes what files show each other, and then every report is made anew.
pub(crate) fn twice<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    item: Item<'db>,
    declares: &[Decl],
    taken: &[SmolStr],
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let module = item.file(db).module(db);
    for decl in declares {
        let Some(group) = family(decl.kind).filter(|_| taken.binary_search(&decl.name).is_ok()) else { continue };
        let all = declared(db, universe, Wanted::new(db, module.clone(), decl.name.clone()));
        // there may be thousands of one name, and each asks
        let mut same = all.iter().filter(|f| family(f.kind) == Some(group)).map(|f| f.item);
        let Some(first) = same.next() else { continue };
        if first == item && !same.any(|other| other == item) {
            continue;
        }
        if first == item && decl.kind == DeclKind::Noun {
            continue;
        }
        let at = if first.file(db) == item.file(db) { "above in this file".to_string() } else { format!("in {}", first.file(db).path(db)) };
        out.push(
            Diagnostic::error(Code::DuplicateName, decl.span, format!("There already is something called `{}`.", decl.name))
                .note(format!("The first one is {at}."))
                .help("Give one of them another name."),
        );
    }
    out
}
