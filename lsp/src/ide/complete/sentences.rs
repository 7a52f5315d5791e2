//! Statements and sentences: verbs with their prepositions, and what may follow a value.

use banneret_compiler::elaborate::Scene;
use banneret_compiler::items::DeclKind;
use banneret_compiler::language::WORDS;
use banneret_compiler::measure::own_use;
use banneret_compiler::names::short;
use banneret_compiler::signature::{CallSig, by_key};
use banneret_compiler::ty::Ty;

use super::entry::{Entry, EntryKind};
use super::skeleton::bare;
use super::{Place, names, values};
use crate::ide::describe;

/// What a line may start with that is no word of the language.
const VERBS: &[(&str, &str, &str)] = &[("pay", "pay ${1:1} ${2:resource}", "pays a cost")];

const IN_TESTS: &[(&str, &str, &str)] = &[
    ("expect", "expect ${1:condition}", "what must be true now"),
    ("given", "given ${1:Card} as ${2:name}", "what stands on the table"),
    ("dice", "dice [${1:4}]", "what the dice show, one after the other"),
    ("answers", "answers [${1:choice}: ${2:value}]", "what the players choose"),
    ("expect odds of", "expect odds of ${1:condition} == ${2:1/2}", "the exact chance that something is true"),
    ("expect mean of", "expect mean of ${1:number} == ${2:1}", "the exact mean of a number"),
    ("expect illegal", "expect illegal ${1:sentence}", "what may not be done now"),
    ("expect refused by", "expect refused by ${1:ID} {\n  $0\n\\}", "cards that a limit must refuse"),
];

/// How much later an action is offered that a rule system keeps for its own use.
const KEPT: u32 = 8;

/// Whether a line can start with something: functions, cards, members and such have to be part of something.
pub(super) fn can_start(entry: &Entry) -> bool {
    use EntryKind::*;
    match entry.kind {
        Word | Phrase | Action | Local | Field | Part | Module | Term | Keyword | File => true,
        Card | Member | Kind | Type | Phase | Function | Option | Value => false,
    }
}

/// What a line of an effect, a rule or a test can start with.
pub(crate) fn statements(place: &Place<'_>, scene: &Scene, out: &mut Vec<Entry>) {
    if scene.in_test {
        for (word, snippet, doc) in IN_TESTS {
            out.push(Entry::new(*word, EntryKind::Phrase, 0).insert(*snippet).detail(*doc));
        }
    }
    let own_use = own_use(place.ide.db, place.ide.universe);
    names::visible_names(place, |found, far| {
        if found.kind == DeclKind::Action {
            let sig = describe::signature(place.ide, found);
            // what the rules bring is as likely as what stands in the same folder; what they do themselves comes last
            let kept = !scene.in_test && *found.module != *place.module && own_use.contains(&found.key);
            let tier = if scene.in_test { far.min(1) } else { far / 2 } + if kept { KEPT } else { 0 };
            let entry = names::entry(place, found, tier).insert(sentence(place, sig));
            out.push(entry);
        }
    });
    if scene.modifiable {
        for (name, ty) in scene.names.iter().filter(|(_, ty)| matches!(ty, Ty::Int(_) | Ty::Length(_) | Ty::Target(_))) {
            let entry = Entry::new(name.as_str(), EntryKind::Local, 0).insert(format!("{name} ${{1:+1}}"));
            out.push(entry.detail(format!("changes the event: {}", describe::ty(ty))));
        }
    }
    if scene.replaceable {
        out.push(Entry::new("proceed", EntryKind::Word, 0).detail("lets the replaced event happen"));
    }
    if scene.loops {
        out.push(Entry::new("pass", EntryKind::Word, 1).detail("leaves the repeat or the alternate"));
    }
    let words = WORDS.iter().filter_map(|word| word.offered.map(|(snippet, doc)| (word.text, snippet, doc)));
    for (word, snippet, doc) in words.chain(VERBS.iter().copied()) {
        out.push(Entry::new(word, EntryKind::Phrase, 1).insert(snippet).detail(doc));
    }
}

