//! Events in rules: "this unit destroys an enemy unit", "damage would be dealt to this unit".

use rustc_hash::FxHashMap;

use super::grammar::{base_form, participle, phase_name, third_person};
use super::speaker::Speaker;
use super::template::{Piece, joined};
use crate::hir::{Key, Name};
use crate::words::text::{spaced, tidy};

/// How an event is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Does,
    Would,
    Cannot,
    Has,
}

pub(super) const PREPOSITIONS: &[&str] =
    &["to", "from", "by", "with", "on", "into", "onto", "against", "for", "using", "in", "at", "of", "next"];

/// What belongs to a verb and stands behind its object.
const PARTICLES: &[&str] = &["out", "off", "up", "down", "away", "back", "over", "home", "aside", "apart", "together"];

impl Speaker<'_> {
    /// The event as a clause. `matched` are words for the parameters the pattern speaks of.
    pub fn event(&mut self, action: &Key, matched: &[(Name, String)], mood: Mood) -> String {
        let action = self.words.action(action);
        let find = |name: &Name| matched.iter().find(|(has, _)| has == name).map(|(_, words)| words.clone());
        if action.is_phase {
            let subject = action.by.and_then(|by| find(&action.params.get(by)?.name));
            let whose = subject.map_or_else(|| "the".into(), |who| super::grammar::possessive(&who));
            return match mood {
                Mood::Does => format!("{whose} {}", spaced(&action.name)),
                Mood::Would => format!("{whose} {}", phase_name(&action.name)),
                Mood::Cannot => format!("{whose} {} cannot be played", phase_name(&action.name)),
                Mood::Has => format!("{whose} {} has been played", phase_name(&action.name)),
            };
        }
        let mut words: FxHashMap<Name, String> = FxHashMap::default();
        let mut subject = None;
        for (n, param) in action.params.iter().enumerate() {
            let by = Some(n) == action.by && !self.mentions(&action, n);
            let said = match find(&param.name) {
                Some(said) if by => {
                    subject = Some(said);
                    String::new()
                }
                // What the words of the event cannot tell was told as a condition.
                Some(_) if !self.speaks_of(&action, &param.name) => String::new(),
                Some(said) => said,
                None if by || action.says.is_none() && param.prep.is_some() => String::new(),
                // What the template leaves out is told only where it is asked about.
                None if action.says.is_some() && !self.mentions(&action, n) => String::new(),
                // Numbers that are not asked about are left out: "deals damage".
                None => self.any_of_type(&param.ty).unwrap_or_default(),
            };
            words.insert(param.name.clone(), said);
        }
        for (name, said) in matched.iter().filter(|(name, _)| self.speaks_of(&action, name)) {
            words.entry(name.clone()).or_insert_with(|| said.clone());
        }
        let pieces = self.phrase(&action, &words);
        // Who does it, if nobody asks.
        let anyone = action.by.and_then(|by| action.params.get(by)).and_then(|by| self.any_of_type(&by.ty));
        tidy(&clause(&pieces, subject.as_deref(), anyone.as_deref().unwrap_or("a player"), mood))
    }

    /// "move", "attack an enemy unit": the bare phrase, for "cannot …" of whoever has the rule.
    pub fn bare_event(&mut self, action: &Key) -> String {
        let action = self.words.action(action);
        let words: FxHashMap<Name, String> = action.params.iter().map(|param| (param.name.clone(), String::new())).collect();
        let pieces = self.phrase(&action, &words);
        let text = joined(&pieces);
        let mut kept: Vec<&str> = text.split_whitespace().collect();
        // A preposition whose argument was left out.
        while kept.last().is_some_and(|last| PREPOSITIONS.contains(last)) {
            kept.pop();
        }
        kept.join(" ")
    }
}

fn clause(pieces: &[Piece], subject: Option<&str>, anyone: &str, mood: Mood) -> String {
    match pieces.first() {
        // "the contract of {u} ends", "every strike of {u}": what stands behind the noun belongs to it.
        Some(first) if first.fixed && told_of(&first.text).is_some_and(|(_, rest)| PREPOSITIONS.contains(&rest.trim())) => {
            let whose = pieces.get(1).map_or("", |piece| piece.text.as_str());
            let who = format!("{}{whose}", first.text);
            let who = if whose.is_empty() { told_of(&first.text).map_or("", |(who, _)| who) } else { who.as_str() };
            let rest = joined(pieces.get(2..).unwrap_or_default());
            let clause = match rest.trim().split_once(' ').unwrap_or((rest.trim(), "")) {
                ("", _) => match mood {
                    Mood::Does => who.to_string(),
                    Mood::Would => format!("{who} would happen"),
                    Mood::Cannot => format!("{who} cannot happen"),
                    Mood::Has => format!("{who} has happened"),
                },
                (verb, tail) => active(who, &base_form(verb), without_idle_preposition(tail), mood),
            };
            match subject {
                Some(subject) => format!("{clause} because of {subject}"),
                None => clause,
            }
        }
        // "the sea rages by {n}": the words have a subject of their own.
        Some(first) if first.fixed && told_of(&first.text).is_some() => {
            let text = joined(pieces);
            let (who, rest) = told_of(&text).unwrap_or(("", &text));
            let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
            let clause = active(who, &base_form(verb), without_idle_preposition(tail), mood);
            match subject {
                Some(subject) => format!("{clause} because of {subject}"),
                None => clause,
            }
        }
        Some(first) if first.fixed => {
            let text = joined(pieces);
            let (verb, rest) = text.split_once(' ').unwrap_or((&text, ""));
            match subject {
                Some(subject) => active(subject, verb, rest, mood),
                None => {
                    let (object, tail) = object(pieces);
                    if object.trim().is_empty() { active(anyone, verb, rest, mood) } else { passive(object.trim(), verb, &tail, mood) }
                }
            }
        }
        // "{target} loses {n} health": the phrase has its own subject.
        Some(first) => {
            let rest = joined(&pieces[1..]);
            let rest = rest.trim();
            let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
            let clause = active(&first.text, &base_form(verb), tail, mood);
            match subject {
                Some(subject) => format!("{clause} because of {subject}"),
                None => clause,
            }
        }
        None => String::new(),
    }
}

