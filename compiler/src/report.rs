//! What a check says of one file, and what only shows when all files are looked at.
//!
//! Deliberately absent: any memory. What is worked out is kept by salsa; why an edit among tens of thousands of cards does not look at each of
//! them again is told at [`SourceFile`].

use banneret_grammar::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::api::located;
use crate::check::{analysis, names_wrong, twice};
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Code, Diagnostic, Located, Severity};
use crate::elaborate::elaborate;
use crate::endless::{Always, circles};
use crate::fixes;
use crate::hir::{Key, Waiting};
use crate::idle::{Idle, Known};
use crate::items::{DeclKind, declares_now, is_card, items, rule_items};
use crate::key::last_name;
use crate::names::{ModuleName, file_names, key_of, names_given_twice, short};

/// What a check says of the items of one file, and what it has to know of them to speak about the whole project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub found: Vec<Located>,
    /// What follows from something else. If nothing else is told, this is.
    pub withheld: Vec<Located>,
    /// What cannot be built, told if nothing else is wrong.
    pub unbuildable: Vec<Located>,
    pub cards: usize,
    pub items: usize,
    pub todos: usize,
    pub has_errors: bool,
    /// What its items name besides themselves, and the actions they call.
    pub uses: FxHashSet<Key>,
    pub calls: FxHashSet<Key>,
    /// Actions its rules wait for, and where that is said.
    waits: Vec<(Key, Span, Waiting)>,
    /// What its items read, set and ask for.
    idle: Idle,
    /// What its actions always do.
    always: Vec<Always>,
    /// Definitions that something should use.
    definitions: Vec<(Key, Span)>,
}

#[salsa::tracked]
pub(crate) fn report(db: &dyn salsa::Database, universe: Universe, file: SourceFile) -> Report {
    let mut report = Report::default();
    let path = file.path(db);
    let taken = names_given_twice(db, universe, ModuleName::new(db, file.module(db)));
    for item in items(db, file) {
        let item = *item;
        report.items += 1;
        report.cards += usize::from(is_card(db, item));
        let start = item.start(db);
        let (analysis, meant) = (analysis(db, universe, item), elaborate(db, universe, item));
        report.todos += analysis.todos;
        report.withheld.extend(analysis.withheld.iter().map(|d| located(path, start, d.clone())));
        report.unbuildable.extend(analysis.unbuildable.iter().map(|d| located(path, start, d.clone())));
        report.found.extend(analysis.found.iter().map(|d| located(path, start, d.clone())));
        if !analysis.unsaid.is_empty() {
            let follows = names_wrong(db, universe, meant);
            let to = if follows { &mut report.withheld } else { &mut report.found };
            to.extend(analysis.unsaid.iter().map(|d| located(path, start, d.clone())));
        }
        report.waits.extend(meant.waits.iter().map(|(action, span, why)| (action.clone(), span.shifted(start), *why)));
        note(&mut report.calls, meant.calls.iter());
        report.always.extend(analysis.always.as_ref().map(|always| always.shifted(start)));
        // what an item says of itself does not count
        let declares = declares_now(db, item);
        let own: Vec<Key> = declares.iter().map(|d| key_of(file.module(db), &d.name)).collect();
        note(&mut report.uses, meant.uses.iter().filter(|key| !own.contains(key)));
        if analysis.readable {
            report.found.extend(twice(db, universe, item, &declares, taken).into_iter().map(|d| located(path, start, d)));
        }
        for (decl, key) in declares.iter().zip(own) {
            if should_be_used(decl.kind, analysis.template) {
                report.definitions.push((key, decl.span.shifted(start)));
            }
        }
        report.definitions.extend(analysis.adds.iter().map(|(key, span)| (key.clone(), span.shifted(start))));
    }
    report.idle = Idle::of_file(items(db, file).iter().map(|item| (&analysis(db, universe, *item).idle, item.start(db))));
    for located in report.found.iter_mut().chain(&mut report.withheld) {
        fixes::weigh(file.text(db), &mut located.diagnostic);
    }
    report.has_errors = report.found.iter().any(|l| l.diagnostic.severity == Severity::Error);
    report
}

