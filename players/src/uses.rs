//! What players could do and what they did, over any number of games.

use std::collections::BTreeMap;

use banneret_runtime::ids::CardId;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Note, Noted};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use crate::passes::Passes;

/// How often something was offered, and how often it was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    pub legal: u64,
    pub used: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// By the name of the question (empty for a menu) and the option: a line, or the title of a card or part.
    pub of: BTreeMap<(String, String), Use>,
    /// How often each action happened.
    pub events: BTreeMap<String, u64>,
    /// Answers of players where there was more than one.
    pub decisions: u64,
    pub passes: u64,
}

impl Uses {
    pub fn answered(&mut self, pack: &Loaded, world: &World, passes: &Passes, question: &Question, answer: &Answer) {
        let offered: Vec<Option<String>> = match &question.ask {
            Ask::Menu { labels } => labels.iter().cloned().map(Some).collect(),
            Ask::YesNo => vec![Some("yes".to_owned()), Some("no".to_owned())],
            Ask::Choice { options, .. } => options.iter().map(|value| titled(pack, world, value)).collect(),
            Ask::Fact { .. } | Ask::Order { .. } | Ask::Roll { .. } | Ask::Draw { .. } => return,
        };
        let taken: Vec<u32> = match answer {
            Answer::Picks(picks) => picks.clone(),
            Answer::Yes(yes) => vec![u32::from(!*yes)],
            Answer::Faces(_) | Answer::Value(_) => Vec::new(),
        };
        if offered.len() > 1 {
            self.decisions += 1;
            self.passes += u64::from(passes.is_pass(question, answer));
        }
        let of = if matches!(question.ask, Ask::Menu { .. }) { "" } else { question.name.as_str() };
        // Two of the same card are one thing that was legal once.
        let mut names: Vec<&String> = offered.iter().flatten().collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.of.entry((of.to_owned(), name.clone())).or_default().legal += 1;
        }
        let mut used: Vec<&String> = taken.iter().filter_map(|i| offered.get(*i as usize)?.as_ref()).collect();
        used.sort_unstable();
        used.dedup();
        for name in used {
            self.of.entry((of.to_owned(), name.clone())).or_default().used += 1;
        }
    }

    pub fn happened(&mut self, pack: &Loaded, notes: &[Note]) {
        for note in notes {
            if let Noted::Event { action, .. } = &note.what
                && let Some(action) = pack.actions.get(action.index())
            {
                *self.events.entry(pack.text(action.name).to_owned()).or_default() += 1;
            }
        }
    }

    pub fn add(&mut self, other: &Uses) {
        for (key, one) in &other.of {
            let sum = self.of.entry(key.clone()).or_default();
            sum.legal += one.legal;
            sum.used += one.used;
        }
        for (name, count) in &other.events {
            *self.events.entry(name.clone()).or_default() += count;
        }
        self.decisions += other.decisions;
        self.passes += other.passes;
    }

    /// What could be done and never was.
    pub fn unused(&self) -> impl Iterator<Item = (&(String, String), &Use)> {
        self.of.iter().filter(|(_, one)| one.used == 0)
    }
}

/// The title of a card or of a thing that was made of one. Places and numbers are no things to count.
fn titled(pack: &Loaded, world: &World, value: &Value) -> Option<String> {
    let card: CardId = match value {
        Value::Card(card) => *card,
        Value::Obj(id) => world.get(*id)?.card?,
        _ => return None,
    };
    let card = pack.cards.get(card.index())?;
    let title = pack.text(card.title);
    Some(if title.is_empty() { pack.text(card.name) } else { title }.to_owned())
}
