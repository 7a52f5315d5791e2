//! Odds as hover and lens tell them: as they are, and what they were before the last edit if that was about them.

use std::sync::Arc;

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{DeclKind, is_card, items, parse};
use banneret_compiler::names::short;
use banneret_compiler::signature::find;
use banneret_grammar::ast::ItemKind;

use crate::ide::odds::{Odds, STATES, odds};
use crate::ide::{Ide, words};
use crate::server::view::{Page, View};

use super::rename::tried;

/// So much text is read again while somebody points at a word.
const LIGHT: usize = 500_000;

/// How somebody wants to know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    ByPointing,
    ByLens,
}

/// How far cards that build on others are followed.
const DEEP: usize = 8;

/// What is told of a card or part, and whether there are odds. None: no rule system says what using it means.
///
/// What they were before takes the project once more: who only points at something waits for that in projects that are not large.
pub fn told(view: &View, page: &Page<'_>, key: &str, asked: Asked) -> Option<(String, bool)> {
    let against = view.config.odds.against.as_deref();
    let now = odds(page.ide, key, against, STATES)?;
    let is_light = || page.ide.universe.files(view.db()).iter().map(|file| file.text(view.db()).len()).sum::<usize>() < LIGHT;
    let before =
        (asked == Asked::ByLens || is_light()).then(|| before(view, page, key, against)).flatten().filter(|before| match (before, &now) {
            (Ok(was), Ok(is)) => was.told != is.told,
            (Err(_), Err(_)) => false,
            _ => true,
        });
    let before = before.map(|before| match before {
        Ok(was) => format!(" Before the last edit: {}.", was.told.join("; ")),
        Err(_) => " Before the last edit there were none.".to_owned(),
    });
    let fine = now.is_ok();
    let sentence = now.map_or_else(|why| why, |odds| odds.sentence());
    Some((format!("{sentence}{}", before.unwrap_or_default()), fine))
}

/// The odds in the text before the last edit, if that could have changed them.
fn before(view: &View, page: &Page<'_>, key: &str, against: Option<&str>) -> Option<Result<Odds, String>> {
    let (path, old) = view.table.before.as_ref()?;
    let (project, name) = view.table.by_path.get(path).filter(|(project, _)| *project == page.project)?;
    let (id, _) = view.project(*project)?;
    let file = view.workspace.file(id, name)?;
    if !concerns(page.ide, file, old, key, against) {
        return None;
    }
    let (workspace, id) = view.as_it_was(*project, name, old, || tried(view, *project))?;
    let ide = Ide { db: workspace.db(), universe: workspace.universe(id) };
    odds(ide, key, against, STATES)
}

/// Whether what differs between a file and its old text is about a card, what it builds on or what it is measured against; or about rules.
fn concerns(ide: Ide<'_>, file: SourceFile, old: &Arc<str>, key: &str, against: Option<&str>) -> bool {
    let new: &str = file.text(ide.db);
    let same = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a == b).count();
    let start = same(&mut new.bytes().zip(old.bytes()));
    if start == new.len() && start == old.len() {
        return false;
    }
    let most = new.len().min(old.len()) - start;
    let end = new.len() - same(&mut new.bytes().rev().zip(old.bytes().rev())).min(most);
    let owner = match words::parsed(key) {
        words::Parsed::Inside(card, _) | words::Parsed::Whole(card) | words::Parsed::OfEvent(card, _) => card,
    };
    let mut names: Vec<String> = std::iter::once(short(owner)).chain(against).map(str::to_owned).collect();
    let mut base = words::declaration(ide, owner).map(|found| found.item);
    while let Some(item) = base.take().filter(|_| names.len() < DEEP) {
        let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { break };
        let Some(from) = &card.from else { break };
        names.push(from.text.to_string());
        base = find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &from.text, &[DeclKind::Card]).map(|found| found.item);
    }
    let touched = items(ide.db, file).iter().filter(|item| {
        let from = item.start(ide.db) as usize;
        from <= end && start <= from + item.text(ide.db).len()
    });
    touched.into_iter().any(|item| match &parse(ide.db, *item).item.kind {
        ItemKind::Card(card) if is_card(ide.db, *item) => card.name.as_ref().is_some_and(|name| names.iter().any(|n| **n == *name.text)),
        _ => true,
    })
}