/// Of "the sea rages by 2": "the sea", and the rest.
fn told_of(text: &str) -> Option<(&str, &str)> {
    let words = text.trim_start();
    let first = words.split(' ').next().filter(|first| ["the", "each", "every", "this", "a", "an"].contains(first))?;
    let noun = words[first.len()..].trim_start().split(' ').next().filter(|noun| !noun.is_empty())?;
    let end = words.find(noun)? + noun.len();
    Some((&words[..end], words[end..].trim_start()))
}

/// A preposition whose number nobody asks about.
fn without_idle_preposition(tail: &str) -> &str {
    let tail = tail.trim_end();
    if PREPOSITIONS.contains(&tail) { "" } else { tail }
}

/// "damage is dealt to this unit", of a phrase that is a command with an object.
pub(super) fn passive_clause(pieces: &[Piece]) -> Option<(String, bool)> {
    let text = joined(pieces);
    let verb = text.split_whitespace().next().filter(|_| pieces.first().is_some_and(|first| first.fixed))?;
    let (object, tail) = object(pieces);
    let object = object.trim();
    if object.is_empty() { None } else { Some((tidy(&passive(object, verb, &tail, Mood::Does)), is_several(object))) }
}

fn active(subject: &str, verb: &str, rest: &str, mood: Mood) -> String {
    let you = subject == "you";
    match mood {
        Mood::Does if is_several(subject) => format!("{subject} {verb} {rest}"),
        Mood::Has if is_several(subject) => format!("{subject} have {} {rest}", participle(verb)),
        Mood::Does if you => format!("you {} {rest}", if verb == "be" { "are" } else { verb }),
        Mood::Does => format!("{subject} {} {rest}", third_person(verb)),
        Mood::Would => format!("{subject} would {verb} {rest}"),
        Mood::Cannot => format!("{subject} cannot {verb} {rest}"),
        Mood::Has => format!("{subject} {} {} {rest}", if you { "have" } else { "has" }, participle(verb)),
    }
}

fn passive(object: &str, verb: &str, tail: &str, mood: Mood) -> String {
    let done = participle(verb);
    let several = is_several(object);
    match mood {
        Mood::Does => format!("{object} {} {done} {tail}", if several { "are" } else { "is" }),
        Mood::Would => format!("{object} would be {done} {tail}"),
        Mood::Cannot => format!("{object} cannot be {done} {tail}"),
        Mood::Has => format!("{object} {} been {done} {tail}", if several { "have" } else { "has" }),
    }
}

/// What the verb is done to, and what follows from the first preposition of the template on. Prepositions inside arguments do not count.
fn object(pieces: &[Piece]) -> (String, String) {
    let (mut object, mut tail) = (String::new(), String::new());
    let mut verb_seen = false;
    let mut in_tail = false;
    let mut after_thing = false;
    for piece in pieces {
        if !piece.fixed {
            if !piece.text.is_empty() {
                // "push this unit 3″": how far is no part of it either.
                in_tail = in_tail || after_thing;
                after_thing = piece.thing;
            }
            if in_tail { &mut tail } else { &mut object }.push_str(&piece.text);
            continue;
        }
        // "guide this ship home": what stands behind a thing is no part of it, unless it goes on with another.
        in_tail = in_tail
            || after_thing
                && piece.text.starts_with(' ')
                && !["", "and", "or"].contains(&piece.text.split_whitespace().next().unwrap_or_default());
        after_thing = after_thing && piece.text.trim().is_empty();
        for word in piece.text.split_inclusive(' ') {
            if !verb_seen {
                verb_seen = !word.trim().is_empty();
                continue;
            }
            // "let 2 riders out of this train", "let out 2 riders"
            let particle = PARTICLES.contains(&word.trim());
            if particle && !in_tail && object.trim().is_empty() {
                tail.push_str(word);
                continue;
            }
            in_tail = in_tail || particle || PREPOSITIONS.contains(&word.trim());
            if in_tail { &mut tail } else { &mut object }.push_str(word);
        }
    }
    (object, tail)
}

pub(super) fn is_several(noun: &str) -> bool {
    let first = noun.split(' ').next().unwrap_or_default();
    let single = ["a", "an", "this", "that", "each", "one", "the", "another", "it"].contains(&first);
    // The noun itself, without what stands behind it.
    let joins = |word: &&&str| ["of", "within", "with", "without", "that", "in", "touching", "such", "from", "named"].contains(*word);
    let words: Vec<&str> = noun.split(' ').collect();
    let head = words.iter().skip(1).position(|word| joins(&word)).map_or(words.len(), |at| at + 1);
    let head = words.get(..head).and_then(<[&str]>::last).copied().unwrap_or_default();
    !single && head.ends_with('s') && !head.ends_with("ss") && !head.ends_with("’s")
}
