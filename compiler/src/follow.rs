//! Mistakes that only follow from another one: what is told where it was made is not told again where it shows.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Code, Diagnostic};
use crate::items::{DeclKind, Item, is_card, items, parse, rule_items, snake};
use crate::language::ITEMS;
use crate::names::{ModuleName, Wanted, lookup, module_at, module_names, modules, visible};
use crate::signature::{kind_info, player_kind};
use crate::suggest::nearest;

/// Whether a `use` of this module leads nowhere: that nobody knows a name then says nothing new.
#[salsa::tracked(returns(copy))]
pub(crate) fn uses_unknown<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> bool {
    let files = universe.files(db).iter().filter(|f| f.module(db) == module.text(db));
    if files.clone().flat_map(|f| items(db, *f)).any(|item| is_misspelt_use(db, universe, *item)) {
        return true;
    }
    let mut uses = files.flat_map(|f| rule_items(db, *f)).filter(|i| i.header(db).starts_with("use"));
    uses.any(|item| match &parse(db, *item).item.kind {
        ast::ItemKind::Use(_) => module_at(db, universe, module.text(db), &used_by(db, *item)).is_none(),
        ast::ItemKind::Broken => true,
        _ => false,
    })
}

/// `uses NAME`: a line that was meant to name rules.
pub(crate) fn is_misspelt_use<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> bool {
    let Some((word, rules)) = item.header(db).split_once(' ') else { return false };
    let is_use = || word != "use" && nearest(word, ["use"]).is_some() || matches!(word, "import" | "include" | "require");
    // the text last: whoever reads it is asked again when it changes
    is_use() && module_at(db, universe, item.file(db).module(db), rules).is_some() && !item.text(db).contains('{')
}

/// Whether the first line of an item says nothing that others could rely on: its first word is misspelt (`kinds Fighter`), typed twice or missing, or the line could not be read.
fn is_unclear<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, near: &mut NearWords<'db>) -> bool {
    let header = item.header(db);
    if !is_card(db, item) {
        // cards are many, and all others are kept anyway
        let parsed = parse(db, item);
        let line = item.text(db).trim_start().find('\n').unwrap_or(item.text(db).len());
        return item.stray(db) || parsed.errors.iter().any(|error| error.span.start as usize <= line);
    }
    let (word, name) = header.split_once(' ').unwrap_or((header, ""));
    let known = || lookup(db, universe, Wanted::new(db, item.file(db).module(db).clone(), SmolStr::new(word)));
    let mut is_near =
        || *near.entry(word).or_insert_with(|| nearest(word, ITEMS.iter().filter(|item| item.declares).map(|item| item.word)).is_some());
    word == name || is_near() && known().iter().all(|found| found.kind != DeclKind::Word)
}

/// First words of cards, and whether each may be one of those misspelt: thousands of cards start with the same.
type NearWords<'db> = FxHashMap<&'db str, bool>;

