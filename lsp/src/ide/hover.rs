//! What is told about the word under the pointer, in Markdown.

use banneret_compiler::build::reachable_files;
use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::{Meaning, elaborate};
use banneret_compiler::hir;
use banneret_compiler::items::{DeclKind, Item, items, parse};
use banneret_compiler::names::{Found, short};
use banneret_compiler::signature::{FieldInfo, KindInfo, find, kind_by_key};
use banneret_compiler::stdlib;
use banneret_compiler::words::{Lookup, card_texts, keyword_text, plain};
use banneret_grammar::ast::{self, ExprKind, FieldRole, ItemKind, Line};
use banneret_grammar::span::Span;

use super::words::{self, Parsed, parsed};
use super::{Ide, describe, language, navigate, sums};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub span: Span,
    pub markdown: String,
    /// The card or part it is about, whose odds could be told.
    pub about: Option<String>,
}

pub fn hover(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Hover> {
    if let Some(found) = rule_id(ide, file, offset) {
        return Some(found);
    }
    let Some(at) = words::at(ide, file, offset) else {
        return language::word(file.text(ide.db), offset).or_else(|| language::number(ide, file, offset));
    };
    let text = at.span.of(file.text(ide.db));
    let mut about = None;
    let markdown = match &at.meaning {
        Meaning::Local(_) => match &at.ty {
            Some(ty) => code(&format!("{text}: {}", describe::ty(ty))),
            None => code(text),
        },
        Meaning::Key(key) => {
            let (words, card) = of_key(ide, key)?;
            about = card;
            words
        }
    };
    Some(Hover { span: at.span, markdown, about })
}

fn code(text: &str) -> String {
    format!("```banner\n{text}\n```")
}

/// Words about something declared, and the card or part it is.
fn of_key(ide: Ide<'_>, key: &str) -> Option<(String, Option<String>)> {
    match parsed(key) {
        Parsed::Whole(_) => {
            let found = words::declaration(ide, key)?;
            let card = (found.kind == DeclKind::Card).then(|| key.to_owned());
            Some((whole(ide, found), card))
        }
        Parsed::OfEvent(action, name) => {
            let ty = navigate::type_of(ide, key).map(|t| describe::ty(&t)).unwrap_or_default();
            Some((format!("{}\n\nOf the action `{}`.", code(&format!("{name}: {ty}")), short(action)), None))
        }
        Parsed::Inside(owner, name) => {
            let found = words::declaration(ide, owner)?;
            match found.kind {
                DeclKind::Kind => {
                    let info = kind_by_key(ide.db, ide.universe, owner)?;
                    Some((field(ide, info, info.field(name)?), None))
                }
                DeclKind::Card => Some((part(ide, found, name)?, Some(key.to_owned()))),
                _ => {
                    let label = describe::members(ide, &found.key).iter().find(|(n, _)| n == name).map(|(_, l)| l.clone());
                    let doc = member_doc(ide, key);
                    let mut out = code(&format!("{}.{name}", short(owner)));
                    push(&mut out, label.filter(|l| l != name).map(|l| format!("\u{201c}{l}\u{201d}")));
                    push(&mut out, doc);
                    Some((out, None))
                }
            }
        }
    }
}

fn push(out: &mut String, more: Option<String>) {
    if let Some(more) = more.filter(|m| !m.is_empty()) {
        out.push_str("\n\n");
        out.push_str(&more);
    }
}

/// The documentation beside a member, where it was written.
fn member_doc(ide: Ide<'_>, key: &str) -> Option<String> {
    let (file, span) = words::place(ide, key)?;
    let item = ide.item_at(file, span.start)?;
    let ItemKind::Enum(e) = &parse(ide.db, item).item.kind else { return None };
    let at = span.start - item.start(ide.db);
    e.members.iter().find(|m| m.name.span.start == at)?.doc.as_deref().map(str::to_owned)
}

/// A field: its type, range, default and meaning.
fn field(ide: Ide<'_>, kind: &KindInfo, f: &FieldInfo) -> String {
    let role = match f.role {
        FieldRole::Plain => "",
        FieldRole::Of => "of ",
        FieldRole::State => "state ",
        FieldRole::Resource => "resource ",
    };
    let default = default_of(ide, &f.key).map(|d| format!(" = {d}")).unwrap_or_default();
    let mut out = code(&format!("{role}{}: {}{default}", f.name, describe::field_type(ide, f)));
    push(&mut out, f.doc.as_deref().map(str::to_owned));
    let required = match (f.role, f.has_default) {
        (FieldRole::Plain, false) => " Every card must say it.",
        (FieldRole::State, _) => " It changes in play.",
        _ => "",
    };
    push(&mut out, Some(format!("A field of {}.{required}", kind.name)));
    push(&mut out, ledger(f.doc.as_deref().unwrap_or_default()));
    out
}

/// The default of a field, as its kind writes it.
pub fn default_of(ide: Ide<'_>, key: &str) -> Option<String> {
    let Parsed::Inside(owner, name) = parsed(key) else { return None };
    let item = words::declaration(ide, owner)?.item;
    let ItemKind::Kind(kind) = &parse(ide.db, item).item.kind else { return None };
    let default = kind.fields.iter().find(|f| *f.name.text == *name)?.default.as_ref()?;
    Some(default.span.of(item.text(ide.db)).to_owned())
}

fn whole(ide: Ide<'_>, found: &Found<'_>) -> String {
    let name = short(&found.key);
    let Some(again) = words::declaration(ide, &found.key) else { return code(name) };
    let item = again.item;
    let doc = describe::doc(ide, item);
    let mut out = match found.kind {
        DeclKind::Card => return card(ide, item, doc),
        DeclKind::Kind => kind(ide, &found.key),
        DeclKind::Enum => {
            let members: Vec<&str> = describe::members(ide, &found.key).iter().map(|(n, _)| n.as_str()).collect();
            code(&format!("enum {name} {{ {} }}", members.join(", ")))
        }
        DeclKind::Option => code(&format!("option {name}")),
        DeclKind::Keyword => {
            let sig = describe::signature(ide, found);
            let mut out = code(&format!("keyword {}", describe::shape(sig, found.kind)));
            if let hir::Item::Keyword(keyword) = &elaborate(ide.db, ide.universe, item).hir {
                push(&mut out, Some(plain(&[keyword_text(keyword, &Lookup { db: ide.db, universe: ide.universe })])));
            }
            out
        }
        _ => {
            let sig = describe::signature(ide, found);
            let params: Vec<String> = sig.params.iter().map(|p| format!("`{}`: {}", p.name, describe::ty(&p.ty))).collect();
            let mut out = code(&format!("{} {}", item_word(found.kind), describe::shape(sig, found.kind)));
            push(&mut out, Some(params.join(", ")));
            out
        }
    };
    let ids = doc.clone().unwrap_or_default();
    push(&mut out, doc);
    push(&mut out, ledger(&ids));
    out
}

fn item_word(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Action => "action",
        DeclKind::Phase => "phase",
        DeclKind::Define => "define",
        DeclKind::Fact => "fact",
        DeclKind::Table => "table",
        DeclKind::Ruleset => "ruleset",
        _ => "",
    }
}