/// `deal ${1:amount} to ${2:target}`: what must be said.
pub(crate) fn sentence(place: &Place<'_>, sig: &CallSig) -> String {
    let mut out = sig.name.to_string();
    let mut stop = 1;
    for p in &sig.params {
        // who acts is known where a player acts
        let by_player = p.prep.as_deref() == Some("by") && values::is_player(place, &p.ty);
        if p.optional || by_player {
            continue;
        }
        if let Some(prep) = &p.prep {
            out.push(' ');
            out.push_str(prep);
        }
        out.push_str(&format!(" ${{{stop}:{}}}", p.name));
        stop += 1;
    }
    out
}

/// What can follow a value: prepositions of the sentence it stands in, filters of a set, units of a number.
pub(crate) fn after(place: &Place<'_>, ty: &Ty, scene: &Scene, out: &mut Vec<Entry>) {
    if let Some(action) = &scene.calling {
        prepositions(place, action, out);
    }
    // behind a comparison another condition is likelier than a unit
    let compared = ["==", "!=", "<", ">"].iter().any(|op| place.line.contains(op));
    match bare(ty) {
        Ty::Int(_) | Ty::Rolled(_) | Ty::Fraction => {
            for resource in values::resources(place) {
                out.push(Entry::new(resource.as_str(), EntryKind::Option, 1).detail("a resource"));
            }
            names::of_kinds(place, &[DeclKind::Length], 2, out);
        }
        Ty::Set(_) | Ty::List(_) | Ty::Pile(_) => {
            let sign = values::signs(place).into_iter().next().unwrap_or_default();
            out.push(Entry::new("where", EntryKind::Word, 1).insert("where ${1:condition}").detail("those for which something holds"));
            out.push(
                Entry::new("within", EntryKind::Word, 1)
                    .insert(format!("within ${{1:6{sign}}} of ${{2:this}}"))
                    .detail("those that are near"),
            );
            out.push(Entry::new("of", EntryKind::Word, 2).insert("of ${1:you}").detail("those of a player or a card"));
            out.push(Entry::new("touching", EntryKind::Word, 2).insert("touching ${1:this}").detail("those that touch something"));
            names::visible_names(place, |found, far| {
                if matches!(found.kind, DeclKind::Define | DeclKind::Fact) && describe::signature(place.ide, found).params.len() == 2 {
                    let name = short(&found.key);
                    out.push(names::entry(place, found, 2 + far).insert(format!("{name} ${{1:this}}")));
                }
            });
        }
        _ => {}
    }
    let tier = if compared { 0 } else { 4 };
    for word in ["and", "or", "is", "in"] {
        out.push(Entry::new(word, EntryKind::Word, tier));
    }
}

/// The prepositions of an action that its sentence does not have yet, those it must have first.
pub(crate) fn prepositions(place: &Place<'_>, action: &str, out: &mut Vec<Entry>) {
    let (db, universe) = (place.ide.db, place.ide.universe);
    let Some(found) = by_key(db, universe, action, &[DeclKind::Action, DeclKind::Phase]) else { return };
    let sig = describe::signature(place.ide, found);
    // what was said since the verb
    let said = place.line.rsplit_once(sig.name.as_str()).map_or(place.line, |(_, rest)| rest);
    for p in &sig.params {
        let Some(prep) = &p.prep else { continue };
        if said.split_whitespace().any(|w| w == prep) {
            continue;
        }
        let tier = u32::from(p.optional);
        let entry = Entry::new(prep.as_str(), EntryKind::Word, tier).insert(format!("{prep} ${{1:{}}}", p.name));
        out.push(entry.detail(format!("{}: {}", p.name, describe::ty(&p.ty))));
    }
}