/// The words in items of a module whose first line is unclear: what they would have named is not missing.
#[salsa::tracked(returns(deref))]
fn lost_words<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Vec<SmolStr> {
    let Some(files) = modules(db, universe).get(module.text(db)) else { return Vec::new() };
    let (mut out, mut near) = (Vec::new(), NearWords::default());
    for item in files.iter().flat_map(|file| items(db, *file)).filter(|item| is_unclear(db, universe, **item, &mut near)) {
        // an enum also names its values
        let is_enum = item.header(db).starts_with("enum");
        let text: &str = if is_enum { item.text(db) } else { item.text(db).trim_start().lines().next().unwrap_or("") };
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').skip(usize::from(!item.stray(db)));
        // a kind also names the word that its cards start with
        out.extend(words.filter(|word| word.starts_with(char::is_alphabetic)).flat_map(|word| [SmolStr::new(word), snake(word)]));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether nobody knows a word because the item that would have named it could not be read.
pub(crate) fn is_lost<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, word: &str) -> bool {
    let module = ModuleName::new(db, item.file(db).module(db).clone());
    // what is wrong in such an item itself is told there
    lost_words(db, universe, module).binary_search_by(|lost| lost.as_str().cmp(word)).is_ok()
        && !is_unclear(db, universe, item, &mut NearWords::default())
}

/// The first item of a module that uses no rules and has no kinds of its own: nothing in it can mean anything.
#[salsa::tracked(returns(copy))]
pub(crate) fn without_rules<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<Item<'db>> {
    let own = module.text(db);
    let files = modules(db, universe).get(own)?;
    let has_rules = |item: &Item<'db>| ["use", "ruleset"].iter().any(|word| item.header(db).starts_with(word));
    let uses = files.iter().flat_map(|f| rule_items(db, *f)).any(has_rules);
    let names = || &module_names(db, universe, module).entries;
    if uses || names().iter().flat_map(|e| &e.found).any(|f| f.kind == DeclKind::Word) {
        return None;
    }
    // a file of definitions may do without
    names().iter().flat_map(|e| &e.found).any(|f| f.kind == DeclKind::Card).then_some(())?;
    files.iter().flat_map(|f| items(db, *f)).copied().find(|item| !item.stray(db))
}

/// The `use` of a module that names other rules than the project is written for, and not those.
#[salsa::tracked(returns(copy))]
pub(crate) fn other_rules<'db>(db: &'db dyn salsa::Database, universe: Universe, module: ModuleName<'db>) -> Option<Item<'db>> {
    // packages are written for what they say themselves
    let rules = universe.rules(db).as_ref().filter(|_| module.text(db).starts_with('@'))?;
    let library = |name: &str| universe.library(db).iter().any(|f| f.module(db) == name);
    let has_ruleset = |f: &&SourceFile| rule_items(db, **f).iter().any(|i| i.header(db).starts_with("ruleset"));
    if !library(rules) || visible(db, universe, module).contains(rules) || universe.files(db).iter().any(|f| has_ruleset(&f)) {
        return None;
    }
    let files = modules(db, universe).get(module.text(db))?;
    let uses = files.iter().flat_map(|f| rule_items(db, *f)).filter(|item| item.header(db).starts_with("use "));
    let is_game = |item: &Item<'db>| {
        let used = module_used(db, universe, *item);
        universe.library(db).iter().filter(|f| Some(f.module(db)) == used.as_ref()).any(|f| has_ruleset(&f))
    };
    uses.copied().find(is_game)
}

/// The games that a project uses, each where it first does; none if it joins them with players of its own.
#[salsa::tracked(returns(deref))]
fn games<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Vec<Item<'db>> {
    let mut uses: Vec<Item<'db>> = universe.files(db).iter().flat_map(|f| rule_items(db, *f)).copied().collect();
    let has_players = |item: &Item<'db>| item.header(db).starts_with("kind ") && kind_info(db, universe, *item).roles.player;
    if uses.iter().any(has_players) {
        return Vec::new();
    }
    uses.retain(|item| item.header(db).starts_with("use "));
    uses.sort_by_key(|item| (item.file(db).path(db), item.start(db)));
    let mut known = FxHashSet::default();
    // what has players is a game and no help for others
    let is_game = |used: &SmolStr| !used.starts_with('@') && player_kind(db, universe, ModuleName::new(db, used.clone())).is_some();
    uses.retain(|item| module_used(db, universe, *item).is_some_and(|used| known.insert(used.clone()) && is_game(&used)));
    uses
}

/// That a `use` brings a second game in.
pub(crate) fn second_game<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<Diagnostic> {
    let games = games(db, universe);
    let before = games.iter().position(|first| *first == item)?;
    let sees = |one: &str, other: &str| visible(db, universe, ModuleName::new(db, SmolStr::new(one))).iter().any(|seen| seen == other);
    let (used, module) = (used_by(db, item), module_used(db, universe, item)?);
    // one may build on the other
    let is_other =
        |other: &Item<'db>| module_used(db, universe, *other).is_some_and(|other| !sees(&other, &module) && !sees(&module, &other));
    let other = games[..before].iter().copied().find(is_other).map(|game| used_by(db, game))?;
    let start = item.text(db).find(used.as_str()).unwrap_or(0) as u32;
    let words = format!("{used} and {other} are two games, and a project is written for one.");
    Some(
        Diagnostic::error(Code::TwoGames, Span::new(start, start + used.len() as u32), words)
            .help(format!("Leave `use {used}` out, or `use {other}`; to join them, write a kind of player that is both.")),
    )
}