fn kind(ide: Ide<'_>, key: &str) -> String {
    let Some(info) = kind_by_key(ide.db, ide.universe, key) else { return code(short(key)) };
    let fields = info.fields.iter().filter(|f| f.role != FieldRole::State);
    let lines: Vec<String> = fields.map(|f| format!("  {}: {}", f.name, describe::field_type(ide, f))).collect();
    code(&format!("kind {} ({}) {{\n{}\n}}", info.name, info.plural, lines.join("\n")))
}

/// A card: its title, what its lines say, and the words made from its rules.
fn card(ide: Ide<'_>, item: Item<'_>, doc: Option<String>) -> String {
    let ItemKind::Card(c) = &parse(ide.db, item).item.kind else { return String::new() };
    let mut out = title(c);
    push(&mut out, Some(stat_line(ide, item, c, 0)));
    for sum in sums::sums(ide, item, c) {
        let numbers: Vec<String> = sum.sums.iter().map(|(field, n)| format!("{field} {n}")).collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!("; in all {}", numbers.join(" · ")) };
        push(&mut out, Some(format!("*{}* {}{numbers}", sum.field, sum.count)));
    }
    for line in c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default() {
        if let Line::Part(p) = line
            && let Some(name) = &p.name
        {
            let stats = own_stats(item.text(ide.db), p);
            if !stats.is_empty() {
                push(&mut out, Some(format!("*{}* {}", p.title.as_ref().map_or(&*name.text, |t| &*t.text), stats.join(" · "))));
            }
        }
    }
    push(&mut out, text_of(ide, item, None));
    push(&mut out, doc);
    out
}

fn title(c: &ast::Card) -> String {
    let name = c.name.as_ref().map_or("", |n| &*n.text);
    let title = c.title.as_ref().map_or_else(|| banneret_compiler::items::spaced(name).to_string(), |t| t.text.to_string());
    let of = c.of.as_ref().map(|of| format!(" of {}", of.text)).unwrap_or_default();
    format!("**{title}** \u{2013} {}{of}", c.word.text)
}

/// The values a card gives and those of the card it builds on.
fn stat_line(ide: Ide<'_>, item: Item<'_>, c: &ast::Card, depth: usize) -> String {
    let mut stats = own_stats(item.text(ide.db), c);
    let base = c.from.as_ref().and_then(|f| find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &f.text, &[DeclKind::Card]));
    if let Some(base) = base.filter(|_| depth < 8)
        && let ItemKind::Card(b) = &parse(ide.db, base.item).item.kind
    {
        for stat in stat_line(ide, base.item, b, depth + 1).split(" · ").filter(|s| !s.is_empty()) {
            let name = stat.split(' ').next().unwrap_or_default();
            if !stats.iter().any(|s| s.split(' ').next() == Some(name)) {
                stats.push(stat.to_owned());
            }
        }
    }
    stats.join(" · ")
}

