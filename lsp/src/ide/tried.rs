//! Edits tried in a workspace of their own before they are made: what would be wrong then, and whether cards stay what they are.

use banneret_compiler::api::{Packages, ProjectId, Workspace};
use banneret_compiler::diagnostic::Located;
use banneret_compiler::elaborate::elaborate;
use banneret_compiler::hir::{self, Card, CardValue};
use banneret_compiler::items::DeclKind;
use banneret_compiler::limits::PlainValue;
use banneret_compiler::manifest::Manifest;
use banneret_compiler::signature::by_key;

use super::Ide;
use super::references::{Renaming, of_place};

/// Makes the edits in a project of their own and says what is wrong with it then: mistakes that were not there, or uses that mean something else now.
pub fn taken(ide: Ide<'_>, edits: &[Renaming], new: &str, tried: &mut Tried) -> Option<String> {
    let (project, first) = tried.with(ide, edits);
    if let Some(first) = first {
        return Some(format!("It cannot be called `{new}`: {} ({})", first.diagnostic.headline, first.file));
    }
    let after = Ide { db: tried.workspace.db(), universe: tried.workspace.universe(project) };
    // the first one's place in the new text, behind what grew or shrank before it
    let (file, span, _) = edits.first()?;
    let grown: i64 = edits
        .iter()
        .filter(|(f, s, _)| f == file && s.start < span.start)
        .map(|(_, s, word)| word.len() as i64 - i64::from(s.end - s.start))
        .sum();
    let there = after.universe.files(after.db).iter().find(|f| f.path(after.db) == file.path(ide.db))?;
    let offset = u32::try_from(i64::from(span.start) + grown).ok()?;
    let own = after.universe.files(after.db);
    let uses = of_place(after, *there, offset).iter().filter(|site| own.contains(&site.file)).count();
    (uses != edits.len()).then(|| format!("It cannot be called `{new}`: that means something else here already."))
}

/// A workspace of its own, in which a renaming is tried before it is made.
pub struct Tried {
    pub workspace: Workspace,
    pub manifest: Manifest,
    pub root: String,
    pub packages: Packages,
    /// What is wrong without it.
    pub before: Vec<Located>,
}

impl Tried {
    /// The first mistake that edits would make.
    pub fn spoiled(&mut self, ide: Ide<'_>, edits: &[Renaming]) -> Option<Located> {
        self.with(ide, edits).1
    }

    /// The words of a card or part with edits made, if they make no mistake.
    pub fn text_with(&mut self, ide: Ide<'_>, edits: &[Renaming], key: &str) -> Option<String> {
        match self.with(ide, edits) {
            (project, None) => self.workspace.texts(project).remove(key),
            _ => None,
        }
    }

    /// The first mistake that edits would make if a folder got another name as well, and the project with them.
    pub fn moved(&mut self, ide: Ide<'_>, edits: &[Renaming], folder: &Moved) -> (ProjectId, Option<Located>) {
        self.tried(ide, edits, &|path| folder.path(path))
    }

    /// Whether a card is with edits what it is without them: its values, its keywords, its parts and all its words. Else why not.
    pub fn differs(&mut self, ide: Ide<'_>, edits: &[Renaming], key: &str) -> Option<String> {
        let (project, wrong) = self.with(ide, edits);
        if let Some(wrong) = wrong {
            return Some(wrong.diagnostic.headline);
        }
        let after = Ide { db: self.workspace.db(), universe: self.workspace.universe(project) };
        let same = card(ide, key).zip(card(after, key)).is_some_and(|(was, is)| alike(was, is));
        let words = |texts: std::collections::BTreeMap<hir::Key, String>| -> Vec<(hir::Key, String)> {
            texts.into_iter().filter(|(of, _)| of.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))).collect()
        };
        let after = words(self.workspace.texts(project));
        let (project, _) = self.with(ide, &[]);
        let before = words(self.workspace.texts(project));
        (!same || before != after).then(|| "The card would not be the same.".to_owned())
    }

    /// The project with edits made in it, and the first mistake that was not there before.
    fn with(&mut self, ide: Ide<'_>, edits: &[Renaming]) -> (ProjectId, Option<Located>) {
        self.tried(ide, edits, &|path| path.to_owned())
    }

    fn tried(&mut self, ide: Ide<'_>, edits: &[Renaming], path: &dyn Fn(&str) -> String) -> (ProjectId, Option<Located>) {
        let texts = ide.universe.files(ide.db).iter().map(|file| {
            let mut text = file.text(ide.db).to_string();
            let mut own: Vec<&Renaming> = edits.iter().filter(|(f, ..)| f == file).collect();
            own.sort_by_key(|(_, span, _)| std::cmp::Reverse(span.start));
            for (_, span, word) in own {
                text.replace_range(span.start as usize..span.end as usize, word);
            }
            (path(file.path(ide.db)), text)
        });
        let project = self.workspace.open_with(self.manifest.clone(), self.root.clone(), texts.collect(), &self.packages);
        let found = self.workspace.check(project).found;
        let key = |l: &Located| (path(&l.file), l.diagnostic.code);
        let often = |all: &[Located], one: &Located| all.iter().filter(|l| key(l) == key(one)).count();
        let first = found.iter().find(|l| often(&found, l) > often(&self.before, l)).cloned();
        (project, first)
    }
}

/// A folder that gets another name, with both as they are shown.
pub struct Moved {
    pub from: String,
    pub to: String,
}

impl Moved {
    /// What a path is called then.
    pub fn path(&self, path: &str) -> String {
        match path.strip_prefix(self.from.as_str()).filter(|rest| rest.starts_with('/')) {
            Some(rest) => format!("{}{rest}", self.to),
            None => path.to_owned(),
        }
    }
}

fn card<'a>(ide: Ide<'a>, key: &str) -> Option<&'a Card> {
    let found = by_key(ide.db, ide.universe, key, &[DeclKind::Card])?;
    match &elaborate(ide.db, ide.universe, found.item).hir {
        hir::Item::Card(card) => Some(card),
        _ => None,
    }
}

/// Equal but for where things stand; what effects and rules do is in their words.
fn alike(was: &Card, is: &Card) -> bool {
    let value = |card: &Card, key: &hir::Key| {
        let (_, value) = card.values.iter().find(|(known, _)| known == key)?;
        Some(PlainValue::of(value).filter(|_| matches!(value, CardValue::Value(_))))
    };
    let rules = |card: &Card| card.values.iter().filter(|(_, value)| matches!(value, CardValue::Rules(_))).count() + card.rules.len();
    was.kind == is.kind
        && was.title == is.title
        && was.flavour == is.flavour
        && was.keywords == is.keywords
        && was.values.len() == is.values.len()
        && was.values.iter().all(|(key, _)| value(was, key) == value(is, key))
        && rules(was) == rules(is)
        && was.once == is.once
        && was.rows.len() == is.rows.len()
        && was.parts.len() == is.parts.len()
        && was.parts.iter().zip(&is.parts).all(|(a, b)| a.key == b.key && alike(a, b))
}
