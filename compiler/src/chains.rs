//! How far items lean on each other: `action a { b }`, `define a = b + 1`, `kind A is B`, `card A from B`.
//!
//! What an item means is worked out by asking for what the items mean that it names, one inside the other. Each takes stack, and a file of a few
//! kilobytes can make a chain of thousands. So the chains are measured first, from the words of the items alone and without recursion, and whatever
//! leans on more than [`LONGEST`] others in a row is refused at its line. Everybody else who follows names may then recurse without counting.

use banneret_grammar::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::{SourceFile, Universe};
use crate::diagnostic::Diagnostic;
use crate::items::{DeclKind, Item, declares, is_card, items, words_of};
use crate::names::{ModuleName, visible};

/// How many items may lean on each other in a row. Items that lean on each other in a circle count as many as are in it.
pub const LONGEST: usize = 250;

/// Items that lean on too many others: they mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Refused<'db> {
    items: FxHashSet<Item<'db>>,
    /// Those of them where it is told: what others lean on them for follows from that.
    told: FxHashSet<Item<'db>>,
}

/// What is said of an item that leans on too many others, if it does; the message only where it starts.
pub(crate) fn refusal<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<Option<Diagnostic>> {
    let refused = refused(db, universe);
    if !refused.items.contains(&item) {
        return None;
    }
    let told = refused.told.contains(&item).then(|| {
        let span = declares(db, item).first().map_or(Span::new(0, 0), |decl| decl.span);
        let name = span.of(item.text(db));
        Diagnostic::error("chain-too-long", span, format!("`{name}` leans on more than {LONGEST} others, each on the next."))
            .help("Let some of them say what they need themselves, so that the chain becomes shorter.")
    });
    Some(told)
}

pub(crate) fn is_refused<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> bool {
    refused(db, universe).items.contains(&item)
}

/// An item that others can lean on, and the words in it that may be names of others.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Link<'db> {
    item: Item<'db>,
    sort: Sort,
    names: Vec<SmolStr>,
    words: Vec<SmolStr>,
}

/// An item only leans on its like: an action on actions and terms, a kind on kinds, a card on cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Body,
    Kind,
    Card,
}

/// The links of one file. Most cards build on no other and are none.
#[salsa::tracked(returns(deref))]
fn links<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Link<'db>> {
    let mut out = Vec::new();
    for item in items(db, file).iter().copied() {
        if is_card(db, item) {
            if let (Some(base), Some(decl)) = (item.base(db), crate::items::card_name(db, item)) {
                out.push(Link { item, sort: Sort::Card, names: vec![decl.name], words: vec![base.clone()] });
            }
            continue;
        }
        let text: &str = item.text(db);
        let declares = declares(db, item);
        let names = |kinds: &[DeclKind]| declares.iter().filter(|d| kinds.contains(&d.kind)).map(|d| d.name.clone()).collect::<Vec<_>>();
        let kind = names(&[DeclKind::Kind]);
        let (sort, names, text) = match kind.is_empty() {
            false => (Sort::Kind, kind, text.split('{').next().unwrap_or("")),
            true => {
                let body = [DeclKind::Define, DeclKind::Fact, DeclKind::Table, DeclKind::Action, DeclKind::Phase];
                (Sort::Body, names(&body), text)
            }
        };
        if !names.is_empty() {
            let mut words: Vec<SmolStr> = words_of(text).map(SmolStr::new).filter(|word| !names.contains(word)).collect();
            words.sort_unstable();
            words.dedup();
            out.push(Link { item, sort, names, words });
        }
    }
    out
}

#[salsa::tracked(returns(ref))]
fn refused<'db>(db: &'db dyn salsa::Database, universe: Universe) -> Refused<'db> {
    let all: Vec<&Link<'db>> = universe.files(db).iter().chain(universe.library(db)).flat_map(|file| links(db, *file)).collect();
    if all.len() <= LONGEST {
        return Refused::default();
    }
    let circles = circles(&leans_on(db, universe, &all));
    let mut refused = Refused::default();
    let mut lengths: Vec<usize> = Vec::with_capacity(circles.groups.len());
    // who is leaned on comes first
    for (at, group) in circles.groups.iter().enumerate() {
        let longest = circles.below[at].iter().map(|below| lengths[*below]).max().unwrap_or(0);
        lengths.push(longest.saturating_add(group.len()));
        if lengths[at] <= LONGEST {
            continue;
        }
        refused.items.extend(group.iter().map(|link| all[*link].item));
        if longest <= LONGEST {
            let place = |link: &&usize| (all[**link].item.file(db).path(db), all[**link].item.start(db));
            refused.told.extend(group.iter().min_by_key(place).map(|link| all[*link].item));
        }
    }
    refused
}