/// `health 14`, for every value that is short enough to be a stat.
fn own_stats(text: &str, c: &ast::Card) -> Vec<String> {
    let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let stats = lines.iter().filter_map(|line| match line {
        Line::Field { name, binds: None, value, .. } if !matches!(value.kind, ExprKind::Str(_)) => {
            let value = value.span.of(text);
            (value.len() < 60 && !value.contains('\n')).then(|| format!("{} {value}", name.text))
        }
        _ => None,
    });
    stats.collect()
}

/// The words of a card, or of one of its parts.
fn text_of(ide: Ide<'_>, item: Item<'_>, part: Option<&str>) -> Option<String> {
    let hir::Item::Card(card) = &elaborate(ide.db, ide.universe, item).hir else { return None };
    let wanted = part.map_or_else(|| card.key.to_string(), |p| format!("{}.{p}", card.key));
    let texts = card_texts(card, &Lookup { db: ide.db, universe: ide.universe });
    let text = texts.into_iter().find(|(key, _)| *key == wanted).map(|(_, text)| text)?;
    // every line is a paragraph
    Some(text.lines().collect::<Vec<_>>().join("\n\n"))
}

fn part(ide: Ide<'_>, found: &Found<'_>, path: &str) -> Option<String> {
    let item = words::declaration(ide, &found.key)?.item;
    let ItemKind::Card(c) = &parse(ide.db, item).item.kind else { return None };
    let p = words::card_part(c, path)?;
    let mut out = title(p);
    push(&mut out, Some(own_stats(item.text(ide.db), p).join(" · ")));
    push(&mut out, text_of(ide, item, Some(path)));
    Some(out)
}

/// The rules of the rulebook that a text names by their numbers, with their words.
fn ledger(text: &str) -> Option<String> {
    let lines: Vec<String> = ids(text).filter_map(|id| rule_words(id).map(|words| format!("- **{id}** {words}"))).take(5).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Numbers of rules in a text: capitals, a dash, perhaps a capital, digits.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|w| is_id(w))
}

fn is_id(word: &str) -> bool {
    word.split_once('-').is_some_and(|(book, number)| {
        let digits = number.trim_start_matches(|c: char| c.is_ascii_uppercase());
        book.len() >= 2 && book.chars().all(|c| c.is_ascii_uppercase()) && digits.len() >= 2 && digits.chars().all(|c| c.is_ascii_digit())
    })
}

/// What a numbered rule says, from the rulebooks of the rule systems this project sees.
fn rule_words(id: &str) -> Option<String> {
    let line = stdlib::files()
        .iter()
        .filter(|(path, _)| path.ends_with("RULES.md"))
        .find_map(|(_, text)| text.lines().find(|line| line.strip_prefix("- ").and_then(|l| l.split([' ', ':']).next()) == Some(id)))?;
    Some(line.split_once(id).map_or(line, |(_, rest)| rest).trim_start_matches([':', ' ']).to_owned())
}

/// The number of a rule under the pointer, as in `covers AB-086`.
fn rule_id(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Hover> {
    let text: &str = file.text(ide.db);
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let (before, after) = (text.get(..offset as usize)?, text.get(offset as usize..)?);
    let start = before.rfind(|c| !inside(c)).map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
    let end = offset as usize + after.find(|c| !inside(c)).unwrap_or(after.len());
    let id = text.get(start..end).filter(|w| is_id(w))?;
    let words = rule_words(id)?;
    let markdown = format!("**{id}** {words}\n\n{}", covered(ide, id));
    Some(Hover { span: Span::new(start as u32, end as u32), markdown, about: None })
}

/// How many tests are told by their words.
const MOST_TESTS: usize = 5;

/// Which tests say that they cover a numbered rule.
fn covered(ide: Ide<'_>, id: &str) -> String {
    let mut tests: Vec<String> = Vec::new();
    for file in reachable_files(ide.db, ide.universe).into_iter().filter(|file| file.text(ide.db).contains(id)) {
        for item in items(ide.db, file).iter().filter(|item| item.header(ide.db).starts_with("test ")) {
            if let ItemKind::Test(test) = &parse(ide.db, *item).item.kind
                && test.covers.iter().any(|word| *word.text == *id)
            {
                tests.push(format!("\u{201c}{}\u{201d}", test.words.text));
            }
        }
    }
    let more = tests.len().saturating_sub(MOST_TESTS);
    tests.truncate(MOST_TESTS);
    match more {
        _ if tests.is_empty() => "No test covers it.".to_owned(),
        0 => format!("Covered by {}.", tests.join(", ")),
        more => format!("Covered by {} and {more} more.", tests.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_rules_are_found_in_texts() {
        let found: Vec<&str> = ids("Hit points (AB-130, AB-R12); not B-1 or ab-12 or 2026-11.").collect();
        assert_eq!(found, ["AB-130", "AB-R12"]);
    }
}