/// That the actions of a circle never end, told where the first of them calls the next; None if that is in another file.
fn endless(circle: &[&Key], report: &Report) -> Option<Diagnostic> {
    let (first, others) = circle.split_first()?;
    let next = others.first().unwrap_or(first);
    let always = report.always.iter().find(|always| always.action == **first)?;
    let (_, at) = always.calls.iter().find(|(called, _)| called == *next)?;
    let name = short(first);
    let over: Vec<String> = others.iter().map(|action| format!("`{}`", short(action))).collect();
    let words = match over.is_empty() {
        true => format!("Whenever `{name}` happens it happens again, so it never ends."),
        false => format!("Whenever `{name}` happens it happens again, by {}, so it never ends.", over.join(" and ")),
    };
    let help =
        format!("Say when it stops: put it into an `if`, or write `repeat … {{ … }}` instead of a `{}` within `{name}`.", short(next));
    Some(Diagnostic::warning(Code::EndlessAction, *at, words).help(help))
}

/// That a line needs something that never happens.
fn never(action: &Key, at: Span, why: Waiting) -> Diagnostic {
    let name = short(action);
    let (words, help) = match why {
        Waiting::Answer => {
            (format!("Nothing ever does `{name}`, so this rule never applies."), "Wait for an action that some rule or card calls.")
        }
        Waiting::Until => {
            (format!("Nothing ever does `{name}`, so this never ends."), "Name something that happens, or write `for the game`.")
        }
        Waiting::Forbid => {
            (format!("Nothing ever does `{name}`, so this forbids nothing."), "Forbid an action that some rule or card calls.")
        }
        Waiting::Once => (
            format!("Nothing ever does `{name}`, so this happens once and never again."),
            "Name something that happens, or write `once per game`.",
        ),
    };
    Diagnostic::warning(Code::NeverHappens, at, words).help(help)
}

fn note<'a>(noted: &mut FxHashSet<Key>, keys: impl Iterator<Item = &'a Key>) {
    for key in keys {
        if !noted.contains(key) {
            noted.insert(key.clone());
        }
    }
}

fn should_be_used(kind: DeclKind, template: bool) -> bool {
    use DeclKind::*;
    matches!(kind, Define | Fact | Table | Keyword | Action | Phase | Enum) || kind == Card && template
}

/// Works out what is asked of every file before anything else: cut into items, and what those are called.
pub(crate) fn prepare(db: &dyn salsa::Database, file: SourceFile) {
    file_names(db, file);
    rule_items(db, file);
}

/// Definitions of a project that nothing uses, and rules that wait for what never happens.
pub(crate) fn across_files(
    db: &dyn salsa::Database,
    universe: Universe,
    own: &[(SourceFile, &Report)],
    libraries: &[&Report],
) -> Vec<Located> {
    // libraries first: most of what is asked for is theirs
    let all = || libraries.iter().copied().chain(own.iter().map(|(_, report)| *report));
    let known = Known::of(all().map(|report| &report.idle));
    let mut happens: FxHashMap<&Key, bool> = FxHashMap::default();
    let tell = |file: SourceFile, diagnostic| Located { file: file.path(db).to_string(), diagnostic };
    let mut out = Vec::new();
    let actions = || own.iter().flat_map(|(_, report)| &report.always);
    for circle in circles(actions(), actions().chain(libraries.iter().flat_map(|report| &report.always))) {
        out.extend(own.iter().find_map(|(file, report)| Some(tell(*file, endless(&circle, report)?))));
    }
    // a rule system is made to be used by others, and so is what stands for a library
    let made_for_others =
        |f: &SourceFile| !f.module(db).starts_with('@') || rule_items(db, *f).iter().any(|i| i.header(db).starts_with("ruleset"));
    let library = universe.files(db).iter().any(made_for_others);
    for (file, report) in own {
        // the whole game is a scope that nobody opens
        for (action, span, why) in report.waits.iter().filter(|(action, _, _)| !action.starts_with("prelude/")) {
            if *why != Waiting::Answer && !known.is_played() {
                continue;
            }
            if !*happens.entry(action).or_insert_with(|| all().any(|report| report.calls.contains(action))) {
                out.push(tell(*file, never(action, *span, *why)));
            }
        }
        out.extend(known.in_vain(&report.idle).into_iter().map(|found| tell(*file, found)));
        for (key, span) in report.definitions.iter().filter(|_| !library) {
            if !all().any(|report| report.uses.contains(key)) {
                let name = last_name(key);
                let words = format!("Nothing uses `{name}`.");
                out.push(tell(*file, Diagnostic::warning(Code::UnusedDefinition, *span, words).help("Remove it, or use it.")));
            }
        }
    }
    out
}