/// Whom each link may lean on.
fn leans_on<'db>(db: &'db dyn salsa::Database, universe: Universe, all: &[&Link<'db>]) -> Vec<Vec<usize>> {
    let module = |link: &Link<'db>| link.item.file(db).module(db);
    let mut named: FxHashMap<(Sort, &SmolStr), Vec<usize>> = FxHashMap::default();
    for (at, link) in all.iter().enumerate() {
        for name in &link.names {
            named.entry((link.sort, name)).or_default().push(at);
        }
    }
    let mut seen: FxHashMap<&SmolStr, &[SmolStr]> = FxHashMap::default();
    let of = |link: &&Link<'db>| {
        let modules = *seen.entry(module(link)).or_insert_with(|| visible(db, universe, ModuleName::new(db, module(link).clone())));
        // the nearest module that has the name
        let nearest = |word: &SmolStr| {
            let there = named.get(&(link.sort, word))?;
            modules.iter().find_map(|near| there.iter().copied().find(|at| module(all[*at]) == near))
        };
        link.words.iter().filter_map(nearest).collect()
    };
    all.iter().map(of).collect()
}

/// Links that lean on each other, in groups; who is leaned on before who leans.
struct Circles {
    groups: Vec<Vec<usize>>,
    /// The other groups that each leans on.
    below: Vec<Vec<usize>>,
}

/// Tarjan's strongly connected components, with the stack in a list.
fn circles(leans: &[Vec<usize>]) -> Circles {
    const NONE: usize = usize::MAX;
    let mut number = vec![NONE; leans.len()];
    let mut low = vec![NONE; leans.len()];
    let mut group_of = vec![NONE; leans.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    for root in 0..leans.len() {
        if number[root] != NONE {
            continue;
        }
        let mut walk = vec![(root, 0)];
        while let Some((at, step)) = walk.last_mut() {
            let at = *at;
            if *step == 0 {
                number[at] = next;
                low[at] = next;
                next += 1;
                open.push(at);
            }
            if let Some(other) = leans[at].get(*step).copied() {
                *step += 1;
                if number[other] == NONE {
                    walk.push((other, 0));
                } else if group_of[other] == NONE {
                    low[at] = low[at].min(number[other]);
                }
                continue;
            }
            walk.pop();
            if let Some((above, _)) = walk.last() {
                low[*above] = low[*above].min(low[at]);
            }
            if low[at] == number[at] {
                let from = open.iter().rposition(|link| *link == at).unwrap_or(0);
                let group = open.split_off(from);
                for link in &group {
                    group_of[*link] = groups.len();
                }
                groups.push(group);
            }
        }
    }
    let below = |(at, group): (usize, &Vec<usize>)| {
        let mut below: Vec<usize> =
            group.iter().flat_map(|link| &leans[*link]).map(|link| group_of[*link]).filter(|other| *other != at).collect();
        below.sort_unstable();
        below.dedup();
        below
    };
    let below = groups.iter().enumerate().map(below).collect();
    Circles { groups, below }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::circles;

    #[test]
    fn circles_are_found_and_come_after_what_they_lean_on() {
        // 0 → 1 ⇄ 2 → 3, 4 alone
        let found = circles(&[vec![1], vec![2], vec![1, 3], vec![], vec![]]);
        assert_eq!(found.groups, [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(found.below, [vec![], vec![0], vec![1], vec![]]);
        let long: Vec<Vec<usize>> = (0..100_000).map(|i| vec![(i + 1) % 100_000]).collect();
        assert_eq!(circles(&long).groups.len(), 1);
    }
}