/// The `use`s of a file that say again what stands above them.
#[salsa::tracked(returns(ref))]
fn repeated_uses<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> FxHashSet<Item<'db>> {
    let mut known = FxHashSet::default();
    let uses = rule_items(db, file).iter().filter(|item| item.header(db).starts_with("use "));
    uses.filter(|item| !known.insert(used_by(db, **item))).copied().collect()
}

/// That a `use` says again what stands above it in its file.
pub(crate) fn used_above<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Option<Diagnostic> {
    repeated_uses(db, item.file(db)).contains(&item).then_some(())?;
    let used = used_by(db, item);
    let text: &str = item.text(db);
    let start = text.find(used.as_str()).unwrap_or(0) as u32;
    let d = Diagnostic::warning(
        Code::ChangesNothing,
        Span::new(start, start + used.len() as u32),
        format!("This file says `use {used}` already, further up."),
    );
    Some(match &parse(db, item).item.kind {
        ast::ItemKind::Use(u) if !u.with.is_empty() => d.help("Say all options in one `use`, and leave the other out."),
        _ => d.help("Leave this line out.").fix("Remove it", Span::new(0, text.len() as u32), "", true),
    })
}

/// What a `use` names, as it is written.
/// The module that a `use` brings in, if there is one.
fn module_used<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<SmolStr> {
    module_at(db, universe, item.file(db).module(db), &used_by(db, item))
}

fn used_by<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> String {
    match &parse(db, item).item.kind {
        ast::ItemKind::Use(u) => u.path.iter().map(|w| &*w.text).collect::<Vec<_>>().join("."),
        _ => String::new(),
    }
}

/// That a module uses the rules of another game.
pub(crate) fn wrong_rules<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Diagnostic {
    let used = used_by(db, item);
    let rules = universe.rules(db).as_deref().unwrap_or_default();
    let start = item.text(db).find(&used).unwrap_or(0) as u32;
    let at = Span::new(start, start + used.len() as u32);
    Diagnostic::error(Code::MissingUse, at, format!("This is written for {used}, but the project is for {rules}."))
        .help(format!("Write `use {rules}`, or `rules: \"{used}\"` in the manifest."))
        .fix(format!("Write `{rules}`"), at, rules, false)
}

/// That it is not said which rules a module is written for.
pub(crate) fn no_rules<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Diagnostic {
    let text = item.text(db);
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let d = Diagnostic::error(Code::MissingUse, Span::new(0, end as u32), "It is not said which rules this is written for.");
    // words of other languages for the same
    if matches!(&text[..end], "import" | "include" | "require" | "uses" | "Use") && !text.contains('{') {
        return d.help("The rules of a file are named with `use`.").fix("Write `use`", Span::new(0, end as u32), "use", true);
    }
    match universe.rules(db) {
        Some(rules) => d.help(format!("Write `use {rules}` at the top of the file.")).fix(
            format!("Write `use {rules}`"),
            Span::new(0, 0),
            format!("use {rules}\n\n"),
            // between a description and what it describes nothing should stand
            item.doc(db).is_none(),
        ),
        None => d.help("Write `use` and the name of the rules at the top of the file."),
    }
}

/// Whether the block of this item starts in the line below it, in the first column: that is told there.
pub(crate) fn block_is_below<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> bool {
    let below = items(db, item.file(db)).iter().skip_while(|i| **i != item).nth(1);
    !item.text(db).contains('{') && below.is_some_and(|next| next.stray(db) && next.text(db).starts_with('{'))
}
